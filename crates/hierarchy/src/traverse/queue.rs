//! Breadth first: all pairs of one level before the next (fan §2.4, §4.3). A parallel version would
//! distribute the queue level by level.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use impinge_query::{Cancelled, Control, Counter};

use super::{LeafPair, NodePair, Poll, Step, Tested, Traversal, Trees};
use crate::volume::Volume;

/// Breadth first; opens the larger node of a pair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LevelQueue;

impl Traversal for LevelQueue {
    /// The queue's allocation.
    type Memory = VecDeque<NodePair>;

    fn walk<V: Volume, C: Counter>(
        self,
        trees: &Trees<'_, V>,
        queue: &mut VecDeque<NodePair>,
        counter: &mut C,
        control: &Control<'_>,
        mut leaf: impl FnMut(LeafPair, &mut C) -> ControlFlow<(), Tested>,
    ) -> Result<(), Cancelled> {
        queue.clear();
        if trees.meet([0, 0], counter) {
            queue.push_back([0, 0]);
        }
        let mut poll = Poll::new();
        while let Some(pair) = queue.pop_front() {
            poll.poll(control)?;
            let push = |pair, meets| {
                if meets {
                    queue.push_back(pair);
                }
            };
            match trees.step(pair) {
                Step::Leaves(s, t) => {
                    if leaf(LeafPair::new(s, t), counter).is_break() {
                        break;
                    }
                }
                Step::OpenA(first) => trees.open_a(first, pair[1], counter, push),
                Step::OpenB(first) => trees.open_b(pair[0], first, counter, push),
            }
        }
        Ok(())
    }
}
