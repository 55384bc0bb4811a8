//! The Utah teapot, from Martin Newell's patches.
//!
//! Source: M. E. Newell, "The Utilization of Procedure Models in Digital Image Synthesis",
//! doctoral thesis, University of Utah, 1975; the numbers as listed in F. Crow, "The Origins of the
//! Teapot", IEEE CG&A 7(1), 1987, doi:10.1109/MCG.1987.277023, who also gives the bottom. The
//! control points equal those of two listings in use: one of 306 points in 32 patches, one of 127
//! points in ten patches to be mirrored.
//!
//! The data are symmetric: every row of a round part is a quarter circle of radius `r`, the points
//! `(r, 0) (r, −c) (c, −r) (0, −r)`; every row of handle and spout is half an oval. A few numbers
//! per row suffice, and mirrored patches join exactly.

use impinge_geometry::{Mesh, Point, Vector};

use super::ParameterError;
use super::surface::{Surface, check_least, check_size};

/// Rows `r, c, z` of the round parts, four per patch: rim, body above, body below, lid's knob, lid,
/// bottom. Each entry stands for four patches.
const ROUND: [[[f64; 3]; 4]; 6] = [
    [[1.4, 0.784, 2.4], [1.3375, 0.749, 2.53125], [1.4375, 0.805, 2.53125], [1.5, 0.84, 2.4]],
    [[1.5, 0.84, 2.4], [1.75, 0.98, 1.875], [2.0, 1.12, 1.35], [2.0, 1.12, 0.9]],
    [[2.0, 1.12, 0.9], [2.0, 1.12, 0.45], [1.5, 0.84, 0.225], [1.5, 0.84, 0.15]],
    [[0.0, 0.0, 3.15], [0.8, 0.45, 3.15], [0.0, 0.0, 2.85], [0.2, 0.112, 2.7]],
    [[0.2, 0.112, 2.7], [0.4, 0.224, 2.55], [1.3, 0.728, 2.55], [1.3, 0.728, 2.4]],
    [[0.0, 0.0, 0.0], [1.425, 0.798, 0.0], [1.5, 0.84, 0.075], [1.5, 0.84, 0.15]],
];
/// Index of the bottom in [`ROUND`]; its rows run outward, those of the other parts downward.
const BOTTOM: usize = 5;

/// Rows `x₀, z₀, x₁, z₁, w` of handle (two) and spout (two), four per patch: the points
/// `(x₀, 0, z₀) (x₀, −w, z₀) (x₁, −w, z₁) (x₁, 0, z₁)`. Each entry stands for two patches.
const TUBES: [[[f64; 5]; 4]; 4] = [
    [
        [-1.6, 2.025, -1.5, 2.25, 0.3],
        [-2.3, 2.025, -2.5, 2.25, 0.3],
        [-2.7, 2.025, -3.0, 2.25, 0.3],
        [-2.7, 1.8, -3.0, 1.8, 0.3],
    ],
    [
        [-2.7, 1.8, -3.0, 1.8, 0.3],
        [-2.7, 1.575, -3.0, 1.35, 0.3],
        [-2.5, 1.125, -2.65, 0.9375, 0.3],
        [-2.0, 0.9, -1.9, 0.6, 0.3],
    ],
    [
        [1.7, 1.425, 1.7, 0.6, 0.66],
        [2.6, 1.425, 3.1, 0.825, 0.66],
        [2.3, 2.1, 2.4, 2.025, 0.25],
        [2.7, 2.4, 3.3, 2.4, 0.25],
    ],
    [
        [2.7, 2.4, 3.3, 2.4, 0.25],
        [2.8, 2.475, 3.525, 2.49375, 0.25],
        [2.9, 2.475, 3.45, 2.5125, 0.15],
        [2.8, 2.4, 3.2, 2.4, 0.15],
    ],
];

/// Control points of a bicubic Bézier patch, `[row][column]`.
pub type Patch = [[Point; 4]; 4];

/// The 32 patches in Newell's coordinates: z up, the foot at z = 0, the knob's top at 3.15, the
/// spout towards +x.
///
/// Rows run downward (bottom: outward), or along handle and spout; (column direction) × (row
/// direction) points outward. Order: rim, body (8), knob, lid, bottom, handle (4), spout (4); a
/// round part has four patches.
pub fn teapot_patches() -> Vec<Patch> {
    let mut patches = Vec::with_capacity(32);
    for (part, rows) in ROUND.iter().enumerate() {
        let quarter = rows.map(|[r, c, z]| {
            [(r, 0.0), (r, -c), (c, -r), (0.0, -r)].map(|(x, y)| Point::new(x, y, z))
        });
        for (sx, sy) in [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)] {
            patches.push(mirrored(&quarter, sx, sy, part == BOTTOM));
        }
    }
    for rows in &TUBES {
        let half = rows.map(|[x0, z0, x1, z1, w]| {
            [(x0, 0.0, z0), (x0, -w, z0), (x1, -w, z1), (x1, 0.0, z1)]
                .map(|(x, y, z)| Point::new(x, y, z))
        });
        for sy in [1.0, -1.0] {
            patches.push(mirrored(&half, 1.0, sy, false));
        }
    }
    patches
}

/// The patch multiplied by the signs. Its columns are reversed if exactly one of the mirroring and
/// `flip` turns it inside out.
fn mirrored(patch: &Patch, sx: f64, sy: f64, flip: bool) -> Patch {
    let mut patch = patch.map(|row| row.map(|p| Point::new(sx * p.x, sy * p.y, p.z)));
    if (sx * sy < 0.0) != flip {
        for row in &mut patch {
            row.reverse();
        }
    }
    patch
}

/// Makes the teapot with each patch cut in `along` rows of `around` columns, in Newell's
/// coordinates
/// (about 6.4 long, 3.15 high).
///
/// `around >= 2`, since handle and spout would be flat with 1, and `along >= 1`.
/// `64·around·along − 8·around` triangles, none degenerate: those of zero area at the poles of knob
/// and bottom are left out. **Not closed**, as published: four pieces (pot, lid, handle, spout)
/// with open rims, `16·around` border edges in all. Handle and spout pass through the pot's wall.
/// The handle shares one vertex with it, so there are three connected components. Patches of a
/// piece share vertices.
/// # Errors
/// [`ParameterError`] if a count is too small or too large.
pub fn teapot(around: usize, along: usize) -> Result<Mesh, ParameterError> {
    check_least("teapot", "around", around, 2, "be at least 2")?;
    check_least("teapot", "along", along, 1, "be at least 1")?;
    check_size("teapot", &[64, around, along])?;
    let mut surface = Surface::with_capacity(32 * (around + 1) * (along + 1), 64 * around * along);
    let (across, down) = (weights(around), weights(along));
    for patch in teapot_patches() {
        let base = surface.vertices.len();
        for row in &down {
            let columns = [0, 1, 2, 3].map(|k| blend([0, 1, 2, 3].map(|j| patch[j][k]), row));
            surface.vertices.extend(across.iter().map(|column| blend(columns, column)));
        }
        let at = |j: usize, k: usize| (base + j * (around + 1) + k) as u32;
        for j in 0..along {
            for k in 0..around {
                surface.quad([at(j, k), at(j, k + 1), at(j + 1, k + 1), at(j + 1, k)]);
            }
        }
    }
    let welded = surface.mesh().welded();
    let triangles = welded.triangles().iter().filter(|[a, b, c]| a != b && b != c && c != a);
    let (vertices, triangles) = (welded.vertices().to_vec(), triangles.copied().collect());
    Ok(Surface { vertices, triangles }.mesh())
}

/// Bernstein weights at `0, 1/n, …, 1`. The second half mirrors the first bit for bit, so that a
/// patch and its reversal give the same points.
fn weights(n: usize) -> Vec<[f64; 4]> {
    (0..=n)
        .map(|i| {
            let (t, s) = (i as f64 / n as f64, (n - i) as f64 / n as f64);
            [s * s * s, 3.0 * (s * s * t), 3.0 * (t * t * s), t * t * t]
        })
        .collect()
}

/// The weighted sum of control points. The same bits for reversed points and weights; exact at the
/// end points and where all four points coincide.
fn blend(p: [Point; 4], w: &[f64; 4]) -> Point {
    if p[0] == p[1] && p[1] == p[2] && p[2] == p[3] {
        return p[0];
    }
    let outer: Vector = p[0].coords * w[0] + p[3].coords * w[3];
    let inner: Vector = p[1].coords * w[1] + p[2].coords * w[2];
    Point::from(outer + inner)
}
