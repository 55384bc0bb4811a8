//! An open adapter with its kernels, and one direction of a query on it.

use impinge_gpu::wgpu::{Buffer, BufferUsages};
use impinge_gpu::{
    CountedDispatch, Gpu, GpuError, Kernel, Need, Preference, Ran, Request, Submission,
};
use impinge_query::{Cancelled, Control, Counter, ModelId, QueryError};
use impinge_shaders::stream::{self, StreamEdge, StreamJob};

use super::kept::{Kept, Rooms, Sent};
use super::raster::{Raster, Textures};
use crate::methods::{Culling, Device, Form, Mode};
use crate::pass::{End, Pass};
use crate::stream::EdgeStream;

/// Counts, or a list that kernels write and the processor reads or copies.
pub(super) const WRITTEN: BufferUsages = BufferUsages::STORAGE.union(BufferUsages::COPY_SRC);

/// The count of a counted dispatch.
const COUNT: BufferUsages = BufferUsages::STORAGE.union(BufferUsages::COPY_DST);

/// An open adapter and the kernels on it.
#[derive(Debug)]
pub(crate) struct Adapter {
    /// Identity of this adapter: models sent to another one must be sent again.
    pub(super) id: ModelId,
    pub(super) gpu: Gpu,
    pub(super) counted: CountedDispatch,
    pub(super) faces: Kernel,
    pub(super) pairs: Kernel,
    pub(super) shrink: Kernel,
    pub(super) spread: Kernel,
    pub(super) mark: Kernel,
    pub(super) children: Kernel,
    /// Of [`Form::Raster`] only.
    pub(super) raster: Option<Raster>,
    pub(super) sizes: Sizes,
}

/// Sizes of lists and dispatches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    /// First length of a list. Larger: more memory; less: more passes that are done again.
    pub(super) room: u32,
    /// Most places of a list. Beyond it a pass is cut in two.
    pub(super) most: u32,
    /// Most tests of one dispatch. Drivers end what takes longer than some seconds. Larger: fewer
    /// submissions.
    pub(super) work: u64,
}

impl Default for Sizes {
    /// Lists of 32 MiB at most, and dispatches of a second in software.
    fn default() -> Self {
        Self { room: 1 << 16, most: 1 << 22, work: 1 << 26 }
    }
}

/// Why a direction gave no result. Then nothing is known of the pair.
#[derive(Debug)]
pub(super) enum Trouble {
    Cancelled(Cancelled),
    Failed(String),
}

impl From<Cancelled> for Trouble {
    fn from(cancelled: Cancelled) -> Self {
        Self::Cancelled(cancelled)
    }
}

impl From<GpuError> for Trouble {
    fn from(why: GpuError) -> Self {
        Self::Failed(why.to_string())
    }
}

impl Adapter {
    /// Opens the best adapter of the kind, or returns why there is none.
    pub(crate) fn open(device: Device, form: Form) -> Result<Self, String> {
        let preference = match device {
            Device::Adapter => Preference::Any,
            Device::SoftwareAdapter => Preference::Software,
        };
        let need = Need::default();
        let request = Request { preference, need, ..Request::default().with_environment() };
        Self::on(&Gpu::open(&request).map_err(|why| why.to_string())?, form)
    }

    /// Compiles the kernels of a form on an open adapter, or returns why it cannot.
    pub(crate) fn on(gpu: &Gpu, form: Form) -> Result<Self, String> {
        Self::with_sizes(gpu, form, Sizes::default()).map_err(|why| why.to_string())
    }

    /// The same with other sizes.
    pub(super) fn with_sizes(gpu: &Gpu, form: Form, sizes: Sizes) -> Result<Self, GpuError> {
        let draws = form == Form::Raster;
        Ok(Self {
            id: ModelId::fresh(),
            gpu: gpu.clone(),
            counted: CountedDispatch::new(gpu)?,
            faces: gpu.kernel(&stream::FACES, stream::TEST_FACES)?,
            pairs: gpu.kernel(&stream::PAIRS, stream::TEST_PAIRS)?,
            shrink: gpu.kernel(&stream::SHRINK, stream::SHRINK_LEVEL)?,
            spread: gpu.kernel(&stream::SPREAD, stream::SPREAD_NODES)?,
            mark: gpu.kernel(&stream::MARK, stream::MARK_NODES)?,
            children: gpu.kernel(&stream::CHILDREN, stream::OPEN_CHILDREN)?,
            raster: draws.then(|| Raster::new(gpu)).transpose()?,
            sizes,
        })
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
        kept: &mut Kept,
        word: &'static str,
    ) -> Result<End, QueryError> {
        self.direction(pass, edges, kept).map_err(|trouble| match trouble {
            Trouble::Cancelled(cancelled) => QueryError::Cancelled(cancelled),
            Trouble::Failed(reason) => QueryError::Backend { word, reason },
        })
    }

    fn direction<C: Counter>(
        &self,
        pass: &mut Pass<'_, '_, C>,
        edges: &EdgeStream,
        kept: &mut Kept,
    ) -> Result<End, Trouble> {
        let control = pass.control;
        control.check()?;
        let (sent, rooms) = kept.sent(self, &pass.stage)?;
        let mut direction = Direction::load(self, &records(edges), pass.mode, sent, rooms)?;
        let end = match (pass.culling, direction.sent.tree.clone()) {
            (Culling::Triangles, Some(tree)) => direction.tree(pass, &tree),
            (Culling::Edges, Some(tree)) => direction.shrink(pass, &tree),
            (Culling::Nothing, _) | (_, None) => {
                let faces = direction.sent.count;
                direction.faces(pass, None, faces)
            }
        };
        pass.counter.submitted(direction.submissions);
        end
    }
}

/// One direction of a query: edges of one mesh on the adapter, and the other mesh.
#[derive(Debug)]
pub(super) struct Direction<'d> {
    pub(super) adapter: &'d Adapter,
    pub(super) sent: Sent,
    pub(super) rooms: &'d mut Rooms,
    /// The records of all edges, for kernels; of none where textures are enough.
    pub(super) edges: Buffer,
    /// The same as textures, and how they are drawn: [`Form::Raster`] only.
    pub(super) drawn: Option<(&'d Raster, Textures)>,
    /// Number of edges.
    pub(super) count: u32,
    mode: u32,
    submissions: u64,
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
        let Adapter { gpu, raster, sizes, .. } = adapter;
        let drawn_only = raster.is_some() && sent.tree.is_none();
        let bytes = if drawn_only { &[] } else { bytemuck::cast_slice(records) };
        let edges = gpu.upload("edges", BufferUsages::STORAGE, bytes)?;
        let drawn = match raster {
            Some(raster) => Some((raster, Textures::new(gpu, sizes.work, records)?)),
            None => None,
        };
        let count = records.len() as u32;
        let mode = if mode == Mode::Sampled { stream::SAMPLED } else { 0 };
        Ok(Self { adapter, sent, rooms, edges, drawn, count, mode, submissions: 0 })
    }

    /// A uniform with what a dispatch does.
    pub(super) fn job(&self, job: StreamJob) -> Result<Buffer, GpuError> {
        let job = StreamJob { zero: 0, mode: self.mode, ..job };
        self.adapter.gpu.upload("job", BufferUsages::UNIFORM, bytemuck::bytes_of(&job))
    }

    /// A list of places of so many bytes each, or counts.
    pub(super) fn list(&self, what: &str, places: u32, bytes: u64) -> Result<Buffer, GpuError> {
        self.adapter.gpu.buffer(what, WRITTEN | COUNT, u64::from(places) * bytes)
    }

    /// Whether 32 bits decide.
    pub(super) const fn samples(&self) -> bool {
        self.mode == stream::SAMPLED
    }

    /// Counts for so many depths, with this one at depth 0.
    pub(super) fn counts(&self, first: u32, depths: usize) -> Result<Buffer, GpuError> {
        let mut words = vec![0; stream::LEVELS + depths + 1];
        words[stream::LEVELS] = first;
        self.adapter.gpu.upload("counts", WRITTEN, bytemuck::cast_slice(&words))
    }

    /// The count that counted dispatches read.
    pub(super) fn count(&self) -> Result<Buffer, GpuError> {
        self.adapter.gpu.buffer("count", COUNT, 4)
    }

    pub(super) fn run(&mut self, submission: Submission) -> Result<Ran, GpuError> {
        self.submissions += 1;
        submission.run()
    }

    /// Looks at the caller's flag and begins a submission.
    pub(super) fn begin(&self, control: &Control<'_>) -> Result<Submission, Trouble> {
        control.check()?;
        Ok(self.adapter.gpu.submission("streams of edges")?)
    }
}
