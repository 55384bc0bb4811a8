//! Bounding volumes, all rounded outward: a fit holds every point it was fitted to in exact
//! arithmetic, and an overlap test never calls apart what shares a point.
//!
//! | volume | set of points | a fit costs |
//! | --- | --- | --- |
//! | [`Obb`] | `|a_i · (x − c)| ≤ h_i` for three unit axes | moments, eigenvectors, one pass |
//!
//! Coordinates may be anything up to [`MAX_COORDINATE`](crate::MAX_COORDINATE) in magnitude and as
//! small as f64 goes: nothing is squared before it has been scaled by a power of two, which is
//! exact. `u` is 2⁻⁵³, the unit of rounding; `Σh` the sum of a box's half-lengths.

mod eigen;
mod moments;
mod obb;
mod obb_fit;

pub(crate) use moments::power_below_inverse;
pub use moments::{LocalFrame, Moments};
pub use obb::Obb;
pub use obb_fit::ObbFit;

/// Unit of rounding of f64.
pub(crate) const UNIT: f64 = f64::EPSILON / 2.0;

/// Relative rounding that volume tests and poses absorb: 2⁻⁴⁵ = 256 u of the sizes involved. The
/// derivations need at most 128 u.
pub(crate) const SLACK: f64 = 256.0 * UNIT;
