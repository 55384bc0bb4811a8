//! The sphere: how tight a fit is, and how far each test and each transformation rounds outward.

use std::f64::consts::PI;

use dashu_ratio::RBig;
use impinge_geometry::volume::{Aabb, Obb, Sphere};
use impinge_geometry::{Point, Pose, Vector};
use nalgebra::Matrix3;

use crate::support::{Random, big, dot, exact, minus};

const UNIT: f64 = f64::EPSILON / 2.0;
/// Exponents: both ends of the range, both sides of the thresholds at which squares need scaling,
/// and between.
const SCALES: [i32; 9] = [-900, -470, -466, -464, 0, 3, 464, 466, 990];

fn scale(k: i32) -> f64 {
    2f64.powi(k / 2) * 2f64.powi(k - k / 2)
}

/// The documented steps of the fit in plain arithmetic.
fn plain_fit(points: &[Point]) -> (Point, f64) {
    let (lo, hi) = points.iter().fold((points[0], points[0]), |(l, h), p| (l.inf(p), h.sup(p)));
    let mut center = nalgebra::center(&lo, &hi);
    let mut best = (center, f64::INFINITY);
    for step in 0..9 {
        let mut far = points[0];
        for p in points {
            if (p - center).norm() > (far - center).norm() {
                far = *p;
            }
        }
        let radius = (far - center).norm();
        if radius < best.1 {
            best = (center, radius);
        }
        center += (far - center) / f64::from(step + 2);
    }
    best
}

/// The radius of the smallest enclosing ball of a few points, by trying two, three and four of
/// them.
fn least_radius(points: &[Point]) -> f64 {
    let n = points.len();
    let holds = |c: &Point, r: f64| points.iter().all(|p| (p - c).norm() <= r * (1.0 + 1e-12));
    let mut least = f64::INFINITY;
    let mut offer = |c: Point, r: f64| {
        if r < least && holds(&c, r) {
            least = r;
        }
    };
    for i in 0..n {
        for j in 0..i {
            let c = nalgebra::center(&points[i], &points[j]);
            offer(c, (points[i] - c).norm());
            for k in 0..j {
                let (e, f) = (points[j] - points[i], points[k] - points[i]);
                let g = e.cross(&f);
                let off = |h: Vector, rhs: Vector| {
                    let rows = Matrix3::from_rows(&[e.transpose(), f.transpose(), h.transpose()]);
                    rows.try_inverse().map(|inverse| inverse * rhs)
                };
                let (ee, ff) = (0.5 * e.dot(&e), 0.5 * f.dot(&f));
                if let Some(c) = off(g, Vector::new(ee, ff, 0.0)) {
                    offer(points[i] + c, c.norm());
                }
                for l in 0..k {
                    let h = points[l] - points[i];
                    if let Some(c) = off(h, Vector::new(ee, ff, 0.5 * h.dot(&h))) {
                        offer(points[i] + c, c.norm());
                    }
                }
            }
        }
    }
    least
}

#[test]
fn fits_take_the_steps_they_are_said_to_and_come_near_the_least_ball() {
    let mut r = Random(121);
    let (mut worst, mut sum) = (0.0f64, 0.0);
    for k in 0..300 {
        let n = 2 + k % 7;
        let points: Vec<Point> = (0..n).map(|_| r.point()).collect();
        let fit = Sphere::fit_points(points.iter().copied()).expect("points");
        let (center, radius) = plain_fit(&points);
        assert!((fit.center - center).amax() < 1e-12, "{fit:?} {center}");
        assert!((fit.radius / radius - 1.0).abs() < 32.0 * UNIT);
        let share = fit.radius / least_radius(&points);
        assert!(share > 1.0 - 1e-11, "{share}");
        worst = worst.max(share);
        sum += share / 300.0;
    }
    println!("radius over the least: at most {worst}, {sum} on average");
    assert!(worst < 1.13 && sum < 1.05, "{worst} {sum}");
    assert_eq!(Sphere::fit_points(std::iter::empty()), None);
    assert_eq!(Sphere::fit(std::iter::empty()), None);
    let one = Sphere::fit_points(std::iter::once(Point::new(1.0, 2.0, 3.0)));
    assert_eq!(one, Some(Sphere { center: Point::new(1.0, 2.0, 3.0), radius: 0.0 }));
}

/// The fit steps towards the first of several equally far points. So repeated points, such as a
/// corner shared by several triangles, do not change the ball.
#[test]
fn a_point_that_is_given_again_changes_no_ball() {
    let mut r = Random(122);
    for k in 0..200 {
        // On a lattice many points are equally far.
        let points: Vec<Point> = (0..2 + k % 7).map(|_| r.lattice_point(2)).collect();
        let fit = Sphere::fit_points(points.iter().copied());
        for again in &points {
            let more = points.iter().chain([again]).copied();
            assert_eq!(Sphere::fit_points(more), fit, "{points:?}");
        }
    }
}

/// A radius is rounded up by 16 u, plus at most eight roundings, at any scale.
#[test]
fn radii_are_rounded_up_by_sixteen_units() {
    let mut r = Random(122);
    for k in 0..900 {
        let unit = scale(SCALES[k % 9]);
        let (c, p) = (r.point() * unit, r.point() * unit);
        let radius = big(Sphere::around(c, [c, p].into_iter()).radius);
        let between = minus(&exact(&p), &exact(&c));
        let squared = dot(&between, &between);
        let within = |units: f64| {
            let share = &radius / big(1.0 + units * UNIT);
            &share * &share >= squared
        };
        assert!(within(8.0) && !within(28.0), "{c} {p}");
    }
    for k in SCALES {
        let ball = Sphere::around(Point::origin(), [Point::new(0.0, scale(k), 0.0)].into_iter());
        assert!(ball.radius > scale(k) && ball.radius <= scale(k) * (1.0 + 20.0 * UNIT));
    }
    let least = f64::from_bits(1);
    let tiny = Sphere::around(Point::origin(), [Point::new(least, least, 0.0)].into_iter());
    assert!(tiny.radius >= 2.0 * least && tiny.radius <= 4.0 * least, "{tiny:?}");
    let point = Sphere::around(Point::origin(), std::iter::once(Point::origin()));
    assert_eq!(point.radius, 0.0);
}

/// Distances along an axis are exact: touching shapes overlap, and shapes beyond the allowance are
/// apart.
#[test]
fn what_touches_is_never_apart_and_what_is_far_enough_is() {
    for k in SCALES {
        let unit = scale(k);
        for (axis, side) in [(0, 1.0), (1, -1.0), (2, 1.0)] {
            let at = |x: f64| {
                let mut p = Point::origin();
                p[axis] = side * x * unit;
                p
            };
            let beyond = |x: f64, units: f64| x * (1.0 + units * UNIT);
            let ball = |x: f64, radius: f64| Sphere { center: at(x), radius: radius * unit };
            let one = ball(0.0, 1.5);
            assert!(one.contains(&at(1.5)) && !one.contains(&at(beyond(1.5, 24.0))));
            assert!(one.contains(&at(beyond(1.5, 2.0))) && one.contains(&one.center));
            // Another ball.
            for radius in [0.0, 0.25, 8.0] {
                let touching = ball(1.5 + radius, radius);
                assert!(one.overlaps(&touching) && touching.overlaps(&one));
                let apart = ball(beyond(1.5 + radius, 48.0), radius);
                assert!(!one.overlaps(&apart) && !apart.overlaps(&one), "{apart:?}");
            }
            // A box beside the sphere, and one that holds its centre.
            let reach = Vector::repeat(0.5 * unit);
            let upright = |x: f64| Aabb { min: at(x) - reach, max: at(x) + reach };
            assert!(one.overlaps_aabb(&upright(2.0)) && one.overlaps_aabb(&upright(0.0)));
            assert!(!one.overlaps_aabb(&upright(beyond(2.0, 40.0))), "{k} {axis}");
            let turned = |x: f64| Obb { half: 2.0 * reach, ..Obb::from(upright(x)) };
            let slack = 256.0 * UNIT * (1.5 + 3.0);
            assert!(one.overlaps_obb(&turned(2.5)) && one.overlaps_obb(&turned(0.0)));
            assert!(one.overlaps_obb(&turned(2.5 + 0.75 * slack)));
            assert!(!one.overlaps_obb(&turned(2.5 + 1.25 * slack)), "{k} {axis}");
        }
    }
    // Beyond a corner the distances to all three slabs count.
    let cube = cube_of(1.0);
    for corner in 0..8 {
        let at = |i: i32| if corner >> i & 1 == 1 { 1.0 } else { -1.0 };
        let v = Vector::new(at(0) * 2.0, at(1) * 3.0, at(2) * 7.0);
        // The distance is √(1 + 4 + 36).
        for (radius, met) in [(9.0, true), (6.41, true), (6.4, false), (5.5, false)] {
            let s = Sphere { center: Point::from(v), radius };
            assert_eq!((s.overlaps_aabb(&cube), s.overlaps_obb(&cube.into())), (met, met));
        }
    }
    let point = Sphere { center: Point::origin(), radius: 0.0 };
    let cube = Obb { center: Point::origin(), axes: Matrix3::identity(), half: Vector::zeros() };
    assert!(point.overlaps(&point) && point.contains(&point.center) && point.overlaps_obb(&cube));
    let here = Aabb { min: point.center, max: point.center };
    assert!(point.overlaps_aabb(&here) && point.overlaps_aabb(&cube_of(1.0)));
}

fn cube_of(half: f64) -> Aabb {
    let reach = Vector::repeat(half);
    Aabb { min: Point::origin() - reach, max: Point::origin() + reach }
}

#[test]
fn merged_balls_are_the_smallest_that_hold_both() {
    let mut r = Random(123);
    for k in 0..900 {
        let unit = scale(SCALES[k % 9]);
        let mut ball = || Sphere { center: r.point() * unit, radius: r.unit().abs() * unit };
        let (a, b) = (ball(), ball());
        let merged = a.merged(&b);
        let between = (b.center - a.center) / unit;
        let (d, ra, rb) = (between.norm(), a.radius / unit, b.radius / unit);
        let found = merged.radius / unit;
        if d + rb < ra * (1.0 - 1e-12) {
            assert_eq!(merged, a);
        } else if d + ra < rb * (1.0 - 1e-12) {
            assert_eq!(merged, b);
        } else {
            let least = 0.5 * (d + ra + rb);
            assert!((found / least - 1.0).abs() < 64.0 * UNIT, "{a:?} {b:?} {merged:?}");
            let center = a.center / unit + between * ((least - ra) / d);
            assert!((merged.center / unit - center).amax() < 1e-14, "{a:?} {b:?} {merged:?}");
        }
        let same = a.merged(&a);
        assert!(same.radius >= a.radius && same.radius <= a.radius * (1.0 + 64.0 * UNIT));
        assert_eq!(same.center, a.center);
    }
    let point = Sphere { center: Point::new(1.0, 2.0, 3.0), radius: 0.0 };
    assert_eq!(point.merged(&point), point);
}

#[test]
fn posed_balls_grow_by_256_roundings_and_volumes_are_those_of_balls() {
    let mut r = Random(124);
    for k in 0..100 {
        let s = Sphere {
            center: Point::from(r.vector() * [0.0, 3.0][k % 2]),
            radius: r.unit().abs() + 0.1,
        };
        let pose = r.pose([0.0, 5.0, 0.5][k % 3]);
        let image = s.posed(&pose);
        assert_eq!(image.center, pose.apply(&s.center));
        let size = s.center.coords.abs().sum() + pose.translation().abs().sum() + s.radius;
        let share = (image.radius - s.radius) / (256.0 * UNIT * size);
        assert!((share - 1.0).abs() < 0.05, "{share}");
        let volume = 4.0 / 3.0 * PI * s.radius.powi(3);
        assert!((s.volume() / volume - 1.0).abs() < 1e-14);
    }
    let point = Sphere { center: Point::origin(), radius: 0.0 };
    assert_eq!(point.posed(&Pose::identity()).radius, f64::MIN_POSITIVE);
    assert!(big(point.volume()) == RBig::ZERO);
}
