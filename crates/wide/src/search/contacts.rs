//! All pairs of triangles that meet, or one of them: depth-first traversal that opens the larger
//! box.

use std::ops::ControlFlow;

use impinge_geometry::prefetch;
use impinge_query::{Cancelled, Contact, Control, Counter, Place};

use super::Pair;
use super::pair::{Item, Next};
use super::parts::{self, Parts};
use super::quads::{Loaded, Quads};
use crate::kernel::{boxes, directions, sides, triangles};
use crate::placement::Relative;
use crate::simd::{Simd, Task};
use crate::tree::{LANES, LEAF, Node};

/// Steps between two polls of the caller's flag. A pair of leaves counts as a step, and so does a
/// pair of triangles without a certain answer, because deciding it exactly takes longer.
pub(crate) const POLL_INTERVAL: u32 = 256;

/// Items for which a stack has room from its first search on.
const ROOM: usize = 128;

/// Pairs of a box and a node still to be tested. Kept between queries to reuse the allocation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stack {
    items: Vec<Item>,
    parts: Parts,
    /// Where the last search for a first contact found one.
    place: Option<Place>,
    /// Where the next one begins.
    start: Option<Place>,
}

impl Stack {
    /// Resets to the first item of a pair.
    #[inline(always)]
    pub(crate) fn begin(&mut self, pair: &Pair<'_>) {
        self.clear();
        // In a new memory it is empty. Most searches need more than the four items that a vector begins with.
        self.items.reserve(ROOM);
        self.items.push(pair.start());
    }

    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.items.clear();
        (self.place, self.start) = (None, None);
    }

    /// Whether the next search begins at a place.
    #[inline]
    pub(crate) const fn starts_at_place(&self) -> bool {
        self.start.is_some()
    }

    /// Where the last search for a first contact found one.
    #[inline]
    pub(crate) const fn place(&self) -> Option<Place> {
        self.place
    }

    /// Takes what was kept of a search, for the next one of the same pair.
    #[inline]
    pub(crate) const fn recall(&mut self, place: Option<Place>) {
        (self.place, self.start) = (place, place);
    }

    /// Resets to the items at the place where the next search begins. `false` if there is none.
    #[inline(always)]
    pub(crate) fn begin_at_place(&mut self, pair: &Pair<'_>) -> bool {
        let Some(place) = self.start.take() else { return false };
        let Some(items) = pair.at(place) else { return false };
        self.items.clear();
        self.items.extend(items);
        true
    }

    /// Whether no item is left.
    pub(crate) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Removes and returns the uppermost item.
    #[inline(always)]
    pub(super) fn pop(&mut self) -> Option<Item> {
        self.items.pop()
    }

    /// Removes and returns the older half, which has the larger boxes; `None` if there are fewer
    /// than two items.
    pub(crate) fn older_half(&mut self) -> Option<Self> {
        let half = self.items.len() / 2;
        let mut older = || self.items.drain(..half).collect();
        (half > 0).then(|| Self { items: older(), ..Self::default() })
    }

    /// Deals the items out to at most so many stacks, from the uppermost on, so that each gets of the larger
    /// pairs of boxes, which are lower.
    pub(crate) fn parts(&self, most: usize) -> impl Iterator<Item = Self> {
        (0..most.min(self.items.len())).map(move |first| {
            let mut items: Vec<Item> =
                self.items.iter().rev().skip(first).step_by(most).copied().collect();
            items.reverse();
            Self { items, ..Self::default() }
        })
    }

    /// Replaces the items by those of stacks, the uppermost first.
    pub(crate) fn pile_up(&mut self, parts: impl DoubleEndedIterator<Item = Self>) {
        self.items.clear();
        self.items.extend(parts.rev().flat_map(|part| part.items));
    }
}

/// Is told what a traversal finds apart.
pub(crate) trait Apart {
    /// Whether it wants to know: gaps cost time.
    const WANTED: bool;
    /// A step: these lanes of the item are at least `gap` apart from its box, in the lanes' unit and
    /// up to a factor of `1 − 2⁻¹⁶`. There may be none.
    fn boxes(&mut self, item: Item, lanes: u32, gap: f32);
    /// All triangles of a leaf of A and one of B are at least the root of `square` apart, in the larger
    /// model's unit.
    fn leaves(&mut self, leaves: [u32; 2], square: f32);
}

impl Apart for () {
    const WANTED: bool = false;
    #[inline(always)]
    fn boxes(&mut self, _: Item, _: u32, _: f32) {}
    #[inline(always)]
    fn leaves(&mut self, _: [u32; 2], _: f32) {}
}

/// One traversal. `NEAR`: visit the nearest box first, for a first contact.
pub(crate) struct Walk<'w, 'q, C, H, D, A, const NEAR: bool> {
    pub(crate) pair: Pair<'q>,
    /// Stops after this many polls, with the remaining items in the stack.
    pub(crate) polls: u32,
    /// Steps to the next poll; initially [`POLL_INTERVAL`].
    pub(crate) poll_interval: u32,
    pub(crate) stack: &'w mut Stack,
    pub(crate) counter: &'w mut C,
    pub(crate) control: &'w Control<'w>,
    /// Takes each contact once; may end the traversal.
    pub(crate) hit: H,
    /// Decides two triangles without a certain answer. A function call, not inlined into the
    /// kernel.
    pub(crate) decide: D,
    /// What is apart.
    pub(crate) apart: A,
    /// Whether both models are one, in one place: pairs of leaves are then tested in one order, and
    /// give their contacts in both.
    pub(crate) mirrored: bool,
}

impl<'w, 'q, C, H, D, A, const NEAR: bool> Walk<'w, 'q, C, H, D, A, NEAR> {
    /// A traversal to its end.
    #[inline(always)]
    pub(crate) fn new(
        pair: Pair<'q>,
        stack: &'w mut Stack,
        counter: &'w mut C,
        control: &'w Control<'w>,
        hit: H,
        decide: D,
        apart: A,
    ) -> Self {
        stack.parts.belong_to(&pair);
        let (polls, poll_interval) = (u32::MAX, POLL_INTERVAL);
        let mirrored = false;
        Self { pair, polls, poll_interval, stack, counter, control, hit, decide, apart, mirrored }
    }
}

impl<C, H, D, A, const NEAR: bool> Task for Walk<'_, '_, C, H, D, A, NEAR>
where
    C: Counter,
    H: FnMut(Contact) -> ControlFlow<()>,
    D: Fn(&Pair<'_>, u32, u32) -> bool,
    A: Apart,
{
    type Out = Result<(), Cancelled>;

    #[inline(always)]
    fn run<S: Simd>(mut self) -> Result<(), Cancelled> {
        let quads = Quads::new(&self.pair);
        match self.descend::<S>(&mut [0.0; LANES], &quads) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(done) => done,
        }
    }
}

impl<C, H, D, A, const NEAR: bool> Walk<'_, '_, C, H, D, A, NEAR>
where
    C: Counter,
    H: FnMut(Contact) -> ControlFlow<()>,
    D: Fn(&Pair<'_>, u32, u32) -> bool,
    A: Apart,
{
    /// Tests the items of the stack and what they lead to, until none is left, or the taker of
    /// contacts, a cancellation, or the end of the polls breaks it off.
    #[inline(always)]
    pub(super) fn descend<S: Simd>(
        &mut self,
        near: &mut [f32; LANES],
        quads: &Quads,
    ) -> ControlFlow<Result<(), Cancelled>> {
        while let Some(item) = self.stack.items.pop() {
            if self.poll() {
                let done = self.control.check();
                self.polls -= 1;
                if done.is_err() || self.polls == 0 {
                    self.stack.items.push(item);
                    return ControlFlow::Break(done);
                }
            }
            if NEAR && let Some(leaves) = item.as_leaves() {
                if self.leaves::<S>(leaves, u32::MAX, quads).is_break() {
                    return ControlFlow::Break(Ok(()));
                }
                continue;
            }
            let among = if NEAR { self.pair.firsts(item) } else { u32::MAX };
            if self.step::<S>(item, among, near, quads).is_break() {
                return ControlFlow::Break(Ok(()));
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether it is time to poll the caller's flag.
    #[inline(always)]
    pub(super) fn poll(&mut self) -> bool {
        self.poll_interval = self.poll_interval.saturating_sub(1);
        if self.poll_interval > 0 {
            return false;
        }
        self.poll_interval = POLL_INTERVAL;
        true
    }

    /// Tests one box against those lanes of a node whose bits are set in `among`.
    #[inline(always)]
    pub(super) fn step<S: Simd>(
        &mut self,
        item: Item,
        among: u32,
        near: &mut [f32; LANES],
        quads: &Quads,
    ) -> ControlFlow<()> {
        if let Some(next) = self.stack.items.last() {
            prefetch(self.pair.node(next.side(), next.node()));
        }
        let node = self.pair.node(item.side(), item.node());
        let (of_one, relative) = self.stack.parts.relative::<S>(&self.pair, item, node);
        let mut meets = self.lanes::<S>(item, &relative, node, among, near);
        self.counter.volumes(u64::from(node.lanes));
        if meets == 0 {
            return ControlFlow::Continue(());
        }
        let h = relative.half;
        let size = h[0] * h[0] + h[1] * h[1] + h[2] * h[2];
        let leaf = of_one & LEAF != 0 && item.part().is_none();
        // The triangles are tested against all lanes, as when an item is popped.
        let of_all = || among == u32::MAX || among == self.pair.firsts(item);
        if leaf && parts::opens::<NEAR>(size, node, meets) && of_all() {
            let leaf = &self.pair.models[1 - item.side()].tree.leaves[(of_one & !LEAF) as usize];
            self.stack.items.extend((0..leaf.len()).map(|t| item.of_part(t)));
            return ControlFlow::Continue(());
        }
        // Sixteen pairs take no longer than four, and any contact is the first.
        let pairs = if NEAR { u32::MAX } else { parts::among(item) };
        let base = self.stack.items.len();
        let mut nearest = (f32::INFINITY, base);
        while meets != 0 {
            let lane = meets.trailing_zeros() as usize;
            meets &= meets - 1;
            match Pair::next(item, of_one, size, node, lane) {
                Next::Leaves(a, b) => {
                    if self.leaves::<S>([a, b], pairs, quads).is_break() {
                        self.stack.place = item.place(lane);
                        return ControlFlow::Break(());
                    }
                }
                Next::Open(next) => {
                    if NEAR && near[lane] < nearest.0 {
                        nearest = (near[lane], self.stack.items.len());
                    }
                    self.stack.items.push(next);
                }
            }
        }
        if NEAR && self.stack.items.len() > base + 1 {
            let top = self.stack.items.len() - 1;
            self.stack.items.swap(nearest.1, top);
        }
        ControlFlow::Continue(())
    }

    /// Those lanes of a node, whose bits are set in `among`, that an item's box may touch.
    #[inline(always)]
    fn lanes<S: Simd>(
        &mut self,
        item: Item,
        one: &Relative,
        node: &Node,
        among: u32,
        near: &mut [f32; LANES],
    ) -> u32 {
        if !A::WANTED {
            return boxes::meet::<S, NEAR>(one, node, near) & among;
        }
        let (meets, gap) = boxes::measure::<S, NEAR>(one, node, among, near);
        self.apart.boxes(item, among & node.in_use() & !meets, gap);
        meets
    }

    /// Tests those pairs of triangles of two leaves whose bits are set in `among`.
    #[inline(always)]
    pub(super) fn leaves<S: Simd>(
        &mut self,
        leaves: [u32; 2],
        among: u32,
        quads: &Quads,
    ) -> ControlFlow<()> {
        if self.mirrored && leaves[0] > leaves[1] {
            return ControlFlow::Continue(());
        }
        let a = &self.pair.models[0].tree.leaves[leaves[0] as usize];
        let b = &self.pair.models[1].tree.leaves[leaves[1] as usize];
        let there = there(a.len(), b.len()) & among;
        self.counter.primitives(u64::from(there.count_ones()));
        let mut exactly = quads.is_exact();
        let (fours, reach, certain) = loop {
            let (fours, reach) = if exactly {
                quads.exactly(&self.pair, a, b)
            } else {
                quads.load::<S>(&self.pair, a, b)
            };
            let mut certain = triangles::meet::<S>(&fours[0], &fours[1], &reach);
            let mut wanted = there;
            if NEAR {
                // Contacts are taken in order, so those after a certain one are not looked at.
                let first = there & certain.hit;
                wanted &= first ^ first.wrapping_sub(1);
            }
            let open = wanted & !(certain.hit | certain.miss);
            if open != 0 {
                // Most of what determinants leave open in one plane is apart in it.
                certain.miss |= sides::parted::<S>(&fours[0], &fours[1], &reach, open);
            }
            if exactly || wanted & !(certain.hit | certain.miss) == 0 {
                break (fours, reach, certain);
            }
            exactly = true;
        };
        self.poll_interval = self.poll_interval.saturating_sub(1);
        let mut left = there & !certain.miss;
        let (of_a, of_b) = (a.triangles(), b.triangles());
        while left != 0 {
            let bit = left.trailing_zeros() as usize;
            left &= left - 1;
            let contact = Contact { a: of_a[bit / 4], b: of_b[bit % 4] };
            let sure = certain.hit >> bit & 1 == 1;
            self.poll_interval = self.poll_interval.saturating_sub(u32::from(!sure));
            self.counter.exact(u64::from(!sure));
            if sure || (self.decide)(&self.pair, contact.a, contact.b) {
                (self.hit)(contact)?;
                if self.mirrored && leaves[0] != leaves[1] {
                    (self.hit)(Contact { a: contact.b, b: contact.a })?;
                }
            }
        }
        if A::WANTED {
            self.tell::<S>(leaves, there, &(fours, reach));
        }
        ControlFlow::Continue(())
    }

    /// Tells how far apart the pairs of two leaves are.
    #[inline(always)]
    fn tell<S: Simd>(&mut self, leaves: [u32; 2], there: u32, ([p, q], reach): &Loaded) {
        let mut squares = [0.0; LANES];
        directions::bounds::<S>(p, q, reach, &mut squares);
        let mut least = f32::INFINITY;
        for (bit, square) in squares.iter().enumerate() {
            if there >> bit & 1 == 1 && *square < least {
                least = *square;
            }
        }
        self.apart.leaves(leaves, least);
    }
}

/// Bits of the existing pairs, for leaves of `a` and `b` triangles.
#[inline(always)]
pub(super) fn there(a: usize, b: usize) -> u32 {
    let row = (1u32 << b) - 1;
    let all = row | row << 4 | row << 8 | row << 12;
    all & ((1u64 << (4 * a)) - 1) as u32
}

#[cfg(test)]
mod tests;
