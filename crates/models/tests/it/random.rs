//! The random streams are uniform; unit tests check their bits.

use impinge_geometry::Vector;
use impinge_models::Random;

const N: usize = 100_000;
/// Means of N values of variance at most 1 stay within five standard deviations.
const TOLERANCE: f64 = 0.016;

#[test]
fn units_fill_the_interval_evenly() {
    let mut random = Random::new(1);
    let mut counts = [0_usize; 10];
    for _ in 0..N {
        let x = random.unit();
        assert!((0.0..1.0).contains(&x));
        counts[(x * 10.0) as usize] += 1;
    }
    assert!(counts.iter().all(|c| c.abs_diff(N / 10) < 500), "{counts:?}");
}

#[test]
fn below_is_even_and_in_range() {
    let mut random = Random::new(2);
    let mut counts = [0_usize; 7];
    for _ in 0..N {
        counts[random.below(7) as usize] += 1;
    }
    assert!(counts.iter().all(|c| c.abs_diff(N / 7) < 600), "{counts:?}");
    assert_eq!((random.below(0), random.below(1)), (0, 0));
    // Two thirds of 2^64: the remainder modulo n would hit the lower half twice as often.
    let n = u64::MAX / 3 * 2;
    let low = (0..N).filter(|_| random.below(n) < n / 2).count();
    assert!(low.abs_diff(N / 2) < 800, "{low}");
    assert!(!random.chance(0.0) && random.chance(1.0));
}

#[test]
fn directions_are_of_length_one_and_balanced() {
    let mut random = Random::new(3);
    let (mut mean, mut squares) = (Vector::zeros(), Vector::zeros());
    for _ in 0..N {
        let v = random.unit_vector();
        assert!((v.norm() - 1.0).abs() < 1e-15 * 4.0);
        mean += v / N as f64;
        squares += v.component_mul(&v) / N as f64;
        assert!(random.in_ball().norm() <= 1.0);
    }
    assert!(mean.amax() < TOLERANCE, "{mean}");
    assert!((squares - Vector::repeat(1.0 / 3.0)).amax() < TOLERANCE, "{squares}");
}

#[test]
fn rotations_are_uniform() {
    let mut random = Random::new(4);
    let (mut images, mut trace) = ([Vector::zeros(); 3], 0.0);
    for _ in 0..N {
        let q = random.quaternion();
        assert!((q.iter().map(|c| c * c).sum::<f64>() - 1.0).abs() < 1e-14);
        let pose = random.pose(2.0);
        assert!(pose.translation().amax() <= 2.0);
        for (k, image) in images.iter_mut().enumerate() {
            *image += pose.rotation().column(k) / N as f64;
        }
        trace += pose.rotation().trace() / N as f64;
    }
    // Every axis is mapped to all directions alike, and a uniform rotation has mean trace 0.
    assert!(images.iter().all(|image| image.amax() < TOLERANCE));
    assert!(trace.abs() < TOLERANCE, "{trace}");
}

#[test]
fn shuffles_reach_every_order() {
    let mut random = Random::new(5);
    let mut counts = std::collections::BTreeMap::new();
    for _ in 0..24_000 {
        let mut items = [0, 1, 2, 3];
        random.shuffle(&mut items);
        *counts.entry(items).or_insert(0_usize) += 1;
    }
    assert_eq!(counts.len(), 24);
    assert!(counts.values().all(|c| c.abs_diff(1000) < 160), "{counts:?}");
}

#[test]
fn streams_and_seeds_differ() {
    let first = |mut random: Random| random.bits();
    let mut seen: Vec<u64> = (0..100)
        .flat_map(|a| (0..100).map(move |b| first(Random::stream(a, b))))
        .chain((0..1000).map(|seed| first(Random::new(seed))))
        .collect();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), 11_000);
    assert_eq!(Random::new(9).clone(), Random::new(9));
}
