//! The record of `peers` for a scene of moving boxes: broad phases side by side.

use serde::{Deserialize, Serialize};

/// A scene of moving boxes, and what its contenders took. All found the same pairs in every step; a
/// difference ends the run without this record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Boxes {
    /// The scene's name in records and options.
    pub scene: String,
    /// The kind of boxes; scenes of one kind differ only in number.
    pub kind: String,
    /// How the boxes are made and move.
    pub about: String,
    /// Number of boxes.
    pub objects: usize,
    /// Number of steps.
    pub steps: usize,
    /// Overlapping pairs of a step, the mean.
    pub pairs: f64,
    /// The contenders, the reference first.
    pub rows: Vec<BoxesRow>,
}

/// The number of first steps whose median tells how times grow with the number of boxes. With many
/// boxes there are no more steps.
pub const FIRST_STEPS: usize = 60;

/// The times of one contender's steps, in microseconds: taking in the boxes and listing all pairs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoxesRow {
    /// The contender's name.
    pub peer: String,
    /// Number of steps measured; fewer than those of the scene if its budget was spent.
    pub steps: usize,
    /// One step in ten is faster. It depends least on other load of the machine.
    pub tenth_us: f64,
    /// The median.
    pub median_us: f64,
    /// The median of the first [`FIRST_STEPS`]; `None` if fewer were measured.
    pub first_us: Option<f64>,
    /// The mean.
    pub mean_us: f64,
    /// The longest step.
    pub max_us: f64,
}
