//! Documented properties that no other test covers. They were found by mutation testing.

use impinge_geometry::gjk::{Cloud, Until, between};
use impinge_geometry::triangle::overlaps_obb_four_axes;
use impinge_geometry::volume::Obb;
use impinge_geometry::{Point, Vector};
use nalgebra::Matrix3;

use crate::support::Random;

fn cube() -> Obb {
    Obb { center: Point::origin(), axes: Matrix3::identity(), half: Vector::repeat(1.0) }
}

#[test]
fn four_axes_tell_a_triangle_beyond_a_face_and_one_whose_plane_misses_the_box() {
    for k in 0..3 {
        for side in [-1.0, 1.0] {
            let at = |y: f64, z: f64| {
                let mut p = Point::origin();
                (p[k], p[(k + 1) % 3], p[(k + 2) % 3]) = (1.5 * side, y, z);
                p
            };
            let beyond = [at(0.0, 0.0), at(0.5, 0.0), at(0.0, 0.5)];
            assert!(!overlaps_obb_four_axes(&beyond, &cube()), "{beyond:?}");
        }
    }
    // Its corners lie on both sides of every face of the cube, and x + y + z = 3.5 on all of it.
    let slanted =
        [Point::new(4.0, 0.0, -0.5), Point::new(-0.5, 4.0, 0.0), Point::new(0.0, -0.5, 4.0)];
    assert!(!overlaps_obb_four_axes(&slanted, &cube()));
    let nearer = slanted.map(|p| p - Vector::repeat(0.25));
    assert!(overlaps_obb_four_axes(&nearer, &cube()));
}

#[test]
fn the_longest_axis_is_the_first_of_equals() {
    let longest = |x, y, z| Obb { half: Vector::new(x, y, z), ..cube() }.longest();
    assert_eq!([longest(2.0, 2.0, 1.0), longest(2.0, 1.0, 2.0), longest(1.0, 2.0, 2.0)], [0, 0, 1]);
    assert_eq!([longest(3.0, 2.0, 1.0), longest(1.0, 3.0, 2.0), longest(1.0, 2.0, 3.0)], [0, 1, 2]);
    assert_eq!(longest(1.0, 1.0, 1.0), 0);
}

#[test]
fn the_lower_bound_of_gjk_is_never_above_a_distance_that_has_no_rounding() {
    for k in 0..3 {
        for distance in [3.0, 0.7, 1e-7, 2.5e100] {
            let (a, mut b) = ([Point::origin()], [Point::origin()]);
            b[0][k] = distance;
            let (mut p, mut q) = (Cloud::new(&a).expect("one"), Cloud::new(&b).expect("one"));
            let start = Vector::from_fn(|i, _| f64::from(u8::from(i == k)));
            let lower = between(&mut p, &mut q, &start, Until::Nearest).lower;
            assert!(lower <= distance && lower > distance * (1.0 - 1e-13), "{lower} {distance}");
        }
    }
}

#[test]
fn gjk_of_sets_scaled_by_a_power_of_two_is_the_same_scaled() {
    let mut r = Random(41);
    for _ in 0..200 {
        let cloud = |r: &mut Random, x: f64| -> Vec<Point> {
            (0..8).map(|_| r.point() + Vector::new(x, 0.0, 0.0)).collect()
        };
        let (a, b) = (cloud(&mut r, 0.0), cloud(&mut r, 2.5));
        let found = |unit: f64| {
            let scaled = |c: &[Point]| -> Vec<Point> { c.iter().map(|p| p * unit).collect() };
            let (a, b) = (scaled(&a), scaled(&b));
            let (mut p, mut q) = (Cloud::new(&a).expect("some"), Cloud::new(&b).expect("some"));
            let found = between(&mut p, &mut q, &Vector::x(), Until::Nearest);
            (found.lower / unit, found.upper / unit, found.iterations)
        };
        let one = found(1.0);
        for unit in [2f64.powi(-40), 2f64.powi(40)] {
            assert_eq!(found(unit), one, "unit {unit:e}");
        }
    }
}
