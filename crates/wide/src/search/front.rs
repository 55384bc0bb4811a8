//! A first contact that continues where the last one ended: what was apart by more than the bodies
//! have moved since is apart.
//!
//! A search that finds no contact ends at a *front*: boxes, lanes of nodes and pairs of leaves that
//! are apart and together stand for all pairs of triangles. The front keeps each with its gap, and an
//! upper bound on the way that any point of B has gone. In the next query only those are tested that
//! this way may have closed (Klosowski 1998 keeps such a front without gaps).

use std::f64::consts::FRAC_1_SQRT_2;
use std::ops::ControlFlow;

use impinge_geometry::Pose;
use impinge_query::{Cancelled, Contact, Counter};

use super::Pair;
use super::contacts::{Apart, Walk};
use super::pair::Item;
use super::quads::Quads;
use crate::frame::power_of_two;
use crate::model::WideModel;
use crate::placement::rounding;
use crate::simd::{Simd, Task};
use crate::tree::LANES;

/// A gap counts as smaller by this share, for the rounding in 32 bits.
pub(crate) const LOST: f64 = 1.0 / (1 << 16) as f64;
/// Roundings of a sum of two numbers.
const UP: f64 = 1.0 + 1.0 / (1u64 << 50) as f64;
const DOWN: f64 = 1.0 - 1.0 / (1u64 << 50) as f64;

/// A front is begun, and goes on, if B has moved by less than this share of its radius since the last
/// search. At three times that, measured on tori and knots, fronts cost more than they save.
const SLOW: f64 = 1.0 / 128.0;
/// So many slow moves in a row come before a front. A search that begins one takes half as long again and more, and a
/// bisection or an approach often ends with two slow moves.
const MOVES: u32 = 3;
/// More than this many are not kept: 96 KiB.
const MOST: usize = 1 << 12;
/// A front of which more than this share is tested again saves too little.
const WORTH: [usize; 2] = [1, 2];
/// After a front that saved too little, none is begun for this many searches, at most.
const LONGEST_REST: u32 = 31;

/// Lanes of an item, or two leaves, that are apart.
#[derive(Clone, Copy, Debug)]
struct Part {
    item: Item,
    lanes: u32,
    /// They are apart until B has moved this far.
    until: f64,
}

/// What is apart, and since when.
#[derive(Clone, Debug)]
pub(crate) struct Front {
    parts: Vec<Part>,
    /// Whether the parts are a front, and stand for all pairs of triangles.
    whole: bool,
    /// The middle of B at the last search, relative to that of A, in A's frame and B's unit.
    center: [f64; 4],
    /// The pose of the last search that followed one with a middle near its own.
    pose: Pose,
    /// Slow moves in a row up to that pose, without a contact.
    slow: u32,
    /// No point of B has moved farther since the front was begun, in the meshes' unit.
    moved: f64,
    /// The least `until`.
    next: f64,
    /// Steps and pairs of leaves of this search, and of the one from the roots.
    tested: usize,
    from_roots: usize,
    /// Searches to go before a front is begun, and how many there were the last time.
    rest: u32,
    last_rest: u32,
}

/// How a first contact is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    /// From the roots, without a front.
    Plain,
    /// From the roots; what is apart becomes the front.
    Roots,
    /// From those parts of the front that may meet.
    Front,
}

impl Default for Front {
    fn default() -> Self {
        Self {
            parts: Vec::new(),
            whole: false,
            pose: Pose::identity(),
            center: NOWHERE,
            slow: 0,
            moved: 0.0,
            next: 0.0,
            tested: 0,
            from_roots: 0,
            rest: 0,
            last_rest: 0,
        }
    }
}

/// The middle of B before the first search: none is near it.
const NOWHERE: [f64; 4] = [f64::NAN; 4];

impl Front {
    /// Forgets everything, for another pair.
    pub(crate) fn forget(&mut self) {
        self.drop_parts();
        self.center = NOWHERE;
        (self.slow, self.rest, self.last_rest) = (0, 0, 0);
    }

    fn drop_parts(&mut self) {
        self.parts.clear();
        self.whole = false;
    }

    /// Whether the front proves that two models are apart at a pose. If not, [`Front::start`] follows.
    #[inline(always)]
    pub(crate) fn is_apart(&mut self, models: [&WideModel; 2], pose: &Pose) -> bool {
        self.whole && self.moves(models, pose)
    }

    /// Adds the way to a pose; `true` if no part can meet there.
    #[inline(never)]
    fn moves(&mut self, models: [&WideModel; 2], pose: &Pose) -> bool {
        let (radius, way) = way(models, [&self.pose, pose]);
        if !(way < SLOW * radius) {
            self.drop_parts();
            return false;
        }
        self.pose = *pose;
        if way > 0.0 {
            self.moved = (self.moved + way) * UP;
        }
        self.tested = 0;
        self.moved <= self.next
    }

    /// After a pose at which nothing is searched: what follows is no slow motion from the last search.
    #[inline(always)]
    pub(crate) fn pass_over(&mut self) {
        self.center = NOWHERE;
    }

    /// How to search for the first contact of a pair. A search from the front takes parts out of it, so
    /// that it is whole again only after [`Front::end`], and not after a panic.
    #[inline(always)]
    pub(crate) fn start(&mut self, pair: &Pair<'_>) -> Start {
        if std::mem::take(&mut self.whole) {
            return Start::Front;
        }
        let center = pair.placement.center();
        let before = std::mem::replace(&mut self.center, center);
        let near = (0..3).all(|k| (center[k] - before[k]).abs() <= SLOW);
        if near { self.begin(pair) } else { Start::Plain }
    }

    #[inline(never)]
    fn begin(&mut self, pair: &Pair<'_>) -> Start {
        let (radius, way) = way(pair.models, [&self.pose, pair.pose]);
        self.pose = *pair.pose;
        self.slow = if way < SLOW * radius { self.slow.saturating_add(1) } else { 0 };
        if self.rest > 0 || self.slow < MOVES {
            self.rest = self.rest.saturating_sub(1);
            return Start::Plain;
        }
        self.parts.clear();
        (self.moved, self.next, self.tested) = (0.0, f64::INFINITY, 0);
        Start::Roots
    }

    /// After a search that kept what was apart; `is_apart`: it ended, without a contact.
    #[inline(never)]
    pub(crate) fn end(&mut self, start: Start, is_apart: bool) {
        if !is_apart || self.parts.len() > MOST {
            self.slow = 0;
            return self.drop_parts();
        }
        if start == Start::Roots {
            self.from_roots = self.tested;
        } else if self.tested * WORTH[1] > self.from_roots * WORTH[0] + WORTH[1] {
            self.drop_parts();
            self.last_rest = (2 * self.last_rest + 1).min(LONGEST_REST);
            self.rest = self.last_rest;
            return;
        } else {
            self.last_rest = 0;
        }
        self.next = self.parts.iter().fold(f64::INFINITY, |least, part| least.min(part.until));
        self.whole = true;
    }

    /// Takes out a part that may meet, of the first `left` ones, which `at` and `left` bound from then on.
    #[inline(always)]
    fn take(&mut self, at: &mut usize, left: &mut usize) -> Option<Part> {
        while *at < *left {
            let part = self.parts[*at];
            if part.until < self.moved {
                *left -= 1;
                self.parts[*at] = self.parts[*left];
                self.parts.swap_remove(*left);
                return Some(part);
            }
            *at += 1;
        }
        None
    }
}

/// B's radius around the middle of its root box, and an upper bound on the way of any of its posed
/// and rounded points from one pose to the other; zero only if the poses are the same.
///
/// A point `c + v` moves by `ΔR v + (ΔR c + Δt)`. The difference of two rotations has two equal
/// singular values and one of zero, so `|ΔR v| ≤ |v| ‖ΔR‖_F / √2`. Poses are rotations up to a few
/// units of `2⁻⁵³`, and the sums here have a few dozen roundings of that size.
fn way(models: [&WideModel; 2], [before, now]: [&Pose; 2]) -> (f64, f64) {
    let tree = &models[1].tree;
    let (root, exponent) = (&tree.nodes[0], tree.frame.exponent);
    let (unit, scale) = (power_of_two(exponent), power_of_two(-exponent));
    let length = |v: [f64; 3]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
    let lane = root.get(0);
    let middle = [0, 1, 2].map(|k| f64::from(root.origin[k]) + f64::from(lane.center[k]));
    let radius = (length(middle) + length(lane.half.map(f64::from))) * (1.0 + 1e-6);
    if before == now {
        return (radius * unit, 0.0);
    }
    let turn = now.rotation() - before.rotation();
    let shift = now.translation() - before.translation();
    let center = tree.frame.center;
    let of_center = [0, 1, 2].map(|i| {
        let turned = (0..3).map(|k| turn[(i, k)] * center[k]).sum::<f64>();
        (turned + shift[i]) * scale
    });
    let turned = turn.norm() * (FRAC_1_SQRT_2 + 1e-9) + 1e-13;
    let way = (length(of_center) + turned * radius) * (1.0 + 1e-9) * unit;
    let max_abs = models.map(WideModel::max_abs);
    (radius * unit, way + rounding(before, max_abs) + rounding(now, max_abs))
}

/// What a search from the front, or one that begins it, finds apart.
pub(crate) struct Keeper<'f> {
    front: &'f mut Front,
    /// The units of A and B, and that of the larger.
    units: [f64; 2],
    larger: f64,
}

impl<'f> Keeper<'f> {
    pub(crate) fn new(front: &'f mut Front, pair: &Pair<'_>) -> Self {
        let [a, b] = pair.placement.exponents;
        let units = [power_of_two(a), power_of_two(b)];
        Self { front, units, larger: power_of_two(a.max(b)) }
    }

    #[inline(always)]
    fn keep(&mut self, item: Item, lanes: u32, gap: f64) {
        if self.front.parts.len() <= MOST {
            let gap = if gap < f64::MAX { gap * (1.0 - LOST) } else { 0.0 };
            let until = (self.front.moved + gap) * DOWN;
            self.front.parts.push(Part { item, lanes, until: until.max(self.front.moved) });
        }
    }
}

impl Apart for Keeper<'_> {
    const WANTED: bool = true;

    #[inline(always)]
    fn boxes(&mut self, item: Item, lanes: u32, gap: f32) {
        self.front.tested += 1;
        if lanes != 0 {
            self.keep(item, lanes, f64::from(gap) * self.units[item.side()]);
        }
    }

    #[inline(always)]
    fn leaves(&mut self, [a, b]: [u32; 2], square: f32) {
        self.front.tested += 1;
        self.keep(Item::leaves(a, b), 0, f64::from(square).sqrt() * self.larger);
    }
}

/// A search from the parts of a front that may meet.
pub(crate) struct FromFront<'w, 'q, C, H, D>(pub(crate) Walk<'w, 'q, C, H, D, Keeper<'w>, true>);

impl<C, H, D> Task for FromFront<'_, '_, C, H, D>
where
    C: Counter,
    H: FnMut(Contact) -> ControlFlow<()>,
    D: Fn(&Pair<'_>, u32, u32) -> bool,
{
    type Out = Result<(), Cancelled>;

    #[inline(always)]
    fn run<S: Simd>(self) -> Result<(), Cancelled> {
        let mut walk = self.0;
        walk.stack.clear();
        let quads = Quads::new(&walk.pair);
        let mut near = [0.0; LANES];
        let (mut at, mut left) = (0, walk.apart.front.parts.len());
        let mut done = Ok(());
        while let Some(part) = walk.apart.front.take(&mut at, &mut left) {
            let flow = match part.item.as_leaves() {
                Some(leaves) => walk.leaves::<S>(leaves, u32::MAX, &quads),
                None => walk.step::<S>(part.item, part.lanes, &mut near, &quads),
            };
            if flow.is_break() {
                break;
            }
            if walk.poll() {
                done = walk.control.check();
            }
            // One call, and no closure: the kernel is inlined here, with the set's instructions.
            let flow = if done.is_ok() {
                walk.descend::<S>(&mut near, &quads)
            } else {
                ControlFlow::Break(done)
            };
            if let ControlFlow::Break(end) = flow {
                done = end;
                break;
            }
        }
        done
    }
}

#[cfg(test)]
mod tests;
