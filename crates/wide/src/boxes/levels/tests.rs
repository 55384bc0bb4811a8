//! The tree by what is known of it: bounds and flags from below, and the best block by all blocks.

use impinge_geometry::Point;
use impinge_geometry::volume::Aabb;
use impinge_models::Random;
use impinge_query::Cancel;
use impinge_query::broad::Objects;

use super::super::Fit;
use super::super::keys::Map;
use super::super::order::Sorter;
use super::*;
use crate::simd::Width;

fn fit(levels: &mut Levels, keys: &Keys, control: &Control<'_>) {
    Width::fastest().run(Fit { keys, tree: levels, control }).expect("not cancelled");
}

fn anywhere(random: &mut Random) -> Option<Aabb> {
    let min = Point::from(random.vector(0.0, 20.0));
    Aabb::fit_points([min, min + random.vector(0.0, 2.0)].into_iter())
}

/// Boxes of which the last `homeless` have no place, in blocks of at most `fill`. What is in the first
/// half of the blocks is fixed, and every second of the homeless.
fn tree(n: usize, homeless: usize, fill: usize, random: &mut Random) -> (Keys, Levels) {
    let mut boxes: Vec<Option<Aabb>> = (0..n + homeless).map(|_| anywhere(random)).collect();
    let (mut keys, mut levels) = (Keys::default(), Levels::default());
    let late = boxes.split_off(n);
    let load = |keys: &mut Keys, boxes: &[Option<Aabb>], fixed: &[bool]| {
        keys.load(&Objects { boxes, fixed }, &mut Vec::new(), &Control::NONE).expect("runs");
        keys.renew(Map::of(&keys.exact), &Control::NONE).expect("runs");
    };
    load(&mut keys, &boxes, &[]);
    Sorter::default().sort(&keys, fill, &mut levels.order, &Control::NONE).expect("runs");
    let mut fixed = vec![false; n + homeless];
    for &object in levels.order[..levels.order.len() / 2].iter().filter(|x| **x != NONE) {
        fixed[object as usize] = true;
    }
    fixed[n..].iter_mut().step_by(2).for_each(|fixed| *fixed = true);
    boxes.extend(late);
    load(&mut keys, &boxes, &fixed);
    fit(&mut levels, &keys, &Control::NONE);
    (keys, levels)
}

/// All that a tree holds: for each block its boxes, and which lanes are fixed and open.
type Written = Vec<(Vec<Key>, u16, u16)>;

fn written(levels: &Levels) -> Written {
    let blocks = |level: &Level| -> Written {
        let lanes = |block: &Block| (0..LANES).map(|l| block.lane(l)).collect();
        let both = level.blocks.iter().zip(&level.flags);
        both.map(|(block, flags)| (lanes(block), flags.fixed, flags.open)).collect()
    };
    levels.levels.iter().flat_map(blocks).collect()
}

/// Bounds are those of the boxes below, a lane is fixed if all below it is, and open if there is
/// room below it; for trees of one to four levels.
#[test]
fn bounds_and_flags_are_those_of_what_is_below() {
    let mut random = Random::new(21);
    for (n, depth) in [(1, 1), (16, 1), (17, 2), (256, 2), (257, 3), (5_000, 4)] {
        let (keys, levels) = tree(n, 0, LANES, &mut random);
        assert_eq!(levels.levels.len(), depth, "{n}");
        assert_eq!(levels.levels[depth - 1].blocks.len(), 1);
        for (k, level) in levels.levels.iter().enumerate() {
            for (b, (block, flags)) in level.blocks.iter().zip(&level.flags).enumerate() {
                for l in 0..LANES {
                    let size = LANES.pow(k as u32);
                    let from = (LANES * b + l) * size;
                    let places =
                        from.min(levels.order.len())..(from + size).min(levels.order.len());
                    let below = &levels.order[places];
                    let of = || below.iter().filter_map(|x| keys.of.get(*x as usize));
                    let key = block.lane(l);
                    for c in 0..3 {
                        let low = of().map(|key| key.low[c]).fold(Key::NONE.low[c], f32::min);
                        let high = of().map(|key| key.high[c]).fold(Key::NONE.high[c], f32::max);
                        assert_eq!([key.low[c], key.high[c]], [low, high], "{n} {k} {b} {l}");
                    }
                    assert_eq!(flags.fixed >> l & 1 == 1, of().all(Key::is_fixed), "{n} {k} {b}");
                    let room = below.contains(&NONE);
                    assert_eq!(flags.open >> l & 1 == 1, room, "{n} {k} {b} {l}");
                }
            }
        }
    }
}

/// Each object goes to a block with room that grows no more than any other, until there is no room;
/// the tree is then as if it had been fitted with the object in its place.
#[test]
fn what_comes_goes_to_the_block_that_grows_least() {
    let mut random = Random::new(22);
    for (n, fill) in [(10usize, LANES), (200, 13), (1_000, 15), (3_400, 13)] {
        let blocks = n.div_ceil(fill);
        let room = LANES * blocks - n;
        let (keys, mut levels) = tree(n, room + 1, fill, &mut random);
        for object in n..=n + room {
            let key = &keys.of[object];
            let lower = levels.levels[0].flags.iter().enumerate();
            let least = lower.filter(|(_, flags)| flags.open != 0).map(|(b, _)| {
                let above = levels.levels.get(1).map(|level| growth(&level.blocks[b / LANES], key));
                above.map_or(0.0, |above| above[b % LANES])
            });
            let least = least.reduce(f32::min);
            let best = levels.best(key);
            assert_eq!(best.is_some(), least.is_some(), "{n} {object}");
            if let (Some(best), Some(above)) = (best, levels.levels.get(1)) {
                assert!(levels.levels[0].flags[best].open != 0, "{n} {object}: no room");
                let grows = growth(&above.blocks[best / LANES], key)[best % LANES];
                assert_eq!(Some(grows), least, "{n} {object}");
            }
            assert_eq!(levels.insert(object as u32, key), object < n + room, "{n} {object}");
            if object % 7 == 0 || object + 3 > n + room {
                let mut fitted = levels.clone();
                fit(&mut fitted, &keys, &Control::NONE);
                assert!(written(&fitted) == written(&levels), "{n} {object}");
            }
        }
        let mut there = levels.order.clone();
        there.sort_unstable();
        assert!(there.into_iter().eq(0..(n + room) as u32), "{n}");
    }
}

/// What a box must grow on each side to take in another, added up.
#[test]
fn growth_is_the_sum_over_all_sides() {
    let mut block = Block::NONE;
    let key = |low: [f32; 3], high: [f32; 3]| Key {
        low: [low[0], low[1], low[2], 0.0],
        high: [high[0], high[1], high[2], 1.0],
    };
    (0..LANES).for_each(|l| block.set(l, &key([1.0, 2.0, 3.0], [4.0, 6.0, 8.0])));
    block.set(3, &key([-8.0; 3], [9.0; 3]));
    let one = key([0.5, 2.5, 2.0], [4.25, 5.0, 8.0]);
    let found = growth(&block, &one);
    assert!((0..LANES).all(|l| found[l] == if l == 3 { 0.0 } else { 0.5 + 1.0 + 0.25 }));
    let all = growth(&block, &key([0.0; 3], [9.0; 3]));
    assert_eq!((all[0], all[3]), (1.0 + 2.0 + 3.0 + 5.0 + 3.0 + 1.0, 0.0));
}

/// Taken out is what has gone, and what has its centre outside of the bounds that its block had;
/// and nothing else.
#[test]
fn what_leaves_its_block_is_taken_out() {
    let mut random = Random::new(23);
    let n = 2_000;
    let (mut keys, mut levels) = tree(n, 0, LANES, &mut random);
    let (order, above) = (levels.order.clone(), levels.levels[1].clone());
    let mut boxes: Vec<Option<Aabb>> = keys.exact.iter().copied().map(Some).collect();
    for one in &mut boxes {
        let drift = random.in_ball() * random.range(0.0, 4.0);
        let stays = one.filter(|_| !random.chance(0.1));
        *one = stays.map(|one| Aabb { min: one.min + drift, max: one.max + drift });
    }
    keys.load(&Objects::moving(&boxes), &mut Vec::new(), &Control::NONE).expect("runs");
    let mut away = Vec::new();
    levels.refit(&keys, &mut away, &Control::NONE).expect("not cancelled");
    let mut far = Vec::new();
    for (place, &object) in order.iter().enumerate().filter(|(_, object)| **object != NONE) {
        let (b, key) = (place / LANES, &keys.of[object as usize]);
        let around = above.blocks[b / LANES].lane(b % LANES);
        let within = (0..3).all(|k| {
            let twice = key.twice()[k];
            2.0 * around.low[k] <= twice && twice <= 2.0 * around.high[k]
        });
        if !key.is_none() && !within {
            far.push(object);
        }
        let stays = !key.is_none() && within;
        assert_eq!(levels.order[place], if stays { object } else { NONE });
    }
    assert!(far.len() > 200 && far.len() < 1_000, "{}", far.len());
    assert_eq!(away, far);
}

#[test]
fn a_centre_is_away_if_it_is_so_along_any_axes() {
    let (low, high) = ([-2.0, -2.0, -2.0, f32::NEG_INFINITY], [2.0, 2.0, 2.0, f32::INFINITY]);
    let key = |twice: [f32; 3]| {
        let [x, y, z] = twice.map(|x| x / 2.0);
        Key { low: [x - 1.0, y - 1.0, z - 1.0, 0.0], high: [x + 1.0, y + 1.0, z + 1.0, 1.0] }
    };
    for places in 0..27 {
        let side = [places % 3, places / 3 % 3, places / 9].map(|s| 6.0 * (s as f32 - 1.0));
        assert_eq!(is_away(&key(side), &low, &high), places != 13, "{side:?}");
        // On the border it is not.
        let border = side.map(|x| x / 3.0);
        assert!(!is_away(&key(border), &low, &high), "{border:?}");
    }
}

/// A look for each 256 blocks whose boxes are loaded, and as many from which bounds are computed.
#[test]
fn fitting_looks_every_so_many_blocks() {
    let mut random = Random::new(24);
    let (keys, mut levels) = tree(5_000 * LANES, 0, LANES, &mut random);
    let cancel = Cancel::at_look(u64::MAX);
    fit(&mut levels, &keys, &Control::NONE.cancelled_by(&cancel));
    let looks = [5_000usize, 5_000, 313, 20, 2].map(|blocks| blocks.div_ceil(STRETCH) as u64);
    assert_eq!(cancel.looks().map(|looks| looks.number), Some(looks.iter().sum()));
}
