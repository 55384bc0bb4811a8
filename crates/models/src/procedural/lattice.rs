//! Surfaces of unions of boxes. Cells of a small lattice are solid or empty; the faces between
//! solid and empty cells, split evenly, are the surface. Used for cuboids, combs and the hand.

use std::collections::HashMap;

use impinge_geometry::{Mesh, Point};

use super::round::check_radius;
use super::surface::{Surface, check, check_least, check_size};
use super::{MAX_TRIANGLES, ParameterError};

/// A lattice of `size` cells of which some are solid.
///
/// Solid cells must not share only an edge or a corner; the surface is then a closed manifold.
pub(super) struct Lattice<F> {
    pub(super) size: [usize; 3],
    pub(super) solid: F,
}

impl<F: Fn([usize; 3]) -> bool> Lattice<F> {
    /// Number of surface faces per axis (normal direction), by enumeration.
    pub(super) fn faces(&self) -> [usize; 3] {
        let mut count = [0; 3];
        self.for_each_face(|_, axis, _| count[axis] += 1);
        count
    }

    /// The surface, each cell split in `splits` parts along the axes. `place` maps a position in
    /// cell units (integers at cell corners) to a point and must preserve orientation.
    pub(super) fn mesh(&self, splits: [usize; 3], place: impl Fn([f64; 3]) -> Point) -> Mesh {
        let mut surface = Surface::default();
        let mut known: HashMap<[u32; 3], u32> = HashMap::new();
        self.for_each_face(|cell, axis, upper| {
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            for (i, j) in (0..splits[u]).flat_map(|i| (0..splits[v]).map(move |j| (i, j))) {
                let mut corner = |di: usize, dj: usize| {
                    let mut at = [0; 3];
                    at[axis] = ((cell[axis] + usize::from(upper)) * splits[axis]) as u32;
                    at[u] = (cell[u] * splits[u] + i + di) as u32;
                    at[v] = (cell[v] * splits[v] + j + dj) as u32;
                    *known.entry(at).or_insert_with(|| {
                        let cells = std::array::from_fn(|k| f64::from(at[k]) / splits[k] as f64);
                        surface.vertices.push(place(cells));
                        surface.vertices.len() as u32 - 1
                    })
                };
                let [a, b, c, d] = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
                surface.quad(if upper { [a, b, c, d] } else { [a, d, c, b] });
            }
        });
        surface.mesh()
    }

    /// Calls `take(cell, axis, upper)` for every face between a solid and an empty cell.
    fn for_each_face(&self, mut take: impl FnMut([usize; 3], usize, bool)) {
        let [nx, ny, nz] = self.size;
        for index in 0..nx * ny * nz {
            let cell = [index % nx, index / nx % ny, index / (nx * ny)];
            if !(self.solid)(cell) {
                continue;
            }
            for axis in 0..3 {
                let mut next = cell;
                next[axis] += 1;
                if next[axis] == self.size[axis] || !(self.solid)(next) {
                    take(cell, axis, true);
                }
                let mut last = cell;
                last[axis] = last[axis].wrapping_sub(1);
                if cell[axis] == 0 || !(self.solid)(last) {
                    take(cell, axis, false);
                }
            }
        }
    }
}

/// Number of triangles of a surface with `faces` faces per axis when cells are split in `splits`.
pub(super) fn triangles(faces: [usize; 3], splits: [usize; 3]) -> usize {
    let [x, y, z] = splits;
    2 * (faces[0] * y * z + faces[1] * z * x + faces[2] * x * y)
}

/// Refuses splits of 0 and surfaces that are too large.
pub(super) fn check_splits(
    shape: &'static str,
    faces: [usize; 3],
    splits: [usize; 3],
) -> Result<(), ParameterError> {
    for value in splits {
        check_least(shape, "splits", value, 1, "be at least 1")?;
    }
    let [x, y, z] = splits.map(|value| value as f64);
    let [across_x, across_y, across_z] = faces.map(|count| count as f64);
    let count = 2.0 * (across_x * y * z + across_y * z * x + across_z * x * y);
    let good = count <= MAX_TRIANGLES as f64;
    check(shape, "triangles", count, good, "be at most MAX_TRIANGLES")
}

/// Makes a box of the given `extent` about the origin, each axis split in `splits` parts:
/// `4·(xy + yz + zx)` triangles for splits x, y, z; closed, none degenerate.
///
/// # Errors
/// [`ParameterError`] if a split is 0 or the mesh too large, or an extent is not in
/// `1e-100..=1e100`.
pub fn cuboid(extent: [f64; 3], splits: [usize; 3]) -> Result<Mesh, ParameterError> {
    for value in extent {
        check_radius("cube", "extent", value)?;
    }
    check_splits("cube", [2, 2, 2], splits)?;
    let lattice = Lattice { size: [1, 1, 1], solid: |_| true };
    Ok(lattice.mesh(splits, |[u, v, w]| {
        Point::new((u - 0.5) * extent[0], (v - 0.5) * extent[1], (w - 0.5) * extent[2])
    }))
}

/// Width of a comb's gaps; unit: tooth widths. Above 1, so that two combs interlock without
/// touching.
const COMB_GAP: f64 = 1.5;

/// Makes a comb of `teeth >= 1` prongs on a spine, 1 long (x), 0.5 high (y, the prongs point up)
/// and 0.1 thick. Gaps are 1.5 prongs wide, so that a second comb, turned over, fits into it.
///
/// The spine takes the lowest fifth of the height. Cells are split in `splits` parts: prongs and
/// gaps along x, spine and prongs along y, the thickness along z. Closed, none degenerate.
///
/// # Errors
/// [`ParameterError`] if a count is 0 or the mesh too large.
pub fn comb(teeth: usize, splits: [usize; 3]) -> Result<Mesh, ParameterError> {
    check_least("comb", "teeth", teeth, 1, "be at least 1")?;
    check_size("comb", &[24, teeth])?;
    check_splits("comb", comb_faces(teeth), splits)?;
    let width = teeth as f64 + COMB_GAP * (teeth - 1) as f64;
    let lattice = Lattice { size: [2 * teeth - 1, 2, 1], solid: comb_cell };
    Ok(lattice.mesh(splits, |[u, v, w]| {
        let pair = (u / 2.0).floor();
        let within = u - 2.0 * pair;
        let x = pair * (1.0 + COMB_GAP) + within.min(1.0) + (within - 1.0).max(0.0) * COMB_GAP;
        let y = 0.1 * v.min(1.0) + 0.4 * (v - 1.0).max(0.0);
        Point::new(x / width - 0.5, y - 0.25, (w - 0.5) * 0.1)
    }))
}

fn comb_cell([x, y, _]: [usize; 3]) -> bool {
    y == 0 || x % 2 == 0
}

/// Surface faces of a comb per axis.
pub(super) fn comb_faces(teeth: usize) -> [usize; 3] {
    let columns = 2 * teeth - 1;
    [2 + 2 * teeth, 2 * columns, 2 * (columns + teeth)]
}
