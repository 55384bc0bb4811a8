//! The inner loops, written over lanes.
//!
//! | kernel | what it does |
//! | --- | --- |
//! | [`boxes`] | one oriented box against all of a node, fifteen axes |
//! | [`directions`] | lower bounds on distances of pairs of triangles |
//! | [`gaps`] | lower bounds on their distances |
//! | [`heights`] | which pairs of triangles are farther apart than a limit |
//! | [`triangles`] | four triangles against four, by certain signs |

pub(crate) mod boxes;
pub(crate) mod directions;
pub(crate) mod gaps;
pub(crate) mod heights;
pub(crate) mod triangles;
