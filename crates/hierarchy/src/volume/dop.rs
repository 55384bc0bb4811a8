//! Discrete orientation polytopes: slabs along `k/2` fixed directions (Klosowski et al. 1998,
//! QuickCD; fan §1.3.3.4), for k = 6, 14, 18 and 26.
//!
//! B's slabs are rotated with B. To compare them with A's they are refitted: along each of A's
//! directions `d`, the extent of B's DOP is bounded by three of its planes,
//! `max d·(R x + t) ≤ d·t + Σ λ_i max d_i·x` with `Rᵀ d = Σ λ_i d_i`, `λ ≥ 0` (see
//! [`dop_directions`](super::dop_directions)). The three planes and their weights depend on the
//! rotation alone, so they are computed once per query. QuickCD bounds the rotated vertices of each
//! DOP instead: tighter where a fourth plane cuts off the three planes' corner, but several times
//! the work.
//!
//! *Rounding.* The total is at most 24 units of the query's scale, less than the query's pad:
//! `docs/methods/kdop.md`, "Error bound".

use impinge_geometry::Triangle;

use super::ball::length_below;
use super::dop_directions::{Combination, combine, directions, dot};
use super::{Merge, Volume};
use crate::Placement;

/// A DOP of `H` slabs: `k = 2 H`. 16 H bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Dop<const H: usize> {
    low: [f64; H],
    high: [f64; H],
}

/// Factor on a gap that was divided by the length of its direction, for the rounding of the root,
/// the quotient and the product.
pub(super) const DIAGONAL: f64 = 1.0 - 4.0 * (f64::EPSILON / 2.0);

/// How to refit B's DOPs to A's directions.
#[derive(Clone, Copy, Debug)]
pub struct DopFrame<const H: usize> {
    combinations: [Combination; H],
    shift: [f64; H],
    pad: f64,
}

impl<const H: usize> Dop<H> {
    /// The three axes are part of every DOP, and there are 13 directions in all.
    const HAS_DIRECTIONS: () = assert!(H >= 3 && H <= 13, "a DOP has 3 to 13 directions");

    /// The DOP of at least one point.
    #[inline]
    pub fn around(points: impl Iterator<Item = [f64; 3]>) -> Self {
        const { Self::HAS_DIRECTIONS };
        let mut dop = Self { low: [f64::INFINITY; H], high: [f64::NEG_INFINITY; H] };
        for p in points {
            for (i, d) in directions::<H>().into_iter().enumerate() {
                // One addition per direction: entries are 0 and ±1.
                let along = dot(d, p);
                dop.low[i] = dop.low[i].min(along);
                dop.high[i] = dop.high[i].max(along);
            }
        }
        dop
    }
}

impl<const H: usize> Volume for Dop<H> {
    const MERGES: bool = true;
    type Frame = DopFrame<H>;
    type Placed = Self;

    fn frame(placement: &Placement) -> DopFrame<H> {
        let rows = &placement.rows;
        let directions = directions::<H>();
        // Rᵀ d.
        let turned = |d: [f64; 3]| [0, 1, 2].map(|j| dot(d, [0, 1, 2].map(|i| rows[i][j])));
        DopFrame {
            combinations: directions.map(|d| combine::<H>(turned(d))),
            shift: directions.map(|d| dot(d, [0, 1, 2].map(|i| rows[i][3]))),
            pad: placement.pad,
        }
    }

    fn place(&self, frame: &DopFrame<H>) -> Self {
        let mut placed = Self { low: frame.shift, high: frame.shift };
        for i in 0..H {
            let Combination { sides, weights } = &frame.combinations[i];
            for (&(side, is_upper), weight) in sides.iter().zip(weights) {
                // The same sides, negated, bound the other end.
                let (most, least) = if is_upper {
                    (self.high[side], self.low[side])
                } else {
                    (-self.low[side], -self.high[side])
                };
                placed.high[i] += weight * most;
                placed.low[i] += weight * least;
            }
        }
        placed
    }

    #[inline(always)]
    fn meets(&self, other: &Self, frame: &DopFrame<H>) -> bool {
        let mut apart = false;
        for i in 0..H {
            let gap = (self.low[i] - other.high[i]).max(other.low[i] - self.high[i]);
            apart |= gap > frame.pad;
        }
        !apart
    }

    fn gap(&self, other: &Self, frame: &DopFrame<H>, _enough: f64) -> f64 {
        let along = |i: usize| {
            let gap = (self.low[i] - other.high[i]).max(other.low[i] - self.high[i]);
            (gap - frame.pad).max(0.0)
        };
        // The axes come first: the gaps along them are those of a box.
        let faces = length_below([along(0), along(1), along(2)]);
        let directions = directions::<H>();
        let skew = |i: usize| along(i) / dot(directions[i], directions[i]).sqrt() * DIAGONAL;
        (3..H).map(skew).fold(faces, f64::max)
    }

    fn size(&self) -> f64 {
        let extent = |k: usize| self.high[k] - self.low[k];
        extent(0).max(extent(1)).max(extent(2))
    }

    fn center(&self) -> [f64; 3] {
        [0, 1, 2].map(|k| 0.5 * self.low[k] + 0.5 * self.high[k])
    }

    fn bounds(placed: &Self) -> [[f64; 2]; 3] {
        [0, 1, 2].map(|k| {
            let size = placed.low[k].abs() + placed.high[k].abs();
            let pad = crate::placement::SLACK * size + f64::MIN_POSITIVE;
            [placed.low[k] - pad, placed.high[k] + pad]
        })
    }

    /// Placing refits its slabs to A's directions.
    #[inline(always)]
    fn updates(&self) -> bool {
        true
    }
}

impl<const H: usize> Merge for Dop<H> {
    fn of_triangle(t: &Triangle) -> Self {
        Self::around(t.iter().map(|p| (*p).into()))
    }

    fn merged(&self, other: &Self) -> Self {
        let mut merged = *self;
        for i in 0..H {
            merged.low[i] = merged.low[i].min(other.low[i]);
            merged.high[i] = merged.high[i].max(other.high[i]);
        }
        merged
    }

    fn area(&self) -> f64 {
        let [x, y, z] = [0, 1, 2].map(|k| self.high[k] - self.low[k]);
        x * y + y * z + z * x
    }
}

#[cfg(test)]
mod tests {
    use impinge_geometry::Vector;
    use impinge_models::Random;
    use nalgebra::Matrix3;

    use super::*;

    /// The bound on `max d·x` by three sides of a DOP that span `d` with non-negative weights, the
    /// least for a ball: by trying all triples.
    fn bound<const H: usize>(dop: &Dop<H>, d: &Vector) -> f64 {
        let sides: Vec<(Vector, f64)> = directions::<H>()
            .into_iter()
            .enumerate()
            .flat_map(|(i, v)| {
                let v = Vector::from(v);
                [(v, dop.high[i]), (-v, -dop.low[i])]
            })
            .collect();
        let (mut least, mut bound) = (f64::INFINITY, f64::NAN);
        for i in 0..sides.len() {
            for j in i + 1..sides.len() {
                for k in j + 1..sides.len() {
                    let three = [sides[i], sides[j], sides[k]];
                    let columns = Matrix3::from_columns(&three.map(|(v, _)| v));
                    let Some(inverse) = columns.try_inverse() else { continue };
                    let weights = inverse * d;
                    let of_ball = (0..3).map(|k| weights[k] * three[k].0.norm()).sum::<f64>();
                    if weights.min() > -1e-9 && of_ball < least - 1e-9 {
                        least = of_ball;
                        bound = (0..3).map(|k| weights[k] * three[k].1).sum();
                    }
                }
            }
        }
        bound
    }

    /// A placed DOP has the bounds that three of its sides give along each of A's directions.
    fn is_refitted<const H: usize>(cases: u64) {
        for index in 0..cases {
            let mut random = Random::stream(141, index);
            let points: Vec<Vector> = (0..9).map(|_| random.vector(-1.0, 1.0)).collect();
            let dop = Dop::<H>::around(points.iter().map(|p| (*p).into()));
            let at = random.vector(-3.0, 3.0);
            let pose = random.turned_to(at);
            let placed = dop.place(&Dop::<H>::frame(&Placement::new(&pose, 1.0, 1.0)));
            for (i, d) in directions::<H>().into_iter().map(Vector::from).enumerate() {
                let (turned, shift) = (pose.rotation().transpose() * d, d.dot(&at));
                let (low, high) = (shift - bound(&dop, &-turned), shift + bound(&dop, &turned));
                assert!((placed.low[i] - low).abs() < 1e-12, "{index}: {} {low}", placed.low[i]);
                assert!(
                    (placed.high[i] - high).abs() < 1e-12,
                    "{index}: {} {high}",
                    placed.high[i]
                );
            }
        }
    }

    #[test]
    fn a_placed_dop_is_bounded_by_the_three_sides_that_bound_a_ball_best() {
        is_refitted::<3>(60);
        is_refitted::<7>(20);
        is_refitted::<9>(8);
        is_refitted::<13>(3);
    }
}
