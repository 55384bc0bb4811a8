//! Bits of pairs, and how the items of a stack are given away and dealt out.

use super::*;

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
