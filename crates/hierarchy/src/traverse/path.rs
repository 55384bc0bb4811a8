//! Recomputes the path from the root to a pair of nodes: a larger-first descent depends on the
//! nodes alone, so the path need not be stored.

use super::{NodePair, Step, Trees};
use crate::tree::Tree;
use crate::volume::Volume;

/// Pushes the sibling pairs along the path from the root to `target`, the deepest last. Together
/// with `target` they cover every pair of leaves exactly once.
pub(super) fn push_beside<V: Volume>(
    trees: &Trees<'_, V>,
    target: NodePair,
    beside: &mut Vec<NodePair>,
) {
    let mut at = [0, 0];
    while at != target {
        match trees.step(at) {
            Step::OpenA(first) => {
                let on = below(trees.a, first, target[0]);
                beside.push([2 * first + 1 - on, at[1]]);
                at[0] = on;
            }
            Step::OpenB(first) => {
                let on = below(trees.b, first, target[1]);
                beside.push([at[0], 2 * first + 1 - on]);
                at[1] = on;
            }
            // `target` is not below the root: cannot happen for a pair that a descent reached.
            Step::Leaves(..) => return,
        }
    }
}

/// Which of the siblings at `first` is `node` or its ancestor. Descendants of the first sibling are
/// stored before those of the second (see [`Tree`]).
fn below<V: Volume>(tree: &Tree<V>, first: u32, node: u32) -> u32 {
    use crate::tree::Child::{Leaf, Pair};
    if node <= first + 1 {
        return node.max(first);
    }
    match (tree.nodes()[first as usize].child(), tree.nodes()[first as usize + 1].child()) {
        (Pair(_), Pair(second)) if node < second => first,
        (Pair(_), Leaf(_)) => first,
        _ => first + 1,
    }
}
