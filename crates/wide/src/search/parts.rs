//! Leaves that are opened: each triangle goes on alone, in a thin box, where the other model's boxes
//! are smaller than the leaf's.

use impinge_query::{Model, ModelId};

use super::Pair;
use super::pair::Item;
use crate::build;
use crate::tree::{LANES, LEAF, Node};

/// A box of an inner node is small if the sum of its squared half-lengths, times this, is less than
/// that of the leaf.
const SMALLER: f32 = 4.0;

/// A leaf is opened against a node if its box meets so many small ones of the node: for a first
/// contact, and for all contacts and a distance. Fewer cost less than a step for each triangle. Measured on boxes,
/// tori and hands against bodies up to 80,000 times as fine.
const MANY: [u32; 2] = [3, 5];

/// Leaves whose parts are kept.
const KEPT: usize = 64;

/// The parts of leaves that queries of a pair have opened.
#[derive(Clone, Debug, Default)]
pub(super) struct Parts {
    /// The models of the pair.
    of: Option<[ModelId; 2]>,
    /// At the leaf's index modulo [`KEPT`]: the leaf, with its model in the top bit, and the place of
    /// its node. Empty before the first one is opened.
    slots: Vec<(u32, u32)>,
    /// Lane `t` is the box of triangle `t`.
    nodes: Vec<Node>,
}

/// A slot without a leaf.
const FREE: (u32, u32) = (u32::MAX, u32::MAX);

impl Parts {
    /// Forgets what is of other models, or of these before they were refitted.
    #[inline(always)]
    pub(super) fn belong_to(&mut self, pair: &Pair<'_>) {
        let [a, b] = pair.models;
        let of = Some([a.id(), b.id()]);
        if self.of != of {
            self.of = of;
            self.slots.clear();
            self.nodes.clear();
        }
    }

    /// The node and lane of the box of an item's triangle.
    #[inline(always)]
    pub(super) fn single(
        &mut self,
        pair: &Pair<'_>,
        item: Item,
        triangle: usize,
    ) -> (&Node, usize) {
        let (node, l) = pair.single(item);
        let leaf = node.child[l] & !LEAF;
        let key = leaf | (item.side() as u32) << 31;
        let at = match self.slots.get(leaf as usize % KEPT) {
            Some(&(there, at)) if there == key => at as usize,
            _ => self.make(pair, item.side(), leaf),
        };
        (&self.nodes[at], triangle)
    }

    #[inline(never)]
    fn make(&mut self, pair: &Pair<'_>, side: usize, leaf: u32) -> usize {
        let model = pair.models[1 - side];
        let node = build::parts(&model.tree, model.mesh(), leaf);
        if self.slots.is_empty() {
            self.slots.resize(KEPT, FREE);
        }
        let slot = &mut self.slots[leaf as usize % KEPT];
        slot.0 = leaf | (side as u32) << 31;
        if slot.1 == FREE.1 {
            slot.1 = self.nodes.len() as u32;
            self.nodes.push(node);
        } else {
            self.nodes[slot.1 as usize] = node;
        }
        slot.1 as usize
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
    use super::*;
    use crate::tree::Lane;

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
