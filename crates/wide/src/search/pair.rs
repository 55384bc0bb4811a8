//! The two models of a query in their places.

use impinge_geometry::{Pose, Triangle, exact};

use crate::model::WideModel;
use crate::placement::Placement;
use crate::tree::{LANES, LEAF, Node};

/// What every walk looks at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair<'q> {
    pub(crate) models: [&'q WideModel; 2],
    pub(crate) pose: &'q Pose,
    pub(crate) placement: &'q Placement,
}

/// A box in front of a node: `one` is a lane (16 · node + lane) of the tree that is not `side`, whose
/// node `node` is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Item {
    pub(crate) one: u32,
    /// The node, with the side in its top bit.
    node: u32,
}

const SIDE: u32 = 1 << 31;

impl Item {
    #[inline(always)]
    pub(crate) fn new(one: u32, node: u32, side: usize) -> Self {
        Self { one, node: node | (side as u32) << 31 }
    }

    /// Two leaves, of A and of B, for walks that put them off.
    #[inline(always)]
    pub(crate) fn leaves(a: u32, b: u32) -> Self {
        Self { one: a | LEAF, node: b }
    }

    /// The leaves that [`Item::leaves`] took.
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
        (self.node & !SIDE) as usize
    }
}

/// What becomes of a lane that the single box may touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// Both are leaves: of A and of B.
    Leaves(u32, u32),
    /// One of them is opened.
    Open(Item),
}

impl<'q> Pair<'q> {
    #[inline(always)]
    pub(crate) fn node(&self, side: usize, index: usize) -> &'q Node {
        &self.models[side].tree.nodes[index]
    }

    /// The lanes of an item's node that do not hold only repeats of triangles that are elsewhere.
    #[inline(always)]
    pub(crate) fn firsts(&self, item: Item) -> u32 {
        self.node(item.side(), item.node()).firsts()
    }

    /// The node and lane of a single box.
    #[inline(always)]
    pub(crate) fn single(&self, item: Item) -> (&'q Node, usize) {
        let one = item.one as usize;
        (self.node(1 - item.side(), one / LANES), one % LANES)
    }

    /// What comes first: the smaller of the boxes around both models, in front of what the larger is
    /// made of. The two are not held against each other: balls around them have been, or the question
    /// is a distance.
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

    /// The larger box is opened, or the one that is no leaf.
    #[inline(always)]
    pub(crate) fn next(
        item: Item,
        (one, l): (&Node, usize),
        size: f32,
        node: &Node,
        lane: usize,
    ) -> Next {
        let side = item.side();
        let (of_one, of_lane) = (one.child[l], node.child[lane]);
        let half = [node.half[0][lane], node.half[1][lane], node.half[2][lane]];
        let larger = half[0] * half[0] + half[1] * half[1] + half[2] * half[2] > size;
        if of_one & of_lane & LEAF != 0 {
            let leaves = [of_one & !LEAF, of_lane & !LEAF];
            Next::Leaves(leaves[1 - side], leaves[side])
        } else if of_one & LEAF != 0 || (of_lane & LEAF == 0 && larger) {
            Next::Open(Item::new(item.one, of_lane, side))
        } else {
            let lane = (item.node() * LANES + lane) as u32;
            Next::Open(Item::new(lane, of_one, 1 - side))
        }
    }

    /// A's triangle and B's, posed.
    #[inline]
    pub(crate) fn triangles(&self, a: u32, b: u32) -> (Triangle, Triangle) {
        let q = self.models[1].mesh().triangle(b).map(|x| self.pose.apply(&x));
        (self.models[0].mesh().triangle(a), q)
    }
}

/// The exact test of A's triangle and B's, posed.
#[inline(never)]
pub(crate) fn meet(pair: &Pair<'_>, a: u32, b: u32) -> bool {
    let (p, q) = pair.triangles(a, b);
    exact::triangles_meet(&p, &q)
}

#[cfg(test)]
mod tests;
