//! Contacts as they come, put in canonical order and within the cap; and where they meet.

use impinge_geometry::{Triangle, Vector, exact};
use impinge_query::{Answer, Cancelled, Contact, Control, Detail, order};

use crate::body::Parts;
use crate::pair::Pair;

/// How many contacts are described between two looks at the flag.
const STRIDE: usize = 256;

/// Collects contacts; with a cap it never holds more than twice as many.
#[derive(Debug)]
pub(crate) struct Collector<'v> {
    contacts: &'v mut Vec<Contact>,
    cap: usize,
    found: u64,
}

impl<'v> Collector<'v> {
    pub(crate) fn new(contacts: &'v mut Vec<Contact>, cap: Option<usize>) -> Self {
        Self { contacts, cap: cap.unwrap_or(usize::MAX), found: 0 }
    }

    /// Takes one contact; each may be given once only.
    pub(crate) fn push(&mut self, contact: Contact) {
        self.found += 1;
        self.contacts.push(contact);
        if self.contacts.len() >= self.cap.saturating_mul(2).max(64) {
            self.shrink();
        }
    }

    fn shrink(&mut self) {
        if self.contacts.len() > self.cap {
            if self.cap > 0 {
                self.contacts.select_nth_unstable(self.cap - 1);
            }
            self.contacts.truncate(self.cap);
        }
    }

    /// Sorts, cuts, and returns how many were found in all.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub(crate) fn finish(mut self, control: &Control<'_>) -> Result<u64, Cancelled> {
        self.shrink();
        order::sort(self.contacts, control)?;
        Ok(self.found)
    }
}

/// Fills in where each reported pair meets, and its normal.
///
/// # Errors
/// [`Cancelled`].
pub(crate) fn describe<M: Parts>(
    pair: &Pair<'_, M>,
    answer: &mut Answer,
    control: &Control<'_>,
) -> Result<(), Cancelled> {
    let detail = |contact: &Contact| {
        let (p, q) = (pair.triangle_a(contact.a), pair.triangle_b(contact.b));
        let meeting = exact::meeting(&p, &q)?;
        let normal = unit_normal(&p).or_else(|| unit_normal(&q).map(|n| -n));
        Some(Detail { meeting, normal: normal.unwrap_or_else(Vector::zeros) })
    };
    for some in answer.contacts.chunks(STRIDE) {
        control.check()?;
        answer.details.extend(some.iter().filter_map(detail));
    }
    Ok(())
}

/// Unit normal by the winding. Edges are scaled first, so that no product leaves the range of f64.
fn unit_normal(t: &Triangle) -> Option<Vector> {
    let (e, f) = (t[1] - t[0], t[2] - t[0]);
    let scaled = |v: Vector| v.unscale(if v.amax() > 0.0 { v.amax() } else { 1.0 });
    scaled(e).cross(&scaled(f)).try_normalize(0.0)
}
