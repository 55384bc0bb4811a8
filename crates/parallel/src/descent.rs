//! Tasks of `edge-steal`: pairs of boxes down to patches, and there edges against triangles.
//!
//! Whole sets of edges are dismissed by the box around their patch before any edge is looked at
//! alone, and one descent serves A's edges and B's.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use impinge_geometry::Pose;
use impinge_hierarchy::traverse::{NodePair, Step, Trees};
use impinge_hierarchy::volume::ObbRows;
use impinge_hierarchy::{Placement, TreeModel};
use impinge_query::{Counter, MeshModel, Subject};

use crate::model::OnTree;
use crate::patch_pair;
use crate::patches::Patches;
use crate::task::Tasks;
use crate::workers::Work;

/// A mesh with its box tree and the patches at its leaves.
#[derive(Debug)]
pub struct PatchModel {
    pub(crate) tree: TreeModel<ObbRows>,
    pub(crate) patches: Patches,
}

impl OnTree for PatchModel {
    type Volume = ObbRows;

    fn tree(&self) -> &TreeModel<ObbRows> {
        &self.tree
    }
}

impl MeshModel for PatchModel {
    fn subject(&self) -> &Subject {
        self.tree.subject()
    }

    fn own_bytes(&self) -> usize {
        self.tree.own_bytes() + self.patches.bytes()
    }
}

/// A descent that is cut into slices: what is left after a slice becomes tasks of its own, unless
/// every thread has one waiting (lazy splitting, Tzannes et al. 2010). Depth first where one thread
/// does it all or one contact is enough, else breadth first within a slice.
#[derive(Debug)]
pub struct Descents<'q> {
    a: &'q PatchModel,
    b: &'q PatchModel,
    pose: &'q Pose,
    trees: Trees<'q, ObbRows>,
    /// Pairs that a task opens at most; none if it may go on to the end.
    slice: Option<u32>,
}

impl<'q> Descents<'q> {
    /// The tasks of one query.
    pub fn new(a: &'q PatchModel, b: &'q PatchModel, pose: &'q Pose, slice: Option<u32>) -> Self {
        let placement = Placement::new(pose, a.tree.max_abs(), b.tree.max_abs());
        let trees = Trees::new(a.tree.tree(), b.tree.tree(), &placement);
        Self { a, b, pose, trees, slice }
    }
}

/// Pairs of boxes that meet, with all that is below them.
#[derive(Clone, Debug)]
pub struct Portion {
    /// The next one first, or last where the descent is depth first.
    pairs: Vec<NodePair>,
    /// How many tasks left one another before it.
    generation: u32,
}

impl Tasks for Descents<'_> {
    type Task = Portion;
    /// A slice each.
    const GRAIN: usize = 1;

    fn apart(&self, counter: &mut impl Counter) -> bool {
        !self.trees.meet([0, 0], counter)
    }

    fn root(&self, _: u32) -> Option<Portion> {
        let mut stack = Vec::with_capacity(64);
        stack.push([0, 0]);
        Some(Portion { pairs: stack, generation: 0 })
    }

    fn run<C: Counter>(
        &self,
        Portion { pairs: mut stack, generation }: Portion,
        work: &mut Work<'_, C>,
        next: &mut Vec<Portion>,
    ) -> ControlFlow<()> {
        let trees = self.trees.of_firsts(work.first());
        let Some(first_slice) = self.slice else {
            while let Some(pair) = stack.pop() {
                self.open(&trees, pair, |pair| stack.push(pair), work)?;
            }
            return ControlFlow::Continue(());
        };
        // Breadth first: what is left are many pairs of about the same size. One contact is sooner
        // found depth first.
        let (first, mut queue) = (work.first(), VecDeque::from(stack));
        let slice = length(first_slice, generation);
        let mut left = if first { slice.saturating_mul(16) } else { slice };
        while let Some(pair) = if first { queue.pop_back() } else { queue.pop_front() } {
            left =
                left.saturating_sub(self.open(&trees, pair, |pair| queue.push_back(pair), work)?);
            if left == 0 && queue.len() > 1 && !work.saturated() {
                hand_on(queue.make_contiguous(), generation + 1, next);
                break;
            }
        }
        ControlFlow::Continue(())
    }
}

/// A pair of patches takes about as long as so many pairs of boxes.
const LEAF: u32 = 6;

/// A slice leaves at most this many tasks.
const PARTS: usize = 16;

fn hand_on(pairs: &[NodePair], generation: u32, next: &mut Vec<Portion>) {
    let part = pairs.len().div_ceil(PARTS);
    next.extend(pairs.chunks(part).map(|pairs| Portion { pairs: pairs.to_vec(), generation }));
}

/// Pairs that a task opens before it leaves the rest to others: 1, 2, 2, 4, 8, … times `first`. The
/// first slice is short, so that others soon have something to do, and the third is not longer than the
/// second: these are the critical path. By then there are hundreds of tasks, and longer ones hand on
/// less.
const fn length(first: u32, generation: u32) -> u32 {
    let doublings = match generation {
        0 => 0,
        1 | 2 => 1,
        more => more - 1,
    };
    first.saturating_mul(1 << if doublings < 16 { doublings } else { 16 })
}

impl Descents<'_> {
    /// Opens a pair, or tests its patches; returns about how many pairs of boxes that is worth.
    #[inline(always)]
    fn open<C: Counter>(
        &self,
        trees: &Trees<'_, ObbRows>,
        pair: NodePair,
        mut left: impl FnMut(NodePair),
        work: &mut Work<'_, C>,
    ) -> ControlFlow<(), u32> {
        if work.poll().is_break() {
            return ControlFlow::Break(());
        }
        let push = |pair, meets| {
            if meets {
                left(pair);
            }
        };
        match trees.step(pair) {
            Step::Leaves(s, t) => {
                let (p, q) = (self.a.patches.get(s), self.b.patches.get(t));
                if patch_pair::meet(p, q, self.pose, work).is_break() {
                    return ControlFlow::Break(());
                }
                return ControlFlow::Continue(LEAF);
            }
            Step::OpenA(first) => trees.open_a(first, pair[1], work.counter, push),
            Step::OpenB(first) => trees.open_b(pair[0], first, work.counter, push),
        }
        ControlFlow::Continue(1)
    }
}
