//! Pairs with integer coordinates, which touch exactly.

use impinge_geometry::{Point, Triangle, Vector};
use impinge_models::Random;

use super::draw::{integer, lattice_triangle, lattice_vector, point_of, stepped, triangle};

pub(super) fn lattice(r: &mut Random) -> (Triangle, Triangle) {
    let n = 1 + r.below(3) as i64;
    (lattice_triangle(r, n), lattice_triangle(r, n))
}

pub(super) fn coplanar(r: &mut Random) -> (Triangle, Triangle) {
    let reach = 0.8;
    if r.chance(0.3) {
        // An axis-parallel plane allows any coordinates.
        let (axis, height) = (r.below(3) as usize, r.range(-1.0, 1.0));
        let shift = r.vector(-reach, reach);
        let mut flat = |shift: Vector| {
            triangle(r).map(|p| {
                let mut p = p + shift;
                p[axis] = height;
                p
            })
        };
        return (flat(Vector::zeros()), flat(shift));
    }
    // A tilted plane through a lattice point, spanned by two integer vectors.
    let n = [2, 5, 1000][r.below(3) as usize];
    let (u, v) = independent(r, 9);
    let origin = lattice_vector(r, 1000);
    let shift = [0.0; 2].map(|_| (r.range(-reach, reach) * n as f64).round());
    let mut flat = |shift: [f64; 2]| {
        [(); 3].map(|()| {
            let (i, j) = (integer(r, -n, n) + shift[0], integer(r, -n, n) + shift[1]);
            Point::from(origin + u * i + v * j)
        })
    };
    let (a, mut b) = (flat([0.0; 2]), flat(shift));
    if r.chance(0.1) {
        // The adjacent parallel plane.
        let axis = u.cross(&v).iamax();
        b = b.map(|mut p| {
            p[axis] += 2f64.powi(-30);
            p
        });
    }
    (a, b)
}

fn independent(r: &mut Random, n: i64) -> (Vector, Vector) {
    loop {
        let (u, v) = (lattice_vector(r, n), lattice_vector(r, n));
        if u.cross(&v) != Vector::zeros() {
            return (u, v);
        }
    }
}

pub(super) fn degenerate(r: &mut Random) -> (Triangle, Triangle) {
    let b = if r.chance(0.5) {
        lattice_triangle(r, 4)
    } else {
        [0.0; 3].map(|_| Point::from(lattice_vector(r, 4) * 0.7))
    };
    let thin = thin_triangle(r);
    let a = match r.below(4) {
        // Through a corner or the middle of an edge of `b`: exact.
        0 => through(r, &thin, &b[0]),
        1 => through(r, &thin, &(b[0] + (b[1] - b[0]) * 0.5)),
        // Near a point of `b`: rounded.
        2 => {
            let target = point_of(r, &b);
            through(r, &thin, &target)
        }
        _ => thin.map(|p| p * 0.5),
    };
    // Sometimes both are degenerate.
    if r.chance(0.3) {
        let other = if r.chance(0.4) { [b[0]; 3] } else { [b[0], b[1], b[0]] };
        return (a, other);
    }
    (a, b)
}

/// A segment with its third corner anywhere on it, or a point.
fn thin_triangle(r: &mut Random) -> Triangle {
    let start = Point::from(lattice_vector(r, 4));
    if r.chance(0.2) {
        return [start; 3];
    }
    let step = lattice_vector(r, 2);
    [start, start + step * integer(r, 1, 4), start + step * integer(r, 0, 4)]
}

/// The triangle moved so that its first corner, or the middle of its first edge, is at `p`; in a
/// quarter of the cases off by up to 1.
fn through(r: &mut Random, t: &Triangle, p: &Point) -> Triangle {
    let from = if r.chance(0.5) { t[0] } else { t[0] + (t[1] - t[0]) * 0.5 };
    let off = if r.chance(0.75) { Vector::zeros() } else { r.vector(-1.0, 1.0) };
    t.map(|x| p + (x - from) + off)
}

pub(super) fn edge_crossing(r: &mut Random) -> (Triangle, Triangle) {
    let x = lattice_vector(r, 1000);
    let (u, v) = independent(r, 20);
    let normal = u.cross(&v);
    // Both edges go through x, or one ends before it.
    let (mut before, after) = (integer(r, 1, 9), integer(r, 1, 9));
    let miss = r.below(4);
    if miss == 0 {
        before = -integer(r, 1, 5).min(after - 1.0).max(0.0) - 0.5;
    }
    let a = [x - u * before, x + u * after.max(1.0 - before), above(r, &x, &normal)];
    let mut b = [x - v * integer(r, 1, 9), x + v * integer(r, 1, 9), above(r, &x, &-normal)];
    if miss == 1 {
        let axis = normal.iamax();
        let tiny = [2f64.powi(-40), 2f64.powi(-20), 1.0][r.below(3) as usize];
        for p in &mut b {
            p[axis] -= tiny.copysign(normal[axis]);
        }
    }
    (a.map(Point::from), b.map(Point::from))
}

/// A lattice point strictly on the side of `x` to which `normal` points.
fn above(r: &mut Random, x: &Vector, normal: &Vector) -> Vector {
    loop {
        let v = lattice_vector(r, 30);
        if v.dot(normal) > 0.0 {
            return x + v;
        }
    }
}

pub(super) fn vertex_on_face(r: &mut Random) -> (Triangle, Triangle) {
    let (u, v) = independent(r, 20);
    let normal = u.cross(&v);
    let origin = lattice_vector(r, 1000);
    let a = [origin, origin + u * 8.0, origin + v * 8.0];
    // Eighths of the edges, so that corners, edges and the inside all occur.
    let inside = r.chance(0.7);
    let (i, j) = loop {
        let (i, j) = (integer(r, -3, 11), integer(r, -3, 11));
        if (i >= 0.0 && j >= 0.0 && i + j <= 8.0) == inside {
            break (i, j);
        }
    };
    let mut tip = origin + u * i + v * j;
    let others = [above(r, &tip, &normal), above(r, &tip, &normal)];
    if r.chance(0.3) {
        let axis = normal.iamax();
        let ulps = 1 + r.below(2) as i64;
        tip[axis] = stepped(tip[axis], if normal[axis] > 0.0 { ulps } else { -ulps });
    }
    (a.map(Point::from), [tip, others[0], others[1]].map(Point::from))
}
