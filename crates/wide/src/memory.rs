//! What is remembered of a pair from one query to the next: where it met last, which triangles were
//! nearest, and space.
//!
//! None of it can change a verdict or a distance: a remembered pair of triangles is looked at anew, exactly,
//! and says "they meet" if it does, or bounds the distance that is searched for.

use impinge_query::{Contact, Model, PairKey};

use crate::model::WideModel;
use crate::search::{contacts, distance};

/// A pair's memory.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    pub(crate) stack: contacts::Stack,
    pub(crate) bounded: distance::Stack,
    /// Whose triangles these are, and as of which refit.
    of: Option<PairKey>,
    /// They met in the last query for a contact.
    pub(crate) met: Option<Contact>,
    /// They were nearest in the last query for a distance.
    pub(crate) nearest: Option<Contact>,
}

impl Memory {
    /// Forgets what it knows of other models, and of these before their last refit.
    pub(crate) fn recall(&mut self, [a, b]: [&WideModel; 2]) {
        let now = Some(PairKey { a: a.id(), b: b.id() });
        if self.of != now {
            (self.of, self.met, self.nearest) = (now, None, None);
        }
    }
}
