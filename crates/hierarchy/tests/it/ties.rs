//! Where two volumes are apart by exactly what is granted, and along several axes at once; and how a
//! rectangle is laid into points, in closed form.

use impinge_geometry::volume::{Aabb, Obb, Sphere};
use impinge_geometry::{Point, Vector};
use impinge_hierarchy::Placement;
use impinge_hierarchy::volume::{
    AxisBox, Ball, Dop, Hybrid, ObbRows, ReducedObb, SweptRectangle, Volume,
};
use nalgebra::Matrix3;

/// What is granted here; sizes are zero, so that nothing else is.
const PAD: f64 = 0.125;

fn at(shift: [f64; 3]) -> Placement {
    let row = |k: usize| {
        let mut row = [0.0, 0.0, 0.0, shift[k]];
        row[k] = 1.0;
        row
    };
    Placement { rows: [row(0), row(1), row(2)], pad: PAD }
}

/// A point as a box.
fn point() -> Obb {
    Obb { center: Point::origin(), axes: Matrix3::identity(), half: Vector::zeros() }
}

/// Does it meet itself when it is moved, and how large is the gap?
type Moved = Box<dyn Fn([f64; 3]) -> (bool, f64)>;

/// Every volume that can be a point, moved away from itself.
fn points() -> Vec<(&'static str, Moved)> {
    fn of<V: Volume>(a: V, b: V) -> Moved {
        Box::new(move |shift| {
            let frame = V::frame(&at(shift));
            let placed = b.place(&frame);
            (a.meets(&placed, &frame), a.gap(&placed, &frame, f64::INFINITY))
        })
    }
    let zero = Aabb { min: Point::origin(), max: Point::origin() };
    let sphere = Sphere { center: Point::origin(), radius: 0.0 };
    let (obb, aabb) = (Hybrid::from(&point()), Hybrid::from(&zero));
    let (ball, buffer) = (Hybrid::from(&sphere), Hybrid::sphere_obb(&point()));
    let reduced = |leaf| ReducedObb::new(&point(), leaf);
    let origin = || [[0.0; 3]].into_iter();
    vec![
        ("obb", of(ObbRows::from(&point()), ObbRows::from(&point()))),
        ("aabb", of(AxisBox::from(&zero), AxisBox::from(&zero))),
        ("five axes, leaves", of(reduced(true), reduced(true))),
        ("ball", of(Ball::from(&sphere), Ball::from(&sphere))),
        ("6-dop", of(Dop::<3>::around(origin()), Dop::<3>::around(origin()))),
        ("obbs", of(obb, obb)),
        ("aabbs", of(aabb, aabb)),
        ("aabb and obb", of(aabb, obb)),
        ("obb and aabb", of(obb, aabb)),
        ("buffers", of(buffer, buffer)),
        ("spheres", of(ball, ball)),
        ("sphere and obb", of(ball, obb)),
        ("obb and sphere", of(obb, ball)),
        ("sphere and aabb", of(ball, aabb)),
        ("aabb and sphere", of(aabb, ball)),
        ("sphere and buffer", of(ball, buffer)),
        ("buffer and sphere", of(buffer, ball)),
    ]
}

/// Exactly as far apart as is granted is not apart, and the next number is, along every axis and in
/// both directions.
#[test]
fn what_is_as_far_as_is_granted_meets_and_what_is_farther_does_not() {
    for (what, moved) in points() {
        for k in 0..3 {
            for sign in [1.0, -1.0] {
                let along = |x: f64| {
                    let mut shift = [0.0; 3];
                    shift[k] = sign * x;
                    moved(shift)
                };
                assert_eq!(along(PAD), (true, 0.0), "{what} along {k}");
                let beyond = PAD * (1.0 + 1e-15);
                assert!(!along(beyond).0, "{what} along {k}");
                assert!(along(0.25).1 > 0.1249, "{what} along {k}: {}", along(0.25).1);
            }
        }
    }
}

/// Apart along two or three axes at once is apart, and by the length of what is over.
#[test]
fn apart_along_several_axes_is_apart() {
    for (what, moved) in points() {
        for k in 0..27_u32 {
            let shift = [0, 1, 2].map(|i| f64::from(k / 3_u32.pow(i) % 3) - 1.0);
            let zeros = shift.iter().filter(|x| **x == 0.0).count();
            let (meets, gap) = moved(shift);
            assert_eq!(meets, zeros == 3, "{what} {shift:?}");
            // A ball's gap is the distance less the pad, a box's that of the excess on its axes.
            let apart = (3.0 - zeros as f64).sqrt();
            let [low, high] = [apart * (1.0 - PAD), apart - PAD].map(|x| x.max(0.0));
            assert!(gap >= low - 1e-9 && gap <= high + 1e-9, "{what} {shift:?}: {gap}");
        }
    }
}

/// Rectangles in a box along the axes, of half-lengths 5, 3 and 1.
fn rectangle(points: &[[f64; 3]]) -> ([f64; 3], [f64; 3]) {
    let home = Vector::new(7.0, -2.0, 3.0);
    let turn = Matrix3::new(0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0);
    // The axes come in another order, the shortest first.
    let obb = Obb { center: Point::from(home), axes: turn, half: Vector::new(1.0, 5.0, 3.0) };
    let own = |p: &[f64; 3]| turn * Vector::new(p[2], p[0], p[1]) + home;
    let made = SweptRectangle::around(&obb, points.iter().map(|p| Point::from(own(p))));
    let [z, x, y] = <[f64; 3]>::from(turn.transpose() * (Vector::from(made.center()) - home));
    (made.half(), [x, y, z])
}

fn is(what: &str, found: ([f64; 3], [f64; 3]), half: [f64; 3], center: [f64; 3]) {
    for k in 0..3 {
        assert!((found.0[k] - half[k]).abs() < 1e-12, "{what}: {found:?}, not {half:?}");
        assert!((found.1[k] - center[k]).abs() < 1e-12, "{what}: {found:?}, not {center:?}");
    }
}

/// Points that hold both slabs wide open: x in −4 … 4, y in −2 … 2.
const FRAME: [[f64; 3]; 4] =
    [[4.0, 0.0, 1.0], [-4.0, 0.0, -1.0], [0.0, 2.0, 1.0], [0.0, -2.0, 1.0]];

#[test]
fn a_rectangle_is_as_narrow_as_the_heights_of_its_points_allow() {
    is("a frame", rectangle(&FRAME), [4.0, 2.0, 1.0], [0.0; 3]);
    // At height 0.6 a point may fault 0.8 beside it, at −0.8 by 0.6.
    let beside = [[4.0, 0.0, 0.6], [-3.0, 0.0, -0.8], [0.0, 2.5, -0.6], [0.0, -2.0, 1.0]];
    // x from −2.4 to 3.2, y from −2 to 1.7.
    let radius = 1.0;
    is("beside", rectangle(&beside), [2.8, 1.85, radius], [0.4, -0.15, 0.0]);
    // Nothing needs any width: a point in the middle of what is allowed, −0.5 … 0.7.
    let few = [[0.5, 0.25, 0.0], [-0.3, -0.25, 0.0]];
    let (half, center) = rectangle(&few);
    let farthest = 0.4_f64.hypot(0.25);
    is("a point", (half, center), [0.0, 0.0, farthest], [0.1, 0.0, 0.0]);
    // In one slab only.
    let line = [[4.0, 0.25, 0.0], [-4.0, -0.25, 0.0]];
    let (half, center) = rectangle(&line);
    // Its ends fault beyond both slabs, so that two corners move out.
    let grow = 1.0 - 1.0 / 1.0_f64.hypot(0.25);
    is("a line", (half, center), [3.0 + grow, 0.25 * grow, 1.0], [0.0; 3]);
}

/// A point beyond two slabs at once moves the corner towards it until it is as far as it may be.
#[test]
fn a_corner_is_moved_towards_a_point_beyond_two_slabs() {
    for (sx, sy) in [(1.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (-1.0, 1.0)] {
        for ([x, y, z], beside) in [
            ([1.0, 1.0, 0.0], 1.0),
            ([0.75, 1.0, 0.0], 1.0),
            ([0.5, 0.55, 0.8], 0.6),
            ([0.8, 0.4, -0.6], 0.8),
        ] {
            let mut points = FRAME.to_vec();
            points.push([sx * (4.0 + x), sy * (2.0 + y), z]);
            let grow = (1.0 - beside / f64::hypot(x, y)).max(0.0);
            let (gx, gy) = (0.5 * grow * x, 0.5 * grow * y);
            let found = rectangle(&points);
            is("a corner", found, [4.0 + gx, 2.0 + gy, 1.0], [sx * gx, sy * gy, 0.0]);
        }
        // As far as it may be, and nearer: it stays.
        for [x, y, z] in [[0.6, 0.8, 0.0], [0.5, 0.5, 0.0], [0.3, 0.5, 0.8]] {
            let mut points = FRAME.to_vec();
            points.push([sx * (4.0 + x), sy * (2.0 + y), z]);
            is("a near corner", rectangle(&points), [4.0, 2.0, 1.0], [0.0; 3]);
        }
    }
}

/// A triangle beside a box is left out once it is farther away than the box's slack; a ball leaves
/// none out, and other volumes know nothing of triangles.
#[test]
fn a_triangle_is_left_out_beyond_the_slack_of_a_box() {
    let half = [1.0, 2.0, 4.0];
    let slack = |pad: f64| pad + impinge_hierarchy::placement::SLACK * 7.0;
    let obb = Obb { half: half.into(), ..point() };
    let aabb = Aabb { min: Point::from(-obb.half), max: Point::from(obb.half) };
    let sphere = Sphere { center: Point::origin(), radius: 1.0 };
    for pad in [0.0, 1e-12] {
        let frame = Hybrid::frame(&Placement { pad, ..at([0.0; 3]) });
        for k in 0..3 {
            let beyond = |over: f64| {
                let mut corners = [[0.1, 0.2, 0.3], [0.3, -0.2, 0.1], [-0.1, 0.2, -0.3]];
                for p in &mut corners {
                    p[k] = half[k] + over * slack(pad);
                }
                corners.map(Point::from)
            };
            for volume in [Hybrid::from(&obb), Hybrid::from(&aabb), Hybrid::sphere_obb(&obb)] {
                assert!(volume.may_meet(&beyond(0.9), &frame), "axis {k}, pad {pad:e}");
                assert!(!volume.may_meet(&beyond(2.0), &frame), "axis {k}, pad {pad:e}");
            }
            assert!(Hybrid::from(&sphere).may_meet(&beyond(1e15), &frame));
            assert!(ObbRows::from(&obb).may_meet(&beyond(1e15), &at([0.0; 3])));
        }
    }
}

/// Where squares leave the range, the corner of a box is as far as its half-lengths together.
#[test]
fn the_ball_about_a_box_is_a_bound_at_every_scale() {
    for unit in [1e-150, 1.0, 1e150] {
        let obb = Obb { half: Vector::new(1.0, 2.0, 4.0) * unit, ..point() };
        let sphere = Sphere { center: Point::origin(), radius: 3.0 * unit };
        let (buffer, ball) = (Hybrid::sphere_obb(&obb), Hybrid::from(&sphere));
        for (a, b) in [(ball, buffer), (buffer, ball)] {
            let frame = Hybrid::frame(&at([0.0, 100.0 * unit, 0.0]));
            let frame_of = Placement { pad: 0.0, ..at([0.0, 100.0 * unit, 0.0]) };
            let frame = if unit < 1.0 { Hybrid::frame(&frame_of) } else { frame };
            let gap = a.gap(&b.place(&frame), &frame, f64::INFINITY) / unit;
            let corner = if unit == 1.0 { 21f64.sqrt() + PAD } else { 7.0 };
            assert!((gap - (97.0 - corner)).abs() < 1e-9, "{unit:e}: {gap}");
        }
    }
}
