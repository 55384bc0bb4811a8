//! Triangle against oriented box (anthology 5 §3): at most 13 axes, or the four main ones.
//!
//! 1. In the box's frame the corners are `Aᵀ (x − c)`, each computed to 8 u of its distance from
//!    the centre; the box is enlarged by 256 u of those distances and then holds what it should.
//!    All is multiplied by a power of two, so that nothing leaves the range of f64.
//! 2. Three face axes: intervals of the corners.
//! 3. The triangle's normal: `|n · x_0|` against `Σ |n_k| h_k`.
//! 4. Nine cross products of sides and face axes.
//!
//! `false` is certain: see [`PLANE`] and [`EDGES`]. In both the last subtraction changes no sign.

use super::{UNIT, largest, sides};
use crate::volume::{Obb, SLACK, power_below_inverse, project};
use crate::{Point, Triangle, Vector};

/// Error of 3 in units of `side² × size`: 8 u for the differences, 6 and 3 for the normal, 3 for the
/// products with `x_0` and 6 for their sums (see `EDGES` in `sat`); the same for `Σ |n_k| h_k`:
/// together 52 u.
const PLANE: f64 = 54.0 * UNIT;
/// Error of 4 in units of `side × size`: for a corner 2 u for the differences, 2 for the products
/// and 2 for the last one; for the box 2, 2 and 2. Together 12 u, and what the sum with the bound
/// takes, 2.
const EDGES: f64 = 15.0 * UNIT;
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
        let (gap, bound) = self.plane_gap();
        gap <= bound
    }

    /// How far the triangle's plane is from the box, times the normal's length, and a bound on the
    /// error but for the last rounding.
    #[inline(always)]
    fn plane_gap(&self) -> (f64, f64) {
        let (e, size) = self.sides();
        let n = e[0].cross(&e[1]);
        let gap = n.dot(&self.corners[0]).abs() - n.abs().dot(&self.half);
        (gap, PLANE * (size * size * self.size) + LOST)
    }

    fn edge_axes(&self) -> bool {
        let (e, size) = self.sides();
        let bound = EDGES * (size * self.size) + LOST;
        for i in 0..3 {
            for k in 0..3 {
                let corners = [&self.corners[i], &self.corners[(i + 2) % 3]];
                let ([a, b], reach) = self.on_edge_axis(&e[i], k, corners);
                let reach = reach + bound;
                if a.min(b) > reach || a.max(b) < -reach {
                    return false;
                }
            }
        }
        true
    }

    /// Two corners and half the box on the product of unit axis `k` and side `e`, which has only
    /// two components.
    #[inline(always)]
    fn on_edge_axis(&self, e: &Vector, k: usize, corners: [&Vector; 2]) -> ([f64; 2], f64) {
        let (l, m) = ((k + 1) % 3, (k + 2) % 3);
        let on = |x: &Vector| e[l] * x[m] - e[m] * x[l];
        (corners.map(on), e[l].abs() * self.half[m] + e[m].abs() * self.half[l])
    }

    fn sides(&self) -> ([Vector; 3], f64) {
        sides(&self.corners.map(Point::from))
    }
}

#[cfg(test)]
mod tests {
    use num_bigint::BigInt;

    use super::*;
    use crate::adversarial::{Random, between, climb, integer, points, share};
    use crate::integers::{cross, dot};

    fn start(r: &mut Random) -> [f64; 12] {
        std::array::from_fn(|_| r.about(2f64.powi(52)))
    }

    fn local(x: &[f64; 12]) -> Local {
        let [a, b, c, half]: [Point; 4] = points(x);
        let (corners, half) = ([a, b, c].map(|p| p.coords), half.coords.abs());
        let size = corners.iter().fold(largest(&half), |m, v| m.max(largest(v)));
        Local { corners, half, size }
    }

    fn magnitude(x: BigInt) -> BigInt {
        if x < BigInt::from(0) { -x } else { x }
    }

    #[test]
    fn the_bound_of_the_plane_is_enough_and_needed() {
        let found = climb(91, 20_000, start, |x| {
            let pair = local(x);
            let (gap, bound) = pair.plane_gap();
            let [a, b, c]: [Point; 3] = points(&x[..9]);
            let n = cross(&between(&a, &b), &between(&b, &c));
            let mut truth = magnitude(dot(&n, &between(&Point::origin(), &a)));
            for (k, n) in n.into_iter().enumerate() {
                truth -= magnitude(n) * integer(pair.half[k]);
            }
            share(gap, &truth, bound + UNIT * gap.abs())
        });
        assert!(found > 0.25, "{found}");
    }

    #[test]
    fn the_bound_of_the_edges_is_enough_and_needed() {
        let found = climb(92, 20_000, start, |x| {
            let pair = local(x);
            let (e, size) = pair.sides();
            let ([at, _], reach) = pair.on_edge_axis(&e[0], 2, [&pair.corners[0]; 2]);
            let [a, b, _]: [Point; 3] = points(&x[..9]);
            let (e, half) = (between(&a, &b), &pair.half);
            let truth = magnitude(&e[0] * integer(a.y) - &e[1] * integer(a.x))
                - magnitude(e[0].clone()) * integer(half.y)
                - magnitude(e[1].clone()) * integer(half.x);
            let gap = at.abs() - reach;
            share(gap, &truth, EDGES * (size * pair.size) + UNIT * gap.abs())
        });
        assert!(found > 0.25, "{found}");
    }
}
