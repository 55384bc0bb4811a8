//! Closed bodies on small lattices, and rough spheres.

use impinge_geometry::{Mesh, Point};
use impinge_models::{Random, Shape};

/// The boundary of a set of unit cells: two triangles per square, outward.
pub(crate) fn cells(filled: &[[i32; 3]]) -> Mesh {
    let mut vertices: Vec<[i32; 3]> = Vec::new();
    let mut triangles = Vec::new();
    for &cell in filled {
        for axis in 0..3 {
            for up in [false, true] {
                let mut beside = cell;
                beside[axis] += if up { 1 } else { -1 };
                if filled.contains(&beside) {
                    continue;
                }
                let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
                let corner = |di: i32, dj: i32| {
                    let mut p = cell;
                    p[axis] += i32::from(up);
                    p[i] += di;
                    p[j] += dj;
                    p
                };
                let mut square = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
                if !up {
                    square.reverse();
                }
                let index = square.map(|p| {
                    let known = vertices.iter().position(|&q| q == p);
                    known.unwrap_or_else(|| {
                        vertices.push(p);
                        vertices.len() - 1
                    }) as u32
                });
                let [a, b, c, d] = index;
                triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
    }
    let points = vertices.iter().map(|p| Point::from(p.map(f64::from))).collect();
    Mesh::new(points, triangles).expect("a body of cells")
}

/// All cells of a box.
pub(crate) fn block(size: [i32; 3]) -> Vec<[i32; 3]> {
    let mut all = Vec::new();
    for x in 0..size[0] {
        for y in 0..size[1] {
            for z in 0..size[2] {
                all.push([x, y, z]);
            }
        }
    }
    all
}

/// A random, mostly connected body of cells. It may touch itself in edges or vertices.
pub(crate) fn random_cells(random: &mut Random, size: i32, fill: f64) -> Mesh {
    let mut some = block([size; 3]);
    some.retain(|_| random.chance(fill));
    if some.is_empty() {
        some.push([0; 3]);
    }
    cells(&some)
}

/// A sphere whose vertices are moved radially. It is embedded whatever the radii.
pub(crate) fn rough_ball(random: &mut Random, triangles: usize, roughness: f64) -> Mesh {
    let ball = Shape::Hull.mesh(triangles, random.bits());
    let vertices: Vec<Point> =
        ball.vertices().iter().map(|p| p * (1.0 + roughness * random.unit())).collect();
    ball.with_vertices(vertices).expect("as many vertices")
}

/// The same on a coarse lattice, so that many faces are coplanar. It may intersect itself.
pub(crate) fn lattice_ball(random: &mut Random, triangles: usize, steps: f64) -> Mesh {
    let ball = rough_ball(random, triangles, 0.5);
    let vertices: Vec<Point> = ball
        .vertices()
        .iter()
        .map(|p| Point::from(p.coords.map(|x| (x * steps).round())))
        .collect();
    ball.with_vertices(vertices).expect("as many vertices")
}

/// The triangulated hull of an integer point cloud; its flat sides have many vertices.
pub(crate) fn grid_cube(n: usize) -> Mesh {
    let n = n as i32;
    cells(&block([n, n, n]))
}
