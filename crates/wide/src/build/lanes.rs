//! The triangles of all leaves of a node, one leaf to a lane, and their boxes.
//!
//! Loops over lanes are written out so that they compile to vector instructions; results are the
//! same on every instruction set.

use impinge_geometry::{Mesh, Point, prefetch};

use crate::frame::Frame;
use crate::tree::{
    CELL_BITS, CELLS, CORNERS, LANES, LEAF, LEAST_UNIT, Lane, Leaf, NONE, Node, TRIANGLES,
};

/// Frames of sixteen lanes: `axes[j][k]` is component `k` of axis `j`.
pub(super) type Frames = [[[f32; LANES]; 3]; 3];

/// Least and largest coordinates: `range[0][k]` and `range[1][k]` for axis `k`.
pub(super) type Range = [[f64; 3]; 2];

/// The range of no point.
pub(super) const EMPTY: Range = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];

/// What is needed to read a leaf's corners in the model's frame.
#[derive(Clone, Copy)]
pub(super) struct Source<'m> {
    pub(super) vertices: &'m [Point],
    pub(super) triangles: &'m [[u32; 3]],
    pub(super) frame: Frame,
    pub(super) scale: f64,
}

impl<'m> Source<'m> {
    pub(super) fn of(frame: Frame, mesh: &'m Mesh) -> Self {
        let (vertices, triangles) = (mesh.vertices(), mesh.triangles());
        Self { vertices, triangles, frame, scale: frame.scale() }
    }

    /// Prefetches the triangles of leaves.
    pub(super) fn prefetch_triangles<'l>(&self, leaves: impl Iterator<Item = &'l Leaf>) {
        for leaf in leaves {
            for i in 0..TRIANGLES {
                prefetch(&self.triangles[leaf.triangle(i) as usize]);
            }
        }
    }

    /// Prefetches the corners of leaves.
    pub(super) fn prefetch_corners<'l>(&self, leaves: impl Iterator<Item = &'l Leaf>) {
        for leaf in leaves {
            for i in 0..TRIANGLES {
                for v in self.triangles[leaf.triangle(i) as usize] {
                    prefetch(&self.vertices[v as usize]);
                }
            }
        }
    }

    /// The corners of triangle `i` of a leaf; of the first one where there is none.
    #[inline(always)]
    pub(super) fn triangle(&self, leaf: &Leaf, i: usize) -> [[f64; 3]; 3] {
        let [u, v, w] = self.triangles[leaf.triangle(i) as usize];
        let enter = |v: u32| self.frame.enter(self.scale, &self.vertices[v as usize]);
        [enter(u), enter(v), enter(w)]
    }

    /// The corners of all triangles of a leaf, in the mesh's frame. In loops: a closure given to `map` is
    /// not inlined here.
    #[inline(always)]
    fn corners(&self, leaf: &Leaf) -> [&'m Point; CORNERS] {
        let mut corners = [&self.vertices[0]; CORNERS];
        for i in 0..TRIANGLES {
            let triangle = &self.triangles[leaf.triangle(i) as usize];
            for c in 0..3 {
                corners[3 * i + c] = &self.vertices[triangle[c] as usize];
            }
        }
        corners
    }
}

/// Of a number and this, rounded to nearest, the lowest bits are the number's cell.
const ROUND: f64 = (3u64 << 51) as f64 + CELLS as f64;
/// The bits of a cell.
const CELL: u64 = (1 << CELL_BITS) - 1;

/// Corners of leaves in the model's frame, after `shift` relative to an origin. Lanes without a
/// leaf repeat one that has one.
pub(super) struct Corners {
    /// `at[corner][coordinate][lane]`.
    pub(super) at: [[[f64; LANES]; 3]; CORNERS],
    /// 1, or 0 for a place without a triangle.
    pub(super) weights: [[f32; LANES]; TRIANGLES],
    /// Bit `l` is set if lane `l` is a leaf.
    pub(super) lanes: u32,
}

impl Corners {
    /// Loads the leaves of a node, of those from `base` on.
    #[inline(always)]
    pub(super) fn of(node: &Node, source: &Source<'_>, leaves: &[Leaf], base: u32) -> Self {
        let count = node.lanes as usize % (LANES + 1);
        let mut lanes = 0;
        for l in 0..count {
            lanes |= u32::from(node.child[l] & LEAF != 0) << l;
        }
        let leaf = |l: usize| &leaves[((node.child[l] & !LEAF) - base) as usize];
        let weights = [[0.0; LANES]; TRIANGLES];
        if lanes == 0 {
            return Self { at: [[[0.0; LANES]; 3]; CORNERS], weights, lanes };
        }
        let first = lanes.trailing_zeros() as usize % LANES;
        let whole = source.corners(leaf(first));
        let all = |n: usize| {
            let [x, y, z] = source.frame.enter(source.scale, whole[n]);
            [[x; LANES], [y; LANES], [z; LANES]]
        };
        let at = [
            all(0),
            all(1),
            all(2),
            all(3),
            all(4),
            all(5),
            all(6),
            all(7),
            all(8),
            all(9),
            all(10),
            all(11),
        ];
        let mut corners = Self { at, weights, lanes };
        for l in 0..count {
            if lanes >> l & 1 != 0 {
                corners.load(l, source, leaf(l));
            }
        }
        corners
    }

    /// Loads a leaf's corners.
    #[inline(always)]
    fn load(&mut self, l: usize, source: &Source<'_>, leaf: &Leaf) {
        let corners = source.corners(leaf);
        for n in 0..CORNERS {
            let entered = source.frame.enter(source.scale, corners[n]);
            for k in 0..3 {
                self.at[n][k][l] = entered[k];
            }
        }
        for (i, triangle) in leaf.triangles().into_iter().enumerate() {
            self.weights[i][l] = if triangle == NONE { 0.0 } else { 1.0 };
        }
    }

    /// Widens `bounds` to hold all corners, and puts these into the cells of their leaves, which are those
    /// from `base` on.
    ///
    /// The unit is rounded up by two parts in 2²³, so that a quotient of magnitude above `CELLS - 1` is
    /// less than half a cell beyond it.
    #[inline(always)]
    pub(super) fn place(&self, node: &Node, leaves: &mut [Leaf], base: u32, bounds: &mut Range) {
        if self.lanes == 0 {
            return;
        }
        let mut origin = [[0.0; LANES]; 3];
        let mut most = [0.0; LANES];
        for k in 0..3 {
            let (mut low, mut high) = (self.at[0][k], self.at[0][k]);
            for corner in &self.at {
                for l in 0..LANES {
                    low[l] = less(corner[k][l], low[l]);
                    high[l] = more(corner[k][l], high[l]);
                }
            }
            for l in 0..LANES {
                bounds[0][k] = less(low[l], bounds[0][k]);
                bounds[1][k] = more(high[l], bounds[1][k]);
            }
            for l in 0..LANES {
                origin[k][l] = (0.5 * (low[l] + high[l])) as f32;
                let o = f64::from(origin[k][l]);
                most[l] = more(more(o - low[l], high[l] - o), most[l]);
            }
        }
        let (mut unit, mut inverse) = ([0.0; LANES], [0.0; LANES]);
        for l in 0..LANES {
            let up = (most[l] / f64::from(CELLS - 1)) as f32 * (1.0 + 2.0 * f32::EPSILON);
            unit[l] = if up > LEAST_UNIT { up } else { LEAST_UNIT };
            inverse[l] = 1.0 / f64::from(unit[l]);
        }
        let mut words = [[0; LANES]; 2 * CORNERS];
        for (c, corner) in self.at.iter().enumerate() {
            let n = TRIANGLES * (c % 3) + c / 3;
            for l in 0..LANES {
                let mut cells = [0; 3];
                for k in 0..3 {
                    let from = corner[k][l] - f64::from(origin[k][l]);
                    cells[k] = (from * inverse[l] + ROUND).to_bits() & CELL;
                }
                let all = cells[0] | cells[1] << CELL_BITS | cells[2] << (2 * CELL_BITS);
                (words[n][l], words[CORNERS + n][l]) = (all as u32, (all >> 32) as u32);
            }
        }
        for l in 0..LANES {
            if self.lanes >> l & 1 != 0 {
                let leaf = &mut leaves[((node.child[l] & !LEAF) - base) as usize];
                (leaf.origin, leaf.unit) = ([origin[0][l], origin[1][l], origin[2][l]], unit[l]);
                for (word, words) in leaf.words.iter_mut().zip(&words) {
                    *word = words[l];
                }
            }
        }
    }

    /// Makes corners relative to an origin. Each coordinate is rounded once.
    #[inline(always)]
    pub(super) fn shift(&mut self, origin: &[f32; 3]) {
        for corner in &mut self.at {
            for k in 0..3 {
                for l in 0..LANES {
                    corner[k][l] -= f64::from(origin[k]);
                }
            }
        }
    }

    /// Widens `range` to hold the projections of all corners on three axes.
    #[inline(always)]
    pub(super) fn range(&self, axes: &[[f32; 3]; 3], range: &mut Range) {
        if self.lanes == 0 {
            return;
        }
        for j in 0..3 {
            let a = axes[j].map(f64::from);
            let (mut low, mut high) = ([f64::INFINITY; LANES], [f64::NEG_INFINITY; LANES]);
            for p in &self.at {
                for l in 0..LANES {
                    let x = a[0] * p[0][l] + a[1] * p[1][l] + a[2] * p[2][l];
                    low[l] = less(x, low[l]);
                    high[l] = more(x, high[l]);
                }
            }
            for l in 0..LANES {
                range[0][j] = less(low[l], range[0][j]);
                range[1][j] = more(high[l], range[1][j]);
            }
        }
    }

    /// Puts the least boxes with these frames into the node's leaf lanes, and anything into those of inner nodes.
    #[inline(always)]
    pub(super) fn wrap(&self, frames: &Frames, node: &mut Node) {
        let mut low = [[f64::INFINITY; LANES]; 3];
        let mut high = [[f64::NEG_INFINITY; LANES]; 3];
        for j in 0..3 {
            let a = &frames[j];
            for p in &self.at {
                for l in 0..LANES {
                    let a = [f64::from(a[0][l]), f64::from(a[1][l]), f64::from(a[2][l])];
                    let x = a[0] * p[0][l] + a[1] * p[1][l] + a[2] * p[2][l];
                    low[j][l] = less(x, low[j][l]);
                    high[j][l] = more(x, high[j][l]);
                }
            }
        }
        // Into all lanes, since stores that depend on a condition are slow. Those of inner nodes are put later.
        for l in 0..LANES {
            let mut axes = [[0.0; 3]; 3];
            for j in 0..3 {
                for k in 0..3 {
                    axes[j][k] = frames[j][k][l];
                }
            }
            let range = [[low[0][l], low[1][l], low[2][l]], [high[0][l], high[1][l], high[2][l]]];
            node.set(l, &least_box(&axes, &range));
        }
        for l in node.lanes as usize..LANES {
            node.set(l, &Lane::default());
        }
    }
}

/// The least box with these axes and this range, rounded outward: the ranges, in 64 bits, are off by
/// less than 2⁻⁴⁹ of the largest coordinate, and the half-lengths get 2⁻²² of themselves and 2⁻⁴⁶ of the
/// largest coordinate.
#[inline(always)]
pub(super) fn least_box(axes: &[[f32; 3]; 3], [low, high]: &Range) -> Lane {
    let mut largest = 0.0;
    let mut middle = [0.0; 3];
    for j in 0..3 {
        largest = more(more(low[j].abs(), high[j].abs()), largest);
        middle[j] = 0.5 * (low[j] + high[j]);
    }
    let mut lane = Lane { axes: *axes, ..Lane::default() };
    let mut at = [0.0; 3];
    for k in 0..3 {
        let mut x = 0.0;
        for j in 0..3 {
            x += f64::from(axes[j][k]) * middle[j];
        }
        lane.center[k] = x as f32;
        for j in 0..3 {
            at[j] += f64::from(axes[j][k]) * f64::from(lane.center[k]);
        }
    }
    for j in 0..3 {
        lane.half[j] = outward(more(high[j] - at[j], at[j] - low[j]), largest);
    }
    lane
}

/// A half-length, rounded outward as [`least_box`] tells.
#[inline(always)]
fn outward(half: f64, largest: f64) -> f32 {
    up(half * (1.0 + 1.0 / (1u64 << 22) as f64) + largest / (1u64 << 46) as f64)
}

/// `x` rounded up to 32 bits; `x` is at most a few units and not negative.
#[inline(always)]
fn up(x: f64) -> f32 {
    let y = x as f32;
    f32::from_bits(y.to_bits() + u32::from(f64::from(y) < x))
}

#[inline(always)]
pub(super) fn less(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

#[inline(always)]
pub(super) fn more(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

#[cfg(test)]
mod tests {
    use impinge_models::Random;

    use super::*;

    /// At any place and size, also where a leaf is smaller than the rounding of its origin.
    #[test]
    fn corners_are_in_their_cells() {
        let mut random = Random::new(17);
        let (mut most, mut farthest) = (0.0f64, 0);
        for _ in 0..2_000 {
            let at = [[[0.0; LANES]; 3]; CORNERS];
            let mut corners = Corners { at, weights: [[1.0; LANES]; TRIANGLES], lanes: 0x7fff };
            for l in 0..LANES {
                let size = random.range(-40.0, 0.0).exp2() * f64::from(!random.chance(0.1));
                let at = random.vector(-0.5, 0.5);
                for k in 0..3 {
                    let flat = if random.chance(0.2) { 0.0 } else { 0.5 * size };
                    for corner in &mut corners.at {
                        corner[k][l] = at[k] + random.range(-flat, flat);
                    }
                }
            }
            let (mut node, mut leaves) = (Node::empty([0.0; 3]), [Leaf::new(&[3, 1]); LANES]);
            node.child = std::array::from_fn(|l| LEAF | (100 + (l as u32 + 5) % LANES as u32));
            corners.place(&node, &mut leaves, 100, &mut EMPTY.clone());
            assert_eq!(leaves[4], Leaf::new(&[3, 1]), "of a lane that is no leaf");
            for l in 0..LANES - 1 {
                let leaf = &leaves[(l + 5) % LANES];
                assert_eq!(leaf.triangles(), [3, 1, NONE, NONE]);
                for (c, corner) in corners.at.iter().enumerate() {
                    for (k, cell) in leaf.cells(4 * (c % 3) + c / 3).into_iter().enumerate() {
                        let from = corner[k][l] - f64::from(leaf.origin[k]);
                        let off = (from / f64::from(leaf.unit) - f64::from(cell)).abs();
                        assert!(off <= 0.500_001, "{off} of a cell");
                        most = most.max(off);
                        farthest = farthest.max(cell.abs());
                    }
                }
            }
        }
        assert!(most > 0.499 && farthest == CELLS as i32 - 1, "{most} {farthest}");
    }
}
