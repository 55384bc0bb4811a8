//! Traversals of two trees of the maize-leaf pipeline that record every set of triangles, so that
//! triangle tests can be counted and timed apart from box tests.

use std::hint::black_box;
use std::ops::ControlFlow::{self, Break, Continue};

use impinge::geometry::Triangle;
use impinge::hierarchy::build::{Builder, LeafPipeline};
use impinge::hierarchy::leaf::{LeafTest, SignPermutation};
use impinge::hierarchy::traverse::{LeafPair, Step, Tested, Traversal, Trees};
use impinge::hierarchy::volume::Volume;
use impinge::hierarchy::{Placement, TreeModel};
use impinge::query::Control;
use impinge::{Contact, Mesh, Pose};

/// The volume of the pipeline's trees.
type LeafVolume = <LeafPipeline as Builder>::Volume;

/// A leaf with the pipeline's tree.
pub(crate) type Blade = TreeModel<LeafVolume>;

/// Builds the pipeline's tree of a leaf, at the paper's depth.
pub(crate) fn blade_of(mesh: &Mesh) -> Result<Blade, String> {
    let tree = LeafPipeline { depth: 3 }.build(mesh, &Control::NONE);
    Ok(Blade::new(mesh.clone(), tree.map_err(|error| error.to_string())?))
}

/// Two posed leaves.
#[derive(Clone, Copy)]
pub(crate) struct Meeting<'l> {
    /// Leaf A.
    pub(crate) a: &'l Blade,
    /// Leaf B.
    pub(crate) b: &'l Blade,
    /// Pose of B in A's frame.
    pub(crate) pose: Pose,
}

/// The record of a traversal.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trace {
    /// Sets of triangles, in order of the traversal.
    pub(crate) sets: Vec<LeafPair>,
    /// Tested pairs of triangles: all pairs of each set, without a preceding comparison of bounds.
    pub(crate) tests: u64,
    /// Contacts found, in canonical order.
    pub(crate) contacts: Vec<Contact>,
}

/// Which share of the visited pairs lies towards the tip. A pair counts once for each side.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TipCount {
    /// Overlapping pairs of nodes below the roots, by the node that was opened.
    pub(crate) children: Part,
    /// Overlapping pairs of leaf nodes.
    pub(crate) ends: Part,
    /// Contacts.
    pub(crate) contacts: Part,
}

/// A count of some among all.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Part {
    some: u64,
    all: u64,
}

impl Part {
    /// Counts one more, which may be one of the some.
    pub(crate) fn add(&mut self, is: bool) {
        self.some += u64::from(is);
        self.all += 1;
    }

    /// The share in percent; NaN if `all` is 0.
    pub(crate) fn percent(self) -> f64 {
        100.0 * self.some as f64 / self.all as f64
    }
}

impl Meeting<'_> {
    fn trees(&self) -> Trees<'_, LeafVolume> {
        let placement = Placement::new(&self.pose, self.a.max_abs(), self.b.max_abs());
        Trees::new(self.a.tree(), self.b.tree(), &placement)
    }

    fn posed(&self, t: u32) -> Triangle {
        self.b.mesh().triangle(t).map(|x| self.pose.apply(&x))
    }

    /// Traverses both trees in the given form, to the first contact or to the end.
    pub(crate) fn trace<T: Traversal>(&self, form: T, first: bool) -> Result<Trace, String> {
        let mut trace = Trace::default();
        let leaf = |set, (): &mut ()| self.take(set, first, &mut trace);
        form.walk(&self.trees(), &mut T::Memory::default(), &mut (), &Control::NONE, leaf)
            .map_err(|error| error.to_string())?;
        trace.contacts.sort_unstable();
        Ok(trace)
    }

    /// Tests a set, and records it and its contacts.
    fn take(&self, set: LeafPair, first: bool, trace: &mut Trace) -> ControlFlow<(), Tested> {
        trace.sets.push(set);
        let before = trace.tests;
        let mut found = false;
        let outcome = self.each_with_each(set, |contact, meets| {
            trace.tests += 1;
            if meets {
                found = true;
                trace.contacts.push(contact);
            }
            if first && meets { Break(()) } else { Continue(()) }
        });
        outcome.map_continue(|()| match (found, trace.tests > before) {
            (true, _) => Tested::Contact,
            (false, true) => Tested::Apart,
            (false, false) => Tested::Away,
        })
    }

    /// Tests the triangles of a trace again and does nothing else; this is timed.
    pub(crate) fn repeat(&self, sets: &[LeafPair], first: bool) {
        for &set in sets {
            let outcome = self.each_with_each(set, |contact, meets| {
                black_box(contact);
                if first && meets { Break(()) } else { Continue(()) }
            });
            if outcome.is_break() {
                return;
            }
        }
    }

    /// The paper's test of two sets: each triangle of a block against A's node, then all pairs.
    fn each_with_each(
        &self,
        set: LeafPair,
        mut each: impl FnMut(Contact, bool) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (tree_a, tree_b) = (self.a.tree(), self.b.tree());
        let (of_a, of_b) = (tree_a.leaf(set.a), tree_b.leaf(set.b));
        let near = set.near.map(|node| (&tree_a.nodes()[node as usize].volume, self.trees().frame));
        for &t in of_b.as_slice() {
            if set.tested != 0 && tree_b.levels(t) & set.tested != 0 {
                continue;
            }
            let q = self.posed(t);
            if near.as_ref().is_some_and(|(volume, frame)| !volume.may_meet(&q, frame)) {
                continue;
            }
            for &s in of_a.as_slice() {
                let meets = SignPermutation.meet(&self.a.mesh().triangle(s), &q, &mut ());
                each(Contact { a: s, b: t }, meets)?;
            }
        }
        Continue(())
    }

    /// Adds the node pairs of a complete traversal and the given contacts to `count`. The tip is
    /// where the triangle indices of the modelled leaves are high.
    pub(crate) fn count_tips(&self, contacts: &[Contact], count: &mut TipCount) {
        let trees = self.trees();
        let sizes = [self.a, self.b].map(|blade| blade.mesh().triangles().len() as f64);
        let mut stack = Vec::new();
        if trees.meet([0, 0], &mut ()) {
            stack.push([0, 0]);
        }
        while let Some(pair) = stack.pop() {
            match trees.step(pair) {
                Step::Leaves(s, t) => {
                    let (s, t) = (trees.a.leaf(s), trees.b.leaf(t));
                    for (end, size) in [s.as_slice(), t.as_slice()].into_iter().zip(sizes) {
                        let sum: f64 = end.iter().map(|&k| f64::from(k) + 0.5).sum();
                        count.ends.add(sum / end.len() as f64 > 0.5 * size);
                    }
                }
                Step::OpenA(first) => trees.open_a(first, pair[1], &mut (), |next, meets| {
                    if meets {
                        count.children.add(next[0] == first);
                        stack.push(next);
                    }
                }),
                Step::OpenB(first) => trees.open_b(pair[0], first, &mut (), |next, meets| {
                    if meets {
                        count.children.add(next[1] == first);
                        stack.push(next);
                    }
                }),
            }
        }
        for contact in contacts {
            for (t, size) in [contact.a, contact.b].into_iter().zip(sizes) {
                count.contacts.add(f64::from(t) + 0.5 > 0.5 * size);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge::hierarchy::Child;
    use impinge_models::maize::leaf_pairs;

    /// Otherwise "tip first" would be "base first".
    #[test]
    fn the_trees_tip_is_that_of_the_model() {
        let scene = leaf_pairs(1, 1).expect("a pair");
        let mut right = [0; 2];
        for mesh in &scene.leaves {
            let blade = blade_of(mesh).expect("a tree");
            let tree = blade.tree();
            let mean = |node: u32| {
                let all = tree.leaf(tree.all_below(node).expect("every node knows"));
                all.as_slice().iter().sum::<u32>() / all.as_slice().len() as u32
            };
            for node in tree.nodes() {
                if let Child::Pair(first) = node.child() {
                    right[usize::from(mean(first) > mean(first + 1))] += 1;
                }
            }
        }
        assert!(right[1] > 9 * right[0], "{right:?}");
    }
}
