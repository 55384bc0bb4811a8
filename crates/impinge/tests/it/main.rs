//! Integration tests of `impinge`, in one program. Those about all methods need the feature
//! `methods`.

mod body;
#[cfg(feature = "methods")]
mod conformance;
#[cfg(feature = "methods")]
mod contains;
#[cfg(feature = "methods")]
mod deforming;
#[cfg(feature = "files")]
mod exit;
#[cfg(feature = "methods")]
mod lists;
#[cfg(feature = "methods")]
mod methods;
#[cfg(all(feature = "methods", feature = "parry"))]
mod outside;
#[cfg(feature = "methods")]
mod overlap;
mod penetration;
#[cfg(feature = "methods")]
mod preparation;
#[cfg(feature = "methods")]
mod regressions;
#[cfg(feature = "methods")]
mod self_collision;
#[cfg(feature = "files")]
mod sweep;
#[cfg(feature = "files")]
mod touching;
#[cfg(feature = "files")]
mod world_out;
