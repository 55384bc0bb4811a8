//! A binary tree of bounding volumes over the triangles of one mesh. Siblings lie side by side.

use impinge_geometry::{Mesh, Pose};

use crate::placement::Placement;
use crate::volume::Volume;

/// Where a node leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Child {
    /// Two children, at this index and the next.
    Pair(u32),
    /// One triangle of the mesh.
    Triangle(u32),
}

const LEAF: u32 = 1 << 31;

/// A volume and what it wraps.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct Node<V> {
    /// Wraps every triangle below.
    pub volume: V,
    link: u32,
}

impl<V: Volume> Node<V> {
    /// A node with two children, the first at `pair`.
    pub const fn inner(volume: V, pair: u32) -> Self {
        Self { volume, link: pair }
    }

    /// A node with one triangle.
    pub const fn leaf(volume: V, triangle: u32) -> Self {
        Self { volume, link: triangle | LEAF }
    }

    /// Where it leads.
    #[inline(always)]
    pub const fn child(&self) -> Child {
        if self.link & LEAF == 0 {
            Child::Pair(self.link)
        } else {
            Child::Triangle(self.link ^ LEAF)
        }
    }

    /// Does it hold one triangle?
    #[inline(always)]
    pub const fn is_leaf(&self) -> bool {
        self.link & LEAF != 0
    }
}

/// The tree; node 0 is the root.
#[derive(Clone, Debug)]
pub struct Tree<V> {
    nodes: Vec<Node<V>>,
}

impl<V: Volume> Tree<V> {
    /// Most triangles a tree can hold: links have 31 bits and there are two nodes per triangle.
    pub const MAX_TRIANGLES: usize = (1 << 30) - 1;

    /// A tree of nodes in which node 0 is the root and siblings are adjacent.
    pub const fn from_nodes(nodes: Vec<Node<V>>) -> Self {
        Self { nodes }
    }

    /// All nodes.
    pub fn nodes(&self) -> &[Node<V>] {
        &self.nodes
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node<V>>()
    }

    /// Checks the structure: every triangle in exactly one leaf, every node reached once, and every
    /// corner within the axis-aligned bounds of all nodes above it.
    ///
    /// # Errors
    /// A sentence that names the node and the triangle. O(n · depth).
    pub fn validate(&self, mesh: &Mesh) -> Result<(), String> {
        let mut seen = vec![false; mesh.triangles().len()];
        let mut visited = 0usize;
        let mut stack = vec![(0u32, Vec::new())];
        let own = Placement::new(&Pose::identity(), mesh.max_abs_coordinate(), 0.0);
        while let Some((index, mut above)) = stack.pop() {
            let node = self.nodes.get(index as usize).ok_or(format!("no node {index}"))?;
            visited += 1;
            above.push(index);
            match node.child() {
                Child::Pair(first) => {
                    stack.push((first, above.clone()));
                    stack.push((first + 1, above));
                }
                Child::Triangle(t) => {
                    let slot = seen.get_mut(t as usize).ok_or(format!("no triangle {t}"))?;
                    if std::mem::replace(slot, true) {
                        return Err(format!("triangle {t} is in two leaves"));
                    }
                    self.check_wrapped(mesh, t, &above, &own)?;
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
        own: &Placement,
    ) -> Result<(), String> {
        for &index in above {
            let bounds = V::bounds(&self.nodes[index as usize].volume.place(own));
            for p in mesh.triangle(t) {
                if (0..3).any(|k| p[k] < bounds[k][0] || p[k] > bounds[k][1]) {
                    return Err(format!("node {index} does not wrap triangle {t}"));
                }
            }
        }
        Ok(())
    }
}
