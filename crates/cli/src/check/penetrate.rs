//! `--penetration`: how deep the meshes are in each other.

use impinge::continuous::penetration::{PenetrationBody, penetration};
use impinge::query::{Control, QueryError};
use impinge::{Error, Penetration, PenetrationOptions, Pose};

use super::Inquiry;
use crate::failure::Failure;
use crate::interrupt::CANCEL;

/// Both meshes, prepared once for all poses.
pub(crate) struct Depths {
    a: PenetrationBody,
    b: PenetrationBody,
    options: PenetrationOptions,
}

impl Depths {
    pub(crate) fn prepare(inquiry: &Inquiry<'_>) -> Result<Self, Failure> {
        let control = Control::NONE.cancelled_by(&CANCEL);
        let body = |mesh| PenetrationBody::new(mesh, &control).map_err(|_| Failure::Cancelled);
        let meaning = inquiry.check.meaning();
        let options = PenetrationOptions { meaning, ..PenetrationOptions::default() };
        Ok(Self { a: body(&inquiry.a.mesh)?, b: body(&inquiry.b().mesh)?, options })
    }

    /// The answer to a pose.
    pub(crate) fn at(
        &self,
        inquiry: &Inquiry<'_>,
        pose: &Pose,
        place: Option<String>,
    ) -> Result<Penetration, Failure> {
        let control = Control::NONE.cancelled_by(&CANCEL);
        let found = penetration(&self.a, &self.b, pose, &self.options, &control);
        found.map_err(|error: QueryError| inquiry.failure(place, &Error::from(error)))
    }
}
