//! Why a mesh was not decomposed: what the surface lacks, and where.

use impinge_geometry::OpenSurface;
use impinge_geometry::topology::Unpaired;
use impinge_threads::Cancelled;

/// Why there is no decomposition. Indices are those of the mesh; where several vertices have equal
/// coordinates, the first of them is named.
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
        /// The triangle.
        triangle: u32,
    },
    /// More than two triangles meet at an edge.
    #[error("{triangles} triangles meet at the edge from vertex {from} to vertex {to}, not two")]
    NonManifoldEdge {
        /// The edge's first vertex.
        from: u32,
        /// The edge's second vertex.
        to: u32,
        /// How many triangles there are.
        triangles: usize,
    },
    /// Two parts of the surface touch in a vertex.
    #[error("the triangles at vertex {vertex} are more than one fan: the surface touches itself")]
    NonManifoldVertex {
        /// The vertex.
        vertex: u32,
    },
    /// Two triangles share more than their common corners and edge.
    #[error("triangles {} and {} cross or touch: the surface meets itself", .triangles[0], .triangles[1])]
    SelfIntersection {
        /// The two triangles, the smaller index first.
        triangles: [u32; 2],
    },
    /// A component is turned so that its outside is inside.
    #[error(
        "the component of triangle {triangle} faces the wrong way: normals must point out of the solid"
    )]
    InsideOut {
        /// A triangle of the component.
        triangle: u32,
    },
    /// A decomposition was used with a mesh that it is not of.
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
