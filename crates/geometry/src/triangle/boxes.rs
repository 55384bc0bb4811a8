//! Triangle against oriented box (anthology 5 §3): at most 13 axes, or the four main ones.
//!
//! 1. In the box's frame the corners are `Aᵀ (x − c)`, each computed to 8 u of its distance from
//!    the centre; the box is enlarged by 256 u of those distances and then holds what it should.
//!    All is multiplied by a power of two, so that nothing leaves the range of f64.
//! 2. Three face axes: intervals of the corners.
//! 3. The triangle's normal: `|n · x_0|` against `Σ |n_k| h_k`.
//! 4. Nine cross products of sides and face axes.
//!
//! `false` is certain: the products of 3 and 4 carry at most 8 factors, and 64 u of the largest
//! possible terms are allowed.

use super::{UNIT, largest, sides};
use crate::volume::{Obb, SLACK, power_below_inverse, project};
use crate::{Point, Triangle, Vector};

/// Error of a product of differences in units of its largest term times the number of terms.
const PRODUCT: f64 = 64.0 * UNIT;
/// More than underflow takes from sums of products of numbers below 8.
const LOST: f64 = 1e-300;

/// May triangle and box share a point? All 13 axes; `false` is certain, `true` may be wrong by
/// rounding only.
pub fn overlaps_obb(t: &Triangle, b: &Obb) -> bool {
    let pair = Local::new(t, b);
    pair.main_axes() && pair.edge_axes()
}

/// The shortcut: the box's three face axes and the triangle's normal. `false` is certain; `true`
/// is said of some separated pairs too.
pub fn overlaps_obb_four_axes(t: &Triangle, b: &Obb) -> bool {
    Local::new(t, b).main_axes()
}

/// The triangle in the frame of the box, both scaled to size 1.
struct Local {
    corners: [Vector; 3],
    half: Vector,
    size: f64,
}

impl Local {
    fn new(t: &Triangle, b: &Obb) -> Self {
        let d = t.map(|x| x - b.center);
        let far = d.iter().fold(0.0f64, |m, v| m.max(v.abs().sum()));
        let half = b.half.map(|h| h + (SLACK * far + f64::MIN_POSITIVE));
        let scale = power_below_inverse(far.max(half.amax()));
        let corners = d.map(|v| project(&b.axes, &v) * scale);
        let half = half * scale + Vector::repeat(LOST);
        let size = corners.iter().fold(largest(&half), |m, v| m.max(largest(v)));
        Self { corners, half, size }
    }

    fn main_axes(&self) -> bool {
        let c = &self.corners;
        let apart = (0..3).any(|k| {
            let h = self.half[k];
            c[0][k].min(c[1][k]).min(c[2][k]) > h || c[0][k].max(c[1][k]).max(c[2][k]) < -h
        });
        if apart {
            return false;
        }
        let (e, size) = self.sides();
        let n = e[0].cross(&e[1]);
        let reach = n.abs().dot(&self.half);
        n.dot(&c[0]).abs() <= reach + (PRODUCT * 6.0 * (size * size * self.size) + LOST)
    }

    fn edge_axes(&self) -> bool {
        let (e, size) = self.sides();
        let bound = PRODUCT * 4.0 * (size * self.size) + LOST;
        for i in 0..3 {
            for k in 0..3 {
                // Unit axis k times side e_i: only two components.
                let (l, m) = ((k + 1) % 3, (k + 2) % 3);
                let on = |x: &Vector| e[i][l] * x[m] - e[i][m] * x[l];
                let (a, b) = (on(&self.corners[i]), on(&self.corners[(i + 2) % 3]));
                let reach = e[i][l].abs() * self.half[m] + e[i][m].abs() * self.half[l] + bound;
                if a.min(b) > reach || a.max(b) < -reach {
                    return false;
                }
            }
        }
        true
    }

    fn sides(&self) -> ([Vector; 3], f64) {
        sides(&self.corners.map(Point::from))
    }
}
