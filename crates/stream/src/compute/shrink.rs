//! Pairs of an edge and a box, one depth of the tree after the other: S2.

use std::ops::Range;

use impinge_gpu::wgpu::Buffer;
use impinge_query::{Control, Counter};
use impinge_shaders::stream::{CANDIDATES, FOUND, LEVELS, PAIRS_LISTED, StreamJob};

use super::adapter::{Direction, Trouble};
use super::found::{Listed, Lists, bytes};
use super::kept::{Fit, SentTree};
use super::parts::{Part, Parts, ranges};
use super::raster::{Draw, tile_of_pairs};
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
        let step = self.work.rooms.at_once.min(u64::from(step));
        let mut open = Parts::new(ranges(self.count, step as u32));
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
                    self.count_drawn(pass.counter, 1, tests);
                    if pass.take(&mut pairs, tests)?.is_break() {
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
        let (begin, end) = (edges.start, edges.end);
        let whole = StreamJob { edge_begin: begin, edge_end: end, ..StreamJob::default() };
        let kernels = self.work.adapter.streams()?;
        for level in 0..depths {
            let job = self.work.job(StreamJob { level: level as u32, ..whole })?;
            let from = 4 * (LEVELS + level) as u64;
            submission.encoder().copy_buffer_to_buffer(&lists.counts, from, &count, 0, 4);
            let resources = [
                &job,
                &self.edges,
                &tree.nodes,
                &open[level % 2],
                &lists.counts,
                &open[(level + 1) % 2],
                &candidates,
            ];
            let resources = resources.map(Buffer::as_entire_binding);
            kernels.counted.record(&mut submission, &kernels.shrink, &resources, &count)?;
        }
        let from = 4 * CANDIDATES as u64;
        submission.encoder().copy_buffer_to_buffer(&lists.counts, from, &count, 0, 4);
        if let Some((raster, textures)) = &self.drawn {
            let job = StreamJob { listed: PAIRS_LISTED, ..whole };
            let tiles = tile_of_pairs(self.work.rooms.pairs)?;
            let draw = Draw { job, tiles, list: &candidates, paired: &count };
            self.draw(&mut submission, (raster, textures), &draw, &lists)?;
        } else {
            let job = self.work.job(whole)?;
            let resources =
                [&job, &self.edges, &self.sent.faces, &candidates, &lists.counts, &lists.found];
            let resources = resources.map(Buffer::as_entire_binding);
            kernels.counted.record(&mut submission, &kernels.pairs, &resources, &count)?;
        }
        lists.read(&mut self.work, submission)
    }
}
