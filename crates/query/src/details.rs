//! Where two triangles meet, and the contact normal.

use impinge_geometry::exact::meeting;
use impinge_geometry::triangle::unit_normal;
use impinge_geometry::{Triangle, Vector};

use crate::{Answer, Cancelled, Contact, Control, Detail};

/// Contacts described between two checks for cancellation: less than a millisecond.
const AT_ONCE: usize = 64;

/// Adds a [`Detail`] for each reported contact, in the same order, up to the first one that does not
/// meet: no exact method reports such a contact, and others are not asked. `triangles` returns the two
/// triangles of a contact in A's frame; a boxed function, so that this is compiled once and not for
/// every method.
///
/// # Errors
/// [`Cancelled`].
pub fn describe(
    answer: &mut Answer,
    control: &Control<'_>,
    triangles: &dyn Fn(&Contact) -> (Triangle, Triangle),
) -> Result<(), Cancelled> {
    let detail = |contact: &Contact| {
        let (p, q) = triangles(contact);
        let normal = unit_normal(&p).or_else(|| unit_normal(&q).map(|n| -n));
        Some(Detail { meeting: meeting(&p, &q)?, normal: normal.unwrap_or_else(Vector::zeros) })
    };
    for some in answer.contacts.chunks(AT_ONCE) {
        control.check()?;
        for contact in some {
            let Some(detail) = detail(contact) else { return Ok(()) };
            answer.details.push(detail);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cancel;
    use impinge_geometry::Point;

    fn triangle(corners: [[f64; 3]; 3]) -> Triangle {
        corners.map(Point::from)
    }

    #[test]
    fn the_normal_is_of_a_or_else_of_b_or_none() {
        let flat = triangle([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
        let segment = [flat[0], flat[1], flat[1]];
        for (p, q, normal) in [
            (flat, segment, Vector::z()),
            (segment, flat, -Vector::z()),
            (segment, segment, Vector::zeros()),
        ] {
            let contacts = vec![Contact { a: 0, b: 0 }];
            let mut answer = Answer { contacts, ..Answer::default() };
            describe(&mut answer, &Control::NONE, &|_| (p, q)).expect("nobody cancels");
            assert_eq!(answer.details[0].normal, normal);
        }
    }

    #[test]
    fn no_detail_is_given_to_another_contact() {
        let low = triangle([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
        let high = low.map(|p| p + Vector::z());
        let contacts = [0, 1, 0].map(|b| Contact { a: 0, b }).to_vec();
        let mut answer = Answer { contacts, ..Answer::default() };
        let triangles = |contact: &Contact| (low, if contact.b == 0 { low } else { high });
        describe(&mut answer, &Control::NONE, &triangles).expect("nobody cancels");
        assert_eq!((answer.contacts.len(), answer.details.len()), (3, 1));
    }

    #[test]
    fn details_are_not_told_after_a_cancellation() {
        let flat = triangle([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
        let contacts = vec![Contact { a: 0, b: 0 }; 1_000];
        let mut answer = Answer { contacts, ..Answer::default() };
        let cancel = Cancel::new();
        let control = Control::NONE.cancelled_by(&cancel);
        assert!(describe(&mut answer, &control, &|_| (flat, flat)).is_ok());
        assert_eq!(answer.details.len(), 1_000);
        cancel.cancel();
        answer.details.clear();
        assert!(describe(&mut answer, &control, &|_| (flat, flat)).is_err());
        assert!(answer.details.is_empty());
        let late = Cancel::at_look(3);
        let control = Control::NONE.cancelled_by(&late);
        assert!(describe(&mut answer, &control, &|_| (flat, flat)).is_err());
        assert_eq!(answer.details.len(), 2 * AT_ONCE);
    }
}
