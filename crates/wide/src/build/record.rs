//! What the cutters read of a triangle: its bounds, in 32 bits.

use impinge_geometry::Mesh;
use rayon::prelude::*;

use crate::frame::Frame;
use crate::simd::{Portable, Simd};

/// A triangle's bounds in the model's frame, rounded to nearest: they decide the tree's shape,
/// never a verdict. The least coordinates, negated; the index and [`INDEX`]; the largest coordinates; and 0: in the order
/// of [`Bounds`].
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(32))]
pub(super) struct Record([f32; 8]);

/// With it the bits of an index are those of a number from 2 on: operations on subnormal ones are slow.
const INDEX: u32 = 1 << 30;

impl Record {
    /// That of a triangle between these coordinates.
    #[inline(always)]
    pub(super) fn new(id: u32, low: [f32; 3], high: [f32; 3]) -> Self {
        let index = f32::from_bits(id | INDEX);
        Self([-low[0], -low[1], -low[2], index, high[0], high[1], high[2], 0.0])
    }

    /// Index of the triangle.
    #[inline(always)]
    pub(super) fn id(&self) -> u32 {
        self.0[3].to_bits() & !INDEX
    }

    /// Twice the centre of the bounds. The last component has no meaning.
    #[inline(always)]
    pub(super) fn twice(&self) -> [f32; 4] {
        let a = &self.0;
        [a[4] - a[0], a[5] - a[1], a[6] - a[2], a[7] - a[3]]
    }

    /// One component of it.
    #[inline(always)]
    pub(super) fn twice_along(&self, k: usize) -> f32 {
        self.0[4 + k] - self.0[k]
    }
}

/// One record per triangle, in the order of the mesh.
pub(super) fn records(mesh: &Mesh, frame: &Frame) -> Vec<Record> {
    let (scale, vertices) = (frame.scale(), mesh.vertices());
    let record = |(id, t): (usize, &[u32; 3])| {
        let (mut low, mut high) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
        for &v in t {
            let p = &vertices[v as usize];
            for k in 0..3 {
                let x = ((p[k] - frame.center[k]) * scale) as f32;
                low[k] = if x < low[k] { x } else { low[k] };
                high[k] = if x > high[k] { x } else { high[k] };
            }
        }
        Record::new(id as u32, low, high)
    };
    mesh.triangles().par_iter().with_min_len(4096).enumerate().map(record).collect()
}

/// Bounds of a growing set: the least coordinates, negated, and the largest ones, each with a fourth number
/// without meaning. So all are maxima, of eight numbers at once.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(super) struct Bounds([f32; 8]);

impl Bounds {
    pub(super) const EMPTY: Self = Self([f32::NEG_INFINITY; 8]);

    #[inline(always)]
    pub(super) fn of<'r>(records: impl Iterator<Item = &'r Record>) -> Self {
        let mut bounds = Self::EMPTY;
        for record in records {
            bounds.add::<Portable>(record);
        }
        bounds
    }

    #[inline(always)]
    pub(super) fn add<S: Simd>(&mut self, r: &Record) {
        S::raise(&mut self.0, &r.0);
    }

    /// Takes in a point.
    #[inline(always)]
    pub(super) fn add_point<S: Simd>(&mut self, p: [f32; 4]) {
        S::raise(&mut self.0, &[-p[0], -p[1], -p[2], -p[3], p[0], p[1], p[2], p[3]]);
    }

    #[inline(always)]
    pub(super) fn join<S: Simd>(&mut self, other: &Self) {
        S::raise(&mut self.0, &other.0);
    }

    /// The least coordinates.
    #[inline(always)]
    pub(super) fn low(&self) -> [f32; 4] {
        let a = &self.0;
        [-a[0], -a[1], -a[2], -a[3]]
    }

    /// Lengths along the axes.
    #[inline(always)]
    pub(super) fn sides(&self) -> [f32; 4] {
        let a = &self.0;
        [a[4] + a[0], a[5] + a[1], a[6] + a[2], a[7] + a[3]]
    }

    /// Half the surface; infinite if empty.
    #[inline(always)]
    pub(super) fn area(&self) -> f32 {
        let s = self.sides();
        s[0] * s[1] + s[1] * s[2] + s[2] * s[0]
    }
}
