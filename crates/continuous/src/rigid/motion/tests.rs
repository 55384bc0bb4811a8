//! The poses of motions against arithmetic with 200 bits, and the bounds of their rounding.

use impinge_geometry::{Point, Pose, Vector};
use impinge_models::Random;
use num_bigint::BigInt;

use super::{Course, RigidMotion};
use crate::rigid::moves::Moves;

/// Bits behind the point.
const BITS: i64 = 200;

type Fixed = BigInt;
type Three = [Fixed; 3];

fn fixed(x: f64) -> Fixed {
    let bits = x.to_bits();
    let exponent = (bits >> 52) & 0x7ff;
    let mantissa = (bits & ((1 << 52) - 1)) | u64::from(exponent > 0) << 52;
    let shift = exponent.max(1) as i64 - 1075 + BITS;
    let size = BigInt::from(mantissa);
    let size = if shift >= 0 { size << shift as u64 } else { size >> (-shift) as u64 };
    if x < 0.0 { -size } else { size }
}

fn float(x: &Fixed) -> f64 {
    // Differences here are small enough.
    let digits: f64 = x.to_string().parse().expect("a number");
    digits * 2f64.powi(-(BITS as i32))
}

fn times(x: &Fixed, y: &Fixed) -> Fixed {
    (x * y) >> BITS as u64
}

fn over(x: &Fixed, y: &Fixed) -> Fixed {
    (x << BITS as u64) / y
}

fn three(v: &Vector) -> Three {
    [0, 1, 2].map(|k| fixed(v[k]))
}

fn scaled(v: &Three, by: &Fixed) -> Three {
    v.each_ref().map(|x| times(x, by))
}

fn sum(p: &Three, q: &Three) -> Three {
    [0, 1, 2].map(|k| &p[k] + &q[k])
}

fn dot(p: &Three, q: &Three) -> Fixed {
    (0..3).map(|k| times(&p[k], &q[k])).sum()
}

fn cross(p: &Three, q: &Three) -> Three {
    [0, 1, 2].map(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        times(&p[i], &q[j]) - times(&p[j], &q[i])
    })
}

/// Sine and cosine by Taylor's series.
fn sin_cos(angle: &Fixed) -> (Fixed, Fixed) {
    let (mut sums, mut term) = ([fixed(0.0), fixed(0.0)], fixed(1.0));
    for n in 0..80_u32 {
        let sign = if n % 4 >= 2 { -1 } else { 1 };
        sums[(n % 2) as usize] += &term * sign;
        term = times(&term, angle) / (n + 1);
    }
    let [cos, sin] = sums;
    (sin, cos)
}

/// The vector turned about the motion's axis, which is made a unit vector.
fn turned(motion: &RigidMotion, v: &Three, angle: &Fixed) -> Three {
    let axis = three(&motion.turn.axis);
    let square = dot(&axis, &axis);
    // 1/√x for x next to 1.
    let mut root = fixed(1.0);
    for _ in 0..6 {
        root = times(&root, &(fixed(3.0) - times(&square, &times(&root, &root)))) / 2;
    }
    let axis = scaled(&axis, &root);
    let (sin, cos) = sin_cos(angle);
    let along = scaled(&axis, &dot(&axis, v));
    let across = sum(v, &scaled(&along, &fixed(-1.0)));
    sum(&sum(&along, &scaled(&across, &cos)), &scaled(&cross(&axis, &across), &sin))
}

/// Where the motion takes a point at a time, in exact arithmetic: to 10⁻⁵⁵ or so.
fn exact(motion: &RigidMotion, p: &Point, t: f64) -> Three {
    let start = motion.ends[0].rotation();
    let lever = sum(&three(&p.coords), &scaled(&three(&motion.centre.coords), &fixed(-1.0)));
    let placed: Three =
        [0, 1, 2].map(|k| (0..3).map(|j| times(&fixed(start[(k, j)]), &lever[j])).sum::<Fixed>());
    let (half, time) = (fixed(motion.turn.half), fixed(t));
    let placed = turned(motion, &placed, &(times(&half, &time) * 2));
    let mut centre = sum(&three(&motion.from.coords), &scaled(&three(&motion.along), &time));
    if motion.across != Vector::zeros() {
        let rest = times(&half, &(&time - fixed(1.0)));
        let chord = turned(motion, &three(&motion.across), &rest);
        let share = over(&sin_cos(&times(&half, &time)).0, &sin_cos(&half).0);
        centre = sum(&centre, &scaled(&chord, &share));
    }
    sum(&placed, &centre)
}

fn some_motion(random: &mut Random, case: usize) -> RigidMotion {
    let scale = 4f64.powi(random.below(7) as i32 - 3);
    let start = random.pose(scale);
    let angle = [1.0, 1e-3, 1e-9, 1.0 - 1e-10][case % 4] * random.unit();
    let turn = crate::rigid::turn::Turn {
        axis: random.unit_vector(),
        half: angle.max([0.0, 0.0, 0.0, 1.0 - 1e-9][case % 4]) * std::f64::consts::FRAC_PI_2,
    };
    let rotation = turn.rotation(turn.part(1.0)) * start.rotation();
    let end = Pose::new(rotation, random.vector(-scale, scale)).expect("a rotation");
    let course = match case % 3 {
        0 => Course::Screw,
        1 => Course::About(Point::from(random.in_ball() * scale)),
        _ => Course::About(Point::origin()),
    };
    RigidMotion::with(&start, &end, course).expect("in range")
}

/// No vertex is as far beside its place as the bound, some are farther than a thousandth of it: a bound that
/// small would be noticed.
#[test]
fn vertices_are_beside_their_places_by_less_than_the_bound() {
    let (mut random, mut worst) = (Random::new(0x70f1), 0.0_f64);
    for case in 0..4_000 {
        let motion = some_motion(&mut random, case);
        let p = Point::from(random.in_ball() * 4f64.powi(random.below(5) as i32 - 2));
        let t = [0.0, 1.0, random.unit(), random.unit(), random.unit() * 1e-6][case % 5];
        let place = motion.pose_at(t).apply(&p);
        let exact = exact(&motion, &p, t);
        let off = Vector::from_fn(|k, _| float(&(fixed(place[k]) - &exact[k])));
        let reach = (p - motion.centre).norm();
        worst = worst.max(off.norm() / motion.rounding(reach));
    }
    assert!(worst < 1.0 && worst > 1e-3, "{worst}");
}

/// Velocities and the bound of accelerations are those of the places.
#[test]
fn places_follow_their_velocities() {
    let mut random = Random::new(0x5eed);
    for case in 0..2_000 {
        let motion = some_motion(&mut random, case);
        let p = Point::from(random.in_ball());
        let t = random.range(0.0, 1.0);
        let velocity = motion.velocity(t);
        let x = velocity.pose.apply(&p);
        let (v, bend) = (velocity.of(&x), velocity.bend(&x));
        let size = motion.speed((p - motion.centre).norm());
        assert!(v.norm() <= size * (1.0 + 1e-9) && bend <= motion.angle() * size * (1.0 + 1e-9));
        for step in [1e-3, 0.1, 0.5] {
            for later in [t - step, t + step] {
                if !(0.0..=1.0).contains(&later) {
                    continue;
                }
                let left = motion.pose_at(later).apply(&p) - x - v * (later - t);
                let most = 0.5 * bend * step * step;
                let rounding = 4.0 * motion.rounding((p - motion.centre).norm()) + 1e-12 * size;
                assert!(left.norm() <= most + rounding, "{case}: {left:?} {most}");
                // And not much less.
                if step < 0.01 && most > 1e3 * rounding {
                    assert!(left.norm() >= 0.99 * most, "{case}: {left:?} {most}");
                }
            }
        }
    }
}

#[test]
fn the_given_poses_are_the_ends() {
    let mut random = Random::new(0xe2d5);
    for case in 0..1_000 {
        let motion = some_motion(&mut random, case);
        for t in [0.0, -0.0, -1.0, f64::NAN, f64::NEG_INFINITY] {
            assert_eq!(motion.pose_at(t), *motion.start());
        }
        for t in [1.0, 1.5, f64::INFINITY] {
            assert_eq!(motion.pose_at(t), *motion.end());
        }
        // Neighbouring times have neighbouring poses.
        let p = Point::from(random.in_ball());
        let bound = 2.0 * motion.rounding((p - motion.centre).norm()) + 1e-15 * motion.speed(8.0);
        for (end, next) in [(0.0, 1e-300), (1.0, 1.0_f64.next_down())] {
            let [one, other] = [end, next].map(|t| motion.pose_at(t).apply(&p));
            assert!((one - other).norm() <= bound, "{case}");
        }
        let still = RigidMotion::new(motion.start(), motion.start()).expect("in range");
        assert_eq!(still.pose_at(0.3), *motion.start());
    }
}

#[test]
fn half_a_screw_done_twice_is_the_screw() {
    let mut random = Random::new(0x5c2e);
    for _ in 0..1_000 {
        let [start, end] = [0, 1].map(|_| random.pose(2.0));
        let motion = RigidMotion::screw(&start, &end).expect("in range");
        let middle = motion.pose_at(0.5);
        let half = middle.then_inner(&start.inverse());
        let p = Point::from(random.in_ball());
        let twice = half.apply(&half.apply(&start.apply(&p)));
        assert!((twice - end.apply(&p)).norm() < 1e-13, "{motion:?}");
        // A point that is turned about runs straight.
        let about = Point::from(random.in_ball());
        let motion = RigidMotion::about(&start, &end, &about).expect("in range");
        let [low, high] = [&start, &end].map(|pose| pose.apply(&about));
        let place = motion.pose_at(0.25).apply(&about);
        assert!((place - (low + (high - low) * 0.25)).norm() < 1e-14);
    }
}
