//! An edge of one mesh against a triangle of the other: the basic test of all edge methods
//! (fan §4.3.1), exact.

use std::ops::ControlFlow;

use impinge_geometry::segment::segment_triangle;
use impinge_geometry::triangle::Outcome;
use impinge_geometry::{Point, Triangle, exact};
use impinge_hierarchy::edges::Edges;
use impinge_query::{Contact, Counter};

use crate::bounds::Bounds;
use crate::workers::Work;

/// An edge in A's frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    index: u32,
    ends: [Point; 2],
    bounds: Bounds,
}

/// A triangle in A's frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Face {
    index: u32,
    corners: Triangle,
    bounds: Bounds,
}

/// Whose edges are tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Whose {
    /// A's edges against B's triangles.
    A,
    /// B's edges against A's triangles.
    B,
}

/// The edges of one mesh against triangles of the other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EdgesOf<'m> {
    pub(crate) whose: Whose,
    pub(crate) edges: &'m Edges,
    /// Whether bounds are compared before a test. If not, they are not computed either.
    pub(crate) bounds_first: bool,
}

impl EdgesOf<'_> {
    #[inline(always)]
    pub(crate) fn edge(&self, index: u32, ends: [Point; 2]) -> Edge {
        Edge { index, ends, bounds: self.bounds(&ends) }
    }

    #[inline(always)]
    pub(crate) fn face(&self, index: u32, corners: Triangle) -> Face {
        Face { index, corners, bounds: self.bounds(&corners) }
    }

    #[inline(always)]
    fn bounds(&self, points: &[Point]) -> Bounds {
        if self.bounds_first { Bounds::new(points) } else { Bounds::EMPTY }
    }

    /// Tests an edge against a triangle. If they meet, so do all triangles with that edge, and each
    /// pair is reported.
    #[inline(always)]
    pub(crate) fn test<C: Counter>(
        &self,
        edge: &Edge,
        face: &Face,
        work: &mut Work<'_, C>,
    ) -> ControlFlow<()> {
        work.poll()?;
        if self.bounds_first {
            work.counter.volumes(1);
            if !edge.bounds.overlap(&face.bounds) {
                return ControlFlow::Continue(());
            }
        }
        work.counter.primitives(1);
        let [u, v] = &edge.ends;
        let meets = match segment_triangle(u, v, &face.corners) {
            Outcome::Hit => true,
            Outcome::Miss => false,
            Outcome::Undecided => {
                work.counter.exact(1);
                exact::segment_meets_triangle(u, v, &face.corners)
            }
        };
        if meets {
            for &t in self.edges.triangles(edge.index) {
                work.poll()?;
                work.hit(match self.whose {
                    Whose::A => Contact { a: t, b: face.index },
                    Whose::B => Contact { a: face.index, b: t },
                })?;
            }
        }
        ControlFlow::Continue(())
    }
}
