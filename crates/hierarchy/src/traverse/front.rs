//! Starts where the last descent stopped (anthology 2 §2.3.2). The *front* is the set of node pairs
//! that the last descent did not open: separated volumes, or leaves. Every pair of leaves is below
//! exactly one pair of the front, so a descent from the front visits the same pairs as one from the
//! root, except those above the front.
//!
//! 1. If the root boxes' centres came closer since the last query, start at the front; if they
//!    moved apart, at the root, because the front would be too deep. (anthology 2: markers when
//!    approaching, the root when separating.)
//! 2. Test each pair of the start. If separated, it joins the new front. Otherwise descend as
//!    usual; separated pairs and pairs of leaves join the new front.
//! 3. If the caller stops at a first contact, all pairs not yet visited join the new front.

use std::ops::ControlFlow;

use impinge_query::{Cancelled, Control, Counter};

use super::{LeafPair, NodePair, Poll, Step, Tested, Traversal, Trees};
use crate::volume::Volume;

/// Opens the larger node; starts at the front.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Front;

/// The front, and stacks to reuse.
#[derive(Clone, Debug, Default)]
pub struct FrontMemory {
    /// Covers all pairs of leaves, or is empty: then the next query starts at the root.
    front: Vec<NodePair>,
    start: Vec<NodePair>,
    stack: Vec<NodePair>,
    /// Squared distance of the roots' centres at the last query.
    apart: Option<f64>,
}

impl FrontMemory {
    /// The node pairs at which the last descent stopped.
    pub fn front(&self) -> &[NodePair] {
        &self.front
    }
}

impl Traversal for Front {
    type Memory = FrontMemory;

    fn walk<V: Volume, C: Counter>(
        self,
        trees: &Trees<'_, V>,
        memory: &mut FrontMemory,
        counter: &mut C,
        control: &Control<'_>,
        mut leaf: impl FnMut(LeafPair, &mut C) -> ControlFlow<(), Tested>,
    ) -> Result<(), Cancelled> {
        memory.begin(trees);
        let FrontMemory { front, start, stack, .. } = memory;
        let mut poll = Poll::new();
        loop {
            let pair = match stack.pop() {
                Some(pair) => pair,
                None => match start.pop() {
                    None => break,
                    Some(pair) if trees.meet(pair, counter) => pair,
                    Some(pair) => {
                        front.push(pair);
                        continue;
                    }
                },
            };
            if let Err(cancelled) = poll.poll(control) {
                // The unvisited part is unknown, so the next query starts at the root.
                front.clear();
                return Err(cancelled);
            }
            let sort = |pair, meets| if meets { &mut *stack } else { &mut *front }.push(pair);
            match trees.step(pair) {
                Step::Leaves(s, t) => {
                    front.push(pair);
                    if leaf(LeafPair::new(s, t), counter).is_break() {
                        break;
                    }
                }
                Step::OpenA(first) => trees.open_a(first, pair[1], counter, sort),
                Step::OpenB(first) => trees.open_b(pair[0], first, counter, sort),
            }
        }
        front.append(stack);
        front.append(start);
        Ok(())
    }
}

impl FrontMemory {
    /// Chooses the start and clears the front.
    fn begin<V: Volume>(&mut self, trees: &Trees<'_, V>) {
        let apart = centers_apart(trees);
        let nearer = self.apart.replace(apart).is_some_and(|before| apart < before);
        self.stack.clear();
        self.start.clear();
        std::mem::swap(&mut self.start, &mut self.front);
        if !nearer || self.start.is_empty() {
            self.start.clear();
            self.start.push([0, 0]);
        }
    }
}

/// Squared distance of the roots' centres. Only compared, so its rounding costs at most extra
/// tests.
fn centers_apart<V: Volume>(trees: &Trees<'_, V>) -> f64 {
    let a = trees.a.nodes()[0].volume.center();
    let b = trees.placement.apply(&trees.b.nodes()[0].volume.center());
    (0..3).map(|k| (b[k] - a[k]) * (b[k] - a[k])).sum()
}
