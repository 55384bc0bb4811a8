//! Two soft bumpy balls that are pressed together at a plane, in closed form: no step needs the
//! preceding one, and a vertex costs two roots.
//!
//! 1. A ball about its centre on the z axis, with bumps: star-shaped, so it does not meet itself.
//! 2. The centre approaches the plane z = 0 evenly. What would pass the plane is flattened: z
//!    becomes a smooth minimum of z and the height of the plane with bumps on it, so that the
//!    flattened face has bumps, too.
//! 3. The ball spreads sideways so that a ball cut off at the plane would keep its volume.
//!
//! Steps 2 and 3 map different points of space to different points: z grows with z over each (x, y),
//! and x and y are scaled. So the surface never meets itself. Two such bodies, one turned over, meet
//! where their bumps overlap: the flattened faces are in the plane on average.
//!
//! This models the shape of pressed bodies, not their mechanics. All operations are `+`, `−`, `×`,
//! `/`, square roots and rounding to integers.

use impinge_geometry::Point;

use super::ParameterError;
use super::round::check_radius;
use super::surface::check;

/// Length over which the flattened face turns into the side; unit: radii.
const ROUNDING: f64 = 0.06;
/// Bumps along a radius.
const PER_RADIUS: f64 = 3.0;

/// Parameters of a soft ball at a plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Press {
    /// Radius of the ball without bumps, before it spreads.
    pub radius: f64,
    /// Height of the bumps, in `0.0..=0.05` radii. At the most, two bodies penetrate each other by
    /// twice as much.
    pub bumps: f64,
    /// Distance of the bumps from the plane at the first step, in `0.0..=10.0` radii.
    pub gap: f64,
    /// How far the ball without flattening would pass the plane at the last step, in `0.0..=0.5`
    /// radii.
    pub depth: f64,
}

impl Default for Press {
    fn default() -> Self {
        Self { radius: 0.4, bumps: 0.03, gap: 0.25, depth: 0.3 }
    }
}

impl Press {
    pub(super) fn check(&self) -> Result<(), ParameterError> {
        check_radius("press", "radius", self.radius)?;
        let bounded = [
            ("bumps", self.bumps, 0.05, "lie between 0 and 0.05 radii"),
            ("gap", self.gap, 10.0, "lie between 0 and 10 radii"),
            ("depth", self.depth, 0.5, "lie between 0 and 0.5 radii"),
        ];
        for (name, value, most, must) in bounded {
            check("press", name, value, (0.0..=most).contains(&value), must)?;
        }
        Ok(())
    }

    /// The quantities shared by all vertices at a time from 0 to 1.
    pub(super) fn frame(&self, time: f64) -> Frame {
        let Self { radius, bumps, gap, depth } = *self;
        let plane = 1.0 + (bumps + gap) * (1.0 - time) - depth * time;
        let cut = (1.0 - plane).max(0.0);
        // The share of the volume of a ball beyond a plane at this depth.
        let lost = 0.25 * cut * cut * (3.0 - cut);
        Frame { radius, bumps, plane, spread: 1.0 / (1.0 - lost).sqrt() }
    }
}

/// A body at one time; lengths in radii.
pub(super) struct Frame {
    radius: f64,
    bumps: f64,
    /// Height of the plane over the ball's centre.
    plane: f64,
    /// Factor of x and y.
    spread: f64,
}

impl Frame {
    /// The position of the point of the ball in the direction of a point that is not the origin.
    pub(super) fn place(&self, toward: &Point) -> Point {
        let n = toward.coords / toward.coords.norm();
        let [x, y, z] = <[f64; 3]>::from(n * (1.0 + self.bumps * waves(n.x, n.y)));
        let wall = self.plane + self.bumps * waves(x, y);
        let over = z - wall;
        let low = 0.5 * (z + wall - (over * over + ROUNDING * ROUNDING).sqrt());
        Point::new(self.spread * x, self.spread * y, low - self.plane) * self.radius
    }
}

/// The bumps, from −1 to 1, with a crest at the origin.
fn waves(x: f64, y: f64) -> f64 {
    let wave = |x: f64| {
        let from_crest = PER_RADIUS * x - (PER_RADIUS * x).round();
        let bell = 1.0 - 4.0 * from_crest * from_crest;
        2.0 * bell * bell - 1.0
    };
    0.5 * (wave(x) + wave(y))
}
