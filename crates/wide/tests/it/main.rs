//! The tests of `impinge-wide` from the outside, in one program.

mod batch;
mod brute;
mod cancelling;
mod coherence;
mod conformance;
mod contains;
mod fronts;
mod limits;
mod orders;
mod parts;
mod piles;
mod progress;
mod refit;
mod self_collision;
mod stored;
mod subnormal;
mod threads;
mod tiny;
mod widths;
mod work;
