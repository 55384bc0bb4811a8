//! What judges impinge: a rational oracle, and seeded cases where collision tests are known to
//! fail. For tests and the bench's agreement column only; never published.
//!
//! **The [`oracle`] must not know** how `geometry::exact` decides: it takes points, meshes and poses
//! from `geometry`, and no test or predicate.

#![forbid(unsafe_code)]

pub mod battery;
pub mod cases;
pub mod oracle;
