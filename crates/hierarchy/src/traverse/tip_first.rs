//! The priority descent of the maize-leaf pipeline with its index blocks (anthology 5 §2, §3).
//!
//! A builder may keep, for an inner node, the *block*: the triangles that cross the plane between
//! its children. If a node of A meets both children of a node of B, a contact is likely at that
//! plane, and the block is tested first, after a triangle-box test against A's node.
//!
//! 1. Take the pair of greatest weight, as in [`Priority`].
//! 2. Open the larger node. If it is B's and both children meet A's node, test its block against
//!    all triangles below A's node.
//! 3. *On the box test*, as in the paper: if a triangle of the block passes that test, neither child
//!    is visited. Verdicts may be wrong.
//!    *On a contact*: only if the block has a contact, neither child is visited; their other contacts
//!    are lost.
//!    *Corrected*: both are visited, without B's triangles of the block, which were tested.

use std::ops::ControlFlow;

use impinge_query::{Cancelled, Control, Counter};

use super::priority::{Entry, Weight};
use super::{LeafPair, Poll, Priority, PriorityMemory, Step, Tested, Traversal, Trees};
use crate::volume::Volume;

/// How the triangles at a split plane are treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Block {
    /// Not specially: the plain priority descent.
    Ignored,
    /// If one of them may meet A's box, the search below both children is left out, as in the paper
    /// (anthology 5 §3): contacts are lost, and verdicts with them.
    OnBoxTest,
    /// A contact among them ends the search below both children: other contacts are lost.
    OnContact,
    /// They are tested first, and not again below.
    Corrected,
}

impl Block {
    /// Whether both children are left out after this test of their block.
    fn ends(self, found: Tested) -> bool {
        match self {
            Self::OnBoxTest => found >= Tested::Apart,
            Self::OnContact => found == Tested::Contact,
            Self::Ignored | Self::Corrected => false,
        }
    }
}

/// Greatest weight first, triangles at split planes before the rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TipFirst {
    /// Weights of nodes in the priority queue.
    pub priority: Priority,
    /// How blocks are treated.
    pub block: Block,
}

impl Traversal for TipFirst {
    type Memory = PriorityMemory;

    fn walk<V: Volume, C: Counter>(
        self,
        trees: &Trees<'_, V>,
        memory: &mut PriorityMemory,
        counter: &mut C,
        control: &Control<'_>,
        mut leaf: impl FnMut(LeafPair, &mut C) -> ControlFlow<(), Tested>,
    ) -> Result<(), Cancelled> {
        let rule = self.priority;
        memory.clear();
        if trees.meet([0, 0], counter) {
            memory.push(rule, [0, 0], [Weight::ROOT; 2], 0);
        }
        let mut poll = Poll::new();
        while let Some(Entry { pair, weights: [u, v], mut tested, .. }) = memory.pop() {
            poll.poll(control)?;
            match trees.step(pair) {
                Step::Leaves(a, b) => {
                    if leaf(LeafPair { a, b, tested, near: None }, counter).is_break() {
                        break;
                    }
                }
                Step::OpenA(first) => trees.open_a(first, pair[1], counter, |next, meets| {
                    if meets {
                        let weights = [u.child(next[0] > first, rule.far), v];
                        memory.push(rule, next, weights, tested);
                    }
                }),
                Step::OpenB(first) => {
                    let mut meeting = [false; 2];
                    trees.open_b(pair[0], first, counter, |next, meets| {
                        meeting[(next[1] - first) as usize] = meets;
                    });
                    let probe = self.block != Block::Ignored && meeting == [true; 2];
                    if let Some(at_plane) = trees.at_plane(pair, tested).filter(|_| probe) {
                        let found = leaf(at_plane.0, counter);
                        match found {
                            ControlFlow::Break(()) => break,
                            ControlFlow::Continue(found) if self.block.ends(found) => continue,
                            ControlFlow::Continue(_) => tested |= at_plane.1,
                        }
                    }
                    for second in [true, false] {
                        let next = [pair[0], first + u32::from(second)];
                        if meeting[usize::from(second)] {
                            memory.push(rule, next, [u, v.child(second, rule.far)], tested);
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

impl<V: Volume> Trees<'_, V> {
    /// The pair of all triangles below A's node and the block of B's, if there is one; and the bit
    /// of the block's level.
    fn at_plane(&self, [i, j]: [u32; 2], tested: u8) -> Option<(LeafPair, u8)> {
        let (block, level) = self.b.block(j)?;
        let all = self.a.all_below(i)?;
        Some((LeafPair { a: all, b: block, tested, near: Some(i) }, level))
    }
}
