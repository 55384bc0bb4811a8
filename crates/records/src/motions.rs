//! The records of `peers` for bodies that move, and for bodies that are in each other: beside parry3d.

use serde::{Deserialize, Serialize};

/// Sweeps of pairs of bodies: does B meet A on its way?
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sweeps {
    /// The scene's name in records and options.
    pub scene: String,
    /// How the motions are made.
    pub about: String,
    /// Triangles of a body, about.
    pub triangles: usize,
    /// Motions of each pair.
    pub motions: usize,
    /// A row for each pair and course.
    pub rows: Vec<SweepRow>,
}

/// The sweeps of one pair of bodies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SweepRow {
    /// Both bodies.
    pub bodies: String,
    /// Whether B turns on its way; else it goes straight.
    pub turning: bool,
    /// Motions on which they meet, by our answer.
    pub hits: usize,
    /// Our times.
    pub ours: Spread,
    /// Those of parry3d.
    pub theirs: Spread,
    /// Our wrong answers.
    pub wrong: usize,
    /// Motions that we left undecided.
    pub undecided: usize,
    /// Contacts that parry3d missed.
    pub missed: usize,
    /// Contacts that parry3d invented.
    pub invented: usize,
}

/// Depths of penetration of pairs of bodies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Depths {
    /// The scene's name in records and options.
    pub scene: String,
    /// How the poses are made.
    pub about: String,
    /// Triangles of a body, about.
    pub triangles: usize,
    /// Poses of each pair.
    pub poses: usize,
    /// A row for each pair.
    pub rows: Vec<DepthRow>,
}

/// The depths of one pair of bodies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DepthRow {
    /// Both bodies.
    pub bodies: String,
    /// Our times.
    pub ours: Spread,
    /// Those of parry3d.
    pub theirs: Spread,
    /// Median width of our intervals, relative to the upper bound.
    pub width: f64,
    /// Our upper bounds whose translation does not part the bodies.
    pub wrong: usize,
    /// Translations of parry3d that part the bodies.
    pub parted: usize,
    /// Poses in which parry3d found no contact.
    pub none: usize,
    /// Median of parry3d's depth over our upper bound; `None` without a contact.
    pub share: Option<f64>,
}

/// Times in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spread {
    /// The median.
    pub median_us: f64,
    /// Nine in ten are shorter.
    pub ninth_us: f64,
}
