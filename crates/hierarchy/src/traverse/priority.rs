//! Opens the pair of greatest weight next (anthology 5 §2).
//!
//! A node's weight at depth `d` is `k = f − 0.1 d`: the root has `f = 1`, a first child its
//! parent's `f`, a second child 0.8 of it. So a builder that puts the likelier child first (the one
//! towards a leaf's tip) has it visited first. A pair's weight is the sum of its nodes' weights.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;

use impinge_query::{Cancelled, Control, Counter};

use super::{Block, LeafPair, NodePair, Tested, TipFirst, Traversal, Trees};
use crate::volume::Volume;

/// Greatest weight first; opens the larger node of a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Priority {
    /// Factor of the second child's `f`; the paper's is 0.8.
    pub far: f64,
    /// Loss per level; the paper's is 0.1.
    pub per_level: f64,
}

impl Default for Priority {
    fn default() -> Self {
        Self { far: 0.8, per_level: 0.1 }
    }
}

/// A node's `f` and depth.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weight {
    factor: f64,
    depth: u32,
}

impl Weight {
    pub(super) const ROOT: Self = Self { factor: 1.0, depth: 0 };

    pub(super) fn child(self, second: bool, far: f64) -> Self {
        let factor = if second { self.factor * far } else { self.factor };
        Self { factor, depth: self.depth + 1 }
    }
}

/// A pair in the queue. Pairs of equal weight leave in the order in which they entered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    key: f64,
    number: u64,
    pub(super) pair: NodePair,
    pub(super) weights: [Weight; 2],
    /// Levels already tested, see [`LeafPair::tested`].
    pub(super) tested: u8,
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Entry {}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key.total_cmp(&other.key).then(other.number.cmp(&self.number))
    }
}

/// The queue, kept to reuse its allocation.
#[derive(Clone, Debug, Default)]
pub struct PriorityMemory {
    heap: BinaryHeap<Entry>,
    pushed: u64,
}

impl PriorityMemory {
    pub(super) fn clear(&mut self) {
        self.heap.clear();
        self.pushed = 0;
    }

    pub(super) fn pop(&mut self) -> Option<Entry> {
        self.heap.pop()
    }

    pub(super) fn push(
        &mut self,
        rule: Priority,
        pair: NodePair,
        weights: [Weight; 2],
        tested: u8,
    ) {
        let weight = |w: Weight| w.factor - rule.per_level * f64::from(w.depth);
        let key = weight(weights[0]) + weight(weights[1]);
        self.pushed += 1;
        self.heap.push(Entry { key, number: self.pushed, pair, weights, tested });
    }
}

impl Traversal for Priority {
    type Memory = PriorityMemory;

    fn walk<V: Volume, C: Counter>(
        self,
        trees: &Trees<'_, V>,
        memory: &mut PriorityMemory,
        counter: &mut C,
        control: &Control<'_>,
        leaf: impl FnMut(LeafPair, &mut C) -> ControlFlow<(), Tested>,
    ) -> Result<(), Cancelled> {
        let plain = TipFirst { priority: self, block: Block::Ignored };
        plain.walk(trees, memory, counter, control, leaf)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `k = f − 0.1 d`; first children keep their parent's `f`, second ones have 0.8 of it.
    #[test]
    fn the_greatest_sum_of_weights_comes_first_and_equals_in_turn() {
        let (mut memory, rule) = (PriorityMemory::default(), Priority::default());
        let root = Weight::ROOT;
        let (near, far) = (root.child(false, rule.far), root.child(true, rule.far));
        let weights = [
            ([far, far], 1.4),
            ([near, far], 1.6),
            ([root, root], 2.0),
            ([far, near], 1.6),
            ([near.child(false, rule.far), root], 1.8),
            ([far.child(true, rule.far), root], 1.44),
        ];
        for (k, (weights, _)) in (0..).zip(weights) {
            memory.push(rule, [k, 0], weights, k as u8);
        }
        let popped: Vec<Entry> = std::iter::from_fn(|| memory.pop()).collect();
        let order: Vec<u32> = popped.iter().map(|entry| entry.pair[0]).collect();
        assert_eq!(order, [2, 4, 1, 3, 5, 0]);
        for entry in &popped {
            let expected = weights[entry.pair[0] as usize].1;
            assert!((entry.key - expected).abs() < 1e-12, "{entry:?}");
            assert_eq!(u32::from(entry.tested), entry.pair[0]);
            assert!(popped.iter().filter(|other| *other == entry).count() == 1);
        }
        memory.push(rule, [7, 7], [root; 2], 0);
        memory.clear();
        assert!(memory.pop().is_none());
    }
}
