//! Top-down building: fit, split, repeat until a leaf is small enough.

use impinge_geometry::Mesh;
use impinge_query::{Cancelled, Control};

use super::fit::Scope;
use super::{Builder, Fit, Item, Refit, Split};
use crate::groups::Groups;
use crate::tree::{Node, Tree};

/// When a node becomes a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaves {
    /// Sets of at most this many triangles become leaves.
    pub triangles: usize,
    /// Nodes at this depth become leaves regardless of size; the root has depth 0.
    pub depth: u32,
    /// Whether to keep the boundary edges of each leaf's patch (see [`Tree::boundary`]).
    pub boundaries: bool,
}

impl Leaves {
    /// One triangle per leaf.
    pub const SINGLE: Self = Self { triangles: 1, depth: u32::MAX, boundaries: false };
}

impl Default for Leaves {
    fn default() -> Self {
        Self::SINGLE
    }
}

/// A top-down builder: *fit × split*.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TopDown<F, S> {
    /// How volumes are fitted.
    pub fit: F,
    /// How triangles are divided.
    pub split: S,
    /// When to stop.
    pub leaves: Leaves,
}

impl<F, S> TopDown<F, S> {
    /// A builder with one triangle per leaf.
    pub const fn new(fit: F, split: S) -> Self {
        Self { fit, split, leaves: Leaves::SINGLE }
    }
}

/// Triangles fitted or divided between two polls of the caller's flag, unless a single node has
/// more: a few milliseconds.
const LOOK: usize = 1 << 13;

/// A node to be fitted and split.
struct Task {
    node: usize,
    from: usize,
    to: usize,
    depth: u32,
}

impl<F: Fit, S: Split> Builder for TopDown<F, S> {
    type Volume = F::Volume;

    fn build(&self, mesh: &Mesh, control: &Control<'_>) -> Result<Tree<F::Volume>, Cancelled> {
        let mut items: Vec<Item> =
            mesh.corners().zip(0..).map(|(corners, index)| Item { corners, index }).collect();
        let total = items.len();
        let single = self.leaves == Leaves::SINGLE;
        let mut groups = Groups::default();
        let root = self.fit.wrap(&items, &Scope::ROOT);
        let scope = Scope { root: root.extent, depth: 0 };
        let mut nodes = Vec::with_capacity(if single { 2 * total - 1 } else { 16 });
        nodes.push(Node::leaf(root.volume, 0));
        let mut tasks = vec![Task { node: 0, from: 0, to: total, depth: 0 }];
        let (mut done, mut since) = (0, LOOK);
        while let Some(Task { node, from, to, depth }) = tasks.pop() {
            let range = &mut items[from..to];
            since += range.len();
            if since >= LOOK {
                control.check()?;
                since = 0;
            }
            let wrapped =
                if node == 0 { root } else { self.fit.wrap(range, &Scope { depth, ..scope }) };
            let volume = wrapped.volume;
            let small = range.len() <= self.leaves.triangles.max(1) || depth >= self.leaves.depth;
            if small {
                let leaf = if single {
                    range[0].index
                } else {
                    groups.push(range.iter().map(|i| i.index))
                };
                nodes[node] = Node::leaf(volume, leaf);
                let before = done;
                done += range.len();
                let part = 1 + total / 100;
                if before / part != done / part {
                    control.report("build", done as u64, total as u64);
                }
                continue;
            }
            let middle = from + self.split.split(range, &wrapped.extent, &self.fit);
            let pair = nodes.len();
            nodes[node] = Node::inner(volume, pair as u32);
            nodes.extend([Node::leaf(volume, 0); 2]);
            tasks.push(Task { node: pair + 1, from: middle, to, depth: depth + 1 });
            tasks.push(Task { node: pair, from, to: middle, depth: depth + 1 });
        }
        control.check()?;
        if self.leaves.boundaries {
            groups.find_boundaries(mesh);
        }
        Ok(if single { Tree::from_nodes(nodes) } else { Tree::with_groups(nodes, groups) })
    }

    fn refit(&self) -> Option<Refit<F::Volume>> {
        F::REFIT
    }
}
