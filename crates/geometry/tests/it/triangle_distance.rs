//! Distances of triangles against rational arithmetic.

use dashu_ratio::RBig;
use impinge_geometry::triangle::{distance, distance_apart, gap};
use impinge_geometry::{Point, Triangle, Vector, exact};

use crate::support::distance::true_squared;
use crate::support::{Random, big};

fn reach(p: &Triangle, q: &Triangle) -> f64 {
    let all = || p.iter().chain(q);
    all().flat_map(|x| all().map(move |y| (x - y).amax())).fold(0.0, f64::max)
}

const UNIT: f64 = f64::EPSILON / 2.0;
/// The least positive f64.
const LEAST: f64 = f64::from_bits(1);
/// The documented error bound, in units of rounding of the largest coordinate difference.
const BOUND: f64 = 16.0;

/// Whether `|claimed − true| ≤ units · u · reach + LEAST / 2`. Squares are compared, exactly.
fn within(claimed: f64, truth: &RBig, units: f64, reach: f64) -> bool {
    let bound = big(units * UNIT) * big(reach) + big(LEAST) / big(2.0);
    let (low, high) = (big(claimed) - &bound, big(claimed) + &bound);
    (low <= RBig::ZERO || &low * &low <= *truth) && *truth <= &high * &high
}

fn check(p: &Triangle, q: &Triangle, worst: &mut f64) {
    let (d, x, y) = distance(p, q);
    let truth = true_squared(p, q);
    let size = reach(p, q);
    assert!(within(d, &truth, BOUND, size), "{d:e} {p:?} {q:?}");
    let mut units = BOUND;
    while units > 0.25 && within(d, &truth, units / 2.0, size) {
        units /= 2.0;
    }
    *worst = worst.max(units);
    // The nearest points are rounded in world coordinates.
    let coarse = p.iter().chain(q).fold(size, |m, c| m.max(c.coords.amax()));
    let unit = coarse.max(f64::MIN_POSITIVE);
    let apart = ((x - y) / unit).norm() * unit;
    assert!((apart - d).abs() <= 64.0 * UNIT * coarse + 8.0 * LEAST, "{apart:e} {d:e} {p:?} {q:?}");
}

#[test]
fn random_and_lattice_triangles() {
    let (mut r, mut worst) = (Random(21), 0.0);
    for _ in 0..800 {
        let shift = r.vector() * 2.0;
        check(&r.triangle(), &r.triangle().map(|x| x + shift), &mut worst);
        check(&r.lattice_triangle(2), &r.lattice_triangle(2), &mut worst);
    }
    println!("random and lattice: within {worst} u");
}

#[test]
fn nearly_parallel_sides_and_needles() {
    let (mut r, mut worst) = (Random(22), 0.0);
    for k in 0..800 {
        let thin = 10f64.powi(-(k % 13));
        let p = r.triangle();
        let needle = [p[0], p[1], p[0] + (p[1] - p[0]) * r.unit().abs() + r.vector() * thin];
        let other = r.triangle();
        check(&needle, &other, &mut worst);
        let parallel = needle.map(|x| x + r.vector() * thin);
        check(&needle, &parallel, &mut worst);
        check(&parallel, &p.map(|x| x + r.vector() * thin), &mut worst);
    }
    println!("needles: within {worst} u");
}

/// A triangle of the given height, and a point at the given distance above its interior, both up to
/// rounding.
fn over_a_needle(r: &mut Random, height: f64, distance: f64) -> (Triangle, Point) {
    let (a, along) = (r.point(), r.vector());
    let across = along.cross(&r.vector()).normalize();
    let apex = if r.below(3) == 0 { r.unit() * height } else { r.unit() };
    let needle = [a, a + along, a + along * apex + across * height];
    let [s, t] = [r.unit().abs(), r.unit().abs()];
    let [s, t] = if s + t > 1.0 { [1.0 - s, 1.0 - t] } else { [s, t] };
    let inside = a + (needle[1] - a) * s + (needle[2] - a) * t;
    (needle, inside + along.cross(&across).normalize() * distance)
}

/// The nearest point is in the interior of a needle, however low it is: for a point above it, and
/// for a triangle whose nearest corner is that point.
#[test]
fn points_over_the_inside_of_needles() {
    let (mut r, mut worst) = (Random(29), 0.0);
    for k in 0..1800 {
        let height = 10f64.powi(-(k % 18));
        let above = 10f64.powi(-(r.below(19) as i32));
        let (needle, x) = over_a_needle(&mut r, height, above);
        check(&needle, &[x; 3], &mut worst);
        let away = (x - needle[0]) * 0.5 + r.vector() * above;
        check(&[x, x + away, x + away + r.vector() * above], &needle, &mut worst);
    }
    println!("over needles: within {worst} u");
}

#[test]
fn points_and_segments_as_triangles() {
    let (mut r, mut worst) = (Random(23), 0.0);
    for _ in 0..250 {
        let (p, q) = (r.triangle(), r.triangle());
        let shapes = [[p[0]; 3], [p[0], p[1], p[1]], [p[0], p[1], p[0]], p];
        for s in &shapes {
            check(s, &q, &mut worst);
            check(&[q[0]; 3], s, &mut worst);
            check(&[q[0], q[0], q[1]], s, &mut worst);
        }
    }
    println!("degenerate: within {worst} u");
}

#[test]
fn far_from_the_origin_and_at_every_scale() {
    let (mut r, mut worst) = (Random(24), 0.0);
    for k in [-1000, -500, -200, -60, 0, 60, 200, 500, 990] {
        let s = 2f64.powi(k);
        for _ in 0..20 {
            let shift = r.vector() * 1e9;
            let (p, q) = (r.triangle(), r.triangle());
            check(&p.map(|x| x * s), &q.map(|x| x * s), &mut worst);
            check(&p.map(|x| (x + shift) * s), &q.map(|x| (x + shift) * s), &mut worst);
        }
    }
    println!("scales: within {worst} u");
}

/// Needles beside near-parallel sides, found by a hill climb over 300,000 pairs.
#[expect(clippy::unreadable_literal, reason = "every digit of found numbers")]
const WORST: [[[[f64; 3]; 3]; 2]; 2] = [
    [
        [
            [0.9541462934216718, 0.7668854695707604, 0.9999993678320673],
            [-0.2938104659047004, -0.5235580176790857, 0.15566997941357769],
            [0.5356654020654527, 0.2723607676049962, -0.1113021985873236],
        ],
        [
            [0.9446726016129431, 0.7847886796754153, 0.27409389101445164],
            [-0.29381046633756946, -0.5235484680441391, 0.1556332046243562],
            [0.1260575444201473, 0.4882407894229018, 0.8067811343663442],
        ],
    ],
    [
        [
            [0.9368718389803548, 0.585066392245147, 0.8816496693632871],
            [-0.2938104659047004, -0.5235484680442362, 0.15566997941357769],
            [0.5363938594101441, 0.18007590573655238, -0.13450562261767962],
        ],
        [
            [0.9446726016129173, 0.7847886796754135, 0.17822612001311983],
            [-0.29381046633756946, -0.5235484680441391, 0.1556332046243562],
            [0.24956551968445959, 0.06411355808054382, -0.1524016044986312],
        ],
    ],
];

#[test]
fn the_worst_that_was_found_needs_more_than_a_quarter_of_the_bound() {
    let mut r = Random(27);
    for pair in WORST {
        let [p, q] = pair.map(|t| t.map(Point::from));
        let (truth, size) = (true_squared(&p, &q), reach(&p, &q));
        let d = distance(&p, &q).0;
        assert!(within(d, &truth, BOUND, size) && !within(d, &truth, BOUND / 4.0, size));
        // So do nearby pairs.
        let mut more = 0;
        for _ in 0..40 {
            let mut near = |t: &Triangle| t.map(|x| x + r.vector() * 1e-15);
            let (p, q) = (near(&p), near(&q));
            let mut units = 0.0;
            check(&p, &q, &mut units);
            more += u32::from(units > BOUND / 8.0);
        }
        assert!(more > 0, "no neighbour needs an eighth");
    }
}

#[test]
fn below_the_normal_range_only_the_result_is_rounded() {
    let mut r = Random(28);
    for k in [-1074, -1073, -1060, -1030, -1020] {
        let scale = 2f64.powi(k / 2) * 2f64.powi(k - k / 2);
        for _ in 0..60 {
            let shift = r.lattice_point(6).coords;
            let (p, q) = (r.lattice_triangle(4), r.lattice_triangle(4).map(|x| x + shift));
            check(&p.map(|x| x * scale), &q.map(|x| x * scale), &mut 0.0);
        }
    }
    let at = |c: [[f64; 3]; 3]| c.map(|x| Point::from(x.map(|x| x * LEAST)));
    let floor = at([[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0]]);
    for n in 1..40 {
        let above = floor.map(|x| Point::new(x.x, x.y, f64::from_bits(n)));
        assert_eq!(distance(&floor, &above).0, f64::from_bits(n));
        assert_eq!(distance_apart(&above, &floor).0, f64::from_bits(n));
    }
}

#[test]
fn a_distance_of_less_than_the_least_number_is_not_zero() {
    let at = |c: [[f64; 3]; 3]| c.map(|x| Point::from(x.map(|x| x * LEAST)));
    let slope = at([[0.0, 0.0, 0.0], [2.0, 1.0, 0.0], [2.0, 1.0, 0.0]]);
    let dot = at([[1.0, 1.0, 0.0]; 3]);
    assert!(!exact::triangles_meet(&slope, &dot));
    assert_eq!(distance(&slope, &dot).0, 0.0);
    assert_eq!(distance_apart(&slope, &dot).0, LEAST);
}

/// Two triangles are as far apart as their boxes along any axis: exactly, but for the rounding of one
/// difference. Above each other in planes across an axis they are no farther.
#[test]
fn a_gap_of_boxes_is_at_most_the_distance() {
    let mut r = Random(27);
    let (mut apart, mut as_near) = (0, 0);
    for k in 0..6_000 {
        let axis = k % 3;
        let is_flat = k % 2 == 0;
        let [p, q] = [(); 2].map(|()| {
            let height = 6.0 * r.unit() - 3.0;
            r.triangle().map(|mut x| {
                x[axis] = if is_flat { height } else { x[axis] + height };
                x
            })
        });
        let found = gap(&p, &q);
        assert_eq!(found, gap(&q, &p));
        apart += usize::from(found > 0.0);
        let is_near = |d| exact::within(&p, &q, d);
        assert!(found == 0.0 || !is_near(found.next_down()), "{p:?} {q:?} {found:e}");
        as_near += usize::from(is_flat && is_near(found.next_up()));
    }
    assert!(apart > 3_000 && as_near > 500, "{apart} {as_near}");
}

/// Beside a corner that is far away, a distance is rounded to that corner's place; the gap is not.
#[test]
fn a_distance_is_no_less_than_the_gap_of_the_boxes() {
    let mut r = Random(28);
    let mut less = 0;
    for _ in 0..4_000 {
        let p = r.triangle();
        let mut q = r.triangle().map(|x| x + Vector::new(0.0, 0.0, 3.0));
        q[0] = Point::from(r.vector().normalize() * 1e17);
        q[0].z = q[0].z.abs();
        let (computed, apart, gap) = (distance(&p, &q).0, distance_apart(&p, &q).0, gap(&p, &q));
        less += usize::from(computed < gap);
        assert!(apart >= gap && apart == computed.max(gap), "{p:?} {q:?}");
        assert!((apart - computed).abs() <= BOUND * UNIT * reach(&p, &q));
    }
    assert!(less > 100, "{less}");
}

#[test]
fn a_side_through_a_face_is_at_distance_zero() {
    let mut r = Random(25);
    let mut deep = 0;
    for _ in 0..5000 {
        let (p, q) = (r.triangle(), r.triangle());
        if exact::triangles_meet(&p, &q) {
            deep += 1;
            assert!(distance(&p, &q).0 <= BOUND * UNIT * reach(&p, &q));
        }
    }
    assert!(deep > 500);
}

#[test]
fn the_check_notices_a_wrong_distance() {
    let mut r = Random(26);
    let (p, q) = (r.triangle(), r.triangle().map(|x| x + support_shift()));
    let (d, ..) = distance(&p, &q);
    let (truth, size) = (true_squared(&p, &q), reach(&p, &q));
    assert!(within(d, &truth, BOUND, size));
    assert!(!within(d + 32.0 * UNIT * size, &truth, BOUND, size));
    assert!(!within(d - 32.0 * UNIT * size, &truth, BOUND, size));
}

fn support_shift() -> Vector {
    Vector::new(3.0, 0.0, 0.0)
}
