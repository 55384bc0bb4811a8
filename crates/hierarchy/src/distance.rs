//! The least distance of two meshes that do not meet, by branch and bound over node pairs (Larsen et al. 1999, PQP,
//! as cited in fan §1.3.3.5), nearer children first.

use impinge_geometry::{Pose, triangle};
use impinge_query::{Cancelled, Contact, Control, Counter, Nearest};

use crate::model::TreeModel;
use crate::placement::Placement;
use crate::traverse::{CHECK_EVERY, Step};
use crate::volume::Volume;

/// A node pair with the lower bound on the distance of what is inside.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounded {
    gap: f64,
    pair: [u32; 2],
}

/// When the search may stop early.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Goal {
    /// Find the minimum.
    Minimum,
    /// Find any pair at most this far apart.
    Within(f64),
}

/// One distance query.
pub(crate) struct Search<'q, V> {
    pub(crate) a: &'q TreeModel<V>,
    pub(crate) b: &'q TreeModel<V>,
    pub(crate) pose: &'q Pose,
}

impl<V: Volume> Search<'_, V> {
    /// The nearest pair, or with [`Goal::Within`] some pair within that distance, else `None`.
    pub(crate) fn run<C: Counter>(
        &self,
        goal: Goal,
        stack: &mut Vec<Bounded>,
        counter: &mut C,
        control: &Control<'_>,
    ) -> Result<Option<Nearest>, Cancelled> {
        let placement = Placement::new(self.pose, self.a.max_abs(), self.b.max_abs());
        let (m, n) = (self.a.tree().nodes(), self.b.tree().nodes());
        let mut best: Option<Nearest> = None;
        // What a pair must beat: equal counts for `Within`, strictly less for the minimum.
        let hopeless = |gap: f64, best: &Option<Nearest>| match (goal, best) {
            (Goal::Within(d), _) => gap > d,
            (Goal::Minimum, Some(nearest)) => gap >= nearest.distance,
            (Goal::Minimum, None) => false,
        };
        let enough = |best: &Option<Nearest>| match (goal, best) {
            (Goal::Within(d), _) => d,
            (Goal::Minimum, Some(nearest)) => nearest.distance,
            (Goal::Minimum, None) => f64::INFINITY,
        };
        counter.volumes(1);
        stack.clear();
        stack.push(self.bounded([0, 0], &placement, f64::INFINITY));
        let mut until_check = CHECK_EVERY;
        while let Some(Bounded { gap, pair: [i, j] }) = stack.pop() {
            until_check -= 1;
            if until_check == 0 {
                control.check()?;
                until_check = CHECK_EVERY;
            }
            if hopeless(gap, &best) {
                continue;
            }
            let mut next = match Step::larger_first(&m[i as usize], &n[j as usize]) {
                Step::Leaves(s, t) => {
                    let found = self.triangles(s, t, counter);
                    if !hopeless(found.distance, &best) {
                        best = Some(found);
                        if matches!(goal, Goal::Within(_)) {
                            break;
                        }
                    }
                    continue;
                }
                Step::OpenA(first) => [[first, j], [first + 1, j]],
                Step::OpenB(first) => [[i, first], [i, first + 1]],
            }
            .map(|pair| self.bounded(pair, &placement, enough(&best)));
            counter.volumes(2);
            // The nearer one is pushed last and so opened first.
            next.sort_by(|x, y| y.gap.total_cmp(&x.gap));
            stack.extend(next.into_iter().filter(|x| !hopeless(x.gap, &best)));
        }
        Ok(best)
    }

    fn bounded(&self, pair: [u32; 2], placement: &Placement, enough: f64) -> Bounded {
        let (m, n) = (self.a.tree().nodes(), self.b.tree().nodes());
        let placed = n[pair[1] as usize].volume.place(placement);
        Bounded { gap: m[pair[0] as usize].volume.gap(&placed, placement.pad, enough), pair }
    }

    /// Distance of two triangles that do not meet; never zero.
    fn triangles(&self, s: u32, t: u32, counter: &mut impl Counter) -> Nearest {
        counter.primitives(1);
        let p = self.a.mesh().triangle(s);
        let q = self.b.mesh().triangle(t).map(|x| self.pose.apply(&x));
        let (distance, on_a, on_b) = triangle::distance(&p, &q);
        let triangles = Contact { a: s, b: t };
        Nearest { distance: distance.max(f64::MIN_POSITIVE), on_a, on_b, triangles }
    }
}
