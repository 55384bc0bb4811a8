//! Measures all contenders on one scene of moving boxes; they take turns at each step, and must find
//! the same pairs.
//!
//! A time is that of one step: taking in the boxes and writing down all pairs. Before the first step
//! each contender has one turn that is checked and not timed, in which it allocates and sorts. A
//! contender that has spent its budget leaves the scene.

use std::time::{Duration, Instant};

use impinge_benches::harness::take_turns;
use impinge_benches::progress::Listener;
use impinge_benches::timing::summary::percentile;
use impinge_records::broad::{Boxes, BoxesRow, FIRST_STEPS};

use super::contender::{Contender, Rival};
use super::scenes::{Wanted, World};

/// Limits of a measurement.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Number of steps; `None` for the default.
    pub steps: Option<usize>,
    /// Whether to take few steps.
    pub quick: bool,
    /// The time one contender may spend on one scene.
    pub budget: Duration,
}

impl Effort {
    /// The default is fewer steps for many boxes.
    fn steps(self, objects: usize) -> usize {
        let few = self.quick || objects > MANY;
        self.steps.unwrap_or(if few { FIRST_STEPS } else { 400 })
    }
}

/// With more boxes than this, there are fewer steps.
const MANY: usize = 20_000;

/// One contender on one scene.
struct Lane<'c> {
    contender: &'c Contender,
    rival: Box<dyn Rival>,
    /// Of each timed step, in microseconds.
    times: Vec<f64>,
    spent: Duration,
}

/// The number of pairs, and a sum over them that does not depend on their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Found {
    pairs: usize,
    sum: u64,
}

impl Found {
    fn of(pairs: &[[u32; 2]]) -> Self {
        let hash = |&[a, b]: &[u32; 2]| {
            let word = (u64::from(a) << 32 | u64::from(b)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            (word ^ word >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
        };
        let sum = pairs.iter().fold(0u64, |sum, pair| sum.wrapping_add(hash(pair)));
        Self { pairs: pairs.len(), sum }
    }

    /// How it differs; `None` if it does not.
    fn differs_from(self, right: &Self) -> Option<String> {
        let as_many = self.pairs == right.pairs;
        let how =
            || if as_many { "as many, but others".to_owned() } else { self.pairs.to_string() };
        (self != *right).then(how)
    }
}

/// Measures all contenders that take as many boxes.
///
/// # Errors
/// If two contenders find different pairs in a step; the error names both, the scene and the step.
/// Also if a library refuses the boxes.
pub fn run(
    wanted: &Wanted,
    contenders: &[Contender],
    effort: Effort,
    listener: Listener<'_>,
) -> Result<Boxes, String> {
    let mut world = World::new(wanted);
    let mut lanes = Vec::new();
    let taken: Vec<&Contender> =
        contenders.iter().filter(|one| one.most >= wanted.objects).collect();
    for (done, contender) in taken.iter().enumerate() {
        listener.stage("preparing", done, taken.len());
        let rival = contender.make(&world);
        let rival = rival.map_err(|why| format!("{}: {}: {why}", wanted.word, contender.word))?;
        lanes.push(Lane { contender, rival, times: Vec::new(), spent: Duration::ZERO });
    }
    let steps = effort.steps(wanted.objects);
    let (mut pairs, mut counts) = (Vec::new(), Vec::new());
    let mut expected: Option<(&str, Found)> = None;
    take_turns(lanes.len(), 1, steps + 1, |turn| {
        let place = || format!("{}, step {}", wanted.word, turn.step);
        if turn.first {
            listener.stage("measuring", turn.step, steps + 1);
            expected = None;
            if turn.step > 0 {
                world.advance();
            }
        }
        let lane = &mut lanes[turn.who];
        if lane.spent > effort.budget {
            return Ok(());
        }
        let word = lane.contender.word.as_str();
        let found = lane.turn(&world, &mut pairs, turn.step > 0);
        let found = found.map_err(|why| format!("{}: {word}: {why}", place()))?;
        let (first, right) = *expected.get_or_insert_with(|| {
            counts.push(found.pairs as f64);
            (word, found)
        });
        match found.differs_from(&right) {
            None => Ok(()),
            Some(but) => {
                Err(format!("{}: {first} finds {} pairs, {word} {but}", place(), right.pairs))
            }
        }
    })?;
    Ok(Boxes {
        scene: wanted.word.clone(),
        kind: wanted.kind.word.to_owned(),
        about: wanted.about(),
        objects: wanted.objects,
        steps,
        pairs: counts.iter().sum::<f64>() / counts.len().max(1) as f64,
        rows: lanes.iter().map(Lane::row).collect(),
    })
}

impl Lane<'_> {
    /// Takes one step. The time counts if it is `timed`.
    fn turn(
        &mut self,
        world: &World,
        pairs: &mut Vec<[u32; 2]>,
        timed: bool,
    ) -> Result<Found, String> {
        pairs.clear();
        let start = Instant::now();
        self.rival.step(world, pairs)?;
        let took = start.elapsed();
        if timed {
            self.spent += took;
            self.times.push(took.as_secs_f64() * 1e6);
        }
        Ok(Found::of(pairs))
    }

    fn row(&self) -> BoxesRow {
        let mut sorted = self.times.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        let sum: f64 = sorted.iter().sum();
        let first = self.times.get(..FIRST_STEPS).map(|times| {
            let mut sorted = times.to_vec();
            sorted.sort_unstable_by(f64::total_cmp);
            percentile(&sorted, 0.5)
        });
        BoxesRow {
            peer: self.contender.word.clone(),
            steps: sorted.len(),
            tenth_us: percentile(&sorted, 0.1),
            median_us: percentile(&sorted, 0.5),
            first_us: first,
            mean_us: sum / sorted.len().max(1) as f64,
            max_us: percentile(&sorted, 1.0),
        }
    }
}
