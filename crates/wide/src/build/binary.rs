//! The binary tree over an ordering of the triangles, and for each node the cost of grouping its
//! descendants into nodes of up to sixteen children.
//!
//! Dynamic programme of Ylitie, Karras and Laine 2017 (section 3.2): for every inner node, the
//! least cost of its subtree as a forest of at most `i` trees, for all `i` below sixteen.

use impinge_query::Cancelled;

use super::meter::Meter;
use super::record::{Bounds, Record};
use super::{morton, split};
use crate::simd::{Portable, Width};
use crate::tree::{LANES, TRIANGLES};

/// From this depth on, parts are halved: so for any mesh, no tree is deeper than this plus 28.
const DEEP: usize = 64;
/// Parts of at most this many triangles are built by one thread.
const GRAIN: usize = 1 << 14;
/// Cost of one more box in a node, relative to the cost of opening the node. The number of times a
/// node is opened is taken as proportional to the square root of its surface. Of about 25 pairs of
/// rules and constants tried on a torus and a dragon, this one tests the fewest boxes for its
/// bytes.
const LANE: f32 = 0.2;
/// Marks a child that is a leaf.
const LEAF: u32 = u32::MAX;

/// An ordering of triangles that knows where to cut itself.
pub(super) trait Order: Sized + Send {
    fn len(&self) -> usize;
    /// Bounds of all its triangles.
    fn bounds(&self) -> Bounds;
    /// Index of the first triangle of the second part; both parts are non-empty. Needs at least two
    /// triangles. Halves unless `heuristic`.
    fn cut(&mut self, heuristic: bool) -> usize;
    fn split(self, at: usize) -> (Self, Self);
}

/// Cuts by the surface-area heuristic, with an instruction set.
pub(super) struct BySurface<'r>(pub(super) &'r mut [Record], pub(super) Width);

impl Order for BySurface<'_> {
    fn len(&self) -> usize {
        self.0.len()
    }

    #[inline(always)]
    fn bounds(&self) -> Bounds {
        Bounds::of(self.0.iter())
    }

    fn cut(&mut self, heuristic: bool) -> usize {
        if heuristic { split::split(self.0, self.1) } else { self.0.len() / 2 }
    }

    fn split(self, at: usize) -> (Self, Self) {
        let (first, second) = self.0.split_at_mut(at);
        (Self(first, self.1), Self(second, self.1))
    }
}

/// Cuts where the highest bit of the Morton codes changes.
pub(super) struct ByCode<'r> {
    pub(super) keys: &'r [morton::Key],
    pub(super) records: &'r [Record],
}

impl Order for ByCode<'_> {
    fn len(&self) -> usize {
        self.keys.len()
    }

    #[inline(always)]
    fn bounds(&self) -> Bounds {
        Bounds::of(self.keys.iter().map(|&key| &self.records[morton::index(key) as usize]))
    }

    fn cut(&mut self, heuristic: bool) -> usize {
        if heuristic { morton::cut(self.keys) } else { self.keys.len() / 2 }
    }

    fn split(self, at: usize) -> (Self, Self) {
        let (first, second) = self.keys.split_at(at);
        (Self { keys: first, ..self }, Self { keys: second, ..self })
    }
}

/// An inner node of the binary tree.
#[derive(Clone, Debug)]
pub(super) struct Inner {
    /// Index in the ordering at which its triangles are cut.
    middle: u32,
    children: [u32; 2],
    /// Number of children if it becomes the root of a wide node.
    lanes: u32,
    costs: Costs,
}

/// `costs[i]`: least cost as at most `i` trees. `costs[0]` is unused.
type Costs = [f32; LANES];

/// Costs of a leaf: leaves cost the same however nodes are grouped.
const NOTHING: Costs = [0.0; LANES];

/// A part of the binary tree.
pub(super) enum Part {
    Leaf,
    /// Built by one thread; the last element is its root.
    Whole(Vec<Inner>),
    Joined(Box<Joined>),
}

pub(super) struct Joined {
    middle: u32,
    lanes: u32,
    costs: Costs,
    parts: [Part; 2],
}

/// Builds the binary tree of an ordering.
pub(super) struct Grower<'m> {
    pub(super) meter: &'m Meter<'m>,
    /// Cost of a node apart from its surface.
    pub(super) node: f32,
}

impl Grower<'_> {
    /// The tree of all of `order`, built on all threads; the result does not depend on their
    /// number.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub(super) fn part<O: Order>(
        &self,
        mut order: O,
        from: usize,
        depth: usize,
    ) -> Result<(Part, Bounds), Cancelled> {
        self.meter.check()?;
        let n = order.len();
        if n <= GRAIN {
            self.meter.advance(n as u64);
        }
        if n <= TRIANGLES {
            return Ok((Part::Leaf, order.bounds()));
        }
        if n <= GRAIN {
            let mut inner = Vec::with_capacity(n / 2);
            let (_, bounds) = self.grow(order, from, depth, &mut inner);
            return Ok((Part::Whole(inner), bounds));
        }
        let middle = order.cut(depth < DEEP);
        let (first, second) = order.split(middle);
        let (first, second) = rayon::join(
            || self.part(first, from, depth + 1),
            || self.part(second, from + middle, depth + 1),
        );
        let ((a, mut bounds), (b, more)) = (first?, second?);
        bounds.join::<Portable>(&more);
        let (costs, lanes) = self.costs(a.costs(), b.costs(), bounds.area());
        let joined = Joined { middle: (from + middle) as u32, lanes, costs, parts: [a, b] };
        Ok((Part::Joined(Box::new(joined)), bounds))
    }

    fn grow<O: Order>(
        &self,
        mut order: O,
        from: usize,
        depth: usize,
        inner: &mut Vec<Inner>,
    ) -> (u32, Bounds) {
        if order.len() <= TRIANGLES {
            return (LEAF, order.bounds());
        }
        let middle = order.cut(depth < DEEP);
        let (first, second) = order.split(middle);
        let (a, mut bounds) = self.grow(first, from, depth + 1, inner);
        let (b, more) = self.grow(second, from + middle, depth + 1, inner);
        bounds.join::<Portable>(&more);
        let (costs, lanes) = self.costs(costs_in(inner, a), costs_in(inner, b), bounds.area());
        inner.push(Inner { middle: (from + middle) as u32, children: [a, b], lanes, costs });
        ((inner.len() - 1) as u32, bounds)
    }

    /// Costs of a node from those of its children, and its number of children as the root of a wide
    /// node.
    #[inline(always)]
    fn costs(&self, a: &Costs, b: &Costs, area: f32) -> (Costs, u32) {
        let mut sums = [f32::INFINITY; 2 * LANES];
        for i in 1..LANES {
            for j in 1..LANES {
                let sum = a[i] + b[j];
                sums[i + j] = if sum < sums[i + j] { sum } else { sums[i + j] };
            }
            // More trees than the child has leaves change nothing.
            if a[i] == a[LANES - 1] {
                break;
            }
        }
        let often = if area > 0.0 { area.sqrt() } else { 0.0 };
        let (mut alone, mut lanes) = (f32::INFINITY, 2);
        for i in 2..=LANES {
            let cost = sums[i] + often * (1.0 + LANE * i as f32);
            if cost < alone {
                (alone, lanes) = (cost, i as u32);
            }
        }
        let mut costs = [f32::INFINITY; LANES];
        let mut least = alone + self.node;
        costs[1] = least;
        for i in 2..LANES {
            least = if sums[i] < least { sums[i] } else { least };
            costs[i] = least;
        }
        (costs, lanes)
    }
}

fn costs_in(inner: &[Inner], child: u32) -> &Costs {
    inner.get(child as usize).map_or(&NOTHING, |node| &node.costs)
}

impl Part {
    fn costs(&self) -> &Costs {
        match self {
            Self::Leaf => &NOTHING,
            Self::Whole(inner) => inner.last().map_or(&NOTHING, |node| &node.costs),
            Self::Joined(joined) => &joined.costs,
        }
    }

    pub(super) fn root(&self) -> At<'_> {
        match self {
            Self::Leaf => At::Leaf,
            Self::Whole(inner) => At::Inner(inner, (inner.len() - 1) as u32),
            Self::Joined(joined) => At::Joined(joined),
        }
    }
}

/// A node of the binary tree.
#[derive(Clone, Copy)]
pub(super) enum At<'t> {
    Leaf,
    Inner(&'t [Inner], u32),
    Joined(&'t Joined),
}

/// A subtree: its root, and the range of its triangles in the ordering.
pub(super) type Branch<'t> = (At<'t>, usize, usize);

impl<'t> At<'t> {
    fn costs(self) -> &'t Costs {
        match self {
            At::Leaf => &NOTHING,
            At::Inner(inner, i) => &inner[i as usize].costs,
            At::Joined(joined) => &joined.costs,
        }
    }

    fn lanes(self) -> usize {
        match self {
            At::Leaf => 0,
            At::Inner(inner, i) => inner[i as usize].lanes as usize,
            At::Joined(joined) => joined.lanes as usize,
        }
    }

    /// The index of its cut, and its children; `None` for a leaf.
    fn children(self) -> Option<(usize, [Self; 2])> {
        match self {
            At::Leaf => None,
            At::Inner(inner, i) => {
                let node = &inner[i as usize];
                let child = |c: u32| if c == LEAF { At::Leaf } else { At::Inner(inner, c) };
                Some((node.middle as usize, node.children.map(child)))
            }
            At::Joined(joined) => {
                Some((joined.middle as usize, joined.parts.each_ref().map(Part::root)))
            }
        }
    }
}

/// Appends the children of the wide node at `branch`, in order: at most sixteen, none for a leaf.
pub(super) fn children<'t>(branch: Branch<'t>, into: &mut Vec<Branch<'t>>) {
    cheapest(branch, branch.0.lanes(), into);
}

/// Appends the cheapest division of a subtree into at most `trees` subtrees; `trees` is at least
/// two.
fn cheapest<'t>((at, from, to): Branch<'t>, trees: usize, into: &mut Vec<Branch<'t>>) {
    let Some((middle, [a, b])) = at.children() else { return };
    let (x, y) = (a.costs(), b.costs());
    let mut best = (f32::INFINITY, 1);
    for i in 1..trees {
        let sum = x[i] + y[trees - i];
        if sum < best.0 {
            best = (sum, i);
        }
    }
    for (branch, trees) in [((a, from, middle), best.1), ((b, middle, to), trees - best.1)] {
        let costs = branch.0.costs();
        if trees == 1 || matches!(branch.0, At::Leaf) || costs[trees] == costs[1] {
            into.push(branch);
        } else {
            cheapest(branch, trees, into);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As where the heuristic has cut too deep.
    #[test]
    fn a_cut_without_heuristic_halves() {
        for count in 2..9 {
            let mut records = vec![Record::default(); count];
            assert_eq!(BySurface(&mut records, Width::fastest()).cut(false), count / 2);
        }
    }
}
