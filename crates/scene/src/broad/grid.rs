//! `grid`: a uniform grid, boxes sorted by cell (fan §1.2.1). `docs/methods/grid.md` explains it.

use impinge_geometry::volume::Aabb;
use impinge_geometry::{Point, Vector};
use impinge_query::{BroadPhase, Cancelled, Control, Objects};

use super::STRETCH;
use super::cells::{Cell, Cells, Span};
use super::kept::{Change, Kept};

/// A cell is as long as this times the edge that three quarters of the boxes do not exceed.
const ROOM: f64 = 1.5;

/// A box that touches more cells is kept beside the grid.
const SPREAD: u128 = 512;

/// Most boxes beside the grid, and most cells for each object; more of either makes cells larger.
const BESIDE: usize = 64;
const TOUCHED: u128 = 16;

/// Most cells on an axis.
const CELLS: u32 = 1 << 20;

/// Number of boxes from which the length of cells is estimated.
const SAMPLE: usize = 1_024;

/// Buckets that have no more room move to the end of the list, until it is this many times as long.
const LONGER: usize = 2;

/// A box in a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Entry {
    cell: Cell,
    /// Index of the object.
    object: u32,
}

/// Broad phase `grid`: good for boxes of about one size.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    kept: Kept,
    chosen: Option<Chosen>,
    /// How many objects have changed since it was seen to fit.
    worn: usize,
    /// Objects beside the grid, by ascending index.
    beside: Vec<u32>,
    /// Boxes of all cells, by bucket; several cells may share one.
    entries: Vec<Entry>,
    /// Their number is a power of two.
    buckets: Vec<Bucket>,
    /// How many entries there were when all buckets were filled.
    filled: usize,
}

/// Entries from `start` to `end`; those up to `limit` are room.
#[derive(Clone, Copy, Debug, Default)]
struct Bucket {
    start: u32,
    end: u32,
    limit: u32,
}

/// The cells of a step, and what they were chosen by.
#[derive(Clone, Copy, Debug)]
struct Chosen {
    cells: Cells,
    edge: f64,
    usual: Point,
    /// Whether they are longer than boxes alone would want.
    doubled: bool,
}

impl Chosen {
    fn new(usual: Point, edge: f64, doubled: bool) -> Self {
        // Around the most usual place, so that one box far away changes nothing.
        let back = Vector::repeat(0.5 * f64::from(CELLS) * edge);
        let cells = Cells { origin: usual - back, density: [1.0 / edge; 3], number: [CELLS; 3] };
        Self { cells, edge, usual, doubled }
    }

    /// Whether boxes of this place and edge may keep the cells.
    fn fits(&self, usual: &Point, edge: f64) -> bool {
        let near = (0..3).all(|k| {
            (usual[k] * 0.5 - self.usual[k] * 0.5).abs() < 0.125 * f64::from(CELLS) * self.edge
        });
        !self.doubled && near && edge <= 2.0 * self.edge && self.edge <= 2.0 * edge
    }
}

/// The cells in which a box is registered: none if they are too many.
fn registered(span: Span) -> impl Iterator<Item = Cell> {
    (span.count() <= SPREAD).then(|| span.cells()).into_iter().flatten()
}

impl Grid {
    /// Chooses the cells, and finds those of all boxes. New cells are doubled until few boxes are beside the
    /// grid and the others touch few cells. Returns the changes, if the cells are those of the last step and
    /// the changes are few.
    fn choose(&mut self, control: &Control<'_>) -> Result<Option<Vec<Change>>, Cancelled> {
        if let Some(chosen) = self.chosen
            && (self.worn < self.kept.count || self.still_fits(&chosen))
        {
            let changed = self.kept.place(&chosen.cells, true, control)?;
            if self.is_fine() {
                self.worn += changed.as_ref().map_or(self.kept.count, Vec::len);
                return Ok(changed);
            }
        }
        let (usual, mut edge) = self.usual();
        let mut doubled = false;
        loop {
            let chosen = Chosen::new(usual, edge, doubled);
            self.kept.place(&chosen.cells, false, control)?;
            if self.is_fine() || !(edge < f64::MAX / 4.0) {
                self.chosen = Some(chosen);
                self.worn = if doubled { usize::MAX } else { 0 };
                return Ok(None);
            }
            (edge, doubled) = (edge * 2.0, true);
        }
    }

    /// Where boxes usually are, and how long cells should be.
    fn usual(&self) -> (Point, f64) {
        let step = self.kept.count / SAMPLE + 1;
        let there = self.kept.present.iter().filter(|one| one.is_there());
        let sample: Vec<Aabb> = there.step_by(step).map(|one| one.one).collect();
        (usual_corner(&sample), ROOM * usual_edge(&sample))
    }

    fn still_fits(&mut self, chosen: &Chosen) -> bool {
        let (usual, edge) = self.usual();
        self.worn = 0;
        chosen.fits(&usual, edge)
    }

    /// Whether few boxes are beside the grid, which are noted, and the others touch few cells.
    fn is_fine(&mut self) -> bool {
        self.beside.clear();
        let mut touched = 0;
        for (one, span) in self.kept.placed() {
            let count = span.count();
            if count > SPREAD {
                self.beside.push(one.object);
            } else {
                touched += count;
            }
        }
        let most = TOUCHED * self.kept.count as u128 + SPREAD;
        touched <= most && self.beside.len() <= BESIDE
    }

    /// Fills all buckets: counts, adds up, fills; a counting sort by bucket.
    fn fill(&mut self, control: &Control<'_>) -> Result<(), Cancelled> {
        let n = self.kept.count.next_power_of_two();
        self.buckets.clear();
        self.buckets.resize(n, Bucket::default());
        for (number, (_, span)) in self.kept.placed().enumerate() {
            if number.is_multiple_of(STRETCH) {
                control.check()?;
            }
            for cell in registered(span) {
                self.buckets[bucket(&cell, n)].end += 1;
            }
        }
        let mut sum = 0;
        for bucket in &mut self.buckets {
            let (start, limit) = (sum, sum + bucket.end);
            *bucket = Bucket { start, end: start, limit };
            sum = limit;
        }
        self.filled = sum as usize;
        self.entries.clear();
        self.entries.resize(self.filled, Entry::default());
        for (number, (one, span)) in self.kept.placed().enumerate() {
            if number.is_multiple_of(STRETCH) {
                control.check()?;
            }
            for cell in registered(span) {
                let end = &mut self.buckets[bucket(&cell, n)].end;
                self.entries[*end as usize] = Entry { cell, object: one.object };
                *end += 1;
            }
        }
        Ok(())
    }

    /// Takes an object out of its buckets, and puts it in others.
    fn change(&mut self, Change { object, before, now }: Change) {
        let n = self.buckets.len();
        for cell in before.into_iter().flat_map(|(span, _)| registered(span)) {
            let bucket = &mut self.buckets[bucket(&cell, n)];
            let entries = &mut self.entries[bucket.start as usize..bucket.end as usize];
            if let Some(at) = entries.iter().position(|one| *one == Entry { cell, object }) {
                entries.swap(at, entries.len() - 1);
                bucket.end -= 1;
            }
        }
        for cell in now.into_iter().flat_map(|(span, _)| registered(span)) {
            let bucket = &mut self.buckets[bucket(&cell, n)];
            if bucket.end == bucket.limit {
                let (old, start) = (bucket.start..bucket.end, self.entries.len() as u32);
                let length = bucket.end - bucket.start;
                self.entries.extend_from_within(old.start as usize..old.end as usize);
                *bucket = Bucket { start, end: start + length, limit: start + 2 * length + 2 };
                self.entries.resize(bucket.limit as usize, Entry::default());
            }
            self.entries[bucket.end as usize] = Entry { cell, object };
            bucket.end += 1;
        }
    }

    /// Makes the changes where they are. Returns whether that was worth it.
    fn follow(&mut self, changed: Vec<Change>, control: &Control<'_>) -> Result<bool, Cancelled> {
        let n = self.buckets.len();
        if self.kept.count > n || 4 * self.kept.count < n {
            return Ok(false);
        }
        for (number, change) in changed.into_iter().enumerate() {
            if number.is_multiple_of(STRETCH) {
                control.check()?;
            }
            self.change(change);
            if self.entries.len() > LONGER * self.filled + BESIDE {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The boxes in a bucket.
    fn bucket(&self, b: usize) -> &[Entry] {
        let Bucket { start, end, .. } = self.buckets[b];
        &self.entries[start as usize..end as usize]
    }
}

/// The bucket of a cell among `n`, a power of two.
#[inline]
fn bucket(cell: &Cell, n: usize) -> usize {
    let mut hash = 0u64;
    for &x in cell {
        hash = (hash.rotate_left(21) ^ u64::from(x)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    (hash >> 32) as usize & n.saturating_sub(1)
}

/// Numbers of a sample, sorted.
fn sorted(sample: &[Aabb], of: impl Fn(&Aabb) -> f64) -> Vec<f64> {
    let mut numbers: Vec<f64> = sample.iter().map(of).collect();
    numbers.sort_unstable_by(f64::total_cmp);
    numbers
}

/// The longest edge that three quarters of a sample do not exceed; if that is next to nothing beside
/// the places of the boxes, an edge that divides their middle half into many cells.
fn usual_edge(sample: &[Aabb]) -> f64 {
    let longest = |one: &Aabb| (0..3).fold(0.0f64, |edge, k| edge.max(one.extent()[k]));
    let edges = sorted(sample, longest);
    let edge = edges.get(edges.len() * 3 / 4).copied().unwrap_or(1.0);
    let mut spread = 0.0f64;
    for k in 0..3 {
        let places = sorted(sample, |one| one.min[k]);
        let at = |quarter: usize| places.get(places.len() * quarter / 4).copied().unwrap_or(0.0);
        spread = spread.max(at(3) * 0.5 - at(1) * 0.5);
    }
    edge.max(spread / f64::from(1 << 16)).clamp(1e-280, 1e290)
}

/// Medians of the least coordinates of a sample.
fn usual_corner(sample: &[Aabb]) -> Point {
    let middle = |k: usize| {
        let numbers = sorted(sample, |one| one.min[k]);
        numbers.get(numbers.len() / 2).copied().unwrap_or(0.0)
    };
    [middle(0), middle(1), middle(2)].into()
}

impl BroadPhase for Grid {
    fn word(&self) -> &'static str {
        "grid"
    }

    fn clear(&mut self) {
        *self = Self::default();
    }

    fn take_in(&mut self, objects: &Objects<'_>, control: &Control<'_>) -> Result<(), Cancelled> {
        self.kept.gather(objects, control)?;
        if let Some(changed) = self.choose(control)?
            && self.follow(changed, control)?
        {
            return Ok(());
        }
        self.fill(control)
    }

    fn pairs(&mut self, control: &Control<'_>, into: &mut Vec<[u32; 2]>) -> Result<(), Cancelled> {
        control.check()?;
        let mut tests = 0;
        let Kept { present, spans, .. } = &self.kept;
        for b in 0..self.buckets.len() {
            let mut left = self.bucket(b);
            while let [entry, rest @ ..] = left {
                left = rest;
                tests += 1 + rest.len();
                if tests > STRETCH {
                    control.check()?;
                    tests = 0;
                }
                let one = &present[entry.object as usize];
                let span = &spans[entry.object as usize];
                for other in rest.iter().filter(|other| other.cell == entry.cell) {
                    let i = other.object as usize;
                    if one.meets(&present[i]) && span.first_common(&spans[i]) == entry.cell {
                        into.push(one.pair(&present[i]));
                    }
                }
            }
        }
        for &object in &self.beside {
            let one = &present[object as usize];
            for (stretch, start) in present.chunks(STRETCH).zip((0..).step_by(STRETCH)) {
                control.check()?;
                for (other, i) in stretch.iter().zip(start..) {
                    // Of two beside the grid, the later one finds the pair.
                    let later =
                        i != object && (i < object || self.beside.binary_search(&i).is_err());
                    if later && one.meets(other) {
                        into.push(one.pair(other));
                    }
                }
            }
        }
        Ok(())
    }

    fn overlapping(&self, one: &Aabb, into: &mut Vec<u32>) {
        let Some(Chosen { cells, .. }) = self.chosen else { return };
        let Kept { present, spans, .. } = &self.kept;
        let span = cells.span(one);
        if span.count() > SPREAD {
            let meets = present.iter().filter(|other| one.overlaps(&other.one));
            return into.extend(meets.map(|other| other.object));
        }
        for cell in span.cells() {
            let entries = self.bucket(bucket(&cell, self.buckets.len()));
            for entry in entries.iter().filter(|entry| entry.cell == cell) {
                let i = entry.object as usize;
                if span.first_common(&spans[i]) == cell && one.overlaps(&present[i].one) {
                    into.push(entry.object);
                }
            }
        }
        let beside = self.beside.iter().map(|&object| &present[object as usize]);
        into.extend(beside.filter(|other| one.overlaps(&other.one)).map(|other| other.object));
    }
}

#[cfg(test)]
mod tests {
    use impinge_models::Random;
    use impinge_query::broad::EveryPair;

    use super::*;

    fn pairs(phase: &mut dyn BroadPhase) -> Vec<[u32; 2]> {
        let mut found = Vec::new();
        phase.pairs(&Control::NONE, &mut found).expect("not cancelled");
        found.sort_unstable();
        found
    }

    /// Boxes that drift, jump, come and go, a few at a time: buckets are changed where they are, move when they are
    /// full, and are filled anew when too many have. A change that is not made is found out.
    #[test]
    fn a_grid_that_is_followed_finds_what_every_pair_finds() {
        let mut random = Random::new(43);
        let mut one = |reach: f64| {
            let min = Point::from(random.vector(-reach, reach));
            let edge = random.range(0.5, 1.0);
            (Some(Aabb { min, max: min + Vector::repeat(edge) }), random.below(300) as usize)
        };
        let mut boxes: Vec<Option<Aabb>> = (0..300).map(|_| one(4.0).0).collect();
        let (mut grid, mut truth) = (Grid::default(), EveryPair::default());
        let (mut followed, mut relocated, mut wrong) = (0, 0, 0);
        for step in 0..600 {
            for _ in 0..12 {
                let (there, i) = one(4.0);
                boxes[i] = if i % 5 == 0 && step % 3 == 0 { None } else { there };
            }
            let objects = Objects::moving(&boxes);
            truth.update(&objects, &Control::NONE).expect("not cancelled");
            let expected = pairs(&mut truth);
            grid.kept.gather(&objects, &Control::NONE).expect("not cancelled");
            let changed = grid.choose(&Control::NONE).expect("not cancelled");
            if let Some(changed) = &changed {
                // The fault: the changes are not made.
                wrong += u32::from(!changed.is_empty() && pairs(&mut grid.clone()) != expected);
            }
            let done = match changed {
                Some(changed) => grid.follow(changed, &Control::NONE).expect("not cancelled"),
                None => false,
            };
            relocated += u32::from(grid.entries.len() > grid.filled);
            if done {
                followed += 1;
            } else {
                grid.fill(&Control::NONE).expect("not cancelled");
            }
            assert_eq!(pairs(&mut grid), expected, "{step}");
            let (around, _) = one(4.0);
            let around = around.expect("a box");
            let [found, all] = [&grid as &dyn BroadPhase, &truth].map(|phase| {
                let mut found = Vec::new();
                phase.overlapping(&around, &mut found);
                found.sort_unstable();
                found
            });
            assert_eq!(found, all, "{step}");
        }
        println!("{followed} of 600 followed, {relocated} with moved buckets, {wrong} faults seen");
        assert!((300..600).contains(&followed) && relocated > 200 && wrong > 200);
    }
}
