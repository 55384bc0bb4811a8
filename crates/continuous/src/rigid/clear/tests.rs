//! What is taken off distances and times is enough, and a quarter of what is needed would not be.

use impinge_geometry::{Mesh, Point, Vector, exact};
use impinge_models::Random;
use impinge_query::Control;
use num_bigint::BigInt;

use super::{Clear, DISTANCE, SPEED, step_by};
use crate::rigid::extent::Extent;

const UNIT: f64 = f64::EPSILON / 2.0;
/// By how much a distance may be off, over the largest coordinate difference of both triangles: see
/// `docs/conventions.md`.
const STATED: f64 = 16.0 * UNIT;
/// What [`step_by`] is proved to need.
const NEEDED: f64 = 7.0 * UNIT;

fn number(random: &mut Random) -> f64 {
    random.range(0.5, 1.0) * 2f64.powi(random.below(9) as i32 - 4)
}

/// Two triangles face each other, so that their distance is a number, and a method reports as much more as
/// it may.
#[test]
fn a_distance_that_is_off_as_far_as_stated_is_not_overrated() {
    let (mut random, mut wrong) = (Random::new(0xd157), [0; 2]);
    for _ in 0..2_000 {
        let corners = [(); 3].map(|()| random.vector(-1.0, 1.0) * number(&mut random));
        let height = 16.0 * number(&mut random);
        let at = |z: f64| corners.map(|c| Point::new(c.x, c.y, z)).to_vec();
        let extents = [0.0, height].map(|z| {
            let mesh = Mesh::new(at(z), vec![[0, 1, 2]]).expect("finite");
            Extent::new(&mesh, &Control::NONE).expect("not cancelled")
        });
        let [a, b] = &extents;
        let spread = |k: usize| {
            let all = corners.map(|c: Vector| c[k]);
            all.into_iter().fold(f64::MIN, f64::max) - all.into_iter().fold(f64::MAX, f64::min)
        };
        let difference = height.max(spread(0)).max(spread(1));
        let reported = (height + STATED * difference).next_down();
        let sizes = a.size() + b.size();
        let (rounding, spin, most, speed, bend) = (0.0, 0.0, 0.0, 0.0, 0.0);
        let clear = Clear { a, b, rounding, sizes, spin, most, speed, bend };
        for (share, wrong) in [DISTANCE, STATED / 4.0].into_iter().zip(&mut wrong) {
            *wrong += usize::from(clear.least_by(share, reported, 0.0) > height);
        }
    }
    assert!(wrong[0] == 0 && wrong[1] > 100, "{wrong:?}");
}

/// The way that is gone in a step, in exact arithmetic, is not longer than the gap.
#[test]
fn steps_are_not_too_long() {
    let (mut random, mut wrong) = (Random::new(0x57e9), [0; 2]);
    for _ in 0..50_000 {
        let gap = number(&mut random);
        let sign = if random.chance(0.5) { 1.0 } else { -1.0 };
        let speed = sign * number(&mut random);
        let bend = if random.chance(0.2) { 0.0 } else { number(&mut random) };
        for (share, wrong) in [SPEED, NEEDED / 4.0].into_iter().zip(&mut wrong) {
            let time = step_by(share, gap, speed, bend);
            if !time.is_finite() {
                assert!(speed < 0.0 && bend == 0.0, "{gap} {speed} {bend}");
                continue;
            }
            let [g, s, b, t, one] = exact::integers([gap, speed, bend, time, 1.0]);
            let left: BigInt = (g * &one - s * &t) * &one * 2 - b * &t * t;
            *wrong += usize::from(left < BigInt::ZERO);
        }
    }
    assert!(wrong[0] == 0 && wrong[1] > 100, "{wrong:?}");
}
