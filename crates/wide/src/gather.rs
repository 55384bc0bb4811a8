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

    /// Nothing, with the same cap.
    pub(crate) fn fork(&self) -> Self {
        Self::new(self.cap)
    }

    /// How many there were.
    pub(crate) const fn found(&self) -> u64 {
        self.found
    }

    /// Adds all pairs of these triangles that differ in their second number. Only as many are gone
    /// through as are kept: O(n log n) beside them.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub(crate) fn parts(
        &mut self,
        mut all: Vec<(u32, u32)>,
        control: &Control<'_>,
    ) -> Result<(), Cancelled> {
        all.sort_unstable();
        let mut parts: Vec<u32> = all.iter().map(|x| x.1).collect();
        parts.sort_unstable();
        let square = |n: usize| (n as u64) * (n as u64);
        let within: u64 = parts.chunk_by(|x, y| x == y).map(|part| square(part.len())).sum();
        let pairs = (square(all.len()) - within) / 2;
        let found = self.found + pairs;
        // Where the run of one part that a triangle is in ends.
        let mut ends = vec![all.len(); all.len()];
        for i in (1..all.len()).rev() {
            ends[i - 1] = if all[i].1 == all[i - 1].1 { ends[i] } else { i };
        }
        let mut left = pairs.min(self.cap as u64);
        for (i, &(a, part)) in all.iter().enumerate() {
            if left == 0 {
                break;
            }
            control.check()?;
            let mut j = i + 1;
            while let Some(&(b, other)) = all.get(j).filter(|_| left > 0) {
                if other == part {
                    j = ends[j];
                    continue;
                }
                self.push(Contact { a, b });
                (j, left) = (j + 1, left - 1);
            }
        }
        self.found = found;
        Ok(())
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
