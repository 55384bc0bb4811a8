//! The origin against a moving convex polygon: one formulation for a vertex against a face and for
//! two edges.
//!
//! The corners `V_j(t)` are differences of points of the two features, so they move linearly, and
//! the features touch at `t` if and only if the origin is in the closed hull of the `V_j(t)`. All
//! that is decided comes from signs of `F = det(V_0, V_1, V_2)`, of the components of
//! `X_j = V_j × V_{j+1}`, and of the components of the `V_j`.
//!
//! 1. *One time with `F = 0`*: the corners and the origin are in one plane. If the signs of one
//!    component of the `X_j` differ, the origin is outside; if they agree and one is not zero, it
//!    is inside. If all components of all `X_j` vanish, everything is on one line through the
//!    origin, which is inside if it is between two neighbouring corners on every axis.
//! 2. *Candidates*: if `F` does not vanish identically, its roots. Else time 0 and the roots of all
//!    components that do not vanish identically: between neighbouring ones all signs are constant,
//!    and times of contact are a closed set, so the first is one of these.

use impinge_geometry::{Point, exact};
use impinge_query::continuous::Interval;
use num_bigint::Sign;

use crate::polynomial::Polynomial;
use crate::root::Root;

/// A vector whose components are polynomials.
type Vector = [Polynomial; 3];

/// The corners in cyclic order, and the cross products of neighbours.
pub(crate) struct Polygon {
    corners: Vec<Vector>,
    normals: Vec<Vector>,
    volume: Polynomial,
}

impl Polygon {
    /// The corners are the differences of the pairs of points. Coordinates are finite.
    pub(crate) fn new(start: &[Point; 4], end: &[Point; 4], pairs: &[[usize; 2]]) -> Self {
        // Each axis has a scale of its own: a factor on one axis changes no answer.
        let places: [[_; 8]; 3] = [0, 1, 2].map(|k| {
            exact::integers([0, 1, 2, 3, 4, 5, 6, 7].map(|i| [start, end][i / 4][i % 4][k]))
        });
        let corner = |&[p, q]: &[usize; 2]| -> Vector {
            places.each_ref().map(|x| Polynomial::linear(&x[p] - &x[q], &x[4 + p] - &x[4 + q]))
        };
        let corners: Vec<Vector> = pairs.iter().map(corner).collect();
        let next = corners.iter().cycle().skip(1);
        let normals: Vec<Vector> = corners.iter().zip(next).map(|(v, w)| cross(v, w)).collect();
        let volume = dot(&corners[0], &normals[1]);
        Self { corners, normals, volume }
    }

    /// The first time at which the origin is in the polygon.
    pub(crate) fn first_contact(&self) -> Option<Interval> {
        if !self.volume.is_zero() {
            let mut roots = Root::of(&self.volume).into_iter();
            return roots.find(|time| self.holds_origin(time)).map(Root::interval);
        }
        let components = self.corners.iter().chain(&self.normals).flatten();
        let candidates = components.filter(|f| !f.is_zero()).flat_map(Root::of);
        let [start, _] = Root::ends();
        let mut first: Option<Interval> = None;
        for time in [start].into_iter().chain(candidates) {
            let interval = time.clone().interval();
            let late = first.is_some_and(|first| interval.low >= first.high);
            if !late && self.holds_origin(&time) {
                first = Some(first.map_or(interval, |first| earlier(first, interval)));
            }
        }
        first
    }

    /// Whether the origin is in the polygon at a time at which it is in its plane.
    fn holds_origin(&self, time: &Root) -> bool {
        for k in 0..3 {
            let signs: Vec<Sign> = self.normals.iter().map(|x| time.sign_of(&x[k])).collect();
            let has = |sign| signs.contains(&sign);
            match (has(Sign::Minus), has(Sign::Plus)) {
                (true, true) => return false,
                (false, false) => {}
                _ => return true,
            }
        }
        let signs: Vec<[Sign; 3]> =
            self.corners.iter().map(|v| v.each_ref().map(|x| time.sign_of(x))).collect();
        let next = signs.iter().cycle().skip(1);
        let opposite = |(v, w): (&Sign, &Sign)| v != w || *v == Sign::NoSign;
        signs.iter().zip(next).any(|(v, w)| v.iter().zip(w).all(opposite))
    }
}

/// An interval that holds the earlier of two times.
pub(crate) fn earlier(one: Interval, other: Interval) -> Interval {
    Interval { low: one.low.min(other.low), high: one.high.min(other.high) }
}

fn cross(v: &Vector, w: &Vector) -> Vector {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| v[i].times(&w[j]).minus(&v[j].times(&w[i])))
}

fn dot(v: &Vector, w: &Vector) -> Polynomial {
    v[0].times(&w[0]).plus(&v[1].times(&w[1])).plus(&v[2].times(&w[2]))
}
