//! Integration tests of `impinge`, in one program.

mod body;
mod contains;
mod lists;
mod methods;
#[cfg(feature = "parry")]
mod outside;
mod preparation;
mod regressions;
mod self_collision;
