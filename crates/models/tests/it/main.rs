//! The tests of `impinge-models` from the outside, in one program.

mod deforming;
mod files;
mod hull;
mod maize;
mod measures;
mod motion;
mod nurbs;
mod procedural;
mod random;
