//! Self-intersection test. Every pair of triangles whose boxes overlap is tested exactly.
//!
//! Two triangles that share a corner `v` and another point share the segment between them; the ray
//! along it leaves one of them first, through the side opposite `v`. So they share only `v` if and
//! only if neither of those two sides meets the other triangle. Two that share an edge share more
//! only if they are coplanar and on the same side of the edge.

use impinge_geometry::exact::{segment_meets_triangle, triangles_meet};
use impinge_geometry::predicates::{Drop, Sign, orient2d, orient3d};
use impinge_geometry::volume::Aabb;
use impinge_geometry::{Point, Triangle};
use impinge_threads::Control;

use super::Surface;
use crate::DecomposeError;
use crate::tree::FaceTree;

/// # Errors
/// The first pair that shares more than corners and an edge.
pub(super) fn check(
    surface: &Surface,
    tree: &FaceTree,
    control: &Control<'_>,
) -> Result<(), DecomposeError> {
    let total = surface.len() as u32;
    let step = (total / 50).max(1000);
    let mut found = None;
    for f in 0..total {
        control.check()?;
        if f % step == 0 {
            control.report("self-intersection", u64::from(f), u64::from(total));
        }
        let around = Aabb::of_triangle(&surface.corners(f));
        tree.visit(
            |node| node.overlaps(&around),
            |g| {
                if g > f && found.is_none() && !share_only_features(surface, f, g) {
                    found = Some([f, g]);
                }
            },
        );
        if let Some(triangles) = found {
            return Err(DecomposeError::SelfIntersection { triangles });
        }
    }
    Ok(())
}

/// Whether two different triangles share nothing but common corners and the edge between them.
fn share_only_features(surface: &Surface, f: u32, g: u32) -> bool {
    let (p, q) = (surface.triangles[f as usize], surface.triangles[g as usize]);
    let common: Vec<u32> = p.into_iter().filter(|v| q.contains(v)).collect();
    let (tp, tq) = (surface.corners(f), surface.corners(g));
    match common.as_slice() {
        [] => !triangles_meet(&tp, &tq),
        [v] => meet_in_corner_only(&tp, &tq, surface.point(*v)),
        [a, b] => {
            let (x, y) = (surface.apex(f, *a, *b), surface.apex(g, *a, *b));
            let [a, b, x, y] = [*a, *b, x, y].map(|v| *surface.point(v));
            !orient3d(&tp[0], &tp[1], &tp[2], &y).is_zero() || beyond(&a, &b, &x, &y)
        }
        _ => false,
    }
}

/// Whether two triangles with area and a common corner `v` share nothing else.
pub(crate) fn meet_in_corner_only(p: &Triangle, q: &Triangle, v: &Point) -> bool {
    let opposite = |t: &Triangle| -> [Point; 2] {
        let k = t.iter().position(|x| x == v).unwrap_or(0);
        [t[(k + 1) % 3], t[(k + 2) % 3]]
    };
    let (e, f) = (opposite(p), opposite(q));
    let strictly_beside = |t: &Triangle, e: &[Point; 2]| {
        let side = |x: &Point| orient3d(&t[0], &t[1], &t[2], x);
        let s = side(&e[0]);
        !s.is_zero() && s == side(&e[1])
    };
    if strictly_beside(p, &f) || strictly_beside(q, &e) {
        return true;
    }
    !segment_meets_triangle(&e[0], &e[1], q) && !segment_meets_triangle(&f[0], &f[1], p)
}

/// Whether `x` and `y` are strictly on opposite sides of the line `a b`. All four must be coplanar.
fn beyond(a: &Point, b: &Point, x: &Point, y: &Point) -> bool {
    let drop = projection(&[*a, *b, *x]);
    orient2d(a, b, x, drop).is_opposite(orient2d(a, b, y, drop))
}

/// A projection in which a triangle with area keeps some of it.
pub(crate) fn projection(t: &Triangle) -> Drop {
    let keeps = |d: &Drop| orient2d(&t[0], &t[1], &t[2], *d) != Sign::Zero;
    Drop::ALL.into_iter().find(keeps).unwrap_or(Drop::Z)
}
