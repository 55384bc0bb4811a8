//! Tasks of `edge-steal`: pairs of boxes down to patches, and there edges against triangles.
//!
//! A patch's box dismisses all its edges before any single edge is tested, and one descent serves
//! both A's edges and B's.

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

/// A mesh with its box tree and the patches of its leaves.
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

/// A descent in slices: the pairs left after a slice become tasks, unless enough tasks wait for all
/// threads (lazy splitting, Tzannes et al. 2010). Depth first if one thread does everything or one
/// contact is enough, else breadth first within a slice.
#[derive(Debug)]
pub struct Descents<'q> {
    a: &'q PatchModel,
    b: &'q PatchModel,
    pose: &'q Pose,
    trees: Trees<'q, ObbRows>,
    /// Pairs that the first task opens at most; `None` if one task runs to the end.
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

/// Pairs of boxes that meet, to be descended.
#[derive(Clone, Debug)]
pub struct Portion {
    /// Opened from the front, or from the back if the descent is depth first.
    pairs: Vec<NodePair>,
    /// Number of ancestors in the task tree.
    generation: u32,
}

impl Tasks for Descents<'_> {
    type Task = Portion;
    /// A task is a slice.
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
        // Breadth first, so that the remaining pairs are many and of similar size. If one contact
        // is enough, depth first finds it sooner.
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

/// Time of a pair of patches, in pairs of boxes.
const LEAF: u32 = 6;

/// Most tasks that a slice leaves.
const PARTS: usize = 16;

fn hand_on(pairs: &[NodePair], generation: u32, next: &mut Vec<Portion>) {
    let part = pairs.len().div_ceil(PARTS);
    next.extend(pairs.chunks(part).map(|pairs| Portion { pairs: pairs.to_vec(), generation }));
}

/// Pairs that a task opens before it leaves the rest to others: 1, 2, 2, 4, 8, … times `first`. The
/// first slice is short, so that other threads soon have work, and the third is no longer than the
/// second, because these are the critical path. By then there are hundreds of tasks, and longer
/// slices leave fewer new ones.
const fn length(first: u32, generation: u32) -> u32 {
    let doublings = match generation {
        0 => 0,
        1 | 2 => 1,
        more => more - 1,
    };
    first.saturating_mul(1 << if doublings < 16 { doublings } else { 16 })
}

impl Descents<'_> {
    /// Opens a pair, or tests its patches; returns its approximate cost in pairs of boxes.
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
