//! The engine of `stream-pairs`.

use impinge_geometry::{Mesh, Point, Pose};
use impinge_hierarchy::containment::Surface;
use impinge_query::{
    Backend, Batching, Cancelled, Certainty, Control, Counter, Description, Found, PrepareError,
    Query, QueryError, QuestionKind, Search, Side,
};

#[cfg(feature = "wgpu")]
use super::PairsSent;
use super::descent::descend;
use super::model::{PairsModel, WORD};
use super::placed::Placing;
use super::ready::{Landing, Ready};
#[cfg(not(feature = "wgpu"))]
use crate::compute::PairsSent;
use crate::compute::{Adapter, Family, Kept, Runner};
use crate::methods::Device;
use crate::pass::Decided;

/// The parameters of `stream-pairs`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PairsParams {
    /// The adapter that tests the pairs; `None`, the default, is the processor. If there is no such
    /// adapter, or this crate was built without its feature `wgpu`, the processor answers, and
    /// [`Answer::backend`](impinge_query::Answer::backend) tells why.
    pub device: Option<Device>,
}

/// The method `stream-pairs`: certified, for contacts of surfaces and solids. A batch on an adapter
/// is a few submissions for thousands of poses.
#[derive(Clone, Debug)]
pub struct PairsEngine {
    params: PairsParams,
    runner: Runner,
}

/// Pairs of trees, on the processor.
pub fn stream_pairs() -> PairsEngine {
    stream_pairs_with(PairsParams::default())
}

/// Pairs of trees, with chosen parameters.
pub fn stream_pairs_with(params: PairsParams) -> PairsEngine {
    PairsEngine { params, runner: Runner::default() }
}

/// Memory of `stream-pairs` between queries of a pair.
#[derive(Debug, Default)]
pub struct PairsMemory {
    /// Pairs of nodes that are not tested yet.
    stack: Vec<[u32; 2]>,
    /// What is on an adapter.
    kept: Kept<PairsSent>,
    ready: Ready,
}

impl PairsEngine {
    const DESCRIPTION: Description = Description::exact(
        WORD,
        "two box trees level by level, triangles in 32 bits, many poses at once",
        "today's form of fan ch. 3",
        QuestionKind::OF_CONTACTS,
    );

    /// The same method on an adapter that the caller opened and may share. If none was opened, the
    /// processor answers, and [`Answer::backend`](impinge_query::Answer::backend) tells why. A lost
    /// device stays lost, and each query is an error: create another engine, for the same models.
    #[cfg(feature = "wgpu")]
    #[must_use]
    pub fn on(self, opened: Result<impinge_gpu::Gpu, impinge_gpu::OpenError>) -> Self {
        self.on_adapter(match opened {
            Ok(gpu) => Ok(Adapter::on(&gpu, Family::Trees)),
            Err(why) => Err(why.to_string()),
        })
    }

    #[cfg(feature = "wgpu")]
    pub(crate) fn on_adapter(self, adapter: Result<Adapter, String>) -> Self {
        let device = Some(self.params.device.unwrap_or_default());
        Self { params: PairsParams { device }, runner: Runner::on(adapter) }
    }

    /// The parameters it was created with.
    pub const fn params(&self) -> &PairsParams {
        &self.params
    }

    /// The adapter; or how the processor tells that it answers in its place.
    fn adapter(&self) -> Result<&Adapter, Backend> {
        self.params
            .device
            .map_or(Err(Backend::Cpu), |device| self.runner.adapter(device, Family::Trees))
    }
}

impl PairsEngine {
    /// What the adapter knows of a single query.
    fn alone(
        adapter: &Adapter,
        query: &Query<'_, PairsModel>,
        first: bool,
        kept: &mut Kept<PairsSent>,
    ) -> Result<Landing, QueryError> {
        let poses = std::slice::from_ref(query.pose);
        let mut landings = adapter.fly(query, poses, first, kept)?;
        Ok(landings.pop().unwrap_or(Landing::TooMuch { submissions: 0 }))
    }
}

impl Search for PairsEngine {
    type Model = PairsModel;
    type Memory = PairsMemory;

    fn describe(&self) -> &Description {
        &Self::DESCRIPTION
    }

    fn prepare(&self, mesh: &Mesh, control: &Control<'_>) -> Result<PairsModel, PrepareError> {
        PairsModel::new(mesh, control)
    }

    fn memory(&self) -> PairsMemory {
        PairsMemory::default()
    }

    fn forget(&self, memory: &mut PairsMemory) {
        memory.kept.forget();
        memory.ready.clear();
    }

    /// Poses in one go on an adapter, over threads on the processor.
    fn batching(&self) -> Batching {
        if self.adapter().is_ok() { Batching::Ahead } else { Batching::OverThreads }
    }

    fn look_ahead(
        &self,
        query: &Query<'_, PairsModel>,
        poses: &[Pose],
        first: bool,
        memory: &mut PairsMemory,
    ) -> Result<usize, QueryError> {
        memory.ready.clear();
        let Ok(adapter) = self.adapter() else { return Ok(poses.len()) };
        let poses = &poses[..poses.len().min(adapter.poses_at_once())];
        let landings = adapter.fly(query, poses, first, &mut memory.kept)?;
        let count = landings.len();
        memory.ready.fill(poses, landings, first);
        Ok(count)
    }

    fn contacts<C: Counter>(
        &self,
        query: &Query<'_, PairsModel>,
        memory: &mut PairsMemory,
        counter: &mut C,
        found: &mut Found<'_>,
    ) -> Result<(), QueryError> {
        let first = found.contacts.wants_first();
        let outcome = match self.adapter() {
            Ok(adapter) => {
                let ready = memory.ready.take(query.pose, first);
                let landing = match ready {
                    Some(landing) => Ok(landing),
                    None => counter
                        .stage("adapter", |_| Self::alone(adapter, query, first, &mut memory.kept)),
                }?;
                let (outcome, backend) = match landing {
                    Landing::Whole(outcome) => (Some(outcome), Backend::Gpu(adapter.name())),
                    Landing::TooMuch { submissions } => {
                        counter.submitted(submissions);
                        let why = "more than the numbers, lists or buffers of the adapter hold";
                        (None, Backend::Software(why.to_owned()))
                    }
                };
                *found.backend = backend;
                outcome
            }
            Err(backend) => {
                *found.backend = backend;
                None
            }
        };
        let Decided { settled, resolved } = counter.stage("pairs", |counter| match outcome {
            Some(outcome) => outcome.decide(query, counter, &mut found.contacts),
            None => match Placing::of(query.a, query.b, query.pose) {
                Placing::Apart => Ok(Decided::default()),
                Placing::Near(placed) | Placing::Rough(placed) => {
                    descend(query, &placed, &mut memory.stack, counter, &mut found.contacts)
                }
            },
        })?;
        *found.certainty = Certainty::Certified { settled, resolved };
        Ok(())
    }

    fn winding<'q, C: Counter>(
        &'q self,
        query: Query<'q, PairsModel>,
        solid: Side,
    ) -> impl FnMut(&Point, &mut C) -> Result<i32, Cancelled> {
        Surface::about(&query.of(query.a.tree(), query.b.tree()), solid)
    }
}
