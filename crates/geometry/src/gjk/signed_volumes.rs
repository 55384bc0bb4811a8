//! The point of a simplex nearest to the origin, by signed volumes.
//!
//! Source: M. Montanari, N. Petrinic, E. Barbieri, Improving the GJK Algorithm for Faster and More
//! Reliable Distance Queries Between Convex Objects, ACM Transactions on Graphics 36(3), 2017. A
//! simplex holds the foot of the origin if all its signed sub-volumes have one sign; else the
//! nearest point is on a side opposite to a corner whose sub-volume has the wrong sign.
//!
//! Departures: *every* such side is looked at, and a sub-volume that rounding could have made
//! counts as one of the wrong sign. Looking at too many sides costs time and never the result.

use crate::Vector;
use crate::volume::{UNIT, power_below_inverse};

/// Up to four points `a − b`, and the corners they come from.
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

    /// With one corner more. A fifth is never asked for: four corners end the run.
    pub(super) fn with(mut self, corner: Corner) -> Self {
        let at = self.count.min(3);
        self.corners[at] = corner;
        self.count = at + 1;
        self
    }

    /// The smallest face that holds the point nearest to the origin, weighted; that point; and its
    /// distance.
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

/// A nearest point and its weights.
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
    // From the nearer end, so that less is added to it.
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
    // Less area than rounding makes.
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
    // With the origin in place of corner c; their sum is the volume of the whole.
    let volume = FACES.map(|[i, j, k]| y[i].cross(&y[j]).dot(&y[k]));
    let (e, f, g) = (y[1] - y[0], y[2] - y[0], y[3] - y[0]);
    let whole = e.cross(&f).dot(&g);
    // Products of three lengths up to 2, about twenty roundings.
    let doubt = 256.0 * UNIT;
    let sign = if whole > 0.0 { 1.0 } else { -1.0 };
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
}
