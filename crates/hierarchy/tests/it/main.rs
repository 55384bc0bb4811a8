//! The tests of `impinge-hierarchy` from the outside, in one program.

mod adversarial;
mod borders;
mod boxes;
mod builds;
mod capsules;
mod coherence;
mod conformance;
mod corners;
mod edges;
mod extents;
mod fronts;
mod gjk;
mod leaf;
mod merges;
mod nearer;
mod parts;
mod piles;
mod refit;
mod splits;
mod subnormal;
mod ties;
mod trees;
mod volumes;
mod work;
