//! Top-down building: fit, split, repeat until a leaf is small enough.

use impinge_geometry::Mesh;
use impinge_query::{Cancelled, Control};

use super::fit::Scope;
use super::passes::{LOOK, Passes};
use super::set::wrap;
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
        let passes = Passes::new(control);
        let mut items = Item::all(mesh, &passes)?;
        let total = items.len();
        let single = self.leaves == Leaves::SINGLE;
        let mut groups = Groups::default();
        let root = wrap(&self.fit, &items, &Scope::ROOT, &passes);
        let scope = Scope { root: root.extent, depth: 0 };
        let mut nodes = Vec::with_capacity(if single { 2 * total - 1 } else { 16 });
        nodes.push(Node::leaf(root.volume, 0));
        let mut tasks = vec![Task { node: 0, from: 0, to: total, depth: 0 }];
        let (mut done, mut since) = (0, LOOK);
        while let Some(Task { node, from, to, depth }) = tasks.pop() {
            let range = &mut items[from..to];
            since += range.len();
            if since >= LOOK {
                passes.finish()?;
                since = 0;
            }
            let wrapped = if node == 0 {
                root
            } else {
                wrap(&self.fit, range, &Scope { depth, ..scope }, &passes)
            };
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
            let middle = from + self.split.split(range, &wrapped.extent, &self.fit, &passes);
            if to - from >= LOOK {
                // A pass that ended early may have left a part empty.
                passes.finish()?;
            }
            let pair = nodes.len();
            nodes[node] = Node::inner(volume, pair as u32);
            nodes.extend([Node::leaf(volume, 0); 2]);
            tasks.push(Task { node: pair + 1, from: middle, to, depth: depth + 1 });
            tasks.push(Task { node: pair, from, to: middle, depth: depth + 1 });
        }
        passes.finish()?;
        if self.leaves.boundaries {
            groups.find_boundaries(mesh);
        }
        Ok(if single { Tree::from_nodes(nodes) } else { Tree::with_groups(nodes, groups) })
    }

    fn refit(&self) -> Option<Refit<F::Volume>> {
        F::REFIT
    }
}
