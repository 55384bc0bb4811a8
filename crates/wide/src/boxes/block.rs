//! Blocks of sixteen boxes in lanes, and the test of one box against a block.

use super::keys::Key;
use crate::simd::Simd;

/// Boxes of a block, and children of a node.
pub(super) const LANES: usize = 16;

/// Sixteen boxes: those of objects, or those around the blocks of the level below.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Block {
    pub(super) low: [[f32; LANES]; 3],
    pub(super) high: [[f32; LANES]; 3],
}

/// Flags of a block's lanes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flags {
    /// Lanes in which all objects are fixed, or there is none.
    pub(super) fixed: u16,
    /// Lanes in which there is room for an object.
    pub(super) open: u16,
}

impl Block {
    /// A block without boxes.
    pub(super) const NONE: Self =
        Self { low: [[Key::NONE.low[0]; LANES]; 3], high: [[Key::NONE.high[0]; LANES]; 3] };

    #[inline(always)]
    pub(super) fn lane(&self, l: usize) -> Key {
        let [low, high] = [&self.low, &self.high].map(|x| [x[0][l], x[1][l], x[2][l], 0.0]);
        Key { low, high }
    }

    #[inline(always)]
    pub(super) fn set(&mut self, l: usize, key: &Key) {
        for k in 0..3 {
            (self.low[k][l], self.high[k][l]) = (key.low[k], key.high[k]);
        }
    }

    /// The box around all.
    #[inline(always)]
    pub(super) fn bounds(&self) -> Key {
        let mut key = Key::NONE;
        for k in 0..3 {
            (key.low[k], key.high[k]) = (least(&self.low[k]), -least(&negated(&self.high[k])));
        }
        key
    }
}

#[inline(always)]
fn negated(x: &[f32; LANES]) -> [f32; LANES] {
    let mut negated = *x;
    for l in 0..LANES {
        negated[l] = -x[l];
    }
    negated
}

/// The least of sixteen, by halves.
#[inline(always)]
fn least(x: &[f32; LANES]) -> f32 {
    let (mut eight, mut four) = ([0.0; 8], [0.0; 4]);
    for l in 0..8 {
        eight[l] = less(x[l], x[l + 8]);
    }
    for l in 0..4 {
        four[l] = less(eight[l], eight[l + 4]);
    }
    less(less(four[0], four[2]), less(four[1], four[3]))
}

#[inline(always)]
fn less(x: f32, y: f32) -> f32 {
    if x < y { x } else { y }
}

/// Three least and three largest coordinates, in lanes.
type Six<S> = [[<S as Simd>::F; 3]; 2];

/// Lanes `at ..` of a block.
#[inline(always)]
pub(super) fn lanes<S: Simd>(block: &Block, at: usize) -> Six<S> {
    let (low, high) = (&block.low, &block.high);
    [
        [S::load(&low[0], at), S::load(&low[1], at), S::load(&low[2], at)],
        [S::load(&high[0], at), S::load(&high[1], at), S::load(&high[2], at)],
    ]
}

/// Lane `l` of a block, modulo the number of lanes, in all lanes.
#[inline(always)]
pub(super) fn all<S: Simd>(block: &Block, l: usize) -> Six<S> {
    let (low, high) = (&block.low, &block.high);
    let l = l % LANES;
    [
        [S::splat(low[0][l]), S::splat(low[1][l]), S::splat(low[2][l])],
        [S::splat(high[0][l]), S::splat(high[1][l]), S::splat(high[2][l])],
    ]
}

/// The largest gap between a box and the boxes in lanes on any axis: boxes whose keys have a gap
/// above zero are apart, below zero they overlap, and at zero the keys do not tell. Differences of
/// 32-bit numbers have the right sign, however they are rounded.
#[inline(always)]
pub(super) fn gap<S: Simd>(one: &Six<S>, others: &Six<S>) -> S::F {
    let [low, high] = one;
    let [lows, highs] = others;
    let x = S::max(S::sub(low[0], highs[0]), S::sub(lows[0], high[0]));
    let y = S::max(S::sub(low[1], highs[1]), S::sub(lows[1], high[1]));
    let z = S::max(S::sub(low[2], highs[2]), S::sub(lows[2], high[2]));
    S::max(x, S::max(y, z))
}

/// The bits of all lanes of a vector.
#[inline(always)]
pub(super) const fn full<S: Simd>() -> u32 {
    ((1u64 << S::LANES) - 1) as u32
}

/// Bit `l` is set if the box in lane `l` may overlap a box.
#[inline(always)]
pub(super) fn near<S: Simd>(one: &Six<S>, block: &Block) -> u32 {
    let zero = S::splat(0.0);
    let (mut near, mut at) = (0, 0);
    while at < LANES {
        let gap = gap::<S>(one, &lanes::<S>(block, at));
        near |= (!S::bits(S::gt(gap, zero)) & full::<S>()) << at;
        at += S::LANES;
    }
    near
}
