//! `box-tree`: the pairs of overlapping boxes among many that move, by a tree of sixteen boxes per
//! node over an order of the boxes. `docs/methods/box-tree.md` explains it.

mod block;
mod keys;
mod levels;
mod order;
mod overlap;
#[cfg(test)]
mod tests;

use impinge_geometry::volume::Aabb;
use impinge_query::broad::{BroadPhase, Objects};
use impinge_query::{Cancelled, Control};

use self::block::LANES;
use self::keys::{Keys, Map};
use self::levels::Levels;
use self::order::Sorter;
use self::overlap::{Around, End, Overlap, Search};
use crate::simd::{Simd, Task, Width};

/// No object.
const NONE: u32 = u32::MAX;

/// Boxes of a block after sorting, if boxes jump about: room for those that come.
const ROOMY: usize = 13;

/// A world in which more than one box in this number jumps per step gets room for jumps.
const JUMPY: usize = 1_000;

/// Sorting costs as much as testing this number of pairs of blocks for each object. It is done once
/// that much more has been spent than right after the last sorting.
const SORTING: usize = 2;

/// Updates between sortings, if no pairs are asked for.
const UNASKED: usize = 256;

/// Updates for which coordinates are ranked, before it is tried without again.
const RANKED: usize = 256;

/// Broad phase of a dynamic tree, `box-tree`: fast for boxes that move a little at a time, and for
/// those that jump. Pairs are exact, and the same on every instruction set.
#[derive(Clone, Debug)]
pub struct BoxTree {
    width: Width,
    keys: Keys,
    tree: Levels,
    wear: Wear,
    sorter: Sorter,
    overlap: Overlap,
    /// Objects to be put into the tree.
    homeless: Vec<u32>,
}

/// What tells when to sort again.
#[derive(Clone, Debug, Default)]
struct Wear {
    /// Fewest pairs of blocks that a search tested since the last sorting.
    least: Option<usize>,
    /// What later searches tested more than that.
    excess: usize,
    /// Updates since the last sorting, and the objects that they put into the tree.
    updates: usize,
    jumps: usize,
    /// Updates for which coordinates are still ranked.
    ranked: usize,
}

impl Default for BoxTree {
    fn default() -> Self {
        Self::new(None)
    }
}

impl BoxTree {
    /// An empty tree that uses an instruction set; `None` means the fastest that the processor has.
    /// One that it lacks is replaced by [`Width::Portable`]. Pairs do not depend on it.
    pub fn new(width: Option<Width>) -> Self {
        let width = width.unwrap_or_else(Width::fastest);
        let width = if width.is_present() { width } else { Width::Portable };
        Self {
            width,
            keys: Keys::default(),
            tree: Levels::default(),
            wear: Wear::default(),
            sorter: Sorter::default(),
            overlap: Overlap::default(),
            homeless: Vec::new(),
        }
    }

    /// Places without an object.
    fn holes(&self) -> usize {
        (self.tree.order.len() + self.homeless.len()).saturating_sub(self.keys.present)
    }

    /// Sorts all boxes anew, by a new map of coordinates.
    fn sort(&mut self, control: &Control<'_>) -> Result<(), Cancelled> {
        if self.wear.ranked == 0 {
            self.keys.renew(Map::of(&self.keys.exact), control)?;
        }
        let Wear { updates, jumps, ranked, .. } = self.wear;
        let roomy = updates > 1 && jumps * JUMPY > self.keys.present * updates;
        let fill = if roomy { ROOMY } else { LANES };
        self.sorter.sort(&self.keys, fill, &mut self.tree.order, control)?;
        self.wear = Wear { ranked, ..Wear::default() };
        self.width.run(Fit { keys: &self.keys, tree: &mut self.tree, control })
    }

    /// Makes keys of ranks, since too many keys of different coordinates are equal.
    fn rank(&mut self, control: &Control<'_>) -> Result<(), Cancelled> {
        self.wear.ranked = RANKED;
        self.keys.rank(control)?;
        self.sort(control)
    }

    fn search(
        &mut self,
        doubts: usize,
        control: &Control<'_>,
        into: &mut Vec<[u32; 2]>,
    ) -> Result<End, Cancelled> {
        let Self { width, keys, tree, overlap, .. } = self;
        width.run(Search { keys, tree, overlap, doubts, control, into })
    }
}

impl BroadPhase for BoxTree {
    fn word(&self) -> &'static str {
        "box-tree"
    }

    fn clear(&mut self) {
        (self.keys, self.tree, self.wear) = Default::default();
        self.homeless.clear();
    }

    fn take_in(&mut self, objects: &Objects<'_>, control: &Control<'_>) -> Result<(), Cancelled> {
        self.homeless.clear();
        let width = self.width;
        width.run(Load { phase: self, objects, control })?;
        let Wear { updates, jumps, excess, least, ranked } = &mut self.wear;
        (*updates, *jumps) = (*updates + 1, *jumps + self.homeless.len());
        *ranked = ranked.saturating_sub(1);
        let n = self.keys.present;
        let worn = *excess > SORTING * n || least.is_none() && *updates > UNASKED;
        if worn || self.homeless.len() > n / 8 || self.holes() > n / 2 + 2 * LANES {
            return self.sort(control);
        }
        let Self { keys, tree, homeless, .. } = self;
        if !width.run(House { keys, tree, homeless, control })? {
            return self.sort(control);
        }
        Ok(())
    }

    fn pairs(&mut self, control: &Control<'_>, into: &mut Vec<[u32; 2]>) -> Result<(), Cancelled> {
        control.check()?;
        let (before, n) = (into.len(), self.keys.present);
        let mut end = self.search(4 * n + 1_000, control, into)?;
        if end == End::Doubtful {
            into.truncate(before);
            // On a copy, so that there are still objects if this is cancelled.
            let mut ranked = self.clone();
            ranked.rank(control)?;
            *self = ranked;
            end = self.search(usize::MAX, control, into)?;
        }
        if let End::Done { work } = end {
            let least = self.wear.least.map_or(work, |least| least.min(work));
            self.wear.least = Some(least);
            self.wear.excess += work - least;
        }
        Ok(())
    }

    fn overlapping(&self, one: &Aabb, into: &mut Vec<u32>) {
        self.width.run(Around { keys: &self.keys, tree: &self.tree, one, into });
    }
}

/// Takes in the boxes of a step, and fits the tree to them.
struct Load<'t> {
    phase: &'t mut BoxTree,
    objects: &'t Objects<'t>,
    control: &'t Control<'t>,
}

impl Task for Load<'_> {
    type Out = Result<(), Cancelled>;

    #[inline(always)]
    fn run<S: Simd>(self) -> Self::Out {
        let Self { phase, objects, control } = self;
        let BoxTree { keys, tree, homeless, wear, .. } = phase;
        keys.load(objects, homeless, control)?;
        match keys.map {
            Map::Ranked(_) if wear.ranked > 0 => keys.rank(control)?,
            Map::Ranked(_) => keys.renew(Map::of(&keys.exact), control)?,
            Map::Scaled { .. } => {}
        }
        tree.refit(keys, homeless, control)
    }
}

/// Puts objects into the tree. False if there is no room for one.
struct House<'t> {
    keys: &'t Keys,
    tree: &'t mut Levels,
    homeless: &'t [u32],
    control: &'t Control<'t>,
}

impl Task for House<'_> {
    type Out = Result<bool, Cancelled>;

    #[inline(always)]
    fn run<S: Simd>(self) -> Self::Out {
        for (number, &object) in self.homeless.iter().enumerate() {
            if number.is_multiple_of(1 << 10) {
                self.control.check()?;
            }
            if !self.tree.insert(object, &self.keys.of[object as usize]) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Fits the tree to a new order.
struct Fit<'t> {
    keys: &'t Keys,
    tree: &'t mut Levels,
    control: &'t Control<'t>,
}

impl Task for Fit<'_> {
    type Out = Result<(), Cancelled>;

    #[inline(always)]
    fn run<S: Simd>(self) -> Self::Out {
        self.tree.fit(self.keys, self.control)
    }
}
