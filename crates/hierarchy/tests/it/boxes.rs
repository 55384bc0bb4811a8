//! Boxes as plain matrices, and the fifteen axes one after another: slow, and written without the
//! lanes and the relative frame of the crate.

use impinge_geometry::volume::Obb;
use impinge_geometry::{Point, Vector};
use impinge_hierarchy::Placement;
use impinge_models::Random;
use nalgebra::Matrix3;

/// What a query adds to the sizes of a pair, in units of their sum.
pub(crate) const SLACK: f64 = impinge_hierarchy::placement::SLACK;

/// A box in the frame of A.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plain {
    pub(crate) axes: Matrix3<f64>,
    pub(crate) center: Vector,
    pub(crate) half: Vector,
}

/// An axis: the excess of the distance over both reaches, and the axis' squared length.
type Axis = (f64, f64);

/// The excess on the faces of A, those of B, and the products of edges.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Excess {
    pub(crate) a: [f64; 3],
    pub(crate) b: [f64; 3],
    pub(crate) edges: [[Axis; 3]; 3],
}

impl Plain {
    /// About the origin, turned at random, each half-length of its own order.
    pub(crate) fn random(random: &mut Random) -> Self {
        let axes = *random.turned_to(Vector::zeros()).rotation();
        let half = Vector::from_fn(|_, _| 10f64.powf(random.range(-2.0, 0.0)));
        Self { axes, center: random.vector(-0.2, 0.2), half }
    }

    /// The same without a turn.
    pub(crate) fn upright(self) -> Self {
        Self { axes: Matrix3::identity(), ..self }
    }

    /// Axes by half-length, the shortest first.
    pub(crate) fn sorted(self) -> Self {
        let mut order = [0, 1, 2];
        order.sort_by(|&i, &j| self.half[i].total_cmp(&self.half[j]));
        let axes = Matrix3::from_fn(|k, i| self.axes[(k, order[i])]);
        Self { axes, half: Vector::from_fn(|i, _| self.half[order[i]]), ..self }
    }

    pub(crate) fn obb(&self) -> Obb {
        Obb { center: Point::from(self.center), axes: self.axes, half: self.half }
    }

    /// In its place.
    pub(crate) fn placed(&self, at: &Placement) -> Self {
        let turn = Matrix3::from_fn(|i, j| at.rows[i][j]);
        let shift = Vector::from_fn(|i, _| at.rows[i][3]);
        Self { axes: turn * self.axes, center: turn * self.center + shift, half: self.half }
    }

    /// How far it reaches along a direction of any length.
    pub(crate) fn reach(&self, n: &Vector) -> f64 {
        (0..3).map(|i| self.half[i] * self.axes.column(i).dot(n).abs()).sum()
    }

    pub(crate) fn excess(&self, other: &Self) -> Excess {
        let over = |n: Vector| {
            let apart = (other.center - self.center).dot(&n).abs();
            (apart - self.reach(&n) - other.reach(&n), n.norm_squared())
        };
        let of = |b: &Self, i: usize| Vector::from(b.axes.column(i));
        Excess {
            a: [0, 1, 2].map(|i| over(of(self, i)).0),
            b: [0, 1, 2].map(|j| over(of(other, j)).0),
            edges: [0, 1, 2].map(|i| [0, 1, 2].map(|j| over(of(self, i).cross(&of(other, j))))),
        }
    }

    /// The greatest lower bound on the distance of boxes enlarged by `slack`: along the vectors of the gaps over
    /// the faces of each, and along products of edges that are not nearly parallel.
    pub(crate) fn gap(&self, other: &Self, slack: f64) -> f64 {
        let (between, excess) = (other.center - self.center, self.excess(other));
        let along = |one: &Self, gaps: [f64; 3]| {
            let part = |i: usize| {
                let n = one.axes.column(i);
                n * ((gaps[i] - slack).max(0.0) * between.dot(&n).signum())
            };
            // Not a number if there is no gap.
            let n = (part(0) + part(1) + part(2)).normalize();
            let slack = slack * (one.axes.transpose() * n).abs().sum();
            between.dot(&n) - self.reach(&n) - other.reach(&n) - slack
        };
        let edges = excess.edges.iter().flatten().filter(|(_, square)| *square > 1e-3);
        let edges = edges.map(|(over, square)| (over - slack) / square.sqrt());
        edges.fold(along(self, excess.a).max(along(other, excess.b)).max(0.0), f64::max)
    }
}

impl Excess {
    /// The largest of all fifteen.
    pub(crate) fn most(&self) -> f64 {
        let edges = self.edges.iter().flatten().map(|(over, _)| *over);
        self.a.into_iter().chain(self.b).chain(edges).fold(f64::NEG_INFINITY, f64::max)
    }

    /// The largest of the five that are tested of boxes with sorted axes (xie §3.2).
    pub(crate) fn most_of_five(&self) -> f64 {
        let edges = [(1, 2), (2, 1), (2, 2)].map(|(i, j)| self.edges[i][j].0);
        edges.into_iter().fold(self.a[0].max(self.b[0]), f64::max)
    }
}

/// A placement with this pad.
pub(crate) fn at(turn: &Matrix3<f64>, shift: &Vector, pad: f64) -> Placement {
    let row = |i: usize| [turn[(i, 0)], turn[(i, 1)], turn[(i, 2)], shift[i]];
    Placement { rows: [row(0), row(1), row(2)], pad }
}

/// The largest number for which this holds, of those between what it holds for and what it does not.
pub(crate) fn last(mut holds: impl FnMut(f64) -> bool, far: f64) -> f64 {
    let (mut low, mut high) = (0.0, far);
    assert!(holds(low) && !holds(high), "it holds at 0 and not at {far}");
    loop {
        let middle = 0.5 * low + 0.5 * high;
        if middle <= low || middle >= high {
            return low;
        }
        if holds(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
}
