//! Contacts on their way into an answer: those that come first in canonical order, and how many there
//! were.

use impinge_query::{Answer, Cancelled, Contact, Control, Verdict, order};

/// What was found so far.
#[derive(Debug)]
pub(crate) struct Gather {
    contacts: Vec<Contact>,
    found: u64,
    cap: usize,
}

impl Gather {
    /// Keeps `cap` contacts, in space for at most twice as many.
    pub(crate) fn new(cap: usize) -> Self {
        Self::into(Vec::new(), cap)
    }

    /// The same into a list whose space is used.
    pub(crate) fn into(mut contacts: Vec<Contact>, cap: usize) -> Self {
        contacts.clear();
        Self { contacts, found: 0, cap }
    }

    pub(crate) fn push(&mut self, contact: Contact) {
        self.found += 1;
        self.contacts.push(contact);
        self.trim();
    }

    /// Adds what another thread has found.
    pub(crate) fn merge(&mut self, other: Self) {
        self.found += other.found;
        self.contacts.extend(other.contacts);
        self.trim();
    }

    fn trim(&mut self) {
        if self.contacts.len() / 2 >= self.cap.max(32) {
            self.contacts.select_nth_unstable_by_key(self.cap, |contact| order::key(*contact));
            self.contacts.truncate(self.cap);
        }
    }

    /// In order, into an answer.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub(crate) fn finish(
        mut self,
        answer: &mut Answer,
        control: &Control<'_>,
    ) -> Result<(), Cancelled> {
        order::sort(&mut self.contacts, control)?;
        self.contacts.truncate(self.cap);
        answer.contacts = self.contacts;
        answer.contacts_found = self.found;
        if self.found > 0 {
            answer.verdict = Verdict::Intersecting;
        }
        Ok(())
    }
}
