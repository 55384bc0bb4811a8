//! Contacts as they come, kept in canonical order and within the cap.

use impinge_geometry::{Point, Pose, Vector, exact};
use impinge_query::{Answer, Cancelled, Contact, Control, Detail, order};

use crate::model::TreeModel;
use crate::traverse::CHECK_EVERY;
use crate::volume::Volume;

/// Collects contacts; with a cap it never holds more than twice as many, and ends with the first
/// ones in canonical order whatever the order of discovery.
#[derive(Debug)]
pub struct Collector<'v> {
    contacts: &'v mut Vec<Contact>,
    cap: usize,
    found: u64,
}

impl<'v> Collector<'v> {
    /// Collects into `contacts`, beside what is there; in the end at most `cap` are left.
    pub fn new(contacts: &'v mut Vec<Contact>, cap: Option<usize>) -> Self {
        Self { contacts, cap: cap.unwrap_or(usize::MAX), found: 0 }
    }

    /// Takes one contact; each may be given once only.
    #[inline]
    pub fn push(&mut self, contact: Contact) {
        self.found += 1;
        self.contacts.push(contact);
        if self.contacts.len() >= self.cap.saturating_mul(2).max(64) && self.cap < usize::MAX {
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

    /// How many it has taken.
    pub const fn found(&self) -> u64 {
        self.found
    }

    /// Sorts, cuts, and returns how many were found in all.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn finish(mut self, control: &Control<'_>) -> Result<u64, Cancelled> {
        self.shrink();
        order::sort(self.contacts, control)?;
        Ok(self.found)
    }
}

/// A point of both triangles of a contact.
pub(crate) fn a_common_point<V: Volume>(
    a: &TreeModel<V>,
    b: &TreeModel<V>,
    pose: &Pose,
    contact: Contact,
) -> Point {
    let p = a.mesh().triangle(contact.a);
    let q = b.mesh().triangle(contact.b).map(|x| pose.apply(&x));
    exact::meeting(&p, &q).map_or(p[0], |meeting| meeting.points()[0])
}

/// Fills in where each reported pair meets, and its normal.
///
/// # Errors
/// [`Cancelled`].
pub fn describe<V: Volume>(
    a: &TreeModel<V>,
    b: &TreeModel<V>,
    pose: &Pose,
    answer: &mut Answer,
    control: &Control<'_>,
) -> Result<(), Cancelled> {
    let detail = |contact: &Contact| {
        let p = a.mesh().triangle(contact.a);
        let q = b.mesh().triangle(contact.b).map(|x| pose.apply(&x));
        let meeting = exact::meeting(&p, &q)?;
        let normal = unit_normal(&p).or_else(|| unit_normal(&q).map(|n| -n));
        Some(Detail { meeting, normal: normal.unwrap_or_else(Vector::zeros) })
    };
    for some in answer.contacts.chunks(CHECK_EVERY as usize) {
        control.check()?;
        answer.details.extend(some.iter().filter_map(detail));
    }
    Ok(())
}

/// Unit normal by the winding; none for a triangle without area. Edges are scaled first, so that
/// no product leaves the range of f64.
fn unit_normal(t: &impinge_geometry::Triangle) -> Option<Vector> {
    let (e, f) = (t[1] - t[0], t[2] - t[0]);
    let (e, f) = (e.unscale(positive(e.amax())), f.unscale(positive(f.amax())));
    e.cross(&f).try_normalize(0.0)
}

fn positive(x: f64) -> f64 {
    if x > 0.0 { x } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first ones in canonical order, whatever the order they come in, and never many more.
    #[test]
    fn a_cap_keeps_the_first_and_holds_twice_as_many() {
        for (cap, most) in [(0, 64), (1, 64), (40, 80), (100, 200)] {
            let mut contacts = Vec::new();
            let mut collector = Collector::new(&mut contacts, Some(cap));
            for k in 0..1000_u32 {
                // 389 and 1000 have no common factor.
                let k = k * 389 % 1000;
                collector.push(Contact { a: k / 10, b: k % 10 });
                assert!(collector.contacts.len() < most, "cap {cap}");
            }
            assert_eq!((collector.found(), collector.finish(&Control::NONE)), (1000, Ok(1000)));
            let first = (0..cap as u32).map(|k| Contact { a: k / 10, b: k % 10 });
            assert_eq!(contacts, first.collect::<Vec<_>>(), "cap {cap}");
        }
        let mut contacts = Vec::new();
        let mut collector = Collector::new(&mut contacts, None);
        (0..300).rev().for_each(|k| collector.push(Contact { a: k, b: 0 }));
        assert_eq!(collector.finish(&Control::NONE), Ok(300));
        assert!(contacts.len() == 300 && contacts.is_sorted());
    }

    #[test]
    fn normals_are_of_unit_length_at_every_scale() {
        for unit in [f64::from_bits(64), 1e-300, 1.0, 1e299] {
            let corner = |x: f64, y: f64| Point::new(x * unit, y * unit, 0.0);
            let t = [corner(0.0, 0.0), corner(2.0, 0.0), corner(1.0, 3.0)];
            assert_eq!(unit_normal(&t), Some(Vector::z()), "{unit:e}");
            assert_eq!(unit_normal(&[t[0], t[2], t[1]]), Some(-Vector::z()), "{unit:e}");
            assert_eq!(unit_normal(&[t[0], t[1], t[1]]), None, "{unit:e}");
            assert_eq!(unit_normal(&[t[0], t[0], t[1]]), None, "{unit:e}");
        }
    }
}
