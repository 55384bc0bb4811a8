//! Rigid motion: the first contact of a body that turns and moves between two poses.
//!
//! 1. [`RigidMotion`] is the motion; its [`pose_at`](RigidMotion::pose_at) is what all times mean.
//! 2. The distance at a time, which a method of the contract answers, proves that nothing touches for
//!    some time before and after: no part of B can go so far.
//! 3. [`sweep`] places such times one after the other until they cover the motion, or close in on a
//!    pose at which the method finds contact: conservative advancement (Mirtich 1996), here to both sides
//!    of each time.
//! 4. [`RelativeMotion`] and [`sweep_pairs`] are for bodies that both move, and for many of them;
//!    [`sweep_motions`] is for many motions of one.
//!
//! The page `docs/motion.md` has the steps and the bounds.

mod advance;
mod clear;
mod extent;
mod motion;
mod moves;
mod outcome;
mod pairs;
mod relative;
mod turn;

pub use advance::{Questions, sweep, sweep_both, sweep_by};
pub use extent::Extent;
pub use motion::{Course, RigidMotion};
pub use outcome::{Sweep, SweepError, SweepOptions, Swept};
pub use pairs::{MovingPair, sweep_motions, sweep_pairs};
pub use relative::RelativeMotion;
