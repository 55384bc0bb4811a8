//! The exact convex hull is closed, convex and holds its points, in any position.

use std::collections::HashMap;

use impinge_geometry::predicates::{Sign, orient3d};
use impinge_geometry::volume::{ConvexHull, HullError, HullShape};
use impinge_geometry::{Point, Pose, Vector};

use crate::support::Random;

fn validate(hull: &ConvexHull, points: &[Point]) {
    for p in points {
        assert!(hull.contains(p), "{p:?}");
    }
    assert!(hull.vertices().iter().all(|v| points.contains(v)));
    let HullShape::Solid { vertices, faces } = hull.shape() else { return };
    let mut sides: HashMap<(u32, u32), u32> = HashMap::new();
    for f in faces {
        for i in 0..3 {
            *sides.entry((f[i], f[(i + 1) % 3])).or_default() += 1;
        }
        let [a, b, c] = f.map(|i| vertices[i as usize]);
        assert!(vertices.iter().all(|v| orient3d(&a, &b, &c, v) != Sign::Positive));
    }
    assert!(sides.iter().all(|((a, b), n)| *n == 1 && sides.contains_key(&(*b, *a))));
    assert_eq!(vertices.len() + faces.len(), sides.len() / 2 + 2, "Euler");
}

#[test]
fn hulls_of_random_and_lattice_points() {
    let mut r = Random(51);
    for k in 0..300 {
        let n = 1 + (k % 40);
        let random: Vec<Point> = (0..n).map(|_| r.point()).collect();
        let lattice: Vec<Point> = (0..n).map(|_| r.lattice_point(2)).collect();
        for points in [random, lattice] {
            for e in [0, 900, -1000] {
                let s = 2f64.powi(e);
                let points: Vec<Point> = points.iter().map(|p| p * s).collect();
                validate(&ConvexHull::fit_points(&points).expect("finite"), &points);
            }
        }
    }
}

#[test]
fn hulls_of_many_points_on_a_sphere() {
    let mut r = Random(52);
    let points: Vec<Point> = (0..2000).map(|_| Point::from(r.vector().normalize())).collect();
    let hull = ConvexHull::fit_points(&points).expect("finite");
    let HullShape::Solid { vertices, faces } = hull.shape() else { panic!("a solid") };
    assert_eq!((vertices.len(), faces.len()), (2000, 3996));
    assert!((hull.volume() - 4.0 / 3.0 * std::f64::consts::PI).abs() < 0.05);
}

#[test]
fn flat_hulls_have_their_own_shapes() {
    let p = |x: f64, y: f64, z: f64| Point::new(x, y, z);
    let fit = |points: &[Point]| ConvexHull::fit_points(points).expect("finite");
    assert_eq!(fit(&[p(1.0, 2.0, 3.0); 4]).shape(), &HullShape::Point(p(1.0, 2.0, 3.0)));
    let line = [p(1.0, 1.0, 1.0), p(0.0, 0.0, 0.0), p(3.0, 3.0, 3.0), p(2.0, 2.0, 2.0)];
    assert_eq!(fit(&line).shape(), &HullShape::Segment([p(0.0, 0.0, 0.0), p(3.0, 3.0, 3.0)]));
    let square: Vec<Point> =
        (0..9).map(|k| p(f64::from(k % 3), f64::from(k / 3), f64::from(k % 3) * 0.5)).collect();
    let hull = fit(&square);
    assert!(matches!(hull.shape(), HullShape::Polygon(v) if v.len() == 4), "{hull:?}");
    assert!(hull.contains(&p(1.0, 0.5, 0.5)) && !hull.contains(&p(1.0, 0.5, 0.5_f64.next_up())));
    assert_eq!(hull.volume(), 0.0);
    assert_eq!(ConvexHull::fit_points(&[]), Err(HullError::Empty));
    let bad = [p(0.0, 0.0, 0.0), p(f64::NAN, 0.0, 0.0)];
    assert_eq!(ConvexHull::fit_points(&bad), Err(HullError::NotFinite { point: 1 }));
}

#[test]
fn cubes_touch_exactly() {
    let cube = |at: f64| {
        let points: Vec<Point> = (0..8)
            .map(|k| {
                let c = |b: i32| f64::from(k >> b & 1);
                Point::new(c(0) + at, c(1), c(2))
            })
            .collect();
        ConvexHull::fit_points(&points).expect("finite")
    };
    let unit = cube(0.0);
    assert_eq!(unit.volume(), 1.0);
    assert!(unit.overlaps(&cube(1.0)) && unit.overlaps(&cube(0.5)) && unit.overlaps(&unit));
    assert!(!unit.overlaps(&cube(1.0_f64.next_up())));
    assert!(unit.merged(&cube(3.0)).contains(&Point::new(2.0, 0.5, 0.5)));
    let inner: Vec<Point> =
        (0..5).map(|k| Point::new(0.5, 0.4 + 0.01 * f64::from(k), 0.5)).collect();
    let inner = ConvexHull::fit_points(&inner).expect("finite");
    assert!(unit.overlaps(&inner) && inner.overlaps(&unit), "one inside the other");
}

#[test]
fn posed_hulls_hold_posed_points() {
    let mut r = Random(53);
    let mut shape_misses = 0;
    for k in 0..60 {
        let flat = if k % 2 == 0 { 1.0 } else { 0.0 };
        let points: Vec<Point> = (0..30)
            .map(|_| {
                let v = r.vector();
                Point::new(v.x, v.y, v.z * flat)
            })
            .collect();
        let hull = ConvexHull::fit_points(&points).expect("finite");
        let pose = r.pose(10.0);
        let there = hull.posed(&pose);
        assert!(hull.slack() == 0.0 && there.slack() > 0.0 && there.slack() < 1e-11);
        let bare = ConvexHull::fit_points(there.vertices()).expect("finite");
        for p in &points {
            let image = pose.apply(p);
            assert!(there.contains(&image), "{p:?}");
            shape_misses += u32::from(!bare.contains(&image));
            assert!(!there.contains(&(image + Vector::repeat(5.0))));
        }
        assert!(there.overlaps(&bare));
    }
    assert!(shape_misses > 0, "without slack some images are outside");
}

/// Corners of a planar set, in order around it: all points lie on one side of every side, and no
/// corner is collinear with its neighbours. +0 and −0 are equal.
#[test]
fn polygons_have_the_corners_of_their_points_whatever_their_order() {
    let mut r = Random(54);
    let mut sizes = [0; 12];
    for k in 0..600 {
        let slope =
            [Vector::zeros(), Vector::new(1.0, 2.0, 0.0), Vector::new(0.5, -0.25, 0.0)][k % 3];
        let turn = k / 3 % 3;
        let n = 4 + r.below(12);
        let zero = |x: f64, r: &mut Random| if x == 0.0 && r.below(2) == 0 { -0.0 } else { x };
        let points: Vec<Point> = (0..n)
            .map(|_| {
                let x = r.lattice_point(2);
                let c = [x.x, x.y, slope.x * x.x + slope.y * x.y];
                let c = [0, 1, 2].map(|i| zero(c[(i + turn) % 3], &mut r));
                Point::from(c)
            })
            .collect();
        let hull = ConvexHull::fit_points(&points).expect("finite");
        assert!(points.iter().all(|p| hull.contains(p)));
        match hull.shape() {
            HullShape::Point(p) => assert!(points.iter().all(|q| q == p)),
            HullShape::Segment([a, b]) => {
                let d = b - a;
                assert!(points.contains(a) && points.contains(b) && d != Vector::zeros());
                assert!(points.iter().all(|p| d.cross(&(p - a)) == Vector::zeros()));
                let least = |p: &Point| d.dot(&(p - a)) >= 0.0 && d.dot(&(b - p)) >= 0.0;
                assert!(points.iter().all(least), "{points:?}");
            }
            HullShape::Polygon(corners) => {
                let m = corners.len();
                sizes[m] += 1;
                let at = |k: usize| corners[k % m];
                let normal = (at(1) - at(0)).cross(&(at(2) - at(1)));
                for k in 0..m {
                    assert!(points.contains(&at(k)));
                    let side = |p: &Point| (at(k + 1) - at(k)).cross(&(p - at(k))).dot(&normal);
                    assert!(side(&at(k + 2)) > 0.0, "{corners:?}");
                    assert!(points.iter().all(|p| side(p) >= 0.0), "{points:?} {corners:?}");
                }
                assert_eq!(hull.triangles().len(), m - 2);
                assert_eq!(hull.vertices(), &corners[..]);
            }
            HullShape::Solid { .. } => panic!("they are in a plane"),
        }
    }
    assert!(sizes[3..7].iter().all(|n| *n > 20), "{sizes:?}");
}

#[test]
fn ends_of_a_line_are_found_among_zeros_of_either_sign() {
    let mut r = Random(56);
    for k in 0..300 {
        let axis = k % 3;
        let points: Vec<Point> = (0..5)
            .map(|_| {
                let mut p = Point::from([(); 3].map(|()| if r.below(2) == 0 { 0.0 } else { -0.0 }));
                p[axis] += r.lattice_point(3).x;
                p
            })
            .collect();
        let hull = ConvexHull::fit_points(&points).expect("finite");
        let along = || points.iter().map(|p| p[axis]);
        let ends = [along().fold(9.0, f64::min), along().fold(-9.0, f64::max)];
        let found: Vec<f64> = hull.vertices().iter().map(|p| p[axis]).collect();
        assert_eq!([found[0], found[found.len() - 1]], ends, "{points:?}");
        assert_eq!(found.len(), if ends[0] == ends[1] { 1 } else { 2 });
    }
}

/// The slack after posing is the bound of that posing plus twice the slack before. Overlap tests
/// add up to twice the slack of either hull.
#[test]
fn slack_is_256_roundings_and_twice_the_slack_before() {
    let unit = f64::EPSILON / 2.0;
    let mut r = Random(55);
    for k in 0..60 {
        let far = [0.0, 3.0, 40.0][k % 3];
        let points: Vec<Point> = (0..6).map(|_| r.point() + Vector::repeat(far)).collect();
        let hull = ConvexHull::fit_points(&points).expect("finite");
        let pose = r.pose([0.0, 0.0, 20.0, 1.0][k % 4]);
        let sum = |v: &Vector| v.abs().sum();
        let largest =
            |h: &ConvexHull| h.vertices().iter().map(|p| sum(&p.coords)).fold(0.0, f64::max);
        let once = hull.posed(&pose);
        let expected = 256.0 * unit * (largest(&hull) + sum(pose.translation()));
        assert!((once.slack() / expected - 1.0).abs() < 1e-12);
        let twice = once.posed(&pose);
        let more = 256.0 * unit * (largest(&once) + sum(pose.translation()));
        assert!((twice.slack() / (more + 2.0 * once.slack()) - 1.0).abs() < 1e-12);
        let (both, other) = (once.merged(&twice), twice.merged(&once));
        assert_eq!((both.slack(), other.slack()), (twice.slack(), twice.slack()));
        // Points beyond a corner, at a distance given in slacks.
        let middle = once.vertices().iter().fold(Vector::zeros(), |m, p| m + p.coords) / 6.0;
        let out = once
            .vertices()
            .iter()
            .max_by(|p, q| (p.coords - middle).norm().total_cmp(&(q.coords - middle).norm()));
        let out = *out.expect("corners");
        let away = (out.coords - middle).normalize();
        let past = |slacks: f64| out + away * (slacks * once.slack());
        assert!(once.contains(&past(1.0)) && !once.contains(&past(4.5)));
        let point = |slacks: f64| ConvexHull::fit_points(&[past(slacks)]).expect("finite");
        assert!(once.overlaps(&point(1.0)) && point(1.0).overlaps(&once));
        assert!(!once.overlaps(&point(4.5)) && !point(4.5).overlaps(&once));
        // The slacks of both hulls count.
        let ball = point(5.0).posed(&Pose::identity());
        let (near, all) = (once.slack() + ball.slack(), 2.0 * once.slack() + 2.0 * ball.slack());
        let at = |by: f64| {
            let place = Pose::translation_by(away * (by - 5.0 * once.slack())).expect("finite");
            ConvexHull::fit_points(&[place.apply(&past(5.0))]).expect("finite")
        };
        let with_slack = |by: f64| at(by).posed(&Pose::identity());
        assert!(once.overlaps(&with_slack(near)) && !once.overlaps(&with_slack(1.8 * all)));
    }
}

#[test]
fn slack_holds_for_each_coordinate_and_counts_as_a_size() {
    let unit = f64::EPSILON / 2.0;
    // Beside a corner all three coordinates may be off.
    let corner = |k: i32| [0, 1, 2].map(|b| f64::from(k >> b & 1) * 2.0 - 1.0);
    let cube: Vec<Point> = (0..8).map(|k| Point::from(corner(k))).collect();
    let cube = ConvexHull::fit_points(&cube).expect("finite").posed(&Pose::identity());
    for k in 0..8 {
        let out = Vector::from(corner(k)) * (0.99 * cube.slack());
        assert!(cube.contains(&(Point::from(corner(k)) + out)));
    }
    // After many poses the slack exceeds the hull's size, and the bound must include it as a size.
    let mut grown = ConvexHull::fit_points(&[Point::new(0.25, 0.5, 0.25)]).expect("finite");
    for _ in 0..60 {
        grown = grown.posed(&Pose::identity());
    }
    let once = grown.posed(&Pose::identity());
    let share = (once.slack() - 2.0 * grown.slack()) / (256.0 * unit * (1.0 + grown.slack()));
    assert!(grown.slack() > 100.0 && (share - 1.0).abs() < 0.05, "{share} {}", grown.slack());
    let origin = ConvexHull::fit_points(&[Point::origin()]).expect("finite");
    assert_eq!(origin.posed(&Pose::identity()).slack(), f64::MIN_POSITIVE);
}

#[test]
fn volumes_are_those_of_solids_at_any_scale_and_place() {
    let corner = |k: i32, size: [f64; 3]| {
        let c = |b: i32| f64::from(k >> b & 1) * size[b as usize] - 7.0;
        Point::new(c(0), c(1), c(2))
    };
    for size in [[1.0, 2.0, 3.0], [4.0, 0.5, 0.25], [1.0, 1.0, 16.0]] {
        for k in [0, 300, -300] {
            let points: Vec<Point> = (0..8).map(|c| corner(c, size) * 2f64.powi(k)).collect();
            let hull = ConvexHull::fit_points(&points).expect("finite");
            let volume = size[0] * size[1] * size[2];
            assert!((hull.volume() / 2f64.powi(3 * k) / volume - 1.0).abs() < 1e-14);
        }
    }
    for far in [1e-300, 1e300] {
        let points: Vec<Point> = (0..8).map(|c| corner(c, [1.0; 3]) * (far / 8.0)).collect();
        let volume = ConvexHull::fit_points(&points).expect("finite").volume();
        assert_eq!(volume, if far < 1.0 { 0.0 } else { f64::INFINITY });
    }
    let bad = [Point::origin(), Point::new(0.0, 1.1e300, 0.0)];
    assert_eq!(ConvexHull::fit_points(&bad), Err(HullError::NotFinite { point: 1 }));
}
