//! Broad phases on moving boxes: ours beside the dynamic tree of parry3d, the one of rapier, and
//! beside FCL's managers. All take turns in every step, and must find the same pairs.
//!
//! 1. [`scenes`]: words for kinds and numbers of boxes, and how the boxes move.
//! 2. [`contender`]: our broad phases and parry3d's tree; FCL's managers are in [`crate::native`].
//! 3. [`measure`]: the times of all steps of a scene.

pub mod contender;
pub mod measure;
pub mod scenes;
