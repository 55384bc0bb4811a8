//! The point of a simplex nearest to the origin, by signed volumes.
//!
//! Source: M. Montanari, N. Petrinic, E. Barbieri, Improving the GJK Algorithm for Faster and More
//! Reliable Distance Queries Between Convex Objects, ACM Transactions on Graphics 36(3), 2017. A
//! simplex contains the foot of the origin if all its signed sub-volumes have one sign; else the
//! nearest point is on a side opposite to a corner whose sub-volume has the wrong sign.
//!
//! Departures: *every* such side is tested, and a sub-volume within rounding of zero counts as
//! wrong. Testing too many sides costs time but does not change the result.

use crate::Vector;
use crate::volume::{UNIT, power_below_inverse};

/// Up to four points `a − b`, with the points of A and B they come from.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Simplex {
    count: usize,
    corners: [Corner; 4],
}

/// One corner of a [`Simplex`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Corner {
    /// Index of the point of A.
    pub a: u32,
    /// Index of the point of B.
    pub b: u32,
    /// Weight of this corner in the nearest point: not negative, summing to 1.
    pub weight: f64,
    pub(super) on_a: Vector,
    pub(super) on_b: Vector,
    pub(super) w: Vector,
}

impl Simplex {
    /// The corners, one to four of them after a run.
    pub fn corners(&self) -> &[Corner] {
        &self.corners[..self.count]
    }

    pub(super) fn holds(&self, a: u32, b: u32) -> bool {
        self.corners().iter().any(|c| c.a == a && c.b == b)
    }

    /// Adds a corner. A fifth is never added, since four corners end the run.
    pub(super) fn with(mut self, corner: Corner) -> Self {
        let at = self.count.min(3);
        self.corners[at] = corner;
        self.count = at + 1;
        self
    }

    /// The smallest face that contains the point nearest to the origin, with weights; that point;
    /// and its distance.
    pub(super) fn nearest(&self) -> (Self, Vector, f64) {
        let largest = self.corners().iter().fold(0.0f64, |m, c| m.max(c.w.amax()));
        let scale = power_below_inverse(largest);
        let mut y = [Vector::zeros(); 4];
        for (y, c) in y.iter_mut().zip(self.corners()) {
            *y = c.w * scale;
        }
        let found = match self.count {
            1 => Found::corner(&y, 0),
            2 => segment(&y, [0, 1]),
            3 => triangle(&y, [0, 1, 2]),
            _ => tetrahedron(&y),
        };
        let mut face = Self::default();
        for (corner, weight) in self.corners().iter().zip(found.weights) {
            if weight > 0.0 {
                face = face.with(Corner { weight, ..*corner });
            }
        }
        (face, found.v / scale, found.v.norm() / scale)
    }
}

#[derive(Clone, Copy)]
struct Found {
    weights: [f64; 4],
    v: Vector,
}

impl Found {
    fn corner(y: &[Vector; 4], i: usize) -> Self {
        let mut weights = [0.0; 4];
        weights[i] = 1.0;
        Self { weights, v: y[i] }
    }

    fn nearer(self, other: Self) -> Self {
        if other.v.norm_squared() < self.v.norm_squared() { other } else { self }
    }
}

fn segment(y: &[Vector; 4], [i, j]: [usize; 2]) -> Found {
    let e = y[j] - y[i];
    let (ee, near_i, near_j) = (e.norm_squared(), -y[i].dot(&e), y[j].dot(&e));
    if !(near_i > 0.0) {
        return Found::corner(y, i);
    }
    if !(near_j > 0.0) || ee == 0.0 {
        return Found::corner(y, j);
    }
    // Computed from the nearer end, for a smaller rounding error.
    let mut weights = [0.0; 4];
    if near_i <= near_j {
        let t = near_i / ee;
        (weights[i], weights[j]) = (1.0 - t, t);
        Found { weights, v: y[i] + e * t }
    } else {
        let t = near_j / ee;
        (weights[i], weights[j]) = (t, 1.0 - t);
        Found { weights, v: y[j] - e * t }
    }
}

fn triangle(y: &[Vector; 4], [i, j, k]: [usize; 3]) -> Found {
    let (e, f) = (y[j] - y[i], y[k] - y[i]);
    let n = e.cross(&f);
    let nn = n.norm_squared();
    let sides = [[j, k], [k, i], [i, j]];
    let all_sides = || {
        let [a, b, c] = sides.map(|s| segment(y, s));
        a.nearer(b).nearer(c)
    };
    // The area is within rounding of zero.
    if !(nn > (64.0 * UNIT * UNIT) * e.norm_squared() * f.norm_squared()) {
        return all_sides();
    }
    let foot = n * (y[i].dot(&n) / nn);
    let r = [i, j, k].map(|c| y[c] - foot);
    let area = [r[1].cross(&r[2]).dot(&n), r[2].cross(&r[0]).dot(&n), r[0].cross(&r[1]).dot(&n)];
    if area.iter().all(|a| *a > 0.0) {
        let total: f64 = area.iter().sum();
        let mut weights = [0.0; 4];
        for (c, a) in [i, j, k].into_iter().zip(area) {
            weights[c] = a / total;
        }
        return Found { weights, v: foot };
    }
    let outside = |c: usize| !(area[c] > 0.0);
    (0..3)
        .filter(|&c| outside(c))
        .map(|c| segment(y, sides[c]))
        .reduce(Found::nearer)
        .unwrap_or_else(all_sides)
}

fn tetrahedron(y: &[Vector; 4]) -> Found {
    const FACES: [[usize; 3]; 4] = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];
    // Volumes with the origin in place of corner c; their sum is the volume of the whole.
    let volume = FACES.map(|[i, j, k]| y[i].cross(&y[j]).dot(&y[k]));
    let (e, f, g) = (y[1] - y[0], y[2] - y[0], y[3] - y[0]);
    let whole = e.cross(&f).dot(&g);
    // Bounds about twenty roundings of products of three lengths up to 2.
    let doubt = 256.0 * UNIT;
    let sign = whole.signum();
    let flat = whole.abs() <= doubt * e.norm() * f.norm() * g.norm();
    let outside = |c: usize| flat || !(volume[c] * sign > 0.0);
    if (0..4).all(|c| !outside(c)) {
        let total: f64 = volume.iter().sum();
        return Found { weights: volume.map(|x| x / total), v: Vector::zeros() };
    }
    let side = |c: usize| triangle(y, FACES[c]);
    (0..4).filter(|&c| outside(c)).map(side).reduce(Found::nearer).unwrap_or_else(|| side(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adversarial::Random;
    use crate::predicates::orient3d;
    use crate::{Point, triangle};

    fn simplex(points: &[[f64; 3]]) -> Simplex {
        points.iter().enumerate().fold(Simplex::default(), |s, (i, &p)| {
            s.with(Corner { a: i as u32, w: Vector::from(p), ..Corner::default() })
        })
    }

    #[test]
    fn feet_on_every_kind_of_face() {
        let check = |points: &[[f64; 3]], v: [f64; 3], corners: usize| {
            for scale in [1.0, 2f64.powi(900), 2f64.powi(-900)] {
                let scaled: Vec<[f64; 3]> = points.iter().map(|p| p.map(|x| x * scale)).collect();
                let (face, found, length) = simplex(&scaled).nearest();
                let expected = Vector::from(v) * scale;
                assert!(((found - expected) / scale).norm() < 1e-14, "{points:?} {found:?}");
                assert!((length / scale - Vector::from(v).norm()).abs() < 1e-14);
                assert_eq!(face.corners().len(), corners, "{points:?}");
                let sum: f64 = face.corners().iter().map(|c| c.weight).sum();
                assert!((sum - 1.0).abs() < 1e-14);
            }
        };
        check(&[[1.0, 2.0, 2.0]], [1.0, 2.0, 2.0], 1);
        check(&[[1.0, -1.0, 0.0], [1.0, 2.0, 0.0]], [1.0, 0.0, 0.0], 2);
        check(&[[1.0, 1.0, 0.0], [1.0, 2.0, 0.0]], [1.0, 1.0, 0.0], 1);
        check(&[[-1.0, -1.0, 3.0], [2.0, -1.0, 3.0], [-1.0, 2.0, 3.0]], [0.0, 0.0, 3.0], 3);
        check(&[[1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [2.0, 0.0, 5.0]], [1.0, 0.0, 0.0], 2);
        let around = [[-1.0, -1.0, -1.0], [3.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 3.0]];
        check(&around, [0.0, 0.0, 0.0], 4);
        let above = around.map(|[x, y, z]| [x, y, z + 2.0]);
        assert!(simplex(&above).nearest().0.corners().len() < 4);
        let flat = [[-1.0, -1.0, 1.0], [1.0, -1.0, 1.0], [1.0, 1.0, 1.0], [-1.0, 1.0, 1.0]];
        let (_, v, _) = simplex(&flat).nearest();
        assert!((v - Vector::new(0.0, 0.0, 1.0)).norm() < 1e-15);
    }

    #[test]
    fn corners_that_coincide_are_one() {
        let (face, v, _) = simplex(&[[1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]).nearest();
        assert_eq!((face.corners().len(), v), (1, Vector::new(1.0, 0.0, 0.0)));
    }

    fn plain(points: &[Vector]) -> f64 {
        let at = |i: usize| Point::from(points[i.min(points.len() - 1)]);
        let o = Point::origin();
        let to = |t: [usize; 3]| triangle::distance(&[o; 3], &t.map(at)).0;
        if points.len() < 4 {
            return to([0, 1, 2]);
        }
        let faces = [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]];
        let side = |[i, j, k]: [usize; 3], p: &Point| orient3d(&at(i), &at(j), &at(k), p);
        let beyond = |f: [usize; 3]| {
            let inner = side(f, &at(6 - f[0] - f[1] - f[2]));
            inner.is_zero() || side(f, &o) != inner
        };
        let least = faces.into_iter().map(to).fold(f64::INFINITY, f64::min);
        if faces.into_iter().any(beyond) { least } else { 0.0 }
    }

    #[test]
    fn nearest_points_are_those_of_the_faces_and_the_weights_make_them() {
        let mut r = Random(161);
        let mut counts = [0; 5];
        for k in 0..8000 {
            let n = 1 + k % 4;
            let shift = [0.0, 0.5, 1.0][k / 4 % 3];
            let thin = [1.0, 1e-3, 1.0, 1e-9][k / 12 % 4];
            let points: Vec<Vector> = (0..n)
                .map(|_| match k / 48 % 3 {
                    0 => Vector::from_fn(|_, _| r.below(5) as f64 - 2.0) + Vector::x() * shift,
                    1 => Vector::new(r.unit() + shift, r.unit(), r.unit() * thin),
                    _ => Vector::new(r.unit(), r.unit() * 1e-3, 0.1 * shift + r.unit() * thin),
                })
                .collect();
            let all: Vec<[f64; 3]> = points.iter().map(|p| (*p).into()).collect();
            let (face, v, length) = simplex(&all).nearest();
            let size = points.iter().fold(0.0f64, |m, p| m.max(p.amax()));
            let truth = plain(&points);
            let near = |x: f64, y: f64| (x - y).abs() <= 512.0 * UNIT * size;
            assert!(near(length, truth), "{points:?} {length:e} {truth:e}");
            assert!(near(length, v.norm()));
            let corners = face.corners();
            counts[corners.len()] += 1;
            assert!(corners.iter().all(|c| c.weight > 0.0 && c.weight <= 1.0));
            assert!((corners.iter().map(|c| c.weight).sum::<f64>() - 1.0).abs() < 8.0 * UNIT);
            let made = corners.iter().fold(Vector::zeros(), |s, c| s + c.w * c.weight);
            // A flat tetrahedron's weights are quotients of small volumes.
            if corners.len() < 4 {
                assert!((made - v).amax() <= 1e-9 * size, "{points:?} {made:?} {v:?}");
            }
            assert!(corners.iter().all(|c| points[c.a as usize] == c.w));
        }
        assert!(counts[1..].iter().all(|n| *n > 100), "{counts:?}");
    }

    #[test]
    fn a_point_near_one_end_is_measured_from_there() {
        let mut r = Random(162);
        for k in 0..400 {
            let near = 2f64.powi(-(r.below(40) as i32) - 8);
            let foot = near * r.unit().abs();
            let height = near * (0.5 + r.unit().abs());
            // The foot is at (0, height, 0).
            let (a, b) = ([-foot, height, 0.0], [1.0, height, 0.0]);
            let points = if k % 2 == 0 { [a, b] } else { [b, a] };
            let (face, v, length) = simplex(&points).nearest();
            let expected = Vector::new(0.0, height, 0.0);
            assert!((v - expected).amax() <= 8.0 * UNIT * near, "{points:?} {v:?}");
            assert!((length - height).abs() <= 4.0 * UNIT * near);
            let share = face.corners().iter().find(|c| c.w.x > 0.0).map_or(0.0, |c| c.weight);
            let expected = foot / (1.0 + foot);
            assert!((share - expected).abs() <= 12.0 * UNIT * expected, "{share:e} {expected:e}");
        }
    }

    /// Four points count as coplanar if their volume is below 256 roundings of the product of the
    /// three sides from the first.
    #[test]
    fn flat_is_what_rounding_could_have_made() {
        let unit = 256.0 * UNIT;
        for (e, f, g) in [(1.0, 1.0, 1.0), (1.0, 0.25, 0.5), (0.25, 1.0, 0.5), (0.5, 0.25, 1.0)] {
            let kind = |units: f64| {
                // The last side rises by this fraction of its length; the origin is in the middle.
                let sides = [Vector::new(e, 0.0, 0.0), Vector::new(0.0, f, 0.0)];
                let rise = units * unit * g;
                let last = Vector::new(-0.6 * g, -0.8 * g, rise);
                let middle = (sides[0] + sides[1] + last) * 0.25;
                let points = [-middle, sides[0] - middle, sides[1] - middle, last - middle];
                let points = points.map(|p| [p.x, p.y, p.z]);
                let sign = simplex(&points).nearest().0.corners().len();
                let [a, b, c, d] = points;
                assert_eq!(simplex(&[a, c, b, d]).nearest().0.corners().len(), sign);
                sign
            };
            assert_eq!(kind(1.4), 4);
            assert!(kind(0.6) < 4);
        }
    }

    #[test]
    fn corners_are_held_by_both_names_and_a_fifth_takes_the_last_place() {
        let corner = |a: u32, b: u32| Corner { a, b, ..Corner::default() };
        let four = [(1, 2), (3, 4), (5, 6), (7, 8)];
        let s = four.iter().fold(Simplex::default(), |s, &(a, b)| s.with(corner(a, b)));
        assert_eq!(s.corners().len(), 4);
        assert!(four.iter().all(|&(a, b)| s.holds(a, b) && !s.holds(b, a)));
        assert!(!s.holds(1, 4) && !s.holds(9, 2) && !Simplex::default().holds(0, 0));
        let s = s.with(corner(9, 9));
        assert!(s.corners().len() == 4 && s.holds(9, 9) && !s.holds(7, 8));
    }
}
