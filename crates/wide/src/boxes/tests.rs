//! Every width finds the pairs of brute force in one order, whatever the coordinates.

use impinge_geometry::volume::Aabb;
use impinge_geometry::{Point, Vector};
use impinge_models::Random;
use impinge_query::broad::{BroadPhase, EveryPair, Objects};
use impinge_query::{Cancel, Control};

use super::overlap::End;
use super::{BoxTree, JUMPY, LANES, Map, RANKED, ROOMY, UNASKED};
use crate::simd::Width;

mod sorting;

fn at(min: Vector, extent: Vector) -> Option<Aabb> {
    Aabb::fit_points([min, min + extent].into_iter().map(Point::from))
}

/// The pairs after one more step, as they are reported.
fn step(phase: &mut dyn BroadPhase, objects: &Objects<'_>) -> Vec<[u32; 2]> {
    let mut pairs = Vec::new();
    phase.update(objects, &Control::NONE).expect("not cancelled");
    phase.pairs(&Control::NONE, &mut pairs).expect("not cancelled");
    pairs
}

/// The pairs of a tree of each width; they must be the same, and those of brute force.
fn checked(trees: &mut [BoxTree], objects: &Objects<'_>) -> Vec<[u32; 2]> {
    let truth = step(&mut EveryPair::default(), objects);
    let mut first: Option<Vec<[u32; 2]>> = None;
    for tree in trees {
        let found = step(tree, objects);
        let first = first.get_or_insert_with(|| found.clone());
        assert!(found == *first, "{}: another order", tree.width);
        let mut sorted = found;
        sorted.sort_unstable();
        assert!(sorted == truth, "{}: {} pairs, not {}", tree.width, sorted.len(), truth.len());
    }
    truth
}

fn trees() -> Vec<BoxTree> {
    let here = Width::ALL.into_iter().filter(|width| width.is_present());
    here.map(|width| BoxTree::new(Some(width))).collect()
}

/// Boxes without an end on some sides: a few among others, nearly all along one axis, and all.
#[test]
fn sides_may_be_infinite() {
    let mut random = Random::new(41);
    let (mut without_end, mut with_end) = (0, 0);
    for share in [0.05, 0.6, 1.0] {
        for axes in [1, 3] {
            let (mut trees, n) = (trees(), 200);
            for _ in 0..6 {
                let mut one = || {
                    let mut one = at(random.vector(0.0, 9.0), random.vector(0.0, 2.0))?;
                    for k in 0..axes {
                        let [open, below, above] = [share, 0.7, 0.7].map(|p| random.chance(p));
                        let (below, above) = (open && below, open && above);
                        one.min[k] = if below { f64::NEG_INFINITY } else { one.min[k] };
                        one.max[k] = if above { f64::INFINITY } else { one.max[k] };
                    }
                    Some(one)
                };
                let boxes: Vec<_> = (0..n).map(|_| one()).collect();
                let found = checked(&mut trees, &Objects::moving(&boxes)).len();
                without_end += usize::from(share == 1.0) * found;
                with_end += n * (n - 1) / 2 - found;
            }
        }
    }
    assert!(without_end > 10_000 && with_end > 10_000, "{without_end} {with_end}");
}

/// Three levels; boxes of a lattice, which touch, among those of a walk with jumps.
#[test]
fn all_widths_find_the_same_in_the_same_order() {
    let (mut trees, mut random, n) = (trees(), Random::new(1), 3_000);
    let mut boxes = vec![None; n];
    let fixed: Vec<bool> = (0..n).map(|_| random.chance(0.4)).collect();
    let mut touching = 0;
    for number in 0..30 {
        for (i, one) in boxes.iter_mut().enumerate() {
            let jumps = number == 0 || random.chance(0.01);
            *one = match *one {
                _ if jumps && i % 2 == 0 => at(random.vector(0.0, 20.0), random.vector(0.0, 2.0)),
                _ if jumps => at(random.vector(0.0, 20.0).map(f64::floor), Vector::repeat(1.0)),
                Some(Aabb { min, .. }) if i % 2 == 0 => {
                    at(min.coords + random.in_ball() * 0.1, random.vector(0.0, 2.0))
                }
                same => same,
            };
        }
        let pairs = checked(&mut trees, &Objects { boxes: &boxes, fixed: &fixed });
        touching += pairs.iter().filter(|pair| pair.iter().all(|i| i % 2 == 1)).count();
    }
    assert!(touching > 1_000, "{touching}");
}

/// Coordinates of every magnitude, of both signs, zeros, and boxes without volume.
#[test]
fn coordinates_of_every_magnitude() {
    let (mut trees, mut random) = (trees(), Random::new(2));
    let mut found = 0;
    for number in 0..40 {
        let reach = [1.0, 5.0, 30.0, 300.0][number % 4];
        let mut number = || {
            let x = match random.below(5) {
                0 => 0.0,
                1 => f64::from_bits(random.below(1 << 20)),
                _ => 10f64.powf(random.range(-reach, reach)),
            };
            if random.chance(0.5) { x } else { -x }
        };
        let boxes: Vec<Option<Aabb>> = (0..400)
            .map(|i| {
                let p = Point::from(Vector::from_fn(|_, _| number()));
                let q = if i % 7 == 0 { p } else { Point::from(Vector::from_fn(|_, _| number())) };
                Some(Aabb { min: p.inf(&q), max: p.sup(&q) })
            })
            .collect();
        found += checked(&mut trees, &Objects::moving(&boxes)).len();
    }
    assert!(found > 10_000, "{found}");
}

/// A box as large as the world, and one far away, leave the resolution of the others as it is.
/// A box without points is as if there were no object.
#[test]
fn boxes_without_points_are_none() {
    let (mut trees, all) = (trees(), at(Vector::zeros(), Vector::repeat(9.0)));
    let inverted = |k: usize| {
        let mut one = Aabb { min: Point::origin(), max: Point::from(Vector::repeat(5.0)) };
        std::mem::swap(&mut one.min[k], &mut one.max[k]);
        Some(one)
    };
    let boxes = [all, inverted(0), inverted(1), all, inverted(2), Some(Aabb::EMPTY), None];
    let pairs = checked(&mut trees, &Objects::moving(&boxes));
    assert_eq!(pairs, [[0, 3]]);
    let tree = &trees[0];
    assert_eq!((tree.word(), tree.keys.present), ("box-tree", 2));
}

#[test]
fn outliers_cost_no_resolution() {
    let (mut trees, mut random) = (trees(), Random::new(3));
    let mut boxes: Vec<Option<Aabb>> =
        (0..2_000).map(|_| at(random.vector(0.0, 13.0), Vector::repeat(1.0))).collect();
    boxes.insert(0, at(Vector::repeat(-1e300), Vector::repeat(1.9e300)));
    boxes.push(at(Vector::repeat(1e200), Vector::repeat(1e100)));
    let pairs = checked(&mut trees, &Objects::moving(&boxes));
    assert!(pairs.len() > 2_000);
    assert!(trees.iter().all(|tree| tree.wear.ranked == 0));
}

/// Two crowds so far apart that 32 bits hold neither: coordinates get ranks.
#[test]
fn far_crowds_are_ranked() {
    let (mut trees, mut random) = (trees(), Random::new(4));
    let mut boxes: Vec<Option<Aabb>> = (0..2_000)
        .map(|i| {
            let crowd = Vector::repeat(if i % 2 == 0 { -1e12 } else { 1e12 });
            at(crowd + random.vector(0.0, 10.0), Vector::repeat(1.0))
        })
        .collect();
    for number in 0..3 {
        let pairs = checked(&mut trees, &Objects::moving(&boxes));
        assert!(!pairs.is_empty() && pairs.len() < 20_000, "{}", pairs.len());
        for tree in &trees {
            assert_eq!(tree.wear.ranked, RANKED - number);
            let (mut found, one) = (Vec::new(), boxes[7].expect("there"));
            tree.overlapping(&one, &mut found);
            found.sort_unstable();
            let truth = (0..2_000)
                .filter(|&i: &u32| boxes[i as usize].is_some_and(|other| one.overlaps(&other)));
            assert!(truth.eq(found));
        }
        for one in boxes.iter_mut().flatten() {
            let drift = random.in_ball() * 0.1;
            (one.min, one.max) = (one.min + drift, one.max + drift);
        }
    }
    // After a while, it is tried again without ranks.
    for tree in &mut trees {
        tree.wear.ranked = 1;
    }
    checked(&mut trees, &Objects::moving(&boxes));
    assert!(trees.iter().all(|tree| tree.wear.ranked == 0));
    for (number, one) in boxes.iter_mut().flatten().enumerate() {
        let apart = Vector::new(3.0 * number as f64, 0.0, 0.0);
        *one = at(apart, Vector::repeat(1.0)).expect("there");
    }
    assert!(checked(&mut trees, &Objects::moving(&boxes)).is_empty());
    assert!(trees.iter().all(|tree| tree.wear.ranked == 0));
}

/// Sorting more numbers than a run, with a look at the flag.
#[test]
fn ranks_of_many_numbers() {
    let (mut tree, mut random) = (BoxTree::default(), Random::new(5));
    let boxes: Vec<Option<Aabb>> = (0..10_000)
        .map(|_| at(random.vector(0.0, 20.0).map(f64::round), Vector::zeros()))
        .collect();
    let before = step(&mut tree, &Objects::moving(&boxes));
    tree.rank(&Control::NONE).expect("not cancelled");
    let mut after = Vec::new();
    tree.pairs(&Control::NONE, &mut after).expect("not cancelled");
    let sorted = |mut pairs: Vec<[u32; 2]>| {
        pairs.sort_unstable();
        pairs
    };
    assert!(sorted(before) == sorted(after));
    let cancel = Cancel::new();
    cancel.cancel();
    assert!(tree.keys.rank(&Control::NONE.cancelled_by(&cancel)).is_err());
}

/// Boxes that jump are put where there is room; the tree is seldom sorted.
#[test]
fn jumps_need_no_sorting() {
    let (mut tree, mut random, n) = (BoxTree::default(), Random::new(6), 4_000);
    let anywhere = |random: &mut Random| at(random.vector(0.0, 23.0), Vector::repeat(1.0));
    let mut boxes: Vec<Option<Aabb>> = (0..n).map(|_| anywhere(&mut random)).collect();
    let mut sortings = 0;
    for _ in 0..60 {
        for one in &mut boxes {
            if random.chance(0.01) {
                *one = anywhere(&mut random);
            }
        }
        step(&mut tree, &Objects::moving(&boxes));
        sortings += usize::from(tree.wear.updates == 0);
    }
    assert!((1..8).contains(&sortings), "{sortings}");
}

/// What is fixed costs nothing where nothing moves.
#[test]
fn blocks_of_fixed_objects_are_skipped() {
    let (mut tree, mut random, n) = (BoxTree::default(), Random::new(7), 4_000);
    let boxes: Vec<Option<Aabb>> =
        (0..n).map(|_| at(random.vector(0.0, 23.0), Vector::repeat(1.0))).collect();
    let mut work = |fixed: &[bool]| {
        step(&mut tree, &Objects { boxes: &boxes, fixed });
        let before = tree.wear.excess + tree.wear.least.expect("asked");
        tree.wear.least = None;
        tree.wear.excess = 0;
        before
    };
    let (all, mut fixed) = (work(&[]), vec![true; n]);
    assert_eq!(work(&fixed), 0);
    fixed[17] = false;
    let one = work(&fixed);
    assert!(0 < one && 20 * one < all, "{one} of {all}");
}

/// One block: refitted without bounds around it, and with room for one more.
#[test]
fn few_boxes_come_and_go_without_sorting() {
    let mut trees = trees();
    let mut boxes = vec![None; LANES];
    for (i, one) in boxes.iter_mut().enumerate().take(14) {
        *one = at(Vector::new(i as f64, 0.0, 0.0), Vector::repeat(1.0));
    }
    assert_eq!(checked(&mut trees, &Objects::moving(&boxes)).len(), 13);
    boxes[15] = at(Vector::new(2.5, 0.5, 0.5), Vector::repeat(1.0));
    assert_eq!(checked(&mut trees, &Objects::moving(&boxes)).len(), 15);
    assert!(trees.iter().all(|tree| tree.wear.updates > 0), "sorted");
    boxes[2] = None;
    boxes[0] = at(Vector::new(40.0, 0.0, 0.0), Vector::repeat(1.0));
    assert_eq!(checked(&mut trees, &Objects::moving(&boxes)).len(), 11);
    assert!(trees.iter().all(|tree| tree.wear.updates > 0), "sorted");
}

/// Where nothing changes the tree is sorted once, however long it is asked; and now and then if it
/// is never asked.
#[test]
fn what_stands_still_is_not_sorted_again() {
    let (mut tree, mut random) = (BoxTree::default(), Random::new(8));
    let boxes: Vec<Option<Aabb>> =
        (0..200).map(|_| at(random.vector(0.0, 9.0), Vector::repeat(1.0))).collect();
    let objects = Objects::moving(&boxes);
    let mut sortings = [0; 2];
    for _ in 0..UNASKED + 40 {
        step(&mut tree, &objects);
        sortings[0] += usize::from(tree.wear.updates == 0);
    }
    let mut tree = BoxTree::default();
    for _ in 0..2 * UNASKED {
        tree.update(&objects, &Control::NONE).expect("not cancelled");
        sortings[1] += usize::from(tree.wear.updates == 0);
    }
    assert_eq!(sortings, [1, 2]);
}

/// Blocks get room if more than one box in a thousand jumps per step.
#[test]
fn there_is_room_where_boxes_jump() {
    let (mut tree, mut random, n) = (BoxTree::default(), Random::new(9), 4 * JUMPY);
    let boxes: Vec<Option<Aabb>> =
        (0..n).map(|_| at(random.vector(0.0, 23.0), Vector::repeat(1.0))).collect();
    step(&mut tree, &Objects::moving(&boxes));
    assert_eq!(tree.tree.order.len(), n, "what is new does not jump");
    for (jumps, fill) in [(10 * n / JUMPY, LANES), (10 * n / JUMPY + 1, ROOMY)] {
        (tree.wear.updates, tree.wear.jumps) = (10, jumps);
        tree.sort(&Control::NONE).expect("not cancelled");
        assert_eq!(tree.tree.order.len(), n.div_ceil(fill) * LANES, "{jumps} jumps");
    }
}
