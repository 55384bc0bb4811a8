//! The distance of two convex sets by Gilbert, Johnson and Keerthi (GJK), with a proved lower
//! bound.
//!
//! Sources: E. G. Gilbert, D. W. Johnson, S. S. Keerthi, A Fast Procedure for Computing the
//! Distance Between Complex Objects in Three-Dimensional Space, IEEE J. Robotics and Automation
//! 4(2), 1988; fan §1.3.1.2, eq. 1-1 … 1-4; G. van den Bergen, A Fast and Robust GJK Implementation
//! for Collision Detection of Convex Objects, J. Graphics Tools 4(2), 1999 (lower bounds, early
//! termination); the nearest point of a simplex by signed volumes, see [`Simplex`].
//!
//! The distance of A and B is that of the origin from `A − B = { a − b }`. Steps:
//! 1. Start with a given direction `d`.
//! 2. Find `a`, farthest in A along `d`, and `b`, farthest in B along `−d`; `w = a − b`. The planes
//!    through them bound the distance from below: `d · (b − a) / |d|`.
//! 3. Stop if that bound answers the question, if `w` is already a corner of the simplex, or if `w`
//!    is not nearer to the origin than the best point by more than rounding.
//! 4. Add `w` to the simplex and reduce it to the face nearest to the origin. The nearest point `v`
//!    gives an upper bound on the distance.
//! 5. Stop if `v` is not strictly nearer than before, if it is the origin, or after
//!    [`MAX_ITERATIONS`]. Otherwise set `d = −v` and go to 2.
//!
//! **What is certain.** [`Proximity::lower`] is proved: every step of it is rounded down, and the
//! sets' own [`excess`](Support::excess) is subtracted. The rest is subject to rounding: this never
//! proves that the sets meet, and touching sets end without a proof either way.

mod overlap;
mod polytope;
mod signed_volumes;
mod support;

pub use overlap::{MAX_POINTS, Overlap, Proved, meet, overlap};
pub use signed_volumes::{Corner, Simplex};
pub use support::{Cloud, Extreme, Solid, Support};

use crate::volume::{UNIT, power_below_inverse};
use crate::{Point, Vector};

/// The most iterations of a run. Usual runs take 3 to 12.
pub const MAX_ITERATIONS: u32 = 128;

/// When a run may stop before it has found the distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Until {
    /// Not before the nearest points are found.
    Nearest,
    /// Once the sets are proved to be apart.
    Apart,
    /// Once the distance is proved to be above `far`, or found to be at most `near`.
    Outside {
        /// Stop at an upper bound of at most this.
        near: f64,
        /// Stop at a lower bound above this.
        far: f64,
    },
}

/// The result of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Proximity {
    /// Proved lower bound on the distance of A and B; 0 if nothing was proved.
    pub lower: f64,
    /// The distance of [`Proximity::on_a`] and [`Proximity::on_b`], up to rounding of their
    /// coordinates.
    pub upper: f64,
    /// The direction, from A towards B, that proves [`Proximity::lower`]; the last one tried if
    /// nothing was proved. Its largest component has a magnitude in [½, 1].
    pub direction: Vector,
    /// A point of A's hull, up to rounding.
    pub on_a: Point,
    /// A point of B's hull, up to rounding.
    pub on_b: Point,
    /// The simplex whose corners, weighted, make these points.
    pub simplex: Simplex,
    /// The number of pairs of support points computed.
    pub iterations: u32,
}

impl Proximity {
    /// Whether the sets are proved to be apart.
    pub fn apart(&self) -> bool {
        self.lower > 0.0
    }

    /// A proved upper bound on the distance of solids: of points that are off by `√3 off` at most
    /// and are means of up to four, each coordinate of which rounds to 8 u of the largest.
    pub fn at_most(&self, a: &impl Solid, b: &impl Solid) -> f64 {
        let largest = self.on_a.coords.amax() + self.on_b.coords.amax();
        let off = a.off() + b.off() + 16.0 * UNIT * largest;
        (self.on_a - self.on_b).norm() * (1.0 + 8.0 * UNIT) + 1.8 * off + f64::MIN_POSITIVE
    }
}

/// The distance of two convex sets and where it is attained. `start` is any vector that points
/// roughly from A to B; the direction of the last query is best. Takes at most [`MAX_ITERATIONS`]
/// pairs of support points. Coordinates may have any magnitude up to
/// [`MAX_COORDINATE`](crate::MAX_COORDINATE).
///
/// ```
/// use impinge_geometry::gjk::{Cloud, Until, between};
/// use impinge_geometry::{Point, Vector};
/// let square = |x: f64| [0.0, 1.0].map(|y| [Point::new(x, y, 0.0), Point::new(x, y, 1.0)]);
/// let (p, q) = (square(0.0), square(3.0));
/// let (p, q) = (p.as_flattened(), q.as_flattened());
/// let (mut a, mut b) = (Cloud::new(p).expect("points"), Cloud::new(q).expect("points"));
/// let found = between(&mut a, &mut b, &Vector::new(1.0, 2.0, 3.0), Until::Nearest);
/// assert!(found.lower <= 3.0 && found.lower > 3.0 - 1e-13);
/// assert!((found.upper - 3.0).abs() < 1e-13);
/// ```
pub fn between(
    a: &mut impl Support,
    b: &mut impl Support,
    start: &Vector,
    until: Until,
) -> Proximity {
    let excess = a.excess() + b.excess();
    let mut direction = towards(start).unwrap_or_else(Vector::x);
    let mut best =
        Best { lower: 0.0, direction, upper: f64::INFINITY, simplex: Simplex::default() };
    let mut v = Vector::zeros();
    let mut iterations = 0;
    while iterations < MAX_ITERATIONS {
        iterations += 1;
        let (p, q) = (a.farthest(&direction), b.farthest(&-direction));
        let w = p.point - q.point;
        best.prove(&direction, &w, excess);
        if best.answers(until) || best.simplex.holds(p.index, q.index) {
            break;
        }
        if iterations > 1 && !gains(&direction, &v, &w) {
            break;
        }
        let (on_a, on_b) = (p.point.coords, q.point.coords);
        let corner = Corner { a: p.index, b: q.index, weight: 1.0, on_a, on_b, w };
        let (simplex, nearest, length) = best.simplex.with(corner).nearest();
        if !(length < best.upper) {
            break;
        }
        (best.simplex, best.upper, v) = (simplex, length, nearest);
        if simplex.corners().len() == 4 || best.answers(until) {
            break;
        }
        match towards(&-v) {
            Some(d) => direction = d,
            None => break,
        }
        if best.lower == 0.0 {
            best.direction = direction;
        }
    }
    best.finish(iterations, a, b)
}

/// The bounds so far and the simplex that attains the upper one.
struct Best {
    lower: f64,
    direction: Vector,
    upper: f64,
    simplex: Simplex,
}

impl Best {
    fn prove(&mut self, d: &Vector, w: &Vector, excess: f64) {
        let lower = lower_bound(d, w, excess);
        if lower > self.lower {
            (self.lower, self.direction) = (lower, *d);
        }
    }

    fn answers(&self, until: Until) -> bool {
        match until {
            Until::Nearest => false,
            Until::Apart => self.lower > 0.0,
            Until::Outside { near, far } => self.lower > far || self.upper <= near,
        }
    }

    /// Builds the result. If the run stopped at its first pair of support points, that pair is the
    /// simplex.
    fn finish(mut self, iterations: u32, a: &mut impl Support, b: &mut impl Support) -> Proximity {
        if self.simplex.corners().is_empty() {
            let (p, q) = (a.farthest(&self.direction), b.farthest(&-self.direction));
            let (on_a, on_b, w) = (p.point.coords, q.point.coords, p.point - q.point);
            let corner = Corner { a: p.index, b: q.index, weight: 1.0, on_a, on_b, w };
            self.simplex = self.simplex.with(corner);
            (_, _, self.upper) = self.simplex.nearest();
        }
        let mean = |of: fn(&Corner) -> Vector| {
            let corners = self.simplex.corners();
            Point::from(corners.iter().fold(Vector::zeros(), |sum, c| sum + of(c) * c.weight))
        };
        Proximity {
            lower: self.lower,
            upper: self.upper,
            direction: self.direction,
            on_a: mean(|c| c.on_a),
            on_b: mean(|c| c.on_b),
            simplex: self.simplex,
            iterations,
        }
    }
}

/// `v` scaled by a power of two so that its largest component has a magnitude in [½, 1]; `None` for
/// zero and vectors that are not finite.
fn towards(v: &Vector) -> Option<Vector> {
    let mut v = *v;
    // Twice: a factor is at most 2^±1001, which does not suffice for subnormal numbers.
    for _ in 0..2 {
        let largest = v.amax();
        if !(largest > 0.0 && largest < f64::INFINITY) || v.iter().any(|x| x.is_nan()) {
            return None;
        }
        v *= power_below_inverse(largest);
    }
    Some(v)
}

/// Whether the support point `w` is nearer to the origin than `v` by more than rounding. `d` is a
/// positive multiple of `−v`.
fn gains(d: &Vector, v: &Vector, w: &Vector) -> bool {
    let moved = v - w;
    let size = d.abs().dot(&(v.abs() + w.abs()));
    -d.dot(&moved) > 4.0 * UNIT * size
}

/// A lower bound on the distance of two sets whose support points along `d` and `−d` differ by
/// `w = a − b`.
///
/// Every pair of points has `d · (b − a) ≥ −d · w − excess |d|₁`. The components of `w` are rounded
/// once, the product three times more: 4 u of its absolute terms, enlarged to 6 u. Underflow costs
/// less than the smallest normal number.
fn lower_bound(d: &Vector, w: &Vector, excess: f64) -> f64 {
    let terms = d.component_mul(w);
    let doubt = 6.0 * UNIT * terms.abs().sum() + excess * d.abs().sum() * (1.0 + 8.0 * UNIT);
    let gap = -terms.sum() - doubt * (1.0 + 4.0 * UNIT) - f64::MIN_POSITIVE;
    (gap / d.norm() * (1.0 - 16.0 * UNIT)).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is gained must exceed the rounding error: one of just that size is no gain.
    #[test]
    fn rounding_is_no_gain() {
        let step = 8.0 * UNIT;
        let d = Vector::new(1.0, step / 2.0, 0.0);
        let [v, w] = [-1.0, -1.0 + step].map(|x| Vector::new(x, -1.0, 0.0));
        assert!(!gains(&d, &v, &w));
        assert!(gains(&d, &v, &Vector::new(-1.0 + 1.25 * step, -1.0, 0.0)));
    }

    #[test]
    fn directions_are_scaled_by_powers_of_two_and_none_is_zero() {
        let least = f64::from_bits(1);
        for x in [1.0, 1.5, 0.3, 1e300, f64::MAX, 1e-300, f64::MIN_POSITIVE, least, 3.0 * least] {
            for v in [Vector::new(x, 0.0, 0.0), Vector::new(0.0, -x, x / 2.0), Vector::repeat(x)] {
                let d = towards(&v).expect("a direction");
                assert!((0.5..=1.0).contains(&d.amax()), "{v:?} {d:?}");
                // All components are scaled by the same factor.
                let k = v.iamax();
                let expected = v * (1.0 / v[k].abs()) * d[k].abs();
                assert!(!(1e-290..1e290).contains(&x) || (d - expected).amax() < 4.0 * UNIT);
                assert_eq!(v.map(|x| x == 0.0), d.map(|x| x == 0.0));
            }
        }
        for x in [0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(towards(&Vector::new(0.0, x, 0.0)), None, "{x}");
            assert_eq!(towards(&Vector::new(1.0, x, 1.0)).is_none(), x != 0.0, "{x}");
        }
    }

    /// A gain must exceed four roundings of all terms.
    #[test]
    fn what_is_nearer_by_rounding_is_no_gain() {
        for (axis, size) in [(0, 1.0), (1, 64.0), (2, 2f64.powi(-40))] {
            let on = |x: f64| Vector::ith(axis, x * size);
            let gain = |units: f64| gains(&-on(-1.0), &on(-1.0), &on(-1.0 + units * UNIT));
            assert!(!gain(0.0) && !gain(-100.0) && !gain(7.0) && gain(9.0) && gain(1000.0));
        }
        // Terms that cancel count in full.
        let (d, v) = (Vector::new(1.0, 1.0, 0.0), Vector::new(-1024.0, 1023.0, 0.0));
        let gain = |units: f64| gains(&d, &v, &(v + Vector::x() * (units * 1024.0 * UNIT)));
        assert!(!gain(14.0) && gain(18.0));
    }

    #[test]
    fn lower_bounds_lose_some_twenty_roundings_and_the_excess() {
        for k in 0..3 {
            for side in [1.0, -1.0] {
                let d = Vector::ith(k, side) + Vector::ith((k + 1) % 3, 0.5);
                let w = Vector::ith(k, -3.0 * side) + Vector::ith((k + 1) % 3, 2.0);
                for excess in [0.0, 0.25] {
                    let exact = (2.0 - excess * 1.5) / 1.25f64.sqrt();
                    let lower = lower_bound(&d, &w, excess);
                    let share = (exact - lower) / UNIT;
                    assert!((40.0..70.0).contains(&share), "{share}");
                }
                assert_eq!(lower_bound(&d, &w, 1.5), 0.0);
                assert_eq!(lower_bound(&d, &-w, 0.0), 0.0);
            }
        }
        // An excess that is nearly all of the gap: 6 u of the terms, 8 u and 4 u of the excess.
        for gap in [2f64.powi(-20), 2f64.powi(-30)] {
            let share = (gap - lower_bound(&Vector::x(), &-Vector::x(), 1.0 - gap)) / UNIT;
            assert!((16.0..20.0).contains(&share), "{share}");
        }
        assert_eq!(lower_bound(&Vector::x(), &Vector::zeros(), 0.0), 0.0);
        let least = f64::MIN_POSITIVE;
        assert_eq!(lower_bound(&Vector::x(), &Vector::new(-least, 0.0, 0.0), 0.0), 0.0);
        let small = lower_bound(&Vector::x(), &Vector::new(-4.0 * least, 0.0, 0.0), 0.0);
        assert!((small / least - 3.0).abs() < 1e-14);
    }

    #[test]
    fn a_question_is_answered_by_one_bound_beyond_it() {
        let best = |lower: f64, upper: f64| Best {
            lower,
            direction: Vector::x(),
            upper,
            simplex: Simplex::default(),
        };
        let answers = |lower: f64, upper: f64, until: Until| best(lower, upper).answers(until);
        assert!(!answers(1.0, 1.0, Until::Nearest));
        assert!(answers(1.0, 2.0, Until::Apart) && !answers(0.0, 2.0, Until::Apart));
        let outside = Until::Outside { near: 1.0, far: 3.0 };
        assert!(answers(3.5, 4.0, outside) && !answers(3.0, 4.0, outside));
        assert!(answers(0.0, 1.0, outside) && answers(0.0, 0.5, outside));
        assert!(!answers(0.0, 1.5, outside));
        // A better bound replaces the old one, a worse one does not.
        let mut found = best(0.0, f64::INFINITY);
        for (x, lower, direction) in [(-2.0, 2.0, 0), (-1.0, 2.0, 0), (-4.0, 4.0, 1)] {
            let d = Vector::ith(usize::from(x == -4.0), 1.0);
            found.prove(&d, &(d * x), 0.0);
            assert!((found.lower - lower).abs() < 1e-13);
            assert_eq!(found.direction, Vector::ith(direction, 1.0));
        }
    }
}
