//! By how much two boxes that share a point seem separated on an axis if centres are exact: because
//! frames are not quite orthonormal and products of their axes are rounded. The slack must cover
//! it.
//!
//! Let the single be a point, and let `x` be the shared point relative to the lane's centre, with
//! `|a_k · x| ≤ e_k`. Then the single is at `D_i = −s_i · R x`. An axis compares a linear function
//! of `x`: `g · x`, whose maximum is `Σ e_k |g A⁻¹|_k`, with a radius `Σ e_k r_k`, where `r` is
//! from `Q`. The largest error per length is therefore that of a single `e_k`.

use impinge_models::Random;
use nalgebra::{Matrix3, Vector3};

use super::touching::{frame, narrow, nearly, off, rows, turn};
use crate::kernel::boxes::{SLACK, turned};
use crate::placement::Relative;
use crate::simd::{Simd, Task, Width};
use crate::tree::{LANES, Lane, Node, OFF};

struct Products<'n>(&'n Relative, &'n Node);

impl Task for Products<'_> {
    type Out = [[f32; 3]; 3];

    #[inline(always)]
    fn run<S: Simd>(self) -> [[f32; 3]; 3] {
        let [q, _] = turned::<S>(self.0, self.1, 0);
        let mut out = [[0.0; 3]; 3];
        for i in 0..3 {
            for j in 0..3 {
                let mut lanes = [0.0; LANES];
                S::store(q[i][j], &mut lanes, 0);
                out[i][j] = lanes[0];
            }
        }
        out
    }
}

/// Two frames and the rotation between their models.
#[derive(Clone, Copy, Debug)]
struct Frames {
    rotation: Matrix3<f64>,
    single: [[f32; 3]; 3],
    lane: [[f32; 3]; 3],
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Single,
    Lane,
    Edges,
}

impl Frames {
    fn random(random: &mut Random) -> Self {
        let (s, a) = (turn(random), turn(random));
        Self { rotation: turn(random), single: frame(random, &s), lane: frame(random, &a) }
    }

    fn mutated(&self, random: &mut Random) -> Option<Self> {
        let mut new = *self;
        for _ in 0..=random.below(3) {
            let angle = 0.5f64.powi(3 + random.below(24) as i32) * random.unit();
            match random.below(5) {
                0 => new.rotation = nearly(random, angle) * new.rotation,
                kind => {
                    let of = if kind % 2 == 0 { &mut new.single } else { &mut new.lane };
                    if kind < 3 {
                        let turned = rows(of) * nearly(random, angle);
                        *of = narrow(&turned);
                    } else {
                        let (i, k) = (random.below(3) as usize, random.below(3) as usize);
                        let x = &mut of[i][k];
                        *x = if random.chance(0.5) { x.next_up() } else { x.next_down() };
                    }
                }
            }
        }
        let legal = off(&new.single) <= OFF && off(&new.lane) <= OFF;
        legal.then_some(new)
    }

    /// `Q` as the kernel computes it in plain Rust.
    fn products(&self) -> [[f64; 3]; 3] {
        let r = self.rotation.map(|x| x as f32);
        let row = |[s, t, u]: [f32; 3]| {
            let on = |j: usize| s * r[(0, j)] + (t * r[(1, j)] + u * r[(2, j)]);
            [on(0), on(1), on(2), 0.0]
        };
        let relative = Relative { rows: self.single.map(row), half: [0.0; 3], sum: 0.0 };
        let mut node = Node::empty([0.0; 3]);
        node.lanes = 1;
        node.set(0, &Lane { axes: self.lane, ..Lane::default() });
        Width::Portable.run(Products(&relative, &node)).map(|row| row.map(f64::from))
    }

    /// The largest error of any axis of a kind, relative to the lane's size.
    fn missing(&self, kind: Kind) -> f64 {
        let q = self.products();
        let (s, inverse) = (rows(&self.single), rows(&self.lane).try_inverse());
        let back = self.rotation * inverse.expect("nearly orthonormal");
        // Projections of a direction of the single's model on the lane's axes.
        let along = |way: Vector3<f64>| (back.transpose() * way).abs();
        let axis = |i: usize| s.row(i).transpose();
        let mut most = f64::NEG_INFINITY;
        for i in 0..3 {
            let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
            for j in 0..3 {
                let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
                let (way, mut reach) = match kind {
                    Kind::Single => (axis(i), Vector3::from(q[i]).abs()),
                    Kind::Lane => (
                        axis(0) * q[0][j] + axis(1) * q[1][j] + axis(2) * q[2][j],
                        Vector3::zeros(),
                    ),
                    Kind::Edges => (axis(i2) * q[i1][j] - axis(i1) * q[i2][j], Vector3::zeros()),
                };
                match kind {
                    Kind::Single => {}
                    Kind::Lane => reach[j] = 1.0,
                    Kind::Edges => (reach[j1], reach[j2]) = (q[i][j2].abs(), q[i][j1].abs()),
                }
                most = most.max((along(way) - reach).max());
            }
        }
        most
    }
}

/// Climbs from many places, and repeatedly continues from the better half of them until one is
/// left.
fn tournament(random: &mut Random, kind: Kind) -> f64 {
    let mut pool: Vec<(f64, Frames)> = Vec::new();
    for _ in 0..16 {
        let at = Frames::random(random);
        pool.push((at.missing(kind), at));
    }
    loop {
        let steps = 16_000 / pool.len();
        for (most, at) in &mut pool {
            for _ in 0..steps {
                let Some(next) = at.mutated(random) else { continue };
                let then = next.missing(kind);
                if then >= *most {
                    (*most, *at) = (then, next);
                }
            }
        }
        pool.sort_by(|x, y| y.0.total_cmp(&x.0));
        if pool.len() == 1 {
            return pool[0].0;
        }
        pool.truncate(pool.len() / 2);
    }
}

#[test]
fn a_quarter_of_the_slack_is_too_little() {
    let mut random = Random::new(31);
    let kinds = [(Kind::Single, 1), (Kind::Lane, 1), (Kind::Edges, 5)];
    let most = kinds.map(|(kind, times)| {
        let most = (0..times).map(|_| tournament(&mut random, kind)).fold(0.0, f64::max);
        most / f64::from(SLACK)
    });
    println!(
        "of the slack: axes of the single {:.3}, of the lane {:.3}, edges {:.3}",
        most[0], most[1], most[2]
    );
    assert!(most.iter().all(|used| *used > 0.1 && *used < 1.0), "{most:?}");
    assert!(most[2] > 0.25, "{most:?}");
}
