//! The triangles of all leaves of a node, one leaf to a lane, and their boxes.
//!
//! Loops over lanes are written out so that they compile to vector instructions; results are the
//! same on every instruction set.

use impinge_geometry::{Mesh, Point};

use crate::frame::Frame;
use crate::tree::{CORNERS, LANES, LEAF, Lane, Leaf, NONE, Node, TRIANGLES};

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
    pub(super) leaves: &'m [Leaf],
    pub(super) frame: Frame,
    pub(super) scale: f64,
}

impl<'m> Source<'m> {
    pub(super) fn of(frame: Frame, leaves: &'m [Leaf], mesh: &'m Mesh) -> Self {
        let (vertices, triangles) = (mesh.vertices(), mesh.triangles());
        Self { vertices, triangles, leaves, frame, scale: frame.scale() }
    }

    /// Corner `c` of a leaf: corner `c % 3` of triangle `c / 3`.
    #[inline(always)]
    pub(super) fn corner(&self, leaf: &Leaf, c: usize) -> [f64; 3] {
        let v = self.triangles[leaf.triangle(c / 3) as usize][c % 3];
        self.frame.enter(self.scale, &self.vertices[v as usize])
    }
}

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
    /// Loads the leaves of a node.
    #[inline(always)]
    pub(super) fn of(node: &Node, source: &Source<'_>) -> Self {
        let at = [[[0.0; LANES]; 3]; CORNERS];
        let mut corners = Self { at, weights: [[0.0; LANES]; TRIANGLES], lanes: 0 };
        for l in 0..node.lanes as usize % (LANES + 1) {
            if node.child[l] & LEAF != 0 {
                corners.load(l, source, &source.leaves[(node.child[l] & !LEAF) as usize]);
            }
        }
        let first = corners.lanes.trailing_zeros() as usize % LANES;
        for corner in &mut corners.at {
            for x in corner {
                for l in 0..LANES {
                    x[l] = if corners.lanes >> l & 1 == 0 { x[first] } else { x[l] };
                }
            }
        }
        corners
    }

    #[inline(always)]
    fn load(&mut self, l: usize, source: &Source<'_>, leaf: &Leaf) {
        for c in 0..CORNERS {
            let p = source.corner(leaf, c);
            for k in 0..3 {
                self.at[c][k][l] = p[k];
            }
        }
        for (i, triangle) in leaf.triangles().into_iter().enumerate() {
            self.weights[i][l] = if triangle == NONE { 0.0 } else { 1.0 };
        }
        self.lanes |= 1 << l;
    }

    /// Widens `bounds` to hold all corners.
    #[inline(always)]
    pub(super) fn bounds(&self, bounds: &mut Range) {
        if self.lanes == 0 {
            return;
        }
        for k in 0..3 {
            let mut low = self.at[0][k];
            let mut high = low;
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

    /// Puts the least boxes with these frames into the node's leaf lanes.
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
        for l in 0..LANES {
            if self.lanes >> l & 1 != 0 {
                let mut axes = [[0.0; 3]; 3];
                for j in 0..3 {
                    for k in 0..3 {
                        axes[j][k] = frames[j][k][l];
                    }
                }
                let range =
                    [[low[0][l], low[1][l], low[2][l]], [high[0][l], high[1][l], high[2][l]]];
                put(node, l, &axes, &range);
            }
        }
    }
}

/// Puts the least box with these axes and this range into a lane, rounded outward: the ranges, in
/// 64 bits, are off by less than 2⁻⁴⁹ of the largest coordinate, and the half-lengths get 2⁻²² of
/// themselves and 2⁻⁴⁶ of the largest coordinate.
#[inline(always)]
pub(super) fn put(node: &mut Node, l: usize, axes: &[[f32; 3]; 3], [low, high]: &Range) {
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
        let most = more(high[j] - at[j], at[j] - low[j]);
        lane.half[j] = up(most * (1.0 + 1.0 / (1u64 << 22) as f64) + largest / (1u64 << 46) as f64);
    }
    node.set(l, &lane);
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
