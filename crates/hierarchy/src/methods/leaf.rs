//! H6, the maize-leaf pipeline: AABB, one octree level, OBB trees, tip first, split planes first
//! (anthology 5). Documented in `docs/methods/leaf.md`.

use impinge_geometry::Mesh;
use impinge_query::{Contact, Description, Meaning, QuestionKind};

use crate::build::{Item, LeafPipeline, OrderedAxes, Passes, towards_tip};
use crate::engine::TreeEngine;
use crate::leaf::{LeafTest, SignPermutation};
use crate::traverse::{Block, Priority, TipFirst};

/// AABB and OBB × octree, then median × tip first × sign permutation.
pub type Leaf = TreeEngine<LeafPipeline, TipFirst, SignPermutation>;

/// Parameters of [`leaf_with`].
///
/// | field | default | effect |
/// | --- | --- | --- |
/// | `depth` | 3 | levels of OBBs below a cell; the paper's 3 suits leaves of some 200 triangles |
/// | `block` | corrected | triangles at split planes; other forms lose contacts or verdicts |
/// | `priority` | 0.8, 0.1 | weight of the child away from the tip, loss per level |
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeafParams {
    /// Levels of OBBs below a cell; clamped to 8.
    pub depth: u32,
    /// How triangles at split planes are tested.
    pub block: Block,
    /// Weights of nodes in the priority queue.
    pub priority: Priority,
}

impl Default for LeafParams {
    fn default() -> Self {
        Self { depth: 3, block: Block::Corrected, priority: Priority::default() }
    }
}

/// The maize-leaf pipeline with its defaults: every contact, each tested once.
pub fn leaf() -> Leaf {
    leaf_with(LeafParams::default())
}

/// The pipeline with blocks that end the search: a contact at a split plane leaves out both children,
/// so their other contacts are lost. The verdict is right.
pub fn leaf_block() -> Leaf {
    leaf_with(LeafParams { block: Block::OnContact, ..LeafParams::default() })
}

/// The pipeline with axes in the paper's order.
pub type LeafFaithful = TreeEngine<OrderedAxes<LeafPipeline>, TipFirst, SignPermutation>;

/// The pipeline by the letter of the paper: if a triangle at a split plane may meet A's box, both
/// children are left out, so contacts are lost, and verdicts with them; the fifteen axes of two
/// boxes are tested longest first.
pub fn leaf_faithful() -> LeafFaithful {
    let LeafParams { depth, priority, .. } = LeafParams::default();
    let traversal = TipFirst { priority, block: Block::OnBoxTest };
    TreeEngine::new(FAITHFUL, OrderedAxes(LeafPipeline { depth }), traversal, SignPermutation)
}

/// The maize-leaf pipeline with chosen parameters.
pub fn leaf_with(params: LeafParams) -> Leaf {
    let LeafParams { depth, block, priority } = params;
    let description = match block {
        Block::OnBoxTest => FAITHFUL,
        Block::OnContact => ON_CONTACT,
        Block::Ignored | Block::Corrected => DESCRIPTION,
    };
    let (builder, traversal) = (LeafPipeline { depth }, TipFirst { priority, block });
    TreeEngine::new(description, builder, traversal, SignPermutation)
}

const DESCRIPTION: Description =
    super::exact("leaf", "maize-leaf pipeline: AABB, octree cells, OBBs, tip first", "anthology 5");

/// It answers about contacts only: a distance, or solids, would need a verdict that is right.
const FAITHFUL: Description = Description {
    questions: &[QuestionKind::FirstContact, QuestionKind::AllContacts],
    meanings: &[Meaning::Surfaces],
    word: "leaf-faithful",
    title: "maize-leaf pipeline as printed: loses contacts and verdicts beside split planes",
    self_contacts: true,
    exact: false,
    ..DESCRIPTION
};

const ON_CONTACT: Description = Description {
    word: "leaf-block",
    title: "maize-leaf pipeline that stops at a contact beside a split plane: loses others",
    exact: false,
    ..DESCRIPTION
};

/// Share of a leaf's triangles nearest to the tip that anthology 5 §3 tests against each other: 10
/// to 15 %.
pub const TIP_SHARE: f64 = 0.15;

/// Self-collision of the tip (anthology 5 §3): the pairs among the `share` of triangles nearest to
/// the tip that meet and have no vertex in common, in canonical order (`a < b`). Exact. O(k²) for k
/// triangles at the tip.
pub fn tip_self_contacts(mesh: &Mesh, share: f64) -> Vec<Contact> {
    let items: Vec<Item> =
        mesh.corners().zip(0..).map(|(corners, index)| Item { corners, index }).collect();
    let (origin, tip) = towards_tip(&items, &Passes::default());
    let along = |item: &Item| crate::build::split::height(&item.corners, &origin, &tip);
    let mut near: Vec<(f64, &Item)> = items.iter().map(|item| (along(item), item)).collect();
    near.sort_by(|s, t| t.0.total_cmp(&s.0).then(s.1.index.cmp(&t.1.index)));
    near.truncate((share.clamp(0.0, 1.0) * items.len() as f64).ceil() as usize);
    near.sort_by_key(|(_, item)| item.index);
    let apart = |s: u32, t: u32| {
        let (s, t) = (mesh.triangles()[s as usize], mesh.triangles()[t as usize]);
        !s.iter().any(|v| t.contains(v))
    };
    let mut contacts = Vec::new();
    for (k, (_, s)) in near.iter().enumerate() {
        for (_, t) in &near[k + 1..] {
            if apart(s.index, t.index) && SignPermutation.meet(&s.corners, &t.corners, &mut ()) {
                contacts.push(Contact { a: s.index, b: t.index });
            }
        }
    }
    contacts
}
