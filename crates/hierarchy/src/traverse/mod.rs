//! Simultaneous descents through two trees: which pair of nodes is opened next, and where a query
//! starts.
//!
//! | traversal | opens | starts at | source |
//! | --- | --- | --- | --- |
//! | [`LargerFirst`] | the larger node, depth first | the root | fan §1.3.3.3, RAPID |
//! | [`Simultaneous`] | both nodes, depth first | the root | anthology 2 §2.3.1 |
//! | [`LevelQueue`] | the larger node, breadth first | the root | fan §2.4, §4.3 |
//! | [`Priority`] | the greatest weight | the root | anthology 5 §2 |
//! | [`TipFirst`] | the greatest weight, split planes first | the root | anthology 5 §2, §3 |
//! | [`Restart`] | the larger node, depth first | the last contact | xie §3.4 |
//! | [`Front`] | the larger node, depth first | the last descent's end | anthology 2 §2.3.2 |
//! | [`FrontOfBoth`] | both nodes, depth first | the last descent's end | anthology 2 §2.3 |
//!
//! Every traversal visits every pair of leaves whose volumes may meet, unless it is told to stop.
//! So all give the same verdict and the same contacts. [`Marks`] restrict it to some leaves.

mod front;
mod marks;
mod path;
mod priority;
mod queue;
mod restart;
mod simultaneous;
mod stack;
mod tip_first;

use std::fmt::Debug;
use std::ops::ControlFlow;

use impinge_query::{Cancelled, Control, Counter};

use crate::placement::Placement;
use crate::tree::{Child, Node, Tree};
use crate::volume::Volume;

pub use front::{Front, FrontMemory, FrontOfBoth};
pub use marks::{Ancestors, Marks};
pub use priority::{Priority, PriorityMemory};
pub use queue::LevelQueue;
pub use restart::{Restart, RestartMemory};
pub use simultaneous::Simultaneous;
pub use stack::LargerFirst;
pub use tip_first::{Block, TipFirst};

/// A pair of nodes: indices in A's tree and in B's.
pub type NodePair = [u32; 2];

/// Opened pairs between two polls of the caller's flag.
pub const CHECK_EVERY: u32 = 256;

/// Two sets of triangles to be tested against each other: by default, two leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeafPair {
    /// Leaf or group of A's tree, see [`Tree::leaf`].
    pub a: u32,
    /// Leaf or group of B's tree.
    pub b: u32,
    /// Triangles of B with one of these [levels](Tree::levels) were tested before.
    pub tested: u8,
    /// If given, test only B's triangles that may meet the volume of this node of A.
    pub near: Option<u32>,
}

impl LeafPair {
    /// All triangles of two leaves.
    #[inline(always)]
    pub const fn new(a: u32, b: u32) -> Self {
        Self { a, b, tested: 0, near: None }
    }
}

/// What came of the test of two sets of triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tested {
    /// Every triangle of B is away from the volume that [`LeafPair::near`] names; with none named,
    /// there was no pair to test.
    Away,
    /// Some pairs were tested, and none meets.
    Apart,
    /// A pair meets.
    Contact,
}

/// Visits all pairs of leaves whose volumes may meet, unless `leaf` breaks off.
pub trait Traversal: Copy + Debug + Send + Sync + 'static {
    /// State between queries of a pair: stacks to reuse, and where to start. The engine resets it
    /// when the pair or a model changes.
    type Memory: Default + Debug + Send + Sync + 'static;

    /// Traverses both trees. `leaf` takes a leaf of A and one of B, and returns what came of it, or
    /// breaks off.
    ///
    /// # Errors
    /// [`Cancelled`] once the caller cancels.
    fn walk<V: Volume, C: Counter>(
        self,
        trees: &Trees<'_, V>,
        memory: &mut Self::Memory,
        counter: &mut C,
        control: &Control<'_>,
        leaf: impl FnMut(LeafPair, &mut C) -> ControlFlow<(), Tested>,
    ) -> Result<(), Cancelled>;
}

/// What to do with a pair of nodes that meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Both are leaves: test their triangles.
    Leaves(u32, u32),
    /// Open A's node; its children are at this index and the next.
    OpenA(u32),
    /// Open B's node; its children are at this index and the next.
    OpenB(u32),
}

/// The two trees of a query and their placement.
#[derive(Clone, Copy, Debug)]
pub struct Trees<'q, V: Volume> {
    /// A's tree.
    pub a: &'q Tree<V>,
    /// B's tree.
    pub b: &'q Tree<V>,
    /// Pose of B, with the query's pad.
    pub placement: Placement,
    /// The placement in the form that the volume's tests use.
    pub frame: V::Frame,
    /// The trees' nodes, and whether their volumes are up to date: asking the trees instead takes a
    /// sixth of the time of a box test.
    nodes: [&'q [Node<V>]; 2],
    current: bool,
    /// Whether to skip nodes that hold only repeats, and such nodes exist.
    firsts: bool,
    /// If given, nodes that are not marked are skipped.
    marks: Option<[&'q Marks; 2]>,
    /// Whether any node may be skipped: `firsts`, or there are marks.
    skips: bool,
}

impl<'q, V: Volume> Trees<'q, V> {
    /// Two trees, with B placed by `placement`.
    pub fn new(a: &'q Tree<V>, b: &'q Tree<V>, placement: &Placement) -> Self {
        Self::in_frame(a, b, placement, V::frame(placement))
    }

    /// The same with a frame that is not made of the placement alone.
    pub fn in_frame(
        a: &'q Tree<V>,
        b: &'q Tree<V>,
        placement: &Placement,
        frame: V::Frame,
    ) -> Self {
        let current = !a.is_lazy() && !b.is_lazy();
        let nodes = [a.nodes(), b.nodes()];
        let placement = *placement;
        Self { a, b, placement, frame, nodes, current, firsts: false, marks: None, skips: false }
    }

    /// If `firsts`, treats nodes that hold only repeated triangles as separated from everything:
    /// for questions that one of several equal triangles answers.
    #[must_use]
    pub fn of_firsts(self, firsts: bool) -> Self {
        let some = self.a.repeated().is_some() || self.b.repeated().is_some();
        let firsts = firsts && some;
        Self { firsts, skips: firsts || self.marks.is_some(), ..self }
    }

    /// Treats nodes without a mark as separated from everything.
    #[must_use]
    pub fn among(self, marks: [&'q Marks; 2]) -> Self {
        Self { marks: Some(marks), skips: true, ..self }
    }

    /// Whether one of these nodes is to be skipped.
    #[inline(always)]
    pub(crate) fn skipped(&self, [i, j]: NodePair) -> bool {
        self.skips && self.is_skipped([i, j])
    }

    #[inline(never)]
    fn is_skipped(&self, [i, j]: NodePair) -> bool {
        let unmarked = self.marks.is_some_and(|[a, b]| !a.has(i) || !b.has(j));
        unmarked || self.firsts && (self.a.only_repeats(i) || self.b.only_repeats(j))
    }

    /// The volume of a node of A.
    #[inline(always)]
    fn of_a(&self, i: u32) -> &'q V {
        if !V::MERGES || self.current {
            &self.nodes[0][i as usize].volume
        } else {
            self.a.volume(i)
        }
    }

    /// The volume of a node of B.
    #[inline(always)]
    fn of_b(&self, j: u32) -> &'q V {
        if !V::MERGES || self.current {
            &self.nodes[1][j as usize].volume
        } else {
            self.b.volume(j)
        }
    }

    /// What to do with this pair: opens the larger of two inner nodes, or the one that is not a
    /// leaf.
    #[inline(always)]
    pub fn step(&self, [i, j]: NodePair) -> Step {
        match (self.nodes[0][i as usize].child(), self.nodes[1][j as usize].child()) {
            (Child::Leaf(s), Child::Leaf(t)) => Step::Leaves(s, t),
            (Child::Pair(first), Child::Leaf(_)) => Step::OpenA(first),
            (Child::Leaf(_), Child::Pair(first)) => Step::OpenB(first),
            (Child::Pair(first), Child::Pair(second)) => {
                if self.of_a(i).size() > self.of_b(j).size() {
                    Step::OpenA(first)
                } else {
                    Step::OpenB(second)
                }
            }
        }
    }

    /// Tests the volumes of one pair; `true` if they may meet.
    #[inline(always)]
    pub fn meet(&self, [i, j]: NodePair, counter: &mut impl Counter) -> bool {
        if self.skipped([i, j]) {
            return false;
        }
        counter.volumes(1);
        let placed = self.place(j, counter);
        self.of_a(i).meets(&placed, &self.frame)
    }

    /// Opens A's node: tests both children against node `j` of B and passes each pair with the
    /// result to `each`, the second child first.
    #[inline(always)]
    pub fn open_a<C: Counter>(
        &self,
        first: u32,
        j: u32,
        counter: &mut C,
        mut each: impl FnMut(NodePair, bool),
    ) {
        let placed = self.place(j, counter);
        counter.volumes(2);
        for child in [first + 1, first] {
            let meets = !self.skipped([child, j]) && self.of_a(child).meets(&placed, &self.frame);
            each([child, j], meets);
        }
    }

    /// Opens B's node: tests both children against node `i` of A in the same way.
    #[inline(always)]
    pub fn open_b<C: Counter>(
        &self,
        i: u32,
        first: u32,
        counter: &mut C,
        mut each: impl FnMut(NodePair, bool),
    ) {
        let volume = self.of_a(i);
        counter.volumes(2);
        for child in [first + 1, first] {
            let placed = self.place(child, counter);
            let meets = !self.skipped([i, child]) && volume.meets(&placed, &self.frame);
            each([i, child], meets);
        }
    }

    /// Opens both nodes, or the one that is not a leaf, in the same way. Two leaves are returned
    /// instead.
    #[inline(always)]
    pub fn open_both<C: Counter>(
        &self,
        [i, j]: NodePair,
        counter: &mut C,
        mut each: impl FnMut(NodePair, bool),
    ) -> Option<LeafPair> {
        match (self.nodes[0][i as usize].child(), self.nodes[1][j as usize].child()) {
            (Child::Leaf(s), Child::Leaf(t)) => return Some(LeafPair::new(s, t)),
            (Child::Pair(first), Child::Leaf(_)) => self.open_a(first, j, counter, each),
            (Child::Leaf(_), Child::Pair(first)) => self.open_b(i, first, counter, each),
            (Child::Pair(first), Child::Pair(second)) => {
                for child in [second + 1, second] {
                    self.open_a(first, child, counter, &mut each);
                }
            }
        }
        None
    }

    /// The volume of node `j` of B in A's frame.
    #[inline(always)]
    pub fn place(&self, j: u32, counter: &mut impl Counter) -> V::Placed {
        let volume = self.of_b(j);
        counter.updated(u64::from(volume.updates()));
        volume.place(&self.frame)
    }
}

/// Polls the caller's flag once in [`CHECK_EVERY`] calls.
#[derive(Debug)]
pub struct Poll(u32);

impl Poll {
    /// The first check is at call [`CHECK_EVERY`].
    pub const fn new() -> Self {
        Self(CHECK_EVERY)
    }

    /// Checks the caller's flag if it is time.
    ///
    /// # Errors
    /// [`Cancelled`] if the caller has cancelled.
    #[inline(always)]
    pub fn poll(&mut self, control: &Control<'_>) -> Result<(), Cancelled> {
        self.0 -= 1;
        if self.0 == 0 {
            self.0 = CHECK_EVERY;
            control.check()?;
        }
        Ok(())
    }
}

impl Default for Poll {
    fn default() -> Self {
        Self::new()
    }
}

/// A [`Poll`] for the work within a pair of leaves. It breaks off instead of returning an error,
/// and remembers the cancellation.
#[derive(Debug)]
pub struct Watch<'c> {
    poll: Poll,
    control: &'c Control<'c>,
    cancelled: bool,
}

impl<'c> Watch<'c> {
    /// The first check is at call [`CHECK_EVERY`].
    pub const fn new(control: &'c Control<'c>) -> Self {
        Self { poll: Poll::new(), control, cancelled: false }
    }

    /// To be called for every pair of triangles. Breaks off if the caller has cancelled.
    #[inline(always)]
    pub fn poll(&mut self) -> ControlFlow<()> {
        if self.poll.poll(self.control).is_ok() {
            return ControlFlow::Continue(());
        }
        self.cancelled = true;
        ControlFlow::Break(())
    }

    /// The result of the watched work.
    ///
    /// # Errors
    /// [`Cancelled`] if it was broken off here.
    pub const fn end(self) -> Result<(), Cancelled> {
        if self.cancelled { Err(Cancelled) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use impinge_query::Cancel;

    use super::*;

    #[test]
    fn the_flag_is_looked_at_once_in_so_many_beats() {
        let cancel = Cancel::new();
        let control = Control::NONE.cancelled_by(&cancel);
        let mut poll = Poll::new();
        for _ in 0..3 * CHECK_EVERY {
            assert!(poll.poll(&control).is_ok(), "nobody has cancelled");
        }
        cancel.cancel();
        for _ in 0..2 {
            for call in 1..CHECK_EVERY {
                assert!(poll.poll(&control).is_ok(), "call {call}");
            }
            assert!(poll.poll(&control).is_err());
        }
        assert_eq!(CHECK_EVERY, 256);
    }
}
