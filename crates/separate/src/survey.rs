//! The steps of a query, as the paper's tables report them.

use crate::volume::{Axes, Volume};

/// The step that ended a query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ended {
    /// The bounds along the axes of A's frame are apart.
    #[default]
    Bounds,
    /// The plane of the last query still separates the meshes.
    Remembered,
    /// A plane found by training separates them.
    Training,
    /// The region is empty, or no triangle of one mesh reaches into it.
    Region,
    /// The detailed test decided.
    Detail,
}

/// The steps of one query.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Survey {
    /// How it ended.
    pub ended: Ended,
    /// The intersection of both meshes' bounds along the axes of A's frame; empty if they are apart.
    pub common: Volume,
    /// Trainings.
    pub trainings: u32,
    /// Steps of the solver in all of them.
    pub steps: u64,
    /// Samples of A and B in the last training, support vectors of the query before among them.
    pub samples: [usize; 2],
    /// Support vectors of the last training.
    pub vectors: usize,
    /// Whether a plane of the last training separates its samples.
    pub separable: bool,
    /// Rounds of the loop.
    pub rounds: u32,
    /// Triangles of A and B that the detailed test got; none if another step ended the query.
    pub triangles: [usize; 2],
    /// The directions of the last volumes, if any were used beyond the bounds.
    pub axes: Option<Axes>,
    /// The region that was left.
    pub region: Option<Volume>,
}
