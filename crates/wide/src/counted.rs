//! The searches that have kernels, compiled in this crate for the usual counters: [`Counted`].

use impinge_query::{
    Cancelled, Contacts, Counted, Counter, Nearest, Query, QueryError, Statistics,
};

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

/// [`Counted`] of a search, as a function of it and a counter. Those for the usual counters are not generic, so
/// they are compiled here.
macro_rules! counted {
    ($search:ident, $out:ty, |$own:ident, $counter:ident| $with:expr) => {
        impl Counted for $search<'_, '_> {
            type Out = $out;

            #[inline(always)]
            fn with<C: Counter>(self, $counter: &mut C) -> $out {
                let $own = self;
                $with
            }

            #[inline(never)]
            fn silently(self) -> $out {
                self.with(&mut ())
            }

            #[inline(never)]
            fn counting(self, counter: &mut Statistics) -> $out {
                self.with(counter)
            }
        }
    };
}

counted!(First, Result<(), Cancelled>, |own, counter| {
    first_contact(own.shared, own.front, own.stack, counter, own.found)
});
counted!(All, Result<(), Cancelled>, |own, counter| {
    own.shared.all(own.stack, own.found, counter)
});
counted!(OfItself, Result<(), QueryError>, |own, counter| {
    self_collision::contacts(own.width, own.query, own.stack, counter, own.found)
});
counted!(Nearby, Result<Option<Nearest>, Cancelled>, |own, counter| {
    distance::nearest(own.question, own.stack, counter)
});
