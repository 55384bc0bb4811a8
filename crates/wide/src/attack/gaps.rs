//! A lower bound on a distance never exceeds the distance of two points, one of each box.

use impinge_models::Random;

use super::touching::{Placed, Touching};
use super::widths;
use crate::kernel::gaps;
use crate::node::LANES;
use crate::simd::{Simd, Task, Width};

struct Bounds<'n>(&'n Placed);

impl Task for Bounds<'_> {
    type Out = [f32; LANES];

    #[inline(always)]
    fn run<S: Simd>(self) -> [f32; LANES] {
        let mut squares = [0.0; LANES];
        gaps::bounds::<S>(&self.0.relative::<S>(), &self.0.node, &mut squares);
        squares
    }
}

/// The bound on the distance itself, in the lanes' units; in 64 bits where the models are far apart.
fn bound(width: Width, placed: &Placed) -> f64 {
    let side = &placed.placement.sides[1];
    if placed.placement.far {
        let mut squares = [0.0; LANES];
        side.far(&placed.one, 0, &placed.node, &mut squares);
        return squares[placed.l].sqrt();
    }
    f64::from(width.run(Bounds(placed))[placed.l]).sqrt()
}

/// Boxes whose distance is at most the gap: exactly it, or it within the rounding of their place.
fn case(random: &mut Random) -> Touching {
    let mut touching = Touching::random(random);
    touching.gap = random.range((1e-7f64).ln(), (1e7f64).ln()).exp();
    touching
}

#[test]
fn bounds_hold() {
    let mut random = Random::new(4);
    let (mut most, mut far) = ([0.0f64; 2], 0u32);
    for index in 0..200_000u32 {
        let touching = case(&mut random);
        let Some(placed) = touching.place((index % 16) as usize) else { continue };
        far += u32::from(placed.placement.far);
        for width in widths() {
            let bound = bound(width, &placed);
            assert!(bound <= touching.gap, "{width}, case {index}: {bound:e}, {touching:?}");
            let most = &mut most[usize::from(placed.placement.far)];
            *most = most.max(bound / touching.gap);
        }
    }
    println!("nearest to the distance, near and far: {most:.6?}; {far} far");
    assert!(most.iter().all(|most| *most > 0.999) && far > 1000, "{most:?}, {far}");
}

/// Bounds that are larger by 2⁻¹⁸ of the distance would not hold.
#[test]
fn larger_bounds_would_not() {
    let mut random = Random::new(4);
    let mut wrong = 0u32;
    for _ in 0..100_000 {
        let touching = case(&mut random);
        let Some(placed) = touching.place(3).filter(|placed| !placed.placement.far) else {
            continue;
        };
        let larger = bound(Width::Portable, &placed) * (1.0 + 3.0 / (1 << 17) as f64);
        wrong += u32::from(larger > touching.gap);
    }
    println!("larger bounds: {wrong} wrong");
    assert!(wrong > 0);
}
