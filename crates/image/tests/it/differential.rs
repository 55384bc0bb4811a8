//! The certified form against rational arithmetic, and proof that these tests can fail.

use impinge_image::{Params, ibcd, ibcd_with};
use impinge_testkit::battery::faults::{Fault, Faulty};

use crate::checks::{CHECKS, Check, scaled, shallow, traps, turns, verdicts};

fn passes(check: Check) {
    println!("{:?}", check(&ibcd()).unwrap_or_else(|why| panic!("{why}")));
}

#[test]
fn verdicts_and_contacts_are_the_oracles() {
    passes(verdicts);
}

#[test]
fn units_do_not_matter() {
    passes(scaled);
}

#[test]
fn traps_are_passed() {
    passes(traps);
}

#[test]
fn shallow_penetration_is_found() {
    passes(shallow);
}

#[test]
fn memories_do_not_answer_for_other_pairs() {
    passes(turns);
}

#[test]
fn no_picture_and_a_coarse_one_answer_alike() {
    for params in [
        Params { drawn: 0, ..Params::default() },
        Params { resolution: 1, ..Params::default() },
        Params { resolution: 7, drawn: usize::MAX, ..Params::default() },
        Params { pixels_per_unit: Some(20.0), ..Params::default() },
    ] {
        verdicts(&ibcd_with(params)).unwrap_or_else(|why| panic!("{params:?}: {why}"));
    }
}

#[test]
fn faults_are_noticed() {
    for (name, check) in CHECKS {
        for fault in [Fault::MissesHits, Fault::LosesAContact] {
            let liar = Faulty::new(Box::new(ibcd()), fault);
            assert!(check(&liar).is_err(), "{name} let {fault:?} pass");
        }
    }
    assert!(traps(&Faulty::new(Box::new(ibcd()), Fault::MissesContainment)).is_err());
}

#[test]
fn believing_the_image_is_noticed() {
    for resolution in [4, 64, 256] {
        let believer = ibcd_with(Params::sampled(resolution));
        for (name, check) in CHECKS {
            assert!(check(&believer).is_err(), "{name} let {resolution} pixels pass");
        }
    }
}
