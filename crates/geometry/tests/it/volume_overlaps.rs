//! Overlap tests never separate volumes that share a point, and do separate what a rational test
//! does.

use impinge_geometry::segment::{segment_in_aabb, segment_in_obb};
use impinge_geometry::triangle::{overlaps_obb, overlaps_obb_four_axes};
use impinge_geometry::volume::{Aabb, Obb, Sphere};
use impinge_geometry::{Point, Triangle, Vector, exact};
use nalgebra::Matrix3;

use crate::support::{Random, exact as rational, obb_holds};

fn obb(r: &mut Random, center: Point, thin: f64) -> Obb {
    let half = Vector::new(r.unit().abs(), r.unit().abs() * thin, r.unit().abs());
    Obb { center, axes: r.rotation(), half }
}

/// A point of the box, often on its border.
fn point_of(r: &mut Random, b: &Obb) -> Point {
    let at = Vector::from_fn(|i, _| b.half[i] * if r.below(2) == 0 { r.unit() } else { 1.0 });
    b.center + b.axes * at
}

/// The second box moved so that both share a point, which is often on both borders.
fn touching(r: &mut Random, a: &Obb, b: &Obb) -> Obb {
    let (x, y) = (point_of(r, a), point_of(r, b));
    Obb { center: b.center + (x - y), ..*b }
}

fn all_overlap_tests_agree(a: &Obb, b: &Obb) {
    assert!(a.overlaps(b) && b.overlaps(a), "{a:?} {b:?}");
    assert!(a.overlaps_reduced(b), "{a:?} {b:?}");
    assert!(a.overlaps_ordered(b).overlap, "{a:?} {b:?}");
    assert!(a.overlaps_on_world_axes(b), "{a:?} {b:?}");
    assert!(a.overlap_intervals(b).is_some());
}

#[test]
fn boxes_that_share_a_point_are_never_apart() {
    let mut r = Random(41);
    for k in 0..20_000 {
        let s = 2f64.powi([0, 490, -490, 990, -1000][k % 5]);
        let thin = [1.0, 1e-9, 0.0][k % 3];
        let (a, b) = (obb(&mut r, Point::origin(), 1.0), obb(&mut r, Point::origin(), thin));
        let mut b = touching(&mut r, &a, &b);
        let mut a = a;
        for x in [&mut a, &mut b] {
            x.center *= s;
            x.half *= s;
        }
        all_overlap_tests_agree(&a, &b);
    }
}

#[test]
fn near_parallel_boxes_are_never_parted_by_rounding() {
    let mut r = Random(42);
    for k in 0..20_000 {
        let a = obb(&mut r, Point::origin(), 1.0);
        let tilt = 10f64.powi(-(k % 18));
        let small = r.vector() * tilt;
        let turn = nalgebra::Rotation3::new(small).into_inner();
        // Rotated by almost nothing, with axes sometimes permuted.
        let cyclic = Matrix3::new(0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0);
        let axes = if k % 2 == 0 { turn * a.axes } else { turn * a.axes * cyclic };
        let b = Obb { axes, ..obb(&mut r, Point::origin(), 1.0) };
        let b = touching(&mut r, &a, &b);
        all_overlap_tests_agree(&a, &b);
    }
}

/// A box stacked on a face of `a` and rotated by almost nothing, so that they share little more
/// than one point. Rational arithmetic confirms that this point is in both.
fn stacked(r: &mut Random, a: &Obb, tilt: f64) -> Option<Obb> {
    let turn = nalgebra::Rotation3::new(r.vector() * tilt).into_inner();
    let shape = obb(r, Point::origin(), 1.0);
    let axes = turn * a.axes;
    let k = r.below(3) as usize;
    let slide = Vector::from_fn(|i, _| if i == k { 0.0 } else { r.unit() * a.half[i] });
    let contact = a.center + a.axes * slide + a.axis(k) * a.half[k];
    let b = Obb { center: contact + axes.column(k) * shape.half[k], axes, half: shape.half };
    (0..8).find_map(|ulps| {
        let pull = f64::from(ulps) * f64::EPSILON / 8.0;
        let x = rational(&(contact - a.axis(k) * (pull * a.half[k])));
        let b = Obb { center: b.center - b.axis(k) * pull, ..b };
        (obb_holds(a, &x) && obb_holds(&b, &x)).then_some(b)
    })
}

#[test]
fn stacked_boxes_are_never_parted_by_rounding() {
    let mut r = Random(47);
    let mut pairs = 0;
    for k in 0..20_000 {
        let a = obb(&mut r, Point::origin(), 1.0);
        let tilt = if k % 4 == 0 { 0.0 } else { 10f64.powi(-12 - k % 5) };
        if let Some(b) = stacked(&mut r, &a, tilt) {
            pairs += 1;
            all_overlap_tests_agree(&a, &b);
        }
    }
    assert!(pairs > 2000, "{pairs}");
}

/// The fifteen separating axes as published, without slack.
fn plain_test(a: &Obb, b: &Obb) -> bool {
    let r = a.axes.transpose() * b.axes;
    let (q, t) = (r.abs(), a.axes.transpose() * (b.center - a.center));
    let (x, y) = (&a.half, &b.half);
    let after = |i: usize| ((i + 1) % 3, (i + 2) % 3);
    let faces = (0..3).any(|i| {
        let on_a = t[i].abs() > x[i] + q.row(i).dot(&y.transpose());
        on_a || t.dot(&r.column(i)).abs() > y[i] + q.column(i).dot(x)
    });
    let edges = (0..9).any(|k| {
        let (i, j) = (k / 3, k % 3);
        let ((l, m), (n, o)) = (after(i), after(j));
        let reach = x[l] * q[(m, j)] + x[m] * q[(l, j)] + y[n] * q[(i, o)] + y[o] * q[(i, n)];
        (t[m] * r[(l, j)] - t[l] * r[(m, j)]).abs() > reach
    });
    !faces && !edges
}

#[test]
fn the_check_notices_a_test_without_slack() {
    let mut r = Random(43);
    let (mut wrong, mut pairs) = (0, 0);
    for k in 0..4000 {
        let a = obb(&mut r, Point::origin(), 1.0);
        let tilt = if k % 2 == 0 { 0.0 } else { 1e-15 };
        if let Some(b) = stacked(&mut r, &a, tilt) {
            pairs += 1;
            wrong += u32::from(!plain_test(&a, &b));
        }
    }
    println!("without slack {wrong} of {pairs} touching pairs come out apart");
    assert!(wrong > 20, "{wrong} of {pairs}");
}

#[test]
fn the_forms_of_the_test_are_ordered_by_strength() {
    let mut r = Random(44);
    let (mut apart, mut reduced_keeps, mut world_keeps, mut axes) = (0, 0, 0, 0);
    let n = 20_000;
    for _ in 0..n {
        let center = Point::from(r.vector() * 1.1);
        let (a, b) = (obb(&mut r, Point::origin(), 1.0), obb(&mut r, center, 1.0));
        let full = a.overlaps(&b);
        let ordered = a.overlaps_ordered(&b);
        assert_eq!(full, ordered.overlap);
        assert_eq!(full, plain_test(&a, &b));
        assert!((1..=15).contains(&ordered.tested) && (!full || ordered.tested == 15));
        if full {
            assert!(a.overlaps_reduced(&b) && a.overlaps_on_world_axes(&b));
        } else {
            apart += 1;
            axes += ordered.tested;
            reduced_keeps += u32::from(a.overlaps_reduced(&b));
            world_keeps += u32::from(a.overlaps_on_world_axes(&b));
        }
    }
    println!(
        "of {apart} separated pairs in {n}: reduced keeps {reduced_keeps}, world axes {world_keeps}, ordered tests {:.2} axes",
        f64::from(axes) / f64::from(apart)
    );
    assert!((n * 3 / 10..=n * 7 / 10).contains(&apart), "{apart}");
    assert!(reduced_keeps > 0 && world_keeps > 0 && reduced_keeps < apart / 2);
}

#[test]
fn intervals_are_the_intersection() {
    let a = Obb { center: Point::origin(), axes: Matrix3::identity(), half: Vector::repeat(4.0) };
    let b = Obb { center: Point::new(4.0, 0.0, 1.0), half: Vector::repeat(1.0), ..a };
    let common = a.overlap_intervals(&b).expect("they overlap");
    let expected = [(3.0, 4.0), (-1.0, 1.0), (0.0, 2.0), (-1.0, 0.0), (-1.0, 1.0), (-1.0, 1.0)];
    for (got, (low, high)) in common.iter().zip(expected) {
        assert!((got.low - low).abs() < 1e-12 && (got.high - high).abs() < 1e-12, "{common:?}");
        assert!((got.length() - (high - low)).abs() < 1e-12);
    }
    let far = Obb { center: Point::new(6.0, 0.0, 0.0), ..b };
    assert_eq!(a.overlap_intervals(&far), None);
}

#[test]
fn planes_spheres_boxes_and_segments_through_a_point_of_the_box() {
    let mut r = Random(45);
    let mut apart = [0; 6];
    for k in 0..20_000 {
        let s = 2f64.powi([0, 490, -490, 900, -1000][k % 5]);
        let mut b = obb(&mut r, Point::origin(), if k % 2 == 0 { 1.0 } else { 1e-12 });
        let x = point_of(&mut r, &b) * s;
        (b.center, b.half) = (b.center * s, b.half * s);
        let n = r.vector();
        assert!(b.overlaps_plane(&n, n.dot(&x.coords)), "{b:?} {n:?}");
        apart[0] += u32::from(!b.overlaps_plane(&n, n.dot(&x.coords) + 9.0 * s));
        let center = x + r.vector() * s;
        let ball = Sphere::around(center, std::iter::once(x));
        assert!(ball.overlaps_obb(&b) && ball.contains(&x), "{ball:?} {b:?}");
        let smaller = Sphere { radius: ball.radius * 0.5, ..ball };
        apart[1] += u32::from(!smaller.overlaps_obb(&b));
        let y = x + r.vector() * s;
        let upright = Aabb { min: x.inf(&y), max: x.sup(&y) };
        assert!(upright.overlaps_obb(&b), "{upright:?} {b:?}");
        assert!(ball.overlaps_aabb(&upright));
        let moved = Aabb { min: upright.min + n * (2.0 * s), max: upright.max + n * (2.0 * s) };
        apart[2] += u32::from(!moved.overlaps_obb(&b));
        let (u, v) = (x + n * s, x - n * s);
        assert!(segment_in_obb(&u, &v, &b).is_some(), "{u:?} {v:?} {b:?}");
        assert!(segment_in_obb(&u, &x, &b).is_some());
        apart[3] += u32::from(segment_in_obb(&u, &(u + n * s), &b).is_none());
        assert!(segment_in_aabb(&u, &x, &upright).is_some_and(|[from, to]| from <= to));
        apart[4] += u32::from(segment_in_aabb(&u, &(u + n * s), &upright).is_none());
        let t = [x, x + r.vector() * s, x + r.vector() * s];
        assert!(overlaps_obb(&t, &b) && overlaps_obb_four_axes(&t, &b), "{t:?} {b:?}");
        let beside = t.map(|p| p + n * (2.0 * s));
        apart[5] += u32::from(!overlaps_obb(&beside, &b));
    }
    assert!(apart.iter().all(|n| *n > 2000), "{apart:?}");
}

/// The twelve triangles of a box whose corners are exact.
fn faces(b: &Aabb) -> Vec<Triangle> {
    let corner = |k: usize| {
        let c = |i: usize| if k >> i & 1 == 1 { b.max[i] } else { b.min[i] };
        Point::new(c(0), c(1), c(2))
    };
    [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]]
        .iter()
        .flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]])
        .map(|t: [usize; 3]| t.map(corner))
        .collect()
}

#[test]
fn triangles_against_boxes_agree_with_the_exact_test() {
    let mut r = Random(46);
    let (mut hits, mut false_hits, mut four_false) = (0, 0, 0);
    let n = 20_000;
    for _ in 0..n {
        let (x, y) = (r.lattice_point(3), r.lattice_point(3));
        let b = Aabb { min: x.inf(&y), max: x.sup(&y) };
        let t = r.triangle().map(|p| p * 4.0);
        let truth = b.contains(&t[0]) || faces(&b).iter().any(|f| exact::triangles_meet(f, &t));
        let (full, four) = (overlaps_obb(&t, &b.into()), overlaps_obb_four_axes(&t, &b.into()));
        assert!(!truth || (full && four), "{t:?} {b:?}");
        assert!(!full || four);
        hits += u32::from(truth);
        false_hits += u32::from(full && !truth);
        four_false += u32::from(four && !truth);
    }
    println!(
        "triangle-box: {hits} of {n} meet; 13 axes keep {false_hits} more, 4 axes {four_false}"
    );
    assert!((n * 3 / 10..=n * 7 / 10).contains(&hits), "{hits}");
    assert!(false_hits == 0 && four_false > 0);
}
