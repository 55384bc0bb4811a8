//! Tasks of the simple algorithms: a box of A against a box of B (fan §4.3.3).

use std::ops::ControlFlow;

use impinge_geometry::{Mesh, Pose};
use impinge_hierarchy::traverse::{NodePair, Trees};
use impinge_hierarchy::volume::AxisBox;
use impinge_hierarchy::{Child, Placement};
use impinge_query::Counter;

use crate::edge_face::{Edge, EdgesOf, Face, Whose};
use crate::model::{BalancedModel, OnTree};
use crate::task::Tasks;
use crate::workers::Work;

/// Box against box, down to leaves; there every edge of one mesh is tested against every triangle
/// of the other, in both directions.
#[derive(Debug)]
pub struct BoxPairs<'q> {
    a: &'q BalancedModel,
    b: &'q BalancedModel,
    pose: &'q Pose,
    bounds_first: bool,
    trees: Trees<'q, AxisBox>,
}

impl<'q> BoxPairs<'q> {
    /// The tasks of one query. `bounds_first`: whether an edge is tested against a triangle only if
    /// their bounds overlap.
    pub fn new(
        a: &'q BalancedModel,
        b: &'q BalancedModel,
        pose: &'q Pose,
        bounds_first: bool,
    ) -> Self {
        let placement = Placement::new(pose, a.tree().max_abs(), b.tree().max_abs());
        let trees = Trees::new(a.tree().tree(), b.tree().tree(), &placement);
        Self { a, b, pose, bounds_first, trees }
    }
}

impl Tasks for BoxPairs<'_> {
    type Task = NodePair;
    /// One task takes about 20 ns.
    const GRAIN: usize = 64;

    fn root(&self, _: u32) -> Option<NodePair> {
        Some([0, 0])
    }

    #[inline]
    fn run<C: Counter>(
        &self,
        [i, j]: NodePair,
        work: &mut Work<'_, C>,
        next: &mut Vec<NodePair>,
    ) -> ControlFlow<()> {
        work.poll()?;
        let repeats = || self.trees.a.only_repeats(i) || self.trees.b.only_repeats(j);
        if work.first() && repeats() || !self.trees.meet([i, j], work.counter) {
            return ControlFlow::Continue(());
        }
        let child =
            |mesh: &BalancedModel, node: u32| mesh.tree().tree().nodes()[node as usize].child();
        match (child(self.a, i), child(self.b, j)) {
            (Child::Leaf(s), Child::Leaf(t)) => return self.leaves(s, t, work),
            (Child::Leaf(_), Child::Pair(first)) => next.extend([[i, first], [i, first + 1]]),
            (Child::Pair(first), Child::Leaf(_)) => next.extend([[first, j], [first + 1, j]]),
            (Child::Pair(s), Child::Pair(t)) => {
                next.extend([[s, t], [s, t + 1], [s + 1, t], [s + 1, t + 1]]);
            }
        }
        ControlFlow::Continue(())
    }
}

impl BoxPairs<'_> {
    /// The basic algorithm (fan fig. 4-2) on the triangles of two leaves.
    fn leaves<C: Counter>(&self, s: u32, t: u32, work: &mut Work<'_, C>) -> ControlFlow<()> {
        let (of_a, of_b) = (self.a.tree().tree().leaf(s), self.b.tree().tree().leaf(t));
        let (m, n) = (self.a.tree().mesh(), self.b.tree().mesh());
        let still = |mesh: &Mesh, v: u32| mesh.vertices()[v as usize];
        let moved = |v: u32| self.pose.apply(&n.vertices()[v as usize]);
        // If only one contact is wanted, one of several equal triangles answers for all.
        let first = work.first();
        let [in_a, in_b] =
            [self.trees.a, self.trees.b].map(|tree| move |t: &u32| !(first && tree.is_repeat(*t)));
        let bounds_first = self.bounds_first;
        let edges_a = EdgesOf { whose: Whose::A, edges: self.a.edges(), bounds_first };
        let edges_b = EdgesOf { whose: Whose::B, edges: self.b.edges(), bounds_first };
        let faces_b = of_b.as_slice().iter().filter(|t| in_b(t));
        let place = |&t: &u32| {
            let [u, v, w] = n.triangles()[t as usize];
            edges_a.face(t, [moved(u), moved(v), moved(w)])
        };
        let faces_b: Vec<Face> = faces_b.map(place).collect();
        for &e in self.a.edges_of(s) {
            work.poll()?;
            if !self.a.edges().triangles(e).iter().any(in_a) {
                continue;
            }
            let [u, v] = self.a.edges().ends(e);
            let edge = edges_a.edge(e, [still(m, u), still(m, v)]);
            for face in &faces_b {
                edges_a.test(&edge, face, work)?;
            }
        }
        let of_b = self.b.edges_of(t).iter();
        let of_b = of_b.filter(|e| self.b.edges().triangles(**e).iter().any(in_b));
        let posed = |&e: &u32| edges_b.edge(e, self.b.edges().ends(e).map(moved));
        let of_b: Vec<Edge> = of_b.map(posed).collect();
        for &s in of_a.as_slice().iter().filter(|s| in_a(s)) {
            let face = edges_b.face(s, m.triangle(s));
            for edge in &of_b {
                edges_b.test(edge, &face, work)?;
            }
        }
        ControlFlow::Continue(())
    }
}
