//! Bounding volumes, rounded outward: a fit contains every point it was fitted to in exact
//! arithmetic, and an overlap test never returns false for volumes that share a point.
//!
//! | volume | set of points | cost of a fit |
//! | --- | --- | --- |
//! | [`Aabb`] | `min ≤ x ≤ max` | one pass of comparisons |
//! | [`Sphere`] | `|x − c|₂ ≤ r` | ten passes |
//! | [`Obb`] | `|a_i · (x − c)| ≤ h_i` for three unit axes | moments, eigenvectors, one pass |
//! | [`ConvexHull`] | the hull itself | O(n log n) on usual input, exact signs |
//!
//! Coordinates may have any magnitude up to [`MAX_COORDINATE`](crate::MAX_COORDINATE), however
//! small: nothing is squared before it has been scaled by a power of two, which is exact. `u` is
//! 2⁻⁵³, the unit of rounding; `Σh` the sum of a box's half-lengths.

mod aabb;
mod eigen;
mod hull;
mod hull_build;
mod moments;
mod obb;
mod obb_fit;
mod obb_move;
mod obb_overlap;
mod sphere;

pub use aabb::Aabb;
pub use hull::{ConvexHull, HullError, HullShape};
pub(crate) use moments::power_below_inverse;
pub use moments::{LocalFrame, Moments};
pub use obb::Obb;
pub(crate) use obb::project;
pub use obb_fit::ObbFit;
pub use obb_overlap::{AxisCount, AxisOverlap};
pub use sphere::Sphere;

/// The index of the largest of three numbers; the first of equals.
#[inline(always)]
pub(crate) fn longest(x: &[f64; 3]) -> usize {
    if x[0] >= x[1] && x[0] >= x[2] {
        0
    } else if x[1] >= x[2] {
        1
    } else {
        2
    }
}

/// Unit of rounding of f64.
pub(crate) const UNIT: f64 = f64::EPSILON / 2.0;

/// Relative rounding that volume tests and poses allow for: 2⁻⁴⁵ = 256 u of the sizes involved. The
/// derivations need at most 128 u.
pub(crate) const SLACK: f64 = 256.0 * UNIT;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_is_the_first_of_equals() {
        for k in 0..27 {
            let x = [k % 3, k / 3 % 3, k / 9];
            let first = (0..3).rev().max_by_key(|&i| x[i]);
            assert_eq!(Some(longest(&x.map(f64::from))), first, "{x:?}");
        }
    }
}
