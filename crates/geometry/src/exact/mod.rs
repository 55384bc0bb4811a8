//! The exact tests: the only place that decides whether two triangles share a point.
//!
//! All functions accept any finite coordinates and any degenerate triangle (a segment, a point).
//! Triangles are closed sets: touching is meeting. Every decision is an exact sign from
//! [`predicates`](crate::predicates); only the coordinates of [`Meeting`] are rounded.
//!
//! 1. [`triangles_meet`]: the decision.
//! 2. [`meeting`]: where they meet, as point, segment or convex polygon.
//! 3. [`meet_elsewhere`]: the decision for two triangles of one mesh.
//! 4. [`locate`], [`crossing`]: whether a point is inside a closed mesh, by winding number.

mod elsewhere;
mod flat;
mod meeting;
mod parted;
mod polygon;
mod steady;
mod transversal;
mod winding;
mod within;

pub use crate::integers::{differences, integers};
pub use elsewhere::{meet_elsewhere, meet_off_edge};
pub use flat::{point_on_triangle, segment_meets_triangle};
pub use meeting::{Meeting, meeting};
pub use steady::stay_apart;
pub use winding::{Crossing, Location, crossing, locate};
pub use within::within;

use crate::Triangle;
use crate::predicates::{Sign, certain_3d, orient3d_hard};

/// Whether the closed triangles share a point. Exact for all finite coordinates.
///
/// Cost: at most fifteen signs in general position and eighteen planar ones for coplanar triangles;
/// more for triangles without area.
///
/// Reason: the common set is convex and compact, so it has extreme points, and an extreme point
/// lies on the border of at least one triangle. Hence they meet if and only if an edge of one meets
/// the other, which is tested.
pub fn triangles_meet(p: &Triangle, q: &Triangle) -> bool {
    // Cheap beside boxes and signs, and usual where parts stand side by side or one was placed twice.
    if p.iter().any(|x| q.contains(x)) {
        return true;
    }
    if !boxes_meet(p, q) {
        return false;
    }
    let Some(certain) = certain_sides(p, q) else { return false };
    let Some((side_p, side_q)) = exact_sides(p, q, certain) else { return false };
    if all_zero(side_p) && all_zero(side_q) {
        return flat::coplanar_meet(p, q);
    }
    if all_zero(side_p) || all_zero(side_q) {
        return flat::meet(p, q);
    }
    transversal::meet(p, q, side_p, side_q)
}

/// The sides of p's corners with respect to q's plane, and of q's to p's.
type Sides = ([Sign; 3], [Sign; 3]);

/// The sides; `None` if the triangles are found to be apart: all corners of one are strictly on one
/// side of the other's plane, or a plane along a
/// side parts them.
fn sides(p: &Triangle, q: &Triangle) -> Option<Sides> {
    exact_sides(p, q, certain_sides(p, q)?)
}

/// The sides that are certain by the filter, zero for the others; `None` as for [`sides`].
#[inline]
fn certain_sides(p: &Triangle, q: &Triangle) -> Option<Sides> {
    let of = |[a, b, c]: &Triangle, [x, y, z]: &Triangle| {
        [certain_3d(a, b, c, x), certain_3d(a, b, c, y), certain_3d(a, b, c, z)]
    };
    let side_p = of(q, p);
    if one_side(side_p) {
        return None;
    }
    let side_q = of(p, q);
    (!one_side(side_q)).then_some((side_p, side_q))
}

fn uncertain((side_p, side_q): Sides) -> bool {
    side_p.contains(&Sign::Zero) || side_q.contains(&Sign::Zero)
}

/// The sides from those that are certain; `None` as for [`sides`].
fn exact_sides(p: &Triangle, q: &Triangle, certain: Sides) -> Option<Sides> {
    if !uncertain(certain) {
        return Some(certain);
    }
    if parted::apart(p, q, 0.0) {
        return None;
    }
    let of = |plane: &Triangle, points: &Triangle, certain: [Sign; 3]| {
        std::array::from_fn(|i| match certain[i] {
            Sign::Zero => orient3d_hard(&plane[0], &plane[1], &plane[2], &points[i]),
            sign => sign,
        })
    };
    let side_p = of(q, p, certain.0);
    if one_side(side_p) {
        return None;
    }
    let side_q = of(p, q, certain.1);
    (!one_side(side_q)).then_some((side_p, side_q))
}

fn one_side(s: [Sign; 3]) -> bool {
    !s[0].is_zero() && s[0] == s[1] && s[1] == s[2]
}

fn all_zero(s: [Sign; 3]) -> bool {
    s == [Sign::Zero; 3]
}

/// Whether the axis-aligned boxes share a point. Comparisons only, hence exact.
#[inline]
fn boxes_meet(p: &Triangle, q: &Triangle) -> bool {
    (0..3).all(|k| {
        let [p0, p1, p2] = [p[0][k], p[1][k], p[2][k]];
        let [q0, q1, q2] = [q[0][k], q[1][k], q[2][k]];
        p0.min(p1).min(p2) <= q0.max(q1).max(q2) && q0.min(q1).min(q2) <= p0.max(p1).max(p2)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Point;
    use crate::adversarial::Random;
    use crate::volume::Aabb;

    /// Pairs with disjoint boxes skip the signs; touching boxes do not.
    #[test]
    fn boxes_meet_if_and_only_if_their_intervals_do() {
        let (mut r, mut meet) = (Random(222), 0);
        for _ in 0..4000 {
            let mut point = || Point::new(r.below(6) as f64, r.below(6) as f64, r.below(6) as f64);
            let (p, q) = ([point(), point(), point()], [point(), point(), point()]);
            let truth = Aabb::of_triangle(&p).overlaps(&Aabb::of_triangle(&q));
            assert_eq!((boxes_meet(&p, &q), boxes_meet(&q, &p)), (truth, truth));
            meet += u32::from(truth);
        }
        assert!((1000..3600).contains(&meet), "{meet}");
        let all = [Sign::Negative, Sign::Zero, Sign::Positive];
        for k in 0..27 {
            let s = [all[k % 3], all[k / 3 % 3], all[k / 9]];
            assert_eq!(one_side(s), s == [Sign::Negative; 3] || s == [Sign::Positive; 3]);
            assert_eq!(all_zero(s), s.iter().all(|s| s.is_zero()));
        }
    }
}
