//! Steps 2 and 3: the tree. Level 0 holds blocks of boxes in their order, level `k + 1` the bounds of the
//! blocks of level `k`: the child in lane `l` of block `b` is block `16 b + l`. No pointers.

use impinge_geometry::prefetch;
use impinge_query::{Cancelled, Control};

use super::NONE;
use super::block::{Block, Flags, LANES};
use super::keys::{Key, Keys};

/// Blocks between two looks at the caller's flag.
const STRETCH: usize = 1 << 8;

/// Levels above the lowest, at most: there are less than 2³² places.
const DEPTH: usize = 8;

/// Blocks between the one whose boxes are read and the one whose boxes are prefetched.
const AHEAD: usize = 3;

/// One level.
#[derive(Clone, Debug, Default)]
pub(super) struct Level {
    pub(super) blocks: Vec<Block>,
    pub(super) flags: Vec<Flags>,
}

/// The tree over an order of the boxes.
#[derive(Clone, Debug, Default)]
pub(super) struct Levels {
    /// The object in each place, [`NONE`] where there is room. Place `16 b + l` is lane `l` of
    /// block `b`.
    pub(super) order: Vec<u32>,
    /// The lowest first; the last has one block. None without objects.
    pub(super) levels: Vec<Level>,
}

impl Levels {
    /// Fits the tree to an order made anew, of which nothing is known.
    #[inline(always)]
    pub(super) fn fit(&mut self, keys: &Keys, control: &Control<'_>) -> Result<(), Cancelled> {
        let (mut n, mut k) = (self.order.len() / LANES, 0);
        while n > 0 {
            if self.levels.len() <= k {
                self.levels.push(Level::default());
            }
            self.levels[k].blocks.resize(n, Block::NONE);
            self.levels[k].flags.resize(n, Flags { fixed: 0, open: 0 });
            (n, k) = (if n == 1 { 0 } else { n.div_ceil(LANES) }, k + 1);
        }
        self.levels.truncate(k);
        let mut none = Vec::new();
        self.load::<false>(keys, &mut none, control)?;
        self.climb(control)
    }

    /// Fits the tree to boxes that have moved. Takes out the objects that are no more, and appends
    /// to `away` those that it takes out because their centres have left their block's bounds.
    #[inline(always)]
    pub(super) fn refit(
        &mut self,
        keys: &Keys,
        away: &mut Vec<u32>,
        control: &Control<'_>,
    ) -> Result<(), Cancelled> {
        if self.levels.len() > 1 {
            self.load::<true>(keys, away, control)?;
        } else {
            self.load::<false>(keys, away, control)?;
        }
        self.climb(control)
    }

    /// Loads the boxes of all objects. With `CHECK`, looks for those that are away.
    #[inline(always)]
    fn load<const CHECK: bool>(
        &mut self,
        keys: &Keys,
        away: &mut Vec<u32>,
        control: &Control<'_>,
    ) -> Result<(), Cancelled> {
        let none = Key::NONE;
        let (lowest, upper) = match self.levels.as_mut_slice() {
            [] => return Ok(()),
            [lowest, upper @ ..] => (lowest, upper),
        };
        let places = self.order.as_chunks_mut::<LANES>().0;
        let blocks = lowest.blocks.iter_mut().zip(&mut lowest.flags);
        for (b, (block, flags)) in blocks.enumerate() {
            if b.is_multiple_of(STRETCH) {
                control.check()?;
            }
            for &object in places.get(b + AHEAD).unwrap_or(&[NONE; LANES]) {
                if let Some(key) = keys.of.get(object as usize) {
                    prefetch(key);
                }
            }
            let objects = &mut places[b];
            let around = if CHECK { &upper[0].blocks[b / LANES].lane(b % LANES) } else { &none };
            let (low, high) = around.doubled();
            (flags.fixed, flags.open) = (0, 0);
            for (l, object) in objects.iter_mut().enumerate() {
                let mut key = keys.of.get(*object as usize).unwrap_or(&none);
                if CHECK && is_away(key, &low, &high) && !key.is_none() {
                    away.push(*object);
                    key = &none;
                }
                if key.is_none() {
                    *object = NONE;
                }
                flags.open |= u16::from(key.is_none()) << l;
                flags.fixed |= u16::from(key.is_fixed()) << l;
                block.set(l, key);
            }
        }
        Ok(())
    }

    /// Computes all levels but the lowest.
    #[inline(always)]
    fn climb(&mut self, control: &Control<'_>) -> Result<(), Cancelled> {
        for k in 1..self.levels.len() {
            let (below, here) = self.levels.split_at_mut(k);
            let (Some(below), Some(here)) = (below.last(), here.first_mut()) else { break };
            let lower = below.blocks.chunks(LANES).zip(below.flags.chunks(LANES));
            let own = here.blocks.iter_mut().zip(&mut here.flags);
            for (b, ((blocks, below), (own, flags))) in lower.zip(own).enumerate() {
                if b.is_multiple_of(STRETCH / LANES) {
                    control.check()?;
                }
                *own = Block::NONE;
                *flags = Flags { fixed: !0, open: 0 };
                for (l, (block, below)) in blocks.iter().zip(below).enumerate() {
                    own.set(l, &block.bounds());
                    flags.fixed &= !(u16::from(below.fixed != !0) << l);
                    flags.open |= u16::from(below.open != 0) << l;
                }
            }
        }
        Ok(())
    }

    /// Puts an object into the block that grows least in the sum of its sides. False if there is no
    /// room.
    #[inline(always)]
    pub(super) fn insert(&mut self, object: u32, key: &Key) -> bool {
        let Some(b) = self.best(key) else { return false };
        let mut place = LANES * b + self.levels[0].flags[b].open.trailing_zeros() as usize % LANES;
        self.order[place] = object;
        let mut filled = true;
        for (k, level) in self.levels.iter_mut().enumerate() {
            let (b, l) = (place / LANES, place % LANES);
            let mut around = if k == 0 { *key } else { level.blocks[b].lane(l) };
            for k in 0..3 {
                around.low[k] = around.low[k].min(key.low[k]);
                around.high[k] = around.high[k].max(key.high[k]);
            }
            level.blocks[b].set(l, &around);
            let flags = &mut level.flags[b];
            flags.fixed &= !(u16::from(!key.is_fixed()) << l);
            flags.open &= !(u16::from(filled) << l);
            filled &= flags.open == 0;
            place = b;
        }
        true
    }

    /// The block with room that grows least if it takes in a box. A block grows no less than what is
    /// around it.
    #[inline(always)]
    fn best(&self, key: &Key) -> Option<usize> {
        let top = self.levels.len().checked_sub(1)?;
        if top == 0 {
            return (self.levels[0].flags[0].open != 0).then_some(0);
        }
        let (mut least, mut best) = (f32::INFINITY, None);
        // By level: the block that is searched, what each lane would grow, and the lanes still open.
        let mut path = [(0, [0.0f32; LANES], 0u16); DEPTH];
        let enter = |k: usize, b: usize| {
            let level = &self.levels[k];
            (b, growth(&level.blocks[b], key), level.flags[b].open)
        };
        (path[top], path[0].0) = (enter(top, 0), 0);
        let mut k = top;
        while k <= top {
            let (b, growth, open) = &mut path[k];
            let mut lane = None;
            let mut bound = least;
            for l in 0..LANES {
                if *open >> l & 1 == 1 && growth[l] < bound {
                    (bound, lane) = (growth[l], Some(l));
                }
            }
            let Some(l) = lane else {
                k += 1;
                continue;
            };
            *open &= !(1 << l);
            let child = LANES * *b + l;
            if k == 1 {
                (least, best) = (bound, Some(child));
            } else {
                k -= 1;
                path[k] = enter(k, child);
            }
        }
        best
    }
}

/// Whether twice a box's centre is outside of a range.
#[inline(always)]
fn is_away(key: &Key, low: &[f32; 4], high: &[f32; 4]) -> bool {
    let mut away = [0; 4];
    for k in 0..4 {
        let twice = key.low[k] + key.high[k];
        away[k] = u32::from(twice < low[k]) | u32::from(twice > high[k]);
    }
    away[0] | away[1] | away[2] | away[3] != 0
}

/// What each lane's box grows in the sum of its sides if it takes in a box.
#[inline(always)]
fn growth(block: &Block, key: &Key) -> [f32; LANES] {
    let mut growth = [0.0; LANES];
    for k in 0..3 {
        for l in 0..LANES {
            let (under, over) = (block.low[k][l] - key.low[k], key.high[k] - block.high[k][l]);
            growth[l] += if under > 0.0 { under } else { 0.0 };
            growth[l] += if over > 0.0 { over } else { 0.0 };
        }
    }
    growth
}

#[cfg(test)]
mod tests;
