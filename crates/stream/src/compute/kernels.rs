//! The kernels of each family, compiled when it is first used.

use std::sync::OnceLock;

use impinge_gpu::{CountedDispatch, Gpu, GpuError, Kernel};
use impinge_shaders::{stream, trees};

use super::raster::Raster;
use super::runner::Family;

/// What is compiled at its first use. A failure stays.
#[derive(Debug)]
pub(super) struct Lazy<K>(OnceLock<Result<K, GpuError>>);

impl<K> Default for Lazy<K> {
    fn default() -> Self {
        Self(OnceLock::new())
    }
}

impl<K> Lazy<K> {
    fn get(&self, compile: impl FnOnce() -> Result<K, GpuError>) -> Result<&K, GpuError> {
        self.0.get_or_init(compile).as_ref().map_err(Clone::clone)
    }
}

/// Kernels of edges against triangles and boxes.
#[derive(Debug)]
pub(crate) struct Streams {
    pub(super) counted: CountedDispatch,
    pub(super) faces: Kernel,
    pub(super) pairs: Kernel,
    pub(super) shrink: Kernel,
    pub(super) spread: Kernel,
    pub(super) mark: Kernel,
    pub(super) children: Kernel,
}

impl Streams {
    fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        Ok(Self {
            counted: CountedDispatch::new(gpu)?,
            faces: gpu.kernel(&stream::FACES, stream::TEST_FACES)?,
            pairs: gpu.kernel(&stream::PAIRS, stream::TEST_PAIRS)?,
            shrink: gpu.kernel(&stream::SHRINK, stream::SHRINK_LEVEL)?,
            spread: gpu.kernel(&stream::SPREAD, stream::SPREAD_NODES)?,
            mark: gpu.kernel(&stream::MARK, stream::MARK_NODES)?,
            children: gpu.kernel(&stream::CHILDREN, stream::OPEN_CHILDREN)?,
        })
    }
}

/// Kernels of pairs of trees.
#[derive(Debug)]
pub(crate) struct Trees {
    pub(crate) counted: CountedDispatch,
    pub(crate) probe: Kernel,
    pub(crate) descend: Kernel,
    pub(crate) meet: Kernel,
}

impl Trees {
    fn new(gpu: &Gpu) -> Result<Self, GpuError> {
        Ok(Self {
            counted: CountedDispatch::new(gpu)?,
            probe: gpu.kernel(&trees::PROBE, trees::PROBE_POSES)?,
            descend: gpu.kernel(&trees::DESCEND, trees::DESCEND_LEVEL)?,
            meet: gpu.kernel(&trees::MEET, trees::MEET_PAIRS)?,
        })
    }
}

/// The kernels and drawings on an adapter.
#[derive(Debug, Default)]
pub(super) struct Kernels {
    pub(super) streams: Lazy<Streams>,
    pub(super) raster: Lazy<Raster>,
    pub(super) trees: Lazy<Trees>,
}

impl Kernels {
    pub(super) fn streams(&self, gpu: &Gpu) -> Result<&Streams, GpuError> {
        self.streams.get(|| Streams::new(gpu))
    }

    pub(super) fn raster(&self, gpu: &Gpu) -> Result<&Raster, GpuError> {
        self.raster.get(|| Raster::new(gpu))
    }

    pub(super) fn trees(&self, gpu: &Gpu) -> Result<&Trees, GpuError> {
        self.trees.get(|| Trees::new(gpu))
    }

    /// Compiles what a family needs, unless it is compiled.
    pub(super) fn compile(&self, gpu: &Gpu, family: Family) -> Result<(), GpuError> {
        match family {
            Family::Streams => self.streams(gpu).map(|_| ()),
            Family::Drawn => self.streams(gpu).and(self.raster(gpu)).map(|_| ()),
            Family::Trees => self.trees(gpu).map(|_| ()),
        }
    }
}

#[cfg(test)]
impl<K> Lazy<K> {
    /// What could not be compiled.
    pub(super) fn failed(why: GpuError) -> Self {
        Self(OnceLock::from(Err(why)))
    }

    pub(super) fn is_compiled(&self) -> bool {
        matches!(self.0.get(), Some(Ok(_)))
    }

    /// What is compiled, to break it.
    pub(super) fn get_mut(&mut self) -> Option<&mut K> {
        self.0.get_mut()?.as_mut().ok()
    }
}

#[cfg(test)]
mod gpu_tests {
    use impinge_geometry::Pose;
    use impinge_models::Shape;
    use impinge_query::{Ask, Backend, Control, Engine};

    use super::super::adapter::Adapter;
    use super::super::gpu_tests::{ask, gpu, open, pairs};
    use super::*;
    use crate::{Params, stream_pairs, stream_shrink_with};

    /// What is compiled of each family.
    fn compiled(adapter: &Adapter) -> [bool; 3] {
        let Kernels { streams, raster, trees } = &adapter.kernels;
        [streams.is_compiled(), raster.is_compiled(), trees.is_compiled()]
    }

    #[test]
    #[ignore = "gpu: needs an adapter"]
    fn a_family_compiles_its_own_kernels_when_it_is_used() {
        for (family, own) in [
            (Family::Streams, [true, false, false]),
            (Family::Drawn, [true, true, false]),
            (Family::Trees, [false, false, true]),
        ] {
            let adapter = Adapter::on(gpu(), family);
            assert_eq!(compiled(&adapter), [false; 3], "{family:?}: opened");
            adapter.ready().expect("it compiles");
            assert_eq!(compiled(&adapter), own, "{family:?}");
        }
    }

    /// The processor answers for an adapter on which a kernel does not compile, and says why.
    #[test]
    #[ignore = "gpu: needs an adapter"]
    fn a_kernel_that_does_not_compile_is_told() {
        let why =
            GpuError::Refused { what: "kernel".to_owned(), message: "no such type".to_owned() };
        let broken = |family| {
            let (streams, trees) = (Lazy::failed(why.clone()), Lazy::failed(why.clone()));
            let kernels = Kernels { streams, trees, ..Kernels::default() };
            Ok(Adapter { kernels, ..Adapter::on(gpu(), family) })
        };
        let told = Backend::Software("kernel was refused: no such type".to_owned());
        let meshes = [Shape::Hull.mesh(40, 1), Shape::Hull.mesh(30, 2)];
        let first = Ask::first_contact();
        for (form, engine, _) in pairs() {
            let engine = engine.on_adapter(broken(Family::of(form)));
            let answer = ask(&engine, &meshes, &Pose::identity(), &first);
            assert!(answer.backend == told && answer.verdict.is_hit(), "{:?}", answer.backend);
        }
        let engine = stream_pairs().on_adapter(broken(Family::Trees));
        let answer = ask(&engine, &meshes, &Pose::identity(), &first);
        assert!(answer.backend == told && answer.verdict.is_hit(), "{:?}", answer.backend);
    }

    /// A device that is lost before the first query is an error, as one that is lost later.
    #[test]
    #[ignore = "gpu: needs an adapter"]
    fn a_device_lost_before_its_kernels_are_compiled_is_an_error() {
        let gpu = open();
        gpu.device().destroy();
        let engine = stream_shrink_with(Params::default()).on(Ok(gpu));
        let model = engine.prepare(&Shape::Cube.mesh(12, 1), &Control::NONE).expect("any mesh");
        let error = engine.ask(&model, &model, &Pose::identity(), &Ask::first_contact());
        let error = error.expect_err("it is lost").to_string();
        assert!(error.contains("the graphics device was lost"), "{error}");
    }
}
