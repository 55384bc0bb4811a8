//! Arbitrary triangle soup and pose to every exact method, judged by the rational oracle.
#![no_main]

use impinge::Method;
use impinge::Kind;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    for method in Method::all().iter().filter(|m| m.kind() == Kind::Exact) {
        let detector = method.build();
        if let Err(why) = impinge_testkit::battery::soup::judge_bytes(&*detector, bytes) {
            panic!("{method}: {why}");
        }
    }
});
