//! Brute force over all pairs of triangles of two meshes: contacts and distance.

use dashu_ratio::RBig;
use impinge_geometry::{Mesh, Triangle};

use super::apart;
use super::distance::{root, squared_distance};
use super::triangles_meet;

/// Whether the axis-aligned boxes of two triangles share a point. Comparisons only, hence exact.
pub fn boxes_meet(a: &Triangle, b: &Triangle) -> bool {
    overlap(&bounds(a), &bounds(b))
}

/// The least and largest coordinates of a triangle.
type Bounds = [(f64, f64); 3];

fn bounds(t: &Triangle) -> Bounds {
    [range(t, 0), range(t, 1), range(t, 2)]
}

fn overlap(a: &Bounds, b: &Bounds) -> bool {
    (0..3).all(|k| a[k].0 <= b[k].1 && b[k].0 <= a[k].1)
}

/// All pairs of triangles that share a point, ascending by the index in `a`, then in `b`.
///
/// O(n·m) box tests, and [`triangles_meet`] where boxes meet and no plane is clearly between.
pub fn contacts(a: &Mesh, b: &Mesh) -> Vec<(u32, u32)> {
    let mut found = Vec::new();
    let others: Vec<(Triangle, Bounds)> = b.corners().map(|q| (q, bounds(&q))).collect();
    for (i, p) in (0u32..).zip(a.corners()) {
        let around_p = bounds(&p);
        for (j, (q, around_q)) in (0u32..).zip(&others) {
            if overlap(&around_p, around_q) && !apart::clearly(&p, q) && triangles_meet(&p, q) {
                found.push((i, j));
            }
        }
    }
    found
}

/// The exact squared distance of two meshes' surfaces; 0 if and only if they share a point.
///
/// O(n·m) lower bounds from boxes, and [`squared_distance`] for the pairs whose bound does not
/// exceed the least distance found; for small meshes.
pub fn mesh_squared_distance(a: &Mesh, b: &Mesh) -> RBig {
    nearest(a, b).0
}

/// [`mesh_squared_distance`], and a triangle of each mesh at that distance.
pub fn nearest(a: &Mesh, b: &Mesh) -> (RBig, [Triangle; 2]) {
    let (p, q): (Vec<_>, Vec<_>) = (a.corners().collect(), b.corners().collect());
    let mut pairs = Vec::with_capacity(p.len() * q.len());
    for p in &p {
        pairs.extend(q.iter().map(|q| (gap(p, q), p, q)));
    }
    pairs.sort_by(|x, y| x.0.total_cmp(&y.0));
    let (mut nearest, mut at) =
        (squared_distance(pairs[0].1, pairs[0].2), [*pairs[0].1, *pairs[0].2]);
    let mut limit = root(&nearest);
    for (gap, p, q) in &pairs[1..] {
        if *gap > limit || nearest.is_zero() {
            break;
        }
        let other = squared_distance(p, q);
        if other < nearest {
            limit = root(&other);
            (nearest, at) = (other, [**p, **q]);
        }
    }
    (nearest, at)
}

/// The root of [`mesh_squared_distance`], rounded as in [`distance`](super::distance).
pub fn mesh_distance(a: &Mesh, b: &Mesh) -> f64 {
    root(&mesh_squared_distance(a, b))
}

/// A lower bound on the distance of two triangles from their boxes, below it by at least one part
/// in 10¹², so that rounding here and in the comparison does not matter. Zero if below 1e-290,
/// where f64 loses digits.
fn gap(a: &Triangle, b: &Triangle) -> f64 {
    let [x, y, z] = std::array::from_fn(|k| {
        let ((a_low, a_high), (b_low, b_high)) = (range(a, k), range(b, k));
        (b_low - a_high).max(a_low - b_high).max(0.0)
    });
    let length = x.hypot(y).hypot(z);
    if length < 1e-290 { 0.0 } else { length * (1.0 - 1e-12) }
}

fn range(t: &Triangle, k: usize) -> (f64, f64) {
    let [p, q, r] = [t[0][k], t[1][k], t[2][k]];
    (p.min(q).min(r), p.max(q).max(r))
}
