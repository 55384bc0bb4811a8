//! O1, `octree-front`: an octree over the triangles of both objects, AABB trees restricted to the
//! cells that both share, a simultaneous descent from the pairs of nodes where the last one stopped,
//! and edges assigned to triangles (anthology 2). `docs/methods/octree-front.md` explains it.

mod elements;
mod engine;
mod near;
pub mod octree;

use impinge_hierarchy::build::{AxisBoxFit, Mean, TopDown};
use impinge_hierarchy::leaf::Intervals;
use impinge_hierarchy::traverse::Simultaneous;
use impinge_hierarchy::{TreeEngine, query};
use query::{Description, QuestionKind};

pub use engine::{OctreeFront, OctreeFrontMemory, OctreeFrontModel};
pub use octree::{Division, Octree, OctreeParams, OctreeSize};

/// How two triangles are tested at a pair of leaves. All are exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TriangleTest {
    /// By intervals on the line of their planes (§2.5.1).
    CommonLine,
    /// The six edges against the faces, until one meets.
    EveryEdge,
    /// Edges against faces, each edge at one of its triangles only (§2.5.2).
    Assigned,
    /// The same, and edges that met nothing in the last query change their triangle (§2.5.2).
    Reassigned,
}

impl TriangleTest {
    /// Whether it needs the edges of the meshes.
    pub(crate) const fn by_edges(self) -> bool {
        !matches!(self, Self::CommonLine)
    }

    /// Whether an edge is tested at one of its triangles only.
    pub(crate) const fn assigns(self) -> bool {
        matches!(self, Self::Assigned | Self::Reassigned)
    }
}

/// Which trees a query descends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trees {
    /// One per object, kept with the model; nodes with triangles in shared cells are marked.
    Kept,
    /// Made anew in every query, over the posed triangles in shared cells, as published.
    Anew,
}

/// Parameters of [`octree_front_with`].
///
/// | field | default | effect |
/// | --- | --- | --- |
/// | `octree` | [default](OctreeParams) | `None`: all triangles, as if in one cell |
/// | `trees` | kept | `Anew`: as published |
/// | `markers` | yes | `false`: every descent starts at the root; only kept trees can have markers |
/// | `test` | common line | how two triangles are tested |
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OctreeFrontParams {
    /// The octree over the triangles of both objects.
    pub octree: Option<OctreeParams>,
    /// Which trees a query descends.
    pub trees: Trees,
    /// Whether a descent starts where the last one stopped, if the objects came nearer.
    pub markers: bool,
    /// How two triangles are tested.
    pub test: TriangleTest,
}

impl Default for OctreeFrontParams {
    fn default() -> Self {
        Self {
            octree: Some(OctreeParams::default()),
            trees: Trees::Kept,
            markers: true,
            test: TriangleTest::CommonLine,
        }
    }
}

impl OctreeFrontParams {
    /// The method as printed: the octree over everything, and trees made anew in every step, so that
    /// there can be no markers.
    pub const PRINTED: Self = Self {
        octree: Some(OctreeParams {
            triangles: 16,
            depth: 12,
            ratio: std::f64::consts::SQRT_2,
            division: Division::Eight,
            everywhere: true,
        }),
        trees: Trees::Anew,
        markers: false,
        test: TriangleTest::CommonLine,
    };
}

/// The method with its defaults.
pub fn octree_front() -> OctreeFront {
    octree_front_with(OctreeFrontParams::default())
}

/// The method with chosen parameters.
pub fn octree_front_with(params: OctreeFrontParams) -> OctreeFront {
    let builder = TopDown::new(AxisBoxFit, Mean);
    OctreeFront { params, trees: TreeEngine::new(DESCRIPTION, builder, Simultaneous, Intervals) }
}

const DESCRIPTION: Description = Description::exact(
    "octree-front",
    "octree, AABB trees, descent from the last front",
    "anthology 2 (octree and AABB trees)",
    QuestionKind::ALL,
);
