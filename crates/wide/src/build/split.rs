//! Where to cut a set of triangles in two: the surface-area heuristic (Wald 2007), over bins of
//! centroids, of some of them if there are many, or, for few triangles, over all cuts.

use super::record::{Bounds, Record};
use crate::simd::{Simd, Task, Width};

/// Bins per axis.
const BINS: usize = 16;
/// At most this many triangles are sorted instead of binned.
const FEW: usize = 16;
/// Of at least twice as many triangles, about this many are binned, 2,700 to 5,500, at equal steps of their order. The
/// tests of queries grow and shrink by some hundredths, as by any other change of the upper cuts.
const SAMPLE: usize = 4096;

/// Rearranges at least two records and returns the length of the first part; both parts are
/// non-empty. Records with equal centroids are halved. O(n).
pub(super) fn split(records: &mut [Record], width: Width) -> usize {
    width.run(Split(records))
}

struct Split<'r>(&'r mut [Record]);

impl Task for Split<'_> {
    type Out = usize;

    #[inline(always)]
    fn run<S: Simd>(self) -> usize {
        if self.0.len() <= FEW { sweep::<S>(self.0) } else { binned::<S>(self.0) }
    }
}

/// Number of leaves a side needs; the side costs its area times this.
#[inline(always)]
fn leaves(n: usize) -> f32 {
    n.div_ceil(4) as f32
}

/// Cuts at the best of all places along the three axes.
#[inline(always)]
fn sweep<S: Simd>(records: &mut [Record]) -> usize {
    let n = records.len();
    let mut best = (f32::INFINITY, n / 2);
    let mut chosen = [0u8; FEW];
    for k in 0..3 {
        let order = sorted(records, k);
        let mut after = [0.0; FEW];
        let mut bounds = Bounds::EMPTY;
        for i in (1..n).rev() {
            bounds.add::<S>(&records[order[i] as usize]);
            after[i] = bounds.area();
        }
        let mut bounds = Bounds::EMPTY;
        for i in 1..n {
            bounds.add::<S>(&records[order[i - 1] as usize]);
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
    let mut keys = [0.0f32; FEW];
    for (key, r) in keys.iter_mut().zip(records) {
        *key = r.twice_along(k);
    }
    // How many come before each.
    let mut ranks = [0u32; FEW];
    for (j, &key) in keys.iter().enumerate().take(records.len()) {
        for i in 0..FEW {
            let is_equal_and_before = u32::from(key == keys[i]) & u32::from(j < i);
            ranks[i] += u32::from(key < keys[i]) | is_equal_and_before;
        }
    }
    let mut order = [0u8; FEW];
    for i in 0..records.len() {
        order[ranks[i] as usize % FEW] = i as u8;
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
    #[inline(always)]
    fn over<'r, S: Simd>(records: impl Iterator<Item = &'r Record>) -> Self {
        let mut bounds = Bounds::EMPTY;
        for r in records {
            bounds.add_point::<S>(r.twice());
        }
        let (mut scale, sides) = ([0.0; 4], bounds.sides());
        for k in 0..3 {
            let s = BINS as f32 * 0.9999 / sides[k];
            scale[k] = if s < f32::MAX { s } else { 0.0 };
        }
        Self { low: bounds.low(), scale }
    }

    /// The bins of a record along the three axes.
    #[inline(always)]
    fn bins(&self, r: &Record) -> [usize; 3] {
        let c = r.twice();
        let mut bins = [0; 3];
        for k in 0..3 {
            bins[k] = bin(c[k], self.low[k], self.scale[k]);
        }
        bins
    }

    /// Whether a record is before a bin. It may be one that the grid is not over.
    #[inline(always)]
    fn is_before(&self, r: &Record, k: usize, cut: usize) -> bool {
        shifted(r.twice_along(k), self.low[k], self.scale[k]) < SHIFT + cut as f32
    }
}

/// From here on numbers of 32 bits are whole: their last bits are those of the number added.
const SHIFT: f32 = (3 << 22) as f32;

/// The nearest integer to `(x − low) · scale − ½`, and [`SHIFT`].
#[inline(always)]
fn shifted(x: f32, low: f32, scale: f32) -> f32 {
    ((x - low) * scale - 0.5) + SHIFT
}

/// That integer: `as i32` takes three times as long, because it handles NaN and values out of range.
#[inline(always)]
fn bin(x: f32, low: f32, scale: f32) -> usize {
    shifted(x, low, scale).to_bits() as usize % BINS
}

/// The bins along an axis: bounds of the records in each, and how many there are.
#[derive(Clone, Copy)]
struct Bins {
    bounds: [Bounds; BINS],
    counts: [u32; BINS],
}

/// A cut before a bin along an axis.
struct Cut {
    grid: Grid,
    axis: usize,
    bin: usize,
}

#[inline(always)]
fn binned<S: Simd>(records: &mut [Record]) -> usize {
    // Odd, so that of triangles that come in pairs not only the first are looked at.
    let stride = (records.len() / SAMPLE) | 1;
    let mut cut = best::<S>(records, stride);
    if cut.is_none() && stride > 1 {
        cut = best::<S>(records, 1);
    }
    let Some(Cut { grid, axis, bin }) = cut else { return records.len() / 2 };
    let mut first = 0;
    for i in 0..records.len() {
        // Read before it moves, so that no load waits for a store.
        let before = grid.is_before(&records[i], axis, bin);
        records.swap(i, first);
        first += usize::from(before);
    }
    first
}

/// The best cut by every `stride`-th record; `None` if their centroids are equal.
#[inline(always)]
fn best<S: Simd>(records: &[Record], stride: usize) -> Option<Cut> {
    let grid = Grid::over::<S>(records.iter().step_by(stride));
    let mut bins = [Bins { bounds: [Bounds::EMPTY; BINS], counts: [0; BINS] }; 3];
    for r in records.iter().step_by(stride) {
        let at = grid.bins(r);
        for k in 0..3 {
            bins[k].bounds[at[k]].add::<S>(r);
            bins[k].counts[at[k]] += stride as u32;
        }
    }
    let (mut least, mut place) = (f32::INFINITY, None);
    for (k, bins) in bins.iter().enumerate() {
        let (cost, bin) = cheapest::<S>(bins);
        if cost < least {
            (least, place) = (cost, Some((k, bin)));
        }
    }
    let (axis, bin) = place?;
    Some(Cut { grid, axis, bin })
}

/// The least cost of a cut before some bin, and that bin; infinite if all records are in one bin.
#[inline(always)]
fn cheapest<S: Simd>(bins: &Bins) -> (f32, usize) {
    let mut after = [(0.0, 0); BINS];
    let (mut bounds, mut count) = (Bounds::EMPTY, 0);
    for i in (1..BINS).rev() {
        bounds.join::<S>(&bins.bounds[i]);
        count += bins.counts[i];
        after[i] = (bounds.area(), count);
    }
    let (mut bounds, mut count) = (Bounds::EMPTY, 0);
    let mut best = (f32::INFINITY, 0);
    for i in 1..BINS {
        bounds.join::<S>(&bins.bounds[i - 1]);
        count += bins.counts[i - 1];
        if count > 0 && after[i].1 > 0 {
            let cost =
                bounds.area() * leaves(count as usize) + after[i].0 * leaves(after[i].1 as usize);
            if cost < best.0 {
                best = (cost, i);
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use impinge_models::Random;

    use super::*;

    /// Halves of boxes of one size need as many leaves as the whole, so a set in which no cut saves
    /// area has to be cut all the same, and not along the axis on which all centroids are equal.
    #[test]
    fn both_parts_have_records_where_no_cut_saves_area() {
        for equal in 0..3 {
            let record = |id: u32| {
                let (mut low, mut high) = ([-4.0; 3], [4.0; 3]);
                for k in (0..3).filter(|&k| k != equal) {
                    low[k] -= id as f32 / 64.0;
                    high[k] += id as f32 / 128.0;
                }
                Record::new(id, low, high)
            };
            let mut records: Vec<Record> = (0..4 * FEW as u32).map(record).collect();
            let first = split(&mut records, Width::fastest());
            assert!(0 < first && first < records.len(), "{equal}: {first}");
        }
    }

    /// Cubes of these half-lengths, at these places.
    fn cubes(places: impl Iterator<Item = [f32; 3]>, half: f32) -> Vec<Record> {
        let at =
            |(id, p): (u32, [f32; 3])| Record::new(id, p.map(|x| x - half), p.map(|x| x + half));
        (0..).zip(places).map(at).collect()
    }

    /// Records that are not looked at lie on the side where they are, also outside all that are.
    #[test]
    fn what_is_not_in_the_sample_is_cut_like_the_rest() {
        let (n, mut random) = (10 * SAMPLE, Random::new(71));
        let stride = (n / SAMPLE) | 1;
        let mut most = 0;
        for width in Width::ALL {
            let place = |i: usize| {
                let size = if i.is_multiple_of(stride) { 0.01 } else { 1.0 };
                [(); 3].map(|()| size * random.range(-1.0, 1.0) as f32)
            };
            let mut records = cubes((0..n).map(place), 1e-4);
            let first = split(&mut records, width);
            assert!(0 < first && first < n, "{first}");
            let (below, above) = records.split_at(first);
            let of = |records: &[Record], k: usize| -> [f32; 2] {
                let at = || records.iter().map(|r| r.twice_along(k));
                [at().fold(f32::INFINITY, f32::min), at().fold(f32::NEG_INFINITY, f32::max)]
            };
            let apart = (0..3).filter(|&k| of(below, k)[1] <= of(above, k)[0]).count();
            assert_eq!(apart, 1, "{width}");
            let mut ids: Vec<u32> = records.iter().map(Record::id).collect();
            ids.sort_unstable();
            assert!(ids.into_iter().eq(0..n as u32));
            most = most.max(first.abs_diff(n / 2));
        }
        assert!(most < n / 4, "{most} from the middle");
    }

    /// All records are looked at where those of the sample have one centroid.
    #[test]
    fn a_sample_of_equal_centroids_is_not_all_that_is_looked_at() {
        let n = 10 * SAMPLE;
        let stride = (n / SAMPLE) | 1;
        // One in a hundred is elsewhere.
        let place = |i: usize| [if i % (100 * stride) == 1 { 1.0 } else { 0.0 }; 3];
        let mut records = cubes((0..n).map(place), 0.1);
        let away = n.div_ceil(100 * stride);
        assert_eq!(split(&mut records, Width::fastest()), n - away);
    }
}
