//! `grid`: a uniform grid, boxes sorted by cell (fan §1.2.1). `docs/methods/grid.md` explains it.

use impinge_geometry::volume::Aabb;
use impinge_geometry::{Point, Vector};
use impinge_query::{BroadPhase, Cancelled, Control, Objects};

use super::cells::{Cell, Cells, Span};
use super::{Present, STRETCH, gather};

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

/// A box in a cell.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    cell: Cell,
    /// Index of the box among those present.
    number: u32,
}

/// Broad phase `grid`: good for boxes of about one size.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    present: Vec<Present>,
    spans: Vec<Span>,
    cells: Option<Cells>,
    /// Boxes beside the grid, by ascending number.
    beside: Vec<u32>,
    /// Boxes of all cells, by bucket; several cells may share one.
    entries: Vec<Entry>,
    /// Where buckets begin, and where the last ends. Their number is a power of two.
    starts: Vec<u32>,
}

impl Grid {
    /// Chooses the cells, and computes all spans. Cells are doubled until few boxes are beside the
    /// grid and the others touch few cells.
    fn choose(&mut self, control: &Control<'_>) -> Result<Cells, Cancelled> {
        let usual = usual_corner(&self.present);
        let mut edge = ROOM * usual_edge(&self.present);
        loop {
            // Around the most usual place, so that one box far away changes nothing.
            let back = Vector::repeat(0.5 * f64::from(CELLS) * edge);
            let cells =
                Cells { origin: usual - back, density: [1.0 / edge; 3], number: [CELLS; 3] };
            self.spans.clear();
            self.beside.clear();
            let (mut touched, mut beside) = (0, 0);
            for stretch in self.present.chunks(STRETCH) {
                control.check()?;
                for one in stretch {
                    let span = cells.span(&one.one);
                    let count = span.count();
                    touched += if count <= SPREAD { count } else { 0 };
                    beside += usize::from(count > SPREAD);
                    self.spans.push(span);
                }
            }
            let most = TOUCHED * self.present.len() as u128 + SPREAD;
            if (touched <= most && beside <= BESIDE) || !(edge < f64::MAX / 4.0) {
                return Ok(cells);
            }
            edge *= 2.0;
        }
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
fn sample(present: &[Present], of: impl Fn(&Aabb) -> f64) -> Vec<f64> {
    let step = present.len() / SAMPLE + 1;
    let mut numbers: Vec<f64> = present.iter().step_by(step).map(|one| of(&one.one)).collect();
    numbers.sort_unstable_by(f64::total_cmp);
    numbers
}

/// The longest edge that three quarters of a sample do not exceed; if that is next to nothing beside
/// the places of the boxes, an edge that divides their middle half into many cells.
fn usual_edge(present: &[Present]) -> f64 {
    let longest = |one: &Aabb| (0..3).fold(0.0f64, |edge, k| edge.max(one.extent()[k]));
    let edges = sample(present, longest);
    let edge = edges.get(edges.len() * 3 / 4).copied().unwrap_or(1.0);
    let mut spread = 0.0f64;
    for k in 0..3 {
        let places = sample(present, |one| one.min[k]);
        let at = |quarter: usize| places.get(places.len() * quarter / 4).copied().unwrap_or(0.0);
        spread = spread.max(at(3) * 0.5 - at(1) * 0.5);
    }
    edge.max(spread / f64::from(1 << 16)).clamp(1e-280, 1e290)
}

/// Medians of the least coordinates of a sample.
fn usual_corner(present: &[Present]) -> Point {
    let middle = |k: usize| {
        let numbers = sample(present, |one| one.min[k]);
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
        gather(objects, control, &mut self.present)?;
        let cells = self.choose(control)?;
        self.cells = Some(cells);
        let n = self.present.len().next_power_of_two();
        self.starts.clear();
        self.starts.resize(n + 1, 0);
        // Count, add up, fill: a counting sort by bucket.
        for (span, number) in self.spans.iter().zip(0usize..) {
            if number.is_multiple_of(STRETCH) {
                control.check()?;
            }
            if span.count() <= SPREAD {
                for cell in span.cells() {
                    self.starts[bucket(&cell, n)] += 1;
                }
            } else {
                self.beside.push(number as u32);
            }
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        self.entries.clear();
        self.entries.resize(sum as usize, Entry::default());
        for (span, number) in self.spans.iter().zip(0..self.spans.len() as u32).rev() {
            if (number as usize).is_multiple_of(STRETCH) {
                control.check()?;
            }
            if span.count() <= SPREAD {
                for cell in span.cells() {
                    let start = &mut self.starts[bucket(&cell, n)];
                    *start -= 1;
                    self.entries[*start as usize] = Entry { cell, number };
                }
            }
        }
        Ok(())
    }

    fn pairs(&mut self, control: &Control<'_>, into: &mut Vec<[u32; 2]>) -> Result<(), Cancelled> {
        control.check()?;
        let mut tests = 0;
        for (&start, &end) in self.starts.iter().zip(self.starts.iter().skip(1)) {
            let mut left = &self.entries[start as usize..end as usize];
            while let [entry, rest @ ..] = left {
                left = rest;
                tests += 1 + rest.len();
                if tests > STRETCH {
                    control.check()?;
                    tests = 0;
                }
                let one = &self.present[entry.number as usize];
                let span = &self.spans[entry.number as usize];
                for other in rest.iter().filter(|other| other.cell == entry.cell) {
                    let i = other.number as usize;
                    if one.meets(&self.present[i])
                        && span.first_common(&self.spans[i]) == entry.cell
                    {
                        into.push(one.pair(&self.present[i]));
                    }
                }
            }
        }
        for &number in &self.beside {
            let one = &self.present[number as usize];
            for (stretch, start) in self.present.chunks(STRETCH).zip((0..).step_by(STRETCH)) {
                control.check()?;
                for (other, i) in stretch.iter().zip(start..) {
                    // Of two beside the grid, the later one finds the pair.
                    let later =
                        i != number && (i < number || self.beside.binary_search(&i).is_err());
                    if later && one.meets(other) {
                        into.push(one.pair(other));
                    }
                }
            }
        }
        Ok(())
    }

    fn overlapping(&self, one: &Aabb, into: &mut Vec<u32>) {
        let Some(cells) = self.cells else { return };
        let span = cells.span(one);
        if span.count() > SPREAD {
            let meets = self.present.iter().filter(|other| one.overlaps(&other.one));
            return into.extend(meets.map(|other| other.object));
        }
        for cell in span.cells() {
            let b = bucket(&cell, self.starts.len() - 1);
            let (start, end) = (self.starts[b] as usize, self.starts[b + 1] as usize);
            for entry in self.entries[start..end].iter().filter(|entry| entry.cell == cell) {
                let i = entry.number as usize;
                if span.first_common(&self.spans[i]) == cell && one.overlaps(&self.present[i].one) {
                    into.push(self.present[i].object);
                }
            }
        }
        let beside = self.beside.iter().map(|&number| &self.present[number as usize]);
        into.extend(beside.filter(|other| one.overlaps(&other.one)).map(|other| other.object));
    }
}
