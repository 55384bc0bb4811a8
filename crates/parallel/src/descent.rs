//! Tasks of `edge-steal`: pairs of boxes down to patches, and there edges against triangles.
//!
//! Whole sets of edges are dismissed by the box around their patch before any edge is looked at
//! alone, and one descent serves A's edges and B's.

use std::ops::ControlFlow;

use impinge_geometry::Pose;
use impinge_hierarchy::traverse::{NodePair, Step, Trees};
use impinge_hierarchy::volume::ObbRows;
use impinge_hierarchy::{Placement, TreeModel};
use impinge_query::{Counter, Model, ModelId};

use crate::crew::Work;
use crate::model::OnTree;
use crate::patch_pair;
use crate::patches::Patches;
use crate::task::Tasks;

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

impl Model for PatchModel {
    fn id(&self) -> ModelId {
        self.tree.id()
    }

    fn triangles(&self) -> usize {
        self.tree.triangles()
    }

    fn bytes(&self) -> usize {
        self.tree.bytes() + self.patches.bytes()
    }

    fn mesh_bytes(&self) -> usize {
        self.tree.mesh_bytes()
    }
}

/// A depth-first descent that is cut into slices: what is left of its stack after a slice becomes
/// tasks of its own.
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

/// So many of the oldest pairs of a stack become tasks of their own: each has about half as much
/// below it as the one before.
const ALONE: usize = 3;

impl Tasks for Descents<'_> {
    /// A stack of pairs that meet, the next one last.
    type Task = Vec<NodePair>;
    /// A slice each.
    const GRAIN: usize = 1;

    fn apart(&self, counter: &mut impl Counter) -> bool {
        !self.trees.meet([0, 0], counter)
    }

    fn root(&self, _: u32) -> Option<Vec<NodePair>> {
        let mut stack = Vec::with_capacity(64);
        stack.push([0, 0]);
        Some(stack)
    }

    fn run<C: Counter>(
        &self,
        mut stack: Vec<NodePair>,
        work: &mut Work<'_, C>,
        next: &mut Vec<Vec<NodePair>>,
    ) -> ControlFlow<()> {
        let mut left = self.slice.unwrap_or(u32::MAX);
        while let Some(pair) = stack.pop() {
            work.beat()?;
            let push = |pair, meets| {
                if meets {
                    stack.push(pair);
                }
            };
            match self.trees.step(pair) {
                Step::Leaves(s, t) => {
                    let (p, q) = (self.a.patches.get(s), self.b.patches.get(t));
                    patch_pair::meet(p, q, self.pose, work)?;
                    left = left.saturating_sub(LEAF);
                }
                Step::OpenA(first) => self.trees.open_a(first, pair[1], work.counter, push),
                Step::OpenB(first) => self.trees.open_b(pair[0], first, work.counter, push),
            }
            left = left.saturating_sub(1);
            if left == 0 && stack.len() > 1 {
                self.hand_on(stack, next);
                break;
            }
        }
        ControlFlow::Continue(())
    }
}

/// A pair of patches takes about as long as so many pairs of boxes.
const LEAF: u32 = 6;

impl Descents<'_> {
    fn hand_on(&self, mut stack: Vec<NodePair>, next: &mut Vec<Vec<NodePair>>) {
        if self.slice.is_none() {
            next.push(stack);
            return;
        }
        let rest = stack.split_off(ALONE.min(stack.len() - 1));
        next.extend(stack.into_iter().map(|pair| vec![pair]));
        next.push(rest);
    }
}
