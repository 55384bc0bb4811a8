//! The plane of largest margin between two sets of points: the optimal separating hyperplane of
//! sbv §1, found in two ways.
//!
//! Its normal is the direction between the nearest points of the two convex hulls; that this is the
//! solution of the linear support vector machine is the duality of the maximal margin (Bennett and
//! Bredensteiner 2000). So the [machine] and the [twin] must agree, and a test demands it.

pub mod machine;
pub mod twin;

use impinge_geometry::Vector;

pub use machine::Machine;

/// A plane between two sets of points.
#[derive(Clone, Debug, PartialEq)]
pub struct Trained {
    /// The normal of the plane, of length 1, from A towards B.
    pub normal: Vector,
    /// The support vectors: indices of the samples of A and of B whose combinations are the nearest
    /// points of the hulls; of the machine, those with the largest multipliers first.
    pub vectors: [Vec<u32>; 2],
    /// Steps of the solver.
    pub steps: u64,
    /// A bound on the angle, in radians, between this normal and that of the plane of largest
    /// margin; `None` if none is known.
    pub within: Option<f64>,
}

/// The end of a training.
#[derive(Clone, Debug, PartialEq)]
pub enum Training {
    /// A plane separates the samples.
    Separable(Trained),
    /// No plane was found; the hulls overlap, or their gap is below what the solver resolves. A
    /// normal outcome: two crossed bars have support points that no plane separates.
    Inseparable {
        /// Steps of the solver.
        steps: u64,
        /// The normal of a soft margin, of length 1, from A towards B: a bound on the multipliers
        /// gives one though its plane does not separate the samples.
        normal: Option<Vector>,
        /// Indices of a few samples of A and of B whose hulls overlap, too, as far as is known: those
        /// with which the twin stopped. Empty of the machine.
        vectors: [Vec<u32>; 2],
    },
}

impl Training {
    pub(crate) const fn inseparable(steps: u64, normal: Option<Vector>) -> Self {
        Self::Inseparable { steps, normal, vectors: [Vec::new(), Vec::new()] }
    }

    /// The plane, if there is one.
    pub const fn plane(&self) -> Option<&Trained> {
        match self {
            Self::Separable(trained) => Some(trained),
            Self::Inseparable { .. } => None,
        }
    }

    /// The direction that was found, whether its plane separates the samples or not.
    pub const fn normal(&self) -> Option<&Vector> {
        match self {
            Self::Separable(trained) => Some(&trained.normal),
            Self::Inseparable { normal, .. } => normal.as_ref(),
        }
    }

    /// Steps of the solver.
    pub const fn steps(&self) -> u64 {
        match self {
            Self::Separable(trained) => trained.steps,
            Self::Inseparable { steps, .. } => *steps,
        }
    }
}
