//! The minimum distance of two meshes that do not meet, by branch and bound over node pairs (Larsen
//! et al. 1999, PQP, as cited in fan §1.3.3.5), nearer children first. The papers do not say which of
//! two pairs comes first whose volumes overlap: that with the nearer centres does, so that a short distance, which
//! prunes others, is found early.
//!
//! Whether the distance is at most `d` is decided exactly: node pairs are pruned by proved lower
//! bounds, and the remaining triangles are decided by [`exact::within`].

use std::cmp::Ordering;
use std::ops::ControlFlow;

use impinge_geometry::{Triangle, exact, triangle};
use impinge_query::{Cancelled, Contact, Control, Counter, Goal, Nearest};

use crate::leaf::{Bounds, Sides};
use crate::traverse::{Poll, Step, Trees};
use crate::volume::Volume;

/// A node pair with a lower bound on the distance of its triangles.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounded {
    gap: f64,
    /// The squared distance of the volumes' centres, which orders pairs without a gap; else 0.
    apart: f64,
    pair: [u32; 2],
}

impl Bounded {
    /// The nearer pair is less.
    fn order(&self, other: &Self) -> Ordering {
        self.gap.total_cmp(&other.gap).then(self.apart.total_cmp(&other.apart))
    }
}

/// The nearest pair so far, and the goal.
struct Best {
    goal: Goal,
    found: Option<Nearest>,
}

impl Best {
    /// Whether nothing at a distance of at least `gap` can matter. Equality matters for `Within`,
    /// not for the minimum. `gap` must be a proved lower bound.
    fn hopeless(&self, gap: f64) -> bool {
        match (self.goal, &self.found) {
            (Goal::Within(d), _) => gap > d,
            (Goal::Minimum, Some(nearest)) => gap >= nearest.distance,
            (Goal::Minimum, None) => false,
        }
    }

    /// A lower bound above this need not be improved.
    fn enough(&self) -> f64 {
        match (self.goal, &self.found) {
            (Goal::Within(d), _) => d,
            (Goal::Minimum, Some(nearest)) => nearest.distance,
            (Goal::Minimum, None) => f64::INFINITY,
        }
    }

    /// Takes a pair of triangles that do not meet if it matters; breaks if the goal is reached.
    /// `Within` is decided exactly; the distance reported with it is rounded.
    fn offer(&mut self, p: &Triangle, q: &Triangle, triangles: Contact) -> ControlFlow<()> {
        if let Goal::Within(d) = self.goal
            && !exact::within(p, q, d)
        {
            return ControlFlow::Continue(());
        }
        let (distance, on_a, on_b) = triangle::distance_apart(p, q);
        let nearest = Nearest { distance, on_a, on_b, triangles };
        match self.goal {
            Goal::Within(_) => {
                self.found = Some(nearest);
                return ControlFlow::Break(());
            }
            Goal::Minimum if self.hopeless(distance) => {}
            Goal::Minimum => self.found = Some(nearest),
        }
        ControlFlow::Continue(())
    }
}

pub(crate) struct Search<'q, V: Volume> {
    pub(crate) sides: &'q Sides<'q, V>,
    pub(crate) control: &'q Control<'q>,
}

impl<V: Volume> Search<'_, V> {
    /// The nearest pair, or with [`Goal::Within`] some pair within that distance; `None` if there
    /// is none.
    pub(crate) fn run<C: Counter>(
        &self,
        trees: &Trees<'_, V>,
        goal: Goal,
        stack: &mut Vec<Bounded>,
        counter: &mut C,
    ) -> Result<Option<Nearest>, Cancelled> {
        let mut best = Best { goal, found: None };
        counter.volumes(1);
        stack.clear();
        stack.push(bounded(trees, [0, 0], f64::INFINITY, counter));
        let mut poll = Poll::new();
        while let Some(Bounded { gap, pair: [i, j], .. }) = stack.pop() {
            poll.poll(self.control)?;
            if best.hopeless(gap) {
                continue;
            }
            let mut next = match trees.step([i, j]) {
                Step::Leaves(s, t) => {
                    if self.leaves([s, t], &mut best, counter, &mut poll)?.is_break() {
                        break;
                    }
                    continue;
                }
                Step::OpenA(first) => [[first, j], [first + 1, j]],
                Step::OpenB(first) => [[i, first], [i, first + 1]],
            }
            .map(|pair| bounded(trees, pair, best.enough(), counter));
            counter.volumes(2);
            // The nearer pair is pushed last, so it is opened first.
            next.sort_by(|x, y| y.order(x));
            let matters = |x: &Bounded| !best.hopeless(x.gap) && !trees.skipped(x.pair);
            stack.extend(next.into_iter().filter(matters));
        }
        Ok(best.found)
    }

    /// Every triangle of a leaf of A with every one of a leaf of B. If the leaves hold several,
    /// pairs whose bounds are too far apart are skipped.
    fn leaves<C: Counter>(
        &self,
        [s, t]: [u32; 2],
        best: &mut Best,
        counter: &mut C,
        poll: &mut Poll,
    ) -> Result<ControlFlow<()>, Cancelled> {
        let Sides { tree_a, tree_b, .. } = self.sides;
        let (of_a, of_b) = (tree_a.leaf(s), tree_b.leaf(t));
        let several = of_a.as_slice().len() + of_b.as_slice().len() > 2;
        for &t in of_b.as_slice() {
            if several && tree_b.is_repeat(t) {
                continue;
            }
            let q = self.sides.posed(t);
            let around = Bounds::new(&q);
            for &s in of_a.as_slice() {
                if several {
                    poll.poll(self.control)?;
                    if tree_a.is_repeat(s) {
                        continue;
                    }
                }
                let p = self.sides.a.triangle(s);
                if several && best.hopeless(around.gap(&Bounds::new(&p), counter)) {
                    continue;
                }
                counter.primitives(1);
                if best.offer(&p, &q, Contact { a: s, b: t }).is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

fn bounded<V: Volume>(
    trees: &Trees<'_, V>,
    pair: [u32; 2],
    enough: f64,
    counter: &mut impl Counter,
) -> Bounded {
    let placed = trees.place(pair[1], counter);
    let volume = trees.a.volume(pair[0]);
    let gap = volume.gap(&placed, &trees.frame, enough);
    let apart =
        if gap > 0.0 { 0.0 } else { squared_distance(&volume.center(), &V::bounds(&placed)) };
    Bounded { gap, apart, pair }
}

/// The squared distance of a point from the middle of bounds along the axes.
fn squared_distance(point: &[f64; 3], bounds: &[[f64; 2]; 3]) -> f64 {
    (0..3).map(|k| (0.5 * (bounds[k][0] + bounds[k][1]) - point[k]).powi(2)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The gap counts first, then the distance of the centres.
    #[test]
    fn pairs_without_a_gap_are_in_the_order_of_their_centres() {
        let pair = |gap, apart| Bounded { gap, apart, pair: [0, 0] };
        let mut pairs = [pair(0.5, 0.0), pair(0.0, 4.0), pair(0.25, 0.0), pair(0.0, 1.0)];
        pairs.sort_by(Bounded::order);
        let order = pairs.map(|pair| (pair.gap, pair.apart));
        assert_eq!(order, [(0.0, 1.0), (0.0, 4.0), (0.25, 0.0), (0.5, 0.0)]);
        let bounds = [[-1.0, 1.0], [0.0, 4.0], [2.0, 4.0]];
        assert_eq!(squared_distance(&[2.0, 1.0, 0.0], &bounds), 4.0 + 1.0 + 9.0);
    }

    fn best(goal: Goal, distance: Option<f64>) -> Best {
        let origin = impinge_geometry::Point::origin();
        let at = |distance| Nearest {
            distance,
            on_a: origin,
            on_b: origin,
            triangles: Contact { a: 0, b: 0 },
        };
        Best { goal, found: distance.map(at) }
    }

    /// "Nearer than d" includes d; a minimum is improved only by smaller values.
    #[test]
    fn what_is_as_far_as_asked_matters_and_what_is_as_far_as_found_does_not() {
        let asked = best(Goal::Within(2.0), None);
        assert!(!asked.hopeless(2.0) && !asked.hopeless(0.0));
        assert!(asked.hopeless(2.0f64.next_up()));
        assert_eq!(asked.enough(), 2.0);
        let nothing = best(Goal::Minimum, None);
        assert!(!nothing.hopeless(f64::MAX));
        assert_eq!(nothing.enough(), f64::INFINITY);
        let found = best(Goal::Minimum, Some(2.0));
        assert!(found.hopeless(2.0) && !found.hopeless(2.0f64.next_down()));
        assert_eq!(found.enough(), 2.0);
    }
}
