//! What is asked of a sweep, and what it answers.

use impinge_query::{Contact, Meaning, QueryError};

/// What is asked of a sweep.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SweepOptions {
    /// Bodies at most this far apart count as touching, in the meshes' unit. 0, the default, asks for
    /// contact itself.
    pub near: f64,
    /// The sweep ends when the interval around the first contact is at most this wide, as a share of
    /// the motion; more than 1 counts as 1: any contact will do.
    pub width: f64,
    /// The sweep ends after this many questions.
    pub budget: u32,
    /// With [`Meaning::Solids`], a body inside the other at the start is a contact. Later it cannot get
    /// there without one.
    pub meaning: Meaning,
}

impl Default for SweepOptions {
    /// Contact of surfaces, to 2⁻²⁰ of the motion, by at most 1,000 questions.
    fn default() -> Self {
        Self {
            near: 0.0,
            width: 1.0 / f64::from(1 << 20),
            budget: 1_000,
            meaning: Meaning::Surfaces,
        }
    }
}

/// What happens from time 0 to time 1 of a motion. Times are those of
/// [`RigidMotion::pose_at`](super::RigidMotion::pose_at).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Sweep {
    /// The bodies touch, or come as near as [`SweepOptions::near`].
    Touching {
        /// At every earlier time they are apart, farther than `near`.
        low: f64,
        /// At this time they touch or are as near as that, by the method's own exact verdict. It is at
        /// most the asked width after `low`, unless the budget ended, or before it they graze each other:
        /// they may touch at one moment only, or come nearer than rounding tells. Then `low` is before the
        /// first such moment, since nothing proves that they are apart at it, and `high` is at most the width
        /// after the last time at which they are known to be apart, if the budget has not ended.
        high: f64,
        /// Their distance at `high`, rounded; exactly 0 if they touch.
        distance: f64,
        /// The triangles that touch, or are nearest, at `high`, if the method names them.
        triangles: Option<Contact>,
    },
    /// At no time do they touch, or come as near as `near`.
    Free {
        /// At no time are they nearer than this.
        gap: f64,
        /// The least distance that was found, rounded.
        nearest: f64,
    },
    /// The budget ended before either was known.
    Undecided {
        /// At every earlier time they are apart, farther than `near`.
        low: f64,
        /// So they are at every later time.
        high: f64,
        /// The least distance that was found, rounded.
        nearest: f64,
    },
}

impl Sweep {
    /// Whether they certainly touch, or come as near as asked.
    pub const fn is_touching(&self) -> bool {
        matches!(self, Self::Touching { .. })
    }

    /// The outcome as a lower-case word.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Touching { .. } => "touching",
            Self::Free { .. } => "free",
            Self::Undecided { .. } => "undecided",
        }
    }
}

/// The answer to a sweep, and what it took.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Swept {
    /// What happens.
    pub outcome: Sweep,
    /// Questions for a distance.
    pub distances: u32,
    /// Questions whether a distance is at most the asked one, decided exactly.
    pub comparisons: u32,
}

/// Why a sweep has no answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SweepError {
    /// A question had no answer; also if the caller cancelled.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// An option is negative, not a number, or infinite.
    #[error("the {what} of a sweep is {value:e}; it must be finite and not negative")]
    Option {
        /// The option.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// The method does not keep the mesh.
    #[error("models of {word} do not keep the mesh, whose extent a sweep needs")]
    NoMesh {
        /// The method's name.
        word: &'static str,
    },
}

impl SweepOptions {
    /// Whether all are in range; every sweep asks this first.
    ///
    /// # Errors
    /// [`SweepError::Option`].
    pub fn validate(&self) -> Result<(), SweepError> {
        for (what, value) in [("distance", self.near), ("width", self.width)] {
            if !(0.0..f64::INFINITY).contains(&value) {
                return Err(SweepError::Option { what, value });
            }
        }
        Ok(())
    }
}
