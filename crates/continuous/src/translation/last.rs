//! The last contact along a direction, and the first.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use impinge_geometry::Vector;
use impinge_hierarchy::NodePair;
use impinge_hierarchy::traverse::Poll;
use impinge_query::continuous::Interval;
use impinge_query::{Contact, Control};

use super::direction::Direction;
use super::filter::Estimate;
use super::fraction::Fraction;
use super::model::{Opened, TranslationError, Translations};

/// Where two meshes begin or cease to meet along a direction.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Passage {
    /// Holds the multiple of the direction.
    pub at: Interval,
    /// Two triangles that meet at a multiple in `at`.
    pub triangles: Contact,
}

/// How much later than a contact that is known others are not looked for, in units of the reach of
/// both meshes. Also the largest width of what the filter may answer.
const ENOUGH: f64 = 1.0 / (1u64 << 43) as f64;
/// The same, in units of the contact's own magnitude.
const RELATIVE: f64 = 1.0 / (1u64 << 34) as f64;

/// The least, in units of the reach: what the filter's rounding may be, so that ties end there.
const LEAST: f64 = 1.0 / (1u64 << 46) as f64;

/// The lesser of the first two for a contact at `s`, but not less than the last.
pub(super) fn enough(s: f64, reach: f64) -> f64 {
    (ENOUGH * reach).min(RELATIVE * s.abs()).max(LEAST * reach)
}

/// Pairs of nodes, that with the largest bound first.
#[derive(Clone, Copy, Debug)]
struct Ranked<T> {
    key: f64,
    of: T,
}

impl<T> PartialEq for Ranked<T> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<T> Eq for Ranked<T> {}

impl<T> PartialOrd for Ranked<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for Ranked<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key.total_cmp(&other.key)
    }
}

/// A range of translations, in multiples of the unit: each end between two numbers.
struct Range {
    from: [f64; 2],
    to: [f64; 2],
    exact: [Option<Fraction>; 2],
}

impl Range {
    fn new(direction: &Direction, [from, to]: [f64; 2]) -> Self {
        let exact = |x: f64| x.is_finite().then(|| direction.of_given(Fraction::of(x)));
        Self {
            from: direction.scale(from),
            to: direction.scale(to),
            exact: [exact(from), exact(to)],
        }
    }

    /// The largest number of an interval within the range, from exact ends.
    fn last(&self, [first, last]: &[Fraction; 2]) -> Option<Interval> {
        let [from, to] = &self.exact;
        if from.as_ref().is_some_and(|from| last < from) || to.as_ref().is_some_and(|to| first > to)
        {
            return None;
        }
        Some(to.as_ref().map_or(last, |to| to.min(last)).interval())
    }

    /// The same from bounds of the ends; `None` if they do not tell.
    fn last_within(&self, first: [f64; 2], last: [f64; 2]) -> Option<Interval> {
        let within = last[0] >= self.from[1] && first[1] <= self.to[0];
        within.then(|| Interval { low: last[0].min(self.to[0]), high: last[1].min(self.to[1]) })
    }

    /// Whether nothing between two bounds is in the range.
    fn excludes(&self, low: f64, high: f64) -> bool {
        high < self.from[0] || low > self.to[1]
    }
}

impl Translations<'_> {
    /// The last contact among translations by `from` to `to` times `direction`, both included and
    /// possibly infinite: the largest such multiple at which the meshes meet. `None` if there is no
    /// contact in the range, which is exact.
    ///
    /// `at` is at most 2⁻⁴² of the reach wide, and if the contact is at a positive multiple, at most
    /// 2⁻³³ of that or 2⁻⁴⁵ of the reach; or its ends are neighbours. The reach is `a + 2 b + t` over the direction's largest component, for
    /// the largest coordinates of A, of B in its own frame, and of B's translation.
    ///
    /// # Errors
    /// [`TranslationError`].
    pub fn last_contact(
        &self,
        direction: &Vector,
        range: [f64; 2],
        control: &Control<'_>,
    ) -> Result<Option<Passage>, TranslationError> {
        // Written so that NaN fails too.
        if !(range[0] <= range[1]) {
            return Err(TranslationError::Range(range[0], range[1]));
        }
        let direction = Direction::new(direction)?;
        let range = Range::new(&direction, range);
        let found = self.search(&direction, &range, control)?;
        Ok(found.map(|found| {
            let Interval { low, high } = found.at;
            let at = Interval { low: direction.down(low), high: direction.up(high) };
            Passage { at, ..found }
        }))
    }

    /// The first contact among translations by `from` to `to` times `direction`: as
    /// [`last_contact`](Self::last_contact), but the least multiple.
    ///
    /// # Errors
    /// [`TranslationError`].
    pub fn first_contact(
        &self,
        direction: &Vector,
        [from, to]: [f64; 2],
        control: &Control<'_>,
    ) -> Result<Option<Passage>, TranslationError> {
        let found =
            self.last_contact(&-direction, [-to, -from], control).map_err(|error| match error {
                TranslationError::Range(..) => TranslationError::Range(from, to),
                other => other,
            })?;
        Ok(found.map(|Passage { at: Interval { low, high }, triangles }| Passage {
            at: Interval { low: -high, high: -low },
            triangles,
        }))
    }

    /// Opens the pair of nodes with the largest bound, until no bound is above what is known.
    fn search(
        &self,
        direction: &Direction,
        range: &Range,
        control: &Control<'_>,
    ) -> Result<Option<Passage>, TranslationError> {
        control.check()?;
        let reach = self.room.reach;
        let mut best: Option<Passage> = None;
        // The largest bound of what was left out.
        let mut left = f64::NEG_INFINITY;
        let mut open: BinaryHeap<Ranked<NodePair>> = BinaryHeap::new();
        let mut poll = Poll::new();
        let push = |open: &mut BinaryHeap<_>, pair, bounds: Option<[f64; 2]>| {
            if let Some([low, high]) = bounds
                && !range.excludes(low, high)
            {
                open.push(Ranked { key: high.min(range.to[1]), of: pair });
            }
        };
        push(&mut open, [0, 0], self.bounds(direction));
        while let Some(Ranked { key, of: pair }) = open.pop() {
            poll.poll(control)?;
            if best.is_some_and(|best| key <= best.at.low + enough(best.at.low, reach)) {
                left = left.max(key);
                break;
            }
            match self.open(pair, direction) {
                Opened::Pairs(pairs) => {
                    for (pair, bounds) in pairs {
                        push(&mut open, pair, bounds);
                    }
                }
                Opened::Leaves(triangles) => {
                    control.check()?;
                    let known = best.map(|best| best.at.low + enough(best.at.low, reach));
                    let known = known.unwrap_or(f64::NEG_INFINITY);
                    match self.leaf(triangles, direction, range, known) {
                        Leaf::Never => {}
                        Leaf::Before(high) => left = left.max(high),
                        Leaf::At(at) => {
                            // The first triangles in order, if intervals are equal.
                            best = Some(later(best, Passage { at, triangles }));
                        }
                    }
                }
            }
        }
        Ok(best.map(|Passage { at, triangles }| {
            let at = Interval { low: at.low, high: at.high.max(left) };
            Passage { at, triangles }
        }))
    }

    /// Two triangles; exact if they may meet after `known` and the filter does not tell enough.
    fn leaf(&self, pair: Contact, direction: &Direction, range: &Range, known: f64) -> Leaf {
        let latest = match self.estimate(pair, direction) {
            Estimate::Never => return Leaf::Never,
            Estimate::Meet { first, last, .. } => {
                if range.excludes(first[0], last[1]) {
                    return Leaf::Never;
                }
                let narrow = last[1] - last[0] <= enough(last[0], self.room.reach);
                if narrow && let Some(at) = range.last_within(first, last) {
                    return Leaf::At(at);
                }
                last[1].min(range.to[1])
            }
            Estimate::Within([low, high]) => {
                if range.excludes(low, high) {
                    return Leaf::Never;
                }
                high.min(range.to[1])
            }
        };
        if latest <= known {
            return Leaf::Before(latest);
        }
        match self.ends(pair, direction).and_then(|ends| range.last(&ends)) {
            Some(at) => Leaf::At(at),
            None => Leaf::Never,
        }
    }
}

/// The last contact of two triangles.
enum Leaf {
    Never,
    /// Not known, but not after this.
    Before(f64),
    At(Interval),
}

/// An interval that holds the later of two contacts, and triangles that meet in it.
fn later(best: Option<Passage>, next: Passage) -> Passage {
    let Some(best) = best else { return next };
    let of = if next.at.low > best.at.low { next } else { best };
    let high = best.at.high.max(next.at.high);
    Passage { at: Interval { low: of.at.low, high }, ..of }
}
