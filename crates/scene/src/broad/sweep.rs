//! `sweep`: sweep and prune on three axes, by insertion sort (fan §1.2.1). `docs/methods/sweep.md`
//! explains it.

use std::collections::BTreeSet;

use impinge_geometry::volume::Aabb;
use impinge_query::{BroadPhase, Cancelled, Control, Objects};

use super::{Present, STRETCH, present};

/// Places that the ends of an object may move in a step, on average, before the lists are made
/// anew; more where making them anew was dear.
const MOVES: usize = 64;

/// An end of a box on an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
struct End {
    at: f64,
    object: u32,
    /// Whether it is the upper end.
    upper: bool,
}

impl End {
    /// Whether it stands before another: lower ends before upper ones at the same place, so that
    /// boxes that touch overlap.
    #[inline]
    fn is_before(&self, other: &Self) -> bool {
        self.at < other.at || (self.at == other.at && !self.upper && other.upper)
    }
}

/// Broad phase `sweep`: good for few boxes that move little.
#[derive(Clone, Debug, Default)]
pub struct Sweep {
    /// By object.
    known: Vec<Option<Present>>,
    axes: [Vec<End>; 3],
    /// All overlapping pairs but those of two fixed objects.
    pairs: BTreeSet<[u32; 2]>,
    /// Tests of the last sweep over everything.
    swept: usize,
}

impl Sweep {
    /// Reads the ends on an axis anew, in their old order; new objects come last.
    fn renew(&mut self, k: usize, fresh: &[u32]) {
        let known = &self.known;
        let of = |object: u32, upper: bool| {
            let Present { one, .. } = (*known.get(object as usize)?)?;
            let at = if upper { one.max[k] } else { one.min[k] };
            Some(End { at, object, upper })
        };
        self.axes[k].retain_mut(|end| match of(end.object, end.upper) {
            Some(moved) => {
                *end = moved;
                true
            }
            None => false,
        });
        let both = |&object: &u32| [of(object, false), of(object, true)];
        self.axes[k].extend(fresh.iter().flat_map(both).flatten());
    }

    /// Sorts an axis by insertion. Two boxes whose ends change places begin or cease to overlap on
    /// it. False if there were too many moves.
    fn sort(
        &mut self,
        k: usize,
        moves: &mut usize,
        budget: usize,
        control: &Control<'_>,
    ) -> Result<bool, Cancelled> {
        let Self { known, axes, pairs, .. } = self;
        let ends = &mut axes[k];
        let mut looked = 0;
        for i in 1..ends.len() {
            let end = ends[i];
            let mut j = i;
            while j > 0 && end.is_before(&ends[j - 1]) {
                let other = ends[j - 1];
                ends[j] = other;
                j -= 1;
                if end.upper != other.upper && end.object != other.object {
                    let pair = [end.object.min(other.object), end.object.max(other.object)];
                    if end.upper {
                        pairs.remove(&pair);
                    } else if overlap(known, pair) {
                        pairs.insert(pair);
                    }
                }
            }
            ends[j] = end;
            *moves += i - j;
            if *moves > budget {
                return Ok(false);
            }
            looked += 1 + i - j;
            if looked > STRETCH {
                control.check()?;
                looked = 0;
            }
        }
        Ok(true)
    }

    /// Makes all lists anew, and sweeps along the axis on which the centres spread most.
    fn sweep_all(&mut self, control: &Control<'_>) -> Result<(), Cancelled> {
        let all: Vec<Present> = self.known.iter().flatten().copied().collect();
        let mut best = (0, f64::NEG_INFINITY);
        for k in 0..3 {
            control.check()?;
            let mut sums = [0.0; 2];
            for Present { one, .. } in &all {
                let at = one.center()[k];
                sums = [sums[0] + at, sums[1] + at * at];
            }
            let n = all.len().max(1) as f64;
            let spread = sums[1] / n - (sums[0] / n) * (sums[0] / n);
            if spread > best.1 {
                best = (k, spread);
            }
            let ends = all.iter().flat_map(|&Present { object, one, .. }| {
                let [low, high] = [one.min[k], one.max[k]];
                [(low, false), (high, true)].map(|(at, upper)| End { at, object, upper })
            });
            self.axes[k] = ends.collect();
            sort_ends(&mut self.axes[k], control)?;
        }
        self.pairs.clear();
        self.swept = 0;
        let (mut active, mut looked): (Vec<u32>, usize) = (Vec::new(), 0);
        for end in &self.axes[best.0] {
            looked += 1 + active.len();
            if looked > STRETCH {
                control.check()?;
                looked = 0;
            }
            self.swept += active.len();
            if end.upper {
                active.retain(|&object| object != end.object);
                continue;
            }
            for &other in &active {
                let pair = [end.object.min(other), end.object.max(other)];
                if overlap(&self.known, pair) {
                    self.pairs.insert(pair);
                }
            }
            active.push(end.object);
        }
        Ok(())
    }
}

/// Whether the boxes of two objects overlap, of which one moves.
fn overlap(known: &[Option<Present>], [a, b]: [u32; 2]) -> bool {
    match (known.get(a as usize), known.get(b as usize)) {
        (Some(Some(a)), Some(Some(b))) => a.meets(b),
        _ => false,
    }
}

/// Sorts ends by runs and merges, with looks at the caller's flag.
fn sort_ends(ends: &mut Vec<End>, control: &Control<'_>) -> Result<(), Cancelled> {
    let key = |end: &End| (end.at + 0.0, end.upper);
    let order = |a: &End, b: &End| {
        let (a, b) = (key(a), key(b));
        a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))
    };
    for run in ends.chunks_mut(STRETCH) {
        control.check()?;
        run.sort_by(order);
    }
    let (mut length, mut merged) = (STRETCH, Vec::with_capacity(ends.len()));
    while length < ends.len() {
        merged.clear();
        for two in ends.chunks(2 * length) {
            let (mut a, mut b) = two.split_at(length.min(two.len()));
            while let ([x, rest_a @ ..], [y, rest_b @ ..]) = (a, b) {
                if merged.len().is_multiple_of(STRETCH) {
                    control.check()?;
                }
                if order(y, x).is_lt() {
                    b = rest_b;
                    merged.push(*y);
                } else {
                    a = rest_a;
                    merged.push(*x);
                }
            }
            merged.extend_from_slice(a);
            merged.extend_from_slice(b);
        }
        std::mem::swap(ends, &mut merged);
        length *= 2;
    }
    Ok(())
}

impl BroadPhase for Sweep {
    fn word(&self) -> &'static str {
        "sweep"
    }

    fn clear(&mut self) {
        *self = Self::default();
    }

    fn take_in(&mut self, objects: &Objects<'_>, control: &Control<'_>) -> Result<(), Cancelled> {
        let (n, mut gone, mut fresh) = (objects.boxes.len(), 0, Vec::new());
        let mut next = vec![None; n];
        for (number, one) in present(objects).enumerate() {
            if number.is_multiple_of(STRETCH) {
                control.check()?;
            }
            next[one.object as usize] = Some(one);
        }
        // Whether an object that was there was fixed and is not, or the other way round.
        let mut turned = false;
        for i in 0..n.max(self.known.len()) {
            let known = self.known.get(i).copied().flatten();
            match (next.get(i).copied().flatten(), known) {
                (Some(one), None) => fresh.push(one.object),
                (None, Some(_)) => gone += 1,
                (Some(one), Some(known)) => turned |= one.fixed != known.fixed,
                (None, None) => {}
            }
        }
        self.known = next;
        let there = self.axes[0].len() / 2;
        if turned || gone > there / 4 || fresh.len() > there / 4 {
            return self.sweep_all(control);
        }
        if gone > 0 {
            let known = &self.known;
            let is_known = |i: u32| known.get(i as usize).is_some_and(Option::is_some);
            self.pairs.retain(|&[a, b]| is_known(a) && is_known(b));
        }
        let budget = MOVES * (there + fresh.len()) + self.swept;
        let mut moves = 0;
        for k in 0..3 {
            self.renew(k, &fresh);
            if !self.sort(k, &mut moves, budget, control)? {
                return self.sweep_all(control);
            }
        }
        Ok(())
    }

    /// Reports pairs in ascending order.
    fn pairs(&mut self, control: &Control<'_>, into: &mut Vec<[u32; 2]>) -> Result<(), Cancelled> {
        control.check()?;
        for (number, pair) in self.pairs.iter().enumerate() {
            if number.is_multiple_of(STRETCH) {
                control.check()?;
            }
            into.push(*pair);
        }
        Ok(())
    }

    /// Tests every object that begins before the box ends, on the first axis.
    fn overlapping(&self, one: &Aabb, into: &mut Vec<u32>) {
        let ends = &self.axes[0];
        let last = ends.partition_point(|end| end.at <= one.max.x);
        for end in ends[..last].iter().filter(|end| !end.upper) {
            let other = self.known.get(end.object as usize).copied().flatten();
            if other.is_some_and(|other| one.overlaps(&other.one)) {
                into.push(end.object);
            }
        }
    }
}
