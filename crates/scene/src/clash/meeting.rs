//! The class of two objects that meet.

use impinge_geometry::touching::Touch;
use impinge_query::{Answer, Ask, Contact, Control, Detector, PairMemory, QueryError};

use super::{Class, duplicate};
use crate::touching::{Known, TouchError, Touching};
use crate::world::Asked;

/// Two objects that meet.
pub(super) struct Meeting<'m> {
    pub(super) detector: &'m dyn Detector,
    pub(super) pair: &'m Asked<'m>,
    pub(super) control: &'m Control<'m>,
}

impl Meeting<'_> {
    /// Their class, and why it is uncertain. `answer` has all contacts, unless only the class is asked for;
    /// it gets them then where one is not enough.
    pub(super) fn class(
        &self,
        only_class: bool,
        memory: &mut PairMemory,
        answer: &mut Answer,
    ) -> Result<(Class, Option<String>), QueryError> {
        let &Self { detector, pair, control } = self;
        let (a, b) = pair.models();
        if pair.is_same_placed_twice() || self.are_equal()? {
            return Ok((Class::Duplicate, None));
        }
        if only_class {
            if self.cross_at_first_contact()? {
                return Ok((Class::Pierces, None));
            }
            detector.query(a, b, pair.b_in_a, memory, &Ask::all_contacts(), control, answer)?;
        }
        let [m, n] = [&pair.a.shape, &pair.b.shape];
        let known: [Known<'_>; 2] = [&|| m.restless(control), &|| n.restless(control)];
        match self.touching(&answer.contacts)?.decide_with(Some(known), control) {
            Ok(Touch::Touches) => Ok((Class::Touches, None)),
            Ok(Touch::Pierces) => Ok((Class::Pierces, None)),
            Err(TouchError::Query(error)) => Err(error),
            Err(error) => Ok((Class::Uncertain, Some(error.to_string()))),
        }
    }

    /// Whether both have the same triangles.
    fn are_equal(&self) -> Result<bool, QueryError> {
        let (a, b) = self.pair.models();
        let no_mesh = || QueryError::Unanswered { word: a.word(), what: "the class of a clash" };
        let (of_a, of_b) = (a.mesh().ok_or_else(no_mesh)?, b.mesh().ok_or_else(no_mesh)?);
        Ok(duplicate::are_equal(of_a, of_b, self.pair.b_in_a, self.control)?)
    }

    /// Whether the first contact shows that they go into each other. If it does, so do all contacts: the class
    /// depends neither on which one is first, nor on whether only the class is asked for.
    fn cross_at_first_contact(&self) -> Result<bool, QueryError> {
        let &Self { detector, pair, control } = self;
        let ((a, b), mut answer) = (pair.models(), Answer::default());
        let ask = Ask::first_contact();
        detector.query(a, b, pair.b_in_a, &mut detector.memory(), &ask, control, &mut answer)?;
        match self.touching(&answer.contacts)?.cross_evidently(control) {
            Ok(cross) => Ok(cross),
            Err(TouchError::Query(error)) => Err(error),
            Err(_) => Ok(false),
        }
    }

    fn touching<'t>(&'t self, contacts: &'t [Contact]) -> Result<Touching<'t>, QueryError> {
        let &Self { detector, pair, control } = self;
        let (a, b) = pair.models();
        // An open mesh may be closed once it is posed.
        let of_b = pair.b.shape.is_closed(control)?.then_some(true);
        let closed = [Some(pair.a.shape.is_closed(control)?), of_b];
        Ok(Touching { detector, a, b, b_in_a: pair.b_in_a, contacts, closed })
    }
}
