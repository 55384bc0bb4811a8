//! Collects contacts for an answer: the first ones in canonical order, and their total number.

use std::ops::ControlFlow;
use std::sync::Arc;

use impinge_geometry::Mesh;
use impinge_geometry::exact::meet_elsewhere;

use crate::{Answer, Cancelled, Contact, Control, Verdict, order};

/// Lists shorter than this are never cut, whatever the cap, since each cut partitions the list.
const LEAST: usize = 64;

/// Collects contacts, on one thread or several. With a cap a list is cut at twice
/// the cap (or 64); each thread has one. It ends with the first ones in canonical order, whatever the order of discovery.
#[derive(Clone, Debug)]
pub struct Contacts {
    list: Vec<Contact>,
    found: u64,
    cap: usize,
    /// The list is cut to the cap at this length.
    limit: usize,
    wanted: Wanted,
    repeats: bool,
    sorted: bool,
    /// If set: accept only pairs of this mesh's triangles that meet elsewhere than neighbours do.
    of_itself: Option<Arc<Mesh>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    All,
    /// One of those that pass the neighbour test, which may reject most.
    First,
    /// The first one found.
    Any,
}

impl Contacts {
    /// An empty collection that keeps at most `cap` in the end. Reuses the allocation of `space`.
    #[inline]
    pub fn new(mut space: Vec<Contact>, cap: Option<usize>) -> Self {
        space.clear();
        let cap = cap.unwrap_or(usize::MAX);
        let limit = cap.max(LEAST / 2).saturating_mul(2);
        Self {
            list: space,
            found: 0,
            cap,
            limit,
            wanted: Wanted::All,
            repeats: false,
            sorted: false,
            of_itself: None,
        }
    }

    /// An empty collection that needs one contact. If several are given, it keeps the first in
    /// canonical order and counts one.
    #[inline]
    pub fn first(space: Vec<Contact>) -> Self {
        Self { wanted: Wanted::Any, ..Self::new(space, Some(1)) }
    }

    /// Restricts the collection to contacts of `mesh` with itself, searched as if it were two
    /// meshes. Of the contacts given to [`take`](Self::take), keeps those with `a < b` whose
    /// triangles [meet elsewhere](meet_elsewhere) than in common corners and edges.
    /// [`wants_first`](Self::wants_first) then returns false, since the first contact found may be
    /// rejected.
    pub fn only_elsewhere(&mut self, mesh: &Arc<Mesh>) {
        self.of_itself = Some(Arc::clone(mesh));
        if self.wanted == Wanted::Any {
            self.wanted = Wanted::First;
        }
    }

    /// Whether any one contact is enough.
    pub const fn wants_first(&self) -> bool {
        matches!(self.wanted, Wanted::Any)
    }

    /// Allows the same contact to be given several times. All are then held until the end, since
    /// the cap and the number count distinct contacts.
    pub const fn expect_repeats(&mut self) {
        (self.repeats, self.limit) = (true, usize::MAX);
    }

    /// The number of contacts held now.
    pub const fn held(&self) -> usize {
        self.list.len()
    }

    /// Lets `sort` put the list into canonical order. No contacts may be added after that.
    pub fn sort_with(&mut self, sort: impl FnOnce(&mut [Contact])) {
        sort(&mut self.list);
        self.sorted = true;
    }

    /// Adds a contact, and returns `Break` if no more are wanted.
    #[inline]
    pub fn take(&mut self, contact: Contact) -> ControlFlow<()> {
        if self.of_itself.is_some() && self.is_of_neighbours(contact) {
            return ControlFlow::Continue(());
        }
        self.push(contact);
        match self.wanted {
            Wanted::All => ControlFlow::Continue(()),
            Wanted::First | Wanted::Any => ControlFlow::Break(()),
        }
    }

    /// Out of line, because [`take`](Self::take) is in every search's inner loop.
    #[cold]
    #[inline(never)]
    fn is_of_neighbours(&self, Contact { a, b }: Contact) -> bool {
        (self.of_itself.as_ref())
            .is_some_and(|mesh| a >= b || !meet_elsewhere(&mesh.triangle(a), &mesh.triangle(b)))
    }

    /// An empty collection with the same settings, for another thread.
    #[must_use]
    pub fn fork(&self) -> Self {
        Self { list: Vec::new(), found: 0, of_itself: self.of_itself.clone(), ..*self }
    }

    /// The number of contacts found so far.
    pub const fn found(&self) -> u64 {
        self.found
    }

    /// The most contacts kept in the end.
    pub const fn cap(&self) -> usize {
        self.cap
    }

    /// Adds a contact without the neighbour test. Each may be given once, unless repeats are
    /// expected.
    #[inline]
    pub fn push(&mut self, contact: Contact) {
        self.found += 1;
        self.list.push(contact);
        if self.list.len() >= self.limit {
            self.trim();
        }
    }

    /// Counts contacts without storing them. The caller knows that they come after those kept, or
    /// that there is one and [only the verdict](crate::Ask::verdict_only) is wanted.
    pub const fn pass_over(&mut self, number: u64) {
        self.found += number;
    }

    /// Adds the contacts of another thread.
    pub fn merge(&mut self, other: Self) {
        self.found += other.found;
        self.list.extend(other.list);
        if self.list.len() >= self.limit {
            self.trim();
        }
    }

    #[inline(never)]
    fn trim(&mut self) {
        self.list.select_nth_unstable_by_key(self.cap, |contact| order::key(*contact));
        self.list.truncate(self.cap);
    }

    /// Moves the contacts, sorted and cut to the cap, into a cleared answer and sets its verdict.
    ///
    /// # Errors
    /// [`Cancelled`].
    #[inline(always)]
    pub fn finish(mut self, answer: &mut Answer, control: &Control<'_>) -> Result<(), Cancelled> {
        if self.found > 0 {
            self.arrange(control)?;
            answer.contacts_found = if self.wanted == Wanted::All { self.found } else { 1 };
            answer.verdict = Verdict::Intersecting;
        }
        answer.contacts = self.list;
        Ok(())
    }

    /// Sorts the list into canonical order, removes repeats and cuts it to the cap.
    #[inline(never)]
    fn arrange(&mut self, control: &Control<'_>) -> Result<(), Cancelled> {
        if !self.sorted {
            order::sort(&mut self.list, control)?;
        }
        if self.repeats {
            self.list.dedup();
            self.found = self.list.len() as u64;
        }
        self.list.truncate(self.cap);
        Ok(())
    }

    /// The list as stored: unsorted, possibly longer than the cap.
    pub fn into_list(self) -> Vec<Contact> {
        self.list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All pairs of 0..100 and 0..10, shuffled; 389 is coprime to 1000.
    fn thousand() -> impl Iterator<Item = Contact> {
        (0..1000_u32).map(|k| k * 389 % 1000).map(|k| Contact { a: k / 10, b: k % 10 })
    }

    fn finished(contacts: Contacts) -> Answer {
        let mut answer = Answer::default();
        contacts.finish(&mut answer, &Control::NONE).expect("nobody cancels");
        answer
    }

    /// The cap keeps the first contacts in canonical order and bounds the storage.
    #[test]
    fn a_cap_keeps_the_first_and_holds_twice_as_many() {
        for (cap, most) in [(0, 64), (1, 64), (40, 80), (100, 200)] {
            let mut contacts = Contacts::new(Vec::new(), Some(cap));
            for contact in thousand() {
                contacts.push(contact);
                assert!(contacts.list.len() < most, "cap {cap}");
            }
            let answer = finished(contacts);
            let first = (0..cap as u32).map(|k| Contact { a: k / 10, b: k % 10 });
            assert_eq!(answer.contacts, first.collect::<Vec<_>>(), "cap {cap}");
            assert_eq!((answer.contacts_found, answer.verdict), (1000, Verdict::Intersecting));
        }
        let mut contacts = Contacts::new(vec![Contact { a: 7, b: 7 }], None);
        (0..300).rev().for_each(|k| contacts.push(Contact { a: k, b: 0 }));
        let answer = finished(contacts);
        assert!(answer.contacts.len() == 300 && answer.contacts.is_sorted());
        let none = finished(Contacts::new(vec![Contact { a: 7, b: 7 }], None));
        assert_eq!((none.contacts.len(), none.verdict), (0, Verdict::Separated));
    }

    /// A list of a small cap is trimmed at twice [`LEAST`] / 2, that of a large one at twice the cap.
    #[test]
    fn lists_are_trimmed_at_twice_their_cap() {
        for (cap, limit) in [(0, LEAST), (LEAST / 2, LEAST), (LEAST, 2 * LEAST)] {
            assert_eq!(Contacts::new(Vec::new(), Some(cap)).limit, limit, "cap {cap}");
        }
        assert_eq!(Contacts::new(Vec::new(), None).limit, usize::MAX);
    }

    #[test]
    fn several_threads_find_what_one_does() {
        let mut one = Contacts::new(Vec::new(), Some(70));
        thousand().for_each(|contact| one.push(contact));
        let mut all = Contacts::new(Vec::new(), Some(70));
        let mut parts = [all.fork(), all.fork(), all.fork()];
        (0..).zip(thousand()).for_each(|(k, contact): (usize, _)| parts[k % 3].push(contact));
        for part in parts {
            all.merge(part);
            assert!(all.list.len() < 140);
        }
        assert_eq!((all.found(), all.cap()), (1000, 70));
        assert!(!all.wants_first() && all.clone().into_list().len() >= 70);
        assert_eq!(finished(all).contacts, finished(one).contacts);
    }

    #[test]
    fn of_several_first_contacts_one_is_left() {
        let mut contacts = Contacts::first(vec![Contact { a: 7, b: 7 }]);
        assert!(contacts.wants_first() && finished(contacts.clone()).contacts.is_empty());
        let mut other = contacts.fork();
        assert!(contacts.take(Contact { a: 3, b: 1 }).is_break());
        assert!(other.take(Contact { a: 2, b: 5 }).is_break());
        contacts.merge(other);
        let answer = finished(contacts);
        assert_eq!((answer.contacts, answer.contacts_found), (vec![Contact { a: 2, b: 5 }], 1));
        assert!(Contacts::new(Vec::new(), None).take(Contact { a: 1, b: 1 }).is_continue());
    }

    /// With every contact given three times, the cap and the number count distinct ones.
    #[test]
    fn repeats_are_counted_once() {
        for cap in [0, 1, 40, 2_000] {
            let mut contacts = Contacts::new(Vec::new(), Some(cap));
            contacts.expect_repeats();
            (0..3).flat_map(|_| thousand()).for_each(|contact| contacts.push(contact));
            assert_eq!(contacts.held(), 3_000);
            let mut sorted = contacts.clone();
            let mut called = false;
            sorted.sort_with(|list| {
                list.sort_unstable();
                called = true;
            });
            assert!(called);
            for contacts in [contacts, sorted] {
                let answer = finished(contacts);
                let first = (0..cap.min(1_000) as u32).map(|k| Contact { a: k / 10, b: k % 10 });
                assert_eq!(answer.contacts, first.collect::<Vec<_>>(), "cap {cap}");
                assert_eq!(answer.contacts_found, 1_000);
            }
        }
    }

    #[test]
    fn what_is_passed_over_is_counted() {
        let mut contacts = Contacts::new(Vec::new(), Some(3));
        contacts.push(Contact { a: 1, b: 2 });
        contacts.pass_over(5);
        assert_eq!(contacts.found(), 6);
        let answer = finished(contacts);
        assert_eq!((answer.contacts.len(), answer.contacts_found), (1, 6));
    }

    #[test]
    fn a_cancellation_is_heard() {
        let cancel = crate::Cancel::new();
        cancel.cancel();
        let mut contacts = Contacts::new(Vec::new(), None);
        (0..70_000).rev().for_each(|k| contacts.push(Contact { a: k, b: 0 }));
        let control = Control::NONE.cancelled_by(&cancel);
        assert!(contacts.finish(&mut Answer::default(), &control).is_err());
    }
}
