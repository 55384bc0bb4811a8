//! The tests of `impinge-query` from the outside, in one program.

mod ahead;
mod all_pairs;
mod batch;
mod contract;
mod driver;
mod lists;
mod looks;
