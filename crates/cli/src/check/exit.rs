//! `--exit`: the way out along a direction.

use impinge::continuous::translation::{TranslationBody, Translations};
use impinge::query::{Control, Meaning};
use impinge::{Error, Exit, Pose, Vector, Way};

use super::Inquiry;
use crate::failure::Failure;
use crate::interrupt::CANCEL;

/// Both meshes, prepared once for all poses.
pub(crate) struct Exits {
    a: TranslationBody,
    b: TranslationBody,
    direction: Vector,
    way: Way,
    meaning: Meaning,
}

impl Exits {
    pub(crate) fn prepare(inquiry: &Inquiry<'_>, direction: Vector) -> Result<Self, Failure> {
        let control = Control::NONE.cancelled_by(&CANCEL);
        let body = |mesh| TranslationBody::new(mesh, &control).map_err(|_| Failure::Cancelled);
        let way = if inquiry.check.first_free { Way::FirstFree } else { Way::LastContact };
        let meaning = inquiry.check.meaning();
        Ok(Self { a: body(&inquiry.a.mesh)?, b: body(&inquiry.b().mesh)?, direction, way, meaning })
    }

    /// The answer to a pose.
    pub(crate) fn at(
        &self,
        inquiry: &Inquiry<'_>,
        pose: &Pose,
        place: Option<String>,
    ) -> Result<Exit, Failure> {
        let control = Control::NONE.cancelled_by(&CANCEL);
        let pair = Translations::new(&self.a, &self.b, pose);
        let found = pair.exit(self.way, &self.direction, self.meaning, &control);
        found.map_err(|error| inquiry.failure(place, &Error::from(error)))
    }
}
