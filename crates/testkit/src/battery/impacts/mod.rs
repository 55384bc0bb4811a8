//! The checks of continuous detection, by an oracle that knows only whether two triangles share a
//! point at one time, and how far they are apart.
//!
//! Motions are on lattices, so that the places at times `k / 16` are exact in f64. If the oracle
//! finds a contact at such a time, the method's first contact must not be later; at the time that
//! the method names, the features must be as near as its interval allows.

mod approach;
mod normal;
mod scene;

use impinge_query::continuous::{Continuous, Features, Impact};
use impinge_query::{Cancel, Contact, Control, order};

use self::scene::{Moved, Scene};
use super::{Outcome, Tally};
use crate::oracle;

pub use self::approach::{approaches, self_approaches};

/// Times of the oracle: `k / STEPS`.
const STEPS: u32 = 16;
/// The widest interval of an exact method.
const WIDTH: f64 = 1.0 / (1_u64 << 40) as f64;
/// Motions of each kind.
const MOTIONS: u64 = 250;
/// More than any relative speed of two points, per unit of time.
const SPEED: f64 = 14.0 * STEPS as f64;

/// Checks contacts of small bodies, first ones and all. A case is a motion, a hit one with a contact.
pub fn impacts(method: &dyn Continuous) -> Outcome {
    examine(method, Scene::two)
}

/// Checks contacts of a few triangles over common vertices, first ones and all: sheets that fold and
/// cross, and the same as soups without common indices.
pub fn self_impacts(method: &dyn Continuous) -> Outcome {
    examine(method, Scene::one)
}

fn examine(method: &dyn Continuous, make: fn(Moved, u64) -> Scene) -> Outcome {
    let mut tally = Tally::default();
    for moved in Moved::ALL {
        for index in 0..MOTIONS {
            let scene = make(moved, index);
            let named = |why: String| format!("{}, {moved:?} {index}: {why}", method.word());
            tally.count(scene.check(method).map_err(named)?);
        }
    }
    let scene = make(Moved::Anywhere, 1);
    let cancel = Cancel::new();
    cancel.cancel();
    let control = Control::NONE.cancelled_by(&cancel);
    if scene.first(method, &control).is_ok() || scene.all(method, None, &control).is_ok() {
        return Err(format!("{}: a cancelled motion", method.word()));
    }
    tally.balanced()
}

impl Scene {
    fn check(&self, method: &dyn Continuous) -> Result<bool, String> {
        let asked = |error: impinge_query::Cancelled| error.to_string();
        let first = self.first(method, &Control::NONE).map_err(asked)?;
        let list = self.all(method, None, &Control::NONE).map_err(asked)?;
        let mut known = None::<f64>;
        for pair in self.pairs() {
            let found = list.iter().find(|impact| impact.triangles == pair);
            let of_pair = self.known(pair);
            known = of_pair.into_iter().chain(known).reduce(f64::min);
            self.agrees(found, of_pair, pair).map_err(|why| format!("{pair:?}: {why}"))?;
        }
        if let Some(other) = list.iter().find(|x| !self.pairs().any(|pair| pair == x.triangles)) {
            return Err(format!("{other:?} is of no pair"));
        }
        if !list.is_sorted_by(|x, y| order::key(x.triangles) < order::key(y.triangles)) {
            return Err(format!("{list:?} are not in order"));
        }
        let pair = first.map_or(Contact { a: 0, b: 0 }, |first| first.triangles);
        self.agrees(first.as_ref(), known, pair)?;
        let earliest = list.iter().map(|x| x.time.low).reduce(f64::min);
        let latest = list.iter().map(|x| x.time.high).reduce(f64::min);
        match (first.map(|x| x.time), earliest, latest) {
            (None, None, None) => {}
            (Some(time), Some(low), Some(high)) if time.low <= high && low <= time.high => {}
            (time, ..) => return Err(format!("first at {time:?}, all: {list:?}")),
        }
        for cap in [0, 1, 2] {
            let capped = self.all(method, Some(cap), &Control::NONE).map_err(asked)?;
            if capped != list[..list.len().min(cap)] {
                return Err(format!("{capped:?} are the first {cap} of {list:?}"));
            }
        }
        self.swapped_agrees(method, first)?;
        Ok(first.is_some())
    }

    /// Asks about (B, A): the same times.
    fn swapped_agrees(&self, method: &dyn Continuous, first: Option<Impact>) -> Result<(), String> {
        let Some(swapped) = self.swapped() else { return Ok(()) };
        let swapped = swapped.first(method, &Control::NONE).map_err(|error| error.to_string())?;
        match (first.map(|x| x.time), swapped.map(|x| x.time)) {
            (None, None) => Ok(()),
            (Some(x), Some(y)) if x.low <= y.high && y.low <= x.high => Ok(()),
            (x, y) => Err(format!("{x:?}, and {y:?} of (B, A)")),
        }
    }

    /// Compares one answer with the oracle: of a pair of triangles, or of all. `known` is a time at
    /// which something meets.
    fn agrees(
        &self,
        found: Option<&Impact>,
        known: Option<f64>,
        pair: Contact,
    ) -> Result<(), String> {
        let Some(impact @ &Impact { time, features, .. }) = found else {
            return known.map_or(Ok(()), |time| Err(format!("missed what meets at {time}")));
        };
        if !(0.0 <= time.low && time.low <= time.high && time.high <= 1.0) {
            return Err(format!("{time:?}"));
        }
        if time.high - time.low > WIDTH {
            return Err(format!("{time:?} is too wide"));
        }
        if let Some(known) = known.filter(|&known| known < time.low) {
            return Err(format!("{time:?}, and something meets at {known}"));
        }
        if !self.pairs().any(|one| one == pair) {
            return Err(format!("there is no pair {pair:?}"));
        }
        if (features == Features::Start) != self.start(pair) {
            return Err(format!("{features:?} at {time:?}"));
        }
        let [p, q] = self.parts(pair, features, time.low)?;
        if features != Features::Start {
            let apart = oracle::distance(&p, &q);
            // Places at other times are rounded: 2⁻⁴⁸ of coordinates up to some hundred.
            if apart > SPEED * WIDTH + 1e-11 {
                return Err(format!("{apart:e} apart at {time:?}"));
            }
        }
        normal::agrees(self, impact)
    }
}
