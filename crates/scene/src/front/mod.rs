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

/// Where a descent starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Markers {
    /// At the root.
    None,
    /// Where the last descent stopped, if the objects came nearer, else at the root (§2.3.2).
    Sinking,
    /// The same, but at the root also after a descent that visited as many pairs of nodes from the
    /// markers as the last one from the root.
    Renewed,
}

/// Parameters of [`octree_front_with`].
///
/// | field | default | effect |
/// | --- | --- | --- |
/// | `octree` | [default](OctreeParams) | `None`: all triangles, as if in one cell |
/// | `trees` | kept | `Anew`: as published |
/// | `markers` | renewed | where a descent starts; only kept trees can have markers |
/// | `test` | common line | how two triangles are tested |
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OctreeFrontParams {
    /// The octree over the triangles of both objects.
    pub octree: Option<OctreeParams>,
    /// Which trees a query descends.
    pub trees: Trees,
    /// Where a descent of kept trees starts.
    pub markers: Markers,
    /// How two triangles are tested.
    pub test: TriangleTest,
}

impl Default for OctreeFrontParams {
    fn default() -> Self {
        Self {
            octree: Some(OctreeParams::default()),
            trees: Trees::Kept,
            markers: Markers::Renewed,
            test: TriangleTest::CommonLine,
        }
    }
}

impl OctreeFrontParams {
    /// The method as printed: the octree over everything, and trees made anew in every step, so that
    /// there can be no markers.
    pub const PRINTED: Self = Self {
        octree: Some(OctreeParams {
            triangles: 64,
            depth: 12,
            ratio: std::f64::consts::SQRT_2,
            division: Division::Eight,
            everywhere: true,
        }),
        trees: Trees::Anew,
        markers: Markers::None,
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
