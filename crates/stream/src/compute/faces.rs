//! All edges against triangles, each against each: S0, and the last step of S1.

use std::ops::Range;

use impinge_gpu::wgpu::Buffer;
use impinge_query::{Control, Counter};
use impinge_shaders::stream::{BLOCK, FOUND, StreamJob, TARGETS};

use super::adapter::{Direction, Trouble};
use super::found::{Listed, Lists};
use super::kept::Fit;
use super::parts::{Part, Parts, ranges};
use super::raster::{Draw, Target};
use crate::pass::{End, Pass};

/// Edges of a dispatch: fewer workgroups along x than every device allows.
const EDGES_AT_ONCE: u32 = 1 << 21;

/// A submission of no more tests that does not end in time is an error.
pub(super) const LEAST_TESTS: u64 = 1 << 16;

/// A range of edges against a range of triangles or nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Rectangle {
    pub(super) edges: Range<u32>,
    /// Triangles or nodes, or their places in a list.
    pub(super) faces: Range<u32>,
}

impl Part for Rectangle {
    /// Its tests.
    fn holds(&self) -> u64 {
        self.edges.len() as u64 * self.faces.len() as u64
    }

    fn halves(&self) -> Option<[Self; 2]> {
        let Self { edges, faces } = self.clone();
        if let Some(halves) = faces.halves() {
            return Some(halves.map(|faces| Self { edges: edges.clone(), faces }));
        }
        Some(edges.halves()?.map(|edges| Self { edges, faces: faces.clone() }))
    }
}

/// How many edges and triangles a dispatch of about `work` tests has.
fn of_dispatch(edges: u32, work: u64) -> [u32; 2] {
    let wide = edges.clamp(1, EDGES_AT_ONCE);
    let high = (work / u64::from(wide)).min(1 << 21) as u32 / BLOCK * BLOCK;
    [wide, high.max(BLOCK)]
}

/// Rectangles of at most so many edges and triangles or nodes.
pub(super) fn rectangles(edges: u32, faces: u32, [wide, high]: [u32; 2]) -> Parts<Rectangle> {
    let rows = ranges(faces, high);
    Parts::new(rows.flat_map(move |faces| {
        ranges(edges, wide).map(move |edges| Rectangle { edges, faces: faces.clone() })
    }))
}

impl Direction<'_> {
    /// Tests all edges against so many triangles: those in a list, or the first.
    pub(super) fn faces<C: Counter>(
        &mut self,
        pass: &mut Pass<'_, '_, C>,
        list: Option<&Buffer>,
        faces: u32,
    ) -> Result<End, Trouble> {
        let size = match &self.drawn {
            Some((_, textures)) => textures.at_once(self.count),
            None => of_dispatch(self.count, self.work.adapter.sizes.work),
        };
        let mut open = rectangles(self.count, faces, size);
        while let Some(rectangle) = open.next(self.work.rooms.at_once) {
            let (count, mut pairs) = match self.rectangle(&rectangle, list, pass.control) {
                Ok(listed) => listed,
                Err(why) => {
                    self.work.hold_less(why, LEAST_TESTS)?;
                    open.again(rectangle);
                    continue;
                }
            };
            match self.work.rooms.fit(count, 0, 0) {
                Fit::Whole => {
                    let quads = rectangle.faces.len() as u64;
                    self.count_drawn(pass.counter, quads, rectangle.holds());
                    if self.take(pass, &mut pairs, rectangle.holds())?.is_break() {
                        return Ok(End::Enough);
                    }
                }
                Fit::Grown => open.again(rectangle),
                Fit::TooMany => {
                    if open.cut(&rectangle).is_none() {
                        return Err(Trouble::Failed("a list has no place".to_owned()));
                    }
                }
            }
        }
        Ok(End::Done)
    }

    /// How many pairs of a rectangle are not a miss, and the pairs if the list was long enough.
    fn rectangle(
        &mut self,
        rectangle: &Rectangle,
        list: Option<&Buffer>,
        control: &Control<'_>,
    ) -> Result<(u32, Vec<Listed>), Trouble> {
        let Rectangle { edges, faces } = rectangle;
        let mut submission = self.work.begin("streams of edges", rectangle.holds(), control)?;
        let job = StreamJob {
            listed: list.map_or(0, |_| TARGETS),
            edge_begin: edges.start,
            edge_end: edges.end,
            face_begin: faces.start,
            face_end: faces.end,
            ..StreamJob::default()
        };
        let lists = Lists::new(&self.work, self.work.counts(0, 0)?)?;
        let none = self.work.list("no list", 1, 4)?;
        let list = list.unwrap_or(&none);
        let size = [edges, faces].map(|range| range.len() as u32);
        if let Some(drawn) = &self.drawn {
            let image = &self.image(drawn.1.tiles(size)?, false)?;
            let (paired, counts) = (&none, &lists.counts);
            let target = Target::Triangles { found: &lists.found };
            let draw = Draw { job, image, list, paired, counts, target };
            self.draw(&mut submission, drawn, &draw)?;
        } else {
            let job = self.work.job(job)?;
            let resources =
                [&job, &self.edges, &self.piece.faces, list, &lists.counts, &lists.found];
            let resources = resources.map(Buffer::as_entire_binding);
            let [x, y] = size.map(|n| n.div_ceil(BLOCK));
            submission.dispatch(&self.work.adapter.streams()?.faces, &resources, [x, y, 1])?;
        }
        let (counts, pairs) = lists.read(&mut self.work, submission)?;
        Ok((counts[FOUND], pairs))
    }
}

#[cfg(test)]
impl Direction<'_> {
    /// What is listed of all edges against so many triangles, in one dispatch.
    pub(super) fn all_listed(&mut self, faces: u32) -> Result<Vec<Listed>, Trouble> {
        let all = Rectangle { edges: 0..self.count, faces: 0..faces };
        let (count, pairs) = self.rectangle(&all, None, &Control::NONE)?;
        assert_eq!(count as usize, pairs.len(), "the list is long enough");
        Ok(pairs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compute::adapter::Sizes;

    /// Every test is in one rectangle, and none is larger than it may be.
    #[test]
    fn rectangles_cover_all_tests_once() {
        for (edges, faces) in
            [(1, 1), (6, 4), (100, 1 << 21), (15_000, 10_000), (5_000_000, 130), (1 << 22, 1)]
        {
            let work = Sizes::default().work;
            let mut parts = rectangles(edges, faces, of_dispatch(edges, work));
            let all: Vec<Rectangle> = std::iter::from_fn(|| parts.next(u64::MAX)).collect();
            assert_eq!(
                all.iter().map(Rectangle::holds).sum::<u64>(),
                u64::from(edges) * u64::from(faces)
            );
            for rectangle in &all {
                assert!(rectangle.holds() <= 2 * work, "{rectangle:?}");
                let groups = [&rectangle.edges, &rectangle.faces]
                    .map(|range| (range.len() as u32).div_ceil(BLOCK));
                assert!(groups.iter().all(|n| (1..=65_535).contains(n)), "{rectangle:?}");
            }
            assert_eq!(
                all.first().map(|first| (first.edges.start, first.faces.start)),
                Some((0, 0))
            );
        }
        assert_eq!(rectangles(5, 0, [5, 64]).next(u64::MAX), None);
    }

    #[test]
    fn a_rectangle_is_cut_down_to_one_test() {
        let mut open = Parts::new(std::iter::once(Rectangle { edges: 3..8, faces: 2..5 }));
        let mut single = 0;
        while let Some(rectangle) = open.next(u64::MAX) {
            if open.cut(&rectangle).is_none() {
                single += rectangle.holds();
            }
        }
        assert_eq!(single, 15);
    }
}
