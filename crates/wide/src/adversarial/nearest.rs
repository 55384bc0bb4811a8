//! Bounds on the distances of triangles never exceed them, however corners were rounded.

use impinge_geometry::{Point, Triangle, triangle};
use impinge_models::Random;

use super::widths;
use crate::kernel::triangles::{Four, reach, spread};
use crate::kernel::{directions, heights};
use crate::simd::{Simd, Task, Width};
use crate::tree::LANES;

const UNIT: f64 = 1.0 / (1u64 << 24) as f64;

struct Along<'f>(&'f [Four; 2]);

impl Task for Along<'_> {
    type Out = [f32; LANES];

    #[inline(always)]
    fn run<S: Simd>(self) -> [f32; LANES] {
        let mut squares = [0.0; LANES];
        let [p, q] = self.0;
        directions::bounds::<S>(p, q, &reach(p, q, 0.0), &mut squares);
        squares
    }
}

/// The same, with corners taken as exact and sums as unrounded.
struct Rash<'f>(&'f [Four; 2]);

impl Task for Rash<'_> {
    type Out = [f32; LANES];

    #[inline(always)]
    fn run<S: Simd>(self) -> [f32; LANES] {
        let mut squares = [0.0; LANES];
        let mut at = 0;
        while at < LANES {
            let [p, q] = spread::<S>(&self.0[0], &self.0[1], at);
            let way = directions::between::<S>(&p, &q);
            S::store(directions::along::<S>(way, &p, &q, 0.0), &mut squares, at);
            at += S::LANES;
        }
        squares
    }
}

struct Beyond<'f>(&'f [Four; 2], f32);

impl Task for Beyond<'_> {
    type Out = u32;

    #[inline(always)]
    fn run<S: Simd>(self) -> u32 {
        let [p, q] = self.0;
        heights::beyond::<S>(p, q, &reach(p, q, 0.0), self.1)
    }
}

fn log(random: &mut Random, low: f64, high: f64) -> f64 {
    random.range(low.ln(), high.ln()).exp()
}

/// Four triangles on each side of a gap, as stored.
fn case(random: &mut Random) -> [Four; 2] {
    let (size, gap) = (log(random, 1e-4, 1.0), log(random, 1e-8, 10.0));
    let far = if random.chance(0.5) { 0.0 } else { log(random, 1e-2, 4.0) };
    let (up, shift) = (random.unit_vector(), random.in_ball() * far);
    let thin = if random.chance(0.3) { 1e-3 } else { 1.0 };
    [-0.5, 0.5].map(|side| {
        let mut four = Four::default();
        for i in 0..4 {
            for k in 0..3 {
                let x = random.in_ball() * size;
                let height = x.dot(&up);
                let more = if random.chance(0.4) { 0.0 } else { thin * height.abs() };
                let x = x + up * (side * (2.0 * more + gap) - height) + shift;
                for c in 0..3 {
                    four.0[c][k][i] = x[c] as f32;
                }
            }
        }
        four
    })
}

/// A triangle before rounding, in the worst case: corners moved along `way` by the largest
/// rounding.
fn truth(four: &Four, i: usize, way: [f64; 3]) -> Triangle {
    [0, 1, 2].map(|k| {
        Point::from([0, 1, 2].map(|c| {
            let x = f64::from(four.0[c][k][i]);
            let step = if way[c] == 0.0 { 0.0 } else { way[c].signum() };
            x + x.abs() * UNIT * step
        }))
    })
}

/// The least distance of a pair that rounding allows.
fn distance(fours: &[Four; 2], bit: usize) -> f64 {
    let of = |way: [f64; 3], back: [f64; 3]| {
        let (p, q) = (truth(&fours[0], bit / 4, way), truth(&fours[1], bit % 4, back));
        triangle::distance(&p, &q)
    };
    let (stored, p, q) = of([0.0; 3], [0.0; 3]);
    let way: [f64; 3] = (q - p).into();
    stored.min(of(way, way.map(|x| -x)).0)
}

#[test]
fn bounds_hold() {
    let mut random = Random::new(11);
    let (mut most, mut kept) = (0.0f64, 0u32);
    for index in 0..20_000u32 {
        let fours = case(&mut random);
        let distances: [f64; 16] = std::array::from_fn(|bit| distance(&fours, bit));
        for width in widths() {
            let squares = width.run(Along(&fours));
            for (bit, d) in distances.into_iter().enumerate() {
                let bound = f64::from(squares[bit]).sqrt();
                let right = bound <= d * (1.0 + 1e-12);
                assert!(right, "{width}, case {index}, {bit}: {bound:e} {d:e}");
                most = most.max(bound / d);
            }
            let bit = (index % 16) as usize;
            let limit = (distances[bit].powi(2) * (1.0 + 1e-6)) as f32;
            let beyond = width.run(Beyond(&fours, limit));
            assert_eq!(beyond >> bit & 1, 0, "{width}, case {index}, {bit}: {limit:e}");
            kept += width.run(Beyond(&fours, limit * 0.99)) >> bit & 1;
        }
    }
    println!("nearest to the distance: {most:.6}; {kept} beyond 0.995 of it by their planes");
    assert!(most > 0.9999 && kept > 1000, "{most}, {kept}");
}

/// Without the bound on rounding some would be wrong.
#[test]
fn rash_bounds_would_not() {
    let mut random = Random::new(11);
    let mut wrong = 0;
    for _ in 0..4_000 {
        let fours = case(&mut random);
        let squares = Width::Portable.run(Rash(&fours));
        let too_large = |bit: &usize| f64::from(squares[*bit]).sqrt() > distance(&fours, *bit);
        wrong += (0..16).filter(too_large).count();
    }
    println!("{wrong} of 64,000 wrong");
    assert!(wrong > 100, "{wrong}");
}

/// The corners as stored.
fn stored(four: &Four, i: usize) -> Triangle {
    truth(four, i, [0.0; 3])
}

/// The least distance of two edges, each as a triangle without area.
fn of_edges(p: &Triangle, q: &Triangle) -> f64 {
    let edge = |t: &Triangle, k: usize| [t[k], t[(k + 1) % 3], t[(k + 1) % 3]];
    let pairs = (0..9).map(|k| triangle::distance(&edge(p, k / 3), &edge(q, k % 3)).0);
    pairs.fold(f64::INFINITY, f64::min)
}

/// For pairs whose nearest points are on edges, which is most, the bound is within a hundredth of
/// the distance.
#[test]
fn bounds_are_distances_where_edges_are_nearest() {
    let mut random = Random::new(12);
    let mut judged = 0u32;
    for index in 0..2_500u32 {
        let fours = case(&mut random);
        let wanted: Vec<(usize, f64)> = (0..16)
            .filter_map(|bit| {
                let (p, q) = (stored(&fours[0], bit / 4), stored(&fours[1], bit % 4));
                let d = triangle::distance(&p, &q).0;
                let largest = p.iter().chain(&q).map(|x| x.coords.amax()).fold(0.0, f64::max);
                let long = |t: &Triangle| (t[1] - t[0]).norm().max((t[2] - t[0]).norm());
                // Less is lost in rounding coordinates, and in the direction of the vector between
                // edges.
                let clear = d > 2e4 * UNIT * largest && d > 0.02 * long(&p).max(long(&q));
                (clear && of_edges(&p, &q) <= d * (1.0 + 1e-9)).then_some((bit, d))
            })
            .collect();
        judged += wanted.len() as u32;
        for width in widths() {
            let squares = width.run(Along(&fours));
            for (bit, d) in &wanted {
                let bound = f64::from(squares[*bit]).sqrt();
                assert!(bound >= 0.99 * d, "{width}, case {index}, {bit}: {bound:e} for {d:e}");
            }
        }
    }
    println!("{judged} of {} judged", 2_500 * 16);
    assert!(judged > 5_000, "{judged}");
}

/// The distance of `q` from the plane of `p` if all of it is on one side; else zero.
fn height(p: &Triangle, q: &Triangle) -> f64 {
    let normal = (p[1] - p[0]).cross(&(p[2] - p[0])).normalize();
    let along = q.map(|x| normal.dot(&(x - p[0])));
    let least = |sign: f64| along.iter().map(|x| sign * x).fold(f64::INFINITY, f64::min);
    least(1.0).max(least(-1.0)).max(0.0)
}

/// A pair is dismissed by planes if and only if its height over one of them exceeds the limit, up
/// to rounding.
#[test]
fn heights_over_planes_are_held_against_the_limit() {
    let mut random = Random::new(13);
    let mut judged = [0u32; 2];
    for index in 0..4_000u32 {
        let away = random.unit_vector() * random.range(0.5, 3.0);
        let fours = [0.0, 1.0].map(|part| {
            let mut four = Four::default();
            for i in 0..4 {
                let at = away * part + random.in_ball() * 0.3;
                for k in 0..3 {
                    let x = at + random.in_ball() * 0.5;
                    for c in 0..3 {
                        four.0[c][k][i] = x[c] as f32;
                    }
                }
            }
            four
        });
        let heights: [f64; 16] = std::array::from_fn(|bit| {
            let (p, q) = (stored(&fours[0], bit / 4), stored(&fours[1], bit % 4));
            height(&p, &q).max(height(&q, &p))
        });
        let limit = heights[(index % 16) as usize] * random.range(0.9, 1.1);
        for width in widths() {
            let beyond = width.run(Beyond(&fours, (limit * limit) as f32));
            for (bit, h) in heights.into_iter().enumerate() {
                // A sliver's normal is less accurate than its height requires.
                let sure = (h - limit).abs() > 0.02 * limit && limit > 0.05;
                let said = beyond >> bit & 1 == 1;
                assert!(!said || h > limit, "{width}, case {index}, {bit}: {h} not over {limit}");
                let area = |t: Triangle| (t[1] - t[0]).cross(&(t[2] - t[0])).norm();
                let (p, q) = (stored(&fours[0], bit / 4), stored(&fours[1], bit % 4));
                if sure && area(p).min(area(q)) > 0.03 {
                    judged[usize::from(said)] += 1;
                    assert_eq!(said, h > limit, "{width}, case {index}, {bit}: {h}, {limit}");
                }
            }
        }
    }
    println!("near and beyond: {judged:?}");
    assert!(judged.iter().all(|n| *n > 5_000), "{judged:?}");
}
