//! Starts at the last contact and widens from there (xie §3.4): a moving contact is likely to stay
//! close to where it was.
//!
//! 1. The pair of leaves with the last contact is tested first, without any volume test.
//! 2. Then the sibling pairs along the path from the root to it, the deepest first; each is tested
//!    and, if it meets, descended.
//!
//! These cover every pair of leaves once, so the verdict and the set of contacts are those of a
//! descent from the root. Without a last contact the descent starts at the root.

use std::ops::ControlFlow;

use impinge_query::{Cancelled, Control, Counter};

use super::path::push_beside;
use super::stack::descend;
use super::{LeafPair, NodePair, Poll, Step, Tested, Traversal, Trees};
use crate::volume::Volume;

/// Opens the larger node; starts at the last contact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Restart;

/// The last contact, and stacks to reuse.
#[derive(Clone, Debug, Default)]
pub struct RestartMemory {
    last: Option<NodePair>,
    beside: Vec<NodePair>,
    stack: Vec<NodePair>,
}

impl Traversal for Restart {
    type Memory = RestartMemory;

    fn walk<V: Volume, C: Counter>(
        self,
        trees: &Trees<'_, V>,
        memory: &mut RestartMemory,
        counter: &mut C,
        control: &Control<'_>,
        mut leaf: impl FnMut(LeafPair, &mut C) -> ControlFlow<(), Tested>,
    ) -> Result<(), Cancelled> {
        let RestartMemory { last, beside, stack } = memory;
        beside.clear();
        match last.take() {
            None => beside.push([0, 0]),
            Some(pair) => {
                if let Step::Leaves(s, t) = trees.step(pair)
                    && leaf(LeafPair::new(s, t), counter).is_break()
                {
                    *last = Some(pair);
                    return Ok(());
                }
                push_beside(trees, pair, beside);
            }
        }
        let mut remember = |pair, leaves, counter: &mut C| {
            let flow = leaf(leaves, counter);
            if flow.is_break() {
                *last = Some(pair);
            }
            flow
        };
        let mut poll = Poll::new();
        while let Some(pair) = beside.pop() {
            poll.poll(control)?;
            stack.clear();
            if trees.meet(pair, counter) {
                stack.push(pair);
            }
            if descend(trees, stack, counter, control, &mut remember)?.is_break() {
                break;
            }
        }
        Ok(())
    }
}
