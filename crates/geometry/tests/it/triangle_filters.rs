//! The floating-point filters of triangles and segments against the exact tests: never wrong,
//! rarely undecided.

use impinge_geometry::segment::{segment_meets_triangle, segment_triangle};
use impinge_geometry::triangle::{Outcome, interval, meet_with, permutation, sat17};
use impinge_geometry::{Point, Triangle, exact};

use crate::support::Random;

type Test = fn(&Triangle, &Triangle) -> Outcome;
const TESTS: [(&str, Test); 3] =
    [("sat17", sat17), ("interval", interval), ("permutation", permutation)];

#[derive(Debug, Default)]
struct Tally {
    pairs: u32,
    hits: u32,
    wrong: u32,
    undecided: u32,
}

impl Tally {
    fn count(&mut self, outcome: Outcome, truth: bool) {
        self.pairs += 1;
        self.hits += u32::from(truth);
        match outcome {
            Outcome::Undecided => self.undecided += 1,
            said => self.wrong += u32::from((said == Outcome::Hit) != truth),
        }
    }

    fn share(&self, n: u32) -> f64 {
        f64::from(n) / f64::from(self.pairs)
    }

    /// Hits and misses must both be frequent, or the comparison proves little.
    fn assert_mixed(&self) {
        let hits = self.share(self.hits);
        assert!((0.3..=0.7).contains(&hits), "{self:?}");
    }
}

fn tally(test: impl Fn(&Triangle, &Triangle) -> Outcome, pairs: &[(Triangle, Triangle)]) -> Tally {
    let mut tally = Tally::default();
    for (p, q) in pairs {
        tally.count(test(p, q), exact::triangles_meet(p, q));
    }
    tally
}

/// Triangles near one another; about half of the pairs meet.
fn random_pairs(seed: u64, n: usize) -> Vec<(Triangle, Triangle)> {
    let mut r = Random(seed);
    let middle = |t: &Triangle| (t[0].coords + t[1].coords + t[2].coords) / 3.0;
    let mut pair = || {
        let (p, q) = (r.triangle(), r.triangle());
        let shift = middle(&p) - middle(&q) + r.vector() * 0.6;
        (p, q.map(|x| x + shift))
    };
    (0..n).map(|_| pair()).collect()
}

/// Small integer coordinates: touching, coplanar and degenerate triangles are common.
fn lattice_pairs(seed: u64, n: usize) -> Vec<(Triangle, Triangle)> {
    let mut r = Random(seed);
    (0..n).map(|_| (r.lattice_triangle(2), r.lattice_triangle(2))).collect()
}

/// Pairs whose verdict hangs on one or two units in the last place: a corner is placed on the other
/// triangle in rounded arithmetic.
fn touching_pairs(seed: u64, n: usize) -> Vec<(Triangle, Triangle)> {
    let mut r = Random(seed);
    let mut pairs = Vec::new();
    for _ in 0..n {
        let p = r.triangle();
        let (s, t) = (r.unit().abs(), r.unit().abs());
        let (s, t) = if s + t > 1.0 { (1.0 - s, 1.0 - t) } else { (s, t) };
        let foot = p[0] + (p[1] - p[0]) * s + (p[2] - p[0]) * t;
        let n = (p[1] - p[0]).cross(&(p[2] - p[0]));
        let up = |v: impinge_geometry::Vector| foot + v + n * 2.0;
        pairs.push((p, [foot, up(r.vector() * 0.3), up(r.vector() * 0.3)]));
    }
    pairs
}

#[test]
fn certain_answers_are_right_on_random_pairs() {
    let pairs = random_pairs(11, 120_000);
    for (name, test) in TESTS {
        let tally = tally(test, &pairs);
        println!("{name}: random {tally:?}");
        assert_eq!(tally.wrong, 0, "{name}");
        assert!(tally.share(tally.undecided) < 1e-4, "{name} {tally:?}");
        tally.assert_mixed();
    }
}

#[test]
fn certain_answers_are_right_on_lattice_pairs() {
    let pairs = lattice_pairs(12, 120_000);
    for (name, test) in TESTS {
        let tally = tally(test, &pairs);
        println!("{name}: lattice {tally:?}");
        assert_eq!(tally.wrong, 0, "{name}");
        tally.assert_mixed();
        assert!(tally.share(tally.undecided) < 0.6, "{name} {tally:?}");
    }
}

#[test]
fn certain_answers_are_right_where_rounding_decides() {
    let pairs = touching_pairs(13, 100_000);
    for (name, test) in TESTS {
        let tally = tally(test, &pairs);
        println!("{name}: touching {tally:?}");
        assert_eq!(tally.wrong, 0, "{name}");
        tally.assert_mixed();
    }
}

/// The test without error bounds: signs as computed, through the permutation of corners.
fn without_bounds(p: &Triangle, q: &Triangle) -> Outcome {
    let n = (p[1] - p[0]).cross(&(p[2] - p[0]));
    let s = q.map(|x| n.dot(&(x - p[0])));
    let m = (q[1] - q[0]).cross(&(q[2] - q[0]));
    let t = p.map(|x| m.dot(&(x - q[0])));
    let aside = |s: [f64; 3]| s.iter().all(|x| *x > 0.0) || s.iter().all(|x| *x < 0.0);
    if aside(s) || aside(t) { Outcome::Miss } else { Outcome::Hit }
}

#[test]
fn the_comparison_notices_a_test_without_bounds() {
    let touching = tally(without_bounds, &touching_pairs(13, 20_000));
    assert!(touching.wrong > 1000, "{touching:?}");
    let lattice = tally(without_bounds, &lattice_pairs(12, 20_000));
    assert!(lattice.wrong > 100, "{lattice:?}");
}

#[test]
fn the_comparison_notices_turned_answers() {
    let turned = |p: &Triangle, q: &Triangle| match sat17(p, q) {
        Outcome::Hit => Outcome::Miss,
        Outcome::Miss => Outcome::Hit,
        Outcome::Undecided => Outcome::Undecided,
    };
    let tally = tally(turned, &random_pairs(11, 1000));
    assert!(tally.wrong > 900, "{tally:?}");
}

#[test]
fn all_scales_give_the_exact_verdict() {
    for k in [-1060, -600, -500, -220, -150, 0, 150, 190, 220, 500, 900, 990] {
        let s = 2f64.powi(k / 2) * 2f64.powi(k - k / 2);
        for (p, q) in random_pairs(14, 500).iter().chain(&lattice_pairs(15, 500)) {
            let (p, q) = (p.map(|x| x * s), q.map(|x| x * s));
            let truth = exact::triangles_meet(&p, &q);
            for (name, test) in TESTS {
                assert_eq!(meet_with(test, &p, &q), truth, "{name} 2^{k} {p:?} {q:?}");
            }
        }
    }
}

#[test]
fn huge_beside_tiny_and_far_from_the_origin() {
    let mut r = Random(16);
    let mut decided = 0;
    for _ in 0..2000 {
        let (p, q) = (r.triangle(), r.triangle().map(|x| x * 1e-12));
        let far = r.vector() * 1e6;
        let (p, q) = (p.map(|x| x + far), q.map(|x| x + far));
        let truth = exact::triangles_meet(&p, &q);
        for (name, test) in TESTS {
            assert_eq!(meet_with(test, &p, &q), truth, "{name} {p:?} {q:?}");
            decided += u32::from(test(&p, &q) != Outcome::Undecided);
        }
    }
    assert!(decided > 1000, "{decided}");
}

#[test]
fn segments_agree_with_the_exact_test() {
    let mut random = Tally::default();
    let mut lattice = Tally::default();
    let mut r = Random(17);
    for _ in 0..60_000 {
        let t = r.triangle();
        let middle = Point::from((t[0].coords + t[1].coords + t[2].coords) / 3.0);
        let (u, v) = (r.point(), middle + r.vector() * 0.3);
        let beyond = u + (v - u) * 2.0;
        let truth = exact::segment_meets_triangle(&u, &beyond, &t);
        random.count(segment_triangle(&u, &beyond, &t), truth);
        assert_eq!(segment_meets_triangle(&u, &beyond, &t), truth);
        let (t, u, v) = (r.lattice_triangle(2), r.lattice_point(2), r.lattice_point(2));
        lattice.count(segment_triangle(&u, &v, &t), exact::segment_meets_triangle(&u, &v, &t));
    }
    println!("segments: random {random:?} lattice {lattice:?}");
    assert_eq!((random.wrong, lattice.wrong), (0, 0));
    random.assert_mixed();
    assert!(random.share(random.undecided) < 1e-4);
    assert!((0.02..0.7).contains(&lattice.share(lattice.hits)), "{lattice:?}");
}
