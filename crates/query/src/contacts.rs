//! Contacts on their way into an answer: those that come first in canonical order, and how many
//! there were.

use crate::{Answer, Cancelled, Contact, Control, Verdict, order};

/// Fewer than this are never cut, whatever the cap: cutting takes a partition of the list.
const LEAST: usize = 64;

/// Collects contacts, on one thread or several. With a cap it never holds more than twice as many
/// (or 64), and ends with the first ones in canonical order, whatever the order of discovery.
#[derive(Clone, Debug)]
pub struct Contacts {
    list: Vec<Contact>,
    found: u64,
    cap: usize,
}

impl Contacts {
    /// None yet; in the end at most `cap` are left. `space` is emptied and used.
    pub fn new(mut space: Vec<Contact>, cap: Option<usize>) -> Self {
        space.clear();
        Self { list: space, found: 0, cap: cap.unwrap_or(usize::MAX) }
    }

    /// None, with the same cap: for another thread.
    #[must_use]
    pub fn fork(&self) -> Self {
        Self { list: Vec::new(), found: 0, cap: self.cap }
    }

    /// How many there were.
    pub const fn found(&self) -> u64 {
        self.found
    }

    /// How many are left in the end.
    pub const fn cap(&self) -> usize {
        self.cap
    }

    /// Takes one contact; each may be given once only.
    #[inline]
    pub fn push(&mut self, contact: Contact) {
        self.found += 1;
        self.list.push(contact);
        if self.list.len() >= LEAST {
            self.trim();
        }
    }

    /// Counts contacts without taking them: the caller knows that they come after those that are
    /// kept.
    pub const fn pass_over(&mut self, number: u64) {
        self.found += number;
    }

    /// Adds what another thread has found.
    pub fn merge(&mut self, other: Self) {
        self.found += other.found;
        self.list.extend(other.list);
        self.trim();
    }

    fn trim(&mut self) {
        if self.list.len() / 2 >= self.cap.max(LEAST / 2) {
            self.list.select_nth_unstable_by_key(self.cap, |contact| order::key(*contact));
            self.list.truncate(self.cap);
        }
    }

    /// In order, within the cap, into an answer, with the verdict that follows.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn finish(mut self, answer: &mut Answer, control: &Control<'_>) -> Result<(), Cancelled> {
        order::sort(&mut self.list, control)?;
        self.list.truncate(self.cap);
        answer.contacts = self.list;
        answer.contacts_found = self.found;
        if self.found > 0 {
            answer.verdict = Verdict::Intersecting;
        }
        Ok(())
    }

    /// The list as it is, in no order and perhaps beyond the cap.
    pub fn into_list(self) -> Vec<Contact> {
        self.list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 389 and 1000 have no common factor: each once, in no order.
    fn thousand() -> impl Iterator<Item = Contact> {
        (0..1000_u32).map(|k| k * 389 % 1000).map(|k| Contact { a: k / 10, b: k % 10 })
    }

    fn finished(contacts: Contacts) -> Answer {
        let mut answer = Answer::default();
        contacts.finish(&mut answer, &Control::NONE).expect("nobody cancels");
        answer
    }

    /// The first ones in canonical order, whatever the order they come in, and never many more.
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
        assert_eq!(finished(all).contacts, finished(one).contacts);
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
