//! The farthest point of a convex body in a direction, by hill climbing over neighbouring vertices.
//!
//! *Why a point without a higher neighbour is the farthest.* Around a point that is not inside a
//! flat facet, the body lies in the cone that its sides span; if no side rises, no point of the
//! body does. Inside a facet the sides span only its plane. If no side rises, all are level, and
//! the point is either farthest or nearest. Of four points that are not coplanar, one is off that
//! facet, and its height decides.
//!
//! "Rises" is the exact sign of `d · (w − v)`, so this holds for any direction of f64 numbers. Each
//! step rises, so the climb ends. A long climb jumps once, to the highest of some landmarks.
//! Source: climbing for GJK is due to S. Cameron, Enhancing GJK, ICRA 1997 (fan §1.3.1.2); the
//! exact signs are ours.

use num_bigint::BigInt;

use super::surface::Neighbours;
use crate::integers::{integers, sign_of};
use crate::predicates::Sign;
use crate::triangle::{above, below};
use crate::volume::UNIT;
use crate::{Point, Vector};

/// The vertices of a convex polyhedron and the edges of its triangulated boundary.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    pub(super) points: Vec<Point>,
    neighbours: Neighbours,
    /// Four points that are not coplanar.
    tetrahedron: [u32; 4],
    /// Points spread over the numbering, and so over the surface, to shorten long climbs.
    landmarks: Vec<u32>,
}

/// The most landmarks. Testing all of them costs as much as ten or twenty steps and leaves a climb
/// of about `√(n / 128)` steps.
const LANDMARKS: usize = 128;

/// A climb of this many steps jumps to a landmark.
const LONG: u32 = 12;

impl Graph {
    pub(super) fn new(points: Vec<Point>, triangles: &[[u32; 3]], tetrahedron: [u32; 4]) -> Self {
        let neighbours = Neighbours::of(points.len(), triangles);
        // Multiples of the golden ratio avoid resonance with periods of the numbering (rows of a
        // grid).
        let golden = 0.5 * (5f64.sqrt() - 1.0);
        let spread = |k: usize| ((k as f64 * golden).fract() * points.len() as f64) as u32;
        let landmarks = (0..LANDMARKS.min(points.len() / 8)).map(spread).collect();
        Self { points, neighbours, tetrahedron, landmarks }
    }

    /// A point with the exact largest `d · x`. Components of `d` are at most 2 in magnitude.
    pub(super) fn climb(&self, d: &Vector, from: u32) -> u32 {
        let (mut at, mut steps) = (from, 0);
        while let Some(higher) = self.higher_neighbour(d, at).or_else(|| self.off_plane(d, at)) {
            (at, steps) = (higher, steps + 1);
            if steps == LONG {
                at = self.highest_landmark(d, at);
            }
        }
        at
    }

    /// The highest landmark if it is higher than `at`. Rounding is harmless, since a climb may
    /// start anywhere.
    fn highest_landmark(&self, d: &Vector, at: u32) -> u32 {
        let height = |p: u32| d.dot(&self.points[p as usize].coords);
        let higher = |best: (u32, f64), &p: &u32| {
            let h = height(p);
            if h > best.1 { (p, h) } else { best }
        };
        self.landmarks.iter().fold((at, height(at)), higher).0
    }

    /// Of the neighbours that certainly rise, the one that rises most; else one that rises by exact
    /// sign.
    fn higher_neighbour(&self, d: &Vector, at: u32) -> Option<u32> {
        let here = &self.points[at as usize];
        let mut best = None;
        let mut most = 0.0;
        let mut doubtful = false;
        for &next in self.neighbours.at(at) {
            let (rise, error) = estimate(d, here, &self.points[next as usize]);
            if above(rise, error) {
                if rise > most {
                    (best, most) = (Some(next), rise);
                }
            } else {
                doubtful |= !below(rise, error);
            }
        }
        if best.is_some() || !doubtful {
            return best;
        }
        let mut all = self.neighbours.at(at).iter().copied();
        all.find(|&next| rise(d, here, &self.points[next as usize]) == Sign::Positive)
    }

    /// A higher point elsewhere, if all sides at `at` are level. No neighbour of `at` may be
    /// higher.
    fn off_plane(&self, d: &Vector, at: u32) -> Option<u32> {
        let here = &self.points[at as usize];
        let rise_to = |p: u32| rise(d, here, &self.points[p as usize]);
        if self.neighbours.at(at).iter().any(|&p| !rise_to(p).is_zero()) {
            return None;
        }
        self.tetrahedron.into_iter().find(|&p| rise_to(p) == Sign::Positive)
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(self.points.as_slice()) + self.neighbours.bytes() + 4 * self.landmarks.len()
    }
}

/// `d · (w − v)` and a bound on its error. The differences are rounded once and the product three
/// times more: 4 u of its terms, enlarged to 5 u. Underflow costs less than the smallest normal
/// number. Zero differences and components make exact zeros.
#[inline]
fn estimate(d: &Vector, v: &Point, w: &Point) -> (f64, f64) {
    let terms = d.component_mul(&(w - v));
    let size = terms.abs().sum();
    (terms.sum(), 5.0 * UNIT * size + f64::MIN_POSITIVE)
}

/// The exact sign of `d · (w − v)`.
fn rise(d: &Vector, v: &Point, w: &Point) -> Sign {
    certain_rise(d, v, w).unwrap_or_else(|| exact_rise(d, v, w))
}

/// The sign if it is certain in f64: larger than the error bound, or all terms zero.
#[inline]
fn certain_rise(d: &Vector, v: &Point, w: &Point) -> Option<Sign> {
    let (value, error) = estimate(d, v, w);
    if above(value.abs(), error) {
        return Some(Sign::of(value));
    }
    (0..3).all(|k| d[k] == 0.0 || v[k] == w[k]).then_some(Sign::Zero)
}

fn exact_rise(d: &Vector, v: &Point, w: &Point) -> Sign {
    let d: [BigInt; 3] = integers([d.x, d.y, d.z]);
    let n: [BigInt; 6] = integers([v.x, v.y, v.z, w.x, w.y, w.z]);
    sign_of(&(0..3).map(|k| &d[k] * (&n[k + 3] - &n[k])).sum())
}

#[cfg(test)]
mod tests;
