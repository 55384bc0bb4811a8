//! The checks of the battery whose meshes are closed and face outward, as these methods need them.

use impinge_image::{ibcd, recode};
use impinge_testkit::battery::sabotage::{Liar, Lie};
use impinge_testkit::battery::{looks_are_frequent, questions_of_bodies, turned_by_rounding};

impinge_testkit::conformance!(
    by_ibcd, impinge_image::ibcd();
    questions_of_bodies turned_by_rounding looks_are_frequent exact_tests_are_counted
    cap_is_a_prefix batch_is_the_loop foreign_is_an_error
);
impinge_testkit::conformance!(
    by_recode, impinge_image::recode();
    questions_of_bodies turned_by_rounding looks_are_frequent exact_tests_are_counted
    cap_is_a_prefix batch_is_the_loop foreign_is_an_error
);

#[test]
fn sabotage_is_noticed() {
    for method in [false, true] {
        let liar = |lie| {
            if method {
                Liar::new(Box::new(ibcd()), lie)
            } else {
                Liar::new(Box::new(recode()), lie)
            }
        };
        for lie in [Lie::MissesHits, Lie::LosesAContact, Lie::MissesContainment] {
            assert!(questions_of_bodies(&liar(lie)).is_err(), "{lie:?}");
        }
        assert!(turned_by_rounding(&liar(Lie::MissesContainment)).is_err());
        assert!(looks_are_frequent(&liar(Lie::LooksTwice)).is_err());
        assert!(looks_are_frequent(&liar(Lie::NeverStops)).is_err());
    }
}
