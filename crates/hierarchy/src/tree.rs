//! A binary tree of bounding volumes over the triangles of one mesh.
//!
//! Siblings are adjacent, children come after their parents, and all descendants of the first
//! sibling before those of the second. So a reverse pass visits children before parents, and an
//! index tells on which side of a node it is.
//!
//! ```text
//!              0
//!         ┌────┴────┐
//!         1         2
//!       ┌─┴─┐     ┌─┴─┐
//!       3   4     7   8
//!         ┌─┴─┐
//!         5   6
//!
//!  node   0 │ 1  2 │ 3  4 │ 5  6 │ 7  8     siblings are a pair
//!  link   1 │ 3  7 │ t  5 │ t  t │ t  t     the first child; at a leaf, with the top bit set, its
//!                                           triangle or the number of its group
//! ```

use std::sync::Arc;

use impinge_geometry::{Mesh, Pose};

use crate::groups::{Edge, Groups};
use crate::lazy::Lazy;
use crate::placement::Placement;
use crate::repeated::Repeated;
use crate::volume::{Merge, Volume};

/// What is below a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Child {
    /// Two children, at this index and the next.
    Pair(u32),
    /// A leaf: the argument of [`Tree::leaf`].
    Leaf(u32),
}

const LEAF: u32 = 1 << 31;

/// A volume and a link to its children or triangles.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct Node<V> {
    /// Contains every triangle below.
    pub volume: V,
    link: u32,
}

impl<V: Volume> Node<V> {
    /// A node with two children, at `pair` and `pair + 1`.
    pub const fn inner(volume: V, pair: u32) -> Self {
        Self { volume, link: pair }
    }

    /// A node without children. `leaf` is the index of its triangle, or of its group.
    pub const fn leaf(volume: V, leaf: u32) -> Self {
        Self { volume, link: leaf + LEAF }
    }

    /// Its children, or its leaf.
    #[inline(always)]
    pub const fn child(&self) -> Child {
        if self.link & LEAF == 0 { Child::Pair(self.link) } else { Child::Leaf(self.link ^ LEAF) }
    }

    /// Whether it has no children.
    #[inline(always)]
    pub const fn is_leaf(&self) -> bool {
        self.link & LEAF != 0
    }
}

/// The triangles of a leaf.
#[derive(Clone, Copy, Debug)]
pub enum Leaf<'t> {
    /// The index of one triangle.
    One(u32),
    /// The indices of several triangles.
    Many(&'t [u32]),
}

impl Leaf<'_> {
    /// Indices of the leaf's triangles.
    pub const fn as_slice(&self) -> &[u32] {
        match self {
            Self::One(t) => std::slice::from_ref(t),
            Self::Many(list) => list,
        }
    }
}

/// The tree; node 0 is the root.
#[derive(Clone, Debug)]
pub struct Tree<V> {
    nodes: Vec<Node<V>>,
    groups: Option<Groups>,
    /// Volumes below the upper nodes, if the tree is updated lazily.
    lazy: Option<Lazy<V>>,
    /// Repeated triangles, if any.
    repeated: Option<Box<Repeated>>,
}

impl<V: Volume> Tree<V> {
    /// Most triangles of a tree: links have 31 bits and there are two nodes per triangle.
    pub const MAX_TRIANGLES: usize = (1 << 30) - 1;

    /// A tree with one triangle per leaf. Node 0 is the root, and the order is that of the module's
    /// description.
    pub const fn from_nodes(nodes: Vec<Node<V>>) -> Self {
        Self { nodes, groups: None, lazy: None, repeated: None }
    }

    /// The same, with leaves that hold groups of triangles.
    pub const fn with_groups(nodes: Vec<Node<V>>, groups: Groups) -> Self {
        Self { nodes, groups: Some(groups), lazy: None, repeated: None }
    }

    /// The same tree with other volumes, one per node.
    pub(crate) fn with_volumes<W: Volume>(&self, volumes: impl Iterator<Item = W>) -> Tree<W> {
        let node = |(node, volume): (&Node<V>, W)| Node { volume, link: node.link };
        Tree {
            nodes: self.nodes.iter().zip(volumes).map(node).collect(),
            groups: self.groups.clone(),
            lazy: None,
            repeated: self.repeated.clone(),
        }
    }

    /// The triangles of a leaf, given by [`Child::Leaf`].
    #[inline(always)]
    pub fn leaf(&self, leaf: u32) -> Leaf<'_> {
        match &self.groups {
            None => Leaf::One(leaf),
            Some(groups) => Leaf::Many(groups.get(leaf)),
        }
    }

    /// Whether a triangle may be in several leaves. Then each leaf's box contains a part of it, and
    /// a search that counts triangles must count each once.
    pub fn repeats(&self) -> bool {
        self.groups.as_ref().is_some_and(Groups::repeats)
    }

    /// Marks the nodes that hold only repeated triangles. O(n).
    pub(crate) fn mark_repeated(&mut self, mesh: &Mesh) {
        self.repeated = Repeated::of(self, mesh);
    }

    /// The result of [`Tree::mark_repeated`]; `None` if nothing repeats.
    #[inline(always)]
    pub(crate) fn repeated(&self) -> Option<&Repeated> {
        self.repeated.as_deref()
    }

    /// Whether the mesh has an equal triangle of lower index.
    #[inline]
    pub fn is_repeat(&self, t: u32) -> bool {
        self.repeated().is_some_and(|repeated| repeated.triangle(t))
    }

    /// Whether a node holds only repeats. Then a search for one contact may skip it.
    #[inline]
    pub fn only_repeats(&self, node: u32) -> bool {
        self.repeated().is_some_and(|repeated| repeated.node(node))
    }

    /// The group of all triangles below a node, if the builder made one.
    pub fn all_below(&self, node: u32) -> Option<u32> {
        self.groups.as_ref()?.all_below(node)
    }

    /// The group of triangles that cross the plane between a node's children, if the builder kept
    /// them, and the bit of the node's level.
    pub fn block(&self, node: u32) -> Option<(u32, u8)> {
        self.groups.as_ref()?.block(node)
    }

    /// The bits of the levels at which a triangle crosses the plane between the children of one of
    /// its ancestors; 0 if the builder kept no blocks.
    pub fn levels(&self, triangle: u32) -> u8 {
        self.groups.as_ref().map_or(0, |groups| groups.levels(triangle))
    }

    /// The boundary edges of a leaf's patch, if the builder kept them.
    pub fn boundary(&self, leaf: u32) -> &[Edge] {
        self.groups.as_ref().map_or(&[], |groups| groups.boundary(leaf))
    }

    /// The current volume of a node. After a lazy update, the first call for a part of the tree
    /// refits that part.
    #[inline(always)]
    pub fn volume(&self, node: u32) -> &V {
        match &self.lazy {
            None => &self.nodes[node as usize].volume,
            Some(lazy) => self.lazy_volume(lazy, node),
        }
    }

    /// Whether volumes below the upper nodes are computed on demand.
    pub(crate) const fn is_lazy(&self) -> bool {
        self.lazy.is_some()
    }

    #[inline(never)]
    fn lazy_volume<'t>(&'t self, lazy: &'t Lazy<V>, node: u32) -> &'t V {
        lazy.volume(self, node).unwrap_or(&self.nodes[node as usize].volume)
    }

    pub(crate) const fn lazy_mut(&mut self) -> Option<&mut Lazy<V>> {
        self.lazy.as_mut()
    }

    pub(crate) fn set_volume(&mut self, node: u32, volume: V) {
        self.nodes[node as usize].volume = volume;
    }

    /// All nodes; node 0 is the root. After a lazy update their volumes are out of date: see
    /// [`Tree::volume`].
    pub fn nodes(&self) -> &[Node<V>] {
        &self.nodes
    }

    /// Memory in bytes.
    pub fn bytes(&self) -> usize {
        let groups = self.groups.as_ref().map_or(0, Groups::bytes);
        let lazy = self.lazy.as_ref().map_or(0, Lazy::bytes);
        let repeated = self.repeated().map_or(0, Repeated::bytes);
        self.nodes.capacity() * size_of::<Node<V>>() + groups + lazy + repeated
    }

    /// Checks the structure: every triangle in exactly one leaf, every node reached once, every
    /// corner within the axis-aligned bounds of all nodes above it, children after parents, and all
    /// descendants of a first sibling before those of the second. O(n · depth).
    ///
    /// # Errors
    /// A sentence that names the node or the triangle.
    pub fn validate(&self, mesh: &Mesh) -> Result<(), String> {
        let mut seen = vec![false; mesh.triangles().len()];
        let mut visited = 0usize;
        let mut stack = vec![(0u32, Vec::new())];
        let own = V::frame(&Placement::new(&Pose::identity(), mesh.max_abs_coordinate(), 0.0));
        let mut last = 0;
        while let Some((index, mut above)) = stack.pop() {
            let node = self.nodes.get(index as usize).ok_or(format!("no node {index}"))?;
            visited += 1;
            above.push(index);
            match node.child() {
                Child::Pair(first) => {
                    if first <= std::mem::replace(&mut last, first) {
                        return Err(format!("node {index} has its children out of order"));
                    }
                    stack.push((first + 1, above.clone()));
                    stack.push((first, above));
                }
                Child::Leaf(leaf) => {
                    for &t in self.leaf(leaf).as_slice() {
                        let slot = seen.get_mut(t as usize).ok_or(format!("no triangle {t}"))?;
                        if std::mem::replace(slot, true) {
                            return Err(format!("triangle {t} is in two leaves"));
                        }
                        self.check_wrapped(mesh, t, &above, &own)?;
                    }
                }
            }
        }
        if let Some(t) = seen.iter().position(|s| !s) {
            return Err(format!("triangle {t} is in no leaf"));
        }
        if visited != self.nodes.len() {
            return Err(format!("{} nodes, {visited} reached", self.nodes.len()));
        }
        Ok(())
    }

    fn check_wrapped(
        &self,
        mesh: &Mesh,
        t: u32,
        above: &[u32],
        own: &V::Frame,
    ) -> Result<(), String> {
        for &index in above {
            let bounds = V::bounds(&self.volume(index).place(own));
            for p in mesh.triangle(t) {
                if (0..3).any(|k| p[k] < bounds[k][0] || p[k] > bounds[k][1]) {
                    return Err(format!("node {index} does not wrap triangle {t}"));
                }
            }
        }
        Ok(())
    }
}

impl<V: Merge> Tree<V> {
    /// Refits all volumes to the current vertices, leaves first, in one reverse pass; the structure
    /// is kept. Returns the tree's cost: the sum of all inner nodes' areas relative to the root's,
    /// which is the expected number of tests for a random probe that meets the root.
    pub fn refit(&mut self, mesh: &Mesh) -> f64 {
        self.lazy = None;
        let mut sum = 0.0;
        for index in (0..self.nodes.len()).rev() {
            let volume = match self.nodes[index].child() {
                Child::Pair(first) => {
                    let first = first as usize;
                    let merged = self.nodes[first].volume.merged(&self.nodes[first + 1].volume);
                    sum += merged.area();
                    merged
                }
                Child::Leaf(leaf) => self.wrap_leaf(leaf, mesh),
            };
            self.nodes[index].volume = volume;
        }
        let root = self.nodes[0].volume.area();
        if root > 0.0 { sum / root } else { 0.0 }
    }

    /// The cost that [`Tree::refit`] returns, of the current volumes.
    pub fn cost(&self) -> f64 {
        let inner = self.nodes.iter().filter(|node| !node.is_leaf());
        let sum: f64 = inner.map(|node| node.volume.area()).sum();
        let root = self.nodes[0].volume.area();
        if root > 0.0 { sum / root } else { 0.0 }
    }

    /// Refits the upper nodes and leaves the rest to the queries that visit them
    /// ([`Update::Hybrid`](crate::build::Update)). Returns the cost of the upper nodes.
    pub(crate) fn refit_upper(&mut self, mesh: &Arc<Mesh>) -> f64 {
        let mut lazy = self.lazy.take().unwrap_or_else(|| Lazy::cut(self));
        let cost = lazy.refit(self, mesh);
        self.lazy = Some(lazy);
        cost
    }

    /// The cost that [`Tree::refit_upper`] returns, of the current volumes.
    pub(crate) fn cost_upper(&self) -> f64 {
        match &self.lazy {
            Some(lazy) => lazy.cost(self),
            None => Lazy::cut(self).cost(self),
        }
    }

    pub(crate) fn wrap_leaf(&self, leaf: u32, mesh: &Mesh) -> V {
        let leaf = self.leaf(leaf);
        let [first, rest @ ..] = leaf.as_slice() else { return self.nodes[0].volume };
        let wrap = |t: &u32| V::of_triangle(&mesh.triangle(*t));
        rest.iter().fold(wrap(first), |all, t| all.merged(&wrap(t)))
    }
}

#[cfg(test)]
mod tests;
