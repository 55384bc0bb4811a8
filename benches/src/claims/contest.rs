//! Methods against each other on any number of threads: they take turns step by step, the least
//! time of several passes counts, and counters come from a pass of their own.
//!
//! [`race`](super::race) does this for methods by their word; here a method comes with parameters
//! and a pool, and how its work was spread over threads is kept. The bench `parallel` uses the same
//! file.

use std::time::Instant;

use impinge::query::{Answer, Ask, Control, Detector, PairMemory, Prepared, Question, Spread};
use impinge::{Mesh, Pose};
use impinge_benches::progress::Listener;
use impinge_models::Scene;

/// One question about two bodies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pairing {
    /// Mesh of A, by index.
    pub(crate) a: usize,
    /// Mesh of B.
    pub(crate) b: usize,
    /// Which pair of bodies.
    pub(crate) pair: usize,
    /// B in A.
    pub(crate) pose: Pose,
}

/// A scene as questions: every pair of its bodies at every step, without a broad phase (fan §4.5.2).
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// The meshes.
    pub(crate) meshes: Vec<Mesh>,
    /// All pairs of each step.
    pub(crate) steps: Vec<Vec<Pairing>>,
    /// Triangles of all bodies together.
    pub(crate) triangles: usize,
    /// Pairs of bodies.
    pub(crate) pairs: usize,
}

impl Asked {
    /// Every pair at every step.
    pub(crate) fn of(scene: Scene) -> Self {
        let objects = &scene.objects;
        let pairs: Vec<(usize, usize)> =
            (0..objects.len()).flat_map(|i| (i + 1..objects.len()).map(move |j| (i, j))).collect();
        let step = |at: usize| {
            let pairing = |(pair, &(i, j)): (usize, &(usize, usize))| {
                let (a, b) = (&objects[i], &objects[j]);
                let pose = Pose::relative(a.motion.at(at), b.motion.at(at));
                Pairing { a: a.mesh, b: b.mesh, pair, pose }
            };
            pairs.iter().enumerate().map(pairing).collect()
        };
        let steps = (0..scene.steps()).map(step).collect();
        let size = |mesh: usize| scene.meshes[mesh].triangles().len();
        let triangles = objects.iter().map(|object| size(object.mesh)).sum();
        Self { steps, triangles, pairs: pairs.len(), meshes: scene.meshes }
    }
}

/// A method that takes part.
pub(crate) struct Entrant {
    /// What it is called in reports.
    pub(crate) label: String,
    /// The method.
    pub(crate) detector: Box<dyn Detector>,
}

impl Entrant {
    /// A method by what it is called.
    pub(crate) fn new(label: impl Into<String>, detector: impl Detector + 'static) -> Self {
        Self { label: label.into(), detector: Box::new(detector) }
    }
}

impl AsRef<Self> for Entrant {
    fn as_ref(&self) -> &Self {
        self
    }
}

/// What a method took over all steps.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Lap {
    /// Mean over steps of the least time of a step, in nanoseconds.
    pub(crate) nanoseconds: f64,
    /// The same from every other pass alone. How much they differ is how much can be told.
    pub(crate) halves: [f64; 2],
    /// `N_v`: volume tests, of edges against boxes too.
    pub(crate) volume_tests: u64,
    /// `N_p`: tests of an edge against a triangle, or of two triangles.
    pub(crate) primitive_tests: u64,
    /// Queries answered with a hit.
    pub(crate) hits: usize,
    /// Contacts reported.
    pub(crate) contacts: u64,
    /// Tasks in all, if the method has tasks.
    pub(crate) tasks: u64,
    /// Share of `threads × time` in which no task was worked on.
    pub(crate) idle: f64,
    /// Bytes of a model beside its mesh, for each triangle.
    pub(crate) bytes: f64,
}

impl Lap {
    /// By how much its two halves differ, as a part of the time.
    pub(crate) fn noise(&self) -> f64 {
        let [odd, even] = self.halves;
        if odd > 0.0 && even > 0.0 { (odd / even).max(even / odd) - 1.0 } else { 0.0 }
    }
}

/// An entrant with its models and what it remembers of each pair.
struct Runner<'e> {
    entrant: &'e Entrant,
    models: Vec<Prepared>,
    memories: Vec<PairMemory>,
    answer: Answer,
}

impl<'e> Runner<'e> {
    fn new(entrant: &'e Entrant, asked: &Asked) -> Result<Self, String> {
        let prepare = |mesh| entrant.detector.prepare(mesh, &Control::NONE);
        let models = asked.meshes.iter().map(prepare).collect::<Result<_, _>>();
        let models = models.map_err(|error| format!("{}: {error}", entrant.label))?;
        let memories = (0..asked.pairs).map(|_| entrant.detector.memory()).collect();
        Ok(Self { entrant, models, memories, answer: Answer::default() })
    }

    fn forget(&mut self) {
        for memory in &mut self.memories {
            *memory = self.entrant.detector.memory();
        }
    }

    fn ask(&mut self, query: &Pairing, ask: &Ask) -> Result<(), String> {
        let [a, b] = [query.a, query.b].map(|mesh| &self.models[mesh]);
        let memory = &mut self.memories[query.pair];
        (self.entrant.detector)
            .query(a, b, &query.pose, memory, ask, &Control::NONE, &mut self.answer)
            .map_err(|error| format!("{}: {error}", self.entrant.label))
    }

    /// A pass with counters over all steps.
    fn count(&mut self, asked: &Asked, ask: &Ask) -> Result<Lap, String> {
        let ask = ask.counted();
        let own = |model: &Prepared| model.bytes() - model.mesh_bytes().min(model.bytes());
        let bytes: usize = self.models.iter().map(own).sum();
        let triangles: usize = self.models.iter().map(Prepared::triangles).sum();
        let mut lap = Lap { bytes: bytes as f64 / triangles as f64, ..Lap::default() };
        let (mut idle, mut all) = (0.0, 0.0);
        for query in asked.steps.iter().flatten() {
            self.ask(query, &ask)?;
            lap.hits += usize::from(self.answer.verdict.is_hit());
            lap.contacts += self.answer.contacts_found;
            let Some(counted) = &self.answer.statistics else { continue };
            lap.volume_tests += counted.volume_tests;
            lap.primitive_tests += counted.primitive_tests;
            if let Some(spread) = &counted.spread {
                let time = thread_time(spread);
                lap.tasks += spread.tasks();
                (idle, all) = (idle + spread.idle() * time, all + time);
            }
        }
        lap.idle = if all > 0.0 { idle / all } else { 0.0 };
        Ok(lap)
    }
}

/// Threads times time.
fn thread_time(spread: &Spread) -> f64 {
    f64::from(spread.threads) * spread.nanoseconds as f64
}

/// So many times a step is done before it is timed: which thread gets which task differs from time to
/// time, and a core that meets a task for the first time waits for memory.
const WARM: usize = 3;

/// Times the entrants over all steps, in the order given. Each does a step [`WARM`] times before the one
/// that counts.
///
/// # Errors
/// If a query fails, or two entrants disagree about hits or contacts: times of different answers
/// compare nothing.
pub(crate) fn contest(
    entrants: &[impl AsRef<Entrant>],
    asked: &Asked,
    ask: &Ask,
    passes: usize,
    listener: Listener<'_>,
) -> Result<Vec<Lap>, String> {
    let entrants: Vec<&Entrant> = entrants.iter().map(AsRef::as_ref).collect();
    let runners = entrants.iter().map(|entrant| Runner::new(entrant, asked));
    let mut runners = runners.collect::<Result<Vec<_>, _>>()?;
    let mut laps = Vec::new();
    for (k, runner) in runners.iter_mut().enumerate() {
        listener.stage("counting", k, entrants.len());
        laps.push(runner.count(asked, ask)?);
    }
    agree(&entrants, &laps, ask)?;
    let steps = asked.steps.len();
    let mut least = vec![[f64::INFINITY; 2]; entrants.len() * steps];
    for pass in 0..passes.max(1) {
        runners.iter_mut().for_each(Runner::forget);
        for (at, step) in asked.steps.iter().enumerate() {
            listener.stage("timing", pass * steps + at, passes * steps);
            for turn in 0..runners.len() {
                let chosen = (pass + at + turn) % runners.len();
                // In an application the caches of all cores are a method's own.
                for query in std::iter::repeat_n(step, WARM).flatten() {
                    runners[chosen].ask(query, ask)?;
                }
                let start = Instant::now();
                for query in step {
                    runners[chosen].ask(query, ask)?;
                }
                let took = start.elapsed().as_nanos() as f64;
                let half = &mut least[chosen * steps + at][pass % 2];
                *half = half.min(took);
            }
        }
    }
    for (lap, least) in laps.iter_mut().zip(least.chunks(steps.max(1))) {
        let mean = |time: &dyn Fn(&[f64; 2]) -> f64| {
            least.iter().map(time).sum::<f64>() / least.len() as f64
        };
        lap.nanoseconds = mean(&|[odd, even]| odd.min(*even));
        // A single pass has no second half.
        lap.halves = [0, 1].map(|half| mean(&|times| times[half]));
        lap.halves = lap.halves.map(|half| if half.is_finite() { half } else { 0.0 });
    }
    Ok(laps)
}

/// Did all find the same?
///
/// # Errors
/// Names the two that did not.
pub(crate) fn agree(entrants: &[&Entrant], laps: &[Lap], ask: &Ask) -> Result<(), String> {
    let all = matches!(ask.question, Question::AllContacts);
    for (entrant, lap) in entrants.iter().zip(laps) {
        if lap.hits != laps[0].hits || (all && lap.contacts != laps[0].contacts) {
            return Err(format!(
                "{} and {} disagree: {} and {} hits, {} and {} contacts",
                entrant.label,
                entrants[0].label,
                lap.hits,
                laps[0].hits,
                lap.contacts,
                laps[0].contacts
            ));
        }
    }
    Ok(())
}

/// Numbers of threads to try: powers of two up to `most`, and `most` itself; at least 1 and 2.
pub(crate) fn ladder(most: usize) -> Vec<usize> {
    let most = most.max(2);
    let mut rungs: Vec<usize> =
        std::iter::successors(Some(1), |n| Some(2 * n)).take_while(|n| *n < most).collect();
    rungs.push(most);
    rungs
}
