//! All edges against the open boxes of one depth of the tree after the other: S1.

use impinge_gpu::wgpu::Buffer;
use impinge_gpu::{GpuError, Submission};
use impinge_query::{Control, Counter};
use impinge_shaders::stream::{CANDIDATES, EDGES, LEVELS, StreamJob, TARGETS};

use super::adapter::{Direction, Trouble};
use super::faces::{LEAST_TESTS, Rectangle, rectangles};
use super::found::all_drawn;
use super::parts::Part;
use super::raster::{Draw, Target};
use super::sent::SentTree;
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
        let tests = nodes * u64::from(self.count);
        pass.counter.volumes(tests);
        self.count_drawn(pass.counter, nodes, tests);
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

    /// The same, if all submissions end in time. Where boxes are drawn, the number of open ones is
    /// read after each depth, as in the paper; a kernel needs no more than a bound.
    fn opened_in_time(
        &mut self,
        tree: &SentTree,
        control: &Control<'_>,
    ) -> Result<(Vec<u32>, Vec<u32>), Trouble> {
        let open = self.lists(tree)?;
        let mut submission = self.work.begin("streams of edges", 0, control)?;
        // An image takes much memory: a submission has about one.
        let of_form = match &self.drawn {
            Some((_, textures)) => u64::from(textures.edges_at_once()),
            None => AT_ONCE * self.work.adapter.sizes.work,
        };
        let all = self.work.rooms.at_once.min(of_form);
        let mut known = 1;
        for (level, &width) in tree.widths.iter().enumerate() {
            submission.encoder().clear_buffer(&open.marks, 0, None);
            let nodes = if self.drawn.is_some() { known } else { width };
            let mut parts = rectangles(self.count, nodes, self.of_depth(nodes, all / AT_ONCE));
            // A kernel tests all nodes, whatever the range.
            let most = if self.drawn.is_some() { all } else { u64::MAX };
            while let Some(part) = parts.next(most) {
                if self.work.holds > 0 && self.work.holds + part.holds() > all {
                    self.work.run(submission)?;
                    submission = self.work.begin("streams of edges", 0, control)?;
                }
                self.work.holds += part.holds();
                self.mark(&mut submission, level as u32, &part, tree, &open)?;
            }
            self.children(&mut submission, level, tree, &open)?;
            if self.drawn.is_some() {
                let counts = submission.read_buffer(&open.counts, open.counts.size());
                known = self.work.run(submission)?.words(counts)[LEVELS + level + 1];
                submission = self.work.begin("streams of edges", 0, control)?;
                if known == 0 {
                    break;
                }
            }
        }
        let counts = submission.read_buffer(&open.counts, open.counts.size());
        let triangles = submission.read_buffer(&open.triangles, open.triangles.size());
        let ran = self.work.run(submission)?;
        let (counts, mut triangles) = (ran.words(counts), ran.words(triangles));
        all_drawn(&counts)?;
        triangles.truncate(counts[CANDIDATES] as usize);
        Ok((counts, triangles))
    }

    /// Empty lists for a traversal.
    fn lists(&self, tree: &SentTree) -> Result<Open, GpuError> {
        let widest = tree.widths.iter().copied().max().unwrap_or(1);
        let list = |what, places| self.work.list(what, places, WORD);
        Ok(Open {
            counts: self.work.counts(1, tree.widths.len())?,
            count: self.work.count()?,
            nodes: [list("open boxes", widest)?, list("open boxes", widest)?],
            marks: list("marks", widest)?,
            triangles: list("triangles left", self.piece.count())?,
        })
    }

    /// How many edges and nodes are tested together: as many as an image has, or as many edges that
    /// a dispatch of about `most` tests has all nodes.
    fn of_depth(&self, nodes: u32, most: u64) -> [u32; 2] {
        if let Some((_, textures)) = &self.drawn {
            return textures.at_once(self.count);
        }
        let fit = (most / u64::from(nodes)).min(u64::from(u32::MAX / 2)) as u32;
        [(fit / EDGES * EDGES).max(EDGES), nodes]
    }

    /// Records the tests of a range of edges against open nodes of a depth: those of a range where
    /// they are drawn, else all.
    fn mark(
        &self,
        submission: &mut Submission,
        level: u32,
        Rectangle { edges, faces: range }: &Rectangle,
        tree: &SentTree,
        open: &Open,
    ) -> Result<(), Trouble> {
        let (nodes, counts) = (&open.nodes[level as usize % 2], &open.counts);
        let job = StreamJob {
            level,
            listed: TARGETS,
            edge_begin: edges.start,
            edge_end: edges.end,
            face_begin: range.start,
            face_end: range.end,
            ..StreamJob::default()
        };
        if let Some(drawn) = &self.drawn {
            let tiles = drawn.1.tiles([edges.len() as u32, range.len() as u32])?;
            let (image, list, paired) = (&self.image(tiles, true)?, nodes, &open.count);
            let target = Target::Marks { nodes: &tree.nodes, marks: &open.marks };
            let draw = Draw { job, image, list, paired, counts, target };
            return self.draw(submission, drawn, &draw);
        }
        let job = self.work.job(job)?;
        let kernels = self.work.adapter.streams()?;
        let resources = [&job, counts, &open.count].map(Buffer::as_entire_binding);
        submission.dispatch(&kernels.spread, &resources, [1, 1, 1])?;
        let resources = [&job, &self.edges, &tree.nodes, nodes, counts, &open.marks];
        let resources = resources.map(Buffer::as_entire_binding);
        kernels.counted.record(submission, &kernels.mark, &resources, &open.count)?;
        Ok(())
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
