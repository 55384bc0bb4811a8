//! An open adapter, and one direction of a query on it.

use bytemuck::NoUninit;
use impinge_gpu::wgpu::Buffer;
use impinge_gpu::{Gpu, GpuError, Need, Preference, Request};
use impinge_query::{Cancelled, Counter, MeshModel, ModelId, QueryError};
use impinge_shaders::stream::{self, StreamEdge};

use super::kept::{Kept, Rooms, Sent};
use super::kernels::{Kernels, Streams, Trees};
use super::raster::{Raster, Textures};
use super::runner::Family;
use super::work::{LISTED, Work};
use crate::methods::{Culling, Device, Mode};
use crate::pass::{End, Pass};
use crate::stream::{EdgeStream, Stage};

/// An open adapter and the kernels on it.
#[derive(Debug)]
pub(crate) struct Adapter {
    /// Identity of this adapter: models sent to another one must be sent again.
    pub(super) id: ModelId,
    pub(crate) gpu: Gpu,
    pub(super) family: Family,
    pub(super) kernels: Kernels,
    pub(crate) sizes: Sizes,
}

/// Sizes of lists and dispatches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    /// First length of a list. Larger: more memory; less: more passes that are done again.
    pub(crate) room: u32,
    /// Most places of a list. Beyond it a pass is cut in two.
    pub(crate) most: u32,
    /// Most tests of one dispatch. Drivers end what takes longer than some seconds. Larger: fewer
    /// submissions.
    pub(crate) work: u64,
    /// Most poses of a batch whose lists are made together. Larger: fewer submissions, and longer
    /// ones.
    pub(crate) poses: usize,
    /// Submissions of more tests, edges or poses do not end in time.
    #[cfg(test)]
    pub(crate) in_time: u64,
}

#[cfg(test)]
impl Sizes {
    /// The error of a submission that does not end in time.
    pub(super) fn in_time(&self, holds: u64) -> Result<(), GpuError> {
        let (what, limit) = (format!("a submission of {holds}"), std::time::Duration::ZERO);
        if holds > self.in_time { Err(GpuError::Timeout { what, limit }) } else { Ok(()) }
    }
}

impl Default for Sizes {
    /// Lists of 48 MiB at most, and dispatches of a second in software.
    fn default() -> Self {
        Self {
            room: 1 << 16,
            most: 1 << 22,
            work: 1 << 26,
            poses: 1 << 12,
            #[cfg(test)]
            in_time: u64::MAX,
        }
    }
}

/// Why a direction gave no result. Then nothing is known of the pair.
#[derive(Debug)]
pub(crate) enum Trouble {
    Cancelled(Cancelled),
    /// A submission did not end in time.
    Late(String),
    Failed(String),
}

impl Trouble {
    /// The error of a query of the method with this `word`.
    pub(crate) fn named(self, word: &'static str) -> QueryError {
        match self {
            Self::Cancelled(cancelled) => QueryError::Cancelled(cancelled),
            Self::Late(reason) | Self::Failed(reason) => QueryError::Backend { word, reason },
        }
    }
}

impl From<Cancelled> for Trouble {
    fn from(cancelled: Cancelled) -> Self {
        Self::Cancelled(cancelled)
    }
}

impl From<GpuError> for Trouble {
    fn from(why: GpuError) -> Self {
        match why {
            GpuError::Timeout { .. } => Self::Late(why.to_string()),
            _ => Self::Failed(why.to_string()),
        }
    }
}

impl Adapter {
    /// Opens the best adapter of the kind, or returns why there is none.
    pub(crate) fn open(device: Device, family: Family) -> Result<Self, String> {
        let preference = match device {
            Device::Adapter => Preference::Any,
            Device::SoftwareAdapter => Preference::Software,
        };
        let need = Need::default();
        let request = Request { preference, need, ..Request::default().with_environment() };
        let gpu = Gpu::open(&request).map_err(|why| why.to_string())?;
        Ok(Self::on(&gpu, family))
    }

    /// An open adapter for the methods of a family.
    pub(crate) fn on(gpu: &Gpu, family: Family) -> Self {
        let (id, gpu, kernels) = (ModelId::fresh(), gpu.clone(), Kernels::default());
        Self { id, gpu, family, kernels, sizes: Sizes::default() }
    }

    /// Compiles the kernels of the family unless they are compiled, or returns why it cannot. A
    /// lost device is an error of the query.
    pub(crate) fn ready(&self) -> Result<(), String> {
        match self.kernels.compile(&self.gpu, self.family) {
            Ok(()) | Err(GpuError::Lost { .. }) => Ok(()),
            Err(why) => Err(why.to_string()),
        }
    }

    pub(super) fn streams(&self) -> Result<&Streams, GpuError> {
        self.kernels.streams(&self.gpu)
    }

    pub(crate) fn trees(&self) -> Result<&Trees, GpuError> {
        self.kernels.trees(&self.gpu)
    }

    /// The drawings, if the family draws.
    pub(super) fn raster(&self) -> Result<Option<&Raster>, GpuError> {
        match self.family {
            Family::Drawn => self.kernels.raster(&self.gpu).map(Some),
            Family::Streams | Family::Trees => Ok(None),
        }
    }

    /// A list with this content.
    pub(crate) fn upload<T: NoUninit>(&self, what: &str, list: &[T]) -> Result<Buffer, GpuError> {
        self.gpu.upload(what, LISTED, bytemuck::cast_slice(list))
    }

    /// The adapter's name.
    pub(crate) fn name(&self) -> String {
        self.gpu.facts().name.clone()
    }

    /// Runs one direction of a query for a method with this `word`.
    pub(crate) fn run<C: Counter>(
        &self,
        pass: &mut Pass<'_, '_, C>,
        edges: &EdgeStream,
        kept: &mut Kept<Sent>,
        word: &'static str,
    ) -> Result<End, QueryError> {
        self.direction(pass, edges, kept).map_err(|trouble| trouble.named(word))
    }

    fn direction<C: Counter>(
        &self,
        pass: &mut Pass<'_, '_, C>,
        edges: &EdgeStream,
        kept: &mut Kept<Sent>,
    ) -> Result<End, Trouble> {
        let control = pass.control;
        control.check()?;
        let Stage { whose, still, .. } = pass.stage;
        let send = || Sent::new(self, still);
        let (sent, rooms) = kept.sent(self, whose, still.subject().id(), send)?;
        let mut direction = Direction::load(self, &records(edges), pass.mode, sent, rooms)?;
        let end = match (pass.culling, direction.sent.tree.clone()) {
            (Culling::Triangles, Some(tree)) => direction.tree(pass, &tree),
            (Culling::Edges, Some(tree)) => direction.shrink(pass, &tree),
            (Culling::Nothing, _) | (_, None) => {
                let faces = direction.sent.count;
                direction.faces(pass, None, faces)
            }
        };
        pass.counter.submitted(direction.work.submissions);
        end
    }
}

/// One direction of a query: edges of one mesh on the adapter, and the other mesh.
#[derive(Debug)]
pub(super) struct Direction<'d> {
    pub(super) work: Work<'d>,
    pub(super) sent: Sent,
    /// The records of all edges, for kernels; of none where textures are enough.
    pub(super) edges: Buffer,
    /// The same as textures, and how they are drawn: [`Family::Drawn`] only.
    pub(super) drawn: Option<(&'d Raster, Textures)>,
    /// Number of edges.
    pub(super) count: u32,
}

/// The records of the edges of a stream.
pub(super) fn records(edges: &EdgeStream) -> Vec<StreamEdge> {
    let mut records = Vec::with_capacity(edges.len());
    for block in edges.blocks() {
        records.extend((0..block.edges.len()).map(|i| block.record(i).portable()));
    }
    records
}

impl<'d> Direction<'d> {
    pub(super) fn load(
        adapter: &'d Adapter,
        records: &[StreamEdge],
        mode: Mode,
        sent: Sent,
        rooms: &'d mut Rooms,
    ) -> Result<Self, GpuError> {
        let raster = adapter.raster()?;
        let drawn_only = raster.is_some() && sent.tree.is_none();
        let edges = adapter.upload("edges", if drawn_only { &[] } else { records })?;
        let drawn = match raster {
            Some(raster) => {
                Some((raster, Textures::new(&adapter.gpu, adapter.sizes.work, records)?))
            }
            None => None,
        };
        let count = records.len() as u32;
        let mode = if mode == Mode::Sampled { stream::SAMPLED } else { 0 };
        Ok(Self { work: Work::new(adapter, mode, rooms), sent, edges, drawn, count })
    }
}
