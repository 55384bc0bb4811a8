//! Axis-aligned boxes against their definition on lattices, and their images under a pose.

use dashu_ratio::RBig;
use impinge_geometry::volume::{Aabb, Obb};
use impinge_geometry::{Point, Pose, Vector};

use crate::support::{self, Random, big, exact, posed};

const UNIT: f64 = f64::EPSILON / 2.0;

fn spanned(x: &Point, y: &Point) -> Aabb {
    Aabb { min: x.inf(y), max: x.sup(y) }
}

/// All points with coordinates from −2 to 2.
fn lattice() -> Vec<Point> {
    let at = |k: i32| f64::from(k.rem_euclid(5) - 2);
    (0..125).map(|k| Point::new(at(k), at(k / 5), at(k / 25))).collect()
}

/// Two boxes with lattice corners share a point if and only if they share a lattice point.
#[test]
fn comparisons_are_those_of_the_points_of_a_lattice() {
    let (mut r, lattice) = (Random(101), lattice());
    let mut overlaps = 0;
    for _ in 0..2000 {
        let mut one = || spanned(&r.lattice_point(2), &r.lattice_point(2));
        let (a, b) = (one(), one());
        let holds = |c: &Aabb, p: &Point| (0..3).all(|k| (c.min[k]..=c.max[k]).contains(&p[k]));
        let mut shared = Vec::new();
        let mut both = Vec::new();
        for p in &lattice {
            let (in_a, in_b) = (holds(&a, p), holds(&b, p));
            assert_eq!((a.contains(p), b.contains(p)), (in_a, in_b), "{p}");
            if in_a && in_b {
                shared.push(*p);
            }
            if in_a || in_b {
                both.push(*p);
            }
        }
        let meet = !shared.is_empty();
        overlaps += u32::from(meet);
        assert_eq!((a.overlaps(&b), b.overlaps(&a)), (meet, meet), "{a:?} {b:?}");
        assert_eq!(a.overlaps_obb(&Obb::from(b)), meet, "{a:?} {b:?}");
        assert_eq!(Obb::from(a).overlaps_aabb(&b), meet, "{a:?} {b:?}");
        assert_eq!(a.intersection(&b), Aabb::fit_points(shared.into_iter()));
        assert_eq!(Some(a.merged(&b)), Aabb::fit_points(both.into_iter()));
    }
    assert!((500..1500).contains(&overlaps), "{overlaps}");
}

#[test]
fn fits_are_the_least_and_largest_coordinates() {
    let mut r = Random(102);
    for _ in 0..200 {
        let t = r.triangle();
        let least = |k: usize| t.map(|p| p[k]).into_iter().fold(f64::INFINITY, f64::min);
        let most = |k: usize| t.map(|p| p[k]).into_iter().fold(f64::NEG_INFINITY, f64::max);
        let (min, max) = ([0, 1, 2].map(least).into(), [0, 1, 2].map(most).into());
        let expected = Aabb { min, max };
        assert_eq!(Aabb::of_triangle(&t), expected);
        assert_eq!(Aabb::fit([t].into_iter()), Some(expected));
    }
    assert_eq!(Aabb::fit_points(std::iter::empty()), None);
    let point = Aabb::fit_points([Point::origin()].into_iter()).expect("a point");
    assert_eq!((Aabb::EMPTY.merged(&point), point.merged(&Aabb::EMPTY)), (point, point));
    assert!(!Aabb::EMPTY.contains(&Point::origin()) && !Aabb::EMPTY.overlaps(&point));
    assert!(!Aabb::EMPTY.overlaps(&Aabb::EMPTY));
    assert_eq!(Aabb::fit(std::iter::empty()), None);
}

#[test]
fn sizes_are_those_of_the_sides_and_the_longest_axis_is_the_first_of_equals() {
    for k in 0..27 {
        let sides = [1 + k % 3, 1 + k / 3 % 3, 1 + k / 9];
        let [x, y, z] = sides.map(f64::from);
        let min = Point::new(-1.0, 2.0, 5.0);
        let b = Aabb { min, max: min + Vector::new(x, y, z) };
        assert_eq!(b.extent(), Vector::new(x, y, z));
        assert_eq!(b.center(), min + Vector::new(x, y, z) / 2.0);
        assert_eq!(b.volume(), x * y * z);
        let longest = (0..3).rev().max_by_key(|&i| sides[i]);
        assert_eq!(Some(b.longest()), longest);
    }
}

/// Posing enlarges a box by the documented bound: 16 u times the terms of the row, plus a constant
/// for underflow.
#[test]
fn posed_boxes_are_the_image_and_sixteen_roundings_more() {
    let mut r = Random(103);
    for k in 0..400 {
        let scale = [1.0, 1e-40, 1e200][k % 3];
        let b = spanned(&(r.point() * scale), &(r.point() * scale));
        let pose = if k % 4 == 0 {
            let quarter = nalgebra::Matrix3::new(0., -1., 0., 1., 0., 0., 0., 0., 1.);
            Pose::new(quarter, r.vector() * scale).expect("a rotation")
        } else {
            r.pose([0.0, scale, 4.0 * scale][k / 4 % 3])
        };
        let image = b.posed(&pose);
        let corners = (0..8).map(|c| {
            let at = |i: usize| if c >> i & 1 == 1 { b.max[i] } else { b.min[i] };
            posed(&pose, &exact(&Point::new(at(0), at(1), at(2))))
        });
        let corners: Vec<_> = corners.collect();
        for i in 0..3 {
            let of = |c: &support::Exact| c[i].clone();
            let low = corners.iter().map(of).min().expect("eight");
            let high = corners.iter().map(of).max().expect("eight");
            let largest = |j: usize| b.min[j].abs().max(b.max[j].abs());
            let terms: f64 = (0..3).map(|j| pose.rotation()[(i, j)].abs() * largest(j)).sum();
            let terms = big(UNIT) * big(terms + pose.translation()[i].abs());
            let added = [low - big(image.min[i]), big(image.max[i]) - high];
            for added in added {
                assert!(added >= RBig::from(11) * &terms, "{b:?}");
                assert!(added <= RBig::from(21) * &terms, "{b:?}");
            }
        }
    }
    let origin = Aabb { min: Point::origin(), max: Point::origin() };
    let least = Vector::repeat(f64::MIN_POSITIVE);
    let padded = Aabb { min: Point::origin() - least, max: Point::origin() + least };
    assert_eq!(origin.posed(&Pose::identity()), padded);
}
