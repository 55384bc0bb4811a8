//! Hulls are convex and contain their points, by exact predicates.

use impinge_geometry::{Mesh, Point, Topology};
use impinge_models::Random;
use impinge_models::procedural::{
    Cloud, HullError, convex_hull, hull_of_random_points, random_points,
};
use robust::{Coord3D, orient3d};

use crate::measures::volume;

/// Asserts that no point is strictly outside a facet and no facet is degenerate.
fn assert_hull(mesh: &Mesh, points: &[Point]) {
    let coord = |p: &Point| Coord3D { x: p.x, y: p.y, z: p.z };
    for [a, b, c] in mesh.corners() {
        let mut inside = 0;
        for p in points {
            // Positive: below the plane, on the side from which a b c runs clockwise.
            let sign = orient3d(coord(&a), coord(&b), coord(&c), coord(p));
            assert!(sign >= 0.0, "{p} is outside {a} {b} {c}");
            inside += usize::from(sign > 0.0);
        }
        assert!(inside > 0, "{a} {b} {c} is degenerate");
    }
    let topology = Topology::new(mesh);
    assert_eq!(topology.closed(), Ok(()));
    assert_eq!(topology.nonmanifold_edges(), 0);
    assert_eq!(topology.components().len(), 1);
    assert_eq!(mesh.triangles().len(), 2 * mesh.vertices().len() - 4, "Euler");
    assert!(volume(mesh) > 0.0);
}

#[test]
fn hulls_of_random_points_are_convex() {
    for seed in 0..20 {
        for n in [4, 5, 10, 100, 400] {
            let sphere = hull_of_random_points(Cloud::Sphere, n, seed).unwrap();
            assert_hull(&sphere, &random_points(Cloud::Sphere, n, seed));
            assert_eq!(sphere.triangles().len(), 2 * n - 4);
            let ball = hull_of_random_points(Cloud::Ball, n, seed).unwrap();
            assert_hull(&ball, &random_points(Cloud::Ball, n, seed));
            assert!(n < 100 || ball.vertices().len() < n);
        }
    }
}

#[test]
fn hulls_of_small_lattices_are_convex() {
    // Many coplanar, collinear and equal points.
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let n = 4 + random.below(40) as usize;
        let size = 2 + random.below(4);
        let points: Vec<Point> = (0..n)
            .map(|_| Point::from([(); 3].map(|()| random.below(size) as f64 - 1.0)))
            .collect();
        match convex_hull(&points) {
            Ok(mesh) => assert_hull(&mesh, &points),
            Err(error) => assert_eq!(error, HullError::Flat { points: n }),
        }
    }
}

#[test]
fn the_hull_of_a_full_lattice_is_its_cube() {
    let points: Vec<Point> = (0..125)
        .map(|i| Point::new(f64::from(i % 5), f64::from(i / 5 % 5), f64::from(i / 25)))
        .collect();
    let mesh = convex_hull(&points).unwrap();
    assert_hull(&mesh, &points);
    assert_eq!(volume(&mesh), 64.0);
}

#[test]
fn nearly_coplanar_points_are_decided_exactly() {
    // A square whose fifth point is above or below its plane by one ulp of 1.
    for up in [true, false] {
        let z = if up { 1.0 + f64::EPSILON } else { 1.0 - f64::EPSILON };
        let corners = [[0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [1.0, 1.0, 1.0], [0.0, 1.0, 1.0]];
        let mut points: Vec<Point> = corners.map(Point::from).to_vec();
        points.push(Point::new(0.5, 0.25, z));
        points.push(Point::new(0.5, 0.5, 0.0));
        let mesh = convex_hull(&points).unwrap();
        assert_hull(&mesh, &points);
        assert_eq!(mesh.vertices().len(), if up { 6 } else { 5 });
    }
}

#[test]
fn flat_few_and_wild_points_are_refused() {
    let flat: Vec<Point> =
        (0..9).map(|i| Point::new(f64::from(i % 3), f64::from(i / 3), 0.5)).collect();
    assert_eq!(convex_hull(&flat), Err(HullError::Flat { points: 9 }));
    assert_eq!(convex_hull(&[Point::origin(); 7]), Err(HullError::Flat { points: 7 }));
    assert_eq!(convex_hull(&flat[..3]), Err(HullError::Flat { points: 3 }));
    let line: Vec<Point> = (0..9).map(|i| Point::new(1.0, f64::from(i), 2.0)).collect();
    assert_eq!(convex_hull(&line), Err(HullError::Flat { points: 9 }));
    for value in [f64::NAN, f64::INFINITY, 1e61, 1e-61, -1e-300] {
        let mut points = random_points(Cloud::Ball, 10, 1);
        points[6].y = value;
        assert!(matches!(convex_hull(&points), Err(HullError::Coordinate { point: 6, .. })));
    }
    let many = hull_of_random_points(Cloud::Ball, usize::MAX, 1);
    assert_eq!(many, Err(HullError::TooMany { points: usize::MAX }));
}
