//! Layered depth images: the overlap of solids against exact volumes.

mod clip;
mod guide;
mod overlap;
