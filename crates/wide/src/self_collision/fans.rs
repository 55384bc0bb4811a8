//! Self-contacts of a mesh with hubs: its groups against themselves and each other.
//!
//! | common part of two keys | how pairs of their triangles are found |
//! | --- | --- |
//! | no hub | boxes, as in other meshes |
//! | one hub | directions from it ([`Cones`]) |
//! | an edge | half-planes from it ([`half_planes`]); only within one group |
//!
//! Each pair is tested once. The tests are complete: a contact of two triangles with a common
//! corner is another point, seen from the corner in a common direction.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use impinge_geometry::exact::{meet_elsewhere, meet_off_edge, segment_meets_triangle};
use impinge_geometry::predicates::{Sign, collinear, orient3d};
use impinge_geometry::{Point, Pose};
use impinge_query::{Contact, Counter, QueryError};

use super::Search;
use super::cones::{Cones, Visit};
use super::groups::{Group, Groups};
use super::sink::Sink;
use crate::model::WideModel;
use crate::placement::Placement;
use crate::search::Pair;
use crate::search::contacts::{POLL_INTERVAL, Stack, Walk};
use crate::search::self_collision::meet_otherwise;

/// Searches one mesh with hubs.
pub(super) struct Fans<'s, 'q> {
    pub(super) search: &'s Search<'q>,
    pub(super) groups: &'s Groups,
}

impl Fans<'_, '_> {
    /// Finds all pairs that meet, or one.
    ///
    /// # Errors
    /// [`Cancelled`](impinge_query::Cancelled).
    pub(super) fn run<C: Counter>(
        &self,
        stack: &mut Stack,
        counter: &mut C,
        sink: &mut Sink<'_>,
    ) -> Result<(), QueryError> {
        let groups = &self.groups.groups;
        for group in groups {
            let flow = match *group.key.as_slice() {
                [] => {
                    self.search.descend(
                        &group.model,
                        Some(&group.triangles),
                        counter,
                        stack,
                        sink,
                    )?;
                    ControlFlow::Continue(())
                }
                [v] => self.fan(self.hub(v), group, counter, sink),
                [v, w, ..] => self.book([self.hub(v), self.hub(w)], group, sink),
            };
            if flow.is_break() || sink.satisfied() {
                return Ok(());
            }
        }
        // Groups whose bounds overlap, by sweep along x.
        let mut order: Vec<(&Group, _)> =
            groups.iter().map(|group| (group, group.model.mesh().bounds())).collect();
        order.sort_by(|(_, p), (_, q)| p.0.x.total_cmp(&q.0.x));
        for (i, (first, (low, high))) in order.iter().enumerate() {
            self.search.control.check()?;
            for (second, (l, h)) in order[i + 1..].iter().take_while(|(_, (l, _))| l.x <= high.x) {
                let overlap = (1..3).all(|k| low[k] <= h[k] && l[k] <= high[k]);
                if !overlap {
                    continue;
                }
                let common = first.key.iter().find(|hub| second.key.contains(hub));
                let flow = match common {
                    None => self.boxes([first, second], stack, counter, sink)?,
                    Some(&hub) => self.fans(self.hub(hub), [first, second], counter, sink),
                };
                if flow.is_break() || sink.satisfied() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn hub(&self, hub: u32) -> &Point {
        &self.groups.hubs[hub as usize]
    }

    fn cones(&self, hub: &Point, group: &Group) -> Option<Cones> {
        Cones::new(hub, &group.triangles, |t| self.search.model.mesh().triangle(t))
    }

    /// One group with one hub.
    fn fan<C: Counter>(
        &self,
        hub: &Point,
        group: &Group,
        counter: &mut C,
        sink: &mut Sink<'_>,
    ) -> ControlFlow<()> {
        let Some(cones) = self.cones(hub, group) else { return ControlFlow::Continue(()) };
        cones.among(&mut Judge { search: self.search, left: POLL_INTERVAL, counter, sink })
    }

    /// Two groups with one common hub.
    fn fans<C: Counter>(
        &self,
        hub: &Point,
        groups: [&Group; 2],
        counter: &mut C,
        sink: &mut Sink<'_>,
    ) -> ControlFlow<()> {
        let [Some(a), Some(b)] = groups.map(|group| self.cones(hub, group)) else {
            return ControlFlow::Continue(());
        };
        a.with(&b, &mut Judge { search: self.search, left: POLL_INTERVAL, counter, sink })
    }

    /// One group with a common edge.
    fn book(&self, [v, w]: [&Point; 2], group: &Group, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let page = |&t: &u32| -> Option<Page> {
            let corners = self.search.model.mesh().triangle(t);
            corners.into_iter().find(|x| x != v && x != w).map(|x| (x, t))
        };
        let pages = group.triangles.iter().filter_map(page).collect();
        half_planes(v, w, pages).iter().try_for_each(|set| sink.across(set))
    }

    /// Two groups without a common hub.
    fn boxes<C: Counter>(
        &self,
        [a, b]: [&Group; 2],
        stack: &mut Stack,
        counter: &mut C,
        sink: &mut Sink<'_>,
    ) -> Result<ControlFlow<()>, QueryError> {
        let models = [&a.model, &b.model];
        let (still, frame) = (Pose::identity(), models.map(|model| &model.tree.frame));
        let max_abs = models.map(WideModel::max_abs);
        let Some(placement) = Placement::new(&still, frame, max_abs) else {
            return Ok(ControlFlow::Continue(()));
        };
        let pair = Pair { models, pose: &still, placement: &placement };
        let hit = |c: Contact| sink.pair(a.triangles[c.a as usize], b.triangles[c.b as usize]);
        stack.begin(&pair);
        let (control, decide) = (self.search.control, meet_otherwise);
        let walk = Walk::<_, _, _, _, false>::new(pair, stack, counter, control, hit, decide, ());
        self.search.width.run(walk)?;
        Ok(ControlFlow::Continue(()))
    }
}

/// Tests exactly whether two triangles that may have a common direction from a common corner meet
/// elsewhere.
struct Judge<'w, 'q, 'k, C> {
    search: &'w Search<'q>,
    /// Steps to the next poll of the caller's flag.
    left: u32,
    counter: &'w mut C,
    sink: &'w mut Sink<'k>,
}

impl<C> Judge<'_, '_, '_, C> {
    fn poll(&mut self) -> ControlFlow<()> {
        self.left -= 1;
        if self.left > 0 {
            return ControlFlow::Continue(());
        }
        self.left = POLL_INTERVAL;
        if self.search.control.check().is_ok() {
            ControlFlow::Continue(())
        } else {
            self.sink.cancel()
        }
    }
}

impl<C: Counter> Visit for Judge<'_, '_, '_, C> {
    fn boxes(&mut self) -> ControlFlow<()> {
        self.counter.volumes(1);
        self.poll()
    }

    fn pair(&mut self, [p, q]: [u32; 2]) -> ControlFlow<()> {
        self.poll()?;
        self.counter.primitives(1);
        let mesh = self.search.model.mesh();
        if meet_elsewhere(&mesh.triangle(p), &mesh.triangle(q)) {
            return self.sink.pair(p, q);
        }
        ControlFlow::Continue(())
    }
}

/// The corner of a triangle off the common edge, and the triangle.
type Page = (Point, u32);

/// Sorts triangles around a common edge `v w`, each with one more corner, into sets such that two
/// share a point off that edge if and only if they are in one set. Sets of one are dropped. Exact;
/// O(n log n).
///
/// Half-planes from the edge's line are ordered by angle: those less than half a turn from the
/// first, the opposite one, and those beyond. Within each half `orient3d` compares.
fn half_planes(v: &Point, w: &Point, pages: Vec<Page>) -> Vec<Vec<u32>> {
    let (with_area, without): (Vec<Page>, Vec<Page>) =
        pages.into_iter().partition(|(x, _)| !collinear(v, w, x));
    let mut sets: Vec<Vec<u32>> = Vec::new();
    if let Some((zero, _)) = with_area.first().copied() {
        let half = |x: &Point| match orient3d(v, w, &zero, x) {
            Sign::Positive => 1,
            Sign::Negative => 3,
            Sign::Zero if meet_off_edge([v, w], &zero, x) => 0,
            Sign::Zero => 2,
        };
        let mut turned: Vec<(u8, Page)> =
            with_area.into_iter().map(|page| (half(&page.0), page)).collect();
        let around = |(h, (x, _)): &(u8, Page), (i, (y, _)): &(u8, Page)| {
            h.cmp(i).then_with(|| match (h, orient3d(v, w, x, y)) {
                (0 | 2, _) | (_, Sign::Zero) => Ordering::Equal,
                (_, Sign::Positive) => Ordering::Less,
                (_, Sign::Negative) => Ordering::Greater,
            })
        };
        turned.sort_by(around);
        let same = |x: &(u8, Page), y: &(u8, Page)| around(x, y) == Ordering::Equal;
        let of = |set: &[(u8, Page)]| set.iter().map(|(_, (_, t))| *t).collect();
        sets.extend(turned.chunk_by(same).map(of));
    }
    // Triangles without area: those that extend beyond the same end of the edge meet.
    for (near, far) in [(v, w), (w, v)] {
        let past = |(x, _): &&Page| segment_meets_triangle(near, near, &[*far, *x, *x]);
        sets.push(without.iter().filter(past).map(|(_, t)| *t).collect());
    }
    sets.retain(|set| set.len() > 1);
    sets
}
