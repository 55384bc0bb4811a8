//! Leaves that are opened: each triangle goes on alone, in a thin box, where the other model's boxes
//! are smaller than the leaf's.

use impinge_query::{Model, ModelId};

use super::Pair;
use super::pair::Item;
use crate::build;
use crate::placement::Relative;
use crate::simd::Simd;
use crate::tree::{LANES, LEAF, Node, Single, TRIANGLES};

/// A box of an inner node is small if the sum of its squared half-lengths, times this, is less than
/// that of the leaf.
const SMALLER: f32 = 4.0;

/// A leaf is opened against a node if its box meets so many small ones of the node: for a first
/// contact, and for all contacts and a distance. Fewer cost less than a step for each triangle. Measured on boxes,
/// tori and hands against bodies up to 80,000 times as fine.
const MANY: [u32; 2] = [3, 5];

/// Boxes that are kept.
const KEPT: usize = 256;

/// Boxes for which there is room from the first one on.
const ROOM: usize = 16;

/// The boxes of triangles that queries of a pair have needed.
#[derive(Clone, Debug, Default)]
pub(super) struct Parts {
    /// The models of the pair.
    of: Option<[ModelId; 2]>,
    /// At a triangle's key modulo [`KEPT`]: the place of its box. Empty before the first one is made.
    slots: Vec<u16>,
    /// Each with the key of its triangle.
    boxes: Vec<(u32, Single)>,
}

/// A slot without a box.
const FREE: u16 = u16::MAX;

impl Parts {
    /// Forgets what is of other models, or of these before they were refitted.
    #[inline(always)]
    pub(super) fn belong_to(&mut self, pair: &Pair<'_>) {
        let [a, b] = pair.models;
        let of = Some([a.id(), b.id()]);
        if self.of != of {
            self.of = of;
            self.slots.clear();
            self.boxes.clear();
        }
    }

    /// The child of an item's single box, and that box relative to a node of the other model.
    #[inline(always)]
    pub(super) fn relative<S: Simd>(
        &mut self,
        pair: &Pair<'_>,
        item: Item,
        node: &Node,
    ) -> (u32, Relative) {
        let side = &pair.placement.sides[item.side()];
        // In two ways: to copy the box of either kind first took a twentieth of a step's instructions.
        match item.part() {
            None => {
                let one = pair.single(item);
                (one.child, side.relative::<S>(&one, node))
            }
            Some(triangle) => {
                let one = self.of_triangle(pair, item, triangle);
                (one.child, side.relative::<S>(&one, node))
            }
        }
    }

    /// An item's single box.
    pub(super) fn single(&mut self, pair: &Pair<'_>, item: Item) -> Single {
        match item.part() {
            None => pair.single(item),
            Some(triangle) => self.of_triangle(pair, item, triangle),
        }
    }

    /// The box of a triangle of an item's leaf.
    #[inline(always)]
    fn of_triangle(&mut self, pair: &Pair<'_>, item: Item, triangle: usize) -> Single {
        let leaf = pair.leaf(item);
        // The side, the leaf, of which there are fewer than 2²⁸, and the triangle.
        let key = (item.side() as u32) << 31 | leaf << 2 | triangle as u32;
        if let Some(at) = self.slots.get(key as usize % KEPT)
            && let Some((there, single)) = self.boxes.get(*at as usize)
            && *there == key
        {
            return *single;
        }
        self.make(pair, key)
    }

    #[inline(never)]
    fn make(&mut self, pair: &Pair<'_>, key: u32) -> Single {
        let model = pair.models[1 - (key >> 31) as usize];
        let (leaf, triangle) = ((key & !(1 << 31)) >> 2, key as usize % TRIANGLES);
        let single = build::part(&model.tree, model.mesh(), leaf, triangle);
        if self.slots.is_empty() {
            self.slots.resize(KEPT, FREE);
            self.boxes.reserve(ROOM);
        }
        let slot = &mut self.slots[key as usize % KEPT];
        if *slot == FREE {
            *slot = self.boxes.len() as u16;
            self.boxes.push((key, single));
        } else {
            self.boxes[*slot as usize] = (key, single);
        }
        single
    }
}

/// Whether to open the single, a leaf of this size, against those lanes of a node that it meets.
#[inline(always)]
pub(super) fn opens<const NEAR: bool>(size: f32, node: &Node, meets: u32) -> bool {
    let least = MANY[usize::from(!NEAR)];
    if meets.count_ones() < least {
        return false;
    }
    let mut left = meets;
    let mut many = 0;
    while left != 0 {
        let l = left.trailing_zeros() as usize % LANES;
        left &= left - 1;
        let h = [node.half[0][l], node.half[1][l], node.half[2][l]];
        let square = h[0] * h[0] + h[1] * h[1] + h[2] * h[2];
        many += u32::from(node.child[l] & LEAF == 0 && SMALLER * square < size);
    }
    many >= least
}

/// The least half-length.
#[inline(always)]
pub(super) fn thickness([x, y, z]: [f32; 3]) -> f32 {
    let less = if y < x { y } else { x };
    if z < less { z } else { less }
}

/// The same for a distance, against lanes that are close to a leaf of this least half-length. Their boxes must be smaller
/// than it: of a flat leaf the triangles are hardly farther away than its box is.
#[inline(always)]
pub(super) fn opens_thick(thick: f32, node: &Node, close: u32) -> bool {
    opens::<false>(SMALLER * thick * thick, node, close)
}

/// Bits of the pairs of triangles of two leaves in which this item's triangle is.
#[inline(always)]
pub(super) fn among(item: Item) -> u32 {
    match item.part() {
        None => u32::MAX,
        // The lanes are A's: the triangle is B's.
        Some(t) if item.side() == 0 => 0x1111 << t,
        Some(t) => 0xf << (4 * t),
    }
}

#[cfg(test)]
mod tests {
    use impinge_geometry::Pose;
    use impinge_models::Shape;
    use impinge_query::{Control, Engine};

    use super::*;
    use crate::engine::wide;
    use crate::placement::Placement;
    use crate::tree::Lane;

    /// The boxes of all triangles of two models, of which there are more than are kept, asked for twice.
    #[test]
    fn a_box_is_its_triangles_whatever_was_in_its_place() {
        let models = [500, 900].map(|n| {
            wide().prepare(&Shape::Torus.mesh(n, 0), &Control::NONE).expect("not cancelled")
        });
        let [a, b] = &models;
        let pose = Pose::identity();
        let placement = &Placement::however_far(&pose, [&a.tree.frame, &b.tree.frame], [2.0; 2]);
        let pair = Pair { models: [a, b], pose: &pose, placement };
        let mut parts = Parts::default();
        parts.belong_to(&pair);
        let mut asked = 0;
        for side in [0, 1, 0, 1] {
            let model = pair.models[1 - side];
            for (n, node) in (0..).zip(&model.tree.nodes) {
                for l in (0..node.lanes).filter(|l| node.child[*l as usize] & LEAF != 0) {
                    let item = Item::new(LANES as u32 * n + l, 0, side);
                    let leaf = node.child[l as usize] & !LEAF;
                    for t in 0..model.tree.leaves[leaf as usize].len() {
                        let own = build::part(&model.tree, model.mesh(), leaf, t);
                        let item = item.of_part(t);
                        assert_eq!(parts.single(&pair, item), own);
                        asked += 1;
                    }
                }
            }
        }
        assert!(asked > 5 * KEPT && parts.boxes.len() == KEPT, "{asked}");
        parts.belong_to(&Pair { models: [b, a], ..pair });
        assert!(parts.slots.is_empty() && parts.boxes.is_empty());
        parts.belong_to(&pair);
        // The first leaves of both models, in turn: they have one place.
        let first = |side: usize| {
            let nodes = (0..).zip(&pair.models[1 - side].tree.nodes);
            let mut lanes = nodes.flat_map(|(n, node)| (0..node.lanes).map(move |l| (n, node, l)));
            let leaf = lanes.find(|(_, node, l)| node.child[*l as usize] == LEAF);
            let (n, _, l) = leaf.expect("a first leaf");
            Item::new(LANES as u32 * n + l, 0, side).of_part(1)
        };
        for side in [0, 1, 0] {
            let model = pair.models[1 - side];
            let own = build::part(&model.tree, model.mesh(), 0, 1);
            assert_eq!(parts.single(&pair, first(side)), own);
        }
        // What is kept is not made again.
        assert_eq!(parts.boxes.len(), 1);
        parts.boxes[0].1.origin = [7.0; 3];
        assert_eq!(parts.single(&pair, first(0)).origin, [7.0; 3]);
    }

    #[test]
    fn a_triangle_goes_on_with_all_of_the_other_leaf() {
        // The lanes are of A or of B, so the triangle is a column or a row.
        let pair = |side: usize, t: u32, other: u32| [4 * other + t, 4 * t + other][side];
        for side in [0, 1] {
            let item = Item::new(7, 9, side);
            assert_eq!(among(item), u32::MAX);
            for t in 0..4 {
                let bits = (0..4).map(|other| 1 << pair(side, t, other)).sum::<u32>();
                assert_eq!(among(item.of_part(t as usize)), bits, "{side} {t}");
            }
        }
    }

    /// Boxes of inner nodes a little less than half as long as the leaf, and other ones.
    #[test]
    fn a_leaf_is_opened_if_it_meets_many_small_boxes() {
        for (k, half) in [(0, [0.49, 0.0, 0.0]), (1, [0.0, 0.49, 0.0]), (2, [0.0, 0.0, 0.49f32])] {
            let mut node = Node::empty([0.0; 3]);
            node.lanes = LANES as u32;
            (0..LANES).for_each(|l| node.set(l, &Lane { half, ..Lane::default() }));
            assert!(opens::<true>(1.0, &node, 0b1011) && !opens::<true>(1.0, &node, 0b1001));
            assert!(opens::<false>(1.0, &node, 0x8f00) && !opens::<false>(1.0, &node, 0x0f00));
            node.child[1] = LEAF | 5;
            assert!(!opens::<true>(1.0, &node, 0b1011), "a leaf");
            node.child[1] = 5;
            // Boxes that are smaller than a cube is thick, and not than a plate.
            let opened = |half, node: &Node| opens_thick(thickness(half), node, 0x8f04);
            let (cube, mut large) = ([0.5, 0.6, 0.7], node);
            assert!(opened(cube, &node) && !opens_thick(0.5, &node, 0x0f00));
            for thin in 0..3 {
                assert!(!opened([0, 1, 2].map(|j| if j == thin { 0.48 } else { 9.0 }), &node));
            }
            large.half[k][8] = 0.51;
            large.half[k][9] = 0.51;
            assert!(!opened(cube, &large), "not small");
            node.half[k][0] = 0.51;
            assert!(!opens::<true>(1.0, &node, 0b1011), "not small");
        }
    }
}
