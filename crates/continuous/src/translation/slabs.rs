//! The translations at which two oriented boxes may meet.

use impinge_geometry::Pose;
use impinge_hierarchy::placement::SLACK;
use impinge_hierarchy::volume::ObbRows;

use super::direction::Direction;

/// A box of B in A's frame: its axes as rows, centre and half-lengths.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed {
    pub(crate) axes: [[f64; 3]; 3],
    pub(crate) center: [f64; 3],
    pub(crate) half: [f64; 3],
}

impl Placed {
    /// A box that is in A's frame already.
    #[inline]
    pub(crate) fn of_a(of: &ObbRows) -> Self {
        let r = of.rows();
        let axis = |i: usize| [r[0][i], r[1][i], r[2][i]];
        Self {
            axes: [axis(0), axis(1), axis(2)],
            center: [r[0][3], r[1][3], r[2][3]],
            half: of.half(),
        }
    }

    /// A box of B.
    #[inline]
    pub(crate) fn of_b(of: &ObbRows, pose: &Pose) -> Self {
        let own = Self::of_a(of);
        let (r, t) = (pose.rotation(), pose.translation());
        let turned = |v: &[f64; 3]| {
            [0, 1, 2].map(|k| r[(k, 0)] * v[0] + r[(k, 1)] * v[1] + r[(k, 2)] * v[2])
        };
        let center = turned(&own.center);
        Self {
            axes: own.axes.each_ref().map(turned),
            center: [0, 1, 2].map(|k| center[k] + t[k]),
            half: own.half,
        }
    }

    /// The largest half-length.
    #[inline]
    pub(crate) fn size(&self) -> f64 {
        self.half[0].max(self.half[1]).max(self.half[2])
    }
}

/// What bounds a pair of posed meshes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    /// More than any coordinate of one and of the other together.
    pub(crate) reach: f64,
    /// A share of that, for rounding.
    pub(crate) pad: f64,
}

impl Room {
    /// For meshes with these largest coordinates.
    pub(crate) fn new(pose: &Pose, a: f64, b: f64) -> Self {
        let reach = a + 2.0 * b + pose.translation().amax();
        Self { reach, pad: SLACK * reach + f64::MIN_POSITIVE }
    }
}

/// Bounds of all multiples of [`Direction::unit`] by which B is translated when a point of its box is
/// in A's; `None` if there are none. `reach` is at least the magnitude of all of them, and `pad`
/// bounds the rounding of places, and of these translations times the direction.
///
/// On each of the six axes of both boxes, the distance of the centres is a linear function of the
/// translation, and at most the sum of both reaches.
#[inline]
pub(crate) fn bounds(
    a: &Placed,
    b: &Placed,
    direction: &Direction,
    Room { pad, reach }: Room,
) -> Option<[f64; 2]> {
    let sum = (a.half[0] + a.half[1] + a.half[2]) + (b.half[0] + b.half[1] + b.half[2]);
    let slack = pad + SLACK * sum;
    let apart = [0, 1, 2].map(|k| b.center[k] - a.center[k]);
    let d = [direction.unit[0], direction.unit[1], direction.unit[2]];
    // Axis i of A times axis j of B.
    let turn = [0, 1, 2].map(|i| [0, 1, 2].map(|j| dot(&a.axes[i], &b.axes[j]).abs()));
    let (mut low, mut high) = (-reach, reach);
    let mut clip = |axis: &[f64; 3], reach: f64| {
        let (at, speed) = (dot(axis, &apart), dot(axis, &d));
        let reach = reach + slack;
        if speed == 0.0 {
            if at.abs() > reach {
                high = f64::NEG_INFINITY;
            }
            return;
        }
        let (p, q) = ((-reach - at) / speed, (reach - at) / speed);
        low = low.max(p.min(q));
        high = high.min(p.max(q));
    };
    for i in 0..3 {
        let reach = turn[i][0] * b.half[0] + turn[i][1] * b.half[1] + turn[i][2] * b.half[2];
        clip(&a.axes[i], a.half[i] + reach);
    }
    for j in 0..3 {
        let reach = turn[0][j] * a.half[0] + turn[1][j] * a.half[1] + turn[2][j] * a.half[2];
        clip(&b.axes[j], b.half[j] + reach);
    }
    (low <= high).then_some([low, high])
}

#[inline]
fn dot(p: &[f64; 3], q: &[f64; 3]) -> f64 {
    p[0] * q[0] + p[1] * q[1] + p[2] * q[2]
}
