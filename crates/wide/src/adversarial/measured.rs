//! The gap that a step measures never exceeds the distance of two points, one in each box, and lanes
//! are apart by it exactly where they are without it.

use impinge_models::Random;

use super::touching::{Placed, Touching};
use super::widths;
use crate::kernel::boxes;
use crate::search::front::LOST;
use crate::simd::{Simd, Task, Width};
use crate::tree::LANES;

/// Which lanes may meet, and the same with the least gap of those that are apart.
struct Measure<'n>(&'n Placed, u32);

impl Task for Measure<'_> {
    type Out = (u32, (u32, f32));

    #[inline(always)]
    fn run<S: Simd>(self) -> Self::Out {
        let (one, node) = (self.0.relative::<S>(), &self.0.node);
        let near = &mut [0.0; LANES];
        let meets = boxes::meet::<S, false>(&one, node, near);
        (meets, boxes::measure::<S, false>(&one, node, self.1, near))
    }
}

/// A box of which a point is exactly this far from one of the other, or touches it.
fn case(random: &mut Random) -> Touching {
    let mut touching = Touching::random(random);
    touching.gap = random.range((1e-7f64).ln(), 4f64.ln()).exp();
    touching
}

#[test]
fn gaps_hold() {
    let mut random = Random::new(31);
    let (mut most, mut apart) = (0.0f64, 0u32);
    for index in 0..200_000u32 {
        let touching = case(&mut random);
        let l = (index % 16) as usize;
        let Some(placed) = touching.place(l).filter(|placed| !placed.placement.far) else {
            continue;
        };
        for width in widths() {
            let (meets, (measured, gap)) = width.run(Measure(&placed, 1 << l));
            assert_eq!(meets & 1 << l, measured, "{width}, case {index}");
            assert_eq!(measured != 0, gap == f32::INFINITY, "{width}, case {index}: {gap:e}");
            let none = width.run(Measure(&placed, !(1 << l))).1;
            assert_eq!(none.0 & 1 << l, 0, "{width}, case {index}");
            if measured == 0 {
                let certain = f64::from(gap) * (1.0 - LOST);
                assert!(certain <= touching.gap, "{width}, case {index}: {gap:e}, {touching:?}");
                most = most.max(certain / touching.gap);
                apart += 1;
            }
        }
    }
    println!("nearest to the distance {most:.6}; {apart} apart");
    assert!(most > 0.999 && apart > 100_000, "{most} {apart}");
}

/// Gaps that are not reduced by 2⁻¹⁶, but larger by it, would not.
#[test]
fn larger_gaps_would_not() {
    let mut random = Random::new(31);
    let mut wrong = 0u32;
    for _ in 0..100_000 {
        let touching = case(&mut random);
        let Some(placed) = touching.place(3).filter(|placed| !placed.placement.far) else {
            continue;
        };
        let (_, (measured, gap)) = Width::Portable.run(Measure(&placed, 1 << 3));
        let larger = f64::from(gap) * (1.0 + LOST);
        wrong += u32::from(measured == 0 && larger > touching.gap);
    }
    println!("larger gaps: {wrong} wrong");
    assert!(wrong > 0);
}
