//! Simultaneous descents through two trees: which pair of nodes is opened next.

use std::ops::ControlFlow;

use impinge_query::{Cancelled, Control, Counter};

use crate::placement::Placement;
use crate::tree::{Child, Node, Tree};
use crate::volume::Volume;

/// A pair of nodes, of A's tree and of B's.
pub type NodePair = [u32; 2];

/// How often a long descent looks at the cancel flag, in opened pairs.
pub const CHECK_EVERY: u32 = 256;

/// Visits the pairs of leaves whose volumes may meet, all of them unless `leaf` breaks off.
pub trait Traversal: Copy + std::fmt::Debug + Send + Sync + 'static {
    /// Walks both trees; `leaf` gets a triangle of A and one of B. `stack` is scratch space.
    ///
    /// # Errors
    /// [`Cancelled`] once the caller cancels.
    #[allow(clippy::too_many_arguments)]
    fn walk<V: Volume, C: Counter>(
        self,
        a: &Tree<V>,
        b: &Tree<V>,
        placement: &Placement,
        stack: &mut Vec<NodePair>,
        counter: &mut C,
        control: &Control<'_>,
        leaf: impl FnMut(u32, u32, &mut C) -> ControlFlow<()>,
    ) -> Result<(), Cancelled>;
}

/// What to do with a pair of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Both are leaves: test these triangles.
    Leaves(u32, u32),
    /// Open A's node; its children start here.
    OpenA(u32),
    /// Open B's node; its children start here.
    OpenB(u32),
}

impl Step {
    /// Opens the larger of two nodes, and never a leaf.
    #[inline(always)]
    pub fn larger_first<V: Volume>(m: &Node<V>, n: &Node<V>) -> Self {
        match (m.child(), n.child()) {
            (Child::Triangle(s), Child::Triangle(t)) => Self::Leaves(s, t),
            (Child::Pair(first), Child::Triangle(_)) => Self::OpenA(first),
            (Child::Triangle(_), Child::Pair(first)) => Self::OpenB(first),
            (Child::Pair(a), Child::Pair(b)) => {
                if m.volume.size() > n.volume.size() {
                    Self::OpenA(a)
                } else {
                    Self::OpenB(b)
                }
            }
        }
    }
}

/// Depth first; of two nodes the larger is opened, and a leaf never (fan §1.3.3.3, RAPID).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LargerFirst;

impl Traversal for LargerFirst {
    fn walk<V: Volume, C: Counter>(
        self,
        a: &Tree<V>,
        b: &Tree<V>,
        placement: &Placement,
        stack: &mut Vec<NodePair>,
        counter: &mut C,
        control: &Control<'_>,
        mut leaf: impl FnMut(u32, u32, &mut C) -> ControlFlow<()>,
    ) -> Result<(), Cancelled> {
        let mut descent = Descent { a: a.nodes(), b: b.nodes(), placement, stack };
        descent.start(counter);
        let mut until_check = CHECK_EVERY;
        while let Some([i, j]) = descent.stack.pop() {
            until_check -= 1;
            if until_check == 0 {
                control.check()?;
                until_check = CHECK_EVERY;
            }
            let (m, n) = (&descent.a[i as usize], &descent.b[j as usize]);
            match Step::larger_first(m, n) {
                Step::Leaves(s, t) => {
                    if leaf(s, t, counter).is_break() {
                        return Ok(());
                    }
                }
                Step::OpenA(first) => descent.open_a(first, j, counter),
                Step::OpenB(first) => descent.open_b(i, first, counter),
            }
        }
        Ok(())
    }
}

/// The two trees, the pose between them, and the pairs that are still to be opened.
struct Descent<'q, V> {
    a: &'q [Node<V>],
    b: &'q [Node<V>],
    placement: &'q Placement,
    stack: &'q mut Vec<NodePair>,
}

impl<V: Volume> Descent<'_, V> {
    fn start(&mut self, counter: &mut impl Counter) {
        self.stack.clear();
        counter.volumes(1);
        let root = self.b[0].volume.place(self.placement);
        if self.a[0].volume.meets(&root, self.placement.pad) {
            self.stack.push([0, 0]);
        }
    }

    #[inline(always)]
    fn open_a(&mut self, first: u32, j: u32, counter: &mut impl Counter) {
        let placed = self.b[j as usize].volume.place(self.placement);
        counter.volumes(2);
        for child in [first + 1, first] {
            if self.a[child as usize].volume.meets(&placed, self.placement.pad) {
                self.stack.push([child, j]);
            }
        }
    }

    #[inline(always)]
    fn open_b(&mut self, i: u32, first: u32, counter: &mut impl Counter) {
        let volume = &self.a[i as usize].volume;
        counter.volumes(2);
        for child in [first + 1, first] {
            let placed = self.b[child as usize].volume.place(self.placement);
            if volume.meets(&placed, self.placement.pad) {
                self.stack.push([i, child]);
            }
        }
    }
}
