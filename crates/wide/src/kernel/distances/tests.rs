use impinge_geometry::{Point, Vector, triangle};
use impinge_models::Random;

use super::*;
use crate::simd::{Simd, Task, Width};

struct Squares<'p>(&'p Pairs);

impl Task for Squares<'_> {
    type Out = [f64; PAIRS];
    #[inline(always)]
    fn run<S: Simd>(self) -> [f64; PAIRS] {
        self.0.squares::<S::Doubles>()
    }
}

/// Triangles of every kind: of any corners, on a lattice, needles, segments and points, with common
/// corners, in one plane, in parallel planes, through each other, large and small.
fn pair(r: &mut Random, k: usize) -> [Triangle; 2] {
    let scale = [1.0, 1e-9, 1e28, 1e-29][k / 7 % 4];
    let lattice = k % 2 == 0;
    let mut point = || {
        let mut number = || if lattice { r.below(4) as f64 } else { r.range(-1.0, 1.0) };
        Point::new(number(), number(), number())
    };
    let (mut p, mut q) = ([point(), point(), point()], [point(), point(), point()]);
    match k % 9 {
        0 => p[2] = p[1],
        1 => q = [q[0]; 3],
        2 => q[1] = p[1],
        3 => p.iter_mut().chain(&mut q).for_each(|x| x.z = 0.0),
        4 => p.iter_mut().for_each(|x| x.z = 3.0),
        5 => q[2] = q[0] + (q[1] - q[0]) * 0.5 + Vector::new(0.0, 0.0, 1e-12),
        6 => (q[0], q[1]) = (p[0], p[1]),
        _ => {}
    }
    if k % 9 == 4 {
        q.iter_mut().for_each(|x| x.z = 4.0);
    }
    [p, q].map(|t| t.map(|x| x * scale))
}

/// The bits of single pairs, in every set; any number of pairs.
#[test]
fn squares_have_the_bits_of_single_pairs() {
    let mut r = Random::new(0xd157);
    let (mut zeros, mut of_sets) = (0, 0);
    for round in 0..20_000 {
        let (mut pairs, mut truth) = (Pairs::default(), Vec::new());
        for k in 0..1 + round % PAIRS {
            let [p, q] = pair(&mut r, round * 11 + k);
            if pairs.add(&p, &q) {
                truth.push(triangle::distance(&p, &q).0);
            }
        }
        assert_eq!(pairs.number, truth.len());
        for width in Width::ALL.into_iter().filter(|width| width.is_present()) {
            let found = width.run(Squares(&pairs));
            for (square, truth) in found.iter().zip(&truth) {
                assert_eq!(square.sqrt().to_bits(), truth.to_bits(), "{width:?} {round} {pairs:?}");
                zeros += u32::from(*truth == 0.0);
                of_sets += 1;
            }
        }
    }
    assert!(zeros > 10_000 && of_sets > 100_000, "{zeros} of {of_sets}");
}

/// A ninth is not taken, nor one whose numbers would be scaled.
#[test]
fn what_cannot_be_in_lanes_is_refused() {
    let at = |size: f64| [[0.0; 3], [size, 0.0, 0.0], [0.0, size, 0.0]].map(Point::from);
    let mut pairs = Pairs::default();
    for (size, is_taken) in
        [(0.9e-30, false), (1e-30, true), (1e30, true), (1.1e30, false), (0.0, false)]
    {
        assert_eq!(pairs.add(&at(size), &at(size)), is_taken, "{size:e}");
    }
    for _ in 2..PAIRS {
        assert!(pairs.add(&at(1.0), &at(2.0)));
    }
    assert!(!pairs.add(&at(1.0), &at(2.0)) && pairs.number == PAIRS);
}
