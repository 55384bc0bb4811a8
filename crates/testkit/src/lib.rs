//! The tests' references: a rational oracle, and seeded cases in which collision tests are known to
//! fail. For tests and the bench's agreement column only; never published.
//!
//! **The [`oracle`] must not know** how `geometry::exact` decides: it uses points, meshes and poses
//! of `geometry`, but no test or predicate.

#![forbid(unsafe_code)]

pub mod battery;
pub mod cases;
pub mod oracle;
