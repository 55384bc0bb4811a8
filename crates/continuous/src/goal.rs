//! What a descent looks for among the pairs of triangles that it finds.

use impinge_query::continuous::{Approach, Impact};
use impinge_query::{Cancelled, Contact, Control, order};

use crate::approach;
use crate::pair::{Of, Pair, sooner};
use crate::polygon::earlier;
use crate::triangle::MovingTriangle;

/// Something that is looked for.
pub(crate) trait Goal {
    /// Whether only what is earliest is of interest.
    const FIRST: bool;

    /// Pairs whose boxes meet at this time or later are not of interest.
    fn until(&self) -> f64;

    /// By how much boxes are grown before they are said to meet.
    fn reach(&self) -> f64 {
        0.0
    }

    /// Takes in a pair that is known to be apart before a time.
    fn take(&mut self, pair: &Pair<'_>, from: f64);
}

/// Whether features are left out whose boxes tell that they do not matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Features {
    /// None is.
    Every,
    /// Those whose boxes do not meet, or not early enough.
    Near,
}

/// The bodies of a question: triangles of A and of B, which may be the same.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bodies<'a> {
    pub(crate) of: Of,
    pub(crate) triangles: [&'a [MovingTriangle]; 2],
}

impl<'a> Bodies<'a> {
    pub(crate) fn pair(&self, leaves: [u32; 2]) -> Option<Pair<'a>> {
        Pair::new(self.of, self.triangles, leaves)
    }
}

/// The first contact.
#[derive(Debug)]
pub(crate) struct First {
    best: Option<Impact>,
    features: Features,
}

impl First {
    pub(crate) const fn new(features: Features) -> Self {
        Self { best: None, features }
    }

    /// The contact with its normal.
    pub(crate) fn finish(self, bodies: &Bodies<'_>) -> Option<Impact> {
        self.best.map(|best| {
            let Contact { a, b } = best.triangles;
            bodies.pair([a, b]).map_or(best, |pair| pair.with_normal(best))
        })
    }
}

impl Goal for First {
    const FIRST: bool = true;

    fn until(&self) -> f64 {
        self.best.map_or(f64::INFINITY, |best| best.time.high)
    }

    fn take(&mut self, pair: &Pair<'_>, from: f64) {
        let until = (self.features == Features::Near).then(|| self.until());
        if let Some(impact) = pair.first_contact(from, until) {
            sooner(&mut self.best, impact);
        }
    }
}

/// Lists shorter than this are never cut.
const LEAST: usize = 64;

/// All pairs that meet, or the first of them in canonical order. With a cap the list is never longer
/// than twice the cap, or 64.
#[derive(Debug)]
pub(crate) struct All {
    list: Vec<Impact>,
    cap: usize,
    /// Pairs from this one on are not wanted any more.
    beyond: u64,
    features: Features,
}

impl All {
    pub(crate) fn new(features: Features, cap: Option<usize>) -> Self {
        let cap = cap.unwrap_or(usize::MAX);
        Self { list: Vec::new(), cap, beyond: u64::MAX, features }
    }

    fn trim(&mut self) {
        if self.list.len() > self.cap {
            let key = |impact: &Impact| order::key(impact.triangles);
            let (_, first_beyond, _) = self.list.select_nth_unstable_by_key(self.cap, key);
            self.beyond = key(first_beyond);
            self.list.truncate(self.cap);
        }
    }

    /// The list in canonical order.
    pub(crate) fn finish(mut self, control: &Control<'_>) -> Result<Vec<Impact>, Cancelled> {
        let key = |impact: &Impact| order::key(impact.triangles);
        self.trim();
        order::sort_by(&mut self.list, key, |list| list.sort_unstable_by_key(key), control)?;
        Ok(self.list)
    }
}

impl Goal for All {
    const FIRST: bool = false;

    fn until(&self) -> f64 {
        if self.cap == 0 { f64::NEG_INFINITY } else { f64::INFINITY }
    }

    fn take(&mut self, pair: &Pair<'_>, from: f64) {
        if order::key(pair.triangles) >= self.beyond {
            return;
        }
        let until = (self.features == Features::Near).then_some(f64::INFINITY);
        if let Some(impact) = pair.first_contact(from, until) {
            self.list.push(pair.with_normal(impact));
            if self.list.len() >= self.cap.max(LEAST / 2).saturating_mul(2) {
                self.trim();
            }
        }
    }
}

/// A contact, as an approach.
pub(crate) const fn meeting(impact: &Impact) -> Approach {
    Approach { time: impact.time, triangles: impact.triangles, excess: 0.0 }
}

/// The first time at which two meshes are at most a positive distance apart; or triangles of one mesh that
/// have no vertex in common, or others meet elsewhere.
#[derive(Debug)]
pub(crate) struct Near {
    best: Option<Approach>,
    distance: f64,
}

impl Near {
    pub(crate) const fn new(distance: f64) -> Self {
        Self { best: None, distance }
    }

    pub(crate) const fn finish(self) -> Option<Approach> {
        self.best
    }
}

impl Goal for Near {
    const FIRST: bool = true;

    fn until(&self) -> f64 {
        self.best.map_or(f64::INFINITY, |best| best.time.high)
    }

    fn reach(&self) -> f64 {
        self.distance
    }

    fn take(&mut self, pair: &Pair<'_>, from: f64) {
        let next = if pair.has_common_vertex() {
            pair.first_contact(from, Some(self.until())).map(|impact| meeting(&impact))
        } else {
            approach::first(pair, self.distance, from, self.until())
        };
        let Some(next) = next else { return };
        self.best = Some(match self.best {
            Some(best) => {
                let time = earlier(best.time, next.time);
                let of = if best.time.high <= next.time.high { best } else { next };
                Approach { time, ..of }
            }
            None => next,
        });
    }
}
