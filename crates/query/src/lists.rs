//! The contacts among two lists of triangles, without a prepared tree.
//!
//! 1. Triangles whose bounds do not reach into both lists' common bounds are dropped.
//! 2. Long lists are divided by a plane across the longest axis on which that leaves few enough pairs:
//!    a plane through the middle of the common bounds, or if none will do through the middle of most
//!    triangles, which may be a small part of the bounds. A triangle goes to each side it reaches. A
//!    pair belongs to the side where its bounds begin to overlap, so that it is tested once.
//! 3. Short lists, and those that no axis divides, are sorted along the longest axis, and pairs whose
//!    bounds overlap are tested: by a filter with certain answers, then by exact signs.
//!
//! Time: near-linear in the triangles and the pairs of overlapping bounds. Where many triangles
//! coincide, so that no plane divides them, all their pairs are compared.

use std::ops::{ControlFlow, Range};

use impinge_geometry::triangle::{Outcome, sat17};
use impinge_geometry::volume::Aabb;
use impinge_geometry::{Point, Triangle, exact};

use crate::{Cancelled, Contact, Control, Counter, order};

/// Pairs of bounds compared between two looks at the caller's flag.
const STRIDE: u32 = 256;

/// Triangles copied or counted between two looks.
const LOOK: usize = 1 << 13;

/// Lists with fewer pairs than this are not divided.
const FEW: usize = 1 << 12;

/// Triangles of each list whose middles stand for those of all.
const SAMPLES: usize = 16;

/// Most divisions of a list.
const DEPTH: u32 = 64;

/// A triangle and its bounds.
#[derive(Clone, Copy, Debug)]
pub struct Bounded {
    /// Its index, which contacts name.
    pub index: u32,
    /// Its corners.
    pub corners: Triangle,
    /// The least coordinates of its corners.
    pub low: Point,
    /// Their greatest coordinates.
    pub high: Point,
}

impl Bounded {
    /// A triangle with its bounds, which are exact.
    #[inline]
    pub fn new(index: u32, corners: Triangle) -> Self {
        let [a, b, c] = corners;
        Self { index, corners, low: a.inf(&b).inf(&c), high: a.sup(&b).sup(&c) }
    }

    /// Whether the bounds of both share a point.
    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        (0..3).all(|k| self.low[k] <= other.high[k] && other.low[k] <= self.high[k])
    }

    /// Whether the bounds share a point with a box.
    #[inline]
    pub fn reaches(&self, region: &Aabb) -> bool {
        (0..3).all(|k| self.low[k] <= region.max[k] && region.min[k] <= self.high[k])
    }
}

/// The part of space whose pairs are tested: on every axis the bounds of a pair must begin to
/// overlap above the first number and not above the second.
#[derive(Clone, Copy, Debug)]
struct Cell {
    above: [f64; 3],
    up_to: [f64; 3],
}

impl Cell {
    const ALL: Self = Self { above: [f64::NEG_INFINITY; 3], up_to: [f64::INFINITY; 3] };

    #[inline]
    fn has(&self, s: &Bounded, t: &Bounded) -> bool {
        (0..3).all(|k| {
            let begin = s.low[k].max(t.low[k]);
            self.above[k] < begin && begin <= self.up_to[k]
        })
    }
}

/// Two lists of triangles in one frame. Keeps its allocations.
#[derive(Clone, Debug, Default)]
pub struct Lists {
    of_a: Vec<Bounded>,
    of_b: Vec<Bounded>,
}

impl Lists {
    /// Replaces both lists; each triangle comes with its index.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn fill(
        &mut self,
        of_a: impl IntoIterator<Item = (u32, Triangle)>,
        of_b: impl IntoIterator<Item = (u32, Triangle)>,
        control: &Control<'_>,
    ) -> Result<(), Cancelled> {
        collect(&mut self.of_a, of_a, control)?;
        collect(&mut self.of_b, of_b, control)
    }

    /// Passes every pair of triangles that meet to `hit`, each once, until it breaks off. The lists
    /// are in another order afterwards, and may be shorter.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn meet<C: Counter>(
        &mut self,
        counter: &mut C,
        control: &Control<'_>,
        hit: impl FnMut(Contact) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Cancelled> {
        control.check()?;
        let ranges = [0..self.of_a.len(), 0..self.of_b.len()];
        Task { lists: self, counter, control, hit, looks: 0 }.part(&ranges, Cell::ALL, DEPTH)
    }
}

/// One search. Parts of lists are copied to the ends of the lists, and removed after use.
struct Task<'t, 'c, C, H> {
    lists: &'t mut Lists,
    counter: &'t mut C,
    control: &'t Control<'c>,
    hit: H,
    looks: u32,
}

type Ranges = [Range<usize>; 2];

impl<C: Counter, H: FnMut(Contact) -> ControlFlow<()>> Task<'_, '_, C, H> {
    /// Tests the pairs of a part that belong to a cell.
    fn part(
        &mut self,
        ranges: &Ranges,
        cell: Cell,
        depth: u32,
    ) -> Result<ControlFlow<()>, Cancelled> {
        let control = self.control;
        let Lists { of_a, of_b } = &mut *self.lists;
        let around = |list: &[Bounded]| -> Result<Option<Aabb>, Cancelled> {
            let mut all: Option<Aabb> = None;
            for chunk in list.chunks(LOOK) {
                control.check()?;
                let part = bounds(chunk).map(|(min, max)| Aabb { min, max });
                all = all.zip(part).map(|(all, part)| all.merged(&part)).or(all).or(part);
            }
            Ok(all)
        };
        let both = around(&of_a[ranges[0].clone()])?.zip(around(&of_b[ranges[1].clone()])?);
        let Some(region) = both.and_then(|(a, b)| a.intersection(&b)) else {
            return Ok(ControlFlow::Continue(()));
        };
        let ranges = [
            keep(of_a, ranges[0].clone(), |t| t.reaches(&region), control)?,
            keep(of_b, ranges[1].clone(), |t| t.reaches(&region), control)?,
        ];
        // Halved, because the difference may overflow.
        let extent = region.max.coords * 0.5 - region.min.coords * 0.5;
        let mut axes = [0, 1, 2];
        axes.sort_unstable_by(|&i, &j| extent[j].total_cmp(&extent[i]));
        if depth > 0
            && ranges[0].len().saturating_mul(ranges[1].len()) > FEW
            && let Some(plane) = self.plane(&ranges, axes, &region)?
        {
            return self.divide(&ranges, plane, cell, depth - 1);
        }
        self.sweep(ranges, cell, axes[0])
    }

    /// The axis and the place of a plane that divides a part; `None` if none does.
    fn plane(
        &self,
        ranges: &Ranges,
        axes: [usize; 3],
        region: &Aabb,
    ) -> Result<Option<(usize, f64)>, Cancelled> {
        for axis in axes {
            let middle = region.min[axis] * 0.5 + region.max[axis] * 0.5;
            if self.is_divided(ranges, (axis, middle))? {
                return Ok(Some((axis, middle)));
            }
        }
        for axis in axes {
            let median = self.median(ranges, axis);
            if self.is_divided(ranges, (axis, median))? {
                return Ok(Some((axis, median)));
            }
        }
        Ok(None)
    }

    /// About the median of the middles of the triangles' bounds: that of [`SAMPLES`] of each list.
    fn median(&self, ranges: &Ranges, axis: usize) -> f64 {
        let lists = [&self.lists.of_a[ranges[0].clone()], &self.lists.of_b[ranges[1].clone()]];
        let mut middles = [0.0; 2 * SAMPLES];
        for (list, middles) in lists.iter().zip(middles.chunks_exact_mut(SAMPLES)) {
            for (k, middle) in middles.iter_mut().enumerate() {
                let t = &list[k * list.len() / SAMPLES];
                *middle = t.low[axis] * 0.5 + t.high[axis] * 0.5;
            }
        }
        middles.sort_unstable_by(f64::total_cmp);
        middles[SAMPLES]
    }

    /// Whether a plane leaves at most three quarters of the pairs, and copies few triangles.
    fn is_divided(&self, ranges: &Ranges, (axis, middle): (usize, f64)) -> Result<bool, Cancelled> {
        let lists = [&self.lists.of_a[ranges[0].clone()], &self.lists.of_b[ranges[1].clone()]];
        let mut sides = [[0usize; 2]; 2];
        for (list, sides) in lists.iter().zip(&mut sides) {
            for chunk in list.chunks(LOOK) {
                self.control.check()?;
                for t in chunk {
                    sides[0] += usize::from(t.low[axis] <= middle);
                    sides[1] += usize::from(t.high[axis] > middle);
                }
            }
        }
        let [a, b] = lists.map(|list| list.len() as f64);
        let [[a_low, a_high], [b_low, b_high]] = sides.map(|side| side.map(|n| n as f64));
        let pairs = a_low * b_low + a_high * b_high;
        Ok(pairs <= 0.75 * a * b && a_low + a_high + b_low + b_high <= 1.5 * (a + b))
    }

    /// Tests both sides of a plane.
    fn divide(
        &mut self,
        ranges: &Ranges,
        (axis, middle): (usize, f64),
        cell: Cell,
        depth: u32,
    ) -> Result<ControlFlow<()>, Cancelled> {
        let (mut left, mut right) = (cell, cell);
        left.up_to[axis] = left.up_to[axis].min(middle);
        right.above[axis] = right.above[axis].max(middle);
        let ended = self.side(ranges, |t| t.low[axis] <= middle, left, depth)?;
        if ended.is_break() {
            return Ok(ended);
        }
        self.side(ranges, |t| t.high[axis] > middle, right, depth)
    }

    /// Tests one side of a plane.
    fn side(
        &mut self,
        ranges: &Ranges,
        on: impl Fn(&Bounded) -> bool,
        cell: Cell,
        depth: u32,
    ) -> Result<ControlFlow<()>, Cancelled> {
        let parts = [
            copy(&mut self.lists.of_a, ranges[0].clone(), &on, self.control)?,
            copy(&mut self.lists.of_b, ranges[1].clone(), &on, self.control)?,
        ];
        let starts = [parts[0].start, parts[1].start];
        let ended = self.part(&parts, cell, depth)?;
        self.lists.of_a.truncate(starts[0]);
        self.lists.of_b.truncate(starts[1]);
        Ok(ended)
    }

    /// Tests the pairs of a part whose intervals on an axis overlap.
    fn sweep(
        &mut self,
        [a, b]: Ranges,
        cell: Cell,
        axis: usize,
    ) -> Result<ControlFlow<()>, Cancelled> {
        let Self { lists, counter, control, hit, looks } = self;
        let (of_a, of_b) = (&mut lists.of_a[a], &mut lists.of_b[b]);
        for all in [&mut *of_a, &mut *of_b] {
            let sort = |all: &mut [Bounded]| {
                all.sort_unstable_by(|s, t| s.low[axis].total_cmp(&t.low[axis]));
            };
            order::sort_by(all, |t| ordinal(t.low[axis]), sort, control)?;
        }
        let mut test = |s: &Bounded, t: &Bounded| {
            *looks += 1;
            if looks.is_multiple_of(STRIDE) {
                control.check()?;
            }
            counter.volumes(1);
            let near = s.overlaps(t) && cell.has(s, t);
            Ok::<_, Cancelled>(if near && meet(&s.corners, &t.corners, *counter) {
                hit(Contact { a: s.index, b: t.index })
            } else {
                ControlFlow::Continue(())
            })
        };
        let (mut i, mut j) = (0, 0);
        while let (Some(s), Some(t)) = (of_a.get(i), of_b.get(j)) {
            let a_first = s.low[axis] <= t.low[axis];
            let end = if a_first { s.high[axis] } else { t.high[axis] };
            let others = if a_first { &of_b[j..] } else { &of_a[i..] };
            for other in others.iter().take_while(|other| other.low[axis] <= end) {
                let step = if a_first { test(s, other)? } else { test(other, t)? };
                if step.is_break() {
                    return Ok(step);
                }
            }
            if a_first {
                i += 1;
            } else {
                j += 1;
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// A number in the order of [`f64::total_cmp`].
const fn ordinal(x: f64) -> u64 {
    let bits = x.to_bits();
    if x.is_sign_negative() { !bits } else { bits | 1 << 63 }
}

/// Least and greatest coordinates of all of them; `None` if there are none.
pub fn bounds(all: &[Bounded]) -> Option<(Point, Point)> {
    let (first, rest) = all.split_first()?;
    let join = |(low, high): (Point, Point), t: &Bounded| (low.inf(&t.low), high.sup(&t.high));
    Some(rest.iter().fold((first.low, first.high), join))
}

fn collect(
    list: &mut Vec<Bounded>,
    triangles: impl IntoIterator<Item = (u32, Triangle)>,
    control: &Control<'_>,
) -> Result<(), Cancelled> {
    list.clear();
    for (index, corners) in triangles {
        if list.len().is_multiple_of(LOOK) {
            control.check()?;
        }
        list.push(Bounded::new(index, corners));
    }
    Ok(())
}

/// Moves the triangles of a range that are `kept` to its front, and returns their range.
fn keep(
    all: &mut [Bounded],
    range: Range<usize>,
    kept: impl Fn(&Bounded) -> bool,
    control: &Control<'_>,
) -> Result<Range<usize>, Cancelled> {
    let mut end = range.start;
    for i in range.clone() {
        if i % LOOK == 0 {
            control.check()?;
        }
        if kept(&all[i]) {
            all.swap(i, end);
            end += 1;
        }
    }
    Ok(range.start..end)
}

/// Appends the triangles of a range that are `wanted`, and returns their range.
fn copy(
    all: &mut Vec<Bounded>,
    range: Range<usize>,
    wanted: impl Fn(&Bounded) -> bool,
    control: &Control<'_>,
) -> Result<Range<usize>, Cancelled> {
    let start = all.len();
    for i in range {
        if i % LOOK == 0 {
            control.check()?;
        }
        if wanted(&all[i]) {
            all.push(all[i]);
        }
    }
    Ok(start..all.len())
}

/// Whether the closed triangles share a point. Exact.
pub fn meet(p: &Triangle, q: &Triangle, counter: &mut impl Counter) -> bool {
    counter.primitives(1);
    match sat17(p, q) {
        Outcome::Hit => true,
        Outcome::Miss => false,
        Outcome::Undecided => {
            counter.exact(1);
            exact::triangles_meet(p, q)
        }
    }
}
