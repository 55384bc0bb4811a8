//! The minimum distance of two surfaces that do not meet, or whether some pair is within a
//! distance: depth first, the nearest box first, with lower bounds for pruning (Larsen et al. 1999,
//! as cited in fan §1.3.3.5). [`rounds`]: long searches on several threads.

mod rounds;

use impinge_geometry::{exact, triangle};
use impinge_query::{Cancelled, Contact, Control, Counter, Goal, Nearest};

use super::Pair;
use super::contacts::there;
use super::pair::{Item, Next};
use super::quads::Quads;
use crate::frame::power_of_two;
use crate::kernel::{directions, gaps, heights};
use crate::simd::{Simd, Task};
use crate::tree::LANES;

pub(crate) use rounds::{Question, nearest};

/// Steps between two polls of the caller's flag. Evaluating a pair of triangles counts as a step,
/// because that takes longer.
const POLL_INTERVAL: u32 = 64;

/// An item and a lower bound on its squared distance, in the units of A, clamped as in
/// [`Placement`](crate::placement::Placement).
#[derive(Clone, Copy, Debug, Default)]
struct Bounded {
    square: f64,
    item: Item,
}

/// The stack, kept between queries to reuse the allocation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stack(Vec<Bounded>);

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
    counter: &'w mut C,
    control: &'w Control<'w>,
}

/// The nearest pair so far, and the squared distance beyond which items are pruned.
#[derive(Clone, Copy, Debug)]
struct Best {
    found: Option<Nearest>,
    /// The distance of a pair that another part of the search has found, or infinity.
    known: f64,
    /// Whether that pair is reported rather than one of this part that is as near.
    known_is_first: bool,
    /// In the clamped units of A, squared.
    limit: f64,
    unit: f64,
}

impl Best {
    /// Nothing is known but that pairs farther apart than `most` are ignored.
    fn new(pair: &Pair<'_>, most: Option<f64>) -> Self {
        let unit = power_of_two(-pair.placement.exponents[0]);
        let (known, limit) = (f64::INFINITY, f64::INFINITY);
        let mut best = Self { found: None, known, known_is_first: false, limit, unit };
        if let Some(most) = most {
            best.limit(most);
        }
        best
    }

    /// Whether a pair of triangles at this distance is not reported.
    #[inline(always)]
    fn is_beaten(&self, distance: f64) -> bool {
        match &self.found {
            Some(found) => distance >= found.distance,
            None if self.known_is_first => distance >= self.known,
            None => distance > self.known,
        }
    }

    /// Whether no pair was found yet, here or elsewhere.
    #[inline(always)]
    fn is_nothing(&self) -> bool {
        self.found.is_none() && self.known == f64::INFINITY
    }

    /// Sets the limit to a distance in the mesh's unit, rounded up. Its product with the unit is
    /// exact, or so small that its square is negligible beside the least normal number, which is
    /// added for underflow of that square. On overflow the limit is infinite and prunes nothing.
    fn limit(&mut self, distance: f64) {
        let d = distance * self.unit;
        self.limit = d * d * (1.0 + 1e-14) + f64::MIN_POSITIVE;
    }
}

/// Boxes are searched in the order of the bounds on their squared distances, to which this part of the squared
/// distance of their centres is added: many boxes near each other overlap, with bounds of zero, and without the
/// centres a short distance, which prunes others, is found late.
const OF_CENTERS: f64 = 1.0 / 1024.0;

/// A pair may tie with the best if the bound on its squared distance is more than this part of the limit.
const ABOUT: f32 = 0.9;

impl<C: Counter> Task for Search<'_, '_, C> {
    type Out = Result<(), Cancelled>;

    /// Searches below the items of the stack. If the goal is reached, none are left.
    #[inline(always)]
    fn run<S: Simd>(mut self) -> Self::Out {
        let quads = Quads::new(&self.pair);
        let mut best = *self.best;
        let mut stack = std::mem::take(&mut self.stack.0);
        let mut out = Ok(());
        while let Some(Bounded { square, item }) = stack.pop() {
            if square > best.limit {
                continue;
            }
            self.poll_interval = self.poll_interval.saturating_sub(1);
            if self.poll_interval == 0 {
                self.poll_interval = POLL_INTERVAL;
                out = self.control.check();
                self.polls -= 1;
                if out.is_err() || self.polls == 0 {
                    stack.push(Bounded { square, item });
                    break;
                }
            }
            if let Some(leaves) = item.as_leaves() {
                if self.leaves::<S>(leaves, &quads, &mut best) {
                    stack.clear();
                }
                continue;
            }
            self.step::<S>(item, &mut stack, &best);
        }
        (self.stack.0, *self.best) = (stack, best);
        out
    }
}

/// Inserts an item so that those above `base`, of which `orders` has one number each, stay sorted by these, the
/// least on top.
#[inline(always)]
fn insert(
    stack: &mut Vec<Bounded>,
    base: usize,
    orders: &mut [f64; LANES],
    (new, order): (Bounded, f64),
) {
    let mut i = stack.len() - base;
    stack.push(new);
    while i > 0 && orders[i - 1] < order {
        (stack[base + i], orders[i]) = (stack[base + i - 1], orders[i - 1]);
        i -= 1;
    }
    (stack[base + i], orders[i]) = (new, order);
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
    /// Tests a box against a node and pushes the lanes that may be near enough.
    #[inline(always)]
    fn step<S: Simd>(&mut self, item: Item, stack: &mut Vec<Bounded>, best: &Best) {
        let node = self.pair.node(item.side(), item.node());
        let (one, l) = self.pair.single(item);
        let side = &self.pair.placement.sides[item.side()];
        let relative = side.relative::<S>(one, l, node);
        // Factor from the lanes' units to A's, squared.
        let [a, b] = self.pair.placement.exponents;
        let to_a = if item.side() == 0 { 1.0 } else { power_of_two(2 * (b - a)) };
        let (mut squares, mut wide) = ([0.0; LANES], [0.0; LANES]);
        let (mut centers, mut orders) = ([0.0; LANES], [0.0; LANES]);
        let mut near = node.firsts();
        if self.pair.placement.far {
            side.far(one, l, node, &mut wide);
        } else {
            let limit = (best.limit / to_a * (1.0 + 1e-6)) as f32;
            near &= gaps::bounds::<S>(&relative, node, limit, &mut squares, &mut centers);
            wide = squares.map(f64::from);
        }
        self.counter.volumes(u64::from(node.lanes));
        let (of_one, h) = (one.child[l], relative.half);
        let size = h[0] * h[0] + h[1] * h[1] + h[2] * h[2];
        let base = stack.len();
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
            let order = wide[lane % LANES] + f64::from(centers[lane % LANES]) * OF_CENTERS;
            insert(stack, base, &mut orders, (Bounded { square, item }, order));
        }
    }

    /// Evaluates the pairs of two leaves; true if the goal is reached.
    #[inline(always)]
    fn leaves<S: Simd>(&mut self, [a, b]: [u32; 2], quads: &Quads, best: &mut Best) -> bool {
        let a = &self.pair.models[0].tree.leaves[a as usize];
        let b = &self.pair.models[1].tree.leaves[b as usize];
        let mut left = there(a.len(), b.len());
        let mut squares = [0.0; LANES];
        if !self.pair.placement.far {
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
                let mut bounds = [0.0; LANES];
                directions::bounds::<S>(&p, &q, &reach, &mut bounds);
                if exactly {
                    left &= at_most(limit, &bounds);
                    break;
                }
                // The order of equal distances is that of these bounds, whatever is known already.
                squares = bounds;
                // Where several are about as near as the best, tighter bounds cost less than they do.
                let near = left & at_most(limit, &bounds);
                if near.count_ones() < 2 || best.is_nothing() {
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
            let may_tie = square > ABOUT * quads.limit(best.limit);
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
        let (p, q) = self.pair.triangles(triangles.a, triangles.b);
        if may_tie && !best.is_nothing() && best.is_beaten(triangle::gap(&p, &q)) {
            return false;
        }
        self.counter.primitives(1);
        match self.goal {
            Goal::Within(d) => {
                let within = exact::within(&p, &q, d);
                if within {
                    best.found = Some(Nearest { distance: d, on_a: p[0], on_b: q[0], triangles });
                }
                within
            }
            Goal::Minimum => {
                let (distance, on_a, on_b) = triangle::distance_apart(&p, &q);
                if !best.is_beaten(distance) {
                    best.found = Some(Nearest { distance, on_a, on_b, triangles });
                    best.limit(distance);
                }
                false
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use impinge_models::Random;

    use super::*;

    fn nothing(unit: f64) -> Best {
        let (known, limit) = (f64::INFINITY, f64::INFINITY);
        Best { found: None, known, known_is_first: false, limit, unit }
    }

    /// Items below the base stay in place; above it the one with the least number is on top, whatever its
    /// bound, and equal ones keep their order.
    #[test]
    fn a_stack_is_sorted_above_its_base() {
        let mut random = Random::new(91);
        for n in (0..=LANES as u32).cycle().take(68) {
            let bounded = |square: f64, one| Bounded { square, item: Item::leaves(one, 0) };
            let mut stack = vec![bounded(0.5, 100), bounded(9.0, 101)];
            let mut wanted: Vec<(f64, u32)> = Vec::new();
            let mut orders = [0.0; LANES];
            for one in 0..n {
                let order = random.below(6) as f64;
                insert(&mut stack, 2, &mut orders, (bounded(-order, one), order));
                wanted.push((order, one));
            }
            wanted.sort_by(|x, y| y.0.total_cmp(&x.0));
            let found: Vec<(f64, u32)> = (stack.iter())
                .map(|x| (x.square.abs(), x.item.as_leaves().map_or(u32::MAX, |leaves| leaves[0])))
                .collect();
            assert_eq!(found[..2], [(0.5, 100), (9.0, 101)]);
            assert_eq!(found[2..], wanted);
        }
    }

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

    /// A limit is never less than the square in A's units, and at most slightly larger; where
    /// squares underflow it is the least normal number.
    #[test]
    fn limits_are_squares_rounded_up() {
        for (unit, distance) in
            [(1.0, 3.0), (0.125, 3.0), (1024.0, 0.1), (1.0, 1e-200), (1.0, 0.0), (1.0, 1e-153)]
        {
            let mut best = nothing(unit);
            best.limit(distance);
            let square = (distance * unit) * (distance * unit);
            let most = square * (1.0 + 1.1e-14) + 2.0 * f64::MIN_POSITIVE;
            assert!(best.limit >= square + f64::MIN_POSITIVE && best.limit <= most, "{distance:e}");
            assert!(square == 0.0 || best.limit > square, "{distance:e}");
        }
        let mut best = nothing(1e200);
        best.limit = 1.0;
        best.limit(1e200);
        assert_eq!(best.limit, f64::INFINITY);
    }
}
