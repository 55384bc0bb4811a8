//! Loads the triangles of a leaf of A and one of B for the kernels: relative to a point of A's leaf, in
//! 32 bits.

use impinge_geometry::Point;

use super::Pair;
use crate::frame::power_of_two;
use crate::kernel::triangles::{Four, Reach, UNIT, more, reach};
use crate::simd::Simd;
use crate::tree::{CELLS, CORNERS, LANES, Leaf};

/// Two leaves' triangles, and bounds on their coordinates.
pub(crate) type Loaded = ([Four; 2], Reach);

/// B's pose, for the operations of `Pose::apply` in the same order, and the kernel's unit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quads {
    rotation: [[f64; 3]; 3],
    translation: [f64; 3],
    scale: f64,
    /// Factor from squares in the kernel's unit to those in A's.
    to_a: f32,
    /// How far corners may move, of both together, in the kernel's unit.
    room: f32,
    /// The rounding of posed corners, in the kernel's unit.
    pad: f32,
    /// Factors from the units of A and B to the kernel's.
    units: [f32; 2],
    /// Whether leaves are always loaded as by [`Quads::exactly`].
    exactly: bool,
}

impl Quads {
    #[inline(always)]
    pub(crate) fn new(pair: &Pair<'_>) -> Self {
        let t = pair.pose.translation();
        let [x, y, z]: [[f64; 3]; 3] = (*pair.pose.rotation()).into();
        let [e, f] = pair.placement.exponents;
        let units = [power_of_two(e - e.max(f)) as f32, power_of_two(f - e.max(f)) as f32];
        Self {
            rotation: [[x[0], y[0], z[0]], [x[1], y[1], z[1]], [x[2], y[2], z[2]]],
            translation: [t[0], t[1], t[2]],
            scale: power_of_two(-e.max(f)),
            to_a: power_of_two(2 * (e.max(f) - e)) as f32,
            room: 0.0,
            pad: (pair.placement.sides[1].pad() * (1.0 + 1e-6)) as f32 * units[1],
            units,
            exactly: false,
        }
    }

    /// The same for corners that may move by `room` along each axis, in A's unit. Most triangles are
    /// neighbours then, which only an exact test decides: leaves are loaded as by [`Quads::exactly`].
    #[inline(always)]
    pub(crate) fn with_room(self, room: f64) -> Self {
        Self { room: (2.0 * room * self.scale * (1.0 + 1e-6)) as f32, exactly: true, ..self }
    }

    /// Whether [`Quads::exactly`] tells more than [`Quads::load`].
    #[inline(always)]
    pub(crate) const fn is_exact(&self) -> bool {
        self.exactly
    }

    /// Both leaves' triangles, relative to the origin of A's leaf, from the cells of their corners.
    ///
    /// Rounding, in the kernel's unit, with edges `s` of cells there, and `ρ = 2²⁰ s`. A corner of A is
    /// off by half a cell, and rounded once. B's is `w + R s n`: half a cell along three axes is at most
    /// `0.867 s` along any; the entries of `R` and `s n` are rounded, their products and the three sums:
    /// `u (4 |w| + 6 √3 ρ)` with the rounding of `w`. Vertices as posed in 64 bits and their frames are
    /// off by less than the pad of boxes (`docs/wide-bounds.md`, "Corners in leaves").
    #[inline(always)]
    pub(crate) fn load<S: Simd>(&self, pair: &Pair<'_>, a: &Leaf, b: &Leaf) -> Loaded {
        const ROOT: f32 = 1.732_051;
        let to_a = &pair.placement.sides[1].transform;
        let [m, n] = [a, b].map(|leaf| [leaf.origin[0], leaf.origin[1], leaf.origin[2], 0.0]);
        let (_, w) = S::frame(to_a, [n, m, [0.0; 4]], &[[0.0; 3]; 3]);
        let w = [w[0] * self.units[1], w[1] * self.units[1], w[2] * self.units[1]];
        let (s, t) = (a.unit * self.units[0], b.unit * self.units[1]);
        let (mut p, mut q) = (Four::default(), Four::default());
        let mut at = 0;
        while at < CORNERS {
            let of_a = cells::<S>(a, at);
            for c in 0..3 {
                put::<S>(S::mul(of_a[c], S::splat(s)), &mut p.0[c], at);
            }
            let of_b = cells::<S>(b, at);
            let t = S::splat(t);
            let of_b = [S::mul(of_b[0], t), S::mul(of_b[1], t), S::mul(of_b[2], t)];
            for c in 0..3 {
                let row = &to_a.rounded[c];
                let x = S::mul_add(S::splat(row[2]), of_b[2], S::splat(w[c]));
                let x = S::mul_add(S::splat(row[1]), of_b[1], x);
                put::<S>(S::mul_add(S::splat(row[0]), of_b[0], x), &mut q.0[c], at);
            }
            at += S::LANES;
        }
        let [of_a, of_b] = [s * CELLS as f32, t * CELLS as f32];
        let far = more(more(w[0].abs(), w[1].abs()), w[2].abs());
        let largest = more(of_a, far + ROOT * of_b) * (1.0 + 8.0 * UNIT);
        let off = 2.0 * UNIT * largest;
        let longest = [2.0 * of_a + off, 2.0 * ROOT * of_b + off];
        let room = 0.51 * s + 0.88 * t + UNIT * (4.1 * far + 11.0 * of_b) + self.pad;
        ([p, q], Reach { largest, longest, room })
    }

    /// Both leaves' triangles, relative to the first corner of A's leaf. The differences are
    /// rounded once in 64 bits and once in 32.
    #[inline(always)]
    pub(crate) fn exactly(&self, pair: &Pair<'_>, a: &Leaf, b: &Leaf) -> Loaded {
        let [of_a, of_b] =
            pair.models.map(|model| (model.mesh().vertices(), model.mesh().triangles()));
        let o = at(of_a, a, 0, 0);
        let (mut p, mut q) = (Four::default(), Four::default());
        for k in 0..3 {
            for i in 0..4 {
                let x = at(of_a, a, k, i);
                for c in 0..3 {
                    p.0[c][k][i] = ((x[c] - o[c]) * self.scale) as f32;
                }
            }
            let x = [at(of_b, b, k, 0), at(of_b, b, k, 1), at(of_b, b, k, 2), at(of_b, b, k, 3)];
            for c in 0..3 {
                let r = &self.rotation[c];
                for i in 0..4 {
                    let y =
                        ((r[0] * x[i][0] + r[1] * x[i][1]) + r[2] * x[i][2]) + self.translation[c];
                    q.0[c][k][i] = ((y - o[c]) * self.scale) as f32;
                }
            }
        }
        let reach = reach(&p, &q, self.room);
        ([p, q], reach)
    }

    /// Converts a squared limit from A's units to the kernel's, rounded up.
    #[inline(always)]
    pub(crate) fn limit(&self, of_a: f64) -> f32 {
        (of_a / f64::from(self.to_a) * (1.0 + 1e-6)) as f32
    }
}

/// The cells of the corners `at ..`.
#[inline(always)]
fn cells<S: Simd>(leaf: &Leaf, at: usize) -> [S::F; 3] {
    let (first, second) = (leaf.words.first_chunk::<LANES>(), leaf.words[CORNERS..].first_chunk());
    match (first, second) {
        (Some(first), Some(second)) => S::cells([first, second], at),
        _ => [S::splat(0.0); 3],
    }
}

/// Stores coordinates of the corners `at ..`.
#[inline(always)]
fn put<S: Simd>(x: S::F, to: &mut [[f32; 4]; 4], at: usize) {
    if let Some(to) = to.as_flattened_mut().first_chunk_mut::<LANES>() {
        S::store(x, to, at);
    }
}

/// Corner `k` of triangle `i` of a leaf.
#[inline(always)]
fn at((vertices, triangles): (&[Point], &[[u32; 3]]), leaf: &Leaf, k: usize, i: usize) -> [f64; 3] {
    let p = &vertices[triangles[leaf.triangle(i) as usize][k] as usize];
    [p.x, p.y, p.z]
}
