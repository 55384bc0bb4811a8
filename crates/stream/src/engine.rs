//! The engine of the streaming methods.

use impinge_geometry::Mesh;
use impinge_query::{
    Backend, Certainty, Control, Counter, Description, Found, PrepareError, Query, QueryError,
    Search, Side,
};

use crate::compute::{Kept, Runner, Sent};
use crate::methods::{Culling, Mode, Params};
use crate::model::StreamModel;
use crate::pass::{Decided, End, Pass};
use crate::stream::{EdgeStream, Stage};

/// Bits of the significand of 32-bit numbers.
const BITS: u32 = f32::MANTISSA_DIGITS;

/// A streaming method.
#[derive(Clone, Debug)]
pub struct StreamEngine {
    description: Description,
    culling: Culling,
    params: Params,
    runner: Runner,
}

/// The streams of a query, kept to reuse their allocations.
#[derive(Debug, Default)]
pub struct Buffers {
    /// The edges of a mesh, and those left at each depth of the tree.
    levels: Vec<EdgeStream>,
    /// What is on an adapter.
    kept: Kept<Sent>,
}

impl StreamEngine {
    pub(crate) fn new(certified: Description, culling: Culling, params: Params) -> Self {
        let exact = params.mode == Mode::Certified;
        let description = Description { exact, ..certified };
        Self { description, culling, params, runner: Runner::default() }
    }

    /// The same method on an adapter that the caller opened and may share, whatever
    /// [`Params::device`] says: in [`Form::Raster`](crate::Form::Raster) if that is its form, else
    /// in [`Form::Compute`](crate::Form::Compute). If none was opened, the processor answers, and
    /// [`Answer::backend`](impinge_query::Answer::backend) tells why. A lost device stays lost, and
    /// each query is an error: create another engine, for the same models.
    #[cfg(feature = "wgpu")]
    #[must_use]
    pub fn on(self, opened: Result<impinge_gpu::Gpu, impinge_gpu::OpenError>) -> Self {
        let family = crate::compute::Family::of(self.params.form);
        self.on_adapter(match opened {
            Ok(gpu) => Ok(crate::compute::Adapter::on(&gpu, family)),
            Err(why) => Err(why.to_string()),
        })
    }

    #[cfg(feature = "wgpu")]
    pub(crate) fn on_adapter(self, adapter: Result<crate::compute::Adapter, String>) -> Self {
        let params = Params { form: self.params.form.on_adapter(), ..self.params };
        Self { params, runner: Runner::on(adapter), ..self }
    }

    /// The parameters it was created with.
    pub const fn params(&self) -> &Params {
        &self.params
    }
}

impl Search for StreamEngine {
    type Model = StreamModel;
    type Memory = Buffers;

    fn describe(&self) -> &Description {
        &self.description
    }

    fn prepare(&self, mesh: &Mesh, control: &Control<'_>) -> Result<StreamModel, PrepareError> {
        let (culls, n) = (self.culling != Culling::Nothing, mesh.triangles().len());
        if !culls && n > self.params.largest {
            let reason = format!(
                "{n} triangles, at most {}: every edge would be tested against every triangle",
                self.params.largest
            );
            return Err(PrepareError::Refused { word: self.description.word, reason });
        }
        StreamModel::new(mesh, culls, control)
    }

    fn memory(&self) -> Buffers {
        Buffers::default()
    }

    /// Streams are loaded anew for every query; models on an adapter are not.
    fn forget(&self, memory: &mut Buffers) {
        memory.kept.forget();
    }

    fn contacts<C: Counter>(
        &self,
        query: &Query<'_, StreamModel>,
        memory: &mut Buffers,
        counter: &mut C,
        found: &mut Found<'_>,
    ) -> Result<(), QueryError> {
        let (culling, mode) = (self.culling, self.params.mode);
        let control = query.control;
        let adapter = self.runner.choose(self.params);
        *found.backend = match &adapter {
            Ok(adapter) => Backend::Gpu(adapter.name()),
            Err(backend) => backend.clone(),
        };
        let Buffers { levels, kept } = memory;
        let mut decided = Decided::default();
        // Several edges of a triangle may meet the same one.
        found.contacts.expect_repeats();
        if levels.is_empty() {
            levels.push(EdgeStream::default());
        }
        for whose in [Side::A, Side::B] {
            let stage = Stage::new(whose, query.a, query.b, query.pose);
            counter.stage("edges", |_| levels[0].load(&stage, mode, control))?;
            let end = counter.stage("stream", |counter| {
                let (found, decided) = (&mut found.contacts, &mut decided);
                let mut pass = Pass { stage, mode, culling, counter, control, found, decided };
                match &adapter {
                    Ok(adapter) => adapter.run(&mut pass, &levels[0], kept, self.description.word),
                    Err(_) => Ok(pass.run(levels)?),
                }
            })?;
            if end != End::Done {
                break;
            }
        }
        let Decided { settled, resolved } = decided;
        *found.certainty = match mode {
            Mode::Certified => Certainty::Certified { settled, resolved },
            Mode::Sampled | Mode::AsPrinted => Certainty::Rounded { bits: BITS },
        };
        Ok(())
    }
}
