//! The three float tests against the exact test: never wrong, rarely silent.

use impinge_geometry::triangle::{Outcome, interval, permutation, sat17};
use impinge_geometry::{Point, Triangle, exact};

struct SplitMix64(u64);

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// In [−1, 1).
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

fn random(r: &mut SplitMix64) -> Triangle {
    std::array::from_fn(|_| Point::new(r.unit(), r.unit(), r.unit()))
}

#[test]
fn smoke() {
    let mut r = SplitMix64(1);
    for test in [sat17, interval, permutation] {
        let (mut hits, mut open, mut wrong) = (0, 0, 0);
        let n = 100_000;
        for _ in 0..n {
            let (p, q) = (random(&mut r), random(&mut r));
            let truth = exact::triangles_meet(&p, &q);
            hits += u32::from(truth);
            match test(&p, &q) {
                Outcome::Undecided => open += 1,
                o => wrong += u32::from((o == Outcome::Hit) != truth),
            }
        }
        println!("hits {hits} open {open} wrong {wrong}");
        assert_eq!(wrong, 0);
    }
}
