//! "Is the distance at most d" against rational arithmetic in the hardest cases: `d` is the
//! distance itself, or the f64 before or after it.

use dashu_ratio::RBig;
use impinge_geometry::triangle::distance;
use impinge_geometry::{Point, Triangle, exact, triangle};

use crate::support::distance::true_squared;
use crate::support::{Random, big};

/// The least positive f64.
const LEAST: f64 = f64::from_bits(1);

/// The largest f64 whose square is at most `squared`, from a guess by bisection of the bits
/// (positive floats are ordered as their bits).
fn root_below(squared: &RBig, guess: f64) -> f64 {
    let holds = |bits: u64| {
        let x = f64::from_bits(bits);
        x.is_finite() && big(x) * big(x) <= *squared
    };
    let (mut low, mut high, mut step) = (guess.to_bits(), guess.to_bits() + 1, 1u64);
    while !holds(low) {
        (low, high) = (low.saturating_sub(step), low);
        step = step.saturating_mul(8);
    }
    step = 1;
    while holds(high) {
        (low, high) = (high, high.saturating_add(step).min(f64::INFINITY.to_bits()));
        step = step.saturating_mul(8);
    }
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if holds(middle) { low = middle } else { high = middle }
    }
    f64::from_bits(low)
}

/// Counts of questions, of those whose true answer is "yes", and of wrong answers.
#[derive(Debug, Default)]
struct Tally {
    asked: u32,
    yes: u32,
    wrong: u32,
}

impl Tally {
    fn share(&self) -> f64 {
        f64::from(self.yes) / f64::from(self.asked)
    }
}

type Question = fn(&Triangle, &Triangle, f64) -> bool;

/// Asks at the distance, one f64 below and above it, and at half and twice the distance.
fn ask(question: Question, p: &Triangle, q: &Triangle, tally: &mut Tally) {
    let truth = true_squared(p, q);
    let root = root_below(&truth, distance(p, q).0);
    for d in [root.next_down(), root, root.next_up(), root * 0.5, root * 2.0] {
        if !d.is_finite() {
            continue;
        }
        let x = big(d);
        let expected = d >= 0.0 && truth <= &x * &x;
        tally.asked += 1;
        tally.yes += u32::from(expected);
        for (p, q) in [(p, q), (q, p)] {
            if question(p, q, d) != expected {
                tally.wrong += 1;
            }
        }
    }
}

fn lattice(r: &mut Random, n: u64) -> (Triangle, Triangle) {
    let shift = r.lattice_point(2 * n).coords;
    (r.lattice_triangle(n), r.lattice_triangle(n).map(|x| x + shift))
}

/// Scattered pairs, near pairs, near-parallel needles, segments and points.
fn shapes(r: &mut Random) -> (Triangle, Triangle) {
    let (p, q) = (r.triangle(), r.triangle());
    let near = 10f64.powi(-(r.below(14) as i32));
    let needle = |r: &mut Random| [p[0], p[1], p[0] + (p[1] - p[0]) * 0.3 + r.vector() * near];
    match r.below(6) {
        0 => (p, q),
        1 => (p, q.map(|x| x + (p[0] - q[1]) + r.vector() * near)),
        2 => (needle(r), p.map(|x| x + r.vector() * near)),
        3 => (p, [q[0], q[1], q[1]]),
        4 => ([p[0]; 3], [q[0]; 3]),
        _ => (needle(r), [p[1] + r.vector() * near, q[0], q[0]]),
    }
}

/// Corners with independent magnitudes from 1e-300 to 1e300.
fn mixed(r: &mut Random) -> (Triangle, Triangle) {
    let mut corner = || {
        let scale = [1.0, 1e150, 1e-150, 1e-300, 1e300, LEAST][r.below(6) as usize];
        r.lattice_point(3) * scale
    };
    let mut three = || [corner(), corner(), corner()];
    (three(), three())
}

fn scaled((p, q): (Triangle, Triangle), scale: f64) -> (Triangle, Triangle) {
    (p.map(|x| x * scale), q.map(|x| x * scale))
}

fn tally(question: Question, cases: impl Iterator<Item = (Triangle, Triangle)>) -> Tally {
    let mut tally = Tally::default();
    cases.for_each(|(p, q)| ask(question, &p, &q, &mut tally));
    tally
}

fn check(name: &str, cases: impl Iterator<Item = (Triangle, Triangle)>) {
    let tally = tally(exact::within, cases);
    println!("{name}: {tally:?}");
    assert_eq!(tally.wrong, 0, "{name}: {tally:?}");
    assert!((0.3..=0.7).contains(&tally.share()), "{name}: {tally:?}");
}

#[test]
fn within_is_exact_on_lattices_at_every_scale() {
    let mut r = Random(31);
    for k in [0, -500, -1074, -1060, -1022, 500, 900] {
        let scale = 2f64.powi(k / 2) * 2f64.powi(k - k / 2);
        check(&format!("lattice at 2^{k}"), (0..60).map(|_| scaled(lattice(&mut r, 4), scale)));
    }
}

#[test]
fn within_is_exact_on_shapes_near_and_far() {
    let mut r = Random(32);
    check("shapes", (0..300).map(|_| shapes(&mut r)));
    for scale in [1e-150, 1e-290, 1e-317, 1e150, 1e299] {
        check(&format!("shapes at {scale:e}"), (0..60).map(|_| scaled(shapes(&mut r), scale)));
    }
}

#[test]
fn within_is_exact_for_mixed_scales() {
    let mut r = Random(33);
    check("mixed", (0..60).map(|_| mixed(&mut r)));
}

#[test]
fn the_check_notices_a_rounded_distance() {
    let mut r = Random(34);
    let plain: Question = |p, q, d| triangle::distance_apart(p, q).0 <= d;
    let off = tally(plain, (0..200).map(|_| lattice(&mut r, 4)));
    assert!(off.wrong > off.asked / 20, "{off:?}");
}

#[test]
fn what_is_no_length_is_answered_too() {
    let p = [Point::new(0.0, 0.0, 0.0), Point::new(1.0, 0.0, 0.0), Point::new(0.0, 1.0, 0.0)];
    let above = p.map(|x| Point::new(x.x, x.y, LEAST));
    assert!(exact::within(&p, &above, LEAST));
    for d in [0.0, -0.0, -1.0, f64::NEG_INFINITY, f64::NAN] {
        assert!(!exact::within(&p, &above, d), "{d}");
    }
    assert!(exact::within(&p, &above, f64::INFINITY));
    assert!(exact::within(&p, &p, 0.0) && exact::within(&p, &p, -0.0));
    assert!(!exact::within(&p, &p, -LEAST) && !exact::within(&p, &p, f64::NAN));
}
