//! What the cutters read of a triangle: its bounds, in 32 bits.

use impinge_geometry::Mesh;
use rayon::prelude::*;

use crate::frame::Frame;

/// A triangle's bounds in the model's frame, rounded to nearest: they decide the tree's shape,
/// never a verdict. Padded to four components, so that minima and maxima are one instruction.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(16))]
pub(super) struct Record {
    pub(super) low: [f32; 3],
    /// Index of the triangle.
    pub(super) id: u32,
    pub(super) high: [f32; 3],
    pub(super) unused: u32,
}

impl Record {
    /// Twice the centre of the bounds.
    #[inline(always)]
    pub(super) fn twice(&self) -> [f32; 4] {
        let (a, b) = (&self.low, &self.high);
        [a[0] + b[0], a[1] + b[1], a[2] + b[2], 0.0]
    }
}

/// One record per triangle, in the order of the mesh.
pub(super) fn records(mesh: &Mesh, frame: &Frame) -> Vec<Record> {
    let (scale, vertices) = (frame.scale(), mesh.vertices());
    let record = |(id, t): (usize, &[u32; 3])| {
        let mut record = Record { id: id as u32, ..Record::default() };
        for (i, &v) in t.iter().enumerate() {
            let p = &vertices[v as usize];
            for k in 0..3 {
                let x = ((p[k] - frame.center[k]) * scale) as f32;
                record.low[k] = if i == 0 { x } else { less(x, record.low[k]) };
                record.high[k] = if i == 0 { x } else { more(x, record.high[k]) };
            }
        }
        record
    };
    mesh.triangles().par_iter().with_min_len(4096).enumerate().map(record).collect()
}

/// Bounds of a growing set, in four components.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub(super) low: [f32; 4],
    pub(super) high: [f32; 4],
}

impl Bounds {
    pub(super) const EMPTY: Self = Self { low: [f32::INFINITY; 4], high: [f32::NEG_INFINITY; 4] };

    #[inline(always)]
    pub(super) fn of<'r>(records: impl Iterator<Item = &'r Record>) -> Self {
        let mut bounds = Self::EMPTY;
        for record in records {
            bounds.add(record);
        }
        bounds
    }

    #[inline(always)]
    pub(super) fn add(&mut self, r: &Record) {
        let (low, high) = (&r.low, &r.high);
        self.join(&Self {
            low: [low[0], low[1], low[2], 0.0],
            high: [high[0], high[1], high[2], 0.0],
        });
    }

    #[inline(always)]
    pub(super) fn join(&mut self, other: &Self) {
        for k in 0..4 {
            self.low[k] = less(other.low[k], self.low[k]);
            self.high[k] = more(other.high[k], self.high[k]);
        }
    }

    /// Half the surface; not above zero if empty.
    #[inline(always)]
    pub(super) fn area(&self) -> f32 {
        let (a, b) = (&self.low, &self.high);
        let s = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
        s[0] * s[1] + s[1] * s[2] + s[2] * s[0]
    }
}

#[inline(always)]
fn less(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

#[inline(always)]
fn more(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}
