//! The least distance, the comparison with a given distance, and the use of remembered triangles.

use impinge_geometry::exact::{self, meeting, triangles_meet};
use impinge_geometry::{Triangle, triangle};

use super::{Goal, Run, Search};
use crate::{Contact, Counter, Nearest, QueryError, Verdict};

impl<S: Search, C: Counter> Run<'_, '_, S, C> {
    /// Whether the triangles that met in the last query still meet.
    pub(super) fn still_meet(&mut self) -> bool {
        let Some(contact) = self.memory.met.take() else { return false };
        let query = self.query;
        let meet = self.counter.stage("memory", |counter| {
            counter.primitives(1);
            let (p, q) = query.triangles(contact);
            triangles_meet(&p, &q)
        });
        if meet {
            self.memory.met = Some(contact);
            self.answer.contacts.push(contact);
            self.answer.contacts_found = 1;
            self.answer.verdict = Verdict::Intersecting;
        }
        meet
    }

    /// Finds a contact, if there is one; leaves only the verdict in the answer.
    #[inline]
    fn touches(&mut self) -> Result<Option<Contact>, QueryError> {
        self.contacts(true)?;
        self.answer.contacts_found = 0;
        Ok(self.answer.contacts.pop())
    }

    pub(super) fn distance(&mut self) -> Result<(), QueryError> {
        let nearest = if let Some(triangles) = self.touches()? {
            let (p, q) = self.query.triangles(triangles);
            let at = meeting(&p, &q).map_or(p[0], |meeting| meeting.points()[0]);
            Some(Nearest { distance: 0.0, on_a: at, on_b: at, triangles })
        } else {
            let most = self.still_near();
            let found = self.search(Goal::Minimum, most)?;
            // Unreachable if `still_near`'s bound holds; search without a bound rather than answer
            // nothing.
            if found.is_none() && most.is_some() {
                self.search(Goal::Minimum, None)?
            } else {
                found
            }
        };
        self.answer.nearest = nearest;
        self.memory.nearest = nearest.map(|nearest| nearest.triangles);
        Ok(())
    }

    #[inline]
    pub(super) fn nearer(&mut self, d: f64) -> Result<(), QueryError> {
        let nearer = self.touches()?.is_some() || self.apart_within(d)?;
        self.answer.nearer = Some(nearer);
        Ok(())
    }

    /// Whether the surfaces, which share no point, are at most `d` apart.
    fn apart_within(&mut self, d: f64) -> Result<bool, QueryError> {
        if !(d > 0.0) {
            return Ok(false);
        }
        if self.remembered().is_some_and(|(p, q)| exact::within(&p, &q, d)) {
            return Ok(true);
        }
        let Some(nearest) = self.search(Goal::Within(d), Some(d))? else { return Ok(false) };
        self.memory.nearest = Some(nearest.triangles);
        Ok(true)
    }

    fn search(&mut self, goal: Goal, most: Option<f64>) -> Result<Option<Nearest>, QueryError> {
        let (search, query, own) = (self.search, self.query, &mut self.memory.own);
        self.counter.stage("distance", |counter| search.nearest(query, goal, most, own, counter))
    }

    /// The triangles that were nearest in the last query, in the present pose.
    fn remembered(&mut self) -> Option<(Triangle, Triangle)> {
        let contact = self.memory.nearest.filter(|_| S::REMEMBERS)?;
        self.counter.primitives(1);
        Some(self.query.triangles(contact))
    }

    /// An upper bound on the distance: the distance of the triangles that were nearest in the last
    /// query, enlarged by more than its rounding error.
    fn still_near(&mut self) -> Option<f64> {
        let (p, q) = self.remembered()?;
        let distance = triangle::distance_apart(&p, &q).0;
        let edge = |t: &Triangle| (t[1] - t[0]).amax().max((t[2] - t[0]).amax());
        let rounding = 1e-6 * distance + 1e-12 * edge(&p).max(edge(&q)) + f64::MIN_POSITIVE;
        Some(distance + rounding)
    }
}
