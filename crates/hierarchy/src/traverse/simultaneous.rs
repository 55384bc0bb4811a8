//! Opens both nodes of a pair at once, giving up to four pairs of children (anthology 2 §2.3.1).
//! Fewer levels than opening one node at a time, more tests per level.

use std::ops::ControlFlow;

use impinge_query::{Cancelled, Control, Counter};

use super::{LeafPair, NodePair, Poll, Tested, Traversal, Trees};
use crate::tree::Child;
use crate::volume::Volume;

/// Depth first; opens both nodes of a pair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Simultaneous;

impl Traversal for Simultaneous {
    /// The stack's allocation.
    type Memory = Vec<NodePair>;

    fn walk<V: Volume, C: Counter>(
        self,
        trees: &Trees<'_, V>,
        stack: &mut Vec<NodePair>,
        counter: &mut C,
        control: &Control<'_>,
        mut leaf: impl FnMut(LeafPair, &mut C) -> ControlFlow<(), Tested>,
    ) -> Result<(), Cancelled> {
        stack.clear();
        if trees.meet([0, 0], counter) {
            stack.push([0, 0]);
        }
        let mut poll = Poll::new();
        while let Some([i, j]) = stack.pop() {
            poll.poll(control)?;
            let mut push = |pair, meets| {
                if meets {
                    stack.push(pair);
                }
            };
            match (trees.a.nodes()[i as usize].child(), trees.b.nodes()[j as usize].child()) {
                (Child::Leaf(s), Child::Leaf(t)) => {
                    if leaf(LeafPair::new(s, t), counter).is_break() {
                        break;
                    }
                }
                (Child::Pair(first), Child::Leaf(_)) => trees.open_a(first, j, counter, push),
                (Child::Leaf(_), Child::Pair(first)) => trees.open_b(i, first, counter, push),
                (Child::Pair(first), Child::Pair(second)) => {
                    for child in [second + 1, second] {
                        trees.open_a(first, child, counter, &mut push);
                    }
                }
            }
        }
        Ok(())
    }
}
