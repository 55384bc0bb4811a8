//! The small bodies of the traps; all coordinates are exact in binary.

use impinge_geometry::{Mesh, Point, Vector};

pub(super) fn mesh(vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> Mesh {
    let vertices = vertices.iter().map(|&p| Point::from(p)).collect();
    Mesh::new(vertices, triangles.to_vec()).expect("literals in this module, valid by inspection")
}

/// The cube `[-half, half]³`, closed and outward; 12 triangles.
pub(super) fn cube(half: f64) -> Mesh {
    let corner = |i: u32| [0, 1, 2].map(|k| if i >> k & 1 == 1 { half } else { -half });
    let corners: Vec<[f64; 3]> = (0..8).map(corner).collect();
    let quads =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let halves = |[a, b, c, d]: [u32; 4]| [[a, b, c], [a, c, d]];
    mesh(&corners, &quads.map(halves).concat())
}

/// A pyramid with its tip at the origin and its square base at `z = 1`; closed and outward.
pub(super) fn pyramid() -> Mesh {
    let base = [[-0.5, -0.5, 1.0], [0.5, -0.5, 1.0], [0.5, 0.5, 1.0], [-0.5, 0.5, 1.0]];
    let vertices = [[0.0; 3], base[0], base[1], base[2], base[3]];
    mesh(&vertices, &[[0, 2, 1], [0, 3, 2], [0, 4, 3], [0, 1, 4], [1, 2, 3], [1, 3, 4]])
}

/// A tetrahedron with one edge through the origin and the rest above (`z > 0`, edge along y) or
/// below it (edge along x); closed and outward.
pub(super) fn tetrahedron(above: bool) -> Mesh {
    let v = if above {
        [[0.0, -1.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]]
    } else {
        [[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 1.0, -1.0], [0.0, -1.0, -1.0]]
    };
    let made = mesh(&v, &[[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]]);
    let [p, q, r, s] = v.map(Vector::from);
    let volume = (q - p).cross(&(r - p)).dot(&(s - p));
    if volume > 0.0 { made.flipped() } else { made }
}

/// The square `[0, n·step]²` in the plane `z = 0`, of `2·n²` triangles.
pub(super) fn sheet(n: u32, step: f64) -> Mesh {
    let point = |i: u32| [f64::from(i % (n + 1)) * step, f64::from(i / (n + 1)) * step, 0.0];
    let vertices: Vec<[f64; 3]> = (0..(n + 1) * (n + 1)).map(point).collect();
    let mut triangles = Vec::new();
    for row in 0..n {
        for column in 0..n {
            let a = row * (n + 1) + column;
            let (b, c, d) = (a + 1, a + n + 2, a + n + 1);
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    mesh(&vertices, &triangles)
}

/// Triangles, a segment, a point, a repeated triangle, equal and unused vertices; the first corner
/// is the origin.
pub(super) fn soup() -> Mesh {
    let vertices = [
        [0.0, 0.0, 0.0],
        [0.5, 0.0, 0.0],
        [0.0, 0.5, 0.25],
        [0.0, 0.0, 0.0],
        [-0.0, 0.75, 0.0],
        [9.0, 9.0, 9.0],
        [0.25, 0.25, 2.0],
    ];
    let triangles = [[0, 1, 2], [0, 1, 2], [3, 1, 2], [0, 1, 1], [2, 2, 2], [0, 3, 4], [6, 6, 6]];
    mesh(&vertices, &triangles)
}

/// The mesh translated by `t`; exact for the small binary fractions used here.
pub(super) fn moved(m: &Mesh, t: [f64; 3]) -> Mesh {
    let t = Vector::from(t);
    m.with_vertices(m.vertices().iter().map(|p| p + t).collect()).expect("small numbers")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::{Location, winding};

    #[test]
    fn closed_bodies_are_outward() {
        let middles = [
            (cube(1.0), [0.0; 3]),
            (pyramid(), [0.0, 0.0, 0.75]),
            (tetrahedron(true), [0.0, 0.0, 0.5]),
            (tetrahedron(false), [0.0, 0.0, -0.5]),
        ];
        for (body, middle) in middles {
            assert_eq!(winding(&body, &Point::from(middle)), Location::Inside(1), "{middle:?}");
        }
    }
}
