//! `regions`: objects divided among regions of space (xie §2). `docs/methods/regions.md` explains it.

use impinge_geometry::volume::Aabb;
use impinge_query::{BroadPhase, Cancelled, Control, Objects};

use super::STRETCH;
use super::cells::{Cells, Span};
use super::kept::{Change, Kept};

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
    kept: Kept,
    cells: Option<Cells>,
    lists: Vec<Region>,
    counts: RegionCounts,
}

/// The objects of a region, by index.
#[derive(Clone, Debug, Default)]
struct Region {
    moving: Vec<u32>,
    fixed: Vec<u32>,
}

impl Region {
    fn list(&mut self, fixed: bool) -> &mut Vec<u32> {
        if fixed { &mut self.fixed } else { &mut self.moving }
    }
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

    /// Registers an object in all regions that it touches.
    fn register(&mut self, object: u32, (span, fixed): (Span, bool)) -> usize {
        let mut registered = 0;
        for cell in span.cells() {
            self.lists[index(self.params.split, cell)].list(fixed).push(object);
            registered += 1;
        }
        registered
    }

    /// Takes an object out of all regions that it touched.
    fn leave(&mut self, object: u32, (span, fixed): (Span, bool)) {
        for cell in span.cells() {
            let list = self.lists[index(self.params.split, cell)].list(fixed);
            if let Some(at) = list.iter().position(|&one| one == object) {
                list.swap_remove(at);
            }
        }
    }

    /// Makes the changes in the lists.
    fn follow(&mut self, changed: &[Change], control: &Control<'_>) -> Result<(), Cancelled> {
        for &Change { object, before, now } in changed {
            control.check()?;
            if let Some(before) = before {
                self.leave(object, before);
            }
            if let Some(now) = now {
                self.register(object, now);
            }
        }
        Ok(())
    }

    /// Registers all objects anew.
    fn register_all(&mut self, control: &Control<'_>) -> Result<(), Cancelled> {
        let number = self.params.split.iter().product::<u32>() as usize;
        self.lists.resize(number, Region::default());
        for Region { moving, fixed } in &mut self.lists {
            moving.clear();
            fixed.clear();
        }
        let kept = std::mem::take(&mut self.kept);
        let mut registered = 0usize;
        for (one, span) in kept.placed() {
            registered += self.register(one.object, (span, one.fixed));
            if registered > STRETCH {
                control.check()?;
                registered = 0;
            }
        }
        self.kept = kept;
        Ok(())
    }

    /// Counts what does not need a search.
    fn count(&mut self) {
        let fixed = self.kept.placed().filter(|(one, _)| one.fixed).count() as u64;
        let (m, n) = (self.kept.count as u64 - fixed, fixed);
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
        self.kept.gather(objects, control)?;
        let all = || {
            let boxes = self.kept.present.iter().map(|one| one.one);
            boxes.fold(Aabb::EMPTY, |sum, one| sum.merged(&one))
        };
        let cells = Cells::over(&self.params.within.unwrap_or_else(all), self.params.split);
        let same = self.cells.replace(cells) == Some(cells);
        match self.kept.place(&cells, same, control)? {
            Some(changed) => self.follow(&changed, control)?,
            None => self.register_all(control)?,
        }
        self.count();
        Ok(())
    }

    fn pairs(&mut self, control: &Control<'_>, into: &mut Vec<[u32; 2]>) -> Result<(), Cancelled> {
        control.check()?;
        let Self { params: RegionsParams { split, again, .. }, kept, .. } = &*self;
        let Kept { present, spans, .. } = kept;
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
            for &object in moving.iter().chain(fixed) {
                let other = &self.kept.present[object as usize];
                if span.first_common(&self.kept.spans[object as usize]) == cell
                    && one.overlaps(&other.one)
                {
                    into.push(other.object);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use impinge_geometry::{Point, Vector};
    use impinge_models::Random;

    use super::*;

    /// Regions that were kept and changed hold what new ones hold, in another order.
    #[test]
    fn kept_regions_are_as_new_ones() {
        let within = Aabb { min: Point::origin(), max: Point::new(4.0, 4.0, 1.0) };
        let params = RegionsParams { within: Some(within), ..RegionsParams::default() };
        let mut kept = Regions::new(params).expect("16 regions");
        let mut random = Random::new(42);
        let (mut boxes, mut fixed) = (vec![None; 80], vec![false; 80]);
        let mut changed = 0;
        for step in 0..200 {
            for _ in 0..if step == 0 { 200 } else { 6 } {
                let i = random.below(80) as usize;
                let min = Point::from(random.vector(-0.5, 4.5));
                let there = Aabb { min, max: min + Vector::repeat(0.4) };
                boxes[i] = random.chance(0.8).then_some(there);
                fixed[i] = random.chance(0.5);
            }
            let objects = Objects { boxes: &boxes, fixed: &fixed };
            let mut new = Regions::new(params).expect("16 regions");
            for regions in [&mut kept, &mut new] {
                regions.update(&objects, &Control::NONE).expect("not cancelled");
            }
            assert_eq!(kept.counts(), new.counts(), "{step}");
            let lists = |regions: &Regions| -> Vec<Vec<u32>> {
                regions.lists.iter().flat_map(|r| [r.moving.clone(), r.fixed.clone()]).collect()
            };
            let (mut found, expected) = (lists(&kept), lists(&new));
            // New lists ascend.
            changed += u32::from(found != expected);
            for list in &mut found {
                list.sort_unstable();
            }
            assert_eq!(found, expected, "{step}");
        }
        assert!(changed > 150, "{changed}");
    }
}
