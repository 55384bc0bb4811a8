//! Why a mesh is no convex body.

use crate::OpenSurface;
use crate::topology::Unpaired;

/// What shows that a mesh does not bound a convex body. Vertices and triangles are named by their
/// indices in the mesh; of vertices with equal coordinates, the first.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotConvex {
    /// A triangle without area has no plane to be convex about.
    #[error("triangle {triangle} is degenerate: its corners are on one line")]
    Degenerate {
        /// The triangle.
        triangle: u32,
    },
    /// The surface is open or not consistently wound.
    #[error(transparent)]
    Open(#[from] OpenSurface),
    /// More than two triangles share an edge.
    #[error("{triangles} triangles share the edge between vertices {from} and {to}")]
    NonManifold {
        /// One end of the edge.
        from: u32,
        /// The other end.
        to: u32,
        /// How many triangles there are.
        triangles: usize,
    },
    /// All points are in one plane.
    #[error("the mesh is flat: all its vertices are in one plane")]
    Flat,
    /// Every edge that bends is reflex: the surface of a convex body turned inside out.
    #[error(
        "the surface is inside out: its triangles run clockwise seen from outside (triangles {} and {}, for one)",
        triangles[0], triangles[1]
    )]
    InsideOut {
        /// Two triangles that show it.
        triangles: [u32; 2],
    },
    /// The surface bends outward at this edge.
    #[error(
        "the edge between vertices {from} and {to} is reflex: triangles {} and {} bend outward there",
        triangles[0], triangles[1]
    )]
    Reflex {
        /// One end of the edge.
        from: u32,
        /// The other end.
        to: u32,
        /// The triangle that runs through the edge from `from` to `to`, and the one that runs back.
        triangles: [u32; 2],
    },
    /// Edges are convex, but the surface as a whole is not: several pieces, or folded over.
    #[error("vertex {vertex} is in front of triangle {triangle}")]
    InFront {
        /// The vertex.
        vertex: u32,
        /// The triangle whose plane it should not be beyond.
        triangle: u32,
    },
    /// The surface goes round its inside more than once.
    #[error("the surface goes round its inside {times} times")]
    Wraps {
        /// How often.
        times: usize,
    },
    /// The surface is not one piece without holes.
    #[error("the surface has Euler characteristic {euler}; that of a convex body is 2")]
    NotASphere {
        /// Vertices less edges plus triangles.
        euler: i64,
    },
}

/// Why an examination ended early: of a convex body only the caller ends it.
pub(super) enum End<E> {
    NotConvex(NotConvex),
    /// The caller's own error.
    Stopped(E),
}

impl<E> From<NotConvex> for End<E> {
    fn from(why: NotConvex) -> Self {
        Self::NotConvex(why)
    }
}

impl<E> From<Unpaired> for End<E> {
    fn from(unpaired: Unpaired) -> Self {
        Self::NotConvex(unpaired.into())
    }
}

impl From<Unpaired> for NotConvex {
    fn from(unpaired: Unpaired) -> Self {
        match unpaired {
            Unpaired::Open(edge) => Self::Open(edge),
            Unpaired::NonManifold { from, to, triangles } => {
                Self::NonManifold { from, to, triangles }
            }
        }
    }
}
