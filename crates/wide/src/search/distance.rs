//! The minimum distance of two surfaces that do not meet, or whether some pair is within a
//! distance: depth first, the nearest box first, with lower bounds for pruning (Larsen et al. 1999,
//! as cited in fan §1.3.3.5).

use impinge_geometry::volume::Aabb;
use impinge_geometry::{Triangle, exact, triangle};
use impinge_query::{Cancelled, Contact, Control, Counter, Goal, Nearest};

use super::Pair;
use super::contacts::there;
use super::pair::{Item, Next};
use super::quads::Quads;
use crate::frame::power_of_two;
use crate::kernel::{directions, gaps, heights};
use crate::simd::{Simd, Task};
use crate::tree::LANES;

/// Steps between two polls of the caller's flag. Evaluating a pair of triangles counts as a step,
/// because that takes longer.
pub(crate) const POLL_INTERVAL: u32 = 64;

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

/// One search.
pub(crate) struct Search<'w, 'q, C> {
    pub(crate) pair: Pair<'q>,
    pub(crate) goal: Goal,
    /// Pairs farther apart than this are ignored, if given.
    pub(crate) most: Option<f64>,
    /// Steps to the next poll; initially [`POLL_INTERVAL`].
    pub(crate) poll_interval: u32,
    pub(crate) stack: &'w mut Stack,
    pub(crate) counter: &'w mut C,
    pub(crate) control: &'w Control<'w>,
}

/// The nearest pair so far, and the squared distance beyond which items are pruned.
struct Best {
    found: Option<Nearest>,
    /// In the clamped units of A, squared.
    limit: f64,
    unit: f64,
}

impl Best {
    /// Sets the limit to a distance in the mesh's unit, rounded up. Its product with the unit is
    /// exact, or so small that its square is negligible beside the least normal number, which is
    /// added for underflow of that square. On overflow the limit is infinite and prunes nothing.
    fn limit(&mut self, distance: f64) {
        let d = distance * self.unit;
        self.limit = d * d * (1.0 + 1e-14) + f64::MIN_POSITIVE;
    }
}

/// A pair may tie with the best if the bound on its squared distance is more than this part of the limit.
const ABOUT: f32 = 0.9;

impl<C: Counter> Task for Search<'_, '_, C> {
    type Out = Result<Option<Nearest>, Cancelled>;

    #[inline(always)]
    fn run<S: Simd>(mut self) -> Self::Out {
        let quads = Quads::new(&self.pair);
        let exponents = self.pair.placement.exponents;
        let unit = power_of_two(-exponents[0]);
        let mut best = Best { found: None, limit: f64::INFINITY, unit };
        if let Some(most) = self.most {
            best.limit(most);
        }
        let mut stack = std::mem::take(&mut self.stack.0);
        stack.clear();
        stack.push(Bounded { square: 0.0, item: self.pair.start() });
        let mut out = Ok(());
        while let Some(Bounded { square, item }) = stack.pop() {
            if square > best.limit {
                continue;
            }
            self.poll_interval = self.poll_interval.saturating_sub(1);
            if self.poll_interval == 0 {
                self.poll_interval = POLL_INTERVAL;
                out = self.control.check();
                if out.is_err() {
                    break;
                }
            }
            if let Some(leaves) = item.as_leaves() {
                if self.leaves::<S>(leaves, &quads, &mut best) {
                    break;
                }
                continue;
            }
            self.step::<S>(item, &mut stack, &best);
        }
        self.stack.0 = stack;
        out.map(|()| best.found)
    }
}

/// Inserts an item so that those above `base` stay sorted, the nearest on top.
#[inline(always)]
fn insert(stack: &mut Vec<Bounded>, base: usize, new: Bounded) {
    let mut i = stack.len();
    stack.push(new);
    while i > base && stack[i - 1].square < new.square {
        stack[i] = stack[i - 1];
        i -= 1;
    }
    stack[i] = new;
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

/// The largest gap of the boxes of two triangles along an axis, rounded to the nearest number: the triangles are
/// no nearer. Faces in two parallel planes across an axis have many pairs that are as near as the planes;
/// this shows it of each.
#[inline(always)]
fn gap(p: &Triangle, q: &Triangle) -> f64 {
    let (p, q) = (Aabb::of_triangle(p), Aabb::of_triangle(q));
    (0..3).fold(0.0, |most: f64, k| most.max(q.min[k] - p.max[k]).max(p.min[k] - q.max[k]))
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
        let mut near = node.firsts();
        if self.pair.placement.far {
            side.far(one, l, node, &mut wide);
        } else {
            let limit = (best.limit / to_a * (1.0 + 1e-6)) as f32;
            near &= gaps::bounds::<S>(&relative, node, limit, &mut squares);
            wide = squares.map(f64::from);
        }
        self.counter.volumes(u64::from(node.lanes));
        let h = relative.half;
        let size = h[0] * h[0] + h[1] * h[1] + h[2] * h[2];
        let base = stack.len();
        while near != 0 {
            let lane = near.trailing_zeros() as usize;
            near &= near - 1;
            let square = wide[lane % LANES] * to_a;
            if square > best.limit {
                continue;
            }
            let item = match Pair::next(item, (one, l), size, node, lane) {
                Next::Leaves(a, b) => Item::leaves(a, b),
                Next::Open(item) => item,
            };
            insert(stack, base, Bounded { square, item });
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
                if near.count_ones() < 2 || best.found.is_none() {
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
        if may_tie && best.found.is_some_and(|found| gap(&p, &q) >= found.distance) {
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
                if best.found.is_none_or(|found| distance < found.distance) {
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
    use impinge_geometry::Point;
    use impinge_models::Random;

    use super::*;

    /// Items below the base stay in place; above it the nearest is on top, and equal ones keep
    /// their order.
    #[test]
    fn a_stack_is_sorted_above_its_base() {
        let mut random = Random::new(91);
        for n in 0..40 {
            let bounded = |square: f64, one| Bounded { square, item: Item::leaves(one, 0) };
            let mut stack = vec![bounded(0.5, 100), bounded(9.0, 101)];
            let mut wanted: Vec<(f64, u32)> = Vec::new();
            for one in 0..n {
                let square = random.below(6) as f64;
                insert(&mut stack, 2, bounded(square, one));
                wanted.push((square, one));
            }
            wanted.sort_by(|x, y| y.0.total_cmp(&x.0));
            let found: Vec<(f64, u32)> = (stack.iter())
                .map(|x| (x.square, x.item.as_leaves().map_or(u32::MAX, |leaves| leaves[0])))
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

    /// Two triangles are as far apart as their boxes along any axis: exactly, but for the rounding of one
    /// difference. Above each other in planes across an axis they are no farther.
    #[test]
    fn a_gap_of_boxes_is_at_most_the_distance() {
        let mut random = Random::new(93);
        let (mut apart, mut as_near) = (0, 0);
        for k in 0..6_000 {
            let axis = k % 3;
            let heights = [random.range(-3.0, 3.0), random.range(-3.0, 3.0)];
            let is_flat = k % 2 == 0;
            let [p, q] = heights.map(|height| {
                let mut triangle = [(); 3].map(|()| Point::from(random.vector(-1.0, 1.0)));
                for x in &mut triangle {
                    x[axis] = if is_flat { height } else { x[axis] + height };
                }
                triangle
            });
            let gap = gap(&p, &q);
            assert_eq!(gap, super::gap(&q, &p));
            apart += usize::from(gap > 0.0);
            assert!(gap == 0.0 || !exact::within(&p, &q, gap.next_down()), "{p:?} {q:?} {gap:e}");
            as_near += usize::from(is_flat && exact::within(&p, &q, gap.next_up()));
        }
        assert!(apart > 4_000 && as_near > 1_000, "{apart} {as_near}");
    }

    /// A limit is never less than the square in A's units, and at most slightly larger; where
    /// squares underflow it is the least normal number.
    #[test]
    fn limits_are_squares_rounded_up() {
        for (unit, distance) in
            [(1.0, 3.0), (0.125, 3.0), (1024.0, 0.1), (1.0, 1e-200), (1.0, 0.0), (1.0, 1e-153)]
        {
            let mut best = Best { found: None, limit: f64::INFINITY, unit };
            best.limit(distance);
            let square = (distance * unit) * (distance * unit);
            let most = square * (1.0 + 1.1e-14) + 2.0 * f64::MIN_POSITIVE;
            assert!(best.limit >= square + f64::MIN_POSITIVE && best.limit <= most, "{distance:e}");
            assert!(square == 0.0 || best.limit > square, "{distance:e}");
        }
        let mut best = Best { found: None, limit: 1.0, unit: 1e200 };
        best.limit(1e200);
        assert_eq!(best.limit, f64::INFINITY);
    }
}
