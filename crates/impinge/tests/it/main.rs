//! The tests of `impinge` from the outside, in one program.

mod contains;
mod itself;
mod lists;
mod methods;
#[cfg(feature = "parry")]
mod outside;
mod preparation;
mod regressions;
