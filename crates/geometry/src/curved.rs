//! Solids with curved surfaces, as support functions for [GJK](crate::gjk): cylinders, cones and
//! ellipsoids about the origin, at rest or posed.
//!
//! Each is convex and given by formulas, so nothing is rounded but the points that are asked for.

use crate::gjk::{Extreme, Solid, Support};
use crate::volume::{UNIT, power_below_inverse};
use crate::{Point, Pose, Vector};

/// A solid with a curved surface. All lengths are finite and above 0, in the unit of the meshes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Curved {
    /// The points at most `radius` from the z axis with `|z| ≤ half`.
    Cylinder {
        /// Of the circle.
        radius: f64,
        /// Half of the height.
        half: f64,
    },
    /// The convex hull of the point at `z = half` of the z axis and of the disc of this radius about
    /// it at `z = −half`.
    Cone {
        /// Of the disc.
        radius: f64,
        /// Half of the height.
        half: f64,
    },
    /// The points with `(x/r₀)² + (y/r₁)² + (z/r₂)² ≤ 1`.
    Ellipsoid {
        /// Half of the length along each axis.
        radii: [f64; 3],
    },
}

impl Curved {
    /// The ends of its box: half of the length along each axis.
    pub fn reach(&self) -> Vector {
        match *self {
            Self::Cylinder { radius, half } | Self::Cone { radius, half } => {
                Vector::new(radius, radius, half)
            }
            Self::Ellipsoid { radii } => radii.into(),
        }
    }

    /// A point of the solid farthest in the direction `d`, which is not zero. Each coordinate is off
    /// by at most 8 u of that of the solid's, and for a solid with a largest coordinate `m` no point
    /// is farther by more than `24 u m |d|₁`: quotients and roots of positive terms are off by a few
    /// u, and two candidates of a cone are compared by products as exact as that.
    pub fn farthest(&self, d: &Vector) -> Point {
        match *self {
            Self::Cylinder { radius, half } => {
                let (rim, _) = on_circle(radius, d);
                Point::new(rim[0], rim[1], half.copysign(d.z))
            }
            Self::Cone { radius, half } => {
                let (rim, side) = on_circle(radius, d);
                if radius * side > 2.0 * half * d.z {
                    Point::new(rim[0], rim[1], -half)
                } else {
                    Point::new(0.0, 0.0, half)
                }
            }
            Self::Ellipsoid { radii } => {
                let r = Vector::from(radii);
                let e = r.component_mul(d);
                let e = e * power_below_inverse(e.amax());
                let length = e.norm();
                if length > 0.0 {
                    Point::from(r.component_mul(&(e / length)))
                } else {
                    Point::from(r.component_mul(&d.normalize()))
                }
            }
        }
    }

    /// The solid where it is defined.
    pub fn at_rest(&self) -> AtRest {
        AtRest { body: *self, found: 0 }
    }

    /// The solid at a pose: the image of every point under the matrix and the translation, exactly.
    pub fn posed(&self, pose: &Pose) -> Posed {
        Posed { body: *self, pose: *pose, found: 0 }
    }
}

/// The point of the circle about the z axis that is farthest along `d`, the middle if all are
/// equally far; and the length of `d` across the axis.
fn on_circle(radius: f64, d: &Vector) -> ([f64; 2], f64) {
    let largest = d.x.abs().max(d.y.abs());
    if largest == 0.0 {
        return ([0.0; 2], 0.0);
    }
    // Scaled against underflow. `hypot` would need a C library of 2022.
    let scale = power_below_inverse(largest);
    let (x, y) = (d.x * scale, d.y * scale);
    let side = (x * x + y * y).sqrt();
    ([radius * (x / side), radius * (y / side)], side / scale)
}

/// A [`Curved`] solid where it is defined.
#[derive(Clone, Copy, Debug)]
pub struct AtRest {
    body: Curved,
    found: u32,
}

impl Support for AtRest {
    fn farthest(&mut self, d: &Vector) -> Extreme {
        self.found = self.found.wrapping_add(1);
        Extreme { index: self.found, point: self.body.farthest(d) }
    }

    fn excess(&self) -> f64 {
        32.0 * UNIT * self.body.reach().amax() + f64::MIN_POSITIVE
    }
}

impl Solid for AtRest {
    fn off(&self) -> f64 {
        8.0 * UNIT * self.body.reach().amax() + f64::MIN_POSITIVE
    }
}

/// A [`Curved`] solid at a [`Pose`].
#[derive(Clone, Copy, Debug)]
pub struct Posed {
    body: Curved,
    pose: Pose,
    found: u32,
}

impl Posed {
    /// The largest coordinate of the solid, and of the translation.
    fn sizes(&self) -> (f64, f64) {
        (self.body.reach().amax(), self.pose.translation().amax())
    }
}

impl Support for Posed {
    fn farthest(&mut self, d: &Vector) -> Extreme {
        self.found = self.found.wrapping_add(1);
        let turned_back = self.pose.rotation().tr_mul(d);
        Extreme { index: self.found, point: self.pose.apply(&self.body.farthest(&turned_back)) }
    }

    /// With `m` and `τ` the largest coordinates of the solid and of the translation: the direction,
    /// rotated back, is off by `3 u |d|₁` per component, times a difference of points of at most
    /// `2 m` in each of three coordinates, `18 u m`; the solid's own `24 u m`, whose direction is
    /// up to 1.8 times as long by its sum, `44 u m`; the point found is rounded to `4 u (√3 m + τ)`.
    /// The sum is enlarged.
    fn excess(&self) -> f64 {
        let (m, t) = self.sizes();
        96.0 * UNIT * m + 16.0 * UNIT * t + f64::MIN_POSITIVE
    }
}

impl Solid for Posed {
    /// 8 u of each of three coordinates, rotated, and what [`Pose::apply`] rounds: `24 u m` and
    /// `4 u (√3 m + τ)`, enlarged.
    fn off(&self) -> f64 {
        let (m, t) = self.sizes();
        40.0 * UNIT * m + 8.0 * UNIT * t + f64::MIN_POSITIVE
    }
}
