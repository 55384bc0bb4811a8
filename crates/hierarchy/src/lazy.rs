//! Hybrid of bottom-up and lazy top-down refitting (Larsson and Akenine-Möller 2001; fan §1.3.3.1,
//! sbv §4): after a deformation only the upper nodes are refitted, and the nodes below when a query
//! first visits them.
//!
//! 1. The tree is cut into *treelets*: the descendants of a node with at most [`TREELET`]
//!    descendants whose parent has more. In memory a treelet is a range of nodes.
//! 2. A refit fits each treelet's root to its triangles, merges upwards from there, and discards
//!    the treelets' volumes.
//! 3. The first query that opens a treelet's root refits the treelet, leaves first. Several threads
//!    may ask at once; one does the work.

use std::sync::{Arc, OnceLock};

use impinge_geometry::Mesh;

use crate::tree::{Child, Tree};
use crate::volume::{Merge, Volume};

/// Most descendants of a treelet's root, which has at most 64 triangles.
const TREELET: u32 = 126;

/// Refits the nodes from..to of a tree. A function pointer, because only [`Lazy::cut`] knows that
/// the volume can be merged.
type Wrap<V> = fn(&Tree<V>, &Mesh, [u32; 2]) -> Box<[V]>;

/// The descendants of one node.
#[derive(Clone, Copy, Debug)]
struct Treelet {
    /// Nodes from..to.
    nodes: [u32; 2],
    /// Its triangles are `order[from..to]`.
    triangles: [u32; 2],
}

/// Marks nodes that belong to no treelet.
const UPPER: u32 = u32::MAX;

/// The treelets of a tree, and the volumes that queries have asked for since the last refit.
#[derive(Clone, Debug)]
pub(crate) struct Lazy<V> {
    /// The mesh with its current vertices; `None` only while they are being moved.
    mesh: Option<Arc<Mesh>>,
    /// Index of each node's treelet, or [`UPPER`].
    treelet_of: Vec<u32>,
    treelets: Vec<Treelet>,
    /// The triangles by treelet, so that a refit need not read the nodes.
    order: Vec<u32>,
    volumes: Vec<OnceLock<Box<[V]>>>,
    /// The nodes outside all treelets, parents first.
    upper: Vec<u32>,
    wrap: Wrap<V>,
}

impl<V: Volume> Lazy<V> {
    /// The current volume of a node in a treelet; `None` for an upper node.
    pub(crate) fn volume(&self, tree: &Tree<V>, node: u32) -> Option<&V> {
        let treelet = self.treelet_of[node as usize];
        if treelet == UPPER {
            return None;
        }
        let range = self.treelets[treelet as usize].nodes;
        let mesh = self.mesh.as_ref()?;
        let volumes = self.volumes[treelet as usize].get_or_init(|| (self.wrap)(tree, mesh, range));
        Some(&volumes[(node - range[0]) as usize])
    }

    /// Drops the reference to the mesh, so that its vertices can be moved without a copy.
    pub(crate) fn release(&mut self) {
        self.mesh = None;
    }

    /// Holds a reference to the mesh again.
    pub(crate) fn hold(&mut self, mesh: &Arc<Mesh>) {
        self.mesh = Some(Arc::clone(mesh));
    }

    /// Memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let known = self.volumes.iter().filter_map(OnceLock::get);
        known.map(|volumes| size_of_val::<[V]>(volumes)).sum::<usize>()
            + self.volumes.capacity() * size_of::<OnceLock<Box<[V]>>>()
            + (self.treelet_of.capacity() + self.upper.capacity() + self.order.capacity())
                * size_of::<u32>()
            + self.treelets.capacity() * size_of::<Treelet>()
    }
}

impl<V: Merge> Lazy<V> {
    /// Cuts a tree into treelets.
    pub(crate) fn cut(tree: &Tree<V>) -> Self {
        let nodes = tree.nodes();
        let mut below = vec![0_u32; nodes.len()];
        for (index, node) in nodes.iter().enumerate().rev() {
            if let Child::Pair(first) = node.child() {
                below[index] = 2 + below[first as usize] + below[first as usize + 1];
            }
        }
        let (mut treelet_of, mut treelets) = (vec![UPPER; nodes.len()], Vec::new());
        let (mut upper, mut stack) = (Vec::new(), vec![0_u32]);
        let mut order = Vec::new();
        while let Some(index) = stack.pop() {
            upper.push(index);
            let Child::Pair(first) = nodes[index as usize].child() else { continue };
            let count = below[index as usize];
            if count <= TREELET {
                // The descendants of a node are its children followed by all their descendants.
                let range = first as usize..(first + count) as usize;
                let from = order.len() as u32;
                for node in &nodes[range.clone()] {
                    if let Child::Leaf(leaf) = node.child() {
                        order.extend_from_slice(tree.leaf(leaf).as_slice());
                    }
                }
                treelet_of[range].fill(treelets.len() as u32);
                let triangles = [from, order.len() as u32];
                treelets.push(Treelet { nodes: [first, first + count], triangles });
            } else {
                stack.extend([first + 1, first]);
            }
        }
        let volumes = treelets.iter().map(|_| OnceLock::new()).collect();
        Self { mesh: None, treelet_of, treelets, order, volumes, upper, wrap: wrap_treelet }
    }

    /// Step 2 of the module's description; returns the cost of the upper nodes.
    pub(crate) fn refit(&mut self, tree: &mut Tree<V>, mesh: &Arc<Mesh>) -> f64 {
        let mut sum = 0.0;
        for &index in self.upper.iter().rev() {
            let volume = match tree.nodes()[index as usize].child() {
                Child::Leaf(leaf) => tree.wrap_leaf(leaf, mesh),
                Child::Pair(first) => {
                    let volume = match self.treelet_of[first as usize] {
                        UPPER => {
                            let [m, n] =
                                [first, first + 1].map(|k| tree.nodes()[k as usize].volume);
                            m.merged(&n)
                        }
                        treelet => self.wrap_all(tree, mesh, self.treelets[treelet as usize]),
                    };
                    sum += volume.area();
                    volume
                }
            };
            tree.set_volume(index, volume);
        }
        self.volumes.iter_mut().for_each(|volumes| drop(volumes.take()));
        self.hold(mesh);
        relative(sum, tree)
    }

    /// One volume around all triangles of a treelet.
    fn wrap_all(&self, tree: &Tree<V>, mesh: &Mesh, treelet: Treelet) -> V {
        let [from, to] = treelet.triangles;
        let wrap = |t: &u32| V::of_triangle(&mesh.triangle(*t));
        let triangles = self.order[from as usize..to as usize].iter().map(wrap);
        triangles.reduce(|all, one| all.merged(&one)).unwrap_or(tree.nodes()[0].volume)
    }

    /// The cost of the upper nodes with their current volumes.
    pub(crate) fn cost(&self, tree: &Tree<V>) -> f64 {
        let inner = self.upper.iter().map(|&k| &tree.nodes()[k as usize]).filter(|n| !n.is_leaf());
        relative(inner.map(|node| node.volume.area()).sum(), tree)
    }
}

fn relative<V: Merge>(sum: f64, tree: &Tree<V>) -> f64 {
    let root = tree.nodes()[0].volume.area();
    if root > 0.0 { sum / root } else { 0.0 }
}

/// Step 3 of the module's description.
fn wrap_treelet<V: Merge>(tree: &Tree<V>, mesh: &Mesh, [from, to]: [u32; 2]) -> Box<[V]> {
    let nodes = &tree.nodes()[from as usize..to as usize];
    let mut volumes: Box<[V]> = nodes.iter().map(|node| node.volume).collect();
    for (k, node) in nodes.iter().enumerate().rev() {
        volumes[k] = match node.child() {
            Child::Leaf(leaf) => tree.wrap_leaf(leaf, mesh),
            Child::Pair(first) => {
                let first = (first - from) as usize;
                volumes[first].merged(&volumes[first + 1])
            }
        };
    }
    volumes
}

#[cfg(test)]
mod tests;
