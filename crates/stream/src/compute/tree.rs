//! All edges against the open boxes of one depth of the tree after the other: S1.

use impinge_gpu::wgpu::Buffer;
use impinge_gpu::{GpuError, Submission};
use impinge_query::{Control, Counter};
use impinge_shaders::stream::{CANDIDATES, EDGES, LEVELS, StreamJob};

use super::adapter::{Direction, Trouble};
use super::faces::LEAST_TESTS;
use super::kept::SentTree;
use crate::pass::{End, Pass};

/// Dispatches with as much work as one may have that are in one submission.
const AT_ONCE: u64 = 4;

/// Bytes of a listed node or triangle.
const WORD: u64 = 4;

/// The lists of a traversal on the adapter. None can be too short: at most all nodes of a depth are
/// open, and each triangle is in one leaf.
#[derive(Debug)]
struct Open {
    counts: Buffer,
    /// The count of a counted dispatch.
    count: Buffer,
    /// Open nodes at even and at odd depths; the first is the root, 0.
    nodes: [Buffer; 2],
    marks: Buffer,
    triangles: Buffer,
}

impl Direction<'_> {
    /// Opens the boxes that an edge meets, and tests all edges against the triangles below.
    pub(super) fn tree<C: Counter>(
        &mut self,
        pass: &mut Pass<'_, '_, C>,
        tree: &SentTree,
    ) -> Result<End, Trouble> {
        let (counts, mut triangles) = self.opened(tree, pass.control)?;
        let nodes: u64 = counts[LEVELS..].iter().map(|&n| u64::from(n)).sum();
        pass.counter.volumes(nodes * u64::from(self.count));
        // The order of an adapter's list is another one each time.
        triangles.sort_unstable();
        let list = self.work.adapter.upload("list of triangles", &triangles)?;
        self.faces(pass, Some(&list), triangles.len() as u32)
    }

    /// The counts of all depths, and the triangles in leaves that an edge meets.
    fn opened(
        &mut self,
        tree: &SentTree,
        control: &Control<'_>,
    ) -> Result<(Vec<u32>, Vec<u32>), Trouble> {
        loop {
            match self.opened_in_time(tree, control) {
                Err(why) => self.work.hold_less(why, LEAST_TESTS)?,
                opened => return opened,
            }
        }
    }

    /// The same, if all submissions end in time.
    fn opened_in_time(
        &mut self,
        tree: &SentTree,
        control: &Control<'_>,
    ) -> Result<(Vec<u32>, Vec<u32>), Trouble> {
        let widest = tree.widths.iter().copied().max().unwrap_or(1);
        let list = |what, places| self.work.list(what, places, WORD);
        let open = Open {
            counts: self.work.counts(1, tree.widths.len())?,
            count: self.work.count()?,
            nodes: [list("open boxes", widest)?, list("open boxes", widest)?],
            marks: list("marks", widest)?,
            triangles: list("triangles left", self.sent.count)?,
        };
        let mut submission = self.work.begin("streams of edges", 0, control)?;
        let all = self.work.rooms.at_once.min(AT_ONCE * self.work.adapter.sizes.work);
        let most = all / AT_ONCE;
        for (level, &width) in tree.widths.iter().enumerate() {
            submission.encoder().clear_buffer(&open.marks, 0, None);
            // As many edges that no dispatch takes long, even if all boxes are open.
            let fit = (most / u64::from(width)).min(u64::from(u32::MAX / 2)) as u32;
            let step = (fit / EDGES * EDGES).max(EDGES);
            for begin in (0..self.count).step_by(step as usize) {
                let end = self.count.min(begin.saturating_add(step));
                let work = u64::from(width) * u64::from(end - begin);
                if self.work.holds > 0 && self.work.holds + work > all {
                    self.work.run(submission)?;
                    submission = self.work.begin("streams of edges", 0, control)?;
                }
                self.work.holds += work;
                let (level, edge_begin, edge_end) = (level as u32, begin, end);
                let job = StreamJob { level, edge_begin, edge_end, ..StreamJob::default() };
                self.mark(&mut submission, job, tree, &open)?;
            }
            self.children(&mut submission, level, tree, &open)?;
        }
        let counts = submission.read_buffer(&open.counts, open.counts.size());
        let triangles = submission.read_buffer(&open.triangles, open.triangles.size());
        let ran = self.work.run(submission)?;
        let (counts, mut triangles) = (ran.words(counts), ran.words(triangles));
        triangles.truncate(counts[CANDIDATES] as usize);
        Ok((counts, triangles))
    }

    /// Records the tests of a range of edges against the open nodes of a depth.
    fn mark(
        &self,
        submission: &mut Submission,
        job: StreamJob,
        tree: &SentTree,
        open: &Open,
    ) -> Result<(), GpuError> {
        let nodes = &open.nodes[job.level as usize % 2];
        let job = self.work.job(job)?;
        let resources = [&job, &open.counts, &open.count].map(Buffer::as_entire_binding);
        let kernels = self.work.adapter.streams()?;
        submission.dispatch(&kernels.spread, &resources, [1, 1, 1])?;
        let resources = [&job, &self.edges, &tree.nodes, nodes, &open.counts, &open.marks];
        let resources = resources.map(Buffer::as_entire_binding);
        kernels.counted.record(submission, &kernels.mark, &resources, &open.count)
    }

    /// Records the step from the marked nodes of a depth to what is below them.
    fn children(
        &self,
        submission: &mut Submission,
        level: usize,
        tree: &SentTree,
        open: &Open,
    ) -> Result<(), GpuError> {
        let from = 4 * (LEVELS + level) as u64;
        submission.encoder().copy_buffer_to_buffer(&open.counts, from, &open.count, 0, 4);
        let job = self.work.job(StreamJob { level: level as u32, ..StreamJob::default() })?;
        let [nodes, next] = [level, level + 1].map(|depth| &open.nodes[depth % 2]);
        let resources =
            [&job, &tree.nodes, nodes, &open.marks, &open.counts, next, &open.triangles];
        let resources = resources.map(Buffer::as_entire_binding);
        let kernels = self.work.adapter.streams()?;
        kernels.counted.record(submission, &kernels.children, &resources, &open.count)
    }
}
