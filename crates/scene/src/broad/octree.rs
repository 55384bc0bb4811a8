//! `octree-scene`: a scene in the cells of an octree, each object with the cell in which its search
//! begins (anthology 6). `docs/methods/octree-scene.md` explains it.

use impinge_geometry::volume::{Aabb, Obb};
use impinge_geometry::{Point, Vector};
use impinge_query::{BroadPhase, Cancelled, Control, Objects};

use super::{Present, STRETCH, gather};

/// Objects above which a leaf is divided, unless that would not tell them apart.
const LEAF: usize = 16;

/// Most levels below the root.
const DEPTH: u8 = 16;

/// A step whose lists are longer than this times those after the last new octree gets a new one.
const WORN: usize = 2;

/// Where searches begin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// At the cell that is remembered of the last step, up or down from there.
    #[default]
    Remembered,
    /// At the root, in every step.
    Root,
}

/// The cell in which a [search](OctreeScene::search) begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StartCell(u32);

/// Work of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OctreeCounts {
    /// Cells that were looked at on the way up or down to the start cells.
    pub searched: u64,
    /// Cells that were looked at below the start cells, to list objects and to find pairs, and to divide
    /// cells.
    pub visited: u64,
    /// Tests of two boxes.
    pub tested: u64,
}

/// What oriented boxes say of pairs whose axis-aligned boxes overlap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OctreeHits {
    /// Pairs that fifteen axes do not separate.
    pub pairs: Vec<[u32; 2]>,
    /// Pairs that the paper's three axes, those of the world, do not separate.
    pub on_three: u64,
    /// Of these, the pairs that fifteen axes separate: false hits of the paper's test.
    pub false_hits: u64,
}

/// A cell: the points `x` with `min ≤ x < max`; outermost sides are infinite.
#[derive(Clone, Debug)]
struct Cell {
    min: Point,
    max: Point,
    /// Where it is divided.
    middle: Point,
    depth: u8,
    parent: u32,
    /// The first of eight children, 0 if it is a leaf.
    children: u32,
    /// Of a leaf: the objects that touch it, by number among those present.
    touching: Vec<u32>,
}

/// Broad phase `octree-scene`: for scenes of which most is fixed.
#[derive(Clone, Debug, Default)]
pub struct OctreeScene {
    start: Start,
    present: Vec<Present>,
    cells: Vec<Cell>,
    /// By object: the smallest cell that holds it.
    starts: Vec<u32>,
    /// Lengths of all lists, and the same right after the octree was made.
    listed: usize,
    fresh: usize,
    counts: OctreeCounts,
}

impl Cell {
    /// The children that a box touches, as bits: bit `4 x + 2 y + z`.
    #[inline]
    fn touched(&self, one: &Aabb) -> u32 {
        let mut touched = 0xff;
        for (k, low) in [0x0f, 0x33, 0x55].into_iter().enumerate() {
            if !(one.min[k] < self.middle[k]) {
                touched &= !low;
            }
            if one.max[k] < self.middle[k] {
                touched &= low;
            }
        }
        touched
    }

    /// Whether a box lies in the cell.
    #[inline]
    fn holds(&self, one: &Aabb) -> bool {
        (0..3).all(|k| self.min[k] <= one.min[k] && one.max[k] < self.max[k])
    }

    /// Child `octant` of this cell, which is number `parent`.
    fn child(&self, octant: u32, parent: u32, around: &Aabb) -> Self {
        let (mut min, mut max) = (self.min, self.max);
        for k in 0..3 {
            let upper = octant >> (2 - k) & 1 == 1;
            *(if upper { &mut min[k] } else { &mut max[k] }) = self.middle[k];
        }
        Self::new([min, max], self.depth + 1, parent, around)
    }

    /// A leaf. Infinite sides count as those of `around`.
    fn new([min, max]: [Point; 2], depth: u8, parent: u32, around: &Aabb) -> Self {
        let [low, high] = [min.sup(&around.min), max.inf(&around.max)];
        let middle = Point::from(low.coords * 0.5 + high.coords * 0.5);
        Self { min, max, middle, depth, parent, children: 0, touching: Vec::new() }
    }
}

impl OctreeScene {
    /// A broad phase without objects. Answers do not depend on where searches begin.
    pub fn new(start: Start) -> Self {
        Self { start, ..Self::default() }
    }

    /// The work of the last update and of the searches since.
    pub const fn counts(&self) -> OctreeCounts {
        self.counts
    }

    /// Makes a new octree.
    fn divide(&mut self, control: &Control<'_>) -> Result<(), Cancelled> {
        let around = self.present.iter().fold(Aabb::EMPTY, |sum, one| sum.merged(&one.one));
        let all = [f64::NEG_INFINITY, f64::INFINITY].map(|x| Point::from(Vector::repeat(x)));
        self.cells.clear();
        self.starts.fill(0);
        if self.present.is_empty() {
            return Ok(());
        }
        let mut root = Cell::new(all, 0, 0, &around);
        root.touching = (0..self.present.len() as u32).collect();
        self.cells.push(root);
        let (mut next, mut looked) = (0, 0);
        while let Some(cell) = self.cells.get_mut(next) {
            let number = next as u32;
            next += 1;
            if cell.touching.len() <= LEAF || cell.depth == DEPTH {
                continue;
            }
            self.counts.visited += cell.touching.len() as u64;
            let mut lists: [Vec<u32>; 8] = Default::default();
            for &i in &cell.touching {
                looked += 1;
                if looked > STRETCH {
                    control.check()?;
                    looked = 0;
                }
                let touched = cell.touched(&self.present[i as usize].one);
                for (octant, list) in lists.iter_mut().enumerate() {
                    if touched >> octant & 1 == 1 {
                        list.push(i);
                    }
                }
            }
            // Dividing pays if the children together list less than twice the objects.
            if lists.iter().map(Vec::len).sum::<usize>() >= 2 * cell.touching.len() {
                continue;
            }
            cell.touching = Vec::new();
            let cell = cell.clone();
            self.cells[next - 1].children = self.cells.len() as u32;
            for (octant, touching) in (0..).zip(lists) {
                self.cells.push(Cell { touching, ..cell.child(octant, number, &around) });
            }
        }
        self.list(usize::MAX, control)?;
        self.fresh = self.listed;
        Ok(())
    }

    /// Finds the start cells, and lists all objects in the leaves that they touch. False if the lists
    /// became longer than `most`: they are then not complete.
    fn list(&mut self, most: usize, control: &Control<'_>) -> Result<bool, Cancelled> {
        for stretch in self.cells.chunks_mut(STRETCH) {
            control.check()?;
            for cell in stretch {
                cell.touching.clear();
            }
        }
        self.listed = 0;
        let (mut open, mut looked) = (Vec::new(), self.counts.visited);
        for (number, Present { object, one, .. }) in (0..).zip(&self.present) {
            let start = &mut self.starts[*object as usize];
            let from = if self.start == Start::Root { 0 } else { *start };
            *start = start_of(&self.cells, one, from, &mut self.counts.searched);
            open.push(*start);
            let visited = &mut self.counts.visited;
            while let Some(leaf) = next_leaf(&self.cells, one, &mut open, visited) {
                self.cells[leaf].touching.push(number);
                self.listed += 1;
                if self.listed > most {
                    return Ok(false);
                }
                if *visited - looked > STRETCH as u64 {
                    control.check()?;
                    looked = *visited;
                }
            }
        }
        Ok(true)
    }

    /// Appends every object whose box overlaps `one`, each once: the paper's question of one moving
    /// object. Unless searches begin at the root, this one begins at `start`, the cell of the object's
    /// last search; `start` becomes the cell of this one. Any cell gives the same objects.
    pub fn search(&mut self, one: &Aabb, start: &mut StartCell, into: &mut Vec<u32>) {
        let mut counts = self.counts;
        let remembered = self.start == Start::Remembered && (start.0 as usize) < self.cells.len();
        let from = if remembered { start.0 } else { 0 };
        *start = StartCell(self.find(one, from, &mut counts, into));
        self.counts = counts;
    }

    /// Appends every object whose box overlaps `one`. The cell in which the search began, which is
    /// near `from`, an existing one.
    fn find(&self, one: &Aabb, from: u32, counts: &mut OctreeCounts, into: &mut Vec<u32>) -> u32 {
        if self.cells.is_empty() {
            return 0;
        }
        let start = start_of(&self.cells, one, from, &mut counts.searched);
        let mut open = vec![start];
        while let Some(leaf) = next_leaf(&self.cells, one, &mut open, &mut counts.visited) {
            let cell = &self.cells[leaf];
            counts.tested += cell.touching.len() as u64;
            for other in cell.touching.iter().map(|&i| &self.present[i as usize]) {
                if one.overlaps(&other.one) && is_here(cell, one, &other.one) {
                    into.push(other.object);
                }
            }
        }
        start
    }

    /// Asks oriented boxes about the pairs of a search. A pair without a box for one of its objects
    /// is kept.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn oriented(
        &mut self,
        boxes: &[Option<Obb>],
        control: &Control<'_>,
    ) -> Result<OctreeHits, Cancelled> {
        let (mut pairs, mut hits) = (Vec::new(), OctreeHits::default());
        self.pairs(control, &mut pairs)?;
        for (number, &pair) in pairs.iter().enumerate() {
            if number.is_multiple_of(STRETCH) {
                control.check()?;
            }
            let [a, b] = pair.map(|i| boxes.get(i as usize).and_then(Option::as_ref));
            let (Some(a), Some(b)) = (a, b) else {
                hits.pairs.push(pair);
                continue;
            };
            let on_three = a.overlaps_on_world_axes(b);
            let on_fifteen = a.overlaps(b);
            hits.on_three += u64::from(on_three);
            hits.false_hits += u64::from(on_three && !on_fifteen);
            if on_fifteen {
                hits.pairs.push(pair);
            }
        }
        Ok(hits)
    }
}

/// The smallest cell that holds a box: up from a cell until one does, then down.
fn start_of(cells: &[Cell], one: &Aabb, from: u32, searched: &mut u64) -> u32 {
    let mut b = from as usize;
    *searched += 1;
    while b != 0 && !cells[b].holds(one) {
        b = cells[b].parent as usize;
        *searched += 1;
    }
    while cells[b].children != 0 {
        let touched = cells[b].touched(one);
        if touched.count_ones() != 1 {
            break;
        }
        b = (cells[b].children + touched.trailing_zeros()) as usize;
        *searched += 1;
    }
    b as u32
}

/// The next leaf that a box touches, of those below the cells in `open`; counts the cells on the way.
#[inline]
fn next_leaf(cells: &[Cell], one: &Aabb, open: &mut Vec<u32>, visited: &mut u64) -> Option<usize> {
    while let Some(b) = open.pop() {
        let cell = &cells[b as usize];
        *visited += 1;
        if cell.children == 0 {
            return Some(b as usize);
        }
        open.extend(bits(cell.touched(one)).map(|octant| cell.children + octant));
    }
    None
}

/// The numbers of the bits that are set.
fn bits(mut set: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let lowest = (set != 0).then(|| set.trailing_zeros())?;
        set &= set - 1;
        Some(lowest)
    })
}

/// Whether the least corner that two boxes have in common is in a cell, so that of all leaves that
/// both touch one finds the pair.
#[inline]
fn is_here(cell: &Cell, one: &Aabb, other: &Aabb) -> bool {
    (0..3).all(|k| {
        let corner = one.min[k].max(other.min[k]);
        cell.min[k] <= corner && corner < cell.max[k]
    })
}

impl BroadPhase for OctreeScene {
    fn word(&self) -> &'static str {
        "octree-scene"
    }

    fn clear(&mut self) {
        *self = Self::new(self.start);
    }

    fn take_in(&mut self, objects: &Objects<'_>, control: &Control<'_>) -> Result<(), Cancelled> {
        self.counts = OctreeCounts::default();
        gather(objects, control, &mut self.present)?;
        self.starts.resize(objects.boxes.len(), 0);
        if self.cells.is_empty() {
            return self.divide(control);
        }
        let worn = !self.list(WORN * self.fresh + LEAF, control)?;
        if worn { self.divide(control) } else { Ok(()) }
    }

    fn pairs(&mut self, control: &Control<'_>, into: &mut Vec<[u32; 2]>) -> Result<(), Cancelled> {
        control.check()?;
        let Self { present, cells, starts, counts, .. } = self;
        let (mut open, mut looked) = (Vec::new(), 0);
        for (number, one) in (0u32..).zip(present.iter()).filter(|(_, one)| !one.fixed) {
            open.push(starts[one.object as usize]);
            while let Some(leaf) = next_leaf(cells, &one.one, &mut open, &mut counts.visited) {
                let cell = &cells[leaf];
                looked += 1 + cell.touching.len();
                if looked > STRETCH {
                    control.check()?;
                    looked = 0;
                }
                for &i in &cell.touching {
                    let other = &present[i as usize];
                    // Of two that move, the later one finds the pair.
                    if i == number || !other.fixed && i > number {
                        continue;
                    }
                    counts.tested += 1;
                    if one.one.overlaps(&other.one) && is_here(cell, &one.one, &other.one) {
                        into.push(one.pair(other));
                    }
                }
            }
        }
        Ok(())
    }

    fn overlapping(&self, one: &Aabb, into: &mut Vec<u32>) {
        self.find(one, 0, &mut OctreeCounts::default(), into);
    }
}
