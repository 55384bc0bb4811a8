//! The oriented box: every axis of the overlap tests against projections of corners, the size of
//! the slack, and the tightness of posed and merged boxes.

use dashu_ratio::RBig;
use impinge_geometry::volume::{Aabb, Obb};
use impinge_geometry::{Point, Pose, Vector};
use nalgebra::Matrix3;

use crate::support::{Exact, Random, big, dot, exact, minus, posed};

const UNIT: f64 = f64::EPSILON / 2.0;

fn any_box(r: &mut Random, center: Point) -> Obb {
    let half = r.vector().abs() + Vector::repeat(0.05);
    Obb { center, axes: r.rotation(), half }
}

fn corners(b: &Obb) -> Vec<Point> {
    let side = |k: usize, i: usize| if k >> i & 1 == 1 { b.half[i] } else { -b.half[i] };
    (0..8).map(|k| b.center + b.axes * Vector::new(side(k, 0), side(k, 1), side(k, 2))).collect()
}

/// The projection of a box onto an axis, from its corners.
fn interval(b: &Obb, axis: &Vector) -> [f64; 2] {
    let at: Vec<f64> = corners(b).iter().map(|c| axis.dot(&c.coords)).collect();
    [
        at.iter().copied().fold(f64::INFINITY, f64::min),
        at.into_iter().fold(-f64::INFINITY, f64::max),
    ]
}

/// The gap between the projections, in units of the axis length; negative if they overlap.
fn gap(a: &Obb, b: &Obb, axis: &Vector) -> f64 {
    let ([a0, a1], [b0, b1]) = (interval(a, axis), interval(b, axis));
    (b0 - a1).max(a0 - b1) / axis.norm()
}

/// Indices by half-length, the longest first.
fn descending(b: &Obb) -> [usize; 3] {
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| b.half[j].total_cmp(&b.half[i]));
    order
}

#[test]
fn every_axis_separates_as_the_corners_say() {
    let mut r = Random(111);
    let (mut apart, mut counts, mut world_apart) = (0, [0; 16], 0);
    for _ in 0..3000 {
        let center = Point::from(r.vector() * 1.4);
        let (a, b) = (any_box(&mut r, Point::origin()), any_box(&mut r, center));
        let on_a = |i: usize| gap(&a, &b, &a.axis(i));
        let on_b = |j: usize| gap(&a, &b, &b.axis(j));
        let cross = |i: usize, j: usize| gap(&a, &b, &a.axis(i).cross(&b.axis(j)));
        let pairs = (0..9).map(|k| (k / 3, k % 3));
        let all: Vec<f64> = (0..3)
            .map(on_a)
            .chain((0..3).map(on_b))
            .chain(pairs.map(|(i, j)| cross(i, j)))
            .collect();
        let world = [0, 1, 2].map(|k| gap(&a, &b, &Matrix3::identity().column(k).into_owned()));
        if all.iter().chain(&world).any(|g| g.abs() < 1e-9) {
            continue;
        }
        let overlap = all.iter().all(|g| *g < 0.0);
        apart += u32::from(!overlap);
        assert_eq!((a.overlaps(&b), b.overlaps(&a)), (overlap, overlap), "{a:?} {b:?}");
        world_apart += u32::from(world.iter().any(|g| *g > 0.0));
        assert_eq!(a.overlaps_on_world_axes(&b), world.iter().all(|g| *g < 0.0), "{a:?} {b:?}");
        // Five axes: the shortest edge of either box, and cross products of the longer two.
        let ([e3, e2, e1], [f3, f2, f1]) = (descending(&a), descending(&b));
        let five = [on_a(e1), on_b(f1), cross(e2, f3), cross(e3, f2), cross(e3, f3)];
        assert_eq!(a.overlaps_reduced(&b), five.iter().all(|g| *g < 0.0), "{a:?} {b:?}");
        // All fifteen axes, those of the longest edges first.
        let (i, j) = (a.longest(), b.longest());
        assert_eq!((i, j), (e3, f3));
        let after = |i: usize| [i, (i + 1) % 3, (i + 2) % 3];
        let ([i0, i1, i2], [j0, j1, j2]) = (after(i), after(j));
        let mut order = vec![on_a(i0), on_b(j0), on_a(i1), on_a(i2), on_b(j1), on_b(j2)];
        order.extend(after(i).iter().flat_map(|&i| after(j).map(|j| cross(i, j))));
        let tested = order.iter().position(|g| *g > 0.0).map_or(15, |k| k + 1);
        let found = a.overlaps_ordered(&b);
        assert_eq!((found.overlap, found.tested as usize), (overlap, tested), "{a:?} {b:?}");
        counts[tested] += 1;
        // The common intervals, measured from the centre of the box that the axis belongs to.
        let Some(common) = a.overlap_intervals(&b) else {
            assert!(!overlap);
            continue;
        };
        for (k, found) in common.iter().enumerate() {
            let (own, other) = if k < 3 { (&a, &b) } else { (&b, &a) };
            let axis = own.axis(k % 3);
            let middle = axis.dot(&own.center.coords);
            let ([low, high], [from, to]) = (interval(own, &axis), interval(other, &axis));
            let (low, high) = (low.max(from) - middle, high.min(to) - middle);
            let near = |x: f64, y: f64| (x - y).abs() < 1e-12;
            assert!(near(found.low, low) && near(found.high, high), "{k} {found:?} {low} {high}");
            assert!(near(found.length(), high - low));
        }
    }
    assert!((800..2200).contains(&apart) && world_apart > 300, "{apart} {world_apart}");
    assert!(counts[1..7].iter().all(|n| *n > 20), "{counts:?}");
}

/// Adjacent boxes are apart if the gap exceeds 256 u of the half-lengths, and overlap if it is
/// clearly smaller. The contact is on a face of either box or on edges.
#[test]
fn slack_is_256_roundings_of_the_half_lengths() {
    let half_turn = nalgebra::Rotation3::new(Vector::z() * std::f64::consts::FRAC_PI_4);
    let other_turn = nalgebra::Rotation3::new(Vector::y() * std::f64::consts::FRAC_PI_4);
    for (large, small) in [(1.0, 1.0), (4.0, 0.25), (0.25, 4.0)] {
        let at = |x: f64, half: f64, axes: Matrix3<f64>| Obb {
            center: Point::new(x, 0.0, 0.0),
            axes,
            half: Vector::repeat(half),
        };
        let slack = 256.0 * UNIT * 3.0 * (large + small);
        // Contact on a face of either box; contact of an edge along z with an edge along y.
        let faces = |g: f64| {
            let a = at(0.0, large, Matrix3::identity());
            (a, at(large + small + g, small, Matrix3::identity()))
        };
        let edges = |g: f64| {
            let a = at(0.0, large, half_turn.into_inner());
            let reach = 2f64.sqrt() * large;
            let mut b = at(0.0, small, other_turn.into_inner());
            let other = interval(&b, &Vector::x())[1];
            b.center.x = reach + other + g;
            (a, b)
        };
        for (a, b) in [faces(slack * 1.25), edges(slack * 1.5)] {
            assert!(!a.overlaps(&b) && !b.overlaps(&a), "{a:?} {b:?}");
        }
        let (a, b) = faces(slack * 1.25);
        assert!(!a.overlaps_on_world_axes(&b) && !b.overlaps_on_world_axes(&a));
        for (a, b) in [faces(slack * 0.75), edges(slack * 0.5)] {
            assert!(a.overlaps(&b) && b.overlaps(&a), "{a:?} {b:?}");
            assert!(a.overlaps_on_world_axes(&b) && b.overlaps_on_world_axes(&a));
            let common = a.overlap_intervals(&b).expect("within the slack");
            assert!(common.iter().all(|c| c.length() >= -1.5 * slack), "{common:?}");
        }
        // Intervals are enlarged by the slack at both ends.
        let (a, b) = faces(-small);
        let common = a.overlap_intervals(&b).expect("they share half of one")[0];
        let added = [(large - small).max(-large) - common.low, common.high - large];
        assert!(added.iter().all(|x| (x / slack - 1.0).abs() < 0.05), "{added:?} {slack:e}");
        // The same for a point against a box.
        let end = |g: f64| a.contains(&Point::new(large + g, 0.0, 0.0));
        let own = 256.0 * UNIT * 3.0 * large;
        assert!(end(own * 0.75) && !end(own * 1.25));
    }
    let point = Obb { center: Point::origin(), axes: Matrix3::identity(), half: Vector::zeros() };
    assert!(point.contains(&point.center) && point.overlaps(&point));
    assert!(point.overlaps_on_world_axes(&point) && point.overlaps_plane(&Vector::x(), 0.0));
}

/// A plane at the box corner farthest along its normal, 256 u of all terms before and behind it.
#[test]
fn planes_are_apart_beyond_256_roundings_of_their_terms() {
    let mut r = Random(112);
    for k in 0..600 {
        let center = Point::from(r.vector() * [0.0, 1.0, 30.0][k % 3]);
        let b = any_box(&mut r, center);
        let scale = [1.0, 2f64.powi(-600), 2f64.powi(600)][k / 3 % 3];
        let n = r.vector();
        let n = n / n.amax() * [1.0, 1.5, 1.9][k / 9 % 3];
        let [low, high] = interval(&b, &n);
        let (sides, at) = ([-1.0, 1.0], [low, high]);
        for (side, end) in sides.into_iter().zip(at) {
            // In the unit of the function, which scales n so that its largest component is in [½,
            // 1).
            let slack = |d: f64| {
                let terms = 0.5 * (n.abs().dot(&center.coords.abs()) + d.abs()) + b.half.sum();
                2.0 * 256.0 * UNIT * terms
            };
            let asked = |share: f64| {
                let d = end + side * share * slack(end);
                b.overlaps_plane(&(n * scale), d * scale)
            };
            assert!(asked(0.7) && !asked(1.3), "{b:?} {n:?}");
        }
        assert!(b.overlaps_plane(&(n * scale), (low + high) * 0.5 * scale));
    }
    let b = any_box(&mut r, Point::origin());
    assert!(b.overlaps_plane(&Vector::zeros(), 0.0));
    assert!(b.overlaps_plane(&Vector::repeat(f64::NAN), 0.0));
}

#[test]
fn a_box_is_valid_if_and_only_if_the_invariant_holds() {
    let good = any_box(&mut Random(113), Point::new(1.0, 2.0, 3.0));
    assert!(good.validate());
    assert!(Obb { half: Vector::zeros(), ..good }.validate());
    for bad in [-1e-300, f64::NAN, f64::INFINITY] {
        for k in 0..3 {
            let mut b = good;
            b.half[k] = bad;
            assert!(!b.validate(), "{bad}");
        }
    }
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let mut b = good;
        b.center.y = bad;
        assert!(!b.validate(), "{bad}");
    }
    let mirrored = Matrix3::from_columns(&[good.axis(1), good.axis(0), good.axis(2)]);
    assert!(!Obb { axes: mirrored, ..good }.validate());
    let scaled = |by: f64| Obb { axes: Matrix3::identity() * by, ..good }.validate();
    assert!(scaled(1.0 + 2.0 * f64::EPSILON) && !scaled(1.0 + 6.0 * f64::EPSILON));
    assert!(!scaled(0.0) && !scaled(1.1));
    assert_eq!(Obb { half: Vector::new(1.0, 2.0, 5.0), ..good }.volume(), 80.0);
}

/// By how much the half-length along axis `i` exceeds the farthest corner's distance from the
/// centre.
fn spare(b: &Obb, i: usize, corners: &[Exact]) -> RBig {
    let axis: Exact = exact(&Point::from(b.axis(i)));
    let from = |c: &Exact| dot(&axis, &minus(c, &exact(&b.center)));
    let ends = corners.iter().map(|c| {
        let at = from(c);
        if at < RBig::ZERO { -at } else { at }
    });
    big(b.half[i]) - ends.max().expect("some")
}

fn exact_corners(b: &Obb) -> Vec<Exact> {
    corners(b).iter().map(exact).collect()
}

#[test]
fn posed_boxes_grow_by_256_roundings_of_what_they_are_made_of() {
    let mut r = Random(114);
    for k in 0..90 {
        let far = [0.0, 20.0, 0.0][k % 3];
        let center = Point::from(r.vector() * far);
        let b = any_box(&mut r, center);
        let pose = r.pose([0.0, 0.0, 20.0][k % 3]);
        let image = b.posed(&pose);
        assert!(image.validate());
        let size = center.coords.abs().sum() + pose.translation().abs().sum() + b.half.sum();
        let grown = (image.half - b.half) / (256.0 * UNIT * size);
        assert!(grown.iter().all(|g| (g - 1.0).abs() < 0.05), "{grown:?}");
        let there: Vec<Exact> = exact_corners(&b).iter().map(|c| posed(&pose, c)).collect();
        for i in 0..3 {
            let spare = spare(&image, i, &there);
            assert!(spare > big(128.0 * UNIT * size) && spare < big(384.0 * UNIT * size));
        }
    }
    let point = Obb { center: Point::origin(), axes: Matrix3::identity(), half: Vector::zeros() };
    assert_eq!(point.posed(&Pose::identity()).half, Vector::repeat(f64::MIN_POSITIVE));
}

/// The merged box touches a corner at both ends of every axis up to its pad, and is no larger than
/// the boxes aligned with either input.
#[test]
fn merged_boxes_are_the_least_of_three_and_touch_what_they_hold() {
    let mut r = Random(115);
    let mut between = 0;
    for k in 0..600 {
        let center = Point::from(r.vector() * [0.1, 1.0, 3.0][k % 3]);
        let (mut a, mut b) = (any_box(&mut r, center), any_box(&mut r, Point::origin()));
        if k % 2 == 0 {
            // Nearly the same axes, permuted and with other signs.
            let turn = nalgebra::Rotation3::new(r.vector() * 0.3).into_inner();
            let order = Matrix3::new(0., -1., 0., 0., 0., -1., 1., 0., 0.);
            b.axes = turn * a.axes * order;
        }
        let scale = [1.0, 2f64.powi(340), 2f64.powi(-340), 2f64.powi(990)][k % 4];
        let all: Vec<Point> = corners(&a).into_iter().chain(corners(&b)).collect();
        for c in [&mut a, &mut b] {
            c.center *= scale;
            c.half *= scale;
        }
        let merged = a.merged(&b);
        assert!(merged.validate());
        // In units before scaling.
        let half = merged.half / scale;
        let size =
            a.half.sum() / scale + b.half.sum() / scale + (b.center - a.center).abs().sum() / scale;
        let measured = |axes: &Matrix3<f64>| {
            let ends = [0, 1, 2].map(|i| {
                let at = all.iter().map(|c| axes.column(i).dot(&c.coords));
                let (low, high) =
                    at.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(x), h.max(x)));
                0.5 * (high - low)
            });
            Vector::from(ends)
        };
        let grown = (half - measured(&merged.axes)) / (256.0 * UNIT * size);
        assert!(grown.iter().all(|g| (g - 1.0).abs() < 0.3), "{grown:?}");
        let volume = |axes: &Matrix3<f64>| measured(axes).product();
        let own = volume(&a.axes).min(volume(&b.axes));
        assert!(half.product() <= own * (1.0 + 1e-10), "{a:?} {b:?}");
        // Half-way between an axis of one box and the nearest axis of the other.
        let nearest = |x: Vector| {
            let all = [0, 1, 2].map(|i| b.axis(i) * b.axis(i).dot(&x).signum());
            let nearer = |y: Vector, z: Vector| if z.dot(&x) > y.dot(&x) { z } else { y };
            x + nearer(nearer(all[0], all[1]), all[2])
        };
        let x = nearest(a.axis(0)).normalize();
        let y = nearest(a.axis(1));
        let y = (y - x * x.dot(&y)).normalize();
        let middle = volume(&Matrix3::from_columns(&[x, y, x.cross(&y)]));
        assert!(half.product() <= middle * (1.0 + 1e-10), "{a:?} {b:?}");
        between += u32::from(half.product() < own * (1.0 - 1e-9));
    }
    println!("between in {between}");
    assert!(between > 50, "{between}");
}

#[test]
fn an_upright_box_is_an_oriented_one_four_roundings_larger() {
    let mut r = Random(116);
    for k in 0..300 {
        let scale = [1.0, 1e280, 1e-280][k % 3];
        let (x, y) = (r.point() * scale, r.point() * scale);
        let b = Aabb { min: x.inf(&y), max: x.sup(&y) };
        let o = Obb::from(b);
        assert_eq!((o.axes, o.center), (Matrix3::identity(), b.center()));
        for i in 0..3 {
            let least = big(b.max[i] - o.center[i]).max(big(o.center[i] - b.min[i]));
            let more = big(o.half[i]) - &least;
            let unit = big(UNIT) * least;
            assert!(more >= RBig::from(3) * &unit && more <= RBig::from(5) * unit);
        }
    }
}
