//! Steps 5 to 8: the pairs. Pairs of blocks are tested level by level, each box of one block against the
//! sixteen of the other.

use impinge_geometry::prefetch;
use impinge_geometry::volume::Aabb;
use impinge_query::{Cancelled, Control};

use super::block::{Block, LANES, all, full, gap, lanes, near};
use super::keys::Keys;
use super::levels::{Level, Levels};
use crate::simd::{Simd, Task};

/// Pairs of blocks that are tested between two looks at the caller's flag, and in one go before
/// their hits are read.
const CHUNK: usize = 128;

/// Pairs between the one that is tested and the one whose blocks are prefetched.
const AHEAD: usize = 2;

/// Most hits of a chunk. One is written for each row, whether or not it counts.
const HITS: usize = LANES * CHUNK;

/// A box that overlaps some of a block.
#[derive(Clone, Copy, Debug, Default)]
struct Hit {
    /// Place of the box: `16 b + l` is lane `l` of block `b`.
    place: u32,
    /// The other block.
    block: u32,
    /// Its lanes that the box may overlap.
    near: u16,
    /// Those of them whose keys do not tell.
    doubt: u16,
}

/// Pairs of blocks still to be tested, by level, and what to reuse.
#[derive(Clone, Debug, Default)]
pub(super) struct Overlap {
    open: Vec<Vec<[u32; 2]>>,
    hits: Vec<Hit>,
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// All pairs are known. The number of pairs of blocks of the lowest level that were tested.
    Done { work: usize },
    /// There were too many doubts.
    Doubtful,
}

/// Finds all pairs.
pub(super) struct Search<'s> {
    pub(super) keys: &'s Keys,
    pub(super) tree: &'s Levels,
    pub(super) overlap: &'s mut Overlap,
    /// Most pairs that may need an exact test and fail it.
    pub(super) doubts: usize,
    pub(super) control: &'s Control<'s>,
    pub(super) into: &'s mut Vec<[u32; 2]>,
}

impl Task for Search<'_> {
    type Out = Result<End, Cancelled>;

    #[inline(always)]
    fn run<S: Simd>(self) -> Self::Out {
        let Self { keys, tree, overlap: Overlap { open, hits }, doubts, control, into } = self;
        let levels = tree.levels.as_slice();
        for list in open.iter_mut() {
            list.clear();
        }
        open.resize(levels.len(), Vec::new());
        hits.resize(HITS, Hit::default());
        if let Some(last) = open.last_mut() {
            last.push([0, 0]);
        }
        let (mut work, mut refused) = (0, 0);
        // The lowest level first, so that lists stay short.
        while let Some(k) = open.iter().position(|list| !list.is_empty()) {
            control.check()?;
            let (lower, list) = open.split_at_mut(k);
            let Some(list) = list.first_mut() else { break };
            let rest = list.len().saturating_sub(CHUNK);
            let found = pass::<S>(levels, k, &list[rest..], hits);
            work += if k == 0 { list.len() - rest } else { 0 };
            list.truncate(rest);
            match lower.last_mut() {
                Some(list) => descend(found, list),
                None => refused += report(found, &tree.order, &keys.exact, into),
            }
            if refused > doubts {
                return Ok(End::Doubtful);
            }
        }
        Ok(End::Done { work })
    }
}

/// Tests pairs of blocks of level `k`.
#[inline(always)]
fn pass<'h, S: Simd>(
    levels: &[Level],
    k: usize,
    pairs: &[[u32; 2]],
    hits: &'h mut [Hit],
) -> &'h [Hit] {
    let blocks = &levels[k].blocks;
    let mut n = 0;
    for (number, &[a, b]) in pairs.iter().enumerate() {
        if let Some(&[a, b]) = pairs.get(number + AHEAD) {
            prefetch(&blocks[a as usize]);
            prefetch(&blocks[b as usize]);
        }
        let (mut a, mut b) = (a as usize, b as usize);
        let mut rows = u32::from(u16::MAX);
        if a != b {
            let above = &levels[k + 1].blocks;
            let around_b = all::<S>(&above[b / LANES], b);
            let around_a = all::<S>(&above[a / LANES], a);
            rows = near::<S>(&around_b, &blocks[a]);
            let others = near::<S>(&around_a, &blocks[b]);
            if others.count_ones() < rows.count_ones() {
                (a, b, rows) = (b, a, others);
            }
        }
        // Of a block with itself, each lane meets those after it; a node also itself.
        let after = if a == b { u32::from(u16::MAX) << u32::from(k == 0) } else { 0 };
        n = rows_against::<S>(&levels[k], [a, b], rows, after, hits, n);
    }
    &hits[..n]
}

/// Tests the boxes in `rows` of block `a` against block `b`; writes the hits from `n` on, and
/// returns the number after them. There is no branch on the outcome of a test.
#[inline(always)]
fn rows_against<S: Simd>(
    level: &Level,
    [a, b]: [usize; 2],
    rows: u32,
    after: u32,
    hits: &mut [Hit],
    mut n: usize,
) -> usize {
    let (own, block, zero) = (&level.blocks[a], &level.blocks[b], S::splat(0.0));
    let [fixed_a, fixed_b] = [a, b].map(|block| u32::from(level.flags[block].fixed));
    let mut masks = [[0u32; 2]; LANES];
    let mut at = 0;
    while at < LANES {
        let others = lanes::<S>(block, at);
        let mut left = rows;
        while left != 0 {
            let row = left.trailing_zeros() as usize % LANES;
            left &= left - 1;
            let gap = gap::<S>(&all::<S>(own, row), &others);
            let mut near = (!S::bits(S::gt(gap, zero)) & full::<S>()) << at;
            let mut sure = S::bits(S::gt(zero, gap)) << at;
            if at > 0 {
                near |= masks[row][0];
                sure |= masks[row][1];
            }
            if at + S::LANES < LANES {
                masks[row] = [near, sure];
                continue;
            }
            near &= if a == b { after << row } else { u32::MAX };
            // All bits, if this one is fixed.
            near &= !(fixed_b & 0u32.wrapping_sub(fixed_a >> row & 1));
            let (place, block) = ((LANES * a + row) as u32, b as u32);
            hits[n] = Hit { place, block, near: near as u16, doubt: (near & !sure) as u16 };
            n += usize::from(near as u16 != 0);
        }
        at += S::LANES;
    }
    n
}

/// Appends the pairs of blocks of the level below.
#[inline(always)]
fn descend(hits: &[Hit], into: &mut Vec<[u32; 2]>) {
    for hit in hits {
        let mut left = u32::from(hit.near);
        while left != 0 {
            let lane = left.trailing_zeros();
            left &= left - 1;
            into.push([hit.place, LANES as u32 * hit.block + lane]);
        }
    }
}

/// Appends the pairs of objects. Returns the number of doubts that were none.
#[inline(always)]
fn report(hits: &[Hit], order: &[u32], exact: &[Aabb], into: &mut Vec<[u32; 2]>) -> usize {
    let mut refused = 0;
    let objects = order.as_chunks::<LANES>().0;
    for hit in hits {
        let (i, others) = (order[hit.place as usize], &objects[hit.block as usize]);
        let mut left = u32::from(hit.near);
        if hit.doubt != 0 {
            left = certain(hit, exact, i, others);
            refused += (u32::from(hit.near) ^ left).count_ones() as usize;
        }
        while left != 0 {
            let j = others[left.trailing_zeros() as usize % LANES];
            left &= left - 1;
            into.push([i.min(j), i.max(j)]);
        }
    }
    refused
}

/// The lanes that a box overlaps, by exact tests of those in doubt.
#[cold]
fn certain(hit: &Hit, exact: &[Aabb], i: u32, others: &[u32; LANES]) -> u32 {
    let (mut left, mut near) = (u32::from(hit.doubt), u32::from(hit.near));
    while left != 0 {
        let lane = left.trailing_zeros();
        left &= left - 1;
        let j = others[lane as usize % LANES] as usize;
        if !exact[i as usize].overlaps(&exact[j]) {
            near &= !(1 << lane);
        }
    }
    near
}

/// Finds the objects whose boxes overlap one.
pub(super) struct Around<'s> {
    pub(super) keys: &'s Keys,
    pub(super) tree: &'s Levels,
    pub(super) one: &'s Aabb,
    pub(super) into: &'s mut Vec<u32>,
}

impl Task for Around<'_> {
    type Out = ();

    #[inline(always)]
    fn run<S: Simd>(self) {
        let Self { keys, tree, one, into } = self;
        let mut key = Block::NONE;
        key.set(0, &keys.map.key(one));
        let key = all::<S>(&key, 0);
        let Some(top) = tree.levels.len().checked_sub(1) else { return };
        let mut open = vec![(top, 0)];
        while let Some((k, b)) = open.pop() {
            let mut left = near::<S>(&key, &tree.levels[k].blocks[b]);
            while left != 0 {
                let child = LANES * b + left.trailing_zeros() as usize;
                left &= left - 1;
                if k > 0 {
                    open.push((k - 1, child));
                    continue;
                }
                let object = tree.order[child];
                if keys.exact.get(object as usize).is_some_and(|other| one.overlaps(other)) {
                    into.push(object);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use impinge_geometry::Point;

    use super::*;
    use crate::boxes::block::Flags;
    use crate::boxes::keys::Key;
    use crate::simd::Width;

    /// The number of hits of a pair of blocks of the lowest level.
    struct Hits<'l>(&'l [Level], [u32; 2]);

    impl Task for Hits<'_> {
        type Out = usize;

        #[inline(always)]
        fn run<S: Simd>(self) -> usize {
            pass::<S>(self.0, 0, &[self.1], &mut [Hit::default(); LANES]).len()
        }
    }

    /// One box of the first block overlaps all of the second: it gives the only row.
    #[test]
    fn rows_are_of_the_block_with_fewer_boxes_near_the_other() {
        let key = |x: f32, end: f32| Key { low: [x, 0.0, 0.0, 0.0], high: [end, 1.0, 1.0, 1.0] };
        let (mut one, mut all) = (Block::NONE, Block::NONE);
        for l in 0..LANES {
            let x = l as f32;
            one.set(l, &if l == 5 { key(0.0, 99.0) } else { key(-9.0 - x, -8.5 - x) });
            all.set(l, &key(2.0 * x, 2.0 * x + 1.0));
        }
        for width in Width::ALL.into_iter().filter(|width| width.is_present()) {
            for (blocks, pair) in [([one, all], [0, 1]), ([all, one], [0, 1]), ([one, all], [1, 0])]
            {
                let mut above = Block::NONE;
                (0..2).for_each(|l| above.set(l, &blocks[l].bounds()));
                let flags = Flags { fixed: 0, open: 0 };
                let levels = [
                    Level { blocks: blocks.to_vec(), flags: vec![flags; 2] },
                    Level { blocks: vec![above], flags: vec![flags] },
                ];
                assert_eq!(width.run(Hits(&levels, pair)), 1, "{width} {pair:?}");
            }
        }
    }

    /// Four lanes are near, two of them in doubt, of which one overlaps.
    #[test]
    fn doubts_that_were_none_are_counted() {
        let at = |x: f64| {
            let corner = |y: f64| Point::new(x + y, 0.0, 0.0);
            Aabb::fit_points([corner(0.0), corner(1.0)].into_iter()).expect("two points")
        };
        let exact: Vec<Aabb> = [0.0, 1.0, 0.5, 3.0, 0.25].map(at).to_vec();
        let mut order = [u32::MAX; LANES];
        order[..5].copy_from_slice(&[0, 1, 2, 3, 4]);
        let hit = Hit { place: 0, block: 0, near: 0b11110, doubt: 0b01010 };
        let mut pairs = Vec::new();
        assert_eq!(report(&[hit], &order, &exact, &mut pairs), 1);
        assert_eq!(pairs, [[0, 1], [0, 2], [0, 4]]);
    }
}
