//! What is submitted to an adapter, with its lists and counts.

use impinge_gpu::wgpu::{Buffer, BufferUsages};
use impinge_gpu::{GpuError, Ran, Submission};
use impinge_query::Control;
use impinge_shaders::stream::{self, StreamJob};

use super::adapter::{Adapter, Trouble};
use super::kept::Rooms;

/// Counts, or a list that kernels read or write and the processor reads or copies.
pub(crate) const LISTED: BufferUsages = BufferUsages::STORAGE.union(BufferUsages::COPY_SRC);

/// The count of a counted dispatch.
const COUNT: BufferUsages = BufferUsages::STORAGE.union(BufferUsages::COPY_DST);

/// The submissions of one direction of a query, or of many poses.
#[derive(Debug)]
pub(crate) struct Work<'d> {
    pub(crate) adapter: &'d Adapter,
    pub(crate) rooms: &'d mut Rooms,
    mode: u32,
    /// Tests, edges or poses of the submission that was begun last.
    pub(crate) holds: u64,
    /// How many ran.
    pub(crate) submissions: u64,
}

impl<'d> Work<'d> {
    pub(crate) const fn new(adapter: &'d Adapter, mode: u32, rooms: &'d mut Rooms) -> Self {
        Self { adapter, rooms, mode, holds: 0, submissions: 0 }
    }

    /// A uniform with what a dispatch does.
    pub(crate) fn job(&self, job: StreamJob) -> Result<Buffer, GpuError> {
        let job = StreamJob { zero: 0, mode: self.mode, ..job };
        self.adapter.gpu.upload("job", BufferUsages::UNIFORM, bytemuck::bytes_of(&job))
    }

    /// A list of places of so many bytes each, or counts.
    pub(crate) fn list(&self, what: &str, places: u32, bytes: u64) -> Result<Buffer, GpuError> {
        self.adapter.gpu.buffer(what, LISTED | COUNT, u64::from(places) * bytes)
    }

    /// Whether 32 bits decide.
    pub(crate) const fn samples(&self) -> bool {
        self.mode == stream::SAMPLED
    }

    /// Counts for so many depths, with this one at depth 0.
    pub(crate) fn counts(&self, first: u32, depths: usize) -> Result<Buffer, GpuError> {
        let mut words = vec![0; stream::LEVELS + depths + 1];
        words[stream::LEVELS] = first;
        self.adapter.upload("counts", &words)
    }

    /// The count that counted dispatches read.
    pub(crate) fn count(&self) -> Result<Buffer, GpuError> {
        self.adapter.gpu.buffer("count", COUNT, 4)
    }

    pub(crate) fn run(&mut self, submission: Submission) -> Result<Ran, GpuError> {
        self.submissions += 1;
        #[cfg(test)]
        self.adapter.sizes.in_time(self.holds)?;
        submission.run()
    }

    /// Looks at the caller's flag and begins a submission of so many tests, edges or poses; `what`
    /// names it in errors.
    pub(crate) fn begin(
        &mut self,
        what: &str,
        holds: u64,
        control: &Control<'_>,
    ) -> Result<Submission, Trouble> {
        control.check()?;
        self.holds = holds;
        Ok(self.adapter.gpu.submission(what)?)
    }

    /// After a submission that did not end in time: the next ones hold half as much, unless it
    /// held the least. Any other trouble is returned.
    pub(crate) fn hold_less(&mut self, why: Trouble, least: u64) -> Result<(), Trouble> {
        let half = self.holds / 2;
        match why {
            Trouble::Late(_) if self.holds > least && half < self.rooms.at_once => {
                self.rooms.at_once = half;
                Ok(())
            }
            other => Err(other),
        }
    }
}
