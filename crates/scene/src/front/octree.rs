//! The octree of a query: the cells in which triangles of both objects are (anthology 2 §2.1).
//!
//! 1. The root is the common part of the bounds of both objects' triangles, or with
//!    [`OctreeParams::everywhere`], as published, the bounds of all.
//! 2. A cell of more than [`OctreeParams::triangles`] triangles is halved along each edge that is not
//!    more than [`OctreeParams::ratio`] times shorter than its longest: into 2, 4 or 8 cells. A triangle
//!    goes to every cell that its bounds touch.
//! 3. A cell stays whole at [`OctreeParams::depth`], if its parts would list twice as many triangles or
//!    more, or if all cells together would list more than 32 times the triangles.
//! 4. The triangles of cells with triangles of both objects are the result.
//!
//! Two triangles that share a point are in one cell of the result: the point is in the root, and the
//! part of a cell that it is in lists both, since both bounds contain it. Bounds are exact and only
//! compared, so no rounding can part them.

use std::ops::Range;

use impinge_geometry::Point;
use impinge_geometry::volume::Aabb;
use impinge_query::lists::{Bounded, bounds};
use impinge_query::{Cancelled, Control};

/// All cells together list at most this many times the triangles.
const MOST: usize = 32;

/// Triangles listed between two looks at the caller's flag, unless a single cell has more.
const LOOK: usize = 1 << 13;

/// How cells are divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Division {
    /// Along all edges that are long enough: into 2, 4 or 8 cells.
    Eight,
    /// Along the longest edge: into 2 cells, as a binary tree.
    Two,
}

/// Parameters of an [`Octree`].
///
/// | field | default | effect |
/// | --- | --- | --- |
/// | `triangles` | 64 | fewer: tighter, and dearer to build |
/// | `depth` | 12 | most levels below the root |
/// | `ratio` | √2 | larger: more cells at once, less like cubes |
/// | `division` | eight | `Two` for comparison |
/// | `everywhere` | no | also divides cells with triangles of one object, as published |
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OctreeParams {
    /// Cells of at most this many triangles are not divided.
    pub triangles: usize,
    /// Most levels below the root; the root has depth 0.
    pub depth: u32,
    /// An edge more than this times shorter than the longest is not halved.
    pub ratio: f64,
    /// Into how many cells.
    pub division: Division,
    /// Whether cells with triangles of one object are divided too, and the root is not restricted to
    /// the bounds that both objects share.
    pub everywhere: bool,
}

impl Default for OctreeParams {
    fn default() -> Self {
        Self {
            triangles: 64,
            depth: 12,
            ratio: std::f64::consts::SQRT_2,
            division: Division::Eight,
            everywhere: false,
        }
    }
}

/// The size of the last octree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OctreeSize {
    /// Cells that are divided.
    pub divided: usize,
    /// Cells that are not. Cells with triangles of one object count if `everywhere` is set.
    pub leaves: usize,
    /// Leaves with triangles of both objects: the paper's potentially colliding volumes.
    pub shared: usize,
    /// Levels below the root.
    pub depth: u32,
    /// Triangles that leaves list.
    pub listed: usize,
}

/// A triangle in a list: its number among those of its object, and the parts of the cell that its
/// bounds touch, one bit each.
#[derive(Clone, Copy, Debug)]
struct Entry {
    number: u32,
    touched: u8,
}

/// An octree, and allocations to reuse.
#[derive(Clone, Debug, Default)]
pub struct Octree {
    size: OctreeSize,
    /// The lists of the cells from the root to the current one, A's triangles before B's.
    entries: Vec<Entry>,
    /// By object and number: whether the triangle is in the result.
    chosen: [Vec<bool>; 2],
    result: [Vec<u32>; 2],
}

/// Bits of the parts on the lower side of the halved axes x, y, z: part `4 x + 2 y + z`.
const LOWER: [u8; 3] = [0x0f, 0x33, 0x55];

impl Octree {
    /// Divides space until few triangles are in a cell.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn build(
        &mut self,
        params: &OctreeParams,
        of: [&[Bounded]; 2],
        control: &Control<'_>,
    ) -> Result<(), Cancelled> {
        control.check()?;
        self.size = OctreeSize::default();
        self.entries.clear();
        for (k, of) in of.iter().enumerate() {
            self.result[k].clear();
            self.chosen[k].clear();
            self.chosen[k].resize(of.len(), false);
        }
        let around = |of: &[Bounded]| bounds(of).map(|(min, max)| Aabb { min, max });
        let (a, b) = (around(of[0]), around(of[1]));
        let root = if params.everywhere {
            a.zip(b).map(|(a, b)| a.merged(&b)).or(a).or(b)
        } else {
            a.zip(b).and_then(|(a, b)| a.intersection(&b))
        };
        let Some(root) = root else { return Ok(()) };
        let mut of_a = 0;
        for of in of {
            of_a = self.entries.len();
            let reaching = (0..).zip(of).filter(|(_, one)| one.reaches(&root));
            self.entries.extend(reaching.map(|(number, _)| Entry { number, touched: 0 }));
        }
        let left = MOST * self.entries.len();
        let mut task = Task { octree: self, params, of, control, left, since: 0 };
        let range = 0..task.octree.entries.len();
        task.cell(root, range, of_a, 0)
    }

    /// The triangles of A and of B, by their numbers in the given lists, that are in a cell with
    /// triangles of both, each once.
    pub fn result(&self) -> [&[u32]; 2] {
        [&self.result[0], &self.result[1]]
    }

    /// Its size.
    pub const fn size(&self) -> OctreeSize {
        self.size
    }
}

/// A build.
struct Task<'t, 'c> {
    octree: &'t mut Octree,
    params: &'t OctreeParams,
    of: [&'t [Bounded]; 2],
    control: &'t Control<'c>,
    /// How many triangles further lists may hold together.
    left: usize,
    /// Triangles listed since the last look.
    since: usize,
}

impl Task<'_, '_> {
    /// Divides the cell with these entries, of which the first `of_a` are A's, or makes it a leaf. It
    /// leaves the entries before and in the range as they are, but for the bits.
    fn cell(
        &mut self,
        cell: Aabb,
        range: Range<usize>,
        of_a: usize,
        depth: u32,
    ) -> Result<(), Cancelled> {
        let both = 0 < of_a && of_a < range.len();
        if !both && !self.params.everywhere || range.is_empty() {
            return Ok(());
        }
        self.octree.size.depth = self.octree.size.depth.max(depth);
        let halved = halved(&cell, self.params);
        let whole = range.len() <= self.params.triangles || depth >= self.params.depth;
        if whole || halved == [false; 3] || !self.touch(&cell, halved, range.clone(), of_a)? {
            self.leaf(range, of_a, both);
            return Ok(());
        }
        self.octree.size.divided += 1;
        for part in 0..8 {
            let lower = |k: usize| LOWER[k] >> part & 1 == 1;
            if (0..3).any(|k| !halved[k] && !lower(k)) {
                continue;
            }
            let start = self.octree.entries.len();
            let mut part_of_a = 0;
            for i in range.clone() {
                let entry = self.octree.entries[i];
                if entry.touched >> part & 1 == 1 {
                    self.octree.entries.push(entry);
                    part_of_a += usize::from(i - range.start < of_a);
                }
            }
            let (mut inside, middle) = (cell, middle(&cell));
            for k in (0..3).filter(|&k| halved[k]) {
                let end = if lower(k) { &mut inside.max } else { &mut inside.min };
                end[k] = middle[k];
            }
            let entries = start..self.octree.entries.len();
            self.cell(inside, entries, part_of_a, depth + 1)?;
            self.octree.entries.truncate(start);
        }
        Ok(())
    }

    /// Notes for each entry of a cell which parts its bounds touch. Returns whether dividing pays.
    fn touch(
        &mut self,
        cell: &Aabb,
        halved: [bool; 3],
        range: Range<usize>,
        of_a: usize,
    ) -> Result<bool, Cancelled> {
        self.since += range.len();
        if self.since >= LOOK {
            self.control.check()?;
            self.since = 0;
        }
        let (middle, count) = (middle(cell), range.len());
        let mut listed = 0;
        for (i, entry) in self.octree.entries[range].iter_mut().enumerate() {
            let one = &self.of[usize::from(i >= of_a)][entry.number as usize];
            entry.touched = touched(one, &middle, halved);
            listed += entry.touched.count_ones() as usize;
        }
        if listed >= 2 * count || listed > self.left {
            return Ok(false);
        }
        self.left -= listed;
        Ok(true)
    }

    /// Ends at a cell.
    fn leaf(&mut self, range: Range<usize>, of_a: usize, both: bool) {
        let Octree { size, entries, chosen, result } = &mut *self.octree;
        size.leaves += 1;
        size.listed += range.len();
        if !both {
            return;
        }
        size.shared += 1;
        for (i, Entry { number, .. }) in entries[range].iter().enumerate() {
            let object = usize::from(i >= of_a);
            if !std::mem::replace(&mut chosen[object][*number as usize], true) {
                result[object].push(*number);
            }
        }
    }
}

/// Halves are summed, so that nothing overflows.
fn middle(cell: &Aabb) -> Point {
    Point::from(cell.min.coords * 0.5 + cell.max.coords * 0.5)
}

/// Along which axes a cell is halved. Rounded: this decides only the shape of cells.
fn halved(cell: &Aabb, params: &OctreeParams) -> [bool; 3] {
    let edges = cell.max.coords * 0.5 - cell.min.coords * 0.5;
    let longest = edges.imax();
    [0, 1, 2].map(|k| match params.division {
        Division::Two => k == longest && edges[k] > 0.0,
        Division::Eight => edges[k] > 0.0 && edges[k] * params.ratio >= edges[longest],
    })
}

/// The parts of a cell that bounds touch.
#[inline]
fn touched(one: &Bounded, middle: &Point, halved: [bool; 3]) -> u8 {
    let mut touched = 0xff;
    for k in 0..3 {
        if !(halved[k] && one.high[k] >= middle[k]) {
            touched &= LOWER[k];
        }
        if halved[k] && one.low[k] > middle[k] {
            touched &= !LOWER[k];
        }
    }
    touched
}

#[cfg(test)]
mod tests;
