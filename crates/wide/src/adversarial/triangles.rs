//! The kernel's certain answers agree with the exact test, for determinants near zero.

use impinge_geometry::exact::triangles_meet;
use impinge_geometry::{Point, Triangle, Vector};
use impinge_models::Random;

use super::widths;
use crate::kernel::triangles::{Certain, Four, about, bounds, lanes, meet, reach};
use crate::simd::{Simd, Task, Width};

/// Two fours, and how far corners may move.
struct Meet<'f>(&'f [Four; 2], f32);

impl Task for Meet<'_> {
    type Out = Certain;

    #[inline(always)]
    fn run<S: Simd>(self) -> Certain {
        let [p, q] = self.0;
        meet::<S>(p, q, &reach(p, q, self.1))
    }
}

/// The same, where determinants beyond these numbers have a certain sign.
pub(super) struct Beyond<'f>(pub(super) &'f [Four; 2], pub(super) [f32; 3]);

impl Task for Beyond<'_> {
    type Out = Certain;

    #[inline(always)]
    fn run<S: Simd>(self) -> Certain {
        let [a, b, c] = self.1;
        let bounds = [about::<S>(a), about::<S>(b), about::<S>(c)];
        let mut all = Certain::default();
        let mut at = 0;
        while at < 16 {
            let some = lanes::<S>(&self.0[0], &self.0[1], at, bounds);
            all.hit |= some.hit << at;
            all.miss |= some.miss << at;
            at += S::LANES;
        }
        all
    }
}

/// Four triangles against four.
struct Case {
    p: [Triangle; 4],
    q: [Triangle; 4],
    fours: [Four; 2],
}

const KINDS: u64 = 9;
/// Number of cases of each kind, of sixteen pairs each.
const EACH: u32 = 1_000_000 / 16 / KINDS as u32 + 1;

fn log(random: &mut Random, low: f64, high: f64) -> f64 {
    random.range(low.ln(), high.ln()).exp()
}

/// A few ulps of 1 in 32 bits, or zero.
fn little(random: &mut Random) -> f64 {
    if random.chance(0.2) { 0.0 } else { random.range(-1.0, 1.0) * log(random, 1e-9, 1e-4) }
}

pub(super) fn any(random: &mut Random) -> Triangle {
    [0, 1, 2].map(|_| Point::from(random.in_ball()))
}

/// A point in the plane of `p`: inside, outside, on an edge or at a corner.
fn on_plane(random: &mut Random, p: &Triangle) -> Point {
    let (mut s, mut t) = (random.range(-0.5, 1.0), random.range(-0.5, 1.0));
    match random.below(4) {
        0 => s = 0.0,
        1 => (s, t) = (s, 1.0 - s),
        2 => (s, t) = (s.round(), 0.0),
        _ => t *= 1.0 - s,
    }
    p[0] + (p[1] - p[0]) * s + (p[2] - p[0]) * t
}

/// A triangle that nearly touches `p`.
pub(super) fn against(random: &mut Random, p: &Triangle, kind: u64) -> Triangle {
    let normal = (p[1] - p[0]).cross(&(p[2] - p[0])).try_normalize(1e-12);
    let normal = normal.unwrap_or_else(Vector::x);
    let near = |random: &mut Random| on_plane(random, p) + normal * little(random);
    let mut q = any(random);
    match kind {
        0 | 7 => q[0] = near(random),
        1 => {
            let at = p[0] + (p[1] - p[0]) * random.unit() + random.in_ball() * little(random);
            q[1] = at + (at - q[0]) * random.range(0.2, 2.0);
        }
        2 => q[0] = p[random.below(3) as usize],
        3 => q = [near(random), near(random), near(random)],
        4 => q[2] = q[0] + (q[1] - q[0]) * random.unit() + random.in_ball() * little(random),
        5 => (q[0], q[1]) = (p[1], p[2]),
        6 => q = p.map(|x| x + normal * little(random)),
        _ => {}
    }
    q
}

impl Case {
    fn new(random: &mut Random, kind: u64) -> Self {
        let scale = if random.chance(0.5) { log(random, 1e-9, 8.0) } else { log(random, 0.1, 2.0) };
        let away = random.in_ball() * if kind == 7 { 1000.0 } else { 2.0 };
        let away = if random.chance(0.5) { Vector::zeros() } else { away };
        let mut p = any(random);
        if kind == 4 && random.chance(0.5) {
            p[2] = p[0] + (p[1] - p[0]) * random.unit() + random.in_ball() * little(random);
        }
        let q = [0; 4].map(|_| against(random, &p, kind));
        let p = [0; 4].map(|_| p.map(|x| x + random.in_ball() * little(random)));
        let exact_in_32_bits = random.chance(0.5);
        let scaled = |x: &Point| {
            let y = (x.coords + away) * scale;
            Point::from(if exact_in_32_bits { y.map(|x| f64::from(x as f32)) } else { y })
        };
        let [p, q] = [p, q].map(|four| four.map(|t| t.each_ref().map(scaled)));
        let narrow = |four: &[Triangle; 4]| {
            let x = |k: usize, c: usize| [0, 1, 2, 3].map(|i: usize| four[i][k][c] as f32);
            Four([0, 1, 2].map(|c| [0, 1, 2, 2].map(|k| x(k, c))))
        };
        let fours = [narrow(&p), narrow(&q)];
        Self { p, q, fours }
    }

    /// The pairs for which `certain` is wrong, and the number it leaves undecided.
    fn wrong(&self, certain: Certain) -> u32 {
        let mut wrong = certain.hit & certain.miss;
        for bit in 0..16 {
            let [hit, miss] = [certain.hit, certain.miss].map(|bits| bits >> bit & 1 == 1);
            if (hit || miss) && triangles_meet(&self.p[bit / 4], &self.q[bit % 4]) != hit {
                wrong |= 1 << bit;
            }
        }
        wrong
    }
}

fn left(certain: Certain) -> u32 {
    16 - (certain.hit | certain.miss).count_ones()
}

/// One million pairs.
#[test]
fn certain_agrees_with_exact() {
    let mut random = Random::new(11);
    let mut undecided = [0u32; KINDS as usize];
    let mut decided = [0u32; 2];
    for kind in 0..KINDS {
        for index in 0..EACH {
            let case = Case::new(&mut random, kind);
            let mut known = None;
            for width in widths() {
                let certain = width.run(Meet(&case.fours, 0.0));
                if known != Some(certain) {
                    let wrong = case.wrong(certain);
                    let (p, q) = (&case.p, &case.q);
                    assert_eq!(
                        wrong, 0,
                        "{width}, kind {kind}, {index}: {certain:?}\n{p:?}\n{q:?}"
                    );
                    known = Some(certain);
                }
            }
            let certain = known.unwrap_or_default();
            undecided[kind as usize] += left(certain);
            decided[0] += certain.hit.count_ones();
            decided[1] += certain.miss.count_ones();
        }
    }
    let share = undecided.map(|n| f64::from(n) / f64::from(16 * EACH));
    println!("undecided by kind: {share:.3?}; certain hits, misses: {decided:?}");
    assert!(decided.iter().all(|n| *n > 50_000), "{decided:?}");
}

/// Certain answers hold after every coordinate has moved by up to the room, and not without it.
#[test]
fn certain_agrees_after_corners_have_moved() {
    let mut random = Random::new(12);
    let (mut decided, mut wrong) = ([0u32; 2], 0);
    for index in 0..30_000 {
        let mut case = Case::new(&mut random, index % KINDS);
        let reach = reach(&case.fours[0], &case.fours[1], 0.0);
        let room = f64::from(reach.largest) * log(&mut random, 1e-7, 1e-2);
        for x in case.p.iter_mut().chain(&mut case.q).flatten().flat_map(|p| p.iter_mut()) {
            *x += if random.chance(0.5) { room } else { -room };
        }
        for width in widths() {
            let certain = width.run(Meet(&case.fours, room as f32 * 1.000_001));
            assert_eq!(case.wrong(certain), 0, "{width}, {index}, {room}: {certain:?}");
            decided[0] += certain.hit.count_ones();
            decided[1] += certain.miss.count_ones();
        }
        wrong += case.wrong(Width::Portable.run(Meet(&case.fours, 0.0))).count_ones();
    }
    println!("certain hits, misses: {decided:?}; without room {wrong} are wrong");
    assert!(decided.iter().all(|n| *n > 10_000) && wrong > 1000, "{decided:?} {wrong}");
}

/// Without the bound, many are wrong: the cases are near enough to zero.
#[test]
fn without_the_bound_it_does_not() {
    let mut random = Random::new(11);
    let mut wrong = 0;
    for index in 0..5000 {
        let case = Case::new(&mut random, index % KINDS);
        wrong += case.wrong(Width::Portable.run(Beyond(&case.fours, [0.0; 3]))).count_ones();
    }
    println!("without a bound: {wrong} of 80,000 wrong");
    assert!(wrong > 0);
}

/// Edges, and the difference of a corner of each, in the kernel's order.
fn columns<const N: usize>(of: [[f64; 3]; N], round: impl Fn(f64) -> f64) -> [[f64; 3]; N] {
    of.map(|v| v.map(&round))
}

fn minus(a: &[f64; 3], b: &[f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// `(a × b) · c`, every operation rounded by `round`.
fn volume([a, b, c]: [[f64; 3]; 3], round: impl Fn(f64) -> f64) -> f64 {
    let r = &round;
    let minor = |i: usize, j: usize| r(r(a[i] * b[j]) - r(a[j] * b[i]));
    let n = [minor(1, 2), minor(2, 0), minor(0, 1)];
    r(r(n[0] * c[0]) + r(r(n[1] * c[1]) + r(n[2] * c[2])))
}

/// The error of determinants as a share of the bound. Computing products of 32-bit numbers in 64
/// bits first changes nothing, because they are exact there.
#[test]
fn determinants_are_off_by_less_than_the_bound() {
    let mut random = Random::new(12);
    let mut most = [0.0f64; 2];
    let round = |x: f64| f64::from(x as f32);
    for index in 0..60_000 {
        let case = Case::new(&mut random, index % KINDS);
        let bounds = bounds(&reach(&case.fours[0], &case.fours[1], 0.0)).map(f64::from);
        let of = |t: &Triangle| t.each_ref().map(|x| [x.x, x.y, x.z]);
        let (p, q) = (of(&case.p[0]), of(&case.q[0]));
        let (p32, q32) = (columns(p, round), columns(q, round));
        let off = |a: [usize; 2], b: [usize; 2], c: [usize; 2], plane: bool| {
            let of = |p: &[[f64; 3]; 3], q: &[[f64; 3]; 3]| {
                let second = if plane { p } else { q };
                let (x, y) = (&second[b[0]], &second[b[1]]);
                [minus(&p[a[0]], &p[a[1]]), minus(x, y), minus(&q[c[0]], &p[c[1]])]
            };
            let rounded = columns(of(&p32, &q32), round);
            (volume(rounded, round) - volume(of(&p, &q), |x| x)).abs()
                / bounds[if plane { 0 } else { 2 }]
        };
        for i in 0..3 {
            most[0] = most[0].max(off([1, 0], [2, 1], [i, 0], true));
            for j in 0..3 {
                most[1] = most[1].max(off([(i + 1) % 3, i], [(j + 1) % 3, j], [j, i], false));
            }
        }
    }
    println!("planes and edges are off by at most {most:.3?} of the bound");
    assert!(most.iter().all(|used| *used > 0.01 && *used < 1.0), "{most:?}");
}

/// If all fifteen determinants of a pair exceed the bound clearly, the pair is decided; and so is a
/// pair in which one triangle is that clearly on one side of the other's plane.
#[test]
fn what_is_clear_is_decided() {
    let mut random = Random::new(14);
    let (mut clear, mut hits) = (0u32, 0u32);
    for index in 0..3_000u32 {
        let size = log(&mut random, 1e-6, 10.0);
        let near = random.range(0.1, 1.2);
        let triangle = |random: &mut Random| {
            let at = random.in_ball() * near;
            [0, 1, 2]
                .map(|_| Point::from(((at + random.in_ball()) * size).map(|x| f64::from(x as f32))))
        };
        let [p, q] = [0; 2].map(|_| [0; 4].map(|_| triangle(&mut random)));
        let narrow = |four: &[Triangle; 4]| {
            let x = |k: usize, c: usize| [0, 1, 2, 3].map(|i: usize| four[i][k][c] as f32);
            Four([0, 1, 2].map(|c| [0, 1, 2, 2].map(|k| x(k, c))))
        };
        let fours = [narrow(&p), narrow(&q)];
        let least = 2.5 * f64::from(bounds(&reach(&fours[0], &fours[1], 0.0))[2]);
        let mut must = 0u32;
        for bit in 0..16 {
            let [p, q] = [&p[bit / 4], &q[bit % 4]].map(|t| t.each_ref().map(|x| [x.x, x.y, x.z]));
            let plane = |p: &[[f64; 3]; 3], q: &[[f64; 3]; 3]| {
                [0, 1, 2].map(|k| {
                    let edges = [minus(&p[1], &p[0]), minus(&p[2], &p[1]), minus(&q[k], &p[0])];
                    volume(edges, |x| x)
                })
            };
            let sides = [plane(&p, &q), plane(&q, &p)];
            let turns = (0..9).map(|k| {
                let (i, j) = (k / 3, k % 3);
                let (to_p, to_q) = (&p[(i + 1) % 3], &q[(j + 1) % 3]);
                let edges = [minus(to_p, &p[i]), minus(to_q, &q[j]), minus(&q[j], &p[i])];
                volume(edges, |x| x)
            });
            let beyond = |x: f64| x.abs() > least;
            let one_side = |s: &[f64; 3]| s.iter().all(|x| beyond(*x) && x * s[0] > 0.0);
            let all = sides.as_flattened().iter().copied().chain(turns).all(beyond);
            must |= u32::from(all || sides.iter().any(one_side)) << bit;
        }
        clear += must.count_ones();
        let case = Case { p, q, fours };
        for width in widths() {
            let certain = width.run(Meet(&case.fours, 0.0));
            assert_eq!(case.wrong(certain), 0, "{width}, case {index}");
            let decided = certain.hit | certain.miss;
            assert_eq!(must & !decided, 0, "{width}, case {index}: {certain:?}, {must:#x}");
            hits += (must & certain.hit).count_ones();
        }
    }
    println!("{clear} of {} clear, {hits} of them hits on all widths", 3_000 * 16);
    assert!(clear > 40_000 && hits > 5_000 * widths().count() as u32, "{clear}, {hits}");
}

/// The largest coordinate, the longest edge and the bound, by plain comparison.
#[test]
fn reach_is_that_of_all_corners_and_edges() {
    let mut random = Random::new(15);
    for _ in 0..500 {
        let fours = [0; 2].map(|_| {
            let mut four = Four::default();
            for x in four.0.as_flattened_mut().as_flattened_mut() {
                *x = (random.range(-1.0, 1.0) * log(&mut random, 1e-2, 1e2)) as f32;
            }
            four
        });
        let (mut largest, mut longest) = (0.0f32, [0.0f32; 2]);
        for (four, longest) in fours.iter().zip(&mut longest) {
            for (k, c, i) in (0..36).map(|n| (n / 12, n / 4 % 3, n % 4)) {
                let (x, next) = (four.at(k, c)[i], four.at((k + 1) % 3, c)[i]);
                largest = largest.max(x.abs());
                *longest = longest.max((next - x).abs());
            }
        }
        let found = reach(&fours[0], &fours[1], 0.0);
        let back = reach(&fours[1], &fours[0], 0.0);
        assert_eq!(found.longest, [back.longest[1], back.longest[0]]);
        let (g, unit) = (f64::from(largest), 0.5f64.powi(24));
        assert!(found.largest == largest, "{found:?}: {g}");
        let bounds = bounds(&found);
        for (longest, (found, bound)) in
            longest.into_iter().zip(found.longest.into_iter().zip(bounds))
        {
            let e = f64::from(longest);
            let off = f64::from(found) - (e + 1.01 * unit * g);
            assert!(off.abs() <= 2.0 * unit * e, "{found}: {g} {e}");
            let proved = unit * (33.0 * e * g * g + 70.0 * e * e * g);
            assert!((f64::from(bound) / proved - 1.0).abs() < 1e-5, "{bound:e}, {proved:e}");
        }
        assert_eq!(bounds[2], bounds[0].max(bounds[1]));
    }
}
