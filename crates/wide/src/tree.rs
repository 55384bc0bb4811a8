//! The tree: nodes of up to sixteen boxes, and leaves of up to four triangles, both in depth-first
//! order.
//!
//! ```text
//!     node 0          node 1
//!    ┌────────┐      ┌────────┬────────┬────────┐
//!    │ node 1 │ ──→  │ node 2 │ leaf 2 │ node 3 │      the children of three lanes
//!    └────────┘      └───│────┴────────┴───│────┘
//!    everything          ↓                 ↓
//!                    ┌────────┬────────┐  ┌────────┬────────┐
//!                    │ leaf 0 │ leaf 1 │  │ leaf 3 │ leaf 4 │
//!                    └────────┴────────┘  └────────┴────────┘
//!                     node 2               node 3
//!
//!    a node, 1088 bytes                       a leaf, 128 bytes
//!                  lane 0   1   2   …  15                   triangle 0   1   2   3
//!    center   x         ·   ·   ·   …   ·     words   corner 0       n   n   n   n
//!             y         ·   ·   ·   …   ·             corner 1       n   n   n   n
//!             z         ·   ·   ·   …   ·             corner 2       n   n   n   n
//!    half     3 rows    ·   ·   ·   …   ·             their rest     3 rows
//!    axes     9 rows    ·   ·   ·   …   ·             triangles      t   t   t   NONE
//!    child              ·   ·   ·   …   ·     once a leaf: origin, unit
//!
//!    once a node: origin, reach, lanes, repeats
//!
//!    a lane's box:  { origin + center + Σ xⱼ axesⱼ  :  |xⱼ| ≤ halfⱼ }
//!    a leaf's corner:  origin + unit n, to the nearest n
//! ```

use impinge_geometry::{Coincident, Column};

use crate::frame::Frame;

/// Boxes per node.
pub(crate) const LANES: usize = 16;
/// Most triangles per leaf.
pub(crate) const TRIANGLES: usize = 4;
/// Marks a child that is a leaf.
pub(crate) const LEAF: u32 = 1 << 31;
/// Marks a place without a triangle.
pub(crate) const NONE: u32 = u32::MAX;

/// Up to sixteen oriented boxes, each around one child's triangles, stored as columns of lanes.
///
/// In exact arithmetic, for every vertex `y` (in the model's frame) of every triangle below lane
/// `l`, `|a_j · (y − origin − center)| ≤ half_j` for its three axes `a_j`, and
/// `|a_i · a_j − δ_ij| ≤` [`OFF`]. All numbers are taken as stored. Coordinates below 2⁻¹⁰²² of the
/// model's unit may lie outside by their underflow, less than 2⁻¹⁰⁰⁰, which is part of the pad of
/// every query.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct Node {
    /// Origin of centres, so that their rounding is relative to the node's size.
    pub(crate) origin: [f32; 3],
    /// An upper bound on the length of every lane's `center`.
    pub(crate) reach: f32,
    /// Number of lanes in use; these come first.
    pub(crate) lanes: u32,
    /// Bit `l` is set if all triangles in lane `l` are repeats of triangles elsewhere: a search for
    /// a verdict or a distance skips the lane.
    pub(crate) repeats: u32,
    /// Centres, relative to `origin`.
    pub(crate) center: [[f32; LANES]; 3],
    /// Half-lengths along the axes.
    pub(crate) half: [[f32; LANES]; 3],
    /// `axes[j][k]` is component `k` of axis `j`.
    pub(crate) axes: [[[f32; LANES]; 3]; 3],
    /// Index of a node, or [`LEAF`] and the index of a leaf.
    pub(crate) child: [u32; LANES],
    /// Zeros, up to a multiple of the alignment.
    pub(crate) unused: [u32; 10],
}

/// Bound on `|AᵀA − I|` per entry: 2.1 u, the rounding of an orthonormal frame to 32 bits.
pub(crate) const OFF: f64 = 2.1 / (1u64 << 24) as f64;

/// The box of one lane.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Lane {
    /// Relative to the node's origin.
    pub(crate) center: [f32; 3],
    /// Half-lengths along the axes.
    pub(crate) half: [f32; 3],
    /// `axes[j]` is axis `j`.
    pub(crate) axes: [[f32; 3]; 3],
}

/// A box with what places it in its model: a lane of a node, or the box of one triangle of a leaf.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Single {
    /// As [`Node::origin`].
    pub(crate) origin: [f32; 3],
    /// The box.
    pub(crate) lane: Lane,
    /// As [`Node::child`].
    pub(crate) child: u32,
}

impl Node {
    /// A node without boxes.
    pub(crate) fn empty(origin: [f32; 3]) -> Self {
        let zero = [[0.0; LANES]; 3];
        let axes = [zero; 3];
        let (child, unused) = ([0; LANES], [0; 10]);
        let (reach, lanes, repeats) = (0.0, 0, 0);
        Self { origin, reach, lanes, repeats, center: zero, half: zero, axes, child, unused }
    }

    /// Stores a box in lane `l`. `settle` must be called afterwards.
    pub(crate) fn set(&mut self, l: usize, lane: &Lane) {
        for k in 0..3 {
            self.center[k][l] = lane.center[k];
            self.half[k][l] = lane.half[k];
            for j in 0..3 {
                self.axes[j][k][l] = lane.axes[j][k];
            }
        }
    }

    /// The box in lane `l`. Without closures: it is part of every step.
    #[inline(always)]
    pub(crate) fn get(&self, l: usize) -> Lane {
        let l = l % LANES;
        let mut lane = Lane::default();
        for k in 0..3 {
            lane.center[k] = self.center[k][l];
            lane.half[k] = self.half[k][l];
            for j in 0..3 {
                lane.axes[j][k] = self.axes[j][k][l];
            }
        }
        lane
    }

    /// The box in lane `l`, with its place.
    #[inline(always)]
    pub(crate) fn single(&self, l: usize) -> Single {
        Single { origin: self.origin, lane: self.get(l), child: self.child[l % LANES] }
    }

    /// Bits of the lanes in use.
    #[inline(always)]
    pub(crate) fn in_use(&self) -> u32 {
        (1 << self.lanes) - 1
    }

    /// Bits of the lanes in use that hold a triangle that is not a repeat.
    #[inline(always)]
    pub(crate) fn firsts(&self) -> u32 {
        self.in_use() & !self.repeats
    }

    /// Computes `reach`, rounded up.
    pub(crate) fn settle(&mut self) {
        let longest = (0..self.lanes as usize)
            .map(|l| (0..3).map(|k| f64::from(self.center[k][l]).powi(2)).sum::<f64>())
            .fold(0.0, f64::max);
        self.reach = (longest.sqrt() * (1.0 + 1e-6)) as f32;
    }
}

/// Up to four triangles, with their corners in cells of a grid around them.
///
/// In the model's frame, coordinate `c` of a corner with cells `n_c` is `origin_c + unit n_c` up to half
/// a `unit`, and up to the rounding of entering the frame. Cells are whole numbers of magnitude below
/// [`CELLS`], stored in 21 bits each.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct Leaf {
    /// Words `n` and `12 + n` hold the cells of corner `n = 4 k + i`: corner `k` of triangle `i`. Unused
    /// places repeat the first triangle. Words 24 to 27 are the indices of the triangles; [`NONE`] in
    /// unused places.
    pub(crate) words: [u32; 2 * CORNERS + TRIANGLES],
    /// The middle of the corners.
    pub(crate) origin: [f32; 3],
    /// The edge of a cell, at least [`LEAST_UNIT`].
    pub(crate) unit: f32,
}

/// Corners of a leaf.
pub(crate) const CORNERS: usize = 3 * TRIANGLES;
/// Cells on each side of a leaf's origin.
pub(crate) const CELLS: u32 = 1 << 20;
/// Cells are stored from 0 on.
pub(crate) const CELL_BITS: u32 = 21;
/// Bits of the second cell that are in the first word.
pub(crate) const SPLIT: u32 = 32 - CELL_BITS;
/// So that no product with it underflows in 32 bits before its error counts.
pub(crate) const LEAST_UNIT: f32 = 1.0 / (1u128 << 100) as f32;

impl Leaf {
    /// A leaf of one to four triangles, without corners.
    pub(crate) fn new(ids: &[u32]) -> Self {
        let mut words = [0; 2 * CORNERS + TRIANGLES];
        for (i, word) in words[2 * CORNERS..].iter_mut().enumerate() {
            *word = ids.get(i).copied().unwrap_or(NONE);
        }
        Self { words, origin: [0.0; 3], unit: LEAST_UNIT }
    }

    /// Indices of the triangles; [`NONE`] in unused places.
    #[inline(always)]
    pub(crate) fn triangles(&self) -> [u32; TRIANGLES] {
        let mut triangles = [NONE; TRIANGLES];
        triangles.copy_from_slice(&self.words[2 * CORNERS..]);
        triangles
    }

    /// The triangle in place `i`; the first one where there is none.
    #[inline(always)]
    pub(crate) fn triangle(&self, i: usize) -> u32 {
        let there = self.words[2 * CORNERS + i % TRIANGLES];
        if there == NONE { self.words[2 * CORNERS] } else { there }
    }

    /// Number of triangles.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        let mut len = 0;
        for t in &self.words[2 * CORNERS..] {
            len += usize::from(*t != NONE);
        }
        len
    }

    /// The cells of a corner.
    pub(crate) fn cells(&self, n: usize) -> [i32; 3] {
        let (low, high) = (self.words[n], self.words[CORNERS + n]);
        let mask = (1 << CELL_BITS) - 1;
        let y = low >> CELL_BITS | high << SPLIT;
        [low, y, high >> (CELL_BITS - SPLIT)].map(|x| (x & mask) as i32 - CELLS as i32)
    }
}

/// Oriented boxes, sixteen per node, down to leaves of at most four triangles.
///
/// Node 0 has one lane, the root box; its child is the actual root of the tree. The leaves below
/// any lane are consecutive.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    pub(crate) frame: Frame,
    pub(crate) nodes: Column<Node>,
    pub(crate) leaves: Column<Leaf>,
    /// Sum of the surfaces of all boxes over eight, in the model's frame.
    pub(crate) surfaces: f64,
}

impl Tree {
    /// The most triangles that indices have room for.
    pub(crate) const MAX_TRIANGLES: usize = 1 << 28;
    /// Most nodes on a path from the root. The builder cuts by its heuristic down to depth 64,
    /// halves at most 2²⁸ triangles below that, and adds node 0. Fitting boxes recurses to this
    /// depth.
    pub(crate) const DEEP: usize = 96;

    /// The surfaces of all boxes relative to that of the root box.
    pub(crate) fn cost(&self) -> f64 {
        let Some(root) = self.nodes.first() else { return 0.0 };
        let h = root.get(0).half;
        let largest = f64::from(h[0] * h[1] + h[1] * h[2] + h[2] * h[0]);
        if largest > 0.0 { self.surfaces / largest } else { 0.0 }
    }

    /// Marks the lanes that hold only repeats: triangles that equal one of lower index.
    pub(crate) fn mark(&mut self, coincident: Option<&Coincident>) {
        let leaves = &self.leaves;
        // In reverse, because children come after their parents.
        self.nodes.change(|nodes| {
            for at in (0..nodes.len()).rev() {
                let repeats = |child: u32| match coincident {
                    None => false,
                    Some(equal) if child & LEAF != 0 => {
                        let leaf = &leaves[(child & !LEAF) as usize];
                        leaf.triangles()[..leaf.len()].iter().all(|&t| equal.repeats(t))
                    }
                    Some(_) => nodes[child as usize].firsts() == 0,
                };
                let node = &nodes[at];
                let lanes = 0..node.lanes as usize;
                let bits = lanes.map(|l| u32::from(repeats(node.child[l])) << l).sum();
                nodes[at].repeats = bits;
            }
        });
    }

    /// Bytes of nodes and leaves.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.nodes) + size_of_val(&*self.leaves)
    }
}

/// A tree whose parts can be changed one by one, to break it.
#[cfg(test)]
pub(crate) struct OpenTree {
    pub(crate) frame: Frame,
    pub(crate) nodes: Vec<Node>,
    pub(crate) leaves: Vec<Leaf>,
    pub(crate) surfaces: f64,
}

#[cfg(test)]
impl Tree {
    pub(crate) fn break_by(&mut self, change: impl FnOnce(&mut OpenTree)) {
        let Self { frame, nodes, leaves, surfaces } = self.clone();
        let (nodes, leaves) = (nodes.into_vec(), leaves.into_vec());
        let mut open = OpenTree { frame, nodes, leaves, surfaces };
        change(&mut open);
        *self = open.closed();
    }
}

#[cfg(test)]
impl OpenTree {
    pub(crate) fn closed(&self) -> Tree {
        let (nodes, leaves) = (self.nodes.clone().into(), self.leaves.clone().into());
        Tree { frame: self.frame, nodes, leaves, surfaces: self.surfaces }
    }
}

#[cfg(test)]
mod tests {
    use impinge_geometry::{Mesh, Point};
    use impinge_models::{Random, Shape};
    use impinge_query::Control;

    use super::*;
    use crate::build::{Quality, build};
    use crate::simd::Width;

    /// A lane whose 15 numbers are all different, and differ from those of other lanes.
    fn lane(l: usize) -> Lane {
        let x = |n: usize| (100 * l + n) as f32;
        let three = |n: usize| [x(n), x(n + 1), x(n + 2)];
        Lane { center: three(1), half: three(4), axes: [three(7), three(10), three(13)] }
    }

    #[test]
    fn lanes_hold_what_was_put_there_in_columns() {
        let mut node = Node::empty([1.0, 2.0, 3.0]);
        assert_eq!((node.origin, node.reach, node.lanes), ([1.0, 2.0, 3.0], 0.0, 0));
        assert_eq!((node.in_use(), node.get(7)), (0, Lane::default()));
        for l in 0..LANES {
            node.set(l, &lane(l));
            node.lanes += 1;
            assert_eq!(node.in_use(), (1u32 << (l + 1)) - 1);
        }
        for l in 0..LANES {
            assert_eq!(node.get(l), lane(l));
            assert_eq!((node.center[1][l], node.half[2][l]), (lane(l).center[1], lane(l).half[2]));
            assert_eq!(node.axes[2][0][l], lane(l).axes[2][0]);
        }
        node.repeats = 0b1010;
        assert_eq!(node.firsts(), 0xfff5);
        node.lanes = 2;
        assert_eq!((node.in_use(), node.firsts()), (3, 1));
    }

    /// At least the length of the longest centre, and only slightly more.
    #[test]
    fn reach_is_the_length_of_the_longest_centre_in_use() {
        let mut node = Node::empty([0.0; 3]);
        let at = |center| Lane { center, ..Lane::default() };
        node.set(0, &at([0.1, -0.2, 0.2]));
        node.set(1, &at([3.0, 4.0, -12.0]));
        node.set(2, &at([50.0, 50.0, 50.0]));
        for (lanes, longest) in [(0, 0.0), (1, 0.3), (2, 13.0f32)] {
            node.lanes = lanes;
            node.settle();
            let given = node.reach - longest;
            assert!(given >= 0.0 && given <= 2e-6 * longest, "{lanes}: {}", node.reach);
        }
    }

    #[test]
    fn leaves_repeat_their_first_triangle_where_there_is_none() {
        for n in 1..=TRIANGLES {
            let ids = &[7, 2, 5, 0][..n];
            let leaf = Leaf::new(ids);
            assert_eq!(leaf.len(), n);
            for i in 0..TRIANGLES {
                assert_eq!(leaf.triangles()[i], ids.get(i).copied().unwrap_or(NONE));
                assert_eq!(leaf.triangle(i), *ids.get(i).unwrap_or(&7));
            }
        }
    }

    fn tree(mesh: &Mesh) -> Tree {
        build(mesh, Quality::SurfaceArea, Width::fastest(), &Control::NONE).expect("not cancelled")
    }

    fn surface(half: [f32; 3]) -> f64 {
        let [x, y, z] = half.map(f64::from);
        x * y + y * z + z * x
    }

    #[test]
    fn the_cost_is_all_surfaces_over_the_largest() {
        let tree = tree(&Shape::Torus.mesh(500, 0));
        let boxes = tree.nodes.iter().flat_map(|n| (0..n.lanes as usize).map(|l| n.get(l).half));
        let cost = boxes.map(surface).sum::<f64>() / surface(tree.nodes[0].get(0).half);
        assert!((tree.cost() / cost - 1.0).abs() < 1e-6, "{} {cost}", tree.cost());
        let nothing = Tree { nodes: Column::default(), ..tree.clone() };
        assert_eq!(nothing.cost(), 0.0);
        let mut flat = tree;
        flat.break_by(|tree| tree.nodes[0].half = [[0.0; 16]; 3]);
        assert_eq!(flat.cost(), 0.0);
        assert_eq!(flat.bytes(), 1088 * flat.nodes.len() + 128 * flat.leaves.len());
    }

    /// Whether a triangle below this child is not a repeat.
    fn counts(tree: &Tree, child: u32, equal: &Coincident) -> bool {
        if child & LEAF != 0 {
            let leaf = &tree.leaves[(child & !LEAF) as usize];
            return leaf.triangles()[..leaf.len()].iter().any(|t| !equal.repeats(*t));
        }
        let node = &tree.nodes[child as usize];
        node.child[..node.lanes as usize].iter().any(|child| counts(tree, *child, equal))
    }

    #[test]
    fn lanes_are_marked_that_hold_only_repeats() {
        let mut random = Random::new(15);
        let mut corners: Vec<Point> = Vec::new();
        for k in 0..400usize {
            if k % 3 == 0 {
                corners.extend((0..3).map(|_| Point::from(random.vector(-1.0, 1.0))));
            } else {
                let t = 3 * random.below(k as u64) as usize;
                corners.extend_from_within(t..t + 3);
            }
        }
        let mesh = Mesh::new(corners, (0..400).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect());
        let mesh = mesh.expect("legal");
        let (mut tree, equal) = (tree(&mesh), Coincident::of(&mesh).expect("repeats"));
        tree.mark(Some(&equal));
        let (mut marked, mut left) = (0, 0);
        for node in &tree.nodes {
            for l in 0..LANES {
                let used = l < node.lanes as usize;
                let repeats = used && !counts(&tree, node.child[l], &equal);
                assert_eq!(node.repeats >> l & 1 == 1, repeats);
                marked += u32::from(repeats);
                left += u32::from(used && !repeats);
            }
        }
        assert!(marked > 20 && left > 20, "{marked} {left}");
        tree.mark(None);
        assert!(tree.nodes.iter().all(|node| node.repeats == 0));
    }
}
