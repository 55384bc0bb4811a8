//! Random points, triangles and small displacements for all classes.

use impinge_geometry::{Point, Triangle, Vector};
use impinge_models::Random;

/// A triangle with every corner uniform in the cube `[-1, 1)³`.
pub(super) fn triangle(random: &mut Random) -> Triangle {
    std::array::from_fn(|_| Point::from(random.vector(-1.0, 1.0)))
}

/// A triangle with integer coordinates in `-n..=n`.
pub(super) fn lattice_triangle(random: &mut Random, n: i64) -> Triangle {
    std::array::from_fn(|_| Point::from(lattice_vector(random, n)))
}

/// A vector with integer coordinates in `-n..=n`.
pub(super) fn lattice_vector(random: &mut Random, n: i64) -> Vector {
    Vector::from_fn(|_, _| integer(random, -n, n))
}

pub(super) fn integer(random: &mut Random, low: i64, high: i64) -> f64 {
    (low + random.below((high - low + 1) as u64) as i64) as f64
}

/// A random point of the triangle, rounded, with uniform weights.
pub(super) fn point_of(random: &mut Random, t: &Triangle) -> Point {
    let (mut u, mut v) = (random.unit(), random.unit());
    if u + v > 1.0 {
        (u, v) = (1.0 - u, 1.0 - v);
    }
    t[0] + (t[1] - t[0]) * u + (t[2] - t[0]) * v
}

/// `b` moved so that a random point of it is within `spread` of a random point of `a`. The smaller
/// the spread, the more of these pairs meet.
pub(super) fn brought_near(
    random: &mut Random,
    a: &Triangle,
    b: &Triangle,
    spread: f64,
) -> Triangle {
    let (p, q) = (point_of(random, a), point_of(random, b));
    let miss = random.in_ball() * spread;
    b.map(|x| p + (x - q) + miss)
}

/// `x` moved by a number of units in the last place.
pub(crate) fn stepped(x: f64, ulps: i64) -> f64 {
    (0..ulps.abs()).fold(x, |x, _| if ulps > 0 { x.next_up() } else { x.next_down() })
}

/// Every coordinate moved by −2 to 2 ulps.
pub(super) fn nudged(random: &mut Random, p: &Point) -> Point {
    p.map(|x| stepped(x, random.below(5) as i64 - 2))
}

/// As [`nudged`], but never unchanged.
pub(super) fn pushed_off(random: &mut Random, p: &Point) -> Point {
    loop {
        let moved = nudged(random, p);
        if moved != *p {
            return moved;
        }
    }
}
