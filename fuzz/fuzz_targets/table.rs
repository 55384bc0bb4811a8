//! Arbitrary bytes to the reader of tables of parts: unchanged, and below a valid header.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    impinge_fuzz::check_table(bytes);
    let header = b"name,file,tx,ty,tz,qx,qy,qz,qw\n";
    impinge_fuzz::check_table(&[header, bytes].concat());
});
