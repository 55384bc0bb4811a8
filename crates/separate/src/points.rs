//! Posed vertices as three lists of coordinates, and their support function.

use impinge_geometry::gjk::{Extreme, Support};
use impinge_geometry::{Point, Pose, Vector};
use impinge_query::{Cancelled, Control};

use crate::volume::Slab;

/// Vertices placed between two looks at the caller's flag.
const LOOK: usize = 1 << 13;

/// Points handled at once.
const LANES: usize = 16;

/// Unit of rounding of f64.
const UNIT: f64 = f64::EPSILON / 2.0;

/// Rounding of a [`height`], in u of the product of sizes; 3 are needed.
const HEIGHT: f64 = 4.0;

/// More than the underflow of a few products, which is at most 2⁻¹⁰⁷⁵ each.
pub(crate) const UNDERFLOW: f64 = f64::from_bits(8);

/// The vertices of a mesh in one frame. Its length is a multiple of sixteen; copies of the first
/// vertex fill it up. So do they stand in for vertices of no triangle.
#[derive(Clone, Debug, Default)]
pub struct Points {
    x: Vec<f64>,
    y: Vec<f64>,
    z: Vec<f64>,
    /// Number of vertices.
    len: usize,
    /// The largest magnitude of a coordinate.
    largest: f64,
}

impl Points {
    /// The vertices placed by `pose`. `used` tells which of them belong to a triangle, `None` if all
    /// do, and names one that does.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub(crate) fn place(
        &mut self,
        vertices: &[Point],
        (used, first): (Option<&[bool]>, u32),
        pose: &Pose,
        control: &Control<'_>,
    ) -> Result<(), Cancelled> {
        let first = pose.apply(&vertices[first as usize]);
        let padded = vertices.len().next_multiple_of(LANES);
        for list in [&mut self.x, &mut self.y, &mut self.z] {
            list.clear();
            list.resize(padded, 0.0);
        }
        for (i, p) in vertices.iter().enumerate() {
            if i % LOOK == 0 {
                control.check()?;
            }
            let p = if used.is_none_or(|used| used[i]) { pose.apply(p) } else { first };
            (self.x[i], self.y[i], self.z[i]) = (p.x, p.y, p.z);
        }
        for i in vertices.len()..padded {
            (self.x[i], self.y[i], self.z[i]) = (first.x, first.y, first.z);
        }
        self.len = vertices.len();
        control.check()?;
        self.largest =
            [&self.x, &self.y, &self.z].into_iter().map(|list| amax(list)).fold(0.0, f64::max);
        Ok(())
    }

    /// The number of vertices.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none. Never true of a prepared mesh.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// A vertex in the frame of the list.
    ///
    /// # Panics
    /// If there is no such vertex.
    pub fn get(&self, index: u32) -> Point {
        let i = index as usize;
        Point::new(self.x[i], self.y[i], self.z[i])
    }

    /// The coordinates along one axis, padded.
    pub(crate) fn along(&self, axis: usize) -> &[f64] {
        [&self.x, &self.y, &self.z][axis]
    }

    /// Memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        3 * size_of_val(self.x.as_slice())
    }

    /// The least and greatest [`height`] in a direction.
    pub fn slab(&self, d: &Vector) -> Slab {
        self.scan(d, |_, _| {})
    }

    /// Writes the [`height`] of every vertex in a direction, padded, and returns their slab.
    pub(crate) fn measure(&self, d: &Vector, into: &mut Vec<f64>) -> Slab {
        into.resize(self.x.len(), 0.0);
        self.scan(d, |chunk, heights| into[chunk * LANES..][..LANES].copy_from_slice(heights))
    }

    #[inline(always)]
    fn scan(&self, d: &Vector, mut each: impl FnMut(usize, &[f64; LANES])) -> Slab {
        let (mut low, mut high) = ([f64::INFINITY; LANES], [f64::NEG_INFINITY; LANES]);
        for chunk in 0..self.x.len() / LANES {
            let heights = self.heights(chunk, d);
            each(chunk, &heights);
            for k in 0..LANES {
                low[k] = if heights[k] < low[k] { heights[k] } else { low[k] };
                high[k] = if heights[k] > high[k] { heights[k] } else { high[k] };
            }
        }
        Slab {
            low: low.into_iter().fold(f64::INFINITY, f64::min),
            high: high.into_iter().fold(f64::NEG_INFINITY, f64::max),
        }
    }

    /// The length of the list with its padding.
    pub(crate) const fn padded(&self) -> usize {
        self.x.len()
    }

    /// How far a [`height`] in a direction may be off: three products and two sums, each rounded,
    /// cost at most 3 u of `|d|₁` times the largest coordinate; 4 u are granted.
    pub fn doubt(&self, d: &Vector) -> f64 {
        HEIGHT * UNIT * (d.abs().sum() * self.largest) + UNDERFLOW
    }

    #[inline(always)]
    fn heights(&self, chunk: usize, d: &Vector) -> [f64; LANES] {
        let range = chunk * LANES..(chunk + 1) * LANES;
        let (x, y, z) = (&self.x[range.clone()], &self.y[range.clone()], &self.z[range]);
        // Not `from_fn`, which is not inlined here and takes twice as long.
        let mut heights = [0.0; LANES];
        for k in 0..LANES {
            heights[k] = height([x[k], y[k], z[k]], d);
        }
        heights
    }
}

/// `d · p`, always in the same order of operations.
#[inline(always)]
pub fn height([x, y, z]: [f64; 3], d: &Vector) -> f64 {
    (d.x * x + d.y * y) + d.z * z
}

/// Sets a bit in the code of every vertex outside `slab`: bit `2 bit` if its height is below, the
/// next if it is above. The lists are padded, and equally long.
pub(crate) fn mark(heights: &[f64], slab: Slab, bit: usize, codes: &mut [u16]) {
    let (below, above) = (1u16 << (2 * bit), 2u16 << (2 * bit));
    for (heights, codes) in heights.chunks_exact(LANES).zip(codes.chunks_exact_mut(LANES)) {
        for k in 0..LANES {
            codes[k] |= below * u16::from(heights[k] < slab.low);
            codes[k] |= above * u16::from(heights[k] > slab.high);
        }
    }
}

fn amax(list: &[f64]) -> f64 {
    let mut most = [0.0f64; LANES];
    for chunk in list.chunks_exact(LANES) {
        for (most, x) in most.iter_mut().zip(chunk) {
            *most = if x.abs() > *most { x.abs() } else { *most };
        }
    }
    most.into_iter().fold(0.0, f64::max)
}

impl Support for &Points {
    /// The first of equally far points.
    fn farthest(&mut self, d: &Vector) -> Extreme {
        let (mut best, mut at) = ([f64::NEG_INFINITY; LANES], [0u64; LANES]);
        for chunk in 0..self.x.len() / LANES {
            let heights = self.heights(chunk, d);
            for k in 0..LANES {
                let above = heights[k] > best[k];
                best[k] = if above { heights[k] } else { best[k] };
                at[k] = if above { chunk as u64 } else { at[k] };
            }
        }
        let most = best.into_iter().fold(f64::NEG_INFINITY, f64::max);
        let lanes = (0..LANES).filter(|&k| best[k] == most);
        let index = lanes.map(|k| at[k] as u32 * LANES as u32 + k as u32).min().unwrap_or(0);
        Extreme { index, point: self.get(index) }
    }

    /// Two heights are compared, each off by at most 3 u of `|d|₁` times the largest coordinate.
    fn excess(&self) -> f64 {
        8.0 * UNIT * self.largest + f64::MIN_POSITIVE
    }
}

/// Points whose searches look at the caller's flag. Once it is raised they return one point, which
/// ends a run of GJK, and [`Watched::end`] returns the error.
pub(crate) struct Watched<'p> {
    points: &'p Points,
    control: &'p Control<'p>,
    cancelled: Option<Cancelled>,
}

impl<'p> Watched<'p> {
    pub(crate) const fn new(points: &'p Points, control: &'p Control<'p>) -> Self {
        Self { points, control, cancelled: None }
    }

    pub(crate) fn end(self) -> Result<(), Cancelled> {
        self.cancelled.map_or(Ok(()), Err)
    }
}

impl Support for Watched<'_> {
    fn farthest(&mut self, d: &Vector) -> Extreme {
        self.cancelled = self.cancelled.or(self.control.check().err());
        if self.cancelled.is_some() {
            return Extreme { index: 0, point: self.points.get(0) };
        }
        let mut points = self.points;
        points.farthest(d)
    }

    fn excess(&self) -> f64 {
        let points = self.points;
        points.excess()
    }
}

#[cfg(test)]
mod tests;
