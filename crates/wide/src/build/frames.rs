//! Frames of leaves' boxes: of the model's axes, the surface's principal axes, and each triangle's
//! plane with its longest or its shortest edge, those with the smallest box. The shortest is a side where two
//! triangles make a rectangle, as in many designed parts; the longest is its diagonal. Computed in
//! 32 bits, for all lanes at once.

use super::lanes::{Corners, Frames};
use super::moments::{Moments, PAIRS, SWEEPS, identity, sweep};
use crate::tree::{CORNERS, LANES, OFF, TRIANGLES};

type Lanes = [f32; LANES];

/// Corners of each leaf, relative to its first and divided by the leaf's size.
struct Local {
    at: [[Lanes; 3]; CORNERS],
    size: [f64; LANES],
}

impl Local {
    #[inline(always)]
    fn new(corners: &Corners) -> Self {
        let mut size = [0.0f64; LANES];
        for c in 1..CORNERS {
            for k in 0..3 {
                for l in 0..LANES {
                    let x = (corners.at[c][k][l] - corners.at[0][k][l]).abs();
                    size[l] = if x > size[l] { x } else { size[l] };
                }
            }
        }
        let mut inverse = [0.0; LANES];
        for l in 0..LANES {
            inverse[l] = if size[l] > 1e-290 { 1.0 / size[l] } else { 0.0 };
        }
        let mut at = [[[0.0; LANES]; 3]; CORNERS];
        for c in 1..CORNERS {
            for k in 0..3 {
                for l in 0..LANES {
                    at[c][k][l] = ((corners.at[c][k][l] - corners.at[0][k][l]) * inverse[l]) as f32;
                }
            }
        }
        Self { at, size }
    }

    #[inline(always)]
    fn edge(&self, from: usize, to: usize) -> [Lanes; 3] {
        let mut edge = [[0.0; LANES]; 3];
        for k in 0..3 {
            for l in 0..LANES {
                edge[k][l] = self.at[to][k][l] - self.at[from][k][l];
            }
        }
        edge
    }

    /// How long the leaves are along an axis.
    #[inline(always)]
    fn lengths(&self, a: &[Lanes; 3]) -> Lanes {
        let (mut low, mut high) = ([f32::INFINITY; LANES], [f32::NEG_INFINITY; LANES]);
        for p in &self.at {
            for l in 0..LANES {
                let x = a[0][l] * p[0][l] + a[1][l] * p[1][l] + a[2][l] * p[2][l];
                low[l] = if x < low[l] { x } else { low[l] };
                high[l] = if x > high[l] { x } else { high[l] };
            }
        }
        for l in 0..LANES {
            high[l] -= low[l];
        }
        high
    }

    /// Surfaces, over two, of the boxes with these frames.
    #[inline(always)]
    fn surfaces(&self, frames: &Frames) -> Lanes {
        self.surfaces_along(frames, &self.lengths(&frames[2]))
    }

    /// The same if the lengths along the last axes are known.
    #[inline(always)]
    fn surfaces_along(&self, frames: &Frames, last: &Lanes) -> Lanes {
        let [first, second] = [self.lengths(&frames[0]), self.lengths(&frames[1])];
        let mut surfaces = [0.0; LANES];
        for l in 0..LANES {
            let [x, y, z] = [first[l], second[l], last[l]];
            surfaces[l] = x * y + y * z + z * x;
        }
        surfaces
    }

    /// The triangle's plane, whose normal is the last axis, with its longest edge and with its shortest; NaN for a
    /// triangle without area.
    #[inline(always)]
    fn planes(&self, triangle: usize) -> [Frames; 2] {
        let c = 3 * triangle;
        let edges = [self.edge(c, c + 1), self.edge(c + 1, c + 2), self.edge(c + 2, c)];
        let mut frames = [[[[0.0; LANES]; 3]; 3]; 2];
        for l in 0..LANES {
            let x = [edges[0][0][l], edges[0][1][l], edges[0][2][l]];
            let y = [edges[1][0][l], edges[1][1][l], edges[1][2][l]];
            let z = [edges[2][0][l], edges[2][1][l], edges[2][2][l]];
            let n = cross(&x, &y);
            let (of_x, of_y, of_z) = (dot(&x, &x), dot(&y, &y), dot(&z, &z));
            let g = 1.0 / dot(&n, &n).sqrt();
            let n = [n[0] * g, n[1] * g, n[2] * g];
            let (mut long, mut short) = ([0.0; 3], [0.0; 3]);
            for k in 0..3 {
                long[k] = if of_y > of_x { y[k] } else { x[k] };
                short[k] = if of_y < of_x { y[k] } else { x[k] };
            }
            let (longer, shorter) = if of_y > of_x { (of_y, of_x) } else { (of_x, of_y) };
            for k in 0..3 {
                long[k] = if of_z > longer { z[k] } else { long[k] };
                short[k] = if of_z < shorter { z[k] } else { short[k] };
            }
            let longest = if of_z > longer { of_z } else { longer };
            let shortest = if of_z < shorter { of_z } else { shorter };
            put(&mut frames[0], l, &long, longest, &n);
            put(&mut frames[1], l, &short, shortest, &n);
        }
        frames
    }

    /// Per lane: area, centroid, and second moments about the centroid divided by the area.
    #[inline(always)]
    fn moments(&self, weights: &[Lanes; TRIANGLES]) -> (Lanes, [Lanes; 3], [Lanes; 6]) {
        let (mut areas, mut first) = ([0.0; LANES], [[0.0; LANES]; 3]);
        let mut second = [[0.0; LANES]; 6];
        for i in 0..TRIANGLES {
            let c = 3 * i;
            let (e, f) = (self.edge(c, c + 1), self.edge(c, c + 2));
            let (p, q, r) = (&self.at[c], &self.at[c + 1], &self.at[c + 2]);
            for l in 0..LANES {
                let n = cross(&[e[0][l], e[1][l], e[2][l]], &[f[0][l], f[1][l], f[2][l]]);
                let area = 0.5 * weights[i][l] * dot(&n, &n).sqrt();
                areas[l] += area;
                let mut m = [0.0; 3];
                for k in 0..3 {
                    m[k] = (p[k][l] + q[k][l] + r[k][l]) * (1.0 / 3.0);
                    first[k][l] += area * m[k];
                }
                for s in 0..6 {
                    let (j, k) = PAIRS[s];
                    let corners = p[j][l] * p[k][l] + q[j][l] * q[k][l] + r[j][l] * r[k][l];
                    second[s][l] += area * (1.0 / 12.0) * (9.0 * m[j] * m[k] + corners);
                }
            }
        }
        for l in 0..LANES {
            let over = if areas[l] > 0.0 { 1.0 / areas[l] } else { 0.0 };
            for k in 0..3 {
                first[k][l] *= over;
            }
            for s in 0..6 {
                let (j, k) = PAIRS[s];
                second[s][l] = second[s][l] * over - first[j][l] * first[k][l];
            }
        }
        (areas, first, second)
    }
}

/// Puts the frame of an edge, of this length squared, and a normal into a lane.
#[inline(always)]
fn put(frames: &mut Frames, l: usize, edge: &[f32; 3], square: f32, n: &[f32; 3]) {
    let f = 1.0 / square.sqrt();
    let x = [edge[0] * f, edge[1] * f, edge[2] * f];
    let y = cross(n, &x);
    for k in 0..3 {
        frames[0][k][l] = x[k];
        frames[1][k][l] = y[k];
        frames[2][k][l] = n[k];
    }
}

/// The best frames of leaves, orthonormal to [`OFF`]. Adds the moments of all leaves, about the
/// origin of the corners, to `sum`.
#[inline(always)]
pub(super) fn choose(corners: &Corners, sum: &mut Moments) -> Frames {
    let local = Local::new(corners);
    let (areas, mean, second) = local.moments(&corners.weights);
    for l in 0..LANES {
        if corners.lanes >> l & 1 != 0 {
            sum.join(&unscaled(corners, &local, l, areas[l], &mean, &second));
        }
    }
    let mut best = identity();
    let mut least = local.surfaces(&best);
    let (mut matrix, mut axes) = (second, identity());
    for _ in 0..SWEEPS {
        sweep(&mut matrix, &mut axes);
    }
    better(&mut best, &mut least, &axes, &local.surfaces(&axes));
    for triangle in 0..TRIANGLES {
        let planes = local.planes(triangle);
        let thick = local.lengths(&planes[0][2]);
        for plane in &planes {
            better(&mut best, &mut least, plane, &local.surfaces_along(plane, &thick));
        }
    }
    rounded(&best)
}

/// A lane's moments in the model's unit.
#[inline(always)]
fn unscaled(
    corners: &Corners,
    local: &Local,
    l: usize,
    area: f32,
    mean: &[Lanes; 3],
    second: &[Lanes; 6],
) -> Moments {
    let size = local.size[l];
    let area = f64::from(area) * size * size;
    let mut moments = Moments { area, ..Moments::default() };
    for k in 0..3 {
        moments.mean[k] = corners.at[0][k][l] + size * f64::from(mean[k][l]);
    }
    for s in 0..6 {
        moments.second[s] = area * size * size * f64::from(second[s][l]);
    }
    moments
}

#[inline(always)]
fn better(best: &mut Frames, least: &mut Lanes, frames: &Frames, surfaces: &Lanes) {
    for j in 0..3 {
        for k in 0..3 {
            for l in 0..LANES {
                let is = surfaces[l] < least[l];
                best[j][k][l] = if is { frames[j][k][l] } else { best[j][k][l] };
            }
        }
    }
    for l in 0..LANES {
        least[l] = if surfaces[l] < least[l] { surfaces[l] } else { least[l] };
    }
}

/// Makes frames orthonormal in 64 bits and rounds them; the model's axes where that fails.
#[inline(always)]
fn rounded(frames: &Frames) -> Frames {
    let mut out = identity();
    for l in 0..LANES {
        let mut frame = [[0.0; 3]; 3];
        for j in 0..3 {
            for k in 0..3 {
                frame[j][k] = f64::from(frames[j][k][l]);
            }
        }
        let (frame, valid) = orthonormal(&frame);
        for j in 0..3 {
            for k in 0..3 {
                // Not what is there, since stores that depend on a condition are slow.
                let of_model = if j == k { 1.0 } else { 0.0 };
                out[j][k][l] = if valid { frame[j][k] } else { of_model };
            }
        }
    }
    out
}

/// Makes a frame orthonormal and rounds it to 32 bits; and whether the rounded one is orthonormal
/// to [`OFF`].
#[inline(always)]
pub(super) fn orthonormal(frame: &[[f64; 3]; 3]) -> ([[f32; 3]; 3], bool) {
    let x = unit(&frame[0]);
    let z = unit(&cross(&x, &frame[1]));
    let y = cross(&z, &x);
    let mut axes = [[0.0; 3]; 3];
    for (j, axis) in [x, y, z].iter().enumerate() {
        for k in 0..3 {
            axes[j][k] = axis[k] as f32;
        }
    }
    let mut off = 0.0;
    let wide = [axes[0].map(f64::from), axes[1].map(f64::from), axes[2].map(f64::from)];
    let mut numbers = true;
    for (i, j) in PAIRS {
        let is = (dot(&wide[i], &wide[j]) - if i == j { 1.0 } else { 0.0 }).abs();
        off = if is > off { is } else { off };
        numbers &= !is.is_nan();
    }
    (axes, numbers && off <= OFF)
}

#[inline(always)]
fn unit(v: &[f64; 3]) -> [f64; 3] {
    let f = 1.0 / dot(v, v).sqrt();
    [v[0] * f, v[1] * f, v[2] * f]
}

#[inline(always)]
fn cross<T>(a: &[T; 3], b: &[T; 3]) -> [T; 3]
where
    T: Copy + std::ops::Mul<Output = T> + std::ops::Sub<Output = T>,
{
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[inline(always)]
fn dot<T>(a: &[T; 3], b: &[T; 3]) -> T
where
    T: Copy + std::ops::Mul<Output = T> + std::ops::Add<Output = T>,
{
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
