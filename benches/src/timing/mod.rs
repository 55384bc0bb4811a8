//! All methods on one scene, in one process, interleaved step by step.
//!
//! 1. [`prepare`]: every mesh once per method, timed.
//! 2. `Asked::count`: one untimed pass with counters; verdicts and pairs are checked.
//! 3. `Asked::time`: several passes over all steps in order. At each step every method has a turn;
//!    the first one changes. The least time of a step counts.
//! 4. `Asked::repeat`: first contact in unrelated poses once more, where each method repeats a step
//!    before the next method's turn. This gives the cost of a query with warm caches, which is how
//!    libraries are often measured. A method gets a fresh memory for every repetition.
//! 5. [`summary`]: medians, percentiles, η; [`costs`]: the papers' unit costs.
//!
//! Where meshes deform, every method follows each step (`update.rs`) before its queries. That time
//! is recorded separately.
//!
//! A pass goes through all steps in order with one memory per pair. So a memory holds the previous
//! step, never the step being asked.

pub mod costs;
mod prepare;
mod repeat;
pub mod summary;
mod update;
mod verdicts;

use std::time::Duration;

use impinge::Method;
use impinge::geometry::cost::Counts;
use impinge::query::{self, Ask, QuestionKind};

use crate::expected::Expected;
use crate::harness::{Query, Ready, plain, take_all_turns};
use crate::progress::Listener;
use crate::scene::{self, Scene, Step};
use impinge_records::bench as record;
pub use prepare::{Prepared, prepare};
use summary::Timed;
use update::Update;
pub use verdicts::Tally;

/// The most passes over a deforming scene. Rebuilding takes most of the time, and the least of
/// three is good enough for medians. Larger values make full runs longer.
const DEFORMING_PASSES: usize = 3;

/// Limits of a measurement.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Passes over all steps; the least time of each step counts.
    pub passes: usize,
    /// Time limit of one method on one question of one scene, over updates and all passes. A method
    /// that exceeds it stops.
    pub budget: Duration,
    /// Whether to measure first contact also with each step repeated in a row.
    pub repeat: bool,
}

/// One method on one question.
struct Lane<'s> {
    ready: Ready<'s>,
    /// One model per mesh of the scene; those of deforming meshes are updated step by step.
    models: &'s mut [query::Prepared],
    preparation: &'s record::Preparation,
    /// Least time of each step so far, for the steps below `reached`.
    times: Vec<f64>,
    /// Least time of each step when repeated in a row; empty if that is not measured.
    repeated: Vec<f64>,
    reached: usize,
    spent: Duration,
    /// How it follows deformations; `None` until the first update.
    follows: Option<Update>,
    /// Least time of each step's update so far; empty if nothing deforms.
    updates: Vec<f64>,
    tallies: Vec<Tally>,
    distances: Vec<f64>,
    error: Option<String>,
}

/// One question of one scene: the methods that answer it, and its steps.
struct Asked<'s> {
    scene: &'s Scene,
    /// Indices of the steps with this question.
    steps: Vec<usize>,
    /// The queries of each of these steps.
    queries: Vec<Vec<Query>>,
    ask: Ask,
    lanes: Vec<Lane<'s>>,
}

/// Measures all prepared methods, question by question.
pub fn measure(
    scene: &Scene,
    expected: &Expected,
    methods: &mut [(Method, Prepared)],
    effort: Effort,
    listener: Listener<'_>,
) -> Vec<record::Measurement> {
    let most = if scene.deforming.is_empty() { usize::MAX } else { DEFORMING_PASSES };
    let effort = Effort { passes: effort.passes.min(most), ..effort };
    let mut measurements = Vec::new();
    for kind in [QuestionKind::FirstContact, QuestionKind::AllContacts, QuestionKind::Distance] {
        let Some(mut asked) = Asked::new(scene, kind, methods) else { continue };
        listener.stage("counting", 0, asked.steps.len());
        asked.count(expected, effort);
        asked.time(effort, listener);
        if effort.repeat && kind == QuestionKind::FirstContact && !scene.group.is_sequence() {
            asked.repeat(effort, listener);
        }
        measurements.extend(asked.records(kind));
    }
    measurements
}

impl<'s> Asked<'s> {
    /// `None` if no step has this question or no method answers it.
    fn new(
        scene: &'s Scene,
        kind: QuestionKind,
        methods: &'s mut [(Method, Prepared)],
    ) -> Option<Self> {
        let asked = |step: &Step| step.questions.contains(&kind);
        let steps: Vec<usize> =
            (0..scene.steps.len()).filter(|&at| asked(&scene.steps[at])).collect();
        let mut known = std::collections::HashMap::new();
        let mut queries = Vec::new();
        for step in steps.iter().map(|&at| &scene.steps[at]) {
            let mut query = |asked: &scene::Query| {
                let next = known.len();
                let pair = *known.entry((asked.a, asked.b)).or_insert(next);
                let [a, b] = [asked.a, asked.b].map(|body| step.bodies[body].mesh);
                Query { a, b, pair, pose: asked.pose }
            };
            queries.push(step.queries.iter().map(&mut query).collect());
        }
        let lanes: Vec<Lane<'s>> = methods
            .iter_mut()
            .filter(|(_, prepared)| prepared.detector.describe().questions.contains(&kind))
            .map(|(_, prepared)| {
                Lane::new(prepared, known.len(), steps.len(), scene.deforming.len())
            })
            .collect();
        let some = !steps.is_empty() && !lanes.is_empty();
        some.then_some(Self { scene, steps, queries, ask: plain(kind), lanes })
    }

    /// Runs one pass with counters and checks the answers. Stops at the budget.
    fn count(&mut self, expected: &Expected, effort: Effort) {
        let ask = self.ask.counted();
        for lane in &mut self.lanes {
            let mut spent = Duration::ZERO;
            for (k, &at) in self.steps.iter().enumerate() {
                if k > 0 && spent > effort.budget {
                    break;
                }
                let queries = &self.queries[k];
                let mut tally = Tally::default();
                match lane.follow(&self.scene.meshes_at(at)) {
                    Ok(took) => spent += took,
                    Err(why) => {
                        tally.errors += queries.len();
                        lane.error.get_or_insert(why);
                        lane.distances.push(f64::NAN);
                        lane.tallies.push(tally);
                        continue;
                    }
                }
                for (q, query) in queries.iter().enumerate() {
                    let one = std::slice::from_ref(query);
                    let (took, outcome) = lane.ready.time(lane.models, one, &ask);
                    spent += took;
                    match outcome {
                        Ok(()) => tally.add(&lane.ready.answer, &expected.contacts[at][q], &ask),
                        Err(why) => {
                            tally.errors += 1;
                            lane.error.get_or_insert(why);
                        }
                    }
                }
                let nearest =
                    lane.ready.answer.nearest.map_or(f64::NAN, |nearest| nearest.distance);
                lane.distances.push(nearest);
                lane.tallies.push(tally);
            }
        }
    }

    /// Runs the timed passes.
    fn time(&mut self, effort: Effort, listener: Listener<'_>) {
        let (count, steps) = (self.lanes.len(), self.steps.len());
        take_all_turns(count, effort.passes, steps, |turn| {
            let k = turn.step;
            if turn.first && k % 16 == 0 {
                listener.stage("measuring", turn.pass * steps + k, effort.passes * steps);
            }
            let lane = &mut self.lanes[turn.who];
            if k == 0 {
                lane.ready.forget();
            }
            // A step that is not measured yet belongs to the first pass.
            if lane.spent <= effort.budget && lane.tallies.len() > k {
                lane.time_update(&self.scene.meshes_at(self.steps[k]), k);
                lane.time_step(k, &self.queries[k], &self.ask);
            }
        });
    }

    fn records(self, kind: QuestionKind) -> Vec<record::Measurement> {
        let reference = self
            .lanes
            .iter()
            .find(|lane| lane.ready.detector.describe().exact)
            .map(|lane| lane.distances.clone());
        let labels: Vec<&str> =
            self.steps.iter().map(|&at| self.scene.steps[at].label.as_str()).collect();
        let mut records = Vec::new();
        for lane in &self.lanes {
            let reached = lane.reached;
            let times = &lane.times[..reached];
            let of = |label: Option<&str>| {
                let timed = Timed { times, repeated: &lane.repeated, updates: lane.updates() };
                summary::group(label, &labels, &timed, &lane.tallies)
            };
            let mut seen: Vec<&str> = Vec::new();
            for label in &labels {
                if !seen.contains(label) {
                    seen.push(label);
                }
            }
            let distance_error = (kind == QuestionKind::Distance)
                .then(|| verdicts::distance_error(&lane.distances, reference.as_deref()?))
                .flatten();
            records.push(record::Measurement {
                scene: self.scene.name.clone(),
                method: lane.ready.detector.describe().word.to_owned(),
                question: summary::question_word(kind).to_owned(),
                preparation: lane.preparation.clone(),
                all: of(None),
                groups: seen.into_iter().map(|label| of(Some(label))).collect(),
                times_ns: times.to_vec(),
                update: lane.follows.map(|update| update.word().to_owned()),
                updates_ns: lane.follows.map(|_| lane.updates().to_vec()),
                eta: self.scene.group.is_sequence().then(|| summary::eta(times)),
                distance_error: distance_error.map(|error| error / self.scene.size()),
                costs: costs::fit(&self.counted(lane)),
                error: lane.error.clone(),
            });
        }
        records
    }
}

impl Asked<'_> {
    /// Counts and time of each step of a lane that has both.
    fn counted(&self, lane: &Lane<'_>) -> Vec<costs::Counted> {
        let times = &lane.times[..lane.reached];
        let steps = times.iter().zip(&lane.tallies).zip(&self.queries);
        let counted = steps.filter_map(|((&time, tally), queries)| {
            let [volumes, primitives, updates, _] = tally.counters?;
            let counts = Counts { volumes, primitives, updates };
            Some(costs::Counted { counts, queries: queries.len(), time })
        });
        counted.collect()
    }
}

impl<'s> Lane<'s> {
    fn new(prepared: &'s mut Prepared, pairs: usize, steps: usize, deforming: usize) -> Self {
        let Prepared { detector, models, record } = prepared;
        Self {
            ready: Ready::new(detector.describe().word, &**detector, pairs),
            models,
            preparation: record,
            times: vec![f64::INFINITY; steps],
            repeated: Vec::new(),
            reached: 0,
            spent: Duration::ZERO,
            follows: None,
            updates: vec![f64::INFINITY; if deforming > 0 { steps } else { 0 }],
            tallies: Vec::new(),
            distances: Vec::new(),
            error: None,
        }
    }

    /// Times all queries of a step together and keeps the least time. `cargo xtask bench --against`
    /// counts the instructions of this function by its name.
    #[inline(never)]
    fn time_step(&mut self, k: usize, queries: &[Query], ask: &Ask) {
        // Errors were counted in the first pass; here they only take their time.
        let (took, _) = self.ready.time(self.models, queries, ask);
        self.spent += took;
        self.times[k] = self.times[k].min(took.as_nanos() as f64);
        self.reached = self.reached.max(k + 1);
    }
}
