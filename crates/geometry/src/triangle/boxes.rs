//! Triangle against oriented box (anthology 5 §3): at most 13 axes, or the four main ones.
//!
//! 1. In the box's frame the corners are `Aᵀ (x − c)`, each computed to 8 u of its distance from
//!    the centre. The box is enlarged by 256 u of those distances, which covers that error.
//!    Everything is multiplied by a power of two, so that nothing leaves the range of f64.
//! 2. Three face axes: intervals of the corners.
//! 3. The triangle's normal: `|n · x_0|` against `Σ |n_k| h_k`.
//! 4. Nine cross products of sides and face axes.
//!
//! `false` is certain: see [`PLANE`] and [`EDGES`]. In both, the last subtraction changes no sign.

use super::{UNIT, above, largest, sides};
use crate::volume::{Obb, SLACK, power_below_inverse, project};
use crate::{Point, Triangle, Vector};

/// Error of step 3 in units of `side² × size`: 8 u for the differences, 6 and 3 for the normal, 3
/// for the products with `x_0` and 6 for their sums (see `EDGES` in `sat`); the same for
/// `Σ |n_k| h_k`: together 52 u.
const PLANE: f64 = 54.0 * UNIT;
/// Error of step 4 in units of `side × size`: for a corner 2 u for the differences, 2 for the
/// products and 2 for the last subtraction; for the box 2, 2 and 2. Together 12 u, plus 2 for
/// adding the bound.
const EDGES: f64 = 15.0 * UNIT;
/// Bounds what underflow takes from sums of products of numbers below 8.
const LOST: f64 = 1e-300;

/// Whether triangle and box may share a point, on all 13 axes. `false` is certain; `true` is wrong
/// only within rounding.
pub fn overlaps_obb(t: &Triangle, b: &Obb) -> bool {
    let pair = Local::new(t, b);
    pair.main_axes() && pair.edge_axes()
}

/// A cheaper test on four axes: the box's three face axes and the triangle's normal. `false` is
/// certain; `true` is returned for some separated pairs.
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
        !above(gap, bound)
    }

    /// The distance of the triangle's plane from the box, times the normal's length, and a bound on
    /// its error without the last rounding.
    #[inline(always)]
    fn plane_gap(&self) -> (f64, f64) {
        let (e, size) = self.sides();
        let n = e[0].cross(&e[1]);
        let gap = n.dot(&self.corners[0]).abs() - n.abs().dot(&self.half);
        (gap, PLANE * (size * size * self.size) + LOST)
    }

    /// Bound on the error of step 4 without the last rounding; `side` is the largest component of a
    /// side.
    #[inline(always)]
    fn edges_bound(&self, side: f64) -> f64 {
        EDGES * (side * self.size) + LOST
    }

    fn edge_axes(&self) -> bool {
        let (e, size) = self.sides();
        let bound = self.edges_bound(size);
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

    /// Projections of two corners, and of half the box, on the cross product of unit axis `k` and
    /// side `e`, which has only two components.
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
            share(gap, &truth, pair.edges_bound(size) + UNIT * gap.abs())
        });
        assert!(found > 0.25, "{found}");
    }

    /// For triangles and boxes of different sizes, the bounds are at most slightly above the proved
    /// ones.
    #[test]
    fn bounds_are_hardly_more_than_what_is_proved() {
        let mut r = Random(93);
        for _ in 0..500 {
            let small = 2f64.powi(-(r.below(12) as i32));
            let shift = Vector::new(r.unit(), r.unit(), r.unit()) * 0.5;
            let corners =
                [(); 3].map(|()| Vector::new(r.unit(), r.unit(), r.unit()) * small + shift);
            let half = Vector::repeat(0.5 * r.unit().abs());
            let size = corners.iter().fold(largest(&half), |m, v| m.max(largest(v)));
            let pair = Local { corners, half, size };
            let side = sides(&corners.map(Point::from)).1;
            let plane = pair.plane_gap().1 / (UNIT * side * side * size);
            let edges = pair.edges_bound(side) / (UNIT * side * size);
            assert!((52.0..55.0).contains(&plane) && (14.0..15.5).contains(&edges));
        }
        let none = Local { corners: [Vector::zeros(); 3], half: Vector::zeros(), size: 0.0 };
        assert_eq!((none.plane_gap(), none.edges_bound(0.0)), ((0.0, LOST), LOST));
        assert!(none.main_axes() && none.edge_axes());
    }

    /// A triangle off a face, an edge or the plane by less than 256 u of the distances is kept; one
    /// clearly farther away is not, at any scale.
    #[test]
    fn triangles_are_apart_beyond_256_roundings_of_their_distances() {
        for unit in [1.0, 2f64.powi(900), 2f64.powi(-900), 3.0] {
            let b = Obb {
                center: Point::origin(),
                axes: nalgebra::Matrix3::identity(),
                half: Vector::repeat(unit),
            };
            let at = |c: [f64; 3]| Point::from(c) * unit;
            for turn in 0..3 {
                for side in [1.0, -1.0] {
                    let turned = |c: [f64; 3]| at([0, 1, 2].map(|k| side * c[(k + turn) % 3]));
                    // Off a face; three distances of at most 2 add up.
                    let face = |g: f64| {
                        [[1.0 + g, 0.5, 0.5], [1.0 + g, -0.5, 0.5], [1.5, 0.0, -0.5]].map(turned)
                    };
                    // Off an edge along z, with a side across it near the plane x + y = 2.
                    let edge = |g: f64| {
                        [[1.0 + g, 1.0 + g, 0.25], [1.5 + g, 0.5 + g, 0.25], [2.0, 2.0, 0.0]]
                            .map(turned)
                    };
                    let slack = 256.0 * UNIT;
                    for (t, kept) in [
                        (face(1.6 * slack), true),
                        (face(2.4 * slack), false),
                        (edge(1.5 * slack), true),
                        (edge(8.0 * slack), false),
                    ] {
                        assert_eq!(overlaps_obb(&t, &b), kept, "{t:?}");
                        let turned = [t[1], t[2], t[0]];
                        assert_eq!(overlaps_obb(&turned, &b), kept, "{t:?}");
                    }
                }
            }
        }
        let point = Obb {
            center: Point::origin(),
            axes: nalgebra::Matrix3::identity(),
            half: Vector::zeros(),
        };
        assert!(overlaps_obb(&[point.center; 3], &point));
    }
}
