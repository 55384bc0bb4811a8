//! Pairs of an edge and a box, one depth of the tree after the other: S2.

use std::ops::Range;

use impinge_gpu::Submission;
use impinge_gpu::wgpu::Buffer;
use impinge_query::{Control, Counter};
use impinge_shaders::stream::{CANDIDATES, FOUND, LEVELS, PAIRS_LISTED, StreamJob};

use super::adapter::{Direction, Trouble};
use super::found::{Listed, Lists, bytes};
use super::kept::Fit;
use super::parts::{Part, Parts, ranges};
use super::raster::{Draw, Image, Target, tile_of_pairs};
use super::sent::SentTree;
use crate::pass::{End, Pass};

/// Edges that begin at the root together, unless they are those of a texture. Larger: longer lists.
const EDGES_AT_ONCE: u32 = 1 << 20;

/// A submission of no more edges that does not end in time is an error.
const LEAST_EDGES: u64 = 1 << 6;

impl Direction<'_> {
    /// Tests the edges that meet a box against the boxes below it, then against its triangle.
    pub(super) fn shrink<C: Counter>(
        &mut self,
        pass: &mut Pass<'_, '_, C>,
        tree: &SentTree,
    ) -> Result<End, Trouble> {
        let drawn = self.drawn.as_ref();
        let step = drawn.map_or(EDGES_AT_ONCE, |(_, textures)| textures.edges_at_once());
        // Halves of these are in one texture.
        let mut open = Parts::new(ranges(self.count, step));
        while let Some(edges) = open.next(self.work.rooms.at_once) {
            let (counts, mut pairs) = match self.descend(&edges, tree, pass.control) {
                Ok(listed) => listed,
                Err(why) => {
                    self.work.hold_less(why, LEAST_EDGES)?;
                    open.again(edges);
                    continue;
                }
            };
            let levels = &counts[LEVELS..];
            // The pairs at depth 0 are not in a list.
            let widest = levels[1..].iter().copied().max().unwrap_or(0);
            match self.work.rooms.fit(counts[FOUND], counts[CANDIDATES], widest) {
                Fit::Whole => {
                    pass.counter.volumes(levels.iter().map(|&n| u64::from(n)).sum());
                    let tests = u64::from(counts[CANDIDATES]);
                    // A quad for each depth, and one for the triangles.
                    for &pairs in levels.iter().chain([&counts[CANDIDATES]]) {
                        self.count_drawn(pass.counter, u64::from(pairs > 0), u64::from(pairs));
                    }
                    if self.take(pass, &mut pairs, tests)?.is_break() {
                        return Ok(End::Enough);
                    }
                }
                Fit::Grown => open.again(edges),
                Fit::TooMany => {
                    if open.cut(&edges).is_none() {
                        return Err(Trouble::Failed("an edge meets too many boxes".to_owned()));
                    }
                }
            }
        }
        Ok(End::Done)
    }

    /// All depths and the triangles in one submission. Gives the counts, and the pairs that are not
    /// a miss if the list was long enough.
    fn descend(
        &mut self,
        edges: &Range<u32>,
        tree: &SentTree,
        control: &Control<'_>,
    ) -> Result<(Vec<u32>, Vec<Listed>), Trouble> {
        let mut submission = self.work.begin("streams of edges", edges.holds(), control)?;
        let depths = tree.widths.len();
        let counts = self.work.counts(edges.len() as u32, depths)?;
        let lists = Lists::new(&self.work, counts)?;
        let count = self.work.count()?;
        let candidates =
            self.work.list("pairs of edges and triangles", self.work.rooms.pairs, bytes::<2>())?;
        let open = [(); 2].map(|()| {
            self.work.list("pairs of edges and boxes", self.work.rooms.level, bytes::<2>())
        });
        let [even, odd] = open;
        let open = [even?, odd?];
        let whole =
            StreamJob { edge_begin: edges.start, edge_end: edges.end, ..StreamJob::default() };
        let depth = match &self.drawn {
            Some(_) => Some(self.image(tile_of_pairs(self.work.rooms.level)?, true)?),
            None => None,
        };
        for level in 0..depths {
            let from = 4 * (LEVELS + level) as u64;
            submission.encoder().copy_buffer_to_buffer(&lists.counts, from, &count, 0, 4);
            let job = StreamJob { level: level as u32, ..whole };
            let [here, next] = [level, level + 1].map(|depth| &open[depth % 2]);
            let image = depth.as_ref();
            let step = Step { job, image, here, count: &count, next, candidates: &candidates };
            self.step(&mut submission, &step, tree, &lists)?;
        }
        let from = 4 * CANDIDATES as u64;
        submission.encoder().copy_buffer_to_buffer(&lists.counts, from, &count, 0, 4);
        if let Some(drawn) = &self.drawn {
            let job = StreamJob { listed: PAIRS_LISTED, ..whole };
            let image = &self.image(tile_of_pairs(self.work.rooms.pairs)?, false)?;
            let (list, paired, counts) = (&candidates, &count, &lists.counts);
            let target = Target::Triangles { found: &lists.found };
            let draw = Draw { job, image, list, paired, counts, target };
            self.draw(&mut submission, drawn, &draw)?;
        } else {
            let job = self.work.job(whole)?;
            let resources =
                [&job, &self.edges, &self.piece.faces, &candidates, &lists.counts, &lists.found];
            let resources = resources.map(Buffer::as_entire_binding);
            let kernels = self.work.adapter.streams()?;
            kernels.counted.record(&mut submission, &kernels.pairs, &resources, &count)?;
        }
        lists.read(&mut self.work, submission)
    }

    /// Records the tests of the pairs of one depth.
    fn step(
        &self,
        submission: &mut Submission,
        step: &Step<'_>,
        tree: &SentTree,
        lists: &Lists<2>,
    ) -> Result<(), Trouble> {
        let Step { job, image, here, count, next, candidates } = *step;
        let (nodes, counts) = (&tree.nodes, &lists.counts);
        if let (Some(drawn), Some(image)) = (&self.drawn, image) {
            let target = Target::Below { nodes, next, candidates };
            let mut draw = |listed, image: &Image| {
                let job = StreamJob { listed, ..job };
                let draw = Draw { job, image, list: here, paired: count, counts, target };
                self.draw(submission, drawn, &draw)
            };
            if job.level > 0 {
                return draw(PAIRS_LISTED, image);
            }
            // The pairs at depth 0 are not in a list: all edges are in one tile, over the root.
            let tiles = drawn.1.tiles([job.edge_end - job.edge_begin, 1])?;
            return draw(0, &self.image(tiles, true)?);
        }
        let job = self.work.job(job)?;
        let resources = [&job, &self.edges, nodes, here, counts, next, candidates];
        let resources = resources.map(Buffer::as_entire_binding);
        let kernels = self.work.adapter.streams()?;
        kernels.counted.record(submission, &kernels.shrink, &resources, count)?;
        Ok(())
    }
}

/// The tests of one depth: the pairs of an edge and a box, how many they are, and the lists of what
/// is below.
struct Step<'d> {
    job: StreamJob,
    /// What the pairs are drawn into, except those at depth 0.
    image: Option<&'d Image>,
    here: &'d Buffer,
    count: &'d Buffer,
    next: &'d Buffer,
    candidates: &'d Buffer,
}
