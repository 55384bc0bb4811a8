//! Loads the triangles of a leaf of A and one of B for the kernels: relative to a nearby origin, in
//! 32 bits.

use impinge_geometry::Point;

use super::Pair;
use crate::frame::power_of_two;
use crate::kernel::triangles::Four;
use crate::tree::Leaf;

/// B's pose, for the operations of `Pose::apply` in the same order, and the kernel's unit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quads {
    rotation: [[f64; 3]; 3],
    translation: [f64; 3],
    scale: f64,
    /// Factor from squares in the kernel's unit to those in A's.
    to_a: f32,
    /// How far corners may move, in the kernel's unit.
    pub(crate) room: f32,
}

impl Quads {
    #[inline(always)]
    pub(crate) fn new(pair: &Pair<'_>) -> Self {
        let t = pair.pose.translation();
        let [x, y, z]: [[f64; 3]; 3] = (*pair.pose.rotation()).into();
        let [e, f] = pair.placement.exponents;
        Self {
            rotation: [[x[0], y[0], z[0]], [x[1], y[1], z[1]], [x[2], y[2], z[2]]],
            translation: [t[0], t[1], t[2]],
            scale: power_of_two(-e.max(f)),
            to_a: power_of_two(2 * (e.max(f) - e)) as f32,
            room: 0.0,
        }
    }

    /// The same for corners that may move by `room` along each axis, in A's unit.
    #[inline(always)]
    pub(crate) fn with_room(self, room: f64) -> Self {
        Self { room: (room * self.scale * (1.0 + 1e-6)) as f32, ..self }
    }

    /// Both leaves' triangles, relative to the first corner of A's leaf. The differences are
    /// rounded once in 64 bits and once in 32.
    #[inline(always)]
    pub(crate) fn load(&self, pair: &Pair<'_>, a: &Leaf, b: &Leaf) -> [Four; 2] {
        let (of_a, of_b) = (pair.models[0].mesh().vertices(), pair.models[1].mesh().vertices());
        let o = at(of_a, a.corners[0][0]);
        let (mut p, mut q) = (Four::default(), Four::default());
        for k in 0..3 {
            for i in 0..4 {
                let x = at(of_a, a.corners[k][i]);
                for c in 0..3 {
                    p.0[k][c][i] = ((x[c] - o[c]) * self.scale) as f32;
                }
            }
            let x = [
                at(of_b, b.corners[k][0]),
                at(of_b, b.corners[k][1]),
                at(of_b, b.corners[k][2]),
                at(of_b, b.corners[k][3]),
            ];
            for c in 0..3 {
                let r = &self.rotation[c];
                for i in 0..4 {
                    let y =
                        ((r[0] * x[i][0] + r[1] * x[i][1]) + r[2] * x[i][2]) + self.translation[c];
                    q.0[k][c][i] = ((y - o[c]) * self.scale) as f32;
                }
            }
        }
        [p, q]
    }

    /// Converts a squared limit from A's units to the kernel's, rounded up.
    #[inline(always)]
    pub(crate) fn limit(&self, of_a: f64) -> f32 {
        (of_a / f64::from(self.to_a) * (1.0 + 1e-6)) as f32
    }
}

#[inline(always)]
fn at(vertices: &[Point], v: u32) -> [f64; 3] {
    let p = &vertices[v as usize];
    [p.x, p.y, p.z]
}
