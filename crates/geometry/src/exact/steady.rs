//! Whether two triangles of a mesh stay apart, however its corners are rounded.

use super::one_side;
use super::parted::{apart, apart_across, apart_around};
use crate::predicates::settled_3d;
use crate::triangle::{above, larger, largest};
use crate::{Point, Triangle, Vector};

/// Whether two triangles certainly share no point but common corners and common edges, also after
/// each corner has moved by up to `room` along each axis, equal corners by the same. So they do not
/// [meet elsewhere](super::meet_elsewhere), also once the mesh is posed, if posing is a rotation and a
/// translation but for that much. `false` if that is not certain, and of a `room` that is negative or not a
/// number.
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
    if room.is_nan() || room < 0.0 {
        return false;
    }
    // Corners of `p` and `q` that are equal.
    let (mut equal, mut number) = ([[0; 2]; 2], 0);
    for (i, x) in p.iter().enumerate() {
        for (j, y) in q.iter().enumerate() {
            if x == y {
                if number == 2 {
                    return false;
                }
                (equal[number], number) = ([i, j], number + 1);
            }
        }
    }
    let next = |t: &Triangle, i: usize| [t[(i + 1) % 3], t[(i + 2) % 3]];
    match (number, equal) {
        (0, _) => beside(p, q, room) || beside(q, p, room) || apart(p, q, room),
        (1, [[i, j], _]) => {
            let (v, [a, b], [c, d]) = (&p[i], next(p, i), next(q, j));
            beyond_a_plane(v, [&a, &b], [&c, &d], room) || apart_around(v, [&a, &b], [&c, &d], room)
        }
        // A corner that comes twice is no edge.
        (_, [[i, j], [k, l]]) if i != k && j != l => {
            let ([a, b], x, y) = ([&p[i], &p[k]], &p[3 - i - k], &q[3 - j - l]);
            off_a_plane(a, [b, x], y, room) || apart_across([a, b], x, y, room)
        }
        _ => false,
    }
}

/// Whether of the triangles `v a b` and `v c d` one stays on one side of the plane of the other, but for
/// the corner `v`.
#[inline(always)]
fn beyond_a_plane(v: &Point, [a, b]: [&Point; 2], [c, d]: [&Point; 2], room: f64) -> bool {
    let [a, b, c, d] = [a - v, b - v, c - v, d - v];
    let Some(bound) = bound(&[a, b, c, d], room) else { return false };
    let on_a_side = |normal: Vector, [x, y]: [&Vector; 2]| {
        let (s, t) = (normal.dot(x), normal.dot(y));
        (above(s, bound) && above(t, bound)) || (above(-s, bound) && above(-t, bound))
    };
    on_a_side(c.cross(&d), [&a, &b]) || on_a_side(a.cross(&b), [&c, &d])
}

/// Whether `x` stays off the plane of `v a b`.
#[inline(always)]
fn off_a_plane(v: &Point, [a, b]: [&Point; 2], x: &Point, room: f64) -> bool {
    let [a, b, x] = [a - v, b - v, x - v];
    bound(&[a, b, x], room).is_some_and(|bound| above(a.cross(&b).dot(&x).abs(), bound))
}

/// Sizes at which no product of three differences leaves the range of f64.
const RANGE: std::ops::Range<f64> = 1e-60..1e60;
/// `u`, half the distance of 1 from the next number.
const UNIT: f64 = f64::EPSILON / 2.0;

/// By how much the determinant of three of these differences from a corner may be off, once rounded and
/// once corners have moved. `None` if that is not known.
///
/// With differences below `L`, rounded once, a component of a cross product is off by at most `8.1 u L²`,
/// and its product with the third by `48.6 u L³`. Moved corners change that by less than `40 L² room`, as
/// in [`settled_3d`].
#[inline(always)]
fn bound<const N: usize>(differences: &[Vector; N], room: f64) -> Option<f64> {
    let most = differences.iter().map(largest).fold(0.0, larger);
    (RANGE.contains(&most) && room * 64.0 < most)
        .then_some(most * most * (64.0 * UNIT * most + 40.0 * room))
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

    /// A corner at some height over a plane, all four moved the worst way by rooms about as large as the
    /// height allows: what is said to stay off the plane does. With a sixteenth of the room it does not.
    #[test]
    fn a_corner_off_a_plane_stays_there() {
        let mut r = Random(92);
        let (mut stayed, mut crossed) = (0, 0);
        for _ in 0..40_000 {
            let mut at = || Point::from([0; 3].map(|_| 32.0 - r.below(65) as f64));
            let [v, a, b, x] = [at(), at(), at(), at()];
            let det = (a - v).cross(&(b - v)).dot(&(x - v));
            let most = [a, b, x].iter().map(|p| (p - v).amax()).fold(0.0, f64::max);
            let times = 64.0 * r.unit().abs();
            let room = det.abs() / (times * most * most);
            if det == 0.0 || times < 2.5 {
                continue;
            }
            let plane = off_a_plane(&v, [&a, &b], &x, room);
            // Along each axis against the sign of the determinant's slope.
            let slopes = |[v, a, b, x]: [Point; 4]| {
                let of =
                    [(b - v).cross(&(x - v)), (x - v).cross(&(a - v)), (a - v).cross(&(b - v))];
                [-(of[0] + of[1] + of[2]), of[0], of[1], of[2]]
            };
            let corners = [v, a, b, x];
            let mut moved = corners;
            for ((p, slope), old) in moved.iter_mut().zip(slopes(corners)).zip(corners) {
                *p = old - slope.map(|s| room * s.signum()) * det.signum();
            }
            let [v, a, b, x] = moved;
            let after = (a - v).cross(&(b - v)).dot(&(x - v));
            assert!(!plane || after * det > 0.0, "{corners:?} {room}");
            stayed += u32::from(plane);
            crossed += u32::from(after * det <= 0.0);
        }
        assert!(stayed > 10_000 && crossed > 300, "{stayed} {crossed}");
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
        // No room at all is no room, and what is less is an error of the caller.
        let over = [p[1], p[0], at(0.25, 0.5)];
        for room in [-1.0, -f64::MIN_POSITIVE, f64::NAN, f64::NEG_INFINITY] {
            assert!(!stay_apart(&p, &over, room) && !stay_apart(&p, &q(2.0), room));
        }
    }
}
