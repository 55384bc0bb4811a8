//! The edges of a mesh, each once, and the test of an edge against a box.

use impinge_geometry::{Mesh, Point};
use impinge_query::{Cancelled, Control, order};

use crate::placement::SLACK;

#[cfg(test)]
mod adversarial;

/// All edges of a mesh, each once regardless of direction, with the triangles that have it.
///
/// Vertices with different indices are different, even if they coincide.
#[derive(Clone, Debug, Default)]
pub struct Edges {
    ends: Vec<[u32; 2]>,
    /// Triangles of edge `e` are `triangles[first[e]..first[e + 1]]`.
    first: Vec<u32>,
    triangles: Vec<u32>,
}

impl Edges {
    /// Collects the edges. O(n log n).
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn new(mesh: &Mesh, control: &Control<'_>) -> Result<Self, Cancelled> {
        let key = |u: u32, v: u32| (u64::from(u.min(v)) << 32) | u64::from(u.max(v));
        let mut all: Vec<(u64, u32)> = (mesh.triangles().iter().zip(0..))
            .flat_map(|(&[p, q, r], t)| [(key(p, q), t), (key(q, r), t), (key(r, p), t)])
            .collect();
        control.check()?;
        order::sort_by(&mut all, |x| x.0, <[_]>::sort_unstable, control)?;
        // A triangle with two equal corners has the same edge twice.
        all.dedup();
        let mut edges = Self::default();
        for same in all.chunk_by(|x, y| x.0 == y.0) {
            edges.ends.push([(same[0].0 >> 32) as u32, same[0].0 as u32]);
            edges.first.push(edges.triangles.len() as u32);
            edges.triangles.extend(same.iter().map(|x| x.1));
        }
        edges.first.push(edges.triangles.len() as u32);
        control.check()?;
        Ok(edges)
    }

    /// Number of edges.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no edges; never for the edges of a mesh.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The indices of an edge's two vertices.
    pub fn ends(&self, edge: u32) -> [u32; 2] {
        self.ends[edge as usize]
    }

    /// The triangles that have an edge, in ascending order.
    pub fn triangles(&self, edge: u32) -> &[u32] {
        let range = |e: usize| self.first[e] as usize;
        &self.triangles[range(edge as usize)..range(edge as usize + 1)]
    }

    /// The edges of each of `n` triangles; a degenerate one has fewer, padded with [`u32::MAX`].
    pub fn by_triangle(&self, n: usize) -> Vec<[u32; 3]> {
        let mut edges = vec![[u32::MAX; 3]; n];
        for e in 0..self.len() as u32 {
            for &t in self.triangles(e) {
                let own = &mut edges[t as usize];
                if let Some(free) = own.iter_mut().find(|e| **e == u32::MAX) {
                    *free = e;
                }
            }
        }
        edges
    }

    /// Memory in bytes.
    pub fn bytes(&self) -> usize {
        self.ends.capacity() * size_of::<[u32; 2]>()
            + (self.first.capacity() + self.triangles.capacity()) * size_of::<u32>()
    }
}

/// An edge in the frame of the boxes that it is tested against: its midpoint and half its vector.
/// Both are rounded; the pad of the test covers that.
#[derive(Clone, Copy, Debug)]
pub struct EdgeSegment {
    middle: [f64; 3],
    half: [f64; 3],
    /// Its index in [`Edges`].
    pub edge: u32,
}

impl EdgeSegment {
    /// The segment between two points. Halves are summed, so that nothing overflows.
    #[inline(always)]
    pub fn new(u: &Point, v: &Point, edge: u32) -> Self {
        let middle = [0, 1, 2].map(|k| 0.5 * u[k] + 0.5 * v[k]);
        Self { middle, half: [0, 1, 2].map(|k| 0.5 * v[k] - 0.5 * u[k]), edge }
    }
}

/// An axis-aligned box enlarged by the query's pad, for tests of segments.
#[derive(Clone, Copy, Debug)]
pub struct PaddedBox {
    center: [f64; 3],
    half: [f64; 3],
    /// Whether products of two coordinates cannot overflow.
    products: bool,
}

/// Products of coordinates below this do not overflow.
const PRODUCTS: f64 = 1e150;

impl PaddedBox {
    /// The box from `low` to `high`, enlarged by `pad` on every side. The pad is 512 units of
    /// rounding of the query's scale, of which rotated edges and the test below need less than 24
    /// (`docs/methods/escd.md`, "Error bound").
    #[inline(always)]
    pub fn new(low: [f64; 3], high: [f64; 3], pad: f64) -> Self {
        let center = [0, 1, 2].map(|k| 0.5 * low[k] + 0.5 * high[k]);
        let half = [0, 1, 2].map(|k| (0.5 * high[k] - 0.5 * low[k]) + pad);
        Self { center, half, products: pad < PRODUCTS * SLACK }
    }

    /// Whether the segment and the box may share a point. `false` proves that they do not: their
    /// projections are disjoint on an axis of the box, or on one perpendicular to such an axis and
    /// to the segment.
    #[inline(always)]
    pub fn meets(&self, s: &EdgeSegment) -> bool {
        let t = [0, 1, 2].map(|k| s.middle[k] - self.center[k]);
        let d = s.half.map(f64::abs);
        for k in 0..3 {
            if t[k].abs() > self.half[k] + d[k] {
                return false;
            }
        }
        if !self.products {
            return true;
        }
        let (h, v) = (&self.half, &s.half);
        for (i, j) in [(1, 2), (2, 0), (0, 1)] {
            let reach = h[i] * d[j] + h[j] * d[i] + f64::MIN_POSITIVE;
            if (t[i] * v[j] - t[j] * v[i]).abs() > reach {
                return false;
            }
        }
        true
    }
}
