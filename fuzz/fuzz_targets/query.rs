//! Arbitrary triangle soup and pose to every exact method, judged by the rational oracle.
#![no_main]

use impinge::Kind;
use impinge::Method;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    // Soups are open: methods that need closed surfaces refuse them.
    let takes_soup = |m: &&Method| m.kind() == Kind::Exact && !m.description().needs.closed;
    for method in Method::all().iter().filter(takes_soup) {
        let detector = method.build();
        if let Err(why) = impinge_testkit::battery::soup::judge_bytes(&*detector, bytes) {
            panic!("{method}: {why}");
        }
    }
});
