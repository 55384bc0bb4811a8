//! Two triangles that a plane parts: one across, along a side of either, which is seen in the
//! projection along an axis, or one through a common corner. Only certain signs of f64 are used, so
//! these tests are cheap, and they decide most pairs of faces in nearly one plane, for which signs of
//! volumes are near zero.
//! Each also holds after all corners have moved by up to `room` along each axis.

use crate::predicates::{Drop, settled_2d};
use crate::triangle::{above, largest};
use crate::{Point, Triangle, Vector};

const UNIT: f64 = f64::EPSILON / 2.0;

/// The axis along which the plane of three points is seen best.
fn view(a: &Point, b: &Point, c: &Point) -> Drop {
    let n = (b - a).cross(&(c - a));
    let most = largest(&n);
    if n.z.abs() == most {
        Drop::Z
    } else if n.x.abs() == most {
        Drop::X
    } else {
        Drop::Y
    }
}

/// Whether two triangles certainly share no point, since a line along a side parts their
/// projections.
#[inline(always)]
pub(super) fn apart(p: &Triangle, q: &Triangle, room: f64) -> bool {
    let drop = view(&p[0], &p[1], &p[2]);
    beyond_a_side(p, q, drop, room) || beyond_a_side(q, p, drop, room)
}

/// Whether all corners of `q` are certainly on the other side of a side of `p` than `p` is.
#[inline(always)]
fn beyond_a_side(p: &Triangle, q: &Triangle, drop: Drop, room: f64) -> bool {
    let turn = |a: &Point, b: &Point, c: &Point| settled_2d(a, b, c, drop, room);
    let own = turn(&p[0], &p[1], &p[2]);
    !own.is_zero()
        && (0..3).any(|i| {
            let beyond = |x: &Point| turn(&p[i], &p[(i + 1) % 3], x).is_opposite(own);
            q.iter().all(beyond)
        })
}

/// Whether the triangles `v a b` and `v c d` certainly share `v` alone: a plane through `v` parts the
/// others. Its normal halves the angle between the two directions that are farthest apart, among
/// those to `a` and `b` and from `c` and `d`; if the triangles are in one plane, no other is better.
#[inline(always)]
pub(super) fn apart_around(v: &Point, [a, b]: [&Point; 2], [c, d]: [&Point; 2], room: f64) -> bool {
    let to = [a - v, b - v, v - c, v - d];
    let unit = to.map(|e| e * (1.0 / e.norm()));
    let (mut least, mut normal) = (f64::INFINITY, Vector::zeros());
    for i in 0..3 {
        for j in i + 1..4 {
            let cosine = unit[i].dot(&unit[j]);
            if cosine < least {
                (least, normal) = (cosine, unit[i] + unit[j]);
            }
        }
    }
    // A product with differences below `L` is off by 4 u of its size, and moves by 2 room.
    let size = normal.x.abs() + normal.y.abs() + normal.z.abs();
    to.iter().all(|e| {
        let most = largest(e);
        let bound = size * (8.0 * UNIT * most + 2.01 * room) + f64::MIN_POSITIVE;
        above(normal.dot(e), bound)
    })
}

/// Whether the triangles `a b x` and `b a y` certainly share the edge `a b` alone: in the
/// projection, `x` and `y` are on different sides of it.
#[inline(always)]
pub(super) fn apart_across([a, b]: [&Point; 2], x: &Point, y: &Point, room: f64) -> bool {
    let drop = view(a, b, x);
    let side = |x: &Point| settled_2d(a, b, x, drop, room);
    side(x).is_opposite(side(y))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adversarial::Random;
    use crate::exact::{flat, polygon, triangles_meet};
    use crate::predicates::orient2d;

    /// Two triangles with corners on a lattice in one plane, or a little off it.
    fn nearly_coplanar(r: &mut Random, off: f64) -> [Triangle; 2] {
        let axes: [Vector; 3] = std::array::from_fn(|_| {
            Vector::new(r.below(9) as f64, r.below(9) as f64, r.below(9) as f64)
        });
        let mut at = || {
            let (s, t) = (r.below(9) as f64, r.below(9) as f64);
            Point::from(axes[0] * s + axes[1] * t + axes[2] * (off * r.unit()))
        };
        [[at(), at(), at()], [at(), at(), at()]]
    }

    /// As [`apart`], with an error bound of zero, and with touching corners called apart.
    fn without_bounds(p: &Triangle, q: &Triangle) -> bool {
        let drop = view(&p[0], &p[1], &p[2]);
        let turn = |a: &Point, b: &Point, c: &Point| {
            let ([ax, ay], [bx, by], [cx, cy]) = (drop.keep(a), drop.keep(b), drop.keep(c));
            (ax - cx) * (by - cy) - (ay - cy) * (bx - cx)
        };
        let own = turn(&p[0], &p[1], &p[2]);
        own != 0.0 && (0..3).any(|i| q.iter().all(|x| turn(&p[i], &p[(i + 1) % 3], x) * own <= 0.0))
    }

    /// Each pair is tested by edges against triangles too, by exact signs alone.
    #[test]
    fn what_is_apart_in_a_projection_is_apart() {
        let mut r = Random(82);
        let (mut told, mut misses, mut hits, mut wrong) = (0, 0, 0, 0);
        for round in 0..30_000 {
            let off = [0.0, 2f64.powi(-52), 2f64.powi(-30)][round % 3];
            let [p, q] = nearly_coplanar(&mut r, off);
            let truth = flat::meet(&p, &q);
            let certain = apart(&p, &q, 0.0);
            assert!(!(truth && certain), "{p:?} {q:?}");
            assert_eq!(triangles_meet(&p, &q), truth, "{p:?} {q:?}");
            wrong += u32::from(truth && without_bounds(&p, &q));
            told += u32::from(certain);
            *if truth { &mut hits } else { &mut misses } += 1;
            for drop in Drop::ALL {
                let area = |t: &Triangle| !orient2d(&t[0], &t[1], &t[2], drop).is_zero();
                if off == 0.0 && area(&p) && area(&q) {
                    assert_eq!(polygon::meet(&p, &q, drop), truth, "{p:?} {q:?}");
                }
            }
        }
        assert!(hits > 3000 && told * 2 > misses, "{told} of {misses}, {hits} hits");
        assert!(wrong > 100, "{wrong} touching pairs would be called apart");
    }

    #[test]
    fn a_plane_is_seen_along_the_largest_component_of_its_normal() {
        let [o, x, y, z] =
            [[0.0; 3], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]].map(Point::from);
        assert_eq!(
            [view(&o, &x, &y), view(&o, &y, &z), view(&o, &z, &x)],
            [Drop::Z, Drop::X, Drop::Y]
        );
        assert_eq!(view(&o, &x, &(y + z.coords * 0.5)), Drop::Z);
    }
}
