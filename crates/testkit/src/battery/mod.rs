//! The conformance battery: the same checks for every method.
//!
//! Each check takes a boxed [`Detector`] and returns a [`Tally`], or a message with the failing
//! case as Rust source. The reference is the [`oracle`](crate::oracle).
//! [`conformance!`](crate::conformance) turns the checks into named tests, ten lines for a method;
//! [`faults`] proves that the battery can fail.

#![allow(clippy::missing_errors_doc)] // the error of a check is its finding

mod asks;
mod broad;
mod contacts;
mod control;
mod counted;
mod distance;
mod examiner;
pub mod faults;
mod impacts;
mod looks;
mod pairs;
pub mod plan;
mod questions;
mod recall;
mod self_contacts;
mod shared;
mod small;
mod solids;
pub mod soup;
mod traps;
mod truth;
mod walk;

use impinge_query::Detector;

pub use asks::{cap_is_a_prefix, details_lie_on_both};
pub use broad::pairs_of_boxes;
pub use contacts::{posed_meshes, scaled_meshes, triangle_pairs};
pub use control::{batch_is_the_loop, cancelled_is_an_error, foreign_is_an_error};
pub use counted::exact_tests_are_counted;
pub use distance::distances;
pub use impacts::{approaches, impacts, self_approaches, self_impacts};
pub use looks::looks_are_frequent;
pub use questions::{questions_of_bodies, questions_of_soups};
pub use recall::one_memory_serves_many;
pub use self_contacts::self_contacts;
pub use shared::shared_corners;
pub use small::smallest_scales;
pub use solids::{containment, inverted_solids, turned_by_rounding};
pub use soup::soups;
pub use traps::traps;
pub use walk::random_walk;

/// The counts of a check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Queries compared with the oracle.
    pub cases: usize,
    /// Of these, the true hits.
    pub hits: usize,
}

impl Tally {
    fn count(&mut self, hit: bool) {
        self.cases += 1;
        self.hits += usize::from(hit);
    }

    /// Checks that between 30 and 70 % of the cases hit: a check of only hits or only misses shows
    /// little.
    ///
    /// # Errors
    /// The fraction, if it is outside.
    pub fn balanced(self) -> Result<Self, String> {
        let share = self.hits as f64 / self.cases.max(1) as f64;
        if (0.3..=0.7).contains(&share) {
            Ok(self)
        } else {
            Err(format!("{} of {} cases hit: the examination is lopsided", self.hits, self.cases))
        }
    }
}

/// The counts of a check, or what failed.
pub type Outcome = Result<Tally, String>;

/// A check with its name.
pub type Check = (&'static str, fn(&dyn Detector) -> Outcome);

/// All checks, in the order in which a new method should pass them.
pub const CHECKS: &[Check] = &[
    ("triangle_pairs", triangle_pairs),
    ("traps", traps),
    ("posed_meshes", posed_meshes),
    ("scaled_meshes", scaled_meshes),
    ("soups", soups),
    ("shared_corners", shared_corners),
    ("smallest_scales", smallest_scales),
    ("random_walk", random_walk),
    ("containment", containment),
    ("inverted_solids", inverted_solids),
    ("turned_by_rounding", turned_by_rounding),
    ("distances", distances),
    ("questions_of_soups", questions_of_soups),
    ("questions_of_bodies", questions_of_bodies),
    ("self_contacts", self_contacts),
    ("cap_is_a_prefix", cap_is_a_prefix),
    ("details_lie_on_both", details_lie_on_both),
    ("batch_is_the_loop", batch_is_the_loop),
    ("one_memory_serves_many", one_memory_serves_many),
    ("cancelled_is_an_error", cancelled_is_an_error),
    ("looks_are_frequent", looks_are_frequent),
    ("exact_tests_are_counted", exact_tests_are_counted),
    ("foreign_is_an_error", foreign_is_an_error),
];

/// Generates one test per check for a method, and one that injects faults and expects every check
/// meant for them to fail.
///
/// ```ignore
/// // crates/hierarchy/tests/it/conformance.rs
/// //! The battery for the tree methods.
/// impinge_testkit::conformance!(obbtree, impinge_hierarchy::obbtree());
/// // A method that does not take every mesh: the checks it can pass, by name, and no faults.
/// impinge_testkit::conformance!(ibcd, impinge_image::ibcd(); random_walk cap_is_a_prefix);
/// ```
// The example is not compiled: it defines tests, which a doctest cannot hold.
#[macro_export]
macro_rules! conformance {
    ($word:ident, $engine:expr) => {
        mod $word {
            $crate::conformance!(@tests $engine;
                triangle_pairs traps posed_meshes scaled_meshes soups shared_corners
                smallest_scales random_walk containment inverted_solids turned_by_rounding
                distances questions_of_soups questions_of_bodies self_contacts
                cap_is_a_prefix details_lie_on_both batch_is_the_loop cancelled_is_an_error looks_are_frequent
                exact_tests_are_counted foreign_is_an_error);

            #[test]
            fn faults_are_noticed() {
                $crate::battery::faults::is_noticed(&|| Box::new($engine));
            }
        }
    };
    ($word:ident, $engine:expr; $($check:ident)*) => {
        mod $word {
            $crate::conformance!(@tests $engine; $($check)*);
        }
    };
    (@tests $engine:expr; $($check:ident)*) => {
        $(#[test]
        fn $check() {
            let outcome = $crate::battery::$check(&$engine);
            match outcome {
                Ok(tally) => println!("{}: {tally:?}", stringify!($check)),
                Err(why) => panic!("{why}"),
            }
        })*
    };
}
