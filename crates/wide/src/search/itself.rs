//! A mesh against itself: every pair of its triangles once, those with common corners judged by what
//! else they share.

use std::ops::{ControlFlow, Range};

use impinge_geometry::exact::{segment_meets_triangle, triangles_meet};
use impinge_geometry::predicates::{Drop, Sign, orient2d, orient3d};
use impinge_geometry::{Point, Triangle};
use impinge_query::{Cancelled, Contact, Counter};

use super::Pair;
use super::contacts::{Steps, Walk};
use super::pair::Item;
use super::quads::Quads;
use crate::node::{LANES, LEAF};
use crate::simd::{Simd, Task};

/// A walk over pairs of one model's triangles; both models of its pair are that one.
pub(crate) struct Itself<'w, 'q, C, H, D> {
    pub(crate) walk: Walk<'w, 'q, C, H, D, false>,
    /// The pairs that meet in these nodes: all nodes have all pairs, each once.
    pub(crate) nodes: Range<usize>,
}

impl<C, H, D> Task for Itself<'_, '_, C, H, D>
where
    C: Counter,
    H: FnMut(Contact) -> ControlFlow<()>,
    D: Fn(&Pair<'_>, u32, u32) -> bool,
{
    type Out = Result<(), Cancelled>;

    /// Every node in front of itself: each lane against those after it, and all that follows from
    /// that; a leaf against itself. A pair of triangles meets in the node where their ways part. Lanes
    /// that hold only repeats are left out; leaves may have some.
    #[inline(always)]
    fn run<S: Simd>(self) -> Result<(), Cancelled> {
        let mut walk = self.walk;
        let quads = Quads::new(&walk.pair);
        walk.stack.clear();
        let mut steps = Steps::new(walk.stack);
        let mut done = Ok(());
        let mut at = self.nodes.start;
        'nodes: while at < self.nodes.end {
            let node = walk.pair.node(0, at);
            for lane in (0..node.lanes as usize).filter(|lane| node.firsts() >> lane & 1 == 1) {
                let child = node.child[lane];
                let after = (u32::MAX << lane << 1) & node.firsts();
                let flow = if child & LEAF == 0 {
                    ControlFlow::Continue(())
                } else {
                    walk.leaves::<S>([child & !LEAF; 2], AFTER, &quads)
                };
                if flow.is_break() {
                    break 'nodes;
                }
                if after == 0 {
                    continue;
                }
                let one = Item::new((at * LANES + lane) as u32, at as u32, 1);
                if walk.step::<S>(one, after, &mut steps, &quads).is_break() {
                    break 'nodes;
                }
                while let Some(item) = steps.pop() {
                    if walk.beat() {
                        done = walk.control.check();
                    }
                    if done.is_err()
                        || walk
                            .step::<S>(item, walk.pair.firsts(item), &mut steps, &quads)
                            .is_break()
                    {
                        break 'nodes;
                    }
                }
            }
            at += 1;
        }
        steps.give_back(walk.stack);
        done
    }
}

/// Bits of the pairs of a leaf's triangles with those after them.
const AFTER: u32 = 0b1000_1100_1110;

/// Do two triangles, of either model, share a point that is on no corner and no edge they have in common?
/// Corners are common if they have the same coordinates. Exact.
#[inline(never)]
pub(crate) fn meet_otherwise(pair: &Pair<'_>, f: u32, g: u32) -> bool {
    otherwise(&pair.models[0].mesh().triangle(f), &pair.models[1].mesh().triangle(g))
}

/// [`meet_otherwise`] of two triangles.
pub(crate) fn otherwise(p: &Triangle, q: &Triangle) -> bool {
    let (of_p, of_q) = (Corners::new(p), Corners::new(q));
    let mut common = of_p;
    common.retain(|x| of_q.has(x));
    match *common.as_slice() {
        [] => triangles_meet(p, q),
        [v] => more_than_corner(&v, (p, of_p), (q, of_q)),
        [a, b] => {
            let other =
                |corners: &Corners| corners.as_slice().iter().copied().find(|x| *x != a && *x != b);
            let (Some(x), Some(y)) = (other(&of_p), other(&of_q)) else { return false };
            orient3d(&a, &b, &x, &y).is_zero() && more_than_edge([&a, &b], &x, &y)
        }
        _ => has_area(p),
    }
}

/// Different corners of a triangle.
#[derive(Clone, Copy)]
struct Corners {
    points: [Point; 3],
    number: usize,
}

impl Corners {
    fn new(t: &Triangle) -> Self {
        let mut all = Self { points: *t, number: 0 };
        for p in t {
            if !all.has(p) {
                all.points[all.number] = *p;
                all.number += 1;
            }
        }
        all
    }

    fn as_slice(&self) -> &[Point] {
        &self.points[..self.number]
    }

    fn has(&self, p: &Point) -> bool {
        self.as_slice().contains(p)
    }

    fn retain(&mut self, keep: impl Fn(&Point) -> bool) {
        let old = *self;
        self.number = 0;
        for p in old.as_slice().iter().filter(|p| keep(p)) {
            self.points[self.number] = *p;
            self.number += 1;
        }
    }
}

/// Do two triangles with the one common corner `v` share another point?
///
/// A common point makes the segment from `v` to it common. Going on along it, one of the two triangles
/// ends first, in its side opposite `v`, and the other one holds that point. A triangle without area is
/// the segments from `v` to its other corners, and each ends at that corner.
fn more_than_corner(v: &Point, p: (&Triangle, Corners), q: (&Triangle, Corners)) -> bool {
    let (ends_p, ends_q) = (Ends::new(v, p.0, &p.1), Ends::new(v, q.0, &q.1));
    if ends_p.beside(q.0) || ends_q.beside(p.0) {
        return false;
    }
    ends_p.meet(q.0) || ends_q.meet(p.0)
}

/// Where rays from a corner leave a triangle: the side opposite, or its other corners if it has no area.
struct Ends {
    points: [Point; 2],
    /// How many of them.
    number: usize,
    /// They are the ends of the side.
    side: bool,
}

impl Ends {
    fn new(v: &Point, t: &Triangle, corners: &Corners) -> Self {
        let mut ends = Self { points: [*v; 2], number: 0, side: false };
        for x in corners.as_slice().iter().filter(|x| *x != v) {
            ends.points[ends.number] = *x;
            ends.number += 1;
        }
        ends.side = ends.number == 2 && has_area(t);
        ends
    }

    /// Is the whole side strictly on one side of the plane of `t`?
    fn beside(&self, t: &Triangle) -> bool {
        let sign = |x: &Point| orient3d(&t[0], &t[1], &t[2], x);
        let s = sign(&self.points[0]);
        self.side && !s.is_zero() && s == sign(&self.points[1])
    }

    fn meet(&self, t: &Triangle) -> bool {
        let [x, y] = &self.points;
        if self.side {
            return segment_meets_triangle(x, y, t);
        }
        self.points[..self.number].iter().any(|x| segment_meets_triangle(x, x, t))
    }
}

/// Do two triangles with the common edge `a b`, whose other corners `x` and `y` are in one plane with it,
/// share a point off that edge?
pub(crate) fn more_than_edge([a, b]: [&Point; 2], x: &Point, y: &Point) -> bool {
    match (projection(&[*a, *b, *x]), projection(&[*a, *b, *y])) {
        // On one side of the edge they overlap.
        (Some(drop), Some(_)) => orient2d(a, b, x, drop) == orient2d(a, b, y, drop),
        // On the edge's line a triangle with area has only the edge.
        (Some(_), None) | (None, Some(_)) => false,
        // All on one line: they share more if both go on at the same end.
        (None, None) => [(a, b), (b, a)].into_iter().any(|(a, b)| {
            let past = |x: &Point| segment_meets_triangle(a, a, &[*b, *x, *x]);
            past(x) && past(y)
        }),
    }
}

pub(crate) fn has_area(t: &Triangle) -> bool {
    projection(t).is_some()
}

/// A projection in which a triangle keeps some of its area, if it has any.
fn projection(t: &Triangle) -> Option<Drop> {
    Drop::ALL.into_iter().find(|drop| orient2d(&t[0], &t[1], &t[2], *drop) != Sign::Zero)
}
