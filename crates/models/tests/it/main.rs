//! Integration tests of `impinge-models`, in one program.

mod deforming;
mod files;
mod hull;
mod maize;
mod measures;
mod motion;
mod nurbs;
mod procedural;
mod random;
