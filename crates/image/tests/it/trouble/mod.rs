//! What goes wrong in the middle: callers that cancel, devices that are lost, submissions that fail,
//! adapters that are not there. Every outcome is an error or the right answer, never "separated" for
//! want of a better one.

#[cfg(feature = "wgpu")]
mod adapter;
mod cancelled;
mod cases;
mod preparation;
