//! The answer about penetration, and its options.

use impinge_geometry::{Pose, PoseError, Vector};
use impinge_query::{Meaning, QueryError};

/// What is asked about penetration.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PenetrationOptions {
    /// Whether surfaces or solids are to be apart.
    pub meaning: Meaning,
    /// The search ends once `upper − lower ≤ width · upper`. Finite and not negative.
    pub width: f64,
    /// The most cubes of translations that are examined for the lower bound.
    pub budget: u64,
}

impl Default for PenetrationOptions {
    /// Surfaces; 5 %; 20,000 cubes.
    fn default() -> Self {
        Self { meaning: Meaning::Surfaces, width: 0.05, budget: 20_000 }
    }
}

impl PenetrationOptions {
    /// Whether all are in range; every question asks this first.
    ///
    /// # Errors
    /// [`QueryError::BadOption`].
    pub fn validate(&self) -> Result<(), QueryError> {
        let value = self.width;
        if (0.0..f64::INFINITY).contains(&value) {
            return Ok(());
        }
        Err(QueryError::BadOption { of: "penetration", what: "width", value })
    }
}

/// The length of the least translation after which two bodies are apart, between two bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Penetration {
    /// No shorter translation parts the bodies. In the meshes' unit.
    pub lower: f64,
    /// The length of `translation`; the depth, an infimum, is at most this but for the rounding of
    /// coordinates.
    pub upper: f64,
    /// B moved by this translation is apart from A, by the exact test: see [`Penetration::pose`]. In
    /// A's frame.
    pub translation: Vector,
    /// How many cubes of translations were examined.
    pub cells: u64,
}

impl Penetration {
    /// Of bodies that are apart.
    pub(crate) fn none() -> Self {
        Self { lower: 0.0, upper: 0.0, translation: Vector::zeros(), cells: 0 }
    }

    /// `(upper − lower) / upper`, 0 of bodies that are apart.
    pub fn width(&self) -> f64 {
        if self.upper > 0.0 { (self.upper - self.lower) / self.upper } else { 0.0 }
    }

    /// The pose of B after the translation, for which the exact test says that the bodies are apart.
    ///
    /// # Errors
    /// [`PoseError`]; none for the pose of the question.
    pub fn pose(&self, b_in_a: &Pose) -> Result<Pose, PoseError> {
        Pose::new(*b_in_a.rotation(), b_in_a.translation() + self.translation)
    }
}
