//! Balls above, boxes along the world's axes below: the traditional hybrid with its boxes updated
//! (li §3.2, §4). All volumes are in the world, so a pair is tested without any rotation.

use impinge_geometry::Pose;

use super::aligned::{Aligned, Below, Place, Renewal};
use super::ball::{certainly_longer, length_below};
use super::{AxisBox, Hybrid, Kind, Merge, Volume};
use crate::placement::{Placement, SLACK};

/// A ball or a box in the world. 56 bytes, a cache line with the link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BallBox {
    /// Centre and radius, which includes the rounding of both.
    Ball([f64; 3], f64),
    /// A box along the world's axes, enlarged by the body's [`Place::pad`].
    Box(AxisBox),
}

/// The vector between the nearest points of two boxes along the same axes.
#[inline(always)]
pub(super) fn between(a: &AxisBox, b: &AxisBox) -> [f64; 3] {
    let (a, b) = ([a.low(), a.high()], [b.low(), b.high()]);
    [0, 1, 2].map(|k| (b[0][k] - a[1][k]).max(a[0][k] - b[1][k]).max(0.0))
}

/// Whether two boxes along the same axes share a point: three axes, compared exactly and without a
/// branch between them.
#[expect(clippy::needless_bitwise_bool, reason = "a branch for each axis costs more than it saves")]
#[inline(always)]
pub(super) fn overlap(a: &AxisBox, b: &AxisBox) -> bool {
    let (a, b) = ([a.low(), a.high()], [b.low(), b.high()]);
    let along = |k: usize| (a[0][k] <= b[1][k]) & (b[0][k] <= a[1][k]);
    along(0) & along(1) & along(2)
}

/// `b` enlarged by `pad` on every side.
pub(super) fn enlarged(b: &AxisBox, pad: f64) -> AxisBox {
    AxisBox::new(b.low().map(|x| x - pad), b.high().map(|x| x + pad))
}

impl BallBox {
    /// The vector from one volume to the other, of which a ball counts as its centre, and the sum
    /// of the balls' radii.
    #[inline(always)]
    fn apart(&self, other: &Self) -> ([f64; 3], f64) {
        match (self, other) {
            (Self::Box(a), Self::Box(b)) => (between(a, b), 0.0),
            (Self::Ball(c, r), Self::Box(b)) | (Self::Box(b), Self::Ball(c, r)) => {
                (between(&AxisBox::new(*c, *c), b), *r)
            }
            (Self::Ball(c, r), Self::Ball(d, s)) => ([0, 1, 2].map(|k| d[k] - c[k]), r + s),
        }
    }
}

impl Volume for BallBox {
    type Frame = ();
    type Placed = Self;

    fn frame(_: &Placement) {}

    #[inline(always)]
    fn place(&self, (): &()) -> Self {
        *self
    }

    #[inline(always)]
    fn meets(&self, other: &Self, (): &()) -> bool {
        if let (Self::Box(a), Self::Box(b)) = (self, other) {
            return overlap(a, b);
        }
        let (d, reach) = self.apart(other);
        !certainly_longer(d, reach)
    }

    #[inline]
    fn gap(&self, other: &Self, (): &(), _enough: f64) -> f64 {
        let (d, reach) = self.apart(other);
        (length_below(d) - reach * (1.0 + SLACK)).max(0.0) * (1.0 - SLACK)
    }

    #[inline(always)]
    fn size(&self) -> f64 {
        match self {
            Self::Ball(_, radius) => 2.0 * radius,
            Self::Box(b) => b.size(),
        }
    }

    fn center(&self) -> [f64; 3] {
        match self {
            Self::Ball(center, _) => *center,
            Self::Box(b) => b.center(),
        }
    }

    /// Along the world's axes.
    fn bounds(placed: &Self) -> [[f64; 2]; 3] {
        match placed {
            Self::Ball(c, r) => [0, 1, 2].map(|k| {
                let reach = r + SLACK * (r + c[k].abs()) + f64::MIN_POSITIVE;
                [c[k] - reach, c[k] + reach]
            }),
            Self::Box(b) => [0, 1, 2].map(|k| [b.low()[k], b.high()[k]]),
        }
    }
}

impl Aligned for BallBox {
    type Own = Hybrid;

    /// A sphere is moved.
    fn moved(own: &Hybrid, place: &Place) -> Option<Self> {
        let radius = own.radius() * (1.0 + SLACK) + place.pad;
        let sphere = own.kind() == Kind::Sphere;
        sphere.then(|| Self::Ball(place.placement.apply(&own.center()), radius))
    }

    /// The box of the posed corners, or of the children's boxes.
    #[inline(always)]
    fn around(below: Below<'_, Self>, place: &Place) -> Self {
        match below {
            Below::Corners(exact) => Self::Box(enlarged(&exact, place.pad)),
            Below::Children(Self::Box(a), Self::Box(b)) => Self::Box(a.merged(b)),
            Below::Children(a, b) => {
                let [a, b] = [a, b].map(|child| AxisBox::from(Self::bounds(child)));
                Self::Box(a.merged(&b))
            }
        }
    }

    #[inline(always)]
    fn renewal(&self) -> Renewal {
        if matches!(self, Self::Box(_)) { Renewal::Around } else { Renewal::Moved }
    }

    fn frame_at(_: &Placement, _: &Pose, _: f64) {}
}
