//! How far every volume reaches: where two of them are told apart when one moves away, what their
//! gap is then, and what their bounds are, each against a plain computation. What is granted for
//! rounding is neither less nor more than the page of the method says.

use impinge_geometry::triangle::distance;
use impinge_geometry::volume::{Aabb, Sphere};
use impinge_geometry::{Point, Vector};
use impinge_hierarchy::Placement;
use impinge_hierarchy::volume::{
    AxisBox, Ball, BallBox, Dop, Hybrid, Kind, ObbRows, ReducedObb, SweptRectangle, Volume,
};
use impinge_models::Random;
use nalgebra::Matrix3;

use crate::boxes::{Plain, SLACK, at, last};

fn meets<V: Volume>(a: &V, b: &V, placement: &Placement) -> bool {
    let frame = V::frame(placement);
    a.meets(&b.place(&frame), &frame)
}

fn gap<V: Volume>(a: &V, b: &V, placement: &Placement) -> f64 {
    let frame = V::frame(placement);
    a.gap(&b.place(&frame), &frame, f64::INFINITY)
}

/// Do they meet, and how large is the gap?
fn of<V: Volume>(a: V, b: V) -> impl Fn(&Placement) -> (bool, f64) {
    move |at| (meets(&a, &b, at), gap(&a, &b, at))
}

fn bounds<V: Volume>(volume: V, at: &Placement) -> [[f64; 2]; 3] {
    V::bounds(&volume.place(&V::frame(at)))
}

fn near(what: &str, found: f64, expected: f64, part: f64) {
    let off = (found - expected).abs();
    assert!(off <= part * expected.abs(), "{what}: {found:e}, not {expected:e}");
}

fn axis_box(b: &Plain) -> AxisBox {
    AxisBox::new((b.center - b.half).into(), (b.center + b.half).into())
}

fn aabb(b: &Plain) -> Aabb {
    Aabb { min: Point::from(b.center - b.half), max: Point::from(b.center + b.half) }
}

/// The rectangle with the first two half-lengths, and the third as its radius.
fn swept(b: &Plain) -> SweptRectangle {
    let corner = |k: i32| {
        let side = |i: i32| if k >> i & 1 == 1 { 1.0 } else { -1.0 };
        Point::from(
            b.center + b.axes * Vector::new(side(0), side(1), side(2)).component_mul(&b.half),
        )
    };
    SweptRectangle::around(&b.obb(), (0..8).map(corner))
}

/// What each kind of box says, and which of its axes are tested.
struct Kinds<'p> {
    a: &'p Plain,
    b: &'p Plain,
}

impl Kinds<'_> {
    /// Calls `check` with the name, both boxes as they are taken, a function for `meets` and one
    /// for `gap`, and whether five axes are tested.
    fn each(
        &self,
        mut check: impl FnMut(&str, [Plain; 2], &dyn Fn(&Placement) -> (bool, f64), bool),
    ) {
        let (a, b) = (*self.a, *self.b);
        let (flat_a, flat_b) = (a.upright(), b.upright());
        let (sorted_a, sorted_b) = (a.sorted(), b.sorted());
        check("obb", [a, b], &of(ObbRows::from(&a.obb()), ObbRows::from(&b.obb())), false);
        check("aabb", [flat_a, flat_b], &of(axis_box(&flat_a), axis_box(&flat_b)), false);
        for (of_a, of_b) in [(false, false), (true, false), (false, true), (true, true)] {
            let pair = of(ReducedObb::new(&a.obb(), of_a), ReducedObb::new(&b.obb(), of_b));
            check("five axes", [sorted_a, sorted_b], &pair, !(of_a && of_b));
        }
        let (x, y) = (Hybrid::from(&aabb(&flat_a)), Hybrid::from(&aabb(&flat_b)));
        let (v, w) = (Hybrid::from(&a.obb()), Hybrid::from(&b.obb()));
        let (m, n) = (Hybrid::sphere_obb(&a.obb()), Hybrid::sphere_obb(&b.obb()));
        check("hybrid, aabbs", [flat_a, flat_b], &of(x, y), false);
        check("hybrid, aabb and obb", [flat_a, b], &of(x, w), false);
        check("hybrid, obb and aabb", [a, flat_b], &of(v, y), false);
        check("hybrid, obbs", [a, b], &of(v, w), false);
        check("hybrid, buffers", [a, b], &of(m, n), false);
        check("hybrid, buffer and obb", [a, b], &of(m, w), false);
        check("hybrid, aabb and buffer", [flat_a, b], &of(x, n), false);
    }
}

/// Boxes that overlap, one of which moves away: they are told apart as soon as one of the axes says
/// so, and their gap is the greatest that the axes give. The pad is so large that the rest of the
/// slack does not show.
#[test]
fn boxes_are_apart_where_an_axis_says_so_and_their_gap_is_the_greatest_there_is() {
    let pad = 1e-2;
    for index in 0..300 {
        let mut random = Random::stream(101, index);
        let (a, b) = (Plain::random(&mut random), Plain::random(&mut random));
        let turn = *random.turned_to(Vector::zeros()).rotation();
        let away = random.unit_vector();
        Kinds { a: &a, b: &b }.each(|what, [a, b], say, five| {
            let what = format!("{what}, {index}");
            // From where the middles are at one place.
            let start = a.center - turn * b.center;
            let moved = |by: f64| at(&turn, &(start + away * by), pad);
            let excess = |by: f64| a.excess(&b.placed(&moved(by)));
            let found = last(|by| say(&moved(by)).0, 10.0);
            let most = |by: f64| if five { excess(by).most_of_five() } else { excess(by).most() };
            near(&what, found, last(|by| most(by) <= pad, 10.0), 1e-10);
            for by in [1.01, 1.5, 4.0] {
                let by = by * found;
                let slack = pad + SLACK * (a.half.sum() + b.half.sum());
                near(&what, say(&moved(by)).1, a.gap(&b.placed(&moved(by)), slack), 3e-11);
            }
        });
    }
}

/// What two boxes are enlarged by: the pad, and `SLACK` of the sum of all half-lengths.
#[test]
fn boxes_are_enlarged_by_the_pad_and_a_part_of_their_sizes() {
    let upright = |half: [f64; 3], center: [f64; 3]| Plain {
        axes: Matrix3::identity(),
        center: center.into(),
        half: half.into(),
    };
    let a = upright([4.0, 8.0, 2.0], [0.0; 3]);
    let b = upright([32.0, 16.0, 64.0], [0.0; 3]);
    let turn = Matrix3::new(0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0);
    for pad in [0.0, 2e-12, 1e-11] {
        for (k, away) in [Vector::x(), -Vector::y(), Vector::z()].into_iter().enumerate() {
            Kinds { a: &a, b: &b }.each(|what, [a, b], say, five| {
                // Five axes: only that of the shortest half-lengths is a face's.
                let turn = if five { Matrix3::identity() } else { turn };
                let moved = |by: f64| at(&turn, &(away * by), pad);
                let reach = a.reach(&away) + b.placed(&moved(0.0)).reach(&away);
                let what = format!("{what} along {k}, pad {pad:e}");
                let slack = pad + SLACK * (a.half.sum() + b.half.sum());
                near(&what, last(|by| say(&moved(by)).0, 1e3) - reach, slack, 0.02);
                near(&what, last(|by| say(&moved(by)).1 == 0.0, 1e3) - reach, slack, 0.02);
                assert!((say(&moved(1e3)).1 - (1e3 - reach)).abs() < 1e-7, "{what}");
            });
        }
    }
}

/// How far apart two volumes are, from the way between their middles.
type Apart<'f> = &'f dyn Fn(Vector, &Plain) -> f64;

/// A ball against a ball, and against boxes of every kind.
#[test]
fn balls_are_apart_where_their_distance_says_so() {
    let pad = 1e-2;
    for index in 0..300 {
        let mut random = Random::stream(102, index);
        let b = Plain::random(&mut random);
        let (center, radius) = (random.vector(-0.2, 0.2), random.range(0.1, 1.0));
        let turn = *random.turned_to(Vector::zeros()).rotation();
        let away = random.unit_vector();
        let ball = Sphere { center: Point::from(center), radius };
        let other = Sphere { center: Point::from(b.center), radius: b.half[0] };
        let corner = b.half.norm();
        let of_balls = |reach: f64| move |d: Vector, _: &Plain| d.norm() - reach;
        let of_box = |d: Vector, b: &Plain| {
            let local = b.axes.transpose() * d;
            let over = Vector::from_fn(|i, _| (local[i].abs() - b.half[i]).max(0.0));
            over.norm() - radius
        };
        let check = |what: &str,
                     b: Plain,
                     say: &dyn Fn(&Placement) -> (bool, f64),
                     from_b: bool,
                     apart: Apart<'_>| {
            // Either the ball is A's and moves with the frame, or the box is.
            let (own, its) = if from_b { (b.center, center) } else { (center, b.center) };
            let start = own - turn * its;
            let moved = |by: f64| at(&turn, &(start + away * by), pad);
            let over = |by: f64| {
                let placed = if from_b { b } else { b.placed(&moved(by)) };
                apart(away * by, &placed)
            };
            let what = format!("{what}, {index}");
            let found = last(|by| say(&moved(by)).0, 10.0);
            near(&what, found, last(|by| over(by) <= pad, 10.0), 1e-10);
            for by in [1.01, 1.5, 4.0] {
                let by = by * found;
                near(&what, say(&moved(by)).1, over(by) - pad, 1e-10);
            }
        };
        let sum = radius + other.radius;
        let h = |s: &Sphere| Hybrid::from(s);
        check("balls", b, &of(Ball::from(&ball), Ball::from(&other)), false, &of_balls(sum));
        check("spheres", b, &of(h(&ball), h(&other)), false, &of_balls(sum));
        let buffer = Hybrid::sphere_obb(&b.obb());
        let round = of_balls(radius + corner);
        check("sphere and buffer", b, &of(h(&ball), buffer), false, &round);
        check("buffer and sphere", b, &of(buffer, h(&ball)), true, &round);
        let boxed = Hybrid::from(&b.obb());
        check("sphere and obb", b, &of(h(&ball), boxed), false, &of_box);
        check("obb and sphere", b, &of(boxed, h(&ball)), true, &of_box);
        let flat = b.upright();
        let boxed = Hybrid::from(&aabb(&flat));
        check("sphere and aabb", flat, &of(h(&ball), boxed), false, &of_box);
        check("aabb and sphere", flat, &of(boxed, h(&ball)), true, &of_box);
    }
}

/// Rectangles with a radius: the boxes around them never say less than their distance does.
#[test]
fn swept_rectangles_are_apart_where_their_distance_says_so() {
    let pad = 1e-2;
    for index in 0..600 {
        let mut random = Random::stream(103, index);
        let plain = |random: &mut Random| {
            let b = Plain::random(random).sorted();
            // The longest first.
            let turn = |k: usize, i: usize| b.axes[(k, [2, 1, 0][i])];
            Plain {
                axes: Matrix3::from_fn(turn),
                half: Vector::new(b.half[2], b.half[1], b.half[0]),
                ..b
            }
        };
        let (a, b) = (plain(&mut random), plain(&mut random));
        let (own, other) = (swept(&a), swept(&b));
        for (plain, made) in [(&a, &own), (&b, &other)] {
            (0..3).for_each(|k| near("half", made.half()[k], plain.half[k], 1e-6));
        }
        let turn = *random.turned_to(Vector::zeros()).rotation();
        let away = random.unit_vector();
        let start = a.center - turn * b.center;
        let moved = |by: f64| at(&turn, &(start + away * by), pad);
        let radii = a.half[2] + b.half[2];
        let apart = |by: f64| rectangles(&a, &b.placed(&moved(by)));
        let say = |by: f64| (meets(&own, &other, &moved(by)), gap(&own, &other, &moved(by)));
        let found = last(|by| say(by).0, 10.0);
        let expected = last(|by| apart(by) <= radii + pad, 10.0);
        near(&format!("swept {index}"), found, expected, 1e-6);
        for by in [1.01, 1.5, 4.0] {
            let by = by * found;
            near(
                &format!("swept {index} × {by}"),
                say(by).1,
                (apart(by) - radii - pad).max(0.0),
                1e-5,
            );
        }
    }
}

/// The distance of two rectangles as that of two triangles each.
fn rectangles(a: &Plain, b: &Plain) -> f64 {
    let halves = |b: &Plain| {
        let corner = |x: f64, y: f64| {
            Point::from(b.center + b.axes * Vector::new(x * b.half[0], y * b.half[1], 0.0))
        };
        let [p, q, r, s] = [corner(1., 1.), corner(1., -1.), corner(-1., -1.), corner(-1., 1.)];
        [[p, q, r], [r, s, p]]
    };
    let pairs = halves(a).map(|p| halves(b).map(|q| distance(&p, &q).0));
    pairs.into_iter().flatten().fold(f64::INFINITY, f64::min)
}

/// What is granted beside the pad: nothing for balls that meet, and for a gap `SLACK` of both
/// radii and of the distance.
#[test]
fn balls_and_rectangles_are_enlarged_by_what_their_pages_say() {
    let (r, s) = (3.0, 5.0);
    let sphere = |radius: f64| Sphere { center: Point::origin(), radius };
    let plain = |half: [f64; 3]| Plain {
        axes: Matrix3::identity(),
        center: Vector::zeros(),
        half: half.into(),
    };
    let (a, b) = (plain([4.0, 2.0, 1.0]), plain([32.0, 16.0, 8.0]));
    let turn = Matrix3::identity();
    for pad in [0.0, 2e-12, 1e-11] {
        let away = |by: f64| at(&turn, &Vector::new(0.0, 0.0, by), pad);
        let check =
            |what: &str, say: &dyn Fn(&Placement) -> (bool, f64), reach: f64, grants: [f64; 3]| {
                let what = format!("{what}, pad {pad:e}");
                let [meeting, touching, far] = grants;
                near(&what, last(|by| say(&away(by)).0, 1e3) - reach, pad + meeting * SLACK, 0.02);
                near(
                    &what,
                    last(|by| say(&away(by)).1 == 0.0, 1e3) - reach,
                    pad + touching * SLACK,
                    0.02,
                );
                let lost = 1e3 - reach - say(&away(1e3)).1;
                near(&what, lost, pad + far * SLACK, 0.02);
            };
        let balls = of(Ball::from(&sphere(r)), Ball::from(&sphere(s)));
        // Of what a gap takes off, the rounding of the difference of 1000 and 8 is a part.
        let gap_of = |reach: f64, slack: f64| {
            [slack, slack + 2.0 * reach, slack + 1e3 + reach + (1e3 - reach)]
        };
        let [_, touching, far] = gap_of(r + s, 0.0);
        check("balls", &balls, r + s, [0.0, touching, far]);
        let spheres = of(Hybrid::from(&sphere(r)), Hybrid::from(&sphere(s)));
        check("spheres", &spheres, r + s, gap_of(r + s, 3.0 * (r + s)));
        let (boxed, ball) = (Hybrid::from(&b.obb()), Hybrid::from(&sphere(r)));
        let slack = 3.0 * r + b.half.sum();
        // The box reaches 8 without slack of its own: the distance is that beyond it.
        let beyond =
            |slack: f64| [slack, slack + 2.0 * r, slack + (1e3 - 8.0) + r + (1e3 - 8.0 - r)];
        check("sphere and obb", &of(ball, boxed), r + 8.0, beyond(slack));
        check("obb and sphere", &of(boxed, ball), r + 8.0, beyond(slack));
        let buffer = Hybrid::sphere_obb(&b.obb());
        let corner = b.half.norm();
        check("sphere and buffer", &of(ball, buffer), r + corner, gap_of(r + corner, slack));
        check("buffer and sphere", &of(buffer, ball), r + corner, gap_of(r + corner, slack));
        // Rectangles: their sizes beside their radii, and the fit's part of both.
        let (own, other) = (swept(&a), swept(&b));
        let fit = own.half()[2] - 1.0 + other.half()[2] - 8.0;
        // Sixteen units of rounding of the radius and of the box.
        near("the radius", own.half()[2] - 1.0, 16.0 * (1.0 + 7.0) * f64::EPSILON / 2.0, 0.02);
        let slack = a.half.sum() + b.half.sum();
        let grant = |x: f64| x + fit / SLACK;
        let [meeting, touching, far] = [slack, slack + 2.0 * 9.0, slack + 1e3 + 9.0].map(grant);
        check("swept", &of(own, other), 9.0, [meeting, touching, far]);
    }
}

/// Where two corners are nearest no face tells rectangles apart, and a part of both radii is granted
/// as well, for the squares.
#[test]
fn corners_of_rectangles_are_apart_by_their_distance_and_what_squares_need() {
    let plain = |half: [f64; 3]| Plain {
        axes: Matrix3::identity(),
        center: Vector::zeros(),
        half: half.into(),
    };
    let (a, b) = (plain([4.0, 2.0, 1.0]), plain([32.0, 16.0, 8.0]));
    let (own, other) = (swept(&a), swept(&b));
    let fit = own.half()[2] - 1.0 + other.half()[2] - 8.0;
    let slack = SLACK * (a.half.sum() + b.half.sum());
    for pad in [0.0, 1e-11] {
        // The corners are 13 times as far apart as is said.
        let moved = |by: f64| {
            // B is turned, since something is taken off the distance of parallel edges.
            let turn = Matrix3::new(0.6, -0.8, 0.0, 0.8, 0.6, 0.0, 0.0, 0.0, 1.0);
            let shift = Vector::new(36.0 + 4.0 * by, 18.0 + 3.0 * by, 12.0 * by);
            at(&turn, &shift, pad)
        };
        let granted = pad + fit + slack;
        let meeting = 13.0 * last(|by| meets(&own, &other, &moved(by)), 100.0) - 9.0;
        near("meeting", meeting, granted + 9.0 * SLACK, 0.02);
        let touching = 13.0 * last(|by| gap(&own, &other, &moved(by)) == 0.0, 100.0) - 9.0;
        near("touching", touching, granted + 18.0 * SLACK, 0.02);
        let lost = 1300.0 - 9.0 - gap(&own, &other, &moved(100.0));
        near("far", lost, granted + (9.0 + 1300.0) * SLACK, 0.02);
    }
}

/// Bounds along A's axes: those of the volume, and beside them `SLACK` of its size and place.
#[test]
fn bounds_are_those_of_the_volume_and_a_little_more() {
    let (half, radius) = ([1.0, 2.0, 4.0], 3.0);
    let home = Vector::new(16.0, -32.0, 8.0);
    let of = |center: Vector| Plain { axes: Matrix3::identity(), center, half: half.into() };
    let (b, shift) = (of(home), Vector::new(-100.0, 7.0, 0.5));
    let still = at(&Matrix3::identity(), &shift, 1.0);
    let check =
        |what: &str, bounds: [[f64; 2]; 3], reach: [f64; 3], grant: &dyn Fn(f64, f64) -> f64| {
            for k in 0..3 {
                let (c, [low, high]) = (home[k] + shift[k], bounds[k]);
                let expected = SLACK * grant(c.abs(), reach[k]);
                near(what, c - low - reach[k], expected, 0.02);
                near(what, high - c - reach[k], expected, 0.02);
            }
        };
    let boxed = |c: f64, _: f64| 7.0 + c;
    check("obb", bounds(ObbRows::from(&b.obb()), &still), half, &boxed);
    check("aabb", bounds(axis_box(&b), &still), half, &boxed);
    for leaf in [true, false] {
        check("five axes", bounds(ReducedObb::new(&b.obb(), leaf), &still), half, &boxed);
    }
    check("hybrid, obb", bounds(Hybrid::from(&b.obb()), &still), half, &boxed);
    check("hybrid, aabb", bounds(Hybrid::from(&aabb(&b)), &still), half, &boxed);
    check("hybrid, buffer", bounds(Hybrid::sphere_obb(&b.obb()), &still), half, &boxed);
    let round = |c: f64, _: f64| radius + c;
    let sphere = Sphere { center: Point::from(home), radius };
    check("ball", bounds(Ball::from(&sphere), &still), [radius; 3], &round);
    check("sphere", bounds(Hybrid::from(&sphere), &still), [radius; 3], &round);
    // These are in A's frame already.
    let there = BallBox::Ball((home + shift).into(), radius);
    check("ball in the world", bounds(there, &still), [radius; 3], &round);
    let there = BallBox::Box(axis_box(&of(home + shift)));
    check("box in the world", bounds(there, &still), half, &|_, _| 0.0);
    let dop = Dop::<3>::around([home - b.half, home + b.half].into_iter().map(Into::into));
    let slabs = |c: f64, reach: f64| (c - reach).abs() + (c + reach).abs();
    check("dop", bounds(dop, &still), half, &slabs);
    // The radius is on every side of the rectangle, and was enlarged by the fit.
    let flat = Plain { half: Vector::new(4.0, 2.0, 1.0), ..b };
    let made = swept(&flat);
    let r = made.half()[2];
    let fit = (r - 1.0) / SLACK;
    let grant = |c: f64, _: f64| 4.0 + 2.0 + 3.0 + c + fit;
    check("swept", bounds(made, &still), [5.0, 3.0, 1.0], &grant);
}

#[test]
fn bounds_of_turned_boxes_are_their_reach() {
    for index in 0..100 {
        let mut random = Random::stream(104, index);
        let b = Plain::random(&mut random).sorted();
        let turn = *random.turned_to(Vector::zeros()).rotation();
        let still = at(&turn, &random.vector(-1.0, 1.0), 0.0);
        let check = |what: &str, bounds: [[f64; 2]; 3], b: &Plain| {
            let placed = b.placed(&still);
            for (k, axis) in [Vector::x(), Vector::y(), Vector::z()].into_iter().enumerate() {
                let reach = placed.reach(&axis);
                near(what, bounds[k][1] - placed.center[k], reach, 1e-10);
                near(what, placed.center[k] - bounds[k][0], reach, 1e-10);
            }
        };
        let flat = b.upright();
        check("obb", bounds(ObbRows::from(&b.obb()), &still), &b);
        check("aabb", bounds(axis_box(&flat), &still), &flat);
        check("hybrid, obb", bounds(Hybrid::from(&b.obb()), &still), &b);
        check("hybrid, aabb", bounds(Hybrid::from(&aabb(&flat)), &still), &flat);
        check(
            "dop",
            bounds(
                Dop::<3>::around(
                    [b.center - b.half, b.center + b.half].into_iter().map(Into::into),
                ),
                &still,
            ),
            &flat,
        );
    }
}

/// Size, middle and kind, and whether placing counts as an update.
#[test]
fn sizes_middles_and_kinds_are_those_of_what_was_wrapped() {
    fn check<V: Volume>(volume: V, size: f64, center: [f64; 3], updates: bool) {
        assert_eq!((volume.size(), volume.center(), volume.updates()), (size, center, updates));
    }
    let center = [16.0, -32.0, 8.0];
    let sphere = Sphere { center: center.into(), radius: 3.0 };
    for order in [[0, 1, 2], [1, 2, 0], [2, 0, 1]] {
        let half = order.map(|k: usize| [1.0, 2.0, 4.0][k]);
        let b = Plain { axes: Matrix3::identity(), center: center.into(), half: half.into() };
        check(ObbRows::from(&b.obb()), 4.0, center, false);
        check(axis_box(&b), 8.0, center, false);
        check(BallBox::Box(axis_box(&b)), 8.0, center, false);
        check(ReducedObb::new(&b.obb(), true), 4.0, center, false);
        check(ReducedObb::new(&b.obb(), false), 4.0, center, false);
        let corners = [b.center - b.half, b.center + b.half];
        check(Dop::<3>::around(corners.into_iter().map(Into::into)), 8.0, center, true);
        for (volume, kind) in [
            (Hybrid::from(&aabb(&b)), Kind::Aabb),
            (Hybrid::from(&b.obb()), Kind::Obb),
            (Hybrid::sphere_obb(&b.obb()), Kind::SphereObb),
        ] {
            assert_eq!(volume.kind(), kind);
            check(volume, 4.0, center, kind == Kind::Aabb);
        }
    }
    check(Ball::from(&sphere), 3.0, center, false);
    check(BallBox::Ball(center, 3.0), 6.0, center, false);
    assert_eq!(Hybrid::from(&sphere).kind(), Kind::Sphere);
    check(Hybrid::from(&sphere), 3.0, center, true);
    let b =
        Plain { axes: Matrix3::identity(), center: center.into(), half: [4.0, 2.0, 1.0].into() };
    let made = swept(&b);
    check(made, 4.0 + made.half()[2], center, false);
}
