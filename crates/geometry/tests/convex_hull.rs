//! The exact convex hull: closed, convex, and holding its points, whatever their position.

mod support;

use std::collections::HashMap;

use impinge_geometry::predicates::{Sign, orient3d};
use impinge_geometry::volume::{ConvexHull, HullError, HullShape};
use impinge_geometry::{Point, Vector};
use support::Random;

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
