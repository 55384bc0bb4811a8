//! Tests of two triangles at a pair of leaves: a floating-point filter whose answers are certain,
//! and the exact test for what it leaves undecided.
//!
//! | test | source |
//! | --- | --- |
//! | [`SeventeenAxes`] | fan §1.3.3.3, RAPID |
//! | [`Intervals`] | anthology 2 §2.5.1, Möller 1997 |
//! | [`SignPermutation`] | anthology 5 §3, Devillers and Guigue 2002 |
//! | [`EdgeFace`] | fan §4.3 |
//! | [`ExactOnly`] | Shewchuk 1997 |
//! | [`EdgesFirst`] | anthology 1 (abstract) |

use std::ops::ControlFlow;

use impinge_geometry::segment::segment_triangle;
use impinge_geometry::triangle::{Outcome, interval, permutation, sat17};
use impinge_geometry::{Mesh, Point, Pose, Triangle, exact};
use impinge_query::{Contact, Counter};

use crate::traverse::{LeafPair, Tested, Watch};
use crate::tree::Tree;
use crate::volume::{Volume, length_below};

/// A filter for pairs of triangles. What it leaves undecided is decided by exact arithmetic.
pub trait LeafTest: Copy + std::fmt::Debug + Send + Sync + 'static {
    /// Hit or miss if certain for the closed triangles, else undecided.
    fn filter(self, p: &Triangle, q: &Triangle) -> Outcome;

    /// Tests two sets of triangles and passes every pair that meets to `hit`, each once, until it
    /// or `watch` breaks off.
    #[inline(always)]
    fn leaves<V: Volume, C: Counter>(
        self,
        sides: &Sides<'_, V>,
        pair: LeafPair,
        _first: bool,
        (counter, watch): (&mut C, &mut Watch<'_>),
        hit: impl FnMut(Contact) -> ControlFlow<()>,
    ) -> ControlFlow<(), Tested> {
        sides.each_pair(self, pair, (counter, watch), hit)
    }

    /// Whether the closed triangles meet. Exact.
    #[inline]
    fn meet(self, p: &Triangle, q: &Triangle, counter: &mut impl Counter) -> bool {
        counter.primitives(1);
        match self.filter(p, q) {
            Outcome::Hit => true,
            Outcome::Miss => false,
            Outcome::Undecided => {
                counter.exact(1);
                exact::triangles_meet(p, q)
            }
        }
    }
}

/// The meshes and trees of a query, and B's pose.
#[derive(Clone, Copy, Debug)]
pub struct Sides<'q, V: Volume> {
    /// A's mesh.
    pub a: &'q Mesh,
    /// B's mesh, in its own frame.
    pub b: &'q Mesh,
    /// Pose of B in A's frame.
    pub pose: &'q Pose,
    /// A's tree.
    pub tree_a: &'q Tree<V>,
    /// B's tree.
    pub tree_b: &'q Tree<V>,
    /// Data shared by the volume tests of this query, including its pad.
    pub frame: V::Frame,
    /// Whether one of several equal triangles answers for all.
    pub firsts: bool,
}

impl<V: Volume> Sides<'_, V> {
    /// A triangle of B in A's frame.
    #[inline(always)]
    pub fn posed(&self, t: u32) -> Triangle {
        self.b.triangle(t).map(|x| self.pose.apply(&x))
    }

    /// Whether a triangle of this tree may be skipped, because an equal one is elsewhere.
    #[inline(always)]
    fn repeats(&self, tree: &Tree<V>, t: u32) -> bool {
        self.firsts && tree.is_repeat(t)
    }

    /// Tests every triangle of one set against every one of the other. If the sets have several,
    /// pairs whose bounds do not overlap are skipped; each such comparison counts as a volume test.
    #[inline(always)]
    pub fn each_pair<L: LeafTest, C: Counter>(
        &self,
        test: L,
        pair: LeafPair,
        (counter, watch): (&mut C, &mut Watch<'_>),
        mut hit: impl FnMut(Contact) -> ControlFlow<()>,
    ) -> ControlFlow<(), Tested> {
        let mut tested = Tested::Away;
        let (of_a, of_b) = (self.tree_a.leaf(pair.a), self.tree_b.leaf(pair.b));
        let several = of_a.as_slice().len() + of_b.as_slice().len() > 2;
        for &t in of_b.as_slice() {
            if several {
                watch.poll()?;
                if self.repeats(self.tree_b, t) {
                    continue;
                }
            }
            if pair.tested != 0 && self.tree_b.levels(t) & pair.tested != 0 {
                continue;
            }
            let q = self.posed(t);
            let near = |node: u32| self.tree_a.volume(node).may_meet(&q, &self.frame);
            if !pair.near.is_none_or(near) {
                continue;
            }
            tested = tested.max(Tested::Apart);
            let bounds = Bounds::new(&q);
            for &s in of_a.as_slice() {
                let p = self.a.triangle(s);
                if several {
                    watch.poll()?;
                    if self.repeats(self.tree_a, s) || !bounds.overlap(&p, counter) {
                        continue;
                    }
                }
                if test.meet(&p, &q, counter) {
                    tested = Tested::Contact;
                    hit(Contact { a: s, b: t })?;
                }
            }
        }
        ControlFlow::Continue(tested)
    }
}

/// Least and greatest coordinates of a triangle. Exact, and compared exactly.
pub(crate) struct Bounds {
    low: [f64; 3],
    high: [f64; 3],
}

impl Bounds {
    #[inline(always)]
    pub(crate) fn new(t: &Triangle) -> Self {
        Self {
            low: [0, 1, 2].map(|k| t[0][k].min(t[1][k]).min(t[2][k])),
            high: [0, 1, 2].map(|k| t[0][k].max(t[1][k]).max(t[2][k])),
        }
    }

    /// A lower bound on the distance to anything in the other bounds.
    pub(crate) fn gap(&self, other: &Self, counter: &mut impl Counter) -> f64 {
        counter.volumes(1);
        let along =
            |k: usize| (self.low[k] - other.high[k]).max(other.low[k] - self.high[k]).max(0.0);
        length_below([along(0), along(1), along(2)])
    }

    /// Whether the bounds of these points overlap these bounds.
    #[inline(always)]
    fn overlap(&self, points: &[Point], counter: &mut impl Counter) -> bool {
        counter.volumes(1);
        (0..3).all(|k| {
            points.iter().any(|p| p[k] <= self.high[k])
                && points.iter().any(|p| p[k] >= self.low[k])
        })
    }
}

/// Separating axes: two normals, nine edge pairs, six in-plane normals (fan §1.3.3.3, RAPID).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SeventeenAxes;

impl LeafTest for SeventeenAxes {
    #[inline]
    fn filter(self, p: &Triangle, q: &Triangle) -> Outcome {
        sat17(p, q)
    }
}

/// Intervals on the line of the two planes (anthology 2 §2.5.1, Möller 1997).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Intervals;

impl LeafTest for Intervals {
    #[inline]
    fn filter(self, p: &Triangle, q: &Triangle) -> Outcome {
        interval(p, q)
    }
}

/// Signs of triple products after a cyclic permutation of the corners (anthology 5 §3, Devillers
/// and Guigue 2002).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SignPermutation;

impl LeafTest for SignPermutation {
    #[inline]
    fn filter(self, p: &Triangle, q: &Triangle) -> Outcome {
        permutation(p, q)
    }
}

/// Each edge of one against the face of the other, both ways (fan §4.3). Closed triangles meet if
/// and only if one of the six pairs does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EdgeFace;

impl LeafTest for EdgeFace {
    #[inline]
    fn filter(self, p: &Triangle, q: &Triangle) -> Outcome {
        let mut all = Outcome::Miss;
        for (edges, face) in [(p, q), (q, p)] {
            for i in 0..3 {
                match segment_triangle(&edges[i], &edges[(i + 1) % 3], face) {
                    Outcome::Hit => return Outcome::Hit,
                    Outcome::Undecided => all = Outcome::Undecided,
                    Outcome::Miss => {}
                }
            }
        }
        all
    }
}

/// No filter: exact predicates at once, which filter each sign on their own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExactOnly;

impl LeafTest for ExactOnly {
    #[inline]
    fn filter(self, _: &Triangle, _: &Triangle) -> Outcome {
        Outcome::Undecided
    }
}

/// Tests the boundary edges of two patches against the faces of the other first (an interpretation
/// of anthology 1). If none certainly meets, tests every pair by `full`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EdgesFirst<L> {
    /// The test of every pair.
    pub full: L,
}

impl<L: LeafTest> LeafTest for EdgesFirst<L> {
    #[inline]
    fn filter(self, p: &Triangle, q: &Triangle) -> Outcome {
        self.full.filter(p, q)
    }

    /// If all contacts are wanted, testing edges first would only test them twice.
    fn leaves<V: Volume, C: Counter>(
        self,
        sides: &Sides<'_, V>,
        pair: LeafPair,
        first: bool,
        (counter, watch): (&mut C, &mut Watch<'_>),
        mut hit: impl FnMut(Contact) -> ControlFlow<()>,
    ) -> ControlFlow<(), Tested> {
        if first && let Some(contact) = sides.boundary_contact(pair, counter, watch)? {
            hit(contact)?;
            return ControlFlow::Continue(Tested::Contact);
        }
        sides.each_pair(self.full, pair, (counter, watch), hit)
    }
}

impl<V: Volume> Sides<'_, V> {
    /// The contact of a boundary edge of one patch that certainly meets a face of the other, if
    /// any.
    fn boundary_contact<C: Counter>(
        &self,
        pair: LeafPair,
        counter: &mut C,
        watch: &mut Watch<'_>,
    ) -> ControlFlow<(), Option<Contact>> {
        let (faces_a, faces_b) = (self.tree_a.leaf(pair.a), self.tree_b.leaf(pair.b));
        let (edges_a, edges_b) = (self.tree_a.boundary(pair.a), self.tree_b.boundary(pair.b));
        let corner = |v: u32| self.a.vertices()[v as usize];
        for &t in faces_b.as_slice() {
            watch.poll()?;
            if self.repeats(self.tree_b, t) {
                continue;
            }
            let q = self.posed(t);
            let bounds = Bounds::new(&q);
            for edge in edges_a {
                watch.poll()?;
                let [u, v] = edge.ends.map(corner);
                if !bounds.overlap(&[u, v], counter) {
                    continue;
                }
                counter.primitives(1);
                if segment_triangle(&u, &v, &q) == Outcome::Hit {
                    return ControlFlow::Continue(Some(Contact { a: edge.triangle, b: t }));
                }
            }
        }
        for edge in edges_b {
            watch.poll()?;
            if self.repeats(self.tree_b, edge.triangle) {
                continue;
            }
            let [u, v] = edge.ends.map(|v| self.pose.apply(&self.b.vertices()[v as usize]));
            let bounds = Bounds::new(&[u, v, v]);
            for &s in faces_a.as_slice() {
                watch.poll()?;
                let p = self.a.triangle(s);
                if !bounds.overlap(&p, counter) {
                    continue;
                }
                counter.primitives(1);
                if segment_triangle(&u, &v, &p) == Outcome::Hit {
                    return ControlFlow::Continue(Some(Contact { a: s, b: edge.triangle }));
                }
            }
        }
        ControlFlow::Continue(None)
    }
}

#[cfg(test)]
mod tests;
