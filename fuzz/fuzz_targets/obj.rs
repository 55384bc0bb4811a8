//! Arbitrary bytes to the OBJ reader.
#![no_main]

use impinge_models::files::Format;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| impinge_fuzz::check(bytes, Format::Obj));
