//! Bits of pairs, how the items of a stack are given away and dealt out, and how often the flag is polled.

use impinge_geometry::Pose;
use impinge_query::{Cancel, Contacts, Engine, Statistics};

use super::*;
use crate::counted::work_of;
use crate::model::WideModel;
use crate::placement::Placement;
use crate::search::pile;
use crate::share::Shared;
use crate::simd::Width;

#[test]
fn pairs_are_there_where_both_triangles_are() {
    for a in 1..=4 {
        for b in 1..=4 {
            let bits = (0..16).filter(|bit| bit / 4 < a && bit % 4 < b);
            assert_eq!(there(a, b), bits.map(|bit| 1 << bit).sum::<u32>(), "{a} {b}");
        }
    }
}

/// Half, rounded down, in the order of pushing; nothing if there is one item.
#[test]
fn the_older_half_of_a_stack_is_given_away() {
    for n in 0..9u32 {
        let all: Vec<Item> = (0..n).map(|k| Item::new(k, k, 0)).collect();
        let mut stack = Stack { items: all.clone(), ..Stack::default() };
        assert_eq!(stack.is_empty(), n == 0);
        let older = stack.older_half().map(|half| half.items);
        let (first, second) = all.split_at(n as usize / 2);
        assert_eq!(older.unwrap_or_default(), first);
        assert_eq!(stack.items, second);
        stack.clear();
        assert!(stack.is_empty());
    }
}

/// Each item goes to one part, in turn from the uppermost on; piled up, the first part is above the others.
#[test]
fn the_items_of_a_stack_are_dealt_out_once_the_uppermost_first() {
    for n in 0..40u32 {
        let all: Vec<Item> = (0..n).map(|k| Item::new(k, k, 0)).collect();
        let stack = Stack { items: all.clone(), ..Stack::default() };
        for most in 1..=17 {
            let parts: Vec<Stack> = stack.parts(most).collect();
            assert_eq!(parts.len(), most.min(all.len()));
            let downwards = |part: &Stack| part.items.iter().rev().copied().collect::<Vec<_>>();
            let dealt: Vec<Vec<Item>> = parts.iter().map(downwards).collect();
            for (k, item) in all.iter().rev().enumerate() {
                assert_eq!(dealt[k % most].get(k / most), Some(item), "{n} among {most}");
            }
            assert_eq!(dealt.concat().len(), all.len(), "{n} among {most}");
            let mut piled = stack.clone();
            piled.pile_up(parts.into_iter());
            assert_eq!(downwards(&piled), dealt.concat(), "{n} among {most}");
        }
    }
}

/// A pair that is decided exactly counts as a step, of which 256 lie between two looks.
#[test]
#[cfg_attr(target_family = "wasm", ignore = "WebAssembly has no second thread")]
fn few_pairs_are_decided_exactly_between_two_looks() {
    let prepared = || crate::wide().prepare(&pile(60), &Control::NONE).expect("any mesh");
    let (models, pose) = ([prepared(), prepared()], Pose::identity());
    let models = models.each_ref();
    let frames = models.map(|model| &model.tree.frame);
    let placement = Placement::new(&pose, frames, models.map(WideModel::max_abs));
    let pair = Pair { models, pose: &pose, placement: &placement.expect("near") };
    let decided = |look: u64| {
        let (cancel, mut counted) = (Cancel::at_look(look), Some(Statistics::default()));
        let control = &Control::NONE.cancelled_by(&cancel);
        let shared = Shared { width: Width::fastest(), pair, control };
        let (stack, mut found) = (&mut Stack::default(), Contacts::new(Vec::new(), None));
        assert_eq!(shared.all(stack, &mut found, &mut counted), Err(Cancelled), "{look}");
        work_of(counted.as_ref())[2]
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let counts: Vec<u64> = pool.install(|| (1..60).map(decided).collect());
    let most = counts.windows(2).map(|two| two[1] - two[0]).max();
    // The rest of a step, besides: sixteen pairs of leaves.
    assert!(most.is_some_and(|most| (200..=256 + 16 * 16).contains(&most)), "{most:?}");
}
