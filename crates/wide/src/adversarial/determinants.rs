//! The error of determinants, compared with the bound beyond which their signs count.

use impinge_models::Random;

use super::widths;
use crate::kernel::triangles::{Four, bounds, cross, dot, reach, sub};
use crate::simd::{Simd, Task, Width};
use crate::tree::LANES;

/// `(a × b) · c` of differences of corners, by the kernel's operations.
struct Volume([[[f32; 3]; 2]; 3]);

impl Task for Volume {
    type Out = f32;

    #[inline(always)]
    fn run<S: Simd>(self) -> f32 {
        let zero = S::splat(0.0);
        let mut edges = [[zero; 3]; 3];
        for (edge, [to, from]) in edges.iter_mut().zip(self.0) {
            for k in 0..3 {
                edge[k] = S::sub(S::splat(to[k]), S::splat(from[k]));
            }
        }
        let (mut lanes, none) = ([0.0; LANES], [zero; 3]);
        let c = sub::<S>(edges[2], none);
        S::store(dot::<S>(cross::<S>(edges[0], edges[1]), c), &mut lanes, 0);
        lanes[0]
    }
}

/// Four corners: a triangle and a corner of the other, or an edge of each.
#[derive(Clone, Copy, Debug)]
struct Corners {
    at: [[f64; 3]; 4],
    plane: bool,
}

fn narrow(x: &[f64; 3]) -> [f32; 3] {
    x.map(|x| x as f32)
}

/// `(a × b) · c` in 64 bits.
fn volume([a, b, c]: [[f64; 3]; 3]) -> f64 {
    let minor = |i: usize, j: usize| a[i] * b[j] - a[j] * b[i];
    minor(1, 2) * c[0] + (minor(2, 0) * c[1] + minor(0, 1) * c[2])
}

impl Corners {
    /// Edges of about `size`, coordinates of about one.
    fn random(random: &mut Random, plane: bool, size: f64) -> Self {
        let mut corner = || [0; 3].map(|_| if random.chance(0.5) { 1.0 } else { -1.0 });
        let (a, b) = (corner(), corner());
        let mut at = if plane { [a, a, a, b] } else { [a, a, b, b] };
        for x in at.iter_mut().flatten() {
            *x += size * random.range(-1.0, 1.0);
        }
        Self { at, plane }
    }

    /// Some coordinates changed, often to half way between two 32-bit numbers.
    fn mutated(&self, random: &mut Random, size: f64) -> Self {
        let mut new = *self;
        for _ in 0..=random.below(3) {
            let x = &mut new.at[random.below(4) as usize][random.below(3) as usize];
            if random.chance(0.6) {
                *x += size * 0.5f64.powi(random.below(26) as i32) * random.range(-1.0, 1.0);
            } else {
                let here = *x as f32;
                let next = if random.chance(0.5) { here.next_up() } else { here.next_down() };
                let (here, next) = (f64::from(here), f64::from(next));
                *x = here + (next - here) * 0.499_999;
            }
        }
        new
    }

    /// The edges and the vector between them, each as end and start.
    fn edges<T: Copy>(&self, x: [T; 4]) -> [[T; 2]; 3] {
        if self.plane {
            [[x[1], x[0]], [x[2], x[1]], [x[3], x[0]]]
        } else {
            [[x[1], x[0]], [x[3], x[2]], [x[2], x[0]]]
        }
    }

    /// Share of the bound that is needed.
    fn used(&self, width: Width) -> f64 {
        let rounded = self.at.each_ref().map(narrow);
        let found = width.run(Volume(self.edges(rounded)));
        let exact =
            volume(self.edges(self.at).map(|[to, from]| [0, 1, 2].map(|k: usize| to[k] - from[k])));
        let four = |corners: [usize; 3]| {
            Four([0, 1, 2].map(|c| [0, 1, 2, 2].map(|k| [rounded[corners[k]][c]; 4])))
        };
        let (of_a, of_b) = if self.plane { ([0, 1, 2], [3, 3, 3]) } else { ([0, 1, 1], [2, 3, 3]) };
        let reach = reach(&four(of_a), &four(of_b), 0.0);
        (f64::from(found) - exact).abs() / f64::from(bounds(&reach)[if self.plane { 0 } else { 2 }])
    }
}

/// The largest share found by climbing, with edges of this size.
fn climb(random: &mut Random, plane: bool, size: f64) -> f64 {
    let mut most = 0.0f64;
    for _ in 0..30 {
        let mut at = Corners::random(random, plane, size);
        let mut used = at.used(Width::Portable);
        for _ in 0..6000 {
            let next = at.mutated(random, size);
            let then = next.used(Width::Portable);
            if then >= used {
                (at, used) = (next, then);
            }
        }
        for width in widths() {
            assert!(at.used(width) < 1.0, "{width}: {} of the bound, {at:?}", at.used(width));
        }
        most = most.max(used);
    }
    most
}

/// Short edges far from the origin, where nearly all error is from rounding corners; edges as short
/// as that rounding, where its square counts too; and edges as long as coordinates.
#[test]
fn a_quarter_of_the_bound_is_too_little() {
    let mut random = Random::new(41);
    for (size, least) in [(1e-3, [0.6, 0.3]), (8e-8, [0.3, 0.2]), (1.0, [0.1, 0.1])] {
        let most = [false, true].map(|plane| climb(&mut random, plane, size));
        println!(
            "edges of {size:e}: edge pairs {:.3}, planes {:.3} of the bound",
            most[0], most[1]
        );
        assert!(most[0] > least[0] && most[1] > least[1], "{size:e}: {most:?}");
    }
}
