//! The battery: all of it for `ldi`, and for the methods of patches the checks whose meshes are closed
//! and face outward, as those need them.

use impinge_image::{ibcd, recode};
use impinge_testkit::battery::faults::{Fault, Faulty};
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
impinge_testkit::conformance!(ldi, impinge_image::ldi::ldi());
impinge_testkit::conformance!(
    ldi_of_few_pixels,
    impinge_image::ldi::ldi_with(impinge_image::ldi::Params {
        resolution: 3,
        ..impinge_image::ldi::Params::default()
    })
);

#[test]
fn faults_are_noticed() {
    for method in [false, true] {
        let liar = |fault| {
            if method {
                Faulty::new(Box::new(ibcd()), fault)
            } else {
                Faulty::new(Box::new(recode()), fault)
            }
        };
        for fault in [Fault::MissesHits, Fault::LosesAContact, Fault::MissesContainment] {
            assert!(questions_of_bodies(&liar(fault)).is_err(), "{fault:?}");
        }
        assert!(turned_by_rounding(&liar(Fault::MissesContainment)).is_err());
        assert!(looks_are_frequent(&liar(Fault::LooksTwice)).is_err());
        assert!(looks_are_frequent(&liar(Fault::NeverStops)).is_err());
    }
}
