//! Why a mesh was not decomposed: what the surface violates, and where.

use impinge_geometry::OpenSurface;
use impinge_geometry::topology::Unpaired;
use impinge_threads::Cancelled;

/// Why a decomposition does not exist. Indices are those of the mesh; of several vertices with
/// equal coordinates, the first.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecomposeError {
    /// The caller cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The surface is open, or a triangle is wound against its neighbour.
    #[error(transparent)]
    Open(#[from] OpenSurface),
    /// A triangle has no area.
    #[error("triangle {triangle} is degenerate: its corners are on one line")]
    Degenerate {
        /// Index of the triangle.
        triangle: u32,
    },
    /// More than two triangles meet at an edge.
    #[error(
        "the edge between vertices {from} and {to} belongs to {triangles} triangles; only two are allowed"
    )]
    NonManifoldEdge {
        /// The edge's first vertex.
        from: u32,
        /// The edge's second vertex.
        to: u32,
        /// The number of triangles at the edge.
        triangles: usize,
    },
    /// Two fans of triangles share a vertex.
    #[error(
        "the triangles at vertex {vertex} form more than one fan: the surface touches itself there"
    )]
    NonManifoldVertex {
        /// Index of the vertex.
        vertex: u32,
    },
    /// Two triangles share more than their common corners and edge.
    #[error("triangles {} and {} cross or touch: the surface intersects itself", .triangles[0], .triangles[1])]
    SelfIntersection {
        /// The two triangles, the smaller index first.
        triangles: [u32; 2],
    },
    /// A component faces inward.
    #[error(
        "the component of triangle {triangle} is inside out: its normals must point out of the solid"
    )]
    InsideOut {
        /// A triangle of the component.
        triangle: u32,
    },
    /// A decomposition was used with a mesh it was not made from.
    #[error("this is the decomposition of another mesh")]
    AnotherMesh,
}

impl From<Unpaired> for DecomposeError {
    fn from(unpaired: Unpaired) -> Self {
        match unpaired {
            Unpaired::Open(edge) => Self::Open(edge),
            Unpaired::NonManifold { from, to, triangles } => {
                Self::NonManifoldEdge { from, to, triangles }
            }
        }
    }
}
