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
//!
//! Why no contact is lost, whatever moved between the queries: opening a pair replaces it by pairs
//! that together have the same pairs of leaves below them. So the front always has each pair of leaves
//! below exactly one of its pairs. The descent ends above a pair of leaves only where two volumes are
//! separated now, and volumes of triangles that meet are never separated. That a pair above the front
//! was opened last time, and may be separated now, costs tests only.

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
    /// Pairs visited by the last descent, and by the last one from the root.
    visits: u64,
    root_visits: u64,
    /// Whether the last descent started at the root.
    from_root: bool,
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
        leaf: impl FnMut(LeafPair, &mut C) -> ControlFlow<(), Tested>,
    ) -> Result<(), Cancelled> {
        memory.begin(trees, false);
        memory.descend::<false, V, C>(trees, (counter, control), leaf)
    }
}

/// Opens both nodes of a pair, as [`Simultaneous`](super::Simultaneous); starts at the front.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrontOfBoth {
    /// Whether a descent starts at the root, even if the objects came nearer, after one that visited
    /// as many pairs from the front as the last one from the root. The paper has no such rule.
    ///
    /// A front only sinks: pairs that a descent opened, and that are separated now, are never joined
    /// again. So over many steps it becomes longer than a descent from the root.
    pub renewed: bool,
}

impl Traversal for FrontOfBoth {
    type Memory = FrontMemory;

    fn walk<V: Volume, C: Counter>(
        self,
        trees: &Trees<'_, V>,
        memory: &mut FrontMemory,
        counter: &mut C,
        control: &Control<'_>,
        leaf: impl FnMut(LeafPair, &mut C) -> ControlFlow<(), Tested>,
    ) -> Result<(), Cancelled> {
        memory.begin(trees, self.renewed);
        memory.descend::<true, V, C>(trees, (counter, control), leaf)
    }
}

impl FrontMemory {
    /// Descends from the start. Opens both nodes of a pair, or the larger one.
    #[inline(always)]
    fn descend<const BOTH: bool, V: Volume, C: Counter>(
        &mut self,
        trees: &Trees<'_, V>,
        (counter, control): (&mut C, &Control<'_>),
        mut leaf: impl FnMut(LeafPair, &mut C) -> ControlFlow<(), Tested>,
    ) -> Result<(), Cancelled> {
        let Self { front, start, stack, visits, .. } = self;
        *visits = 0;
        let mut poll = Poll::new();
        loop {
            let popped = stack.pop();
            let from_stack = popped.is_some();
            let Some(pair) = popped.or_else(|| start.pop()) else { break };
            if let Err(cancelled) = poll.poll(control) {
                // The unvisited part is unknown, so the next query starts at the root.
                front.clear();
                return Err(cancelled);
            }
            if !from_stack {
                *visits += 1;
                if !trees.meet(pair, counter) {
                    front.push(pair);
                    continue;
                }
            }
            let sort = |pair, meets| {
                *visits += 1;
                if meets { &mut *stack } else { &mut *front }.push(pair);
            };
            let leaves = if BOTH {
                trees.open_both(pair, counter, sort)
            } else {
                match trees.step(pair) {
                    Step::Leaves(s, t) => Some(LeafPair::new(s, t)),
                    Step::OpenA(first) => {
                        trees.open_a(first, pair[1], counter, sort);
                        None
                    }
                    Step::OpenB(first) => {
                        trees.open_b(pair[0], first, counter, sort);
                        None
                    }
                }
            };
            if let Some(leaves) = leaves {
                front.push(pair);
                if leaf(leaves, counter).is_break() {
                    break;
                }
            }
        }
        front.append(stack);
        front.append(start);
        if self.from_root {
            self.root_visits = self.visits;
        }
        Ok(())
    }

    /// Chooses the start and clears the front. If `renewed`, a front that cost as much as the root is
    /// not used.
    fn begin<V: Volume>(&mut self, trees: &Trees<'_, V>, renewed: bool) {
        let apart = centers_apart(trees);
        let nearer = self.apart.replace(apart).is_some_and(|before| apart < before);
        let worn = renewed && !self.from_root && self.visits >= self.root_visits;
        self.stack.clear();
        self.start.clear();
        std::mem::swap(&mut self.start, &mut self.front);
        self.from_root = !nearer || worn || self.start.is_empty();
        if self.from_root {
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use impinge_geometry::{Pose, Vector};
    use impinge_models::Shape;
    use impinge_query::Contact;

    use super::*;
    use crate::build::{AxisBoxFit, Builder, Mean, TopDown};
    use crate::leaf::{ExactOnly, LeafTest};
    use crate::placement::Placement;
    use crate::tree::{Child, Tree};
    use crate::volume::AxisBox;

    /// Two meshes with their trees; B comes nearer with every step.
    struct Scene {
        meshes: [impinge_geometry::Mesh; 2],
        trees: [Tree<AxisBox>; 2],
    }

    impl Scene {
        fn new() -> Self {
            let meshes = [Shape::Torus.mesh(60, 0), Shape::Gear.mesh(80, 0)];
            let builder = TopDown::new(AxisBoxFit, Mean);
            let build =
                |k: usize| builder.build(&meshes[k], &Control::NONE).expect("no one cancels");
            Self { trees: [build(0), build(1)], meshes }
        }

        /// All contacts at a step, from the front in `memory`.
        fn contacts<T: Traversal>(
            &self,
            traversal: T,
            step: u32,
            memory: &mut T::Memory,
        ) -> Vec<Contact> {
            let at = Vector::new(0.9 - 0.1 * f64::from(step), 0.05, 0.1);
            let pose = Pose::translation_by(at).expect("finite");
            let placement = Placement::new(&pose, 1.0, 1.0);
            let [a, b] = &self.trees;
            let trees = Trees::new(a, b, &placement);
            let mut found = Vec::new();
            let leaf = |LeafPair { a, b, .. }: LeafPair, counter: &mut ()| {
                let q = self.meshes[1].triangle(b).map(|x| pose.apply(&x));
                if ExactOnly.meet(&self.meshes[0].triangle(a), &q, counter) {
                    found.push(Contact { a, b });
                }
                ControlFlow::Continue(Tested::Apart)
            };
            traversal.walk(&trees, memory, &mut (), &Control::NONE, leaf).expect("no one cancels");
            found.sort_unstable();
            found
        }

        /// The leaves below each node.
        fn below(&self, k: usize) -> Vec<Vec<u32>> {
            let nodes = self.trees[k].nodes();
            let mut below = vec![Vec::new(); nodes.len()];
            for index in (0..nodes.len()).rev() {
                below[index] = match nodes[index].child() {
                    Child::Leaf(leaf) => vec![leaf],
                    Child::Pair(first) => {
                        [&below[first as usize][..], &below[first as usize + 1]].concat()
                    }
                };
            }
            below
        }
    }

    /// Whether each pair of leaves is below exactly one pair of a front.
    fn is_cut(front: &[NodePair], below: &[Vec<Vec<u32>>; 2]) -> bool {
        let mut times = BTreeMap::new();
        for [i, j] in front {
            for s in &below[0][*i as usize] {
                for t in &below[1][*j as usize] {
                    *times.entry([*s, *t]).or_insert(0) += 1;
                }
            }
        }
        times.len() == below[0][0].len() * below[1][0].len() && times.values().all(|n| *n == 1)
    }

    fn check<T: Traversal<Memory = FrontMemory>>(traversal: T) {
        let scene = Scene::new();
        let below = [scene.below(0), scene.below(1)];
        let mut memory = FrontMemory::default();
        let mut lost = 0;
        for step in 0..5 {
            let truth = scene.contacts(traversal, step, &mut FrontMemory::default());
            for dropped in 0..memory.front.len() {
                let mut less = memory.clone();
                less.front.swap_remove(dropped);
                assert!(!is_cut(&less.front, &below), "a hole is noticed");
                let found = scene.contacts(traversal, step, &mut less);
                lost += u32::from(found != truth);
            }
            assert_eq!(scene.contacts(traversal, step, &mut memory), truth, "step {step}");
            assert!(is_cut(&memory.front, &below), "step {step}");
        }
        assert!(memory.front.len() > 100 && lost > 20, "{} {lost}", memory.front.len());
    }

    /// The front always has each pair of leaves below exactly one pair. Without any one of its pairs
    /// it has not, and contacts are lost.
    #[test]
    fn a_front_is_a_cut_and_each_pair_of_it_counts() {
        check(Front);
        check(FrontOfBoth { renewed: false });
        check(FrontOfBoth { renewed: true });
    }
}
