//! The battery, with every instruction set that this machine has.

use impinge_wide::{Wide, WideParams, Width, wide_with};

/// With one set; a set that the machine lacks is replaced by plain Rust, so that its tests never
/// pass for another's: they are then the same as `portable`.
fn on(width: Width) -> Wide {
    wide_with(WideParams { width: Some(width), ..WideParams::default() })
}

impinge_testkit::conformance!(wide, impinge_wide::wide());
impinge_testkit::conformance!(avx512, crate::conformance::on(crate::conformance::Width::Avx512));
impinge_testkit::conformance!(avx2, crate::conformance::on(crate::conformance::Width::Avx2));
impinge_testkit::conformance!(neon, crate::conformance::on(crate::conformance::Width::Neon));
impinge_testkit::conformance!(
    portable,
    crate::conformance::on(crate::conformance::Width::Portable)
);
