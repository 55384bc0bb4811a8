//! Checks a tree's invariants: its order, its leaves, its marks, and in exact arithmetic its boxes.

use std::fmt;
use std::ops::Range;

use impinge_geometry::{Coincident, Mesh};

use crate::frame::Frame;
use crate::model::WideModel;
use crate::tree::{CORNERS, LANES, LEAF, LEAST_UNIT, Leaf, NONE, Node, OFF, TRIANGLES, Tree};

/// A violated invariant of a tree, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {what}")]
pub struct InvalidTree {
    /// What is wrong, as part of a sentence about the place.
    pub what: &'static str,
    /// The part of the tree that is wrong.
    pub place: Place,
}

/// A part of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// The header of stored bytes.
    Header,
    /// A node, by its index in depth-first order.
    Node(u32),
    /// A box of a node.
    Lane {
        /// The node's index.
        node: u32,
        /// The lane in that node, from 0.
        lane: u32,
    },
    /// A leaf, by its index in depth-first order.
    Leaf(u32),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Header => f.write_str("header"),
            Self::Node(node) => write!(f, "node {node}"),
            Self::Lane { node, lane } => write!(f, "node {node}, lane {lane}"),
            Self::Leaf(leaf) => write!(f, "leaf {leaf}"),
        }
    }
}

impl WideModel {
    /// Checks the tree: nodes and leaves in depth-first order, every triangle in one leaf with its
    /// own corners, the marks of repeated triangles, and in exact arithmetic that axes are
    /// orthonormal and every box contains all vertices below it. For tests: every model obtainable
    /// through the public interface is valid. O(n · depth).
    ///
    /// # Errors
    /// The first violated invariant, with its node, lane or leaf.
    pub fn validate(&self) -> Result<(), InvalidTree> {
        self.tree.validate(self.mesh(), self.coincident())
    }
}

/// Which triangles are in a leaf already.
pub(crate) struct Taken(Vec<bool>);

impl Taken {
    pub(crate) fn none(triangles: usize) -> Self {
        Self(vec![false; triangles])
    }

    /// Marks a triangle, or tells why it cannot be in another leaf.
    pub(crate) fn take(&mut self, triangle: u32) -> Result<(), &'static str> {
        match self.0.get_mut(triangle as usize) {
            Some(taken) if !*taken => {
                *taken = true;
                Ok(())
            }
            Some(_) => Err("one of its triangles is in a leaf already"),
            None => Err("one of its triangles does not exist"),
        }
    }

    fn is_all(&self) -> bool {
        self.0.iter().all(|taken| *taken)
    }
}

const fn wrong<T>(what: &'static str, place: Place) -> Result<T, InvalidTree> {
    Err(InvalidTree { what, place })
}

impl Tree {
    /// [`WideModel::validate`].
    pub(crate) fn validate(
        &self,
        mesh: &Mesh,
        coincident: Option<&Coincident>,
    ) -> Result<(), InvalidTree> {
        if self.frame != Frame::of(mesh) {
            return wrong("its frame is not that of the mesh", Place::Node(0));
        }
        let below = self.order()?;
        self.check_leaves(mesh)?;
        self.check_corners(mesh)?;
        self.check_sums(coincident)?;
        let scale = self.frame.scale();
        let vertices: Vec<[f64; 3]> =
            mesh.vertices().iter().map(|p| self.frame.enter(scale, p)).collect();
        for (index, node) in (0..).zip(&self.nodes) {
            for lane in 0..node.lanes {
                let leaves = match node.child[lane as usize] {
                    leaf if leaf & LEAF != 0 => (leaf & !LEAF)..(leaf & !LEAF) + 1,
                    child => below[child as usize].clone(),
                };
                let leaves = &self.leaves[leaves.start as usize..leaves.end as usize];
                let place = Place::Lane { node: index, lane };
                check_lane(node, lane as usize, leaves, (&vertices, mesh.triangles()))
                    .map_err(|what| InvalidTree { what, place })?;
            }
        }
        Ok(())
    }

    /// Checks the order of nodes and leaves, and the leaves.
    pub(crate) fn check_order(&self, mesh: &Mesh) -> Result<(), InvalidTree> {
        self.order()?;
        self.check_leaves(mesh)
    }

    /// Checks that every child is the next node or leaf in depth-first order. Returns the range of
    /// leaves below each node.
    fn order(&self) -> Result<Vec<Range<u32>>, InvalidTree> {
        let (all, mut leaves) = (self.nodes.len() as u32, 0);
        let mut below: Vec<Range<u32>> = Vec::with_capacity(self.nodes.len());
        // Nodes with lanes left: the node, and its next lane.
        let mut open: Vec<(u32, u32)> = Vec::new();
        let enter = |open: &mut Vec<(u32, u32)>, below: &mut Vec<_>, leaves: u32| {
            let index = below.len() as u32;
            let least = if index == 0 { 1 } else { 2 };
            let most = if index == 0 { 1 } else { LANES as u32 };
            let Some(node) = self.nodes.get(index as usize) else {
                return wrong("a lane leads to it, and it is not there", Place::Node(index));
            };
            if !(least..=most).contains(&node.lanes) {
                return wrong("it has too few lanes, or too many", Place::Node(index));
            }
            if open.len() == Self::DEEP {
                return wrong("it is too deep", Place::Node(index));
            }
            below.push(leaves..leaves);
            open.push((index, 0));
            Ok(())
        };
        enter(&mut open, &mut below, leaves)?;
        while let Some((index, lane)) = open.last_mut() {
            let (node, place) = (*index, Place::Lane { node: *index, lane: *lane });
            if *lane == self.nodes[node as usize].lanes {
                below[node as usize].end = leaves;
                open.pop();
                continue;
            }
            let child = self.nodes[node as usize].child[*lane as usize];
            *lane += 1;
            if child == LEAF | leaves && (leaves as usize) < self.leaves.len() {
                leaves += 1;
            } else if child & LEAF != 0 {
                return wrong("its leaf is not the next one", place);
            } else if child as usize == below.len() {
                enter(&mut open, &mut below, leaves)?;
            } else {
                return wrong("its node is not the next one", place);
            }
        }
        match (below.len() as u32, leaves) {
            (reached, _) if reached < all => wrong("no lane leads to it", Place::Node(reached))?,
            (_, leaves) if (leaves as usize) < self.leaves.len() => {
                wrong("no lane leads to it", Place::Leaf(leaves))?;
            }
            _ => {}
        }
        Ok(below)
    }

    fn check_leaves(&self, mesh: &Mesh) -> Result<(), InvalidTree> {
        let mut taken = Taken::none(mesh.triangles().len());
        for (index, leaf) in (0..).zip(&self.leaves) {
            let triangles = leaf.triangles();
            let (ids, rest) = triangles.split_at(leaf.len());
            if ids.is_empty() || rest.iter().any(|t| *t != NONE) {
                return wrong("it has no triangles, or a gap before one", Place::Leaf(index));
            }
            for &t in ids {
                taken.take(t).or_else(|what| wrong(what, Place::Leaf(index)))?;
            }
        }
        if taken.is_all() { Ok(()) } else { wrong("a triangle is in no leaf", Place::Node(0)) }
    }

    /// Checks that the corners of leaves are those of their triangles, up to half a cell.
    fn check_corners(&self, mesh: &Mesh) -> Result<(), InvalidTree> {
        let scale = self.frame.scale();
        for (index, leaf) in (0..).zip(&self.leaves) {
            let unit = f64::from(leaf.unit);
            let is_at = |n: usize| {
                let corners = mesh.triangle(leaf.triangle(n % TRIANGLES));
                let at = self.frame.enter(scale, &corners[n / TRIANGLES]);
                let cells = leaf.cells(n);
                (0..3).all(|k| {
                    let from = at[k] - f64::from(leaf.origin[k]);
                    (from / unit - f64::from(cells[k])).abs() <= 0.500_001
                })
            };
            if !(leaf.unit >= LEAST_UNIT && (0..CORNERS).all(is_at)) {
                return wrong("its corners are not those of its triangles", Place::Leaf(index));
            }
        }
        Ok(())
    }

    /// Checks the sum of the boxes' surfaces and the marks of repeats.
    fn check_sums(&self, coincident: Option<&Coincident>) -> Result<(), InvalidTree> {
        let mut marked = self.clone();
        marked.mark(coincident);
        for ((index, node), marked) in (0..).zip(&self.nodes).zip(&marked.nodes) {
            if node.repeats != marked.repeats {
                return wrong("its marks of repeated triangles are wrong", Place::Node(index));
            }
        }
        let surfaces = self.summed_surfaces();
        // Both sum the same numbers, in different orders.
        let near = (self.surfaces - surfaces).abs() <= 1e-9 * surfaces;
        if near { Ok(()) } else { wrong("the sum of all surfaces is another", Place::Node(0)) }
    }

    /// Recomputes [`Tree::surfaces`].
    pub(crate) fn summed_surfaces(&self) -> f64 {
        let surface = |[x, y, z]: [f32; 3]| f64::from(x * y + y * z + z * x);
        let halves = self.nodes.iter().flat_map(|n| (0..n.lanes as usize).map(|l| n.get(l).half));
        halves.map(surface).sum()
    }
}

/// Checks all invariants of [`Node`] for one lane, with the leaves below it.
pub(crate) fn check_lane(
    node: &Node,
    l: usize,
    leaves: &[Leaf],
    (vertices, triangles): (&[[f64; 3]], &[[u32; 3]]),
) -> Result<(), &'static str> {
    let lane = node.get(l);
    let mut reach = Sum::default();
    for c in lane.center.map(f64::from) {
        reach.add_product(c, c);
    }
    reach.add_product(-f64::from(node.reach), f64::from(node.reach));
    if reach.is_positive() {
        return Err("its centre is beyond the node's reach");
    }
    let axes = lane.axes.map(|axis| axis.map(f64::from));
    let holds = |i: usize, j: usize| {
        [1.0, -1.0].into_iter().all(|sign| {
            let mut off = Sum::default();
            for k in 0..3 {
                off.add_product(sign * axes[i][k], axes[j][k]);
            }
            off.add(if i == j { -sign } else { 0.0 });
            off.add(-OFF);
            !off.is_positive()
        })
    };
    if !(0..3).all(|i| (0..=i).all(|j| holds(i, j))) {
        return Err("its axes are not orthonormal");
    }
    let (origin, center) = (node.origin.map(f64::from), lane.center.map(f64::from));
    let ids = leaves.iter().flat_map(|leaf| leaf.triangles().into_iter().take(leaf.len()));
    for v in ids.flat_map(|t| triangles[t as usize]) {
        let y = &vertices[v as usize];
        for (axis, half) in axes.iter().zip(lane.half.map(f64::from)) {
            if !is_within(axis, y, &origin, &center, half) {
                return Err("a vertex below it is outside");
            }
        }
    }
    Ok(())
}

/// Underflow of vertices and products may take a vertex this far out of its box.
const UNDERFLOW: f64 = f64::from_bits((1023 - 1000) << 52);

/// Whether `|axis · (y − origin − center)| ≤ half`, exactly.
fn is_within(axis: &[f64; 3], y: &[f64; 3], o: &[f64; 3], c: &[f64; 3], half: f64) -> bool {
    let (mut sum, mut size) = (0.0, 0.0);
    for k in 0..3 {
        sum += axis[k] * (y[k] - o[k] - c[k]);
        size += axis[k].abs() * (y[k].abs() + o[k].abs() + c[k].abs());
    }
    // At most six roundings of half an epsilon for each part of the sum.
    if sum.abs() + 8.0 * f64::EPSILON * size < half {
        return true;
    }
    [1.0, -1.0].into_iter().all(|sign| {
        let mut beyond = Sum::default();
        for k in 0..3 {
            for (x, side) in [(y[k], sign), (o[k], -sign), (c[k], -sign)] {
                beyond.add_product(side * axis[k], x);
            }
        }
        beyond.add(-half);
        beyond.add(-UNDERFLOW);
        !beyond.is_positive()
    })
}

/// An exact sum, as a nonoverlapping expansion (Shewchuk 1997).
#[derive(Default)]
struct Sum(Vec<f64>);

impl Sum {
    fn add(&mut self, x: f64) {
        let mut carry = x;
        for part in &mut self.0 {
            let sum = carry + *part;
            let of_part = sum - carry;
            (*part, carry) = ((carry - (sum - of_part)) + (*part - of_part), sum);
        }
        self.0.push(carry);
    }

    fn add_product(&mut self, x: f64, y: f64) {
        let product = x * y;
        self.add(x.mul_add(y, -product));
        self.add(product);
    }

    /// Whether the sum is positive: the largest non-zero part has its sign. NaN and infinities
    /// count as positive.
    fn is_positive(&self) -> bool {
        let finite = self.0.iter().all(|x| x.is_finite());
        !finite || self.0.iter().rev().find(|x| **x != 0.0).is_some_and(|x| *x > 0.0)
    }
}

#[cfg(test)]
mod tests;
