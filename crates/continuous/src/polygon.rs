//! The origin against a moving convex polygon: one formulation for a vertex against a face and for
//! two edges.
//!
//! The corners `V_j(t)` are differences of points of the two features, so they move linearly, and
//! the features touch at `t` if and only if the origin is in the closed hull of the `V_j(t)`. All
//! that is decided comes from signs of `F = det(V_0, V_1, V_2)`, of the components of
//! `X_j = V_j × V_{j+1}`, and of the components of the `V_j`.
//!
//! 1. *At the start*: two closed features at rest, decided by the exact tests of geometry.
//! 2. *One time with `F = 0`*: the corners and the origin are in one plane. If the signs of one
//!    component of the `X_j` differ, the origin is outside; if they agree and one is not zero, it
//!    is inside. If all components of all `X_j` vanish, everything is on one line through the
//!    origin, which is inside if it is between two neighbouring corners on every axis.
//! 3. *Candidates*: if `F` does not vanish identically, its roots.
//! 4. Else the `X_j` are parallel to each other at every time. Take an axis on which one of them
//!    does not vanish identically, and of the components on it the roots of all that do not: between
//!    neighbouring ones, their signs are constant and not all zero, so that they decide, all times
//!    alike. Times of contact are a closed set, so the first is one of the roots, or time 0. If
//!    there is no such axis, the corners are on one line through the origin at every time, and the
//!    same is true of the components of the `V_j` on one axis.

use impinge_geometry::{Point, exact};
use impinge_query::continuous::Interval;
use num_bigint::Sign;

use crate::polynomial::{Cell, Polynomial};
use crate::root::Root;
use crate::small;

/// A vector whose components are polynomials.
type Vector = [Polynomial; 3];

/// The corners in cyclic order.
pub(crate) struct Polygon(Vec<Vector>);

impl Polygon {
    /// The corners are the differences of the pairs of points. Coordinates are finite.
    pub(crate) fn new(start: &[Point; 4], end: &[Point; 4], pairs: &[[usize; 2]]) -> Self {
        // Each axis has a scale of its own: a factor on one axis changes no answer.
        let both = || pairs.iter().flat_map(|[p, q]| [[*p, *q], [4 + p, 4 + q]]);
        let mut axes = [0, 1, 2].map(|k| {
            let places = [0, 1, 2, 3, 4, 5, 6, 7].map(|i| [start, end][i / 4][i % 4][k]);
            exact::differences(places, both()).into_iter()
        });
        let mut next =
            || axes.each_mut().map(|x| [x.next(), x.next()].map(Option::unwrap_or_default));
        let corner = |_| next().map(|[start, end]| Polynomial::linear(start, end));
        Self(pairs.iter().map(corner).collect())
    }

    /// The first time at which the origin is in the polygon, which it is not at time 0.
    pub(crate) fn first_contact(&self) -> Option<Interval> {
        let volume = self.volume();
        if !volume.is_zero() {
            let mut roots = Root::of(&volume).into_iter();
            return roots
                .find_map(|mut time| self.holds_origin(&mut time).then(|| time.interval()));
        }
        let mut candidates: Vec<(Interval, Root)> =
            self.deciding().iter().flat_map(Root::of).map(|time| (time.interval(), time)).collect();
        candidates.sort_by(|a, b| a.0.low.total_cmp(&b.0.low));
        let mut first: Option<Interval> = None;
        for (interval, mut time) in candidates {
            if first.is_some_and(|first| interval.low >= first.high) {
                break;
            }
            if self.holds_origin(&mut time) {
                first = Some(first.map_or(interval, |first| earlier(first, interval)));
            }
        }
        first
    }

    /// The first contact, at the only root of the volume between two multiples of 2⁻⁵⁰.
    pub(crate) fn contact_within(&self, bracket: Interval) -> Interval {
        let number = |t: f64| (t * (1_u64 << 50) as f64) as u64;
        let cell = Cell::new(number(bracket.low), number(bracket.high), 50);
        Root::within(&self.volume(), cell).interval()
    }

    fn volume(&self) -> Polynomial {
        let small = || -> Option<[[small::Linear; 3]; 3]> {
            let mut corners = [[[0; 2]; 3]; 3];
            for (to, corner) in corners.iter_mut().zip(&self.0) {
                for (to, component) in to.iter_mut().zip(corner) {
                    *to = component.small()?;
                }
            }
            Some(corners)
        };
        if let Some(corners) = small() {
            return Polynomial::from(small::determinant(corners));
        }
        let product = |k: usize| self.0[0][k].times(&self.normal(1, k));
        product(0).plus(&product(1)).plus(&product(2))
    }

    /// A component of the cross product of a corner and the next.
    fn normal(&self, j: usize, k: usize) -> Polynomial {
        let (v, w) = (&self.0[j], &self.0[(j + 1) % self.0.len()]);
        let (x, y) = ((k + 1) % 3, (k + 2) % 3);
        Polynomial::minor([&v[x], &w[y]], [&v[y], &w[x]])
    }

    /// Where the volume vanishes identically: polynomials at whose roots alone the verdict changes.
    fn deciding(&self) -> Vec<Polynomial> {
        let corners = || 0..self.0.len();
        let normals = (0..3).map(|k| corners().map(|j| self.normal(j, k)).collect());
        let lines = (0..3).map(|k| corners().map(|j| self.0[j][k].clone()).collect());
        let axes: [Vec<Vec<Polynomial>>; 2] = [normals.collect(), lines.collect()];
        let moves = |all: &&Vec<Polynomial>| all.iter().any(|f| !f.is_zero());
        let mut different: Vec<Polynomial> = Vec::new();
        for f in axes.iter().flatten().find(moves).into_iter().flatten() {
            if !f.is_zero() && !different.iter().any(|g| f.is_multiple_of(g)) {
                different.push(f.clone());
            }
        }
        different
    }

    /// Whether the origin is in the polygon at a time at which it is in its plane.
    fn holds_origin(&self, time: &mut Root) -> bool {
        let mut local = Local::new(self, time.cell());
        for k in 0..3 {
            let mut seen = None;
            for j in 0..self.0.len() {
                match (time.sign_of(|cell| local.normal(cell, j, k)), seen) {
                    (Sign::NoSign, _) => {}
                    (sign, Some(other)) if sign != other => return false,
                    (sign, _) => seen = Some(sign),
                }
            }
            if seen.is_some() {
                return true;
            }
        }
        let mut sign = |j: usize, k: usize| time.sign_of(|cell| local.corner(cell, j, k));
        let signs: Vec<[Sign; 3]> =
            (0..self.0.len()).map(|j| [0, 1, 2].map(|k| sign(j, k))).collect();
        let next = signs.iter().cycle().skip(1);
        let opposite = |(v, w): (&Sign, &Sign)| v != w || *v == Sign::NoSign;
        signs.iter().zip(next).any(|(v, w)| v.iter().zip(w).all(opposite))
    }
}

/// A polygon in the time of a cell: products of corners that are taken there are smaller than their products
/// over all time, taken there.
struct Local<'p> {
    polygon: &'p Polygon,
    cell: Cell,
    /// The components of all corners on each axis; none until they are asked for.
    axes: [Vec<Polynomial>; 3],
}

impl<'p> Local<'p> {
    fn new(polygon: &'p Polygon, cell: &Cell) -> Self {
        Self { polygon, cell: cell.clone(), axes: Default::default() }
    }

    fn take(&mut self, cell: &Cell, k: usize) {
        if self.cell != *cell {
            *self = Self::new(self.polygon, cell);
        }
        if self.axes[k].is_empty() {
            self.axes[k] = self.polygon.0.iter().map(|corner| corner[k].on(cell)).collect();
        }
    }

    fn corner(&mut self, cell: &Cell, j: usize, k: usize) -> Polynomial {
        self.take(cell, k);
        self.axes[k][j].clone()
    }

    /// As [`Polygon::normal`].
    fn normal(&mut self, cell: &Cell, j: usize, k: usize) -> Polynomial {
        let (x, y, next) = ((k + 1) % 3, (k + 2) % 3, (j + 1) % self.polygon.0.len());
        self.take(cell, x);
        self.take(cell, y);
        let [x, y] = [x, y].map(|k| &self.axes[k]);
        Polynomial::minor([&x[j], &y[next]], [&y[j], &x[next]])
    }
}

/// An interval that holds the earlier of two times.
pub(crate) fn earlier(one: Interval, other: Interval) -> Interval {
    Interval { low: one.low.min(other.low), high: one.high.min(other.high) }
}
