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
use impinge_query::{Cancelled, Contact, Control, Counter, QueryError, order};

use super::cones::{Cones, Visit};
use super::groups::{Group, Groups};
use super::sink::Sink;
use super::{LOOK, Search};
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

    /// The directions of a group; breaks off if cancelled.
    fn cones(
        &self,
        hub: &Point,
        group: &Group,
        sink: &mut Sink<'_>,
    ) -> ControlFlow<(), Option<Cones>> {
        let corners = |t| self.search.model.mesh().triangle(t);
        match Cones::new(hub, &group.triangles, corners, self.search.control) {
            Ok(cones) => ControlFlow::Continue(cones),
            Err(Cancelled) => sink.cancel().map_continue(|()| None),
        }
    }

    /// One group with one hub.
    fn fan<C: Counter>(
        &self,
        hub: &Point,
        group: &Group,
        counter: &mut C,
        sink: &mut Sink<'_>,
    ) -> ControlFlow<()> {
        let Some(cones) = self.cones(hub, group, sink)? else { return ControlFlow::Continue(()) };
        cones.among(&mut Judge { search: self.search, left: POLL_INTERVAL, counter, sink })
    }

    /// Two groups with one common hub.
    fn fans<C: Counter>(
        &self,
        hub: &Point,
        [a, b]: [&Group; 2],
        counter: &mut C,
        sink: &mut Sink<'_>,
    ) -> ControlFlow<()> {
        let (a, b) = (self.cones(hub, a, sink)?, self.cones(hub, b, sink)?);
        let (Some(a), Some(b)) = (a, b) else { return ControlFlow::Continue(()) };
        a.with(&b, &mut Judge { search: self.search, left: POLL_INTERVAL, counter, sink })
    }

    /// One group with a common edge.
    fn book(&self, [v, w]: [&Point; 2], group: &Group, sink: &mut Sink<'_>) -> ControlFlow<()> {
        let page = |&t: &u32| -> Option<Page> {
            let corners = self.search.model.mesh().triangle(t);
            corners.into_iter().find(|x| x != v && x != w).map(|x| (x, t))
        };
        let pages: Vec<Page> = group.triangles.iter().filter_map(page).collect();
        match half_planes(v, w, &pages, self.search.control) {
            Ok(sets) => sets.iter().try_for_each(|set| sink.across(set)),
            Err(Cancelled) => sink.cancel(),
        }
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
///
/// # Errors
/// [`Cancelled`].
fn half_planes(
    v: &Point,
    w: &Point,
    pages: &[Page],
    control: &Control<'_>,
) -> Result<Vec<Vec<u32>>, Cancelled> {
    let (mut with_area, mut without): (Vec<Page>, Vec<Page>) = (Vec::new(), Vec::new());
    for some in pages.chunks(LOOK) {
        control.check()?;
        let has_area = |(x, _): &&Page| !collinear(v, w, x);
        let (more, others): (Vec<&Page>, Vec<&Page>) = some.iter().partition(has_area);
        with_area.extend(more);
        without.extend(others);
    }
    let mut sets: Vec<Vec<u32>> = Vec::new();
    if let Some((zero, _)) = with_area.first().copied() {
        let half = |x: &Point| match orient3d(v, w, &zero, x) {
            Sign::Positive => 1,
            Sign::Negative => 3,
            Sign::Zero if meet_off_edge([v, w], &zero, x) => 0,
            Sign::Zero => 2,
        };
        let mut turned: Vec<(u8, Page)> = Vec::with_capacity(with_area.len());
        for some in with_area.chunks(LOOK) {
            control.check()?;
            turned.extend(some.iter().map(|page| (half(&page.0), *page)));
        }
        let around = |(h, (x, _)): &(u8, Page), (i, (y, _)): &(u8, Page)| {
            h.cmp(i).then_with(|| match (h, orient3d(v, w, x, y)) {
                (0 | 2, _) | (_, Sign::Zero) => Ordering::Equal,
                (_, Sign::Positive) => Ordering::Less,
                (_, Sign::Negative) => Ordering::Greater,
            })
        };
        let turned = order::sorted(turned, around, control)?;
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
    Ok(sets)
}

#[cfg(test)]
mod tests {
    use impinge_models::Random;
    use impinge_query::Cancel;

    use super::*;

    /// Pages about an edge, each second one without area.
    #[test]
    fn sorting_pages_looks_often() {
        let (v, w) = (Point::new(0.0, 0.0, -1.0), Point::new(0.0, 0.0, 2.0));
        let (n, mut random) = (16 * LOOK, Random::new(3));
        let mut page = |t: usize| {
            let mut x = Point::from(random.vector(-3.0, 3.0));
            if t.is_multiple_of(2) {
                (x.x, x.y) = (0.0, 0.0);
            }
            (x, t as u32)
        };
        let pages: Vec<Page> = (0..n).map(&mut page).collect();
        let looks = |look: u64| {
            let cancel = Cancel::at_look(look);
            let sets = half_planes(&v, &w, &pages, &Control::NONE.cancelled_by(&cancel));
            (sets.map(|sets| sets.len()), cancel.looks().map_or(0, |looks| looks.number))
        };
        let (sets, all) = looks(u64::MAX);
        // Those without area are beyond the one end or the other.
        assert_eq!(sets, Ok(2));
        assert!(all >= 16 + 8 + 8 + 3 * 7, "{all}");
        for look in [1, 10, 17, 25, 33, all] {
            assert_eq!(looks(look), (Err(Cancelled), look));
        }
    }
}
