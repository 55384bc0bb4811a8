//! Building blocks of the shapes: grids of quads whose neighbours share vertices by index, so that
//! a closed shape is closed exactly, and parameter checks.

use impinge_geometry::{Mesh, Point};

use super::{MAX_TRIANGLES, ParameterError};

/// A mesh under construction.
#[derive(Default)]
pub(super) struct Surface {
    pub(super) vertices: Vec<Point>,
    pub(super) triangles: Vec<[u32; 3]>,
}

impl Surface {
    pub(super) fn with_capacity(vertices: usize, triangles: usize) -> Self {
        Self { vertices: Vec::with_capacity(vertices), triangles: Vec::with_capacity(triangles) }
    }

    /// The quad `a b c d`, counter-clockwise from outside, as two triangles.
    pub(super) fn quad(&mut self, [a, b, c, d]: [u32; 4]) {
        self.triangles.push([a, b, c]);
        self.triangles.push([a, c, d]);
    }

    /// Adds a grid of `rows × columns` vertices, closed in both directions: a torus. The outward
    /// normal is (next column) × (next row).
    pub(super) fn ring_grid(
        &mut self,
        rows: usize,
        columns: usize,
        mut vertex: impl FnMut(usize, usize) -> Point,
    ) {
        let base = self.vertices.len() as u32;
        let at = |r: usize, c: usize| base + ((r % rows) * columns + c % columns) as u32;
        for r in 0..rows {
            for c in 0..columns {
                self.vertices.push(vertex(r, c));
                self.quad([at(r, c), at(r, c + 1), at(r + 1, c + 1), at(r + 1, c)]);
            }
        }
    }

    /// The finished mesh.
    pub(super) fn mesh(self) -> Mesh {
        Mesh::new(self.vertices, self.triangles)
            .expect("the shapes of this module have triangles, finite points and indices in range")
    }
}

/// Refuses a shape of more than [`MAX_TRIANGLES`] triangles before memory is reserved for it.
pub(super) fn check_size(shape: &'static str, factors: &[usize]) -> Result<(), ParameterError> {
    let count = factors.iter().try_fold(1_usize, |product, &f| product.checked_mul(f));
    match count {
        Some(count) if count <= MAX_TRIANGLES => Ok(()),
        _ => Err(ParameterError {
            shape,
            parameter: "triangles",
            value: factors.iter().map(|&f| f as f64).product(),
            must: "be at most MAX_TRIANGLES",
        }),
    }
}

/// Refuses a count below `least`.
pub(super) fn check_least(
    shape: &'static str,
    parameter: &'static str,
    value: usize,
    least: usize,
    must: &'static str,
) -> Result<(), ParameterError> {
    check(shape, parameter, value as f64, value >= least, must)
}

/// Refuses a value that violates its bound.
pub(super) fn check(
    shape: &'static str,
    parameter: &'static str,
    value: f64,
    good: bool,
    must: &'static str,
) -> Result<(), ParameterError> {
    if good { Ok(()) } else { Err(ParameterError { shape, parameter, value, must }) }
}

/// `(cos, sin)` of the `n` angles `2πk/n`, the same bits on every machine.
pub(super) fn circle(n: usize) -> Vec<(f64, f64)> {
    (0..n).map(|k| turn(k as f64 / n as f64)).collect()
}

/// `(cos, sin)` of a fraction of a full turn.
pub(super) fn turn(fraction: f64) -> (f64, f64) {
    let (sin, cos) = libm::sincos(fraction * std::f64::consts::TAU);
    (cos, sin)
}
