//! Triangles in planes that cross: neither has all corners in the other's plane. Both have area,
//! and every edge meets the other plane in at most one point or lies in it.

use crate::predicates::{Sign, orient3d};
use crate::{Point, Triangle};

/// Where a line pierces a triangle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piercing {
    /// `on_side[i]`: the line meets the side from corner `i` to corner `i + 1`.
    pub(super) on_side: [bool; 3],
}

pub(super) fn meet(p: &Triangle, q: &Triangle, side_p: [Sign; 3], side_q: [Sign; 3]) -> bool {
    edges_pierce(p, side_p, q) || edges_pierce(q, side_q, p)
}

fn edges_pierce(p: &Triangle, side: [Sign; 3], q: &Triangle) -> bool {
    (0..3).any(|i| {
        let j = (i + 1) % 3;
        crosses(side[i], side[j]) && pierce(&p[i], &p[j], q).is_some()
    })
}

/// Whether a segment whose ends have these sides meets the plane in one point. An edge in the plane
/// is not counted: its ends belong to the other two edges too.
pub(super) fn crosses(s: Sign, t: Sign) -> bool {
    s != t
}

/// Where the line through `u` and `v` meets `q`; `None` if it misses it. It must cross the plane of
/// `q` in one point.
pub(super) fn pierce(u: &Point, v: &Point, q: &Triangle) -> Option<Piercing> {
    let s0 = orient3d(u, v, &q[0], &q[1]);
    let s1 = orient3d(u, v, &q[1], &q[2]);
    if s0.is_opposite(s1) {
        return None;
    }
    let s2 = orient3d(u, v, &q[2], &q[0]);
    if s2.is_opposite(s0) || s2.is_opposite(s1) {
        return None;
    }
    Some(Piercing { on_side: [s0, s1, s2].map(Sign::is_zero) })
}
