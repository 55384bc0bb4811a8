//! The stack of a search for a distance.

use crate::search::pair::Item;
use crate::search::parts::Parts;

/// An item and a lower bound on its squared distance, in the units of A, clamped as in
/// [`Placement`](crate::placement::Placement).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bounded {
    pub(super) square: f64,
    /// The item with the least number is searched first: see [`order`].
    pub(super) order: f64,
    pub(super) item: Item,
}

/// The stack, kept between queries to reuse the allocation, and the leaves that were opened.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stack {
    pub(super) items: Vec<Bounded>,
    pub(super) parts: Parts,
}

impl Stack {
    /// A stack of these items.
    pub(super) fn of(items: Vec<Bounded>) -> Self {
        Self { items, ..Self::default() }
    }

    /// Drops what is beyond the limit, and sorts the rest, what is searched first on top.
    pub(super) fn sort(&mut self, limit: f64) {
        self.items.retain(|x| x.square <= limit);
        self.items.sort_unstable_by(|x, y| y.order.total_cmp(&x.order));
    }
}

/// The order of an item, by the bound on its squared distance and the squared distance of the boxes' centres.
///
/// Many boxes near each other overlap, with bounds of zero; without the centres a short distance, which prunes
/// others, is found late.
#[inline(always)]
pub(super) fn order(square: f64, of_centers: f64) -> f64 {
    const PART: f64 = 1.0 / 1024.0;
    square + of_centers * PART
}

/// Inserts an item so that those above `base` stay sorted, what is searched first on top.
#[inline(always)]
pub(super) fn insert(stack: &mut Vec<Bounded>, base: usize, new: Bounded) {
    let mut i = stack.len();
    stack.push(new);
    while i > base && stack[i - 1].order < new.order {
        stack[i] = stack[i - 1];
        i -= 1;
    }
    stack[i] = new;
}

#[cfg(test)]
mod tests {
    use impinge_models::Random;

    use super::*;
    use crate::tree::LANES;

    fn bounded(order: f64, one: u32) -> Bounded {
        Bounded { square: -order, order, item: Item::leaves(one, 0) }
    }

    fn found(stack: &[Bounded]) -> Vec<(f64, u32)> {
        let leaf = |x: &Bounded| x.item.as_leaves().map_or(u32::MAX, |leaves| leaves[0]);
        stack.iter().map(|x| (x.order, leaf(x))).collect()
    }

    /// Items below the base stay in place; above it the one with the least number is on top, whatever its
    /// bound, and equal ones keep their order.
    #[test]
    fn a_stack_is_sorted_above_its_base() {
        let mut random = Random::new(91);
        for n in (0..=LANES as u32).cycle().take(68) {
            let mut stack = vec![bounded(0.5, 100), bounded(9.0, 101)];
            let mut wanted: Vec<(f64, u32)> = Vec::new();
            for one in 0..n {
                let order = random.below(6) as f64;
                insert(&mut stack, 2, bounded(order, one));
                wanted.push((order, one));
            }
            wanted.sort_by(|x, y| y.0.total_cmp(&x.0));
            let found = found(&stack);
            assert_eq!(found[..2], [(0.5, 100), (9.0, 101)]);
            assert_eq!(found[2..], wanted);
        }
    }

    /// What may be as near as the limit stays, however late it is searched.
    #[test]
    fn a_sorted_stack_has_what_is_within_the_limit() {
        let mut stack = Stack::of([3.0, 1.0, 7.0, 4.0].map(|order| bounded(order, 0)).to_vec());
        stack.items[0].square = 0.5;
        stack.items[3].square = 0.25;
        stack.items[2].square = 0.5f64.next_up();
        stack.sort(0.5);
        assert_eq!(found(&stack.items), [(4.0, 0), (3.0, 0), (1.0, 0)]);
    }
}
