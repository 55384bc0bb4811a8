//! Depth first; opens the larger of two inner nodes, or the one that is not a leaf (fan §1.3.3.3,
//! RAPID).

use std::ops::ControlFlow;

use impinge_query::{Cancelled, Control, Counter};

use super::{LeafPair, NodePair, Poll, Step, Tested, Traversal, Trees};
use crate::volume::Volume;

/// Depth first; opens the larger node of a pair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LargerFirst;

impl Traversal for LargerFirst {
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
        descend(trees, stack, counter, control, |_, leaves, counter| leaf(leaves, counter))
            .map(drop)
    }
}

/// Opens pairs from the top of `stack`, which must hold pairs that meet, until it is empty or
/// `leaf` breaks off. `leaf` also gets the pair of nodes.
#[inline(always)]
pub(super) fn descend<V: Volume, C: Counter>(
    trees: &Trees<'_, V>,
    stack: &mut Vec<NodePair>,
    counter: &mut C,
    control: &Control<'_>,
    mut leaf: impl FnMut(NodePair, LeafPair, &mut C) -> ControlFlow<(), Tested>,
) -> Result<ControlFlow<()>, Cancelled> {
    let mut poll = Poll::new();
    while let Some(pair) = stack.pop() {
        poll.poll(control)?;
        let push = |pair, meets| {
            if meets {
                stack.push(pair);
            }
        };
        match trees.step(pair) {
            Step::Leaves(s, t) => {
                if leaf(pair, LeafPair::new(s, t), counter).is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
            Step::OpenA(first) => trees.open_a(first, pair[1], counter, push),
            Step::OpenB(first) => trees.open_b(pair[0], first, counter, push),
        }
    }
    Ok(ControlFlow::Continue(()))
}
