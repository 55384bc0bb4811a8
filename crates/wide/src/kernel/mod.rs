//! The inner loops, over lanes of vector registers.
//!
//! | kernel | what it does |
//! | --- | --- |
//! | [`boxes`] | one oriented box against all of a node, on fifteen axes |
//! | [`directions`] | lower bounds on distances of pairs of triangles |
//! | [`gaps`] | lower bounds on distances of boxes |
//! | [`heights`] | which pairs of triangles are farther apart than a limit |
//! | [`sides`] | which pairs of triangles are apart along a direction in the plane of one of them |
//! | [`triangles`] | four triangles against four, by determinants whose signs are certain |

pub(crate) mod boxes;
pub(crate) mod directions;
pub(crate) mod gaps;
pub(crate) mod heights;
pub(crate) mod sides;
pub(crate) mod triangles;
