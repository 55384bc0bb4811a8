//! Opens both nodes of a pair at once, giving up to four pairs of children (anthology 2 §2.3.1).
//! Fewer levels than opening one node at a time, more tests per level.

use std::ops::ControlFlow;

use impinge_query::{Cancelled, Control, Counter};

use super::{LeafPair, NodePair, Poll, Tested, Traversal, Trees};
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
        while let Some(pair) = stack.pop() {
            poll.poll(control)?;
            let push = |pair, meets| {
                if meets {
                    stack.push(pair);
                }
            };
            if let Some(leaves) = trees.open_both(pair, counter, push)
                && leaf(leaves, counter).is_break()
            {
                break;
            }
        }
        Ok(())
    }
}
