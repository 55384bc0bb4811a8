//! Where to cut a set of triangles in two: the surface-area heuristic (Wald 2007), over bins of
//! centroids or, for few triangles, over all cuts.

use super::record::{Bounds, Record};

/// Bins per axis.
const BINS: usize = 16;
/// At most this many triangles are sorted instead of binned.
const FEW: usize = 16;

/// Rearranges at least two records and returns the length of the first part; both parts are
/// non-empty. Records with equal centroids are halved. O(n).
pub(super) fn split(records: &mut [Record]) -> usize {
    if records.len() <= FEW { sweep(records) } else { binned(records) }
}

/// Number of leaves a side needs; the side costs its area times this.
#[inline(always)]
fn leaves(n: usize) -> f32 {
    n.div_ceil(4) as f32
}

/// Cuts at the best of all places along the three axes.
fn sweep(records: &mut [Record]) -> usize {
    let n = records.len();
    let mut best = (f32::INFINITY, n / 2);
    let mut chosen = [0u8; FEW];
    for k in 0..3 {
        let order = sorted(records, k);
        let mut after = [0.0; FEW];
        let mut bounds = Bounds::EMPTY;
        for i in (1..n).rev() {
            bounds.add(&records[order[i] as usize]);
            after[i] = bounds.area();
        }
        let mut bounds = Bounds::EMPTY;
        for i in 1..n {
            bounds.add(&records[order[i - 1] as usize]);
            let cost = bounds.area() * leaves(i) + after[i] * leaves(n - i);
            if cost < best.0 {
                best = (cost, i);
                chosen = order;
            }
        }
    }
    if best.0 < f32::INFINITY {
        let mut copy = [Record::default(); FEW];
        copy[..n].copy_from_slice(records);
        for (to, from) in records.iter_mut().zip(chosen) {
            *to = copy[from as usize];
        }
    }
    best.1
}

/// Indices of records sorted by centroid along an axis; stable.
#[inline(always)]
fn sorted(records: &[Record], k: usize) -> [u8; FEW] {
    let mut order = [0u8; FEW];
    let mut keys = [0.0f32; FEW];
    for (i, r) in records.iter().enumerate() {
        let key = r.low[k] + r.high[k];
        let mut at = i;
        while at > 0 && keys[at - 1] > key {
            (keys[at], order[at]) = (keys[at - 1], order[at - 1]);
            at -= 1;
        }
        (keys[at], order[at]) = (key, i as u8);
    }
    order
}

/// Maps centroids to bins.
#[derive(Clone, Copy)]
struct Grid {
    low: [f32; 4],
    scale: [f32; 4],
}

impl Grid {
    fn over(records: &[Record]) -> Self {
        let mut bounds = Bounds::EMPTY;
        for r in records {
            let c = r.twice();
            bounds.join(&Bounds { low: c, high: c });
        }
        let mut scale = [0.0; 4];
        for k in 0..3 {
            let s = BINS as f32 * 0.9999 / (bounds.high[k] - bounds.low[k]);
            scale[k] = if s < f32::MAX { s } else { 0.0 };
        }
        Self { low: bounds.low, scale }
    }

    /// The bins of a record along the three axes.
    #[inline(always)]
    fn bins(&self, r: &Record) -> [usize; 4] {
        let c = r.twice();
        let mut bins = [0; 4];
        for k in 0..4 {
            bins[k] = bin(c[k], self.low[k], self.scale[k]);
        }
        bins
    }

    #[inline(always)]
    fn bin(&self, r: &Record, k: usize) -> usize {
        bin(r.low[k] + r.high[k], self.low[k], self.scale[k])
    }
}

/// The nearest integer to `(x − low) · scale − ½`, from the last bits of a sum with 3 · 2²²:
/// `as i32` takes three times as long, because it handles NaN and values out of range.
#[inline(always)]
fn bin(x: f32, low: f32, scale: f32) -> usize {
    const SHIFT: f32 = (3 << 22) as f32;
    (((x - low) * scale - 0.5) + SHIFT).to_bits() as usize % BINS
}

type Bins = [[(Bounds, usize); BINS]; 3];

fn binned(records: &mut [Record]) -> usize {
    let grid = Grid::over(records);
    let mut bins: Bins = [[(Bounds::EMPTY, 0); BINS]; 3];
    for r in records.iter() {
        let at = grid.bins(r);
        for k in 0..3 {
            let (bounds, count) = &mut bins[k][at[k]];
            bounds.add(r);
            *count += 1;
        }
    }
    let mut best = (f32::INFINITY, 0, 0);
    for (k, bins) in bins.iter().enumerate() {
        let (cost, cut) = cheapest(bins);
        if cost < best.0 {
            best = (cost, k, cut);
        }
    }
    let (cost, k, cut) = best;
    if cost == f32::INFINITY {
        return records.len() / 2;
    }
    let mut first = 0;
    for i in 0..records.len() {
        // Read before it moves, so that no load waits for a store.
        let below = grid.bin(&records[i], k) < cut;
        records.swap(i, first);
        first += usize::from(below);
    }
    first
}

/// The least cost of a cut before some bin, and that bin; infinite if all records are in one bin.
fn cheapest(bins: &[(Bounds, usize); BINS]) -> (f32, usize) {
    let mut after = [(0.0, 0); BINS];
    let (mut bounds, mut count) = (Bounds::EMPTY, 0);
    for i in (1..BINS).rev() {
        bounds.join(&bins[i].0);
        count += bins[i].1;
        after[i] = (bounds.area(), count);
    }
    let (mut bounds, mut count) = (Bounds::EMPTY, 0);
    let mut best = (f32::INFINITY, 0);
    for i in 1..BINS {
        bounds.join(&bins[i - 1].0);
        count += bins[i - 1].1;
        if count > 0 && after[i].1 > 0 {
            let cost = bounds.area() * leaves(count) + after[i].0 * leaves(after[i].1);
            if cost < best.0 {
                best = (cost, i);
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Halves of boxes of one size need as many leaves as the whole, so a set in which no cut saves
    /// area has to be cut all the same, and not along the axis on which all centroids are equal.
    #[test]
    fn both_parts_have_records_where_no_cut_saves_area() {
        for equal in 0..3 {
            let record = |id: u32| {
                let mut record = Record { low: [-4.0; 3], id, high: [4.0; 3], unused: 0 };
                for k in (0..3).filter(|&k| k != equal) {
                    record.low[k] -= id as f32 / 64.0;
                    record.high[k] += id as f32 / 128.0;
                }
                record
            };
            let mut records: Vec<Record> = (0..4 * FEW as u32).map(record).collect();
            let first = split(&mut records);
            assert!(0 < first && first < records.len(), "{equal}: {first}");
        }
    }
}
