//! When a tree is sorted, when its coordinates are ranked, and how often the caller's flag is looked
//! at.

use super::*;
use crate::boxes::{SORTING, Wear};

fn along(n: usize) -> Vec<Option<Aabb>> {
    (0..n).map(|i| at(Vector::new(2.0 * i as f64, 0.0, 0.0), Vector::repeat(1.0))).collect()
}

/// A tree over these boxes with so many in each block.
fn filled(boxes: &[Option<Aabb>], fill: usize) -> BoxTree {
    let mut tree = BoxTree::default();
    step(&mut tree, &Objects::moving(boxes));
    let jumps = if fill == ROOMY { boxes.len() } else { 0 };
    tree.wear = Wear { updates: 2, jumps, ..Wear::default() };
    tree.sort(&Control::NONE).expect("not cancelled");
    tree
}

/// Whether one more step sorts. Before it, the tree had been searched and updated once since it was
/// sorted, unless `wear` says otherwise.
fn sorts(tree: &BoxTree, boxes: &[Option<Aabb>], wear: impl FnOnce(&mut Wear)) -> bool {
    let mut tree = tree.clone();
    tree.wear = Wear { least: Some(1), updates: 1, ..Wear::default() };
    wear(&mut tree.wear);
    tree.update(&Objects::moving(boxes), &Control::NONE).expect("not cancelled");
    tree.wear.updates == 0
}

#[test]
fn a_tree_is_sorted_when_its_searches_have_cost_as_much() {
    let boxes = along(100);
    let tree = filled(&boxes, LANES);
    for (excess, sorted) in [(0, false), (SORTING * 100, false), (SORTING * 100 + 1, true)] {
        assert_eq!(sorts(&tree, &boxes, |wear| wear.excess = excess), sorted, "{excess}");
    }
    for (updates, sorted) in [(UNASKED - 1, false), (UNASKED, true), (UNASKED + 1, true)] {
        let unasked = |wear: &mut Wear| (wear.least, wear.updates) = (None, updates);
        assert_eq!(sorts(&tree, &boxes, unasked), sorted, "{updates}");
        assert!(!sorts(&tree, &boxes, |wear| wear.updates = updates), "{updates}: asked");
    }
}

/// What comes is put where there is room if it is at most an eighth of all.
#[test]
fn a_tree_is_sorted_when_many_come() {
    let boxes = along(8 * ROOMY + 15);
    let tree = filled(&boxes[..8 * ROOMY], ROOMY);
    assert_eq!(tree.tree.order.len(), 8 * LANES);
    // 14 are an eighth of 118, but 15 are more than one of 119.
    for (come, sorted) in [(0, false), (1, false), (14, false), (15, true)] {
        assert_eq!(sorts(&tree, &boxes[..8 * ROOMY + come], |_| ()), sorted, "{come}");
    }
}

/// 144 places, in which some boxes stay while others come: as many holes as half of the boxes and 32
/// are few.
#[test]
fn a_tree_is_sorted_when_most_have_gone() {
    let all = along(9 * LANES + 5);
    let tree = filled(&all[..9 * LANES], LANES);
    for (stay, come, sorted) in [(75, 0, false), (74, 0, true), (73, 5, false), (72, 5, true)] {
        let mut boxes = all[..9 * LANES + come].to_vec();
        boxes[stay..9 * LANES].fill(None);
        assert_eq!(sorts(&tree, &boxes, |_| ()), sorted, "{stay} stay, {come} come");
    }
}

/// What searches test more than the least since the last sorting is added up.
#[test]
fn searches_that_cost_more_than_the_least_are_added_up() {
    let (mut tree, mut random) = (BoxTree::default(), Random::new(31));
    let mut boxes: Vec<Option<Aabb>> =
        (0..2_000).map(|_| at(random.vector(0.0, 18.0), Vector::repeat(1.0))).collect();
    let (mut works, mut sortings) = (Vec::new(), 0);
    for number in 0..60 {
        for one in boxes.iter_mut().flatten() {
            let drift = random.in_ball() * 0.15;
            *one = Aabb { min: one.min + drift, max: one.max + drift };
        }
        let objects = Objects::moving(&boxes);
        let excess = tree.wear.excess;
        tree.update(&objects, &Control::NONE).expect("not cancelled");
        let sorted = tree.wear.updates == 0;
        assert_eq!(sorted, number == 0 || excess > SORTING * 2_000, "{number}");
        if sorted {
            (works, sortings) = (Vec::new(), sortings + 1);
        }
        let mut pairs = Vec::new();
        let mut other = tree.clone();
        let Ok(End::Done { work }) = other.search(usize::MAX, &Control::NONE, &mut pairs) else {
            panic!("not cancelled, and no doubt is too much");
        };
        works.push(work);
        let mut least = usize::MAX;
        let excess = |work: &usize| {
            least = least.min(*work);
            work - least
        };
        let excess: usize = works.iter().map(excess).sum();
        pairs.clear();
        tree.pairs(&Control::NONE, &mut pairs).expect("not cancelled");
        assert_eq!((tree.wear.least, tree.wear.excess), (Some(least), excess), "{number}");
    }
    assert!((2..20).contains(&sortings), "{sortings}");
}

/// As many doubts as four for each box and a thousand are few. 65 points whose keys are equal are
/// 2,080 doubts: few among 270 boxes, too many among 269.
#[test]
fn coordinates_are_ranked_if_more_doubts_fail_than_that() {
    for (others, ranked) in [(205, 0), (204, RANKED)] {
        let mut boxes = along(others);
        boxes.extend(
            (0..65).map(|i| at(Vector::new(1.5 + 1e-12 * f64::from(i), 5.0, 0.0), Vector::zeros())),
        );
        let mut tree = BoxTree::default();
        assert!(step(&mut tree, &Objects::moving(&boxes)).is_empty());
        assert_eq!(tree.wear.ranked, ranked, "{others}");
        assert_eq!(matches!(tree.keys.map, Map::Ranked(_)), ranked > 0);
    }
}

/// Ranks are kept for as many updates as that. Then keys are scaled, and since bounds were of ranks,
/// boxes are sorted.
#[test]
fn ranks_are_given_up_after_a_while() {
    let mut boxes = along(100);
    let mut tree = filled(&boxes, LANES);
    tree.rank(&Control::NONE).expect("not cancelled");
    for number in 1..RANKED + 3 {
        for one in boxes.iter_mut().flatten() {
            let up = Vector::new(0.0, 0.001, 0.0);
            *one = Aabb { min: one.min + up, max: one.max + up };
        }
        assert!(step(&mut tree, &Objects::moving(&boxes)).is_empty());
        assert_eq!(tree.wear.updates == 0, number == RANKED + 1, "{number}");
        let ranked = matches!(tree.keys.map, Map::Ranked(_));
        assert_eq!(ranked, number <= RANKED, "{number}");
    }
}

/// As many hits as there can be: all boxes are one.
#[test]
fn boxes_that_all_meet_are_all_found() {
    let boxes = vec![at(Vector::zeros(), Vector::repeat(1.0)); 40 * LANES];
    let pairs = checked(&mut trees(), &Objects::moving(&boxes));
    assert_eq!(pairs.len(), 40 * LANES * (40 * LANES - 1) / 2);
}

/// Looks at the flag by an update of 40,000 boxes: a new tree, one in which nothing moves, and one
/// into which boxes are put.
#[test]
fn an_update_looks_every_so_many_boxes() {
    let (mut tree, mut random, n) = (BoxTree::default(), Random::new(32), 40_000usize);
    let mut boxes: Vec<Option<Aabb>> =
        (0..n).map(|_| at(random.vector(0.0, 50.0), Vector::repeat(1.0))).collect();
    let update = |tree: &mut BoxTree, boxes: &[Option<Aabb>]| {
        let cancel = Cancel::at_look(u64::MAX);
        let control = Control::NONE.cancelled_by(&cancel);
        tree.update(&Objects::moving(boxes), &control).expect("not raised");
        cancel.looks().expect("it counts").number as usize
    };
    // Once at the beginning, and in each stretch of 4,096 boxes; for each 256 blocks.
    let all = n.div_ceil(4_096);
    let fit = |mut blocks: usize| {
        let mut looks = blocks.div_ceil(256);
        while blocks > 1 {
            looks += blocks.div_ceil(256);
            blocks = blocks.div_ceil(LANES);
        }
        looks
    };
    // Boxes are read, mapped, bounded, put into cells, and collected; keys are sorted by three
    // digits, for each of which stretches of 16,384 are read twice; and runs are halved.
    let sort = 4 * all + 3 * 2 * n.div_ceil(16_384) + all;
    assert_eq!(update(&mut tree, &boxes), 1 + all + sort + fit(n / LANES));
    assert_eq!(update(&mut tree, &boxes), 1 + all + fit(n / LANES));
    tree.wear = Wear { updates: 2, jumps: n, ..Wear::default() };
    tree.sort(&Control::NONE).expect("not cancelled");
    for one in boxes.iter_mut().take(4_000) {
        *one = at(random.vector(0.0, 50.0), Vector::repeat(1.0));
    }
    let looks = update(&mut tree, &boxes);
    assert!(tree.wear.updates > 0 && tree.wear.jumps > 3_072, "they are put into the tree");
    assert_eq!(looks, 1 + all + fit(n.div_ceil(ROOMY)) + tree.wear.jumps.div_ceil(1_024));
}
