//! Measures all entries on one scene; they take turns at each pose.
//!
//! For every question and pose each entry has a turn; the first one changes from pose to pose. In
//! its turn an entry answers once to be checked, then repeatedly with warm caches; the least time
//! counts. An entry that has spent its budget leaves the question. Poses are ordered by
//! orientation, so that the first ones cover every target.

use std::time::Duration;

use impinge::query::{Answer, Ask, Prepared, QuestionKind};
use impinge_benches::harness::{Query, Ready, plain, take_all_turns};
use impinge_benches::progress::Listener;
use impinge_benches::scene::Scene;
use impinge_benches::timing::Tally;

use crate::entry::Entry;
use crate::expected::Expected;
use impinge_records::peers::Measurement;

/// Limits of a measurement.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// How often a pose is repeated; the least time counts.
    pub repeats: usize,
    /// Repetitions of a pose stop after this total time.
    pub enough: Duration,
    /// The time one entry may spend on one question of one scene.
    pub budget: Duration,
}

/// A first call longer than this multiple of `enough` is slow by itself rather than disturbed by
/// other load, and is not repeated.
const SURELY_SLOW: u32 = 20;

impl Effort {
    /// Whether to stop repeating a pose. Time spent is estimated as `least * (done + 1)`, so that
    /// one preempted call does not end the repetition.
    fn suffices(&self, least: Duration, done: usize) -> bool {
        if least == Duration::MAX {
            return false;
        }
        let sum = least.saturating_mul(done as u32 + 1);
        sum > self.enough && (done > 0 || least > self.enough * SURELY_SLOW)
    }
}

/// Allowed relative deviation of the reference's distances. `SLACK` is added for the rounding of
/// coordinates.
const TOLERANCE: f64 = 1e-9;
/// Allowed absolute deviation. Unit: the smaller mesh's diagonal.
const SLACK: f64 = 1e-13;

/// The questions with their words in records.
const QUESTIONS: [(QuestionKind, &str); 3] = [
    (QuestionKind::FirstContact, "first"),
    (QuestionKind::AllContacts, "all"),
    (QuestionKind::Distance, "distance"),
];

/// An entry with its models of a scene's meshes.
#[derive(Debug)]
pub struct Taken<'e> {
    /// The entry.
    pub entry: &'e Entry,
    /// One model per mesh.
    pub models: Vec<Prepared>,
}

/// One entry on one question.
struct Lane<'r> {
    entry: &'r Entry,
    models: &'r [Prepared],
    ready: Ready<'r>,
    spent: Duration,
    /// One row per target, in the order of targets.
    rows: Vec<Measurement>,
    out: bool,
}

/// Measures all entries that accepted the meshes of `scene`.
pub fn run(
    scene: &Scene,
    expected: &Expected,
    taken: &[Taken<'_>],
    effort: Effort,
    listener: Listener<'_>,
) -> Vec<Measurement> {
    let mut found = Vec::new();
    for (kind, word) in QUESTIONS {
        let asked = |at: &usize| scene.steps[*at].questions.contains(&kind);
        let steps: Vec<usize> = (0..scene.steps.len()).filter(asked).collect();
        let mut lanes: Vec<Lane<'_>> = (taken.iter())
            .filter(|taken| taken.entry.answers(kind))
            .map(|taken| Lane::new(taken, scene, &steps, word))
            .collect();
        for lane in &mut lanes {
            lane.leave_if_hopeless(kind, scene, effort);
        }
        take_all_turns(lanes.len(), 1, steps.len(), |turn| {
            if turn.first {
                listener.stage(word, turn.step, steps.len());
            }
            lanes[turn.who].turn(scene, expected, steps[turn.step], kind, effort);
        });
        found.extend(lanes.into_iter().flat_map(|lane| lane.rows));
    }
    found
}

impl<'r> Lane<'r> {
    fn new(taken: &'r Taken<'_>, scene: &Scene, steps: &[usize], question: &str) -> Self {
        let mut rows: Vec<Measurement> = Vec::new();
        for &at in steps {
            let target = &scene.steps[at].label;
            match rows.iter_mut().find(|row| row.target == *target) {
                Some(row) => row.of += 1,
                None => rows.push(Measurement {
                    scene: scene.name.clone(),
                    question: question.to_owned(),
                    target: target.clone(),
                    peer: taken.entry.word().to_owned(),
                    of: 1,
                    ..Measurement::default()
                }),
            }
        }
        let Taken { entry, models } = taken;
        Self { entry, models, ready: entry.ready(), spent: Duration::ZERO, rows, out: false }
    }

    /// Leaves out an entry whose single call would exceed the whole budget, since calls cannot be
    /// cancelled.
    fn leave_if_hopeless(&mut self, kind: QuestionKind, scene: &Scene, effort: Effort) {
        let most = scene.meshes.iter().map(|mesh| mesh.mesh.triangles().len()).max();
        let expected = self.entry.expects(kind, most.unwrap_or(0));
        if expected > effort.budget.as_secs_f64() {
            self.out = true;
            let why = format!("not asked: about {expected:.0} s a query");
            self.rows.iter_mut().for_each(|row| row.why = Some(why.clone()));
        }
    }

    /// Runs one pose: checks the answer, then times repetitions.
    fn turn(
        &mut self,
        scene: &Scene,
        expected: &Expected,
        at: usize,
        kind: QuestionKind,
        effort: Effort,
    ) {
        if self.out || self.spent > effort.budget {
            return;
        }
        let step = &scene.steps[at];
        let Some(row) = self.rows.iter_mut().find(|row| row.target == step.label) else { return };
        let [a, b] = [0, step.bodies[step.queries[0].b].mesh];
        let query = [Query { a, b, pair: 0, pose: step.queries[0].pose }];
        let answer = |ready: &mut Ready<'_>, ask: &Ask| {
            if !self.entry.foreign {
                ready.forget();
            }
            ready.time(self.models, &query, ask)
        };
        let ask = plain(kind);
        let (first, outcome) = answer(&mut self.ready, &ask);
        self.spent += first;
        if let Err(why) = outcome {
            row.errors += 1;
            // The row already names the entry.
            let own = format!("{}: ", self.entry.word());
            row.why.get_or_insert(why.strip_prefix(&own).unwrap_or(&why).to_owned());
            // The pose keeps its place, so that later times stay beside those of other entries.
            row.wrong_poses.push(row.times_ns.len());
            row.times_ns.push(first.as_nanos() as f64);
            return;
        }
        check(row, &self.ready.answer, &ask, expected, at);
        // Listing pairs for the check is work that the question does not require, so that call does
        // not count.
        let mut least = if kind == QuestionKind::AllContacts { Duration::MAX } else { first };
        for done in 0..effort.repeats {
            if effort.suffices(least, done) {
                break;
            }
            // The same error was counted above.
            let (took, _) = answer(&mut self.ready, &self.entry.timed(ask));
            least = least.min(took);
            self.spent += took;
        }
        row.times_ns.push(least.as_nanos() as f64);
    }
}

/// Compares an answer with the expected one.
fn check(row: &mut Measurement, answer: &Answer, ask: &Ask, expected: &Expected, at: usize) {
    let mut tally = Tally::default();
    tally.add(answer, &expected.contacts[at], ask);
    if tally.false_hits + tally.false_misses > 0 {
        row.wrong_poses.push(row.times_ns.len());
    }
    row.hits += tally.hits;
    row.pairs += tally.contacts;
    row.false_hits += tally.false_hits;
    row.missed_hits += tally.false_misses;
    row.extra_pairs += tally.extra_pairs;
    row.missing_pairs += tally.missing_pairs;
    if ask.question == impinge::query::Question::AllContacts {
        // A library may report a pair twice, so a complete list does not prove the count.
        row.extra_pairs += answer.contacts_found.saturating_sub(distinct(answer));
    }
    if let Some(nearest) = &answer.nearest {
        let right = expected.distances[at];
        let off = (nearest.distance - right).abs() / right;
        // NaN counts as the largest deviation.
        let off = if off.is_nan() { f64::MAX } else { off };
        row.distance_deviation = Some(row.distance_deviation.unwrap_or(0.0).max(off));
    }
}

/// The number of different pairs in a sorted list.
fn distinct(answer: &Answer) -> u64 {
    let repeated = answer.contacts.windows(2).filter(|two| two[0] == two[1]).count();
    (answer.contacts.len() - repeated) as u64
}

/// The number of errors in a row, by the limits that the reference must meet.
pub fn wrong_answers(row: &Measurement, scene: &Scene, expected: &Expected) -> u64 {
    let least =
        expected.distances.iter().copied().filter(|d| *d > 0.0).fold(f64::INFINITY, f64::min);
    let allowed = TOLERANCE + SLACK * scene.size() / least;
    let distance = row.distance_deviation.is_some_and(|off| off > allowed);
    row.wrong() + u64::from(distance)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_that_was_held_up_is_repeated_and_a_slow_one_is_not() {
        let ms = Duration::from_millis;
        let effort = Effort { repeats: 9, enough: ms(2), budget: ms(500) };
        assert!(!effort.suffices(Duration::MAX, 0), "nothing was timed");
        assert!(!effort.suffices(ms(3), 0) && effort.suffices(ms(3), 1));
        assert!(!effort.suffices(Duration::from_micros(3), 8));
        assert!(effort.suffices(ms(41), 0));
    }
}
