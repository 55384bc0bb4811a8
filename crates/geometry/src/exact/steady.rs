//! Whether two triangles of a mesh stay apart, however its corners are rounded.

use super::elsewhere::Corners;
use super::one_side;
use super::parted::{apart, apart_across, apart_around};
use crate::predicates::settled_3d;
use crate::{Point, Triangle};

/// Whether two triangles certainly share no point but common corners and common edges, also after
/// each corner has moved by up to `room` along each axis, equal corners by the same. So they do not
/// [meet elsewhere](super::meet_elsewhere), also once the mesh is posed, if posing is a rotation and a
/// translation but for that much. `false` if that is not certain.
///
/// Cost: at most some twenty determinants in f64; no exact signs are used.
///
/// ```
/// use impinge_geometry::{Point, exact::stay_apart};
/// let [a, b, c, d] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]].map(Point::from);
/// let square = [[a, b, c], [b, d, c]];
/// assert!(stay_apart(&square[0], &square[1], 1e-3));
/// assert!(!stay_apart(&square[0], &square[1], 1.0));
/// ```
pub fn stay_apart(p: &Triangle, q: &Triangle, room: f64) -> bool {
    let (of_p, of_q) = (Corners::new(p), Corners::new(q));
    let mut common = of_p;
    common.retain(|x| of_q.has(x));
    let (mut ends_p, mut ends_q) = (of_p, of_q);
    ends_p.retain(|x| !common.has(x));
    ends_q.retain(|x| !common.has(x));
    match (common.as_slice(), ends_p.as_slice(), ends_q.as_slice()) {
        ([], _, _) => beside(p, q, room) || beside(q, p, room) || apart(p, q, room),
        ([v], [a, b], [c, d]) => {
            beside(&[*a, *b, *a], q, room)
                || beside(&[*c, *d, *c], p, room)
                || apart_around(v, [a, b], [c, d], room)
        }
        ([a, b], [x], [y]) => {
            !settled_3d(a, b, x, y, room).is_zero() || apart_across([a, b], x, y, room)
        }
        _ => false,
    }
}

/// Whether the points stay strictly on one side of the plane of `t`.
fn beside(points: &Triangle, t: &Triangle, room: f64) -> bool {
    let side = |x: &Point| settled_3d(&t[0], &t[1], &t[2], x, room);
    one_side([side(&points[0]), side(&points[1]), side(&points[2])])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adversarial::Random;
    use crate::exact::meet_elsewhere;

    /// Triangles with no, one or two common corners, flat or not. Whatever stays apart does so after
    /// its corners have moved, also by the most; and what is not said to does meet at times.
    #[test]
    fn triangles_that_stay_apart_do_so_after_corners_have_moved() {
        let mut r = Random(91);
        let mut stayed = [0; 3];
        let mut met = [0; 3];
        for round in 0..30_000 {
            let kind = round % 3;
            let room = [2f64.powi(-44), 0.02, 0.1][round / 3 % 3];
            let flat = round % 2 == 0;
            let mut at = || {
                let z = if flat { 0.0 } else { r.below(5) as f64 };
                Point::new(r.below(5) as f64, r.below(5) as f64, z)
            };
            let corners: [Point; 6] = std::array::from_fn(|_| at());
            let pairs = |c: &[Point; 6]| {
                let [a, b, d, x, y, z] = *c;
                let q = [[x, y, z], [a, y, z], [a, b, z]][kind];
                ([a, b, d], q)
            };
            let (p, q) = pairs(&corners);
            let stay = stay_apart(&p, &q, room);
            for trial in 0..8 {
                let mut moved = corners;
                for (corner, old) in moved.iter_mut().zip(&corners) {
                    let same = corners.iter().position(|c| c == old).unwrap_or(0) as u64;
                    let mut r = Random((round * 8 + trial) as u64 * 64 + same);
                    for k in 0..3 {
                        let most = if r.below(2) == 0 { room } else { -room };
                        corner[k] += if trial % 2 == 0 { most } else { room * r.unit() };
                    }
                }
                let (p, q) = pairs(&moved);
                let meet = meet_elsewhere(&p, &q);
                assert!(!(stay && meet), "{kind} {room} {p:?} {q:?}");
                met[kind] += u32::from(meet && trial == 0);
            }
            stayed[kind] += u32::from(stay);
        }
        assert!(stayed.iter().chain(&met).all(|&n| n > 500), "{stayed:?} {met:?}");
    }

    /// A gap of less than what corners move is not enough, and twenty times that is.
    #[test]
    fn a_gap_must_be_larger_than_what_corners_move() {
        let at = |x: f64, y: f64| Point::new(x, y, 0.0);
        let p = [at(0.0, 0.0), at(1.0, 0.0), at(0.0, 1.0)];
        let q = |gap: f64| [at(0.0, -gap), at(1.0, -gap), at(0.0, -1.0)];
        assert!(stay_apart(&p, &q(2.0), 0.05) && !stay_apart(&p, &q(0.09), 0.05));
        let fold = |x: f64| [p[1], p[0], at(0.5, -x)];
        assert!(stay_apart(&p, &fold(1.0), 0.05) && !stay_apart(&p, &fold(0.09), 0.05));
        // Around a corner: corners that move by half the gap meet.
        let v = at(0.0, 0.0);
        let [a, b, c, d] =
            [[1.0, 9.0], [1.0, -9.0], [-1.0, 9.0], [-1.0, -9.0]].map(|[x, y]| at(x, y));
        let around = |room: f64| stay_apart(&[v, a, b], &[v, c, d], room);
        assert!(around(0.45) && !around(0.51));
        // The plane of one is enough, where that of the other and the one between them are not.
        let wide = [v, at(-1.0, 0.1), at(1.0, 0.1)];
        let above = [v, Point::new(0.0, 1.0, 1.0), Point::new(0.1, -1.0, 1.0)];
        assert!(stay_apart(&wide, &above, 1e-3) && stay_apart(&above, &wide, 1e-3));
        assert!(!stay_apart(&p, &p, 0.0) && !stay_apart(&p, &[p[0], p[0], p[1]], 0.0));
    }
}
