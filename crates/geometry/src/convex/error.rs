//! Why a mesh is not a convex body.

use crate::OpenSurface;
use crate::topology::Unpaired;

/// Evidence that a mesh does not bound a convex body. Vertices and triangles are indices into the
/// mesh; of vertices with equal coordinates, the first.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotConvex {
    /// A triangle has no area, and hence no plane.
    #[error("triangle {triangle} is degenerate: its corners are on one line")]
    Degenerate {
        /// Index of the triangle.
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
        /// The number of triangles at the edge.
        triangles: usize,
    },
    /// All points are in one plane.
    #[error("the mesh is flat: all its vertices are in one plane")]
    Flat,
    /// Every edge that is not flat is reflex: a convex surface turned inside out.
    #[error(
        "the surface is inside out: its triangles run clockwise seen from outside (for example triangles {} and {})",
        triangles[0], triangles[1]
    )]
    InsideOut {
        /// Two triangles with a reflex edge in common.
        triangles: [u32; 2],
    },
    /// This edge is reflex: the angle between its triangles, inside the body, exceeds 180°.
    #[error(
        "the edge between vertices {from} and {to} is reflex: triangles {} and {} form a notch there",
        triangles[0], triangles[1]
    )]
    Reflex {
        /// One end of the edge.
        from: u32,
        /// The other end.
        to: u32,
        /// The triangle that runs along the edge from `from` to `to`, and the one that runs back.
        triangles: [u32; 2],
    },
    /// All edges are convex, but the surface as a whole is not: several components, or folded over.
    #[error("vertex {vertex} is in front of triangle {triangle}, so the surface is not convex")]
    InFront {
        /// The vertex.
        vertex: u32,
        /// The triangle whose plane it is in front of.
        triangle: u32,
    },
    /// The surface winds around its inside more than once.
    #[error("the surface winds {times} times around its inside")]
    Wraps {
        /// How many times.
        times: usize,
    },
    /// The surface does not have the topology of a sphere.
    #[error("the surface has Euler characteristic {euler}; that of a convex body is 2")]
    NotASphere {
        /// Vertices minus edges plus triangles.
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
