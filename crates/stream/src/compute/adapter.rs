//! An open adapter, and one direction of a query on it.

use std::ops::ControlFlow;

use bytemuck::NoUninit;
use impinge_gpu::wgpu::Buffer;
use impinge_gpu::{Gpu, GpuError, Need, Preference, Request};
use impinge_query::{Cancelled, Counter, MeshModel, ModelId, QueryError};
use impinge_shaders::stream::{self, OPEN, StreamEdge};

use super::found::Listed;
use super::kept::{Kept, Rooms};
use super::kernels::{Kernels, Streams, Trees};
use super::parts::ranges;
use super::raster::{Raster, Textures};
use super::runner::Family;
use super::sent::{Piece, Sent, most};
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
    /// Most bytes of a buffer with a model, unless the adapter allows less. Larger: fewer pieces.
    pub(crate) bytes: u64,
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
    /// Lists of 48 MiB at most, dispatches of a second in software, models in buffers of 1 GiB.
    fn default() -> Self {
        Self {
            room: 1 << 16,
            most: 1 << 22,
            work: 1 << 26,
            poses: 1 << 12,
            bytes: 1 << 30,
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
    /// The best adapter of the kind, which all engines of a process share, or why there is none.
    pub(crate) fn open(device: Device, family: Family) -> Result<Self, String> {
        let preference = match device {
            Device::Adapter => Preference::Any,
            Device::SoftwareAdapter => Preference::Software,
        };
        let need = Need::default();
        let request = Request { preference, need, ..Request::default().with_environment() };
        let gpu = Gpu::shared(&request).map_err(|why| why.to_string())?;
        Ok(Self::on(&gpu, family))
    }

    /// An open adapter for the methods of a family.
    pub(crate) fn on(gpu: &Gpu, family: Family) -> Self {
        let (id, gpu, kernels) = (ModelId::fresh(), gpu.clone(), Kernels::default());
        let mut sizes = Sizes::default();
        if family == Family::Drawn {
            // An image has a texel for each place of a list, and all are read.
            sizes.room = 1 << 12;
        }
        Self { id, gpu, family, kernels, sizes }
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

    /// Most bytes of a buffer with a part of a model.
    pub(crate) fn most_bytes(&self) -> u64 {
        let limits = self.gpu.device().limits();
        let allowed = limits.max_buffer_size.min(limits.max_storage_buffer_binding_size);
        allowed.min(self.sizes.bytes)
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
        let Some(first) = sent.pieces.first() else { return Ok(End::Done) };
        let records = records(edges);
        for range in ranges(records.len() as u32, most::<StreamEdge>(self.most_bytes())) {
            let part = (range.start, &records[range.start as usize..range.end as usize]);
            let mut direction = Direction::load(self, part, pass.mode, first, rooms)?;
            let end = direction.pieces(pass, &sent.pieces);
            pass.counter.submitted(direction.work.submissions);
            match end? {
                End::Done => {}
                end => return Ok(end),
            }
        }
        Ok(End::Done)
    }
}

/// One direction of a query: edges of one mesh on the adapter, and triangles of the other.
#[derive(Debug)]
pub(super) struct Direction<'d> {
    pub(super) work: Work<'d>,
    /// The triangles that the edges are tested against.
    pub(super) piece: &'d Piece,
    /// The records of the edges, for kernels; of none where textures are enough.
    pub(super) edges: Buffer,
    /// The same as textures, and how they are drawn: [`Family::Drawn`] only.
    pub(super) drawn: Option<(&'d Raster, Textures)>,
    /// The mesh's edge that the first one is.
    first: u32,
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
        (first, records): (u32, &[StreamEdge]),
        mode: Mode,
        piece: &'d Piece,
        rooms: &'d mut Rooms,
    ) -> Result<Self, GpuError> {
        let raster = adapter.raster()?;
        let edges = adapter.upload("edges", if raster.is_some() { &[] } else { records })?;
        let drawn = match raster {
            Some(raster) => {
                Some((raster, Textures::new(&adapter.gpu, adapter.sizes.work, records)?))
            }
            None => None,
        };
        let count = records.len() as u32;
        let mode = if mode == Mode::Sampled { stream::SAMPLED } else { 0 };
        let work = Work::new(adapter, mode, rooms);
        Ok(Self { work, piece, edges, drawn, first, count })
    }

    /// Tests the edges against the triangles of all pieces.
    fn pieces<C: Counter>(
        &mut self,
        pass: &mut Pass<'_, '_, C>,
        pieces: &'d [Piece],
    ) -> Result<End, Trouble> {
        for piece in pieces {
            self.piece = piece;
            let end = match (pass.culling, &piece.tree) {
                (Culling::Triangles, Some(tree)) => self.tree(pass, tree)?,
                (Culling::Edges, Some(tree)) => self.shrink(pass, tree)?,
                (Culling::Nothing, _) | (_, None) => self.faces(pass, None, piece.count())?,
            };
            if end != End::Done {
                return Ok(end);
            }
        }
        Ok(End::Done)
    }

    /// Decides pairs of this direction's edges and triangles that an adapter found in so many tests.
    pub(super) fn take<C: Counter>(
        &self,
        pass: &mut Pass<'_, '_, C>,
        pairs: &mut [Listed],
        tests: u64,
    ) -> Result<ControlFlow<()>, Cancelled> {
        for [edge, face] in &mut *pairs {
            *edge += self.first;
            *face = self.piece.triangles[(*face & !OPEN) as usize] | *face & OPEN;
        }
        pass.take(pairs, tests)
    }
}
