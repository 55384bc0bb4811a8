//! Pairs that share a corner, an edge or a point of contact up to a few ulps.

use impinge_geometry::{Point, Triangle};
use impinge_models::Random;

use super::draw::{lattice_triangle, nudged, point_of, pushed_off, triangle};
use super::lattice::{coplanar, edge_crossing, vertex_on_face};
use crate::oracle;

pub(super) fn shared_vertex(r: &mut Random) -> (Triangle, Triangle) {
    let (a, mut b) = (triangle(r), triangle(r));
    b[0] = if r.chance(0.25) { a[0] } else { pushed_off(r, &a[0]) };
    (a, b)
}

pub(super) fn shared_edge(r: &mut Random) -> (Triangle, Triangle) {
    let (a, mut b) = if r.chance(0.5) {
        (triangle(r), triangle(r))
    } else {
        (lattice_triangle(r, 100), lattice_triangle(r, 100))
    };
    let middle = a[0] + (a[1] - a[0]) * 0.5;
    match r.below(10) {
        0 | 1 => [b[0], b[1]] = [a[0], a[1]],
        2 => [b[0], b[1]] = [middle, a[1]],
        // Along the line of the edge, from its middle or its end outward.
        3 => [b[0], b[1]] = [a[1], a[1] + (a[1] - middle)],
        // Just beyond the edge, as seen from the third corner.
        4..=6 => {
            let out = (middle - a[2]) * 2f64.powi(-40);
            [b[0], b[1]] = [a[1] + out, a[0] + out];
        }
        _ => [b[0], b[1]] = [pushed_off(r, &a[0]), pushed_off(r, &a[1])],
    }
    (a, b)
}

pub(super) fn ulp(r: &mut Random) -> (Triangle, Triangle) {
    // Random floats, for which the target is rounded, or multiples of a quarter, for which it is
    // exact.
    let a = if r.chance(0.5) { triangle(r) } else { lattice_triangle(r, 1000).map(|p| p * 0.25) };
    let size = (a[1] - a[0]).norm().max(1e-3);
    let normal = (a[1] - a[0]).cross(&(a[2] - a[0])) / (size * size);
    match r.below(3) {
        0 => {
            let target = if r.chance(0.5) { a[0] + (a[1] - a[0]) * 0.5 } else { point_of(r, &a) };
            let tip = nudged(r, &target);
            let mut aside = || normal * r.range(0.5, 2.0) + r.in_ball() * (0.2 * normal.norm());
            let rest = [tip + aside() * size, tip + aside() * size];
            (a, [tip, rest[0], rest[1]])
        }
        1 => {
            let along = a[1] - a[0];
            let share = if r.chance(0.5) { 0.5 } else { r.unit() };
            let tip = nudged(r, &(a[0] + along * share));
            // Outward in the plane, one to either side of it.
            let out = along.cross(&normal) / size;
            let mut aside =
                |lift: f64| (out * r.range(0.5, 2.0) + normal * (lift * r.range(0.2, 2.0))) * size;
            let rest = [tip + aside(1.0), tip + aside(-1.0)];
            (a, [tip, rest[0], rest[1]])
        }
        _ => {
            let tip = if r.chance(0.5) { a[0] } else { nudged(r, &a[0]) };
            let rest = [tip + r.in_ball() * size, tip + r.in_ball() * size];
            (a, [tip, rest[0], rest[1]])
        }
    }
}

/// Applies a rounded pose to two triangles that meet; rounding decides whether they still do.
pub(super) fn posed(r: &mut Random) -> (Triangle, Triangle) {
    let (a, b) = loop {
        let (a, b) = match r.below(5) {
            0 => coplanar(r),
            1 | 2 => edge_crossing(r),
            _ => vertex_on_face(r),
        };
        if oracle::triangles_meet(&a, &b) {
            break (a, b);
        }
    };
    let pose = r.pose(10.0);
    let place = |p: Point| pose.apply(&p);
    (a.map(place), b.map(place))
}
