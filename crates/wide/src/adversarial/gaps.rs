//! A lower bound on a distance never exceeds the distance of two points, one in each box; and boxes
//! with such points are found to be within that distance.

use impinge_geometry::Vector;
use impinge_models::Random;

use super::touching::{Placed, Touch, Touching};
use super::widths;
use crate::kernel::gaps;
use crate::placement::Relative;
use crate::simd::{Simd, Task, Width};
use crate::tree::{LANES, Lane, Node};

struct Bounds<'n>(&'n Placed, f32);

impl Task for Bounds<'_> {
    type Out = ([f32; LANES], u32);

    #[inline(always)]
    fn run<S: Simd>(self) -> ([f32; LANES], u32) {
        let mut squares = [0.0; LANES];
        let relative = self.0.relative::<S>();
        let near =
            gaps::bounds::<S>(&relative, &self.0.node, self.1, &mut squares, &mut [0.0; LANES]);
        (squares, near)
    }
}

/// The bound on the distance (not squared), in the lanes' units; in 64 bits if the models are far
/// apart.
fn bound(width: Width, placed: &Placed) -> f64 {
    let side = &placed.placement.sides[1];
    if placed.placement.far {
        let mut squares = [0.0; LANES];
        side.far(&placed.one.single(0), &placed.node, &mut squares);
        return squares[placed.l].sqrt();
    }
    f64::from(width.run(Bounds(placed, f32::INFINITY)).0[placed.l]).sqrt()
}

/// Whether they may be that near, with a limit rounded up as in a search.
fn near(width: Width, placed: &Placed, gap: f64) -> bool {
    let limit = (gap * gap * (1.0 + 1e-6)) as f32;
    placed.placement.far || width.run(Bounds(placed, limit)).1 >> placed.l & 1 == 1
}

/// Boxes whose distance is at most the gap: equal to it, or up to the rounding of their positions.
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
            assert!(near(width, &placed, touching.gap), "{width}, case {index}: {touching:?}");
            let most = &mut most[usize::from(placed.placement.far)];
            *most = most.max(bound / touching.gap);
        }
    }
    println!("nearest to the distance, near and far: {most:.6?}; {far} far");
    assert!(most.iter().all(|most| *most > 0.999) && far > 1000, "{most:?}, {far}");
}

/// Bounds that are larger by 2⁻¹⁸ of the distance would be wrong.
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

/// Edges separated on their own axis only: a limit that is smaller by about 2⁻¹⁷ dismisses them.
#[test]
fn nearer_limits_would_leave_edges_out() {
    let mut random = Random::new(5);
    let mut out = 0u32;
    for _ in 0..200_000 {
        let touching = case(&mut random);
        let edges = matches!(touching.touch, Touch::Edges(..));
        let placed = touching.place(3).filter(|placed| edges && !placed.placement.far);
        let Some(placed) = placed else { continue };
        let faces_know = bound(Width::Portable, &placed) > 0.99 * touching.gap;
        let less = touching.gap * (1.0 - 1.0 / f64::from(1 << 14));
        out += u32::from(!near(Width::Portable, &placed, less) && !faces_know);
    }
    println!("left out by edge axes alone: {out}");
    assert!(out > 100, "{out}");
}

/// A box along the axes of a node, and one turned in a lane of it. Their nearest points are corners, one from the
/// other along the vector of the gaps over the axes of the first.
struct Corners {
    relative: Relative,
    node: Node,
    /// Between the corners.
    distance: f64,
    /// The length of the vector of gaps.
    length: f64,
}

impl Corners {
    fn random(random: &mut Random) -> Option<Self> {
        let turned = random.turned_to(Vector::zeros()).rotation().map(|x| x as f32);
        let r = turned.map(f64::from);
        let half = [0; 2].map(|_| random.vector(0.1, 1.0).map(|x| x as f32));
        let [h, e] = half.map(|half| half.map(f64::from));
        let to_center = (r.transpose() * random.vector(0.1, 1.0)).map(f64::signum);
        let to_center = to_center.component_mul(&e);
        // By how much the lane's box around it, along the single's axes, is nearer than its corner.
        let nearer = r.abs() * e - r * to_center;
        let between = nearer * random.range(1.1, 5.0);
        let same_corner = (r.transpose() * between).component_mul(&to_center).min() > 0.0;
        let center = (h + between + r * to_center).map(|x| x as f32);
        let axes = [0, 1, 2].map(|j| turned.column(j).into_owned().into());
        let mut node = Node::empty([0.0; 3]);
        node.lanes = 1;
        node.set(0, &Lane { center: center.into(), half: half[1].into(), axes });
        let row = |i: usize| [0, 1, 2, 3].map(|k| f32::from(u8::from(k == i)));
        let relative =
            Relative { rows: [row(0), row(1), row(2)], half: half[0].into(), sum: half[0].sum() };
        let (distance, length) = (between.norm(), (between - nearer).norm());
        same_corner.then_some(Self { relative, node, distance, length })
    }
}

impl Task for &Corners {
    type Out = [f32; LANES];

    #[inline(always)]
    fn run<S: Simd>(self) -> [f32; LANES] {
        let mut squares = [0.0; LANES];
        gaps::bounds::<S>(
            &self.relative,
            &self.node,
            f32::INFINITY,
            &mut squares,
            &mut [0.0; LANES],
        );
        squares
    }
}

/// The bound is the distance there, and no more; the length of the vector is often much less.
#[test]
fn the_bound_along_the_vector_of_gaps_is_that_of_corners() {
    let mut random = Random::new(6);
    let (mut cases, mut shorter) = (0, 0);
    for _ in 0..20_000 {
        let Some(corners) = Corners::random(&mut random) else { continue };
        cases += 1;
        for width in widths() {
            let bound = f64::from(width.run(&corners)[0]).sqrt();
            let share = bound / corners.distance;
            assert!((0.999..1.0).contains(&share), "{width}: {bound} of {}", corners.distance);
        }
        shorter += u32::from(corners.length < 0.8 * corners.distance);
    }
    assert!(cases > 1_000 && shorter > cases / 4, "{shorter} of {cases}");
}
