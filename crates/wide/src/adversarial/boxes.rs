//! Boxes that share a point are never called apart.

use impinge_models::Random;

use super::touching::{Placed, Touching};
use super::widths;
use crate::kernel::boxes;
use crate::placement::Relative;
use crate::simd::{Simd, Task, Width};
use crate::tree::{LANES, Lane};

struct Meet<'n>(&'n Placed);

impl Task for Meet<'_> {
    type Out = (Relative, u32);

    #[inline(always)]
    fn run<S: Simd>(self) -> (Relative, u32) {
        let one = self.0.relative::<S>();
        (one, boxes::meet::<S, false>(&one, &self.0.node, &mut [0.0; LANES]))
    }
}

/// The kernel's answer.
fn may_meet(width: Width, placed: &Placed) -> bool {
    width.run(Meet(placed)).1 >> placed.l & 1 == 1
}

/// One axis of the kernel: the numbers that it compares.
#[derive(Clone, Copy, Debug)]
struct Axis {
    /// The distance of centres along it, as the kernel computes it.
    x: f64,
    /// The sum of the boxes' radii, without pad and slack.
    bare: f64,
    pad: f64,
    slack: f64,
}

impl Axis {
    /// Share of the granted pad and slack that is needed.
    fn used(&self) -> f64 {
        (self.x - self.bare) / (self.pad + self.slack)
    }
}

/// The kernel's fifteen axes by its operations, with radii in 64 bits.
fn axes(one: &Relative, bare: [f64; 3], lane: &Lane) -> Vec<Axis> {
    let fused = |a: f32, b: f32, c: f32| a.mul_add(b, c);
    let (c, e) = (lane.center, lane.half.map(f64::from));
    let d = one.rows.map(|r| fused(r[0], c[0], fused(r[1], c[1], fused(r[2], c[2], r[3]))));
    let on = |r: &[f32; 4], a: &[f32; 3]| fused(r[0], a[0], fused(r[1], a[1], r[2] * a[2]));
    let q = one.rows.map(|r| lane.axes.map(|a| on(&r, &a)));
    let aq = q.map(|row| row.map(|x| f64::from(x.abs())));
    let h = one.half.map(f64::from);
    let pad = [0, 1, 2].map(|i| h[i] - bare[i]);
    let slack = f64::from(boxes::SLACK) * (e[0] + e[1] + e[2] + h[0] + h[1] + h[2]);
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let column = |j: usize| [aq[0][j], aq[1][j], aq[2][j]];
    let mut all = Vec::with_capacity(15);
    let mut add = |x: f32, bare: f64, pad: f64| {
        all.push(Axis { x: f64::from(x.abs()), bare, pad, slack });
    };
    for i in 0..3 {
        add(d[i], bare[i] + dot(aq[i], e), pad[i]);
    }
    for j in 0..3 {
        let x = fused(q[0][j], d[0], fused(q[1][j], d[1], q[2][j] * d[2]));
        add(x, e[j] + dot(column(j), bare), dot(column(j), pad));
    }
    for i in 0..3 {
        let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
        for j in 0..3 {
            let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
            let x = fused(d[i2], q[i1][j], -(d[i1] * q[i2][j]));
            let of = |h: [f64; 3]| aq[i2][j] * h[i1] + aq[i1][j] * h[i2];
            add(x, of(bare) + aq[i][j2] * e[j1] + aq[i][j1] * e[j2], of(pad));
        }
    }
    all
}

/// The single's half-lengths before padding.
fn bare(touching: &Touching, placed: &Placed) -> [f64; 3] {
    touching.one.half.map(|h| f64::from(h) * placed.ratio)
}

fn of(touching: &Touching) -> Option<(Placed, Vec<Axis>)> {
    let placed = touching.place(0)?;
    let axes =
        axes(&Width::fastest().run(Meet(&placed)).0, bare(touching, &placed), &touching.lane);
    Some((placed, axes))
}

/// The largest share that any axis needs, and which axis.
fn most(touching: &Touching) -> (f64, usize) {
    let Some((_, axes)) = of(touching) else { return (f64::NEG_INFINITY, 0) };
    let used = |k: usize| axes[k].used();
    let k = (0..15).max_by(|&k, &l| used(k).total_cmp(&used(l))).unwrap_or(0);
    (used(k), k)
}

#[test]
fn boxes_that_touch_are_never_apart() {
    let mut random = Random::new(1);
    let mut judged = 0u32;
    for case in 0..400_000u32 {
        let touching = Touching::random(&mut random);
        let Some(placed) = touching.place((case % 16) as usize) else { continue };
        judged += 1;
        for width in widths() {
            assert!(may_meet(width, &placed), "{width}, case {case}: {touching:?}");
        }
    }
    assert!(judged > 300_000, "{judged}");
}

/// Climbs from random places towards the largest share of the bounds used, and prints it.
#[test]
fn climbing_does_not_reach_the_bound() {
    let mut random = Random::new(2);
    let mut best = [0.0f64; 3];
    for _ in 0..2500 {
        let mut at = Touching::random(&mut random);
        let mut used = most(&at);
        for _ in 0..150 {
            let next = at.mutated(&mut random);
            let then = most(&next);
            if then.0 >= used.0 {
                (at, used) = (next, then);
            }
        }
        let kind = [0, 1, 2, 2, 2][used.1 / 3];
        best[kind] = best[kind].max(used.0);
        if let Some(placed) = at.place(5) {
            for width in widths() {
                assert!(may_meet(width, &placed), "{width}: {at:?}");
            }
        }
    }
    println!("used of pad and slack: faces of the single, of the lane, edges: {best:.3?}");
    assert!(best.iter().all(|used| *used < 1.0), "{best:?}");
}

/// Without the pad, and without the slack, boxes that touch are called apart.
#[test]
fn without_the_pad_or_the_slack_they_would_be() {
    let mut random = Random::new(3);
    let (mut no_pad, mut no_slack) = (0, 0);
    for _ in 0..100_000 {
        let Some((_, axes)) = of(&Touching::random(&mut random)) else { continue };
        no_pad += u32::from(axes.iter().any(|axis| axis.x > axis.bare + axis.slack));
        no_slack += u32::from(axes.iter().any(|axis| axis.x > axis.bare + axis.pad));
    }
    println!("of 100,000 wrong without the pad {no_pad}, without the slack {no_slack}");
    assert!(no_pad > 0 && no_slack > 0, "{no_pad}, {no_slack}");
}
