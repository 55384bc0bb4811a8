//! Where to cut a set of triangles in two: the surface-area heuristic over bins of centroids
//! (Wald 2007).

/// A triangle's bounds in the model's frame, rounded to nearest: they choose the tree's shape, no
/// verdict.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Record {
    pub(crate) low: [f32; 3],
    /// Index of the triangle.
    pub(crate) id: u32,
    pub(crate) high: [f32; 3],
    pub(crate) unused: u32,
}

impl Record {
    /// Twice the centroid of the bounds.
    #[inline(always)]
    fn twice(&self, k: usize) -> f32 {
        self.low[k] + self.high[k]
    }
}

/// Bins along an axis.
const BINS: usize = 16;

/// Bounds that grow.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    low: [f32; 3],
    high: [f32; 3],
}

impl Bounds {
    pub(crate) const EMPTY: Self = Self { low: [f32::INFINITY; 3], high: [f32::NEG_INFINITY; 3] };

    #[inline(always)]
    fn add(&mut self, low: &[f32; 3], high: &[f32; 3]) {
        for k in 0..3 {
            self.low[k] = if low[k] < self.low[k] { low[k] } else { self.low[k] };
            self.high[k] = if high[k] > self.high[k] { high[k] } else { self.high[k] };
        }
    }

    /// Half the surface; zero if empty.
    fn area(&self) -> f32 {
        let s: [f32; 3] = std::array::from_fn(|k| (self.high[k] - self.low[k]).max(0.0));
        s[0] * s[1] + s[1] * s[2] + s[2] * s[0]
    }
}

/// Half the surface of the bounds of these records.
pub(crate) fn area(records: &[Record]) -> f32 {
    let mut bounds = Bounds::EMPTY;
    for r in records {
        bounds.add(&r.low, &r.high);
    }
    bounds.area()
}

/// Rearranges records so that the first part, whose length it returns, goes to one child and the
/// rest to the other; neither is empty. Records that cannot be told apart are halved. O(n).
pub(crate) fn split(records: &mut [Record]) -> usize {
    let (low, high) = centroids(records);
    let mut best = (f32::INFINITY, 0, 0);
    let scale: [f32; 3] = std::array::from_fn(|k| {
        if high[k] > low[k] { BINS as f32 * 0.9999 / (high[k] - low[k]) } else { 0.0 }
    });
    let mut bins = [[(Bounds::EMPTY, 0u32); BINS]; 3];
    for r in records.iter() {
        for k in 0..3 {
            let (bounds, count) = &mut bins[k][bin(r.twice(k), low[k], scale[k])];
            bounds.add(&r.low, &r.high);
            *count += 1;
        }
    }
    for k in 0..3 {
        if scale[k] > 0.0 && scale[k].is_finite() {
            let (cost, cut) = cheapest(&bins[k]);
            if cost < best.0 {
                best = (cost, k, cut);
            }
        }
    }
    let (cost, k, cut) = best;
    if cost == f32::INFINITY {
        return records.len() / 2;
    }
    partition(records, |r| bin(r.twice(k), low[k], scale[k]) < cut)
}

fn centroids(records: &[Record]) -> ([f32; 3], [f32; 3]) {
    let mut bounds = Bounds::EMPTY;
    for r in records {
        let c = [r.twice(0), r.twice(1), r.twice(2)];
        bounds.add(&c, &c);
    }
    (bounds.low, bounds.high)
}

#[inline(always)]
fn bin(x: f32, low: f32, scale: f32) -> usize {
    (((x - low) * scale) as usize).min(BINS - 1)
}

/// Least cost of a cut before some bin, and that bin; infinite if all are in one bin. A side costs its
/// area times the leaves it needs.
fn cheapest(bins: &[(Bounds, u32); BINS]) -> (f32, usize) {
    let mut after = [(0.0, 0); BINS];
    let (mut bounds, mut count) = (Bounds::EMPTY, 0);
    for i in (1..BINS).rev() {
        bounds.add(&bins[i].0.low, &bins[i].0.high);
        count += bins[i].1;
        after[i] = (bounds.area(), count);
    }
    let leaves = |n: u32| n.div_ceil(4) as f32;
    let (mut bounds, mut count) = (Bounds::EMPTY, 0);
    let mut best = (f32::INFINITY, 0);
    for i in 1..BINS {
        bounds.add(&bins[i - 1].0.low, &bins[i - 1].0.high);
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

/// Those that satisfy `first` to the front; how many they are.
fn partition(records: &mut [Record], first: impl Fn(&Record) -> bool) -> usize {
    let (mut i, mut j) = (0, records.len());
    loop {
        while i < j && first(&records[i]) {
            i += 1;
        }
        while i < j && !first(&records[j - 1]) {
            j -= 1;
        }
        if i >= j {
            return i;
        }
        records.swap(i, j - 1);
        i += 1;
        j -= 1;
    }
}
