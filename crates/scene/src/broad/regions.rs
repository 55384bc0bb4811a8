//! `regions`: objects divided among regions of space (xie §2). `docs/methods/regions.md` explains it.

use impinge_geometry::volume::Aabb;
use impinge_query::{BroadPhase, Cancelled, Control, Objects};

use super::cells::{Cells, Span};
use super::{Present, STRETCH, gather};

/// Most regions.
const MOST: u64 = 4_096;

/// Parameters of [`Regions::new`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RegionsParams {
    /// Regions along each axis, all of one size.
    pub split: [u32; 3],
    /// What the regions divide; objects outside belong to the nearest. `None` means the box of all
    /// objects of the step.
    pub within: Option<Aabb>,
    /// Test a pair in every region that has both objects, as printed in the paper, and not once.
    /// Costs time and changes no answer.
    pub again: bool,
}

impl Default for RegionsParams {
    /// Four by four by one regions.
    fn default() -> Self {
        Self { split: [4, 4, 1], within: None, again: false }
    }
}

/// Error of [`Regions::new`]: the number of regions is zero, or above 4,096.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} regions: there must be 1 to 4096 in all")]
pub struct InvalidRegions(pub [u32; 3]);

/// Pair tests of a step, by the ways to count them. A pair of two fixed objects counts nowhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RegionCounts {
    /// Moving and fixed objects: the paper's `m` and `n`.
    pub objects: [u64; 2],
    /// Moving and fixed objects, each counted in every region that it touches: `Σ m_i`, `Σ n_i`.
    pub registered: [u64; 2],
    /// `m (m + n − 1)`: without regions, pairs of moving objects counted twice.
    pub undivided: u64,
    /// `Σ m_i (m_i + n_i − 1)`, the paper's eq. 3.
    pub ordered: u64,
    /// `Σ m_i (m_i − 1) / 2 + m_i n_i`: pairs of moving objects counted once in each region.
    pub unordered: u64,
    /// Pairs that have a region in common, each counted once.
    pub distinct: u64,
    /// Box tests that were made: `distinct`, or `unordered` with [`RegionsParams::again`].
    pub tested: u64,
}

/// Broad phase `regions`: for halls of bays in which few objects move.
#[derive(Clone, Debug, Default)]
pub struct Regions {
    params: RegionsParams,
    present: Vec<Present>,
    spans: Vec<Span>,
    cells: Option<Cells>,
    lists: Vec<Region>,
    counts: RegionCounts,
}

/// The objects of a region, by number among those present.
#[derive(Clone, Debug, Default)]
struct Region {
    moving: Vec<u32>,
    fixed: Vec<u32>,
}

impl Regions {
    /// A broad phase without objects.
    ///
    /// # Errors
    /// [`InvalidRegions`].
    pub fn new(params: RegionsParams) -> Result<Self, InvalidRegions> {
        let [x, y, z] = params.split.map(u64::from);
        let number = x.checked_mul(y).and_then(|plane| plane.checked_mul(z));
        match number {
            Some(1..=MOST) => Ok(Self { params, ..Self::default() }),
            _ => Err(InvalidRegions(params.split)),
        }
    }

    /// The pair tests of the last step. Those that a search makes are counted once it has ended.
    pub const fn counts(&self) -> RegionCounts {
        self.counts
    }

    /// Counts what does not need a search.
    fn count(&mut self) {
        let fixed = self.present.iter().filter(|one| one.fixed).count() as u64;
        let (m, n) = (self.present.len() as u64 - fixed, fixed);
        let mut counts = RegionCounts { objects: [m, n], ..RegionCounts::default() };
        counts.undivided = ordered(m, n);
        for Region { moving, fixed } in &self.lists {
            let (m, n) = (moving.len() as u64, fixed.len() as u64);
            counts.registered[0] += m;
            counts.registered[1] += n;
            counts.ordered += ordered(m, n);
            counts.unordered += unordered(m, n);
        }
        self.counts = counts;
    }
}

/// `m (m + n − 1)`.
const fn ordered(m: u64, n: u64) -> u64 {
    m * (m + n).saturating_sub(1)
}

/// `m (m − 1) / 2 + m n`.
const fn unordered(m: u64, n: u64) -> u64 {
    m * m.saturating_sub(1) / 2 + m * n
}

/// Where the region of a cell stands.
const fn index(split: [u32; 3], cell: [u32; 3]) -> usize {
    ((cell[0] * split[1] + cell[1]) * split[2] + cell[2]) as usize
}

impl BroadPhase for Regions {
    fn word(&self) -> &'static str {
        "regions"
    }

    fn clear(&mut self) {
        *self = Self { params: self.params, ..Self::default() };
    }

    fn take_in(&mut self, objects: &Objects<'_>, control: &Control<'_>) -> Result<(), Cancelled> {
        let split = self.params.split;
        self.spans.clear();
        gather(objects, control, &mut self.present)?;
        let all = || self.present.iter().fold(Aabb::EMPTY, |sum, one| sum.merged(&one.one));
        let cells = Cells::over(&self.params.within.unwrap_or_else(all), split);
        self.cells = Some(cells);
        self.lists.resize(split.iter().product::<u32>() as usize, Region::default());
        for Region { moving, fixed } in &mut self.lists {
            moving.clear();
            fixed.clear();
        }
        let mut registered = 0usize;
        for (one, number) in self.present.iter().zip(0..) {
            let span = cells.span(&one.one);
            self.spans.push(span);
            for cell in span.cells() {
                let Region { moving, fixed } = &mut self.lists[index(split, cell)];
                if one.fixed { fixed } else { moving }.push(number);
                registered += 1;
                if registered.is_multiple_of(STRETCH) {
                    control.check()?;
                }
            }
        }
        self.count();
        Ok(())
    }

    fn pairs(&mut self, control: &Control<'_>, into: &mut Vec<[u32; 2]>) -> Result<(), Cancelled> {
        control.check()?;
        let Self { params: RegionsParams { split, again, .. }, present, spans, .. } = &*self;
        let (mut distinct, mut tested, mut looked) = (0, 0, 0);
        for (number, Region { moving, fixed }) in self.lists.iter().enumerate() {
            let mut left = moving.as_slice();
            while let [i, rest @ ..] = left {
                left = rest;
                looked += 1 + rest.len() + fixed.len();
                if looked > STRETCH {
                    control.check()?;
                    looked = 0;
                }
                let (one, span) = (&present[*i as usize], &spans[*i as usize]);
                for &j in rest.iter().chain(fixed) {
                    let (other, place) = (&present[j as usize], &spans[j as usize]);
                    let first = index(*split, span.first_common(place)) == number;
                    distinct += u64::from(first);
                    if first || *again {
                        tested += 1;
                        if one.meets(other) && first {
                            into.push(one.pair(other));
                        }
                    }
                }
            }
        }
        (self.counts.distinct, self.counts.tested) = (distinct, tested);
        Ok(())
    }

    fn overlapping(&self, one: &Aabb, into: &mut Vec<u32>) {
        let Some(cells) = self.cells else { return };
        let span = cells.span(one);
        for cell in span.cells() {
            let Region { moving, fixed } = &self.lists[index(self.params.split, cell)];
            for &number in moving.iter().chain(fixed) {
                let other = &self.present[number as usize];
                if span.first_common(&self.spans[number as usize]) == cell
                    && one.overlaps(&other.one)
                {
                    into.push(other.object);
                }
            }
        }
    }
}
