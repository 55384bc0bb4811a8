//! Pairs of nodes that a descent has still to visit.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Pairs of nodes, each with a time before which their boxes do not meet.
#[derive(Debug)]
pub(crate) enum Queue {
    /// The earliest is next, and of equal times the one added last, so that what meets from the start
    /// is visited depth first.
    ByTime(BinaryHeap<Entry>, u64),
    /// The one added last is next.
    DepthFirst(Vec<(f64, [u32; 2])>),
}

/// A pair of nodes, its time, and how many were added before.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    time: f64,
    number: u64,
    nodes: [u32; 2],
}

impl Queue {
    pub(crate) const fn new(by_time: bool) -> Self {
        if by_time { Self::ByTime(BinaryHeap::new(), 0) } else { Self::DepthFirst(Vec::new()) }
    }

    pub(crate) fn push(&mut self, time: f64, nodes: [u32; 2]) {
        match self {
            Self::ByTime(heap, added) => {
                heap.push(Entry { time, number: *added, nodes });
                *added += 1;
            }
            Self::DepthFirst(stack) => stack.push((time, nodes)),
        }
    }

    pub(crate) fn pop(&mut self) -> Option<(f64, [u32; 2])> {
        match self {
            Self::ByTime(heap, _) => heap.pop().map(|entry| (entry.time, entry.nodes)),
            Self::DepthFirst(stack) => stack.pop(),
        }
    }
}

/// The greater one is next.
impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        other.time.total_cmp(&self.time).then(self.number.cmp(&other.number))
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Entry {}
