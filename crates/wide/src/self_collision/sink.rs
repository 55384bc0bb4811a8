//! Collects self-contacts: each contact found stands for all pairs of triangles equal to its two.

use std::ops::ControlFlow;

use impinge_geometry::Coincident;
use impinge_query::{Cancelled, Contact, Contacts, Control};

/// Contacts on their way into an answer.
#[derive(Debug)]
pub(super) struct Sink<'q> {
    found: Contacts,
    coincident: Option<&'q Coincident>,
    control: &'q Control<'q>,
    cancelled: bool,
}

impl<'q> Sink<'q> {
    /// A sink that adds to `found`.
    pub(super) fn new(
        coincident: Option<&'q Coincident>,
        found: Contacts,
        control: &'q Control<'q>,
    ) -> Self {
        Self { found, coincident, control, cancelled: false }
    }

    /// An empty sink of the same kind, for another thread.
    pub(super) fn fork(&self) -> Self {
        let found = self.found.fork();
        Self { found, cancelled: false, ..*self }
    }

    /// Adds the contacts of another thread.
    pub(super) fn merge(&mut self, other: Self) {
        self.cancelled |= other.cancelled;
        self.found.merge(other.found);
    }

    /// Whether the first contact is wanted and found.
    pub(super) fn satisfied(&self) -> bool {
        self.found.wants_first() && self.found.found() > 0
    }

    /// The contacts found.
    ///
    /// # Errors
    /// [`Cancelled`] if the search was broken off because of it.
    pub(super) fn end(self) -> Result<Contacts, Cancelled> {
        if self.cancelled { Err(Cancelled) } else { Ok(self.found) }
    }

    /// Adds the contact of two triangles, and those of all triangles equal to them. Ignores it if
    /// one of them is a repeat.
    #[inline]
    pub(super) fn pair(&mut self, a: u32, b: u32) -> ControlFlow<()> {
        let Some(equal) = self.coincident else {
            self.found.push(Contact { a: a.min(b), b: a.max(b) });
            return self.flow();
        };
        if equal.repeats(a) || equal.repeats(b) {
            return ControlFlow::Continue(());
        }
        self.across(&[a, b])
    }

    /// Adds contacts of each two of these triangles, none a repeat, and of those equal to them.
    pub(super) fn across(&mut self, firsts: &[u32]) -> ControlFlow<()> {
        let class = |t: &'_ u32| match self.coincident.map_or(&[][..], |equal| equal.class(*t)) {
            [] => vec![*t],
            class => class.to_vec(),
        };
        let classes: Vec<Vec<u32>> = firsts.iter().map(class).collect();
        let members = (0..).zip(&classes).flat_map(|(k, class)| class.iter().map(move |&t| (t, k)));
        self.all(members.collect())
    }

    /// Adds contacts of each two of these triangles.
    pub(super) fn among(&mut self, triangles: &[u32]) -> ControlFlow<()> {
        self.all(triangles.iter().copied().zip(0..).collect())
    }

    /// Adds contacts of all pairs that differ in their second number.
    fn all(&mut self, parts: Vec<(u32, u32)>) -> ControlFlow<()> {
        self.cancelled |= self.parts(parts).is_err();
        if self.cancelled { ControlFlow::Break(()) } else { self.flow() }
    }

    /// Adds all pairs of triangles that differ in their second number. Enumerates only as many as
    /// are kept, plus O(n log n).
    fn parts(&mut self, mut all: Vec<(u32, u32)>) -> Result<(), Cancelled> {
        all.sort_unstable();
        let mut parts: Vec<u32> = all.iter().map(|x| x.1).collect();
        parts.sort_unstable();
        let square = |n: usize| (n as u64) * (n as u64);
        let within: u64 = parts.chunk_by(|x, y| x == y).map(|part| square(part.len())).sum();
        let pairs = (square(all.len()) - within) / 2;
        // For each triangle, the end of its run of triangles of the same part.
        let mut ends = vec![all.len(); all.len()];
        for i in (1..all.len()).rev() {
            ends[i - 1] = if all[i].1 == all[i - 1].1 { ends[i] } else { i };
        }
        let kept = pairs.min(self.found.cap() as u64);
        let mut left = kept;
        for (i, &(a, part)) in all.iter().enumerate() {
            if left == 0 {
                break;
            }
            self.control.check()?;
            let mut j = i + 1;
            while let Some(&(b, other)) = all.get(j).filter(|_| left > 0) {
                if other == part {
                    j = ends[j];
                    continue;
                }
                self.found.push(Contact { a, b });
                (j, left) = (j + 1, left - 1);
            }
        }
        self.found.pass_over(pairs - kept);
        Ok(())
    }

    /// Records a cancellation seen by the caller, and breaks off.
    pub(super) fn cancel(&mut self) -> ControlFlow<()> {
        self.cancelled = true;
        ControlFlow::Break(())
    }

    fn flow(&self) -> ControlFlow<()> {
        if self.found.wants_first() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

#[cfg(test)]
mod tests {
    use impinge_models::Random;
    use impinge_query::{Answer, Cancel};

    use super::*;

    fn sink(cap: usize) -> Sink<'static> {
        Sink::new(None, Contacts::new(Vec::new(), Some(cap)), &Control::NONE)
    }

    fn end(sink: Sink<'_>) -> Answer {
        let mut answer = Answer::default();
        let found = sink.end().expect("not cancelled");
        found.finish(&mut answer, &Control::NONE).expect("not cancelled");
        answer
    }

    /// All pairs of different parts, in order.
    fn pairs(all: &[(u32, u32)]) -> Vec<Contact> {
        let mut sorted = all.to_vec();
        sorted.sort_unstable();
        let mut pairs = Vec::new();
        for (i, x) in sorted.iter().enumerate() {
            let others = sorted[i + 1..].iter().filter(|y| y.1 != x.1);
            pairs.extend(others.map(|y| Contact { a: x.0, b: y.0 }));
        }
        pairs
    }

    #[test]
    fn parts_meet_each_other_but_not_themselves() {
        let mut random = Random::new(82);
        for case in 0..300 {
            let (n, parts) = (random.below(14), 1 + random.below(5));
            let mut numbers: Vec<u32> = (0..40).collect();
            random.shuffle(&mut numbers);
            let all: Vec<(u32, u32)> =
                (0..n as usize).map(|i| (numbers[i], random.below(parts) as u32)).collect();
            let truth = pairs(&all);
            for cap in [0, 1, 7, 1_000] {
                let mut sink = sink(cap);
                assert!(sink.pair(91, 90).is_continue());
                assert!(sink.all(all.clone()).is_continue());
                let mut kept: Vec<Contact> = truth.clone();
                kept.push(Contact { a: 90, b: 91 });
                kept.truncate(cap);
                let (answer, found) = (end(sink), truth.len() as u64 + 1);
                assert_eq!((answer.contacts, answer.contacts_found), (kept, found), "case {case}");
            }
        }
    }

    /// Time is proportional to the contacts kept: two large parts have 4 · 10¹⁰ pairs.
    #[test]
    fn large_parts_are_passed_over() {
        let half = 200_000;
        let all = (0..half).map(|t| (t, 0)).chain((half..2 * half).map(|t| (t, 1))).collect();
        let mut sink = sink(10);
        assert!(sink.all(all).is_continue());
        let answer = end(sink);
        assert_eq!(answer.contacts_found, u64::from(half) * u64::from(half));
        assert!((0..10).all(|k| answer.contacts[k as usize] == Contact { a: 0, b: half + k }));
    }

    #[test]
    fn one_is_enough_if_the_first_is_asked_and_a_cancellation_is_an_error() {
        let mut first = Sink::new(None, Contacts::first(Vec::new()), &Control::NONE);
        assert!(!first.satisfied());
        assert!(first.among(&[3, 1, 2]).is_break() && first.satisfied());
        assert_eq!(end(first).contacts, [Contact { a: 1, b: 2 }]);
        let mut whole = sink(5);
        for _ in 0..2 {
            let mut part = whole.fork();
            assert!(part.cancel().is_break());
            whole.merge(part);
        }
        whole.merge(sink(5));
        assert!(whole.end().is_err());
        let cancel = Cancel::new();
        cancel.cancel();
        let control = Control::NONE.cancelled_by(&cancel);
        let mut late = Sink::new(None, Contacts::new(Vec::new(), Some(5)), &control);
        for _ in 0..2 {
            assert!(late.among(&[1, 2, 3]).is_break());
        }
        assert!(late.end().is_err());
    }
}
