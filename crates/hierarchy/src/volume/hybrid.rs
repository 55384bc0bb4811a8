//! Volumes of different kinds in one tree (li §3.2): loose and cheap ones above, tight ones below.
//!
//! | kind | half-lengths | tests with |
//! | --- | --- | --- |
//! | sphere | radius | a sphere: distance of centres; a box: distance of it and the centre |
//! | AABB | three | an AABB: 15 axes, the query's rotation; an OBB: as an OBB (li §3.2) |
//! | sphere-OBB | three | the three-layer tree's buffer: a sphere with a sphere, else a box |
//! | OBB | three | an OBB: 15 axes |
//!
//! All kinds use the same 120 bytes: rows of axes and centre, and half-lengths. The kind is encoded
//! in the signs of the half-lengths, which are otherwise never negative.

use impinge_geometry::triangle::overlaps_obb_four_axes;
use impinge_geometry::volume::{Aabb, Obb, Sphere};
use impinge_geometry::{Triangle, Vector};
use nalgebra::Matrix3;

use super::ball::{certainly_longer, length_below};
use super::lanes::Lanes;
use super::obb::{ObbRows, PlacedObb};
use super::separation::Relative;
use super::{AxisBox, Volume};
use crate::Placement;
use crate::placement::SLACK;

/// The kind of a node's volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A ball.
    Sphere,
    /// A box along the mesh's axes.
    Aabb,
    /// A box and the ball around its corners: a buffer between layers.
    SphereObb,
    /// A box with axes of its own.
    Obb,
}

/// A node's volume of one of four kinds.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Hybrid(ObbRows);

/// Data shared by the tests of one query.
#[derive(Clone, Copy, Debug)]
pub struct HybridFrame {
    placement: Placement,
    rows: [Lanes; 3],
}

/// A volume of B in A's frame.
#[derive(Clone, Copy, Debug)]
pub struct PlacedHybrid {
    kind: Kind,
    /// For a sphere, only the centre of `rows` is used, and all three half-lengths are the radius.
    rows: PlacedObb,
}

impl PlacedHybrid {
    /// The half-lengths.
    #[inline(always)]
    pub(super) const fn half(&self) -> Lanes {
        self.rows.half
    }
}

impl From<&Sphere> for Hybrid {
    fn from(s: &Sphere) -> Self {
        let mut rows = ObbRows::POINT;
        (0..3).for_each(|k| rows.rows[k][3] = s.center[k]);
        rows.half = [-s.radius, s.radius, s.radius];
        Self(rows)
    }
}

impl From<&Aabb> for Hybrid {
    fn from(b: &Aabb) -> Self {
        let b = AxisBox::from(b);
        let mut rows = ObbRows::POINT;
        let (center, half) = (b.center(), [0, 1, 2].map(|k| 0.5 * b.high()[k] - 0.5 * b.low()[k]));
        (0..3).for_each(|k| rows.rows[k][3] = center[k]);
        rows.half = [half[0], -half[1], half[2]];
        Self(rows)
    }
}

impl From<&Obb> for Hybrid {
    fn from(b: &Obb) -> Self {
        Self(ObbRows::from(b))
    }
}

impl Hybrid {
    /// The box with the ball around its corners.
    pub fn sphere_obb(b: &Obb) -> Self {
        let mut rows = ObbRows::from(b);
        rows.half[2] = -rows.half[2];
        Self(rows)
    }

    /// Its kind, from the signs of the half-lengths.
    #[inline(always)]
    pub fn kind(&self) -> Kind {
        let h = &self.0.half;
        if h[0].is_sign_negative() {
            Kind::Sphere
        } else if h[1].is_sign_negative() {
            Kind::Aabb
        } else if h[2].is_sign_negative() {
            Kind::SphereObb
        } else {
            Kind::Obb
        }
    }

    /// The radius of a sphere; the first half-length of a box.
    #[inline(always)]
    pub fn radius(&self) -> f64 {
        self.0.half[0].abs()
    }

    /// The box without its kind.
    #[inline(always)]
    pub(super) fn plain(&self) -> ObbRows {
        ObbRows { rows: self.0.rows, half: self.0.half.map(f64::abs) }
    }
}

/// A ball against a ball or a box.
#[derive(Clone, Copy)]
enum Round {
    Balls { d: [f64; 3], reach: f64 },
    BallAndBox { local: [f64; 3], half: [f64; 3], reach: f64 },
}

impl Round {
    /// `None` if neither volume acts as a ball.
    #[inline(always)]
    fn new(a: &Hybrid, own: &ObbRows, b: &PlacedHybrid, pad: f64) -> Option<Self> {
        let (of_a, of_b) = (a.kind(), b.kind);
        let c = |k: usize| b.rows.rows[k].0[3];
        let d = [0, 1, 2].map(|k| c(k) - own.rows[k][3]);
        let h = &b.rows.half.0;
        let halves = [h[0], h[1], h[2]];
        let sum = own.half[0] + own.half[1] + own.half[2] + h[0] + h[1] + h[2];
        let slack = pad + SLACK * sum;
        // The ball around a sphere-OBB's corners is used against spheres only.
        Some(match (of_a, of_b) {
            (Kind::Sphere, Kind::Sphere) => Self::Balls { d, reach: own.half[0] + h[0] + slack },
            (Kind::Sphere, Kind::SphereObb) => {
                Self::Balls { d, reach: own.half[0] + corner(halves) + slack }
            }
            (Kind::SphereObb, Kind::Sphere) => {
                Self::Balls { d, reach: corner(own.half) + h[0] + slack }
            }
            (Kind::Sphere, _) => {
                let along =
                    |j: usize| [0, 1, 2].iter().map(|&k| b.rows.rows[k].0[j] * d[k]).sum::<f64>();
                let local = [along(0), along(1), along(2)];
                Self::BallAndBox { local, half: halves, reach: own.half[0] + slack }
            }
            (_, Kind::Sphere) => {
                let along =
                    |j: usize| [0, 1, 2].iter().map(|&k| own.rows[k][j] * d[k]).sum::<f64>();
                let local = [along(0), along(1), along(2)];
                Self::BallAndBox { local, half: own.half, reach: h[0] + slack }
            }
            _ => return None,
        })
    }

    /// The vector from one ball's centre to the other's, or to the box; and the sum of the radii.
    #[inline(always)]
    fn over(self) -> ([f64; 3], f64) {
        match self {
            Self::Balls { d, reach } => (d, reach),
            Self::BallAndBox { local, half, reach } => {
                ([0, 1, 2].map(|k| (local[k].abs() - half[k]).max(0.0)), reach)
            }
        }
    }
}

/// Distance of a box's corner from its centre, up to rounding that the pair's slack covers.
#[inline(always)]
fn corner(half: [f64; 3]) -> f64 {
    let largest = half[0].max(half[1]).max(half[2]);
    if (1e-140..1e140).contains(&largest) {
        (half[0] * half[0] + half[1] * half[1] + half[2] * half[2]).sqrt()
    } else {
        half[0] + half[1] + half[2]
    }
}

impl Hybrid {
    /// Two boxes in relative form, and the own one; `None` if one of the volumes acts as a ball.
    #[inline(always)]
    pub(super) fn boxes(
        &self,
        other: &PlacedHybrid,
        frame: &HybridFrame,
    ) -> Option<(Relative, ObbRows)> {
        let own = self.plain();
        let round = Round::new(self, &own, other, frame.placement.pad);
        round.is_none().then(|| (self.relative(&own, other, frame), own))
    }

    /// The two boxes in relative form. For two AABBs the rotation is the query's.
    #[inline(always)]
    fn relative(&self, own: &ObbRows, b: &PlacedHybrid, frame: &HybridFrame) -> Relative {
        if self.kind() != Kind::Aabb {
            return own.relative(&b.rows, frame.placement.pad);
        }
        // A's axes are the unit axes: no product is needed, whatever B is.
        let d = |k: usize| b.rows.rows[k].0[3] - own.rows[k][3];
        let h = &b.rows.half.0;
        let sum = own.half[0] + own.half[1] + own.half[2] + h[0] + h[1] + h[2];
        let r = if b.kind == Kind::Aabb { frame.rows } else { b.rows.rows };
        Relative { r, t: Lanes([d(0), d(1), d(2), 0.0]), slack: frame.placement.pad + SLACK * sum }
    }
}

impl Volume for Hybrid {
    type Frame = HybridFrame;
    type Placed = PlacedHybrid;

    fn frame(placement: &Placement) -> HybridFrame {
        let row = |i: usize| {
            let p = &placement.rows[i];
            Lanes([p[0], p[1], p[2], 0.0])
        };
        HybridFrame { placement: *placement, rows: [row(0), row(1), row(2)] }
    }

    #[inline(always)]
    fn place(&self, frame: &HybridFrame) -> PlacedHybrid {
        let (kind, own) = (self.kind(), self.plain());
        let rows = match kind {
            Kind::Obb | Kind::SphereObb => own.place(&frame.placement),
            Kind::Sphere | Kind::Aabb => {
                let c = frame.placement.apply(&own.center());
                let h = own.half;
                let mut rows = frame.rows;
                (0..3).for_each(|k| rows[k].0[3] = c[k]);
                PlacedObb { rows, half: Lanes([h[0], h[1], h[2], 0.0]) }
            }
        };
        PlacedHybrid { kind, rows }
    }

    #[inline(always)]
    fn meets(&self, other: &PlacedHybrid, frame: &HybridFrame) -> bool {
        let own = self.plain();
        if let Some(round) = Round::new(self, &own, other, frame.placement.pad) {
            let (d, reach) = round.over();
            return !certainly_longer(d, reach);
        }
        self.relative(&own, other, frame).meets(&own.half, &other.rows.half)
    }

    #[inline]
    fn gap(&self, other: &PlacedHybrid, frame: &HybridFrame, enough: f64) -> f64 {
        let own = self.plain();
        if let Some(round) = Round::new(self, &own, other, frame.placement.pad) {
            let (d, reach) = round.over();
            return (length_below(d) - reach * (1.0 + SLACK)).max(0.0) * (1.0 - SLACK);
        }
        self.relative(&own, other, frame).gap(&own.half, &other.rows.half, enough)
    }

    #[inline(always)]
    fn size(&self) -> f64 {
        let h = self.0.half.map(f64::abs);
        h[0].max(h[1]).max(h[2])
    }

    fn center(&self) -> [f64; 3] {
        self.0.center()
    }

    fn bounds(placed: &PlacedHybrid) -> [[f64; 2]; 3] {
        if placed.kind != Kind::Sphere {
            return ObbRows::bounds(&placed.rows);
        }
        let radius = placed.rows.half.0[0];
        [0, 1, 2].map(|k| {
            let c = placed.rows.rows[k].0[3];
            let reach = radius + SLACK * (radius + c.abs()) + f64::MIN_POSITIVE;
            [c - reach, c + reach]
        })
    }

    /// Four axes of the triangle-box test: the normal and the box's three (anthology 5 §3). The
    /// centre and half-lengths of an axis-aligned box are rounded, so the box is enlarged by the
    /// slack of box tests.
    fn may_meet(&self, triangle: &Triangle, frame: &HybridFrame) -> bool {
        let (kind, own) = (self.kind(), self.plain());
        let (rows, half) = (&own.rows, Vector::from(own.half));
        let slack = frame.placement.pad + SLACK * half.sum();
        let obb = Obb {
            center: own.center().into(),
            axes: Matrix3::from_fn(|k, j| rows[k][j]),
            half: half.add_scalar(slack),
        };
        kind == Kind::Sphere || overlaps_obb_four_axes(triangle, &obb)
    }

    /// Volumes of the upper layer are placed in A's frame in every query (li §3.2: layer X is
    /// updated).
    #[inline(always)]
    fn updates(&self) -> bool {
        matches!(self.kind(), Kind::Sphere | Kind::Aabb)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In and out of the range of squares: a ball must never be smaller than its box.
    #[test]
    fn a_corner_is_never_nearer_than_it_is() {
        for exponent in [-1000, -650, -470, -460, 0, 460, 470, 650, 900] {
            let unit = 2f64.powi(exponent);
            let found = corner([unit; 3]) / unit;
            assert!(found > 1.732 && found <= 3.0, "2^{exponent}: {found:e}");
            assert!(found < 1.733 || exponent.abs() >= 466, "2^{exponent}: {found:e}");
        }
    }
}
