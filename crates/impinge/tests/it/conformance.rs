//! The battery for methods that are composed here.

impinge_testkit::conformance!(sbv_ldi, impinge::sbv_ldi::sbv_ldi());
