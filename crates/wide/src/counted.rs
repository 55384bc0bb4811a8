//! The searches that have kernels, compiled once, in this crate: [`Counted`].

use impinge_query::{Cancelled, Contacts, Counted, Nearest, Query, QueryError, Statistics};

use crate::engine::first_contact;
use crate::model::WideModel;
use crate::search::contacts::Stack;
use crate::search::distance;
use crate::search::front::Front;
use crate::self_collision;
use crate::share::Shared;
use crate::simd::Width;

/// A first contact of two models.
pub(crate) struct First<'w, 'q> {
    pub(crate) shared: Shared<'q>,
    pub(crate) front: &'w mut Front,
    pub(crate) stack: &'w mut Stack,
    pub(crate) found: &'w mut Contacts,
}

/// All contacts of two models.
pub(crate) struct All<'w, 'q> {
    pub(crate) shared: Shared<'q>,
    pub(crate) stack: &'w mut Stack,
    pub(crate) found: &'w mut Contacts,
}

/// Contacts of a model with itself.
pub(crate) struct OfItself<'w, 'q> {
    pub(crate) width: Width,
    pub(crate) query: &'w Query<'q, WideModel>,
    pub(crate) stack: &'w mut Stack,
    pub(crate) found: &'w mut Contacts,
}

/// The nearest pair of triangles of two models.
pub(crate) struct Nearby<'w, 'q> {
    pub(crate) question: distance::Question<'q>,
    pub(crate) stack: &'w mut distance::Stack,
}

impl Counted for First<'_, '_> {
    type Out = Result<(), Cancelled>;

    #[inline(never)]
    fn counting(self, counter: &mut Option<Statistics>) -> Self::Out {
        first_contact(self.shared, self.front, self.stack, counter, self.found)
    }
}

impl Counted for All<'_, '_> {
    type Out = Result<(), Cancelled>;

    #[inline(never)]
    fn counting(self, counter: &mut Option<Statistics>) -> Self::Out {
        self.shared.all(self.stack, self.found, counter)
    }
}

impl Counted for OfItself<'_, '_> {
    type Out = Result<(), QueryError>;

    #[inline(never)]
    fn counting(self, counter: &mut Option<Statistics>) -> Self::Out {
        self_collision::contacts(self.width, self.query, self.stack, counter, self.found)
    }
}

impl Counted for Nearby<'_, '_> {
    type Out = Result<Option<Nearest>, Cancelled>;

    #[inline(never)]
    fn counting(self, counter: &mut Option<Statistics>) -> Self::Out {
        distance::nearest(self.question, self.stack, counter)
    }
}

/// Boxes, pairs of triangles, and exact tests.
#[cfg(test)]
pub(crate) fn work_of(counter: Option<&Statistics>) -> [u64; 3] {
    let all = counter.expect("counted");
    [all.volume_tests, all.primitive_tests, all.exact_tests]
}
