//! The common set of two coplanar triangles. Its corners and their order follow from signs alone:
//! rounding can move a corner, but cannot add, lose or swap one.
//!
//! A corner is a corner of one triangle on the other, or a proper crossing of two sides. Each is an
//! extreme point of the common set. Two corners are neighbours if and only if they lie on the same
//! side of one of the triangles, since the common set is on one side of that side's line.

use super::Meeting;
use super::meeting::crossing_point;
use crate::predicates::{Drop, Sign, orient2d};
use crate::{Point, Triangle};

/// Whether two coplanar triangles, which `drop` projects without collapsing them, meet. They do not
/// if and only if a line along a side has one of them strictly on its outer side: the differences of
/// their points are a polygon with sides parallel to theirs, and they meet if it contains 0.
pub(super) fn meet(p: &Triangle, q: &Triangle, drop: Drop) -> bool {
    !outside_a_side(p, q, drop) && !outside_a_side(q, p, drop)
}

/// Whether all corners of `p` are strictly outside one side of `q`.
fn outside_a_side(p: &Triangle, q: &Triangle, drop: Drop) -> bool {
    let inside = orient2d(&q[0], &q[1], &q[2], drop);
    (0..3).any(|j| {
        let outside = |x| orient2d(&q[j], &q[(j + 1) % 3], x, drop).is_opposite(inside);
        p.iter().all(outside)
    })
}

/// A corner, with bit masks of the sides of p and of q on which it lies.
struct Corner {
    point: Point,
    on: [u8; 2],
    /// The sides of p and q that cross properly in it.
    crossing: Option<[usize; 2]>,
}

/// The common set of two coplanar triangles, which `drop` projects without collapsing them.
pub(super) fn common(p: &Triangle, q: &Triangle, drop: Drop) -> Option<Meeting> {
    let sides = Sides::new(p, q, drop);
    let corners = sides.corners(p, q);
    match corners.as_slice() {
        [] => None,
        [x] => Some(Meeting::Point(x.point)),
        [x, y] => Some(Meeting::Segment([x.point, y.point])),
        _ => {
            let order = sides.order(p, &corners, drop);
            Some(Meeting::Polygon(order.into_iter().map(|k| corners[k].point).collect()))
        }
    }
}

/// The position of each corner with respect to each side.
struct Sides {
    /// `of_p[i][j]`: p's corner i with respect to q's side j; positive is inside.
    of_p: [[Sign; 3]; 3],
    of_q: [[Sign; 3]; 3],
}

impl Sides {
    fn new(p: &Triangle, q: &Triangle, drop: Drop) -> Self {
        Self { of_p: inward(p, q, drop), of_q: inward(q, p, drop) }
    }

    fn corners(&self, p: &Triangle, q: &Triangle) -> Vec<Corner> {
        let mut corners = Vec::with_capacity(6);
        for (i, point) in p.iter().enumerate() {
            if let Some(on_q) = on_sides(self.of_p[i]) {
                corners.push(Corner { point: *point, on: [ends(i), on_q], crossing: None });
            }
        }
        for (j, point) in q.iter().enumerate() {
            if let Some(on_p) = on_sides(self.of_q[j]).filter(|_| !p.contains(point)) {
                corners.push(Corner { point: *point, on: [on_p, ends(j)], crossing: None });
            }
        }
        for i in 0..3 {
            for j in 0..3 {
                let (i1, j1) = ((i + 1) % 3, (j + 1) % 3);
                if self.of_p[i][j].is_opposite(self.of_p[i1][j])
                    && self.of_q[j][i].is_opposite(self.of_q[j1][i])
                {
                    let point = crossing_point(&[p[i], p[i1]], &[q[j], q[j1]]);
                    corners.push(Corner { point, on: [1 << i, 1 << j], crossing: Some([i, j]) });
                }
            }
        }
        corners
    }

    /// The order of three or more corners in which p runs around, starting with the first.
    fn order(&self, p: &Triangle, corners: &[Corner], drop: Drop) -> Vec<usize> {
        let mut order = vec![0];
        let next = |last: usize, order: &[usize]| {
            (0..corners.len()).find(|k| !order.contains(k) && neighbours(corners, last, *k))
        };
        while let Some(k) = next(order[order.len() - 1], &order) {
            order.push(k);
        }
        if !self.runs_with(p, corners, &order, drop) {
            order[1..].reverse();
        }
        order
    }

    /// Whether the corners in this order run around as p does.
    fn runs_with(&self, p: &Triangle, corners: &[Corner], order: &[usize], drop: Drop) -> bool {
        let after = |k: usize| &corners[order[(k + 1) % order.len()]];
        for k in 0..order.len() {
            if let Some([i, j]) = corners[order[k]].crossing {
                // Where p's side enters q, the border of the common set continues along it.
                let enters = self.of_p[i][j] == Sign::Negative;
                return enters == (after(k).on[0] & (1 << i) != 0);
            }
        }
        // All corners are triangle corners, so their coordinates are exact.
        let turn = orient2d(&corners[order[0]].point, &after(0).point, &after(1).point, drop);
        turn == orient2d(&p[0], &p[1], &p[2], drop)
    }
}

/// The side of each corner of `p` with respect to each side of `q`, positive where `q` is.
fn inward(p: &Triangle, q: &Triangle, drop: Drop) -> [[Sign; 3]; 3] {
    let turned = orient2d(&q[0], &q[1], &q[2], drop) == Sign::Negative;
    p.map(|x| {
        std::array::from_fn(|j| {
            let sign = orient2d(&q[j], &q[(j + 1) % 3], &x, drop);
            if turned { sign.opposite() } else { sign }
        })
    })
}

/// The mask of sides on which a point lies; `None` if it is outside of one.
fn on_sides(inward: [Sign; 3]) -> Option<u8> {
    let on = |j: usize| u8::from(inward[j].is_zero()) << j;
    (!inward.contains(&Sign::Negative)).then(|| on(0) | on(1) | on(2))
}

/// The mask of the two sides that end in corner `i`.
fn ends(i: usize) -> u8 {
    (1 << i) + (1 << ((i + 2) % 3))
}

fn neighbours(corners: &[Corner], k: usize, l: usize) -> bool {
    (0..2).any(|m| corners[k].on[m] & corners[l].on[m] != 0)
}
