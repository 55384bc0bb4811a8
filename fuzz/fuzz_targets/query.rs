//! Arbitrary triangle soups, poses and questions to every exact method, judged by the rational
//! oracle: questions of every kind in the order of the bytes, with one memory.
#![no_main]

use impinge::Kind;
use impinge::Method;
use impinge_testkit::battery::soup;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some(plan) = soup::plan(bytes) else { return };
    // Methods for closed or embedded surfaces refuse most soups; the plan accounts for that.
    for method in Method::all().iter().filter(|method| method.kind() == Kind::Exact) {
        let detector = method.build();
        if let Err(why) = plan.judge(&*detector) {
            panic!("{method}: {why}");
        }
    }
});
