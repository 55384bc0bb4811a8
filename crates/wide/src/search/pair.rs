//! The two models of a query and their relative position.

use std::num::NonZero;

use impinge_geometry::{Pose, Triangle, exact};
use impinge_query::Place;

use crate::model::WideModel;
use crate::placement::Placement;
use crate::tree::{LANES, LEAF, Node, Single};

/// What every traversal reads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair<'q> {
    pub(crate) models: [&'q WideModel; 2],
    pub(crate) pose: &'q Pose,
    pub(crate) placement: &'q Placement,
}

/// A box of one tree against a node of the other. `one`: 16 · node + lane of the box. `node`: the
/// node; its top bit is the side, 0 or 1 for A or B, that the node belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Item {
    pub(crate) one: u32,
    /// Bits 0 to 27: the node, of which there are fewer than 2²⁸, because a lane of one has an index
    /// too. Bits 28 to 30: 0, or one more than the number of a triangle that stands for its leaf.
    /// Bit 31: the side.
    node: u32,
}

const SIDE: u32 = 1 << 31;
const NODE: u32 = (1 << 28) - 1;

impl Item {
    #[inline(always)]
    pub(crate) fn new(one: u32, node: u32, side: usize) -> Self {
        Self { one, node: node | (side as u32) << 31 }
    }

    /// A leaf of A and a leaf of B, for traversals that postpone them.
    #[inline(always)]
    pub(crate) fn leaves(a: u32, b: u32) -> Self {
        Self { one: a | LEAF, node: b }
    }

    /// The leaves of A and B if made by [`Item::leaves`].
    #[inline(always)]
    pub(crate) fn as_leaves(self) -> Option<[u32; 2]> {
        (self.one & LEAF != 0).then_some([self.one & !LEAF, self.node])
    }

    #[inline(always)]
    pub(crate) fn side(self) -> usize {
        (self.node >> 31) as usize
    }

    #[inline(always)]
    pub(crate) fn node(self) -> usize {
        (self.node & NODE) as usize
    }

    /// The same item for one triangle of the single's leaf, below 4, in place of all.
    #[inline(always)]
    pub(crate) fn of_part(self, triangle: usize) -> Self {
        Self { node: self.node & (SIDE | NODE) | (triangle as u32 + 1) << 28, ..self }
    }

    /// The triangle of [`Item::of_part`].
    #[inline(always)]
    pub(crate) fn part(self) -> Option<usize> {
        let part = (self.node & !SIDE) >> 28;
        (part != 0).then(|| part as usize - 1)
    }

    /// The lanes of A and B that are tested when the item is tested against a lane of its node; `None`
    /// of a root box.
    #[inline(always)]
    pub(crate) fn place(self, lane: usize) -> Option<Place> {
        let lanes = [self.one, (self.node() * LANES + lane) as u32].map(NonZero::new);
        let side = self.side();
        Some(Place { a: lanes[1 - side]?, b: lanes[side]? })
    }

    /// The same single box, or triangle, against another node of that side.
    #[inline(always)]
    fn against(self, node: u32) -> Self {
        Self { node: self.node & !NODE | node, ..self }
    }
}

/// What to do with a lane that the single box may touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// Both are leaves, of A and of B: test their triangles.
    Leaves(u32, u32),
    /// Test the children of one of them.
    Open(Item),
}

impl<'q> Pair<'q> {
    #[inline(always)]
    pub(crate) fn node(&self, side: usize, index: usize) -> &'q Node {
        &self.models[side].tree.nodes[index]
    }

    /// Lanes of an item's node, except those that hold only repeated triangles.
    #[inline(always)]
    pub(crate) fn firsts(&self, item: Item) -> u32 {
        self.node(item.side(), item.node()).firsts()
    }

    /// The leaf of an item whose single box is one.
    #[inline(always)]
    pub(super) fn leaf(&self, item: Item) -> u32 {
        let one = item.one as usize;
        self.node(1 - item.side(), one / LANES).child[one % LANES] & !LEAF
    }

    /// An item's single box.
    #[inline(always)]
    pub(crate) fn single(&self, item: Item) -> Single {
        let one = item.one as usize;
        self.node(1 - item.side(), one / LANES).single(one % LANES)
    }

    /// The first item: the smaller of the models' root boxes against the root node of the larger.
    /// The root boxes are not tested against each other: the balls around them already were, or the
    /// question is a distance.
    pub(crate) fn start(&self) -> Item {
        let [a, b] = self.models.map(|model| &model.tree.nodes[0]);
        let square =
            |node: &Node| -> f64 { node.get(0).half.map(|h| f64::from(h).powi(2)).iter().sum() };
        let ratio = self.placement.sides[1].ratio();
        let (of_a, of_b) = (a.child[0], b.child[0]);
        if of_a & of_b & LEAF != 0 {
            Item::new(0, 0, 1)
        } else if of_a & LEAF != 0 || (of_b & LEAF == 0 && square(b) > square(a) * ratio * ratio) {
            Item::new(0, of_b, 1)
        } else {
            Item::new(0, of_a, 0)
        }
    }

    /// The items at a place, the one to test first last: each of two leaves against the node of the
    /// other, and both leaves. `None` if there are no such leaves now.
    #[inline(always)]
    pub(crate) fn at(&self, place: Place) -> Option<[Item; 3]> {
        let lanes = [place.a.get(), place.b.get()];
        let mut leaves = [0; 2];
        for ((model, lane), leaf) in self.models.iter().zip(lanes).zip(&mut leaves) {
            let node = model.tree.nodes.get(lane as usize / LANES)?;
            let child = node.child[lane as usize % LANES];
            let is_leaf = child & LEAF != 0 && lane % (LANES as u32) < node.lanes;
            *leaf = is_leaf.then_some(child & !LEAF)?;
        }
        let nodes = lanes.map(|lane| lane / LANES as u32);
        Some([
            Item::new(lanes[1], nodes[0], 0),
            Item::new(lanes[0], nodes[1], 1),
            Item::leaves(leaves[0], leaves[1]),
        ])
    }

    /// Opens the larger box, or the one that is not a leaf. `of_one` is the single's child, `size` the sum
    /// of its squared half-lengths.
    #[inline(always)]
    pub(crate) fn next(item: Item, of_one: u32, size: f32, node: &Node, lane: usize) -> Next {
        let side = item.side();
        let of_lane = node.child[lane];
        let half = [node.half[0][lane], node.half[1][lane], node.half[2][lane]];
        let larger = half[0] * half[0] + half[1] * half[1] + half[2] * half[2] > size;
        if of_one & of_lane & LEAF != 0 {
            let leaves = [of_one & !LEAF, of_lane & !LEAF];
            Next::Leaves(leaves[1 - side], leaves[side])
        } else if of_one & LEAF != 0 || (of_lane & LEAF == 0 && larger) {
            Next::Open(item.against(of_lane))
        } else {
            let lane = (item.node() * LANES + lane) as u32;
            Next::Open(Item::new(lane, of_one, 1 - side))
        }
    }

    /// Whether both models are the same one, in the same place.
    pub(crate) fn is_one_twice(&self) -> bool {
        std::ptr::eq(self.models[0], self.models[1]) && *self.pose == Pose::identity()
    }

    /// A's triangle and B's triangle, posed.
    #[inline]
    pub(crate) fn triangles(&self, a: u32, b: u32) -> (Triangle, Triangle) {
        (self.triangle(0, a), self.triangle(1, b))
    }

    /// A triangle of A (side 0), or a posed one of B (side 1).
    #[inline(always)]
    pub(crate) fn triangle(&self, side: usize, index: u32) -> Triangle {
        let triangle = self.models[side].mesh().triangle(index);
        if side == 0 { triangle } else { triangle.map(|x| self.pose.apply(&x)) }
    }
}

/// The exact test of A's triangle and B's posed triangle.
#[inline(never)]
pub(crate) fn meet(pair: &Pair<'_>, a: u32, b: u32) -> bool {
    let (p, q) = pair.triangles(a, b);
    exact::triangles_meet(&p, &q)
}

#[cfg(test)]
mod tests;
