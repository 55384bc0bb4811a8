//! The triangles and boxes of a model on an adapter, in pieces that its buffers hold.

use std::sync::Arc;

use impinge_gpu::wgpu::Buffer;
use impinge_shaders::stream::{StreamFace, StreamNode};

use super::adapter::{Adapter, Trouble};
use super::parts::ranges;
use crate::model::{Below, Culled, StreamModel};

/// The triangles and boxes of a model on an adapter.
#[derive(Clone, Debug)]
pub(crate) struct Sent {
    pub(super) pieces: Arc<[Piece]>,
}

/// Some triangles of a model, and the boxes over them, in buffers of their own.
#[derive(Debug)]
pub(super) struct Piece {
    pub(super) faces: Buffer,
    /// The model's triangle that each of them is.
    pub(super) triangles: Vec<u32>,
    pub(super) tree: Option<SentTree>,
}

/// The nodes of a tree on an adapter.
#[derive(Debug)]
pub(super) struct SentTree {
    pub(super) nodes: Buffer,
    /// Number of nodes at each depth.
    pub(super) widths: Vec<u32>,
}

/// A node of a tree and all below it, one depth after the other. Its links are to its own nodes and
/// to places in its own list of triangles.
#[derive(Debug, Default)]
struct Branch {
    triangles: Vec<u32>,
    nodes: Vec<StreamNode>,
    widths: Vec<u32>,
}

impl Sent {
    pub(super) fn new(adapter: &Adapter, model: &StreamModel) -> Result<Self, Trouble> {
        let bytes = adapter.most_bytes();
        let pieces: Result<_, _> = match model.culled() {
            Some(culled) => {
                // A tree has fewer than two nodes for each triangle. An edge may meet all nodes of
                // a depth, which are no more than the triangles: a list holds these.
                let most = (most::<StreamNode>(bytes) / 2).min(adapter.sizes.most);
                let roots = roots(culled, most).into_iter();
                roots.map(|root| Piece::below(adapter, model, culled, root)).collect()
            }
            None => ranges(model.faces().len() as u32, most::<StreamFace>(bytes))
                .map(|range| Piece::new(adapter, model, range.collect(), None))
                .collect(),
        };
        Ok(Self { pieces: pieces? })
    }
}

/// How many records are in so many bytes, one at least.
pub(super) fn most<T>(bytes: u64) -> u32 {
    (bytes / size_of::<T>() as u64).clamp(1, u64::from(u32::MAX)) as u32
}

impl Piece {
    fn new(
        adapter: &Adapter,
        model: &StreamModel,
        triangles: Vec<u32>,
        tree: Option<SentTree>,
    ) -> Result<Self, Trouble> {
        let faces = model.faces();
        let faces: Vec<StreamFace> =
            triangles.iter().map(|&t| faces[t as usize].record()).collect();
        let faces = adapter.upload("triangles", &faces)?;
        Ok(Self { faces, triangles, tree })
    }

    /// The triangles below a node.
    fn below(
        adapter: &Adapter,
        model: &StreamModel,
        culled: &Culled,
        root: u32,
    ) -> Result<Self, Trouble> {
        let Some(Branch { triangles, nodes, widths }) = Branch::new(culled, root) else {
            return Err(Trouble::Failed("a leaf has not one triangle".to_owned()));
        };
        let tree = SentTree { nodes: adapter.upload("boxes", &nodes)?, widths };
        Self::new(adapter, model, triangles, Some(tree))
    }

    /// Number of triangles.
    pub(super) const fn count(&self) -> u32 {
        self.triangles.len() as u32
    }
}

/// The nodes highest in the tree with at most so many triangles below each, from the first leaf to
/// the last. All triangles are below one of them.
fn roots(culled: &Culled, most: u32) -> Vec<u32> {
    let tree = &culled.tree;
    let mut below = vec![1u32; tree.nodes().len()];
    // In reverse, because children come after their parents.
    for node in (0..below.len()).rev() {
        if let Some(Below::Nodes(first)) = Below::of(tree, node) {
            below[node] = below[first as usize] + below[first as usize + 1];
        }
    }
    let (mut roots, mut stack) = (Vec::new(), vec![0]);
    while let Some(node) = stack.pop() {
        match Below::of(tree, node as usize) {
            Some(Below::Nodes(first)) if below[node as usize] > most => {
                stack.extend([first + 1, first]);
            }
            _ => roots.push(node),
        }
    }
    roots
}

impl Branch {
    /// `None` if a leaf has not one triangle.
    fn new(culled: &Culled, root: u32) -> Option<Self> {
        let mut branch = Self::default();
        let mut level = vec![root];
        while !level.is_empty() {
            branch.widths.push(level.len() as u32);
            let next_begins = (branch.nodes.len() + level.len()) as u32;
            let mut next = Vec::with_capacity(2 * level.len());
            for node in level {
                let below = match Below::of(&culled.tree, node as usize)? {
                    Below::Nodes(first) => {
                        next.extend([first, first + 1]);
                        Below::Nodes(next_begins + next.len() as u32 - 2)
                    }
                    Below::Triangle(t) => {
                        branch.triangles.push(t);
                        Below::Triangle(branch.triangles.len() as u32 - 1)
                    }
                };
                branch.nodes.push(culled.boxes[node as usize].record(below));
            }
            level = next;
        }
        Some(branch)
    }
}

#[cfg(test)]
mod tests {
    use impinge_models::Shape;
    use impinge_query::Control;
    use impinge_shaders::stream::LEAF;

    use super::*;

    fn model() -> StreamModel {
        StreamModel::new(&Shape::Gear.mesh(300, 1), true, &Control::NONE).expect("any mesh")
    }

    #[test]
    fn branches_have_each_triangle_once_and_no_more_than_fit() {
        let model = model();
        let culled = model.culled().expect("it culls");
        let count = model.faces().len() as u32;
        for (most, least_pieces) in [(count, 1), (count - 1, 2), (40, 8), (1, count as usize)] {
            let roots = roots(culled, most);
            assert!(roots.len() >= least_pieces && (most > 1 || roots.len() == least_pieces));
            let mut all = Vec::new();
            for &root in &roots {
                let branch = Branch::new(culled, root).expect("a triangle in each leaf");
                assert!(branch.triangles.len() as u32 <= most);
                assert_eq!(branch.nodes.len(), 2 * branch.triangles.len() - 1);
                assert_eq!(branch.widths.iter().sum::<u32>() as usize, branch.nodes.len());
                all.extend(branch.triangles);
            }
            all.sort_unstable();
            assert_eq!(all, (0..count).collect::<Vec<_>>(), "{most}");
        }
    }

    /// Walks a branch beside the tree that it is of.
    #[test]
    fn links_of_a_branch_are_those_of_the_tree() {
        let model = model();
        let culled = model.culled().expect("it culls");
        for root in roots(culled, 40) {
            let branch = Branch::new(culled, root).expect("a triangle in each leaf");
            let (mut stack, mut reached) = (vec![(root, 0)], 0);
            while let Some((node, own)) = stack.pop() {
                reached += 1;
                let record = branch.nodes[own as usize];
                let below = Below::of(&culled.tree, node as usize).expect("one triangle");
                assert_eq!(
                    StreamNode { link: 0, ..record },
                    StreamNode { link: 0, ..culled.boxes[node as usize].record(below) }
                );
                match below {
                    Below::Nodes(first) => {
                        stack.extend([(first, record.link), (first + 1, record.link + 1)]);
                    }
                    Below::Triangle(t) => {
                        assert_eq!(branch.triangles[(record.link & !LEAF) as usize], t);
                    }
                }
            }
            assert_eq!(reached, branch.nodes.len());
        }
    }

    #[test]
    fn a_buffer_holds_whole_records_and_one_at_least() {
        assert_eq!(most::<StreamNode>(1 << 27), 1 << 21);
        assert_eq!(most::<StreamNode>(127), 1);
        assert_eq!(most::<StreamNode>(0), 1);
        assert_eq!(most::<u32>(u64::MAX), u32::MAX);
    }
}
