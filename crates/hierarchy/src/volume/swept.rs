//! Rectangle-swept spheres: all points within a radius of a rectangle (Larsen et al. 1999, PQP; fan
//! §1.3.3.5). Designed for distance queries: the gap of two is the distance of two rectangles minus
//! both radii.

use impinge_geometry::Point;
use impinge_geometry::volume::Obb;

use super::lanes::Lanes;
use super::rectangles::Pair;
use super::separation::Relative;
use super::{ObbRows, PlacedObb, Volume};
use crate::Placement;
use crate::placement::SLACK;

/// A rectangle with two unit axes, half-lengths and a radius: `half = [a0, a1, r]`, and the third
/// axis is the rectangle's normal. 120 bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct SweptRectangle(ObbRows);

/// Bound on the rounding of local coordinates and their lengths: 14 units of the box's size, and 4
/// of the length itself (`docs/methods/swept-sphere.md`, "Error bound").
const GROW: f64 = 16.0 * (f64::EPSILON / 2.0);

impl SweptRectangle {
    /// The swept rectangle around points in `obb`, with its axes; the shortest becomes the normal.
    /// The radius is half the thickness, and the rectangle as small as that allows.
    pub fn around(obb: &Obb, points: impl Iterator<Item = Point> + Clone) -> Self {
        let mut order = [0, 1, 2];
        order.sort_by(|&i, &j| obb.half[j].total_cmp(&obb.half[i]));
        let axes = order.map(|i| obb.axis(i));
        let radius = obb.half[order[2]];
        let local = |p: &Point, c: &Point| axes.map(|axis| axis.dot(&(p - c)));
        let mut rectangle = Spread::new(radius);
        points.clone().for_each(|p| rectangle.slabs(local(&p, &obb.center)));
        rectangle.settle();
        points.clone().for_each(|p| rectangle.corner(local(&p, &obb.center)));
        let (middle, half) = rectangle.middle();
        let center: Point = obb.center + axes[0] * middle[0] + axes[1] * middle[1];
        let beyond = |p: Point| {
            let [x, y, z] = local(&p, &center);
            length(&[(x.abs() - half[0]).max(0.0), (y.abs() - half[1]).max(0.0), z])
        };
        let farthest = points.map(beyond).fold(0.0, f64::max);
        let size = obb.half.sum();
        let half = [half[0], half[1], farthest * (1.0 + GROW) + GROW * size + f64::MIN_POSITIVE];
        let row = |k: usize| [axes[0][k], axes[1][k], axes[2][k], center[k]];
        Self(ObbRows { rows: [row(0), row(1), row(2)], half })
    }

    /// The two half-lengths and the radius.
    pub const fn half(&self) -> [f64; 3] {
        self.0.half
    }
}

/// Length of a vector, without overflow of its squares.
fn length(v: &[f64; 3]) -> f64 {
    v[0].hypot(v[1]).hypot(v[2])
}

/// The rectangle during fitting.
struct Spread {
    radius: f64,
    low: [f64; 2],
    high: [f64; 2],
}

impl Spread {
    const fn new(radius: f64) -> Self {
        Self { radius, low: [f64::INFINITY; 2], high: [f64::NEG_INFINITY; 2] }
    }

    /// How far outside the rectangle, in its plane, a point at height `z` may project.
    fn beside(&self, z: f64) -> f64 {
        (self.radius - z.abs()).max(0.0).sqrt() * (self.radius + z.abs()).sqrt()
    }

    /// Widens both slabs for a point, each independently.
    fn slabs(&mut self, p: [f64; 3]) {
        let beside = self.beside(p[2]);
        for k in 0..2 {
            self.low[k] = self.low[k].min(p[k] + beside);
            self.high[k] = self.high[k].max(p[k] - beside);
        }
    }

    /// Sets a slab that no point needs to zero width.
    fn settle(&mut self) {
        for k in 0..2 {
            if self.low[k] > self.high[k] {
                let middle = 0.5 * self.low[k] + 0.5 * self.high[k];
                (self.low[k], self.high[k]) = (middle, middle);
            }
        }
    }

    /// Moves a corner out if the point is too far from it.
    fn corner(&mut self, p: [f64; 3]) {
        let over = |k: usize| (p[k] - self.high[k]).max(self.low[k] - p[k]).max(0.0);
        let (x, y) = (over(0), over(1));
        let (length, beside) = (x.hypot(y), self.beside(p[2]));
        if length <= beside {
            return;
        }
        for (k, over) in [x, y].into_iter().enumerate() {
            let grow = over * (1.0 - beside / length);
            if p[k] > self.high[k] {
                self.high[k] += grow;
            } else if p[k] < self.low[k] {
                self.low[k] -= grow;
            }
        }
    }

    fn middle(&self) -> ([f64; 2], [f64; 2]) {
        let of = |a: f64, b: f64| [0, 1].map(|k| 0.5 * (a * self.low[k] + b * self.high[k]));
        (of(1.0, 1.0), of(-1.0, 1.0))
    }
}

/// Half-lengths of a box around the swept rectangle: the radius is added on every side.
#[inline(always)]
fn hull(half: &[f64; 3]) -> [f64; 3] {
    [half[0] + half[2], half[1] + half[2], half[2]]
}

impl PlacedObb {
    /// [`hull`] of a swept rectangle.
    #[inline(always)]
    fn hull(&self) -> Lanes {
        let [x, y, radius, _] = self.half.0;
        let [x, y, z] = hull(&[x, y, radius]);
        Lanes([x, y, z, 0.0])
    }
}

impl SweptRectangle {
    /// Lower bound on the squared distance of the rectangles; `None` if squares would overflow or
    /// underflow.
    #[inline]
    fn rectangles(&self, other: &PlacedObb, relative: &Relative, enough: f64) -> Option<f64> {
        let (a, b) = (&self.0.half, &other.half.0);
        let Relative { r, t, .. } = relative;
        let column = |j: usize| [r[0].0[j], r[1].0[j], r[2].0[j]];
        let c = [column(0), column(1), column(2)];
        let pair = Pair { a: [a[0], a[1]], b: [b[0], b[1]], c, t: [t.0[0], t.0[1], t.0[2]] };
        let in_range = (1e-140..1e140).contains(&pair.size());
        in_range.then(|| pair.squared_distance(enough))
    }

    /// Both radii, and the slack.
    #[inline(always)]
    fn reach(&self, other: &PlacedObb, relative: &Relative) -> f64 {
        (self.0.half[2] + other.half.0[2] + relative.slack) * (1.0 + SLACK)
    }
}

impl Volume for SweptRectangle {
    type Frame = Placement;
    type Placed = PlacedObb;

    fn frame(placement: &Placement) -> Placement {
        *placement
    }

    #[inline(always)]
    fn place(&self, placement: &Placement) -> PlacedObb {
        self.0.place(placement)
    }

    /// First the six face axes of boxes around both, then the distance of the rectangles.
    #[inline]
    fn meets(&self, other: &PlacedObb, placement: &Placement) -> bool {
        let relative = self.0.relative(other, placement.pad);
        let (alpha, beta) = (hull(&self.0.half), other.hull());
        let q = relative.r.map(Lanes::abs);
        let (d, reach) = relative.face_a(&q, &alpha, &beta);
        if d.any_above(reach) {
            return false;
        }
        let (d, reach) = relative.face_b(&q, &alpha, &beta);
        if d.any_above(reach) {
            return false;
        }
        let reach = self.reach(other, &relative);
        let square = reach * reach;
        self.rectangles(other, &relative, square).is_none_or(|d| d <= square)
    }

    /// If the six face axes of boxes around both give more than `enough`, that; else the distance of the
    /// rectangles less both radii.
    #[inline]
    fn gap(&self, other: &PlacedObb, placement: &Placement, enough: f64) -> f64 {
        let relative = self.0.relative(other, placement.pad);
        let by_faces = relative.gap_by_faces(&hull(&self.0.half), &other.hull(), enough);
        if by_faces > enough {
            return by_faces;
        }
        let square = self.rectangles(other, &relative, 0.0).unwrap_or(0.0);
        (square.sqrt() * (1.0 - SLACK) - self.reach(other, &relative)).max(0.0)
    }

    #[inline(always)]
    fn size(&self) -> f64 {
        self.0.half[0] + self.0.half[2]
    }

    fn center(&self) -> [f64; 3] {
        self.0.center()
    }

    fn bounds(placed: &PlacedObb) -> [[f64; 2]; 3] {
        ObbRows::bounds(&PlacedObb { rows: placed.rows, half: placed.hull() })
    }
}
