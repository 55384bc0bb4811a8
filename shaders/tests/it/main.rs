//! The tests of `impinge-shaders` from the outside, in one program.

mod layouts;
mod operations;
mod raster;
mod shaders;
mod support;
