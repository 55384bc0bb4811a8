//! The bounds are useful: boxes separated by a few times pad and slack are told apart, on whichever
//! axis that is, and lower bounds on larger distances are tight.

use impinge_models::Random;

use super::touching::{Placed, Touch, Touching, rows};
use super::widths;
use crate::kernel::{boxes, gaps};
use crate::placement::Relative;
use crate::simd::{Simd, Task, Width};
use crate::tree::LANES;

/// The kernels' results for a node: lanes that may meet the single, squared distances of centres,
/// squared bounds, and lanes that may be within the square root of the limit.
#[derive(Clone, Copy, Debug)]
struct Said {
    relative: Relative,
    meets: u32,
    centres: [f32; LANES],
    squares: [f32; LANES],
    near: u32,
}

struct Ask<'n>(&'n Placed, f32);

impl Task for Ask<'_> {
    type Out = Said;

    #[inline(always)]
    fn run<S: Simd>(self) -> Said {
        let Self(placed, limit) = self;
        let relative = placed.relative::<S>();
        let (mut centres, mut squares) = ([0.0; LANES], [0.0; LANES]);
        let meets = boxes::meet::<S, true>(&relative, &placed.node, &mut centres);
        let mut also = [0.0; LANES];
        let near = gaps::bounds::<S>(&relative, &placed.node, limit, &mut squares, &mut also);
        assert_eq!(centres, also, "the same squared distances of centres");
        Said { relative, meets, centres, squares, near }
    }
}

/// Pad and slack of the widest axis, and the distance of centres, in the lanes' units.
fn allowed(touching: &Touching, placed: &Placed) -> (f64, f64) {
    let relative = Width::Portable.run(Ask(placed, 0.0)).relative;
    let [h, e] = [relative.half, touching.lane.half].map(|half| half.map(f64::from));
    let pad = f64::from(relative.half[0]) - f64::from(touching.one.half[0]) * placed.ratio;
    let c = touching.lane.center.map(f64::from);
    let d = relative.rows.map(|r| r.map(f64::from));
    let d = d.map(|r| r[0] * c[0] + r[1] * c[1] + r[2] * c[2] + r[3]);
    let distance = (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt();
    let sum: f64 = h.iter().chain(&e).sum();
    (2.0 * pad + f64::from(boxes::SLACK) * (sum + 2.0 * distance), distance)
}

/// The sine of the angle between touching edges; one for faces.
fn sine(touching: &Touching) -> f64 {
    let Touch::Edges(i, j) = touching.touch else { return 1.0 };
    let lane = touching.rotation * rows(&touching.lane.axes).row(j).transpose();
    rows(&touching.one.axes).row(i).transpose().cross(&lane).norm()
}

/// Boxes separated by `times` times pad and slack, on the axis where they touched.
fn apart_by(random: &mut Random, times: f64, l: usize) -> Option<(Touching, Placed, f64)> {
    let mut touching = Touching::random(random);
    let sine = sine(&touching);
    if matches!(touching.touch, Touch::Inside) || sine < 0.1 {
        return None;
    }
    let placed = touching.place(l).filter(|placed| !placed.placement.far)?;
    touching.gap = times * allowed(&touching, &placed).0 / sine;
    let placed = touching.place(l).filter(|placed| !placed.placement.far)?;
    Some((touching, placed, sine))
}

#[test]
fn boxes_apart_by_a_few_times_the_bounds_are_told_apart() {
    let (mut random, mut judged) = (Random::new(51), [0u32; 3]);
    for case in 0..20_000 {
        let l = case % LANES;
        let Some((touching, placed, _)) = apart_by(&mut random, 4.0, l) else { continue };
        let kind = match touching.touch {
            Touch::Single(_) => 0,
            Touch::Lane(_) => 1,
            _ => 2,
        };
        judged[kind] += 1;
        let (given, distance) = allowed(&touching, &placed);
        for width in widths() {
            let said = width.run(Ask(&placed, 0.0));
            assert_eq!(said.meets >> l & 1, 0, "{width}, case {case}: {touching:?}");
            assert_eq!((said.meets | said.near) >> l >> 1, 0, "{width}: lanes that are not there");
            let found = f64::from(said.centres[l]).sqrt();
            let off = (found - distance).abs();
            assert!(off <= given + 1e-5 * distance, "{width}: {found}, {distance}, {touching:?}");
        }
    }
    println!("faces of the single, of the lane, edges: {judged:?}");
    assert!(judged.iter().all(|n| *n > 1_500), "{judged:?}");
}

#[test]
fn bounds_on_distances_come_near_them() {
    let (mut random, mut judged) = (Random::new(52), [0u32; 2]);
    for case in 0..20_000 {
        let l = case % LANES;
        let Some((touching, placed, sine)) = apart_by(&mut random, 500.0, l) else { continue };
        let gap = touching.gap;
        let face = !matches!(touching.touch, Touch::Edges(..));
        judged[usize::from(face)] += 1;
        // The edge axis's length is the sine of the edges' angle, so rounding matters more.
        let less = gap * if face { 0.99 } else { 1.0 - 0.01 / sine };
        for width in widths() {
            let said = width.run(Ask(&placed, (less * less) as f32));
            let at = || format!("{width}, case {case}: {said:?} for {gap:e}, {touching:?}");
            assert!(!face || f64::from(said.squares[l]).sqrt() >= less, "{}", at());
            assert_eq!(said.near >> l & 1, 0, "{}", at());
        }
    }
    println!("edges, faces: {judged:?}");
    assert!(judged.iter().all(|n| *n > 1_500), "{judged:?}");
}

/// Boxes that share an inner point have distance zero, and every limit keeps them.
#[test]
fn what_may_meet_has_a_bound_of_zero() {
    let mut random = Random::new(53);
    for case in 0..10_000 {
        let l = case % LANES;
        let touching = Touching::random(&mut random);
        let Some(placed) = touching.place(l).filter(|placed| !placed.placement.far) else {
            continue;
        };
        for width in widths() {
            let said = width.run(Ask(&placed, 0.0));
            let bits = (said.meets >> l & 1, said.near >> l & 1, said.squares[l]);
            assert_eq!(bits, (1, 1, 0.0), "{width}, case {case}: {touching:?}");
        }
    }
}
