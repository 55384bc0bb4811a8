//! The minimum distance of two surfaces that do not meet, or whether some pair is within a
//! distance: depth first, the nearest box first, with lower bounds for pruning (Larsen et al. 1999,
//! as cited in fan §1.3.3.5). When a nearer pair is found, the stack is sorted, so that the search
//! goes on where it is the most promising. [`rounds`]: long searches on several threads; [`far`]:
//! models that are far apart; [`ends`]: models so far apart that no search is needed.

mod best;
mod ends;
mod far;
mod rounds;
mod stack;

use impinge_geometry::{exact, triangle};
use impinge_query::{Cancelled, Contact, Control, Counter, Goal, Nearest};

use super::Pair;
use super::contacts::there;
use super::pair::{Item, Next};
use super::parts;
use super::quads::Quads;
use crate::frame::power_of_two;
use crate::kernel::{directions, gaps, heights};
use crate::simd::{Simd, Task};
use crate::tree::{LANES, LEAF};

use best::Best;
use stack::Bounded;

pub(crate) use rounds::{Question, nearest};
pub(crate) use stack::Stack;

/// Steps between two polls of the caller's flag. Evaluating a pair of triangles counts as a step,
/// because that takes longer.
const POLL_INTERVAL: u32 = 64;

/// One search, or a part of one.
struct Search<'w, 'q, C> {
    pair: Pair<'q>,
    goal: Goal,
    /// Steps to the next poll; initially [`POLL_INTERVAL`].
    poll_interval: u32,
    /// Polls until the search stops, with the remaining items in the stack.
    polls: u32,
    stack: &'w mut Stack,
    best: &'w mut Best,
    /// Pairs that are no nearer than the best, may be as near, and come before it in the order of triangles. They are
    /// evaluated at the end, since of many only the first that is as near matters.
    ties: Vec<Contact>,
    counter: &'w mut C,
    control: &'w Control<'w>,
}

/// The stack is sorted when the best is nearer than it was at the last time, but not before a step for every so many
/// items: so that sorting `n` items adds time of `log n` to a step.
const SORTED_PER_STEP: usize = 16;

/// The most pairs that wait in [`Search::ties`].
const TIES: usize = 1024;

/// A pair may tie with the best if the bound on its squared distance is more than this part of the limit.
const ABOUT: f32 = 0.9;

impl<C: Counter> Task for Search<'_, '_, C> {
    type Out = Result<(), Cancelled>;

    /// Searches below the items of the stack. If the goal is reached, none are left.
    #[inline(always)]
    fn run<S: Simd>(mut self) -> Self::Out {
        let quads = Quads::new(&self.pair);
        let mut best = *self.best;
        let mut stack = std::mem::take(self.stack);
        stack.parts.belong_to(&self.pair);
        let mut out = Ok(());
        let (mut sorted_limit, mut steps) = (best.limit, 0);
        while let Some(bounded) = stack.items.pop() {
            let Bounded { square, item, .. } = bounded;
            if square > best.limit {
                continue;
            }
            steps += 1;
            self.poll_interval = self.poll_interval.saturating_sub(1);
            if self.poll_interval == 0 {
                self.poll_interval = POLL_INTERVAL;
                out = self.control.check();
                self.polls -= 1;
                if out.is_err() || self.polls == 0 {
                    stack.items.push(bounded);
                    break;
                }
            }
            if let Some(leaves) = item.as_leaves() {
                if self.leaves::<S>(leaves, &quads, &mut best) {
                    stack.items.clear();
                }
                if best.limit < sorted_limit && steps * SORTED_PER_STEP >= stack.items.len() {
                    stack.sort(best.limit);
                    (sorted_limit, steps) = (best.limit, 0);
                }
                continue;
            }
            self.step::<S>(bounded, &mut stack, &best);
        }
        if out.is_ok() {
            out = self.settle(&mut best);
        }
        (*self.stack, *self.best) = (stack, best);
        out
    }
}

/// The index and value of the least of those numbers whose bits are set.
#[inline(always)]
fn least(mut left: u32, squares: &[f32; LANES]) -> Option<(usize, f32)> {
    let mut found = None;
    while left != 0 {
        let bit = left.trailing_zeros() as usize;
        left &= left - 1;
        if found.is_none_or(|(_, square)| squares[bit] < square) {
            found = Some((bit, squares[bit]));
        }
    }
    found
}

/// Bits of the numbers that are at most the limit.
#[inline(always)]
fn at_most(limit: f32, squares: &[f32; LANES]) -> u32 {
    let mut bits = 0;
    for (l, square) in squares.iter().enumerate() {
        bits |= u32::from(*square <= limit) << l;
    }
    bits
}

impl<C: Counter> Search<'_, '_, C> {
    /// Tests a box against a node and pushes the lanes that may be near enough, or the triangles of the box, if it is
    /// a leaf, against the same node.
    #[inline(always)]
    fn step<S: Simd>(&mut self, bounded: Bounded, stack: &mut Stack, best: &Best) {
        let item = bounded.item;
        let node = self.pair.node(item.side(), item.node());
        let (of_one, relative) = stack.parts.relative::<S>(&self.pair, item, node);
        // Factor from the lanes' units to A's, squared.
        let [a, b] = self.pair.placement.exponents;
        let to_a = if item.side() == 0 { 1.0 } else { power_of_two(2 * (b - a)) };
        let (mut squares, mut wide) = ([0.0; LANES], [0.0; LANES]);
        let mut centers = [0.0; LANES];
        let mut near = node.firsts();
        if self.pair.placement.far {
            let one = stack.parts.single(&self.pair, item);
            self.pair.placement.sides[item.side()].far(&one, node, &mut wide);
        } else {
            let limit = (best.limit / to_a * (1.0 + 1e-6)) as f32;
            near &= gaps::bounds::<S>(&relative, node, limit, &mut squares, &mut centers);
            wide = squares.map(f64::from);
        }
        self.counter.volumes(u64::from(node.lanes));
        let h = relative.half;
        let size = h[0] * h[0] + h[1] * h[1] + h[2] * h[2];
        let items = &mut stack.items;
        if of_one & LEAF != 0 && item.part().is_none() && !self.pair.placement.far {
            let thick = parts::thickness(h);
            // Lanes at most half of that from the leaf's box.
            let close = near & at_most(0.25 * thick * thick, &squares);
            if parts::opens_thick(thick, node, close) {
                let leaves = &self.pair.models[1 - item.side()].tree.leaves;
                let triangles = 0..leaves[(of_one & !LEAF) as usize].len();
                items.extend(triangles.map(|t| Bounded { item: item.of_part(t), ..bounded }));
                return;
            }
        }
        let base = items.len();
        while near != 0 {
            let lane = near.trailing_zeros() as usize;
            near &= near - 1;
            let square = wide[lane % LANES] * to_a;
            if square > best.limit {
                continue;
            }
            let item = match Pair::next(item, of_one, size, node, lane) {
                Next::Leaves(a, b) => Item::leaves(a, b),
                Next::Open(item) => item,
            };
            let order = stack::order(square, f64::from(centers[lane % LANES]) * to_a);
            stack::insert(items, base, Bounded { square, order, item });
        }
    }

    /// Evaluates the pairs of two leaves; true if the goal is reached.
    #[inline(always)]
    fn leaves<S: Simd>(&mut self, [a, b]: [u32; 2], quads: &Quads, best: &mut Best) -> bool {
        let a = &self.pair.models[0].tree.leaves[a as usize];
        let b = &self.pair.models[1].tree.leaves[b as usize];
        let mut left = there(a.len(), b.len());
        let mut squares = [0.0; LANES];
        if self.pair.placement.far {
            left &= !far::beyond(&self.pair, [a, b], best.unit, best.limit);
        } else {
            let (limit, mut exactly) = (quads.limit(best.limit), false);
            loop {
                let ([p, q], reach) = if exactly {
                    quads.exactly(&self.pair, a, b)
                } else {
                    quads.load::<S>(&self.pair, a, b)
                };
                left &= !heights::beyond::<S>(&p, &q, &reach, limit);
                if left == 0 {
                    return false;
                }
                directions::bounds::<S>(&p, &q, &reach, &mut squares);
                left &= at_most(limit, &squares);
                // Where several are about as near as the best, tighter bounds cost less than they do.
                if exactly || left.count_ones() < 2 || best.limit == f64::INFINITY {
                    break;
                }
                exactly = true;
            }
        }
        while let Some((bit, square)) = least(left, &squares) {
            if square > quads.limit(best.limit) {
                return false;
            }
            left &= !(1 << bit);
            let triangles = Contact { a: a.triangles()[bit / 4], b: b.triangles()[bit % 4] };
            let may_tie = self.pair.placement.far || square > ABOUT * quads.limit(best.limit);
            if self.offer(triangles, may_tie, best) {
                return true;
            }
        }
        false
    }

    /// Evaluates a pair's distance in 64 bits, or decides exactly whether it is within the goal's
    /// distance. In the latter case only the triangle indices of the result are meaningful. True if
    /// the goal is reached. `may_tie`: whether the pair may be just as near as the best.
    #[inline(never)]
    fn offer(&mut self, triangles: Contact, may_tie: bool, best: &mut Best) -> bool {
        self.poll_interval = self.poll_interval.saturating_sub(1);
        if may_tie && let Some(found) = best.found {
            let (p, q) = self.pair.triangles(triangles.a, triangles.b);
            let gap = triangle::gap(&p, &q);
            if best.is_beaten(gap, triangles) {
                return false;
            }
            if gap == found.distance {
                self.ties.push(triangles);
                if self.ties.len() >= TIES && self.settle(best).is_err() {
                    // The next step hears of it.
                    self.poll_interval = 1;
                }
                return false;
            }
        }
        match self.goal {
            Goal::Within(d) => {
                let (p, q) = self.pair.triangles(triangles.a, triangles.b);
                self.counter.primitives(1);
                let within = exact::within(&p, &q, d);
                if within {
                    best.found = Some(Nearest { distance: d, on_a: p[0], on_b: q[0], triangles });
                }
                within
            }
            Goal::Minimum => {
                self.evaluate(triangles, best);
                false
            }
        }
    }

    /// Evaluates a pair's distance in 64 bits; true if it is the best.
    fn evaluate(&mut self, triangles: Contact, best: &mut Best) -> bool {
        let (p, q) = self.pair.triangles(triangles.a, triangles.b);
        self.counter.primitives(1);
        let (distance, on_a, on_b) = triangle::distance_apart(&p, &q);
        let is_best = !best.is_beaten(distance, triangles);
        if is_best {
            if best.found.is_some_and(|found| distance < found.distance) {
                self.ties.clear();
            }
            best.found = Some(Nearest { distance, on_a, on_b, triangles });
            best.limit(distance);
        }
        is_best
    }

    /// Evaluates the pairs that may be as near as the best, the least triangles first, until one is.
    #[inline(never)]
    fn settle(&mut self, best: &mut Best) -> Result<(), Cancelled> {
        let mut ties = std::mem::take(&mut self.ties);
        ties.sort_unstable();
        for index in 0..ties.len() {
            if (index + 1).is_multiple_of(POLL_INTERVAL as usize)
                && let Err(cancelled) = self.control.check()
            {
                // The others wait on, so that none is forgotten if no step follows.
                self.ties = ties.split_off(index);
                return Err(cancelled);
            }
            // Since it was put off, a pair before it may have been found.
            let is_after = best.found.is_some_and(|found| ties[index] >= found.triangles);
            if is_after || self.evaluate(ties[index], best) {
                break;
            }
        }
        ties.clear();
        self.ties = ties;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use impinge_models::Random;

    use super::*;

    #[test]
    fn the_least_of_some_numbers_is_found_the_first_of_equal_ones() {
        let mut random = Random::new(92);
        assert_eq!(least(0, &[1.0; LANES]), None);
        for _ in 0..300 {
            let squares = [0; LANES].map(|_| random.below(8) as f32);
            let bits = 1 + random.below(0xffff) as u32;
            let some = (0..LANES).filter(|l| bits >> l & 1 == 1);
            let first = some.min_by(|i, j| squares[*i].total_cmp(&squares[*j])).expect("some");
            assert_eq!(least(bits, &squares), Some((first, squares[first])));
        }
    }
}
