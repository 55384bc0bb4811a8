//! Methods against each other inside one run: they take turns on the same poses, the least time of
//! several passes counts, and counters come from a pass of their own.

use std::time::Instant;

use impinge::query::{Answer, Ask, Control, Detector, PairMemory, Prepared};
use impinge::{Mesh, Method, Pose};
use impinge_benches::progress::Listener;

use super::catalogue::is_built;
use super::outcome::Outcome;

/// Ratios of times nearer to 1 than this are no difference.
pub(crate) const NOISE: f64 = 0.03;

/// One question about two bodies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Query {
    /// Mesh of A, by index.
    pub(crate) a: usize,
    /// Mesh of B.
    pub(crate) b: usize,
    /// Which pair of bodies: what a method remembers belongs to it.
    pub(crate) pair: usize,
    /// B in A.
    pub(crate) pose: Pose,
}

/// All queries of one instant.
pub(crate) type Step = Vec<Query>;

/// What a method took over all steps.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Lap {
    /// Sum over steps of the least time, in nanoseconds.
    pub(crate) nanoseconds: f64,
    /// `N_v`: volume tests.
    pub(crate) volume_tests: u64,
    /// `N_p`: triangle tests.
    pub(crate) primitive_tests: u64,
    /// `N_u`: volumes updated.
    pub(crate) volumes_updated: u64,
    /// Queries answered with a hit.
    pub(crate) hits: usize,
    /// Contacts reported.
    pub(crate) contacts: u64,
}

/// An outcome that says which of these methods is not in this build; none if all are.
pub(crate) fn missing(words: &[&str]) -> Option<Outcome> {
    let absent = words.iter().find(|word| !is_built(word))?;
    Some(Outcome::unrunnable(format!("method {absent} is not in this build")))
}

/// A method with its models and what it remembers of each pair.
struct Runner {
    word: String,
    detector: Box<dyn Detector>,
    models: Vec<Prepared>,
    memories: Vec<PairMemory>,
    answer: Answer,
}

impl Runner {
    fn new(word: &str, meshes: &[Mesh], pairs: usize) -> Result<Self, String> {
        let method: Method = word.parse().map_err(|e: impinge::UnknownMethod| e.to_string())?;
        let detector = method.build();
        let prepare = |mesh| detector.prepare(mesh, &Control::NONE);
        let models = meshes.iter().map(prepare).collect::<Result<_, _>>();
        let models = models.map_err(|error| format!("{word}: {error}"))?;
        let memories = (0..pairs).map(|_| detector.memory()).collect();
        Ok(Self { word: word.to_owned(), detector, models, memories, answer: Answer::default() })
    }

    /// As at the start of a simulation.
    fn forget(&mut self) {
        for memory in &mut self.memories {
            *memory = self.detector.memory();
        }
    }

    fn ask(&mut self, query: &Query, ask: &Ask) -> Result<(), String> {
        let [a, b] = [query.a, query.b].map(|mesh| &self.models[mesh]);
        let memory = &mut self.memories[query.pair];
        self.detector
            .query(a, b, &query.pose, memory, ask, &Control::NONE, &mut self.answer)
            .map_err(|error| format!("{}: {error}", self.word))
    }

    /// One pass with counters. `remember` keeps what a pair remembers from step to step.
    fn count(&mut self, steps: &[Step], ask: &Ask, remember: bool) -> Result<Lap, String> {
        let ask = ask.counted();
        let mut lap = Lap::default();
        self.forget();
        for step in steps {
            if !remember {
                self.forget();
            }
            for query in step {
                self.ask(query, &ask)?;
                lap.hits += usize::from(self.answer.verdict.is_hit());
                lap.contacts += self.answer.contacts_found;
                if let Some(counted) = &self.answer.statistics {
                    lap.volume_tests += counted.volume_tests;
                    lap.primitive_tests += counted.primitive_tests;
                    lap.volumes_updated += counted.volumes_updated;
                }
            }
        }
        Ok(lap)
    }
}

fn pairs_of(steps: &[Step]) -> usize {
    steps.iter().flatten().map(|query| query.pair + 1).max().unwrap_or(0)
}

/// The counters of one method over all steps in order, with its memory kept or dropped before
/// every step.
///
/// # Errors
/// If the method is not in this build, or a query fails.
pub(crate) fn count(
    word: &str,
    meshes: &[Mesh],
    steps: &[Step],
    ask: &Ask,
    remember: bool,
) -> Result<Lap, String> {
    Runner::new(word, meshes, pairs_of(steps))?.count(steps, ask, remember)
}

/// Times methods over all steps in order, in the order of `words`.
///
/// # Errors
/// If a method is not in this build, a query fails, or two methods disagree about hits or contacts:
/// times of different answers compare nothing.
pub(crate) fn race(
    words: &[&str],
    meshes: &[Mesh],
    steps: &[Step],
    ask: &Ask,
    passes: usize,
    listener: Listener<'_>,
) -> Result<Vec<Lap>, String> {
    let pairs = pairs_of(steps);
    let runners = words.iter().map(|word| Runner::new(word, meshes, pairs));
    let mut runners = runners.collect::<Result<Vec<_>, _>>()?;
    let mut laps = Vec::new();
    for (k, runner) in runners.iter_mut().enumerate() {
        listener.stage("counting", k, words.len());
        laps.push(runner.count(steps, ask, true)?);
    }
    agree(words, &laps, ask)?;
    let mut least = vec![vec![f64::INFINITY; steps.len()]; runners.len()];
    for pass in 0..passes {
        runners.iter_mut().for_each(Runner::forget);
        for (at, step) in steps.iter().enumerate() {
            listener.stage("timing", pass * steps.len() + at, passes * steps.len());
            for turn in 0..runners.len() {
                let chosen = (pass + at + turn) % runners.len();
                let start = Instant::now();
                for query in step {
                    runners[chosen].ask(query, ask)?;
                }
                let took = start.elapsed().as_nanos() as f64;
                least[chosen][at] = least[chosen][at].min(took);
            }
        }
    }
    for (lap, least) in laps.iter_mut().zip(least) {
        lap.nanoseconds = least.iter().sum();
    }
    Ok(laps)
}

fn agree(words: &[&str], laps: &[Lap], ask: &Ask) -> Result<(), String> {
    let all = matches!(ask.question, impinge::query::Question::AllContacts);
    for (word, lap) in words.iter().zip(laps) {
        if lap.hits != laps[0].hits || (all && lap.contacts != laps[0].contacts) {
            return Err(format!(
                "{word} and {} disagree: {} and {} hits, {} and {} contacts",
                words[0], lap.hits, laps[0].hits, lap.contacts, laps[0].contacts
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge::Vector;
    use impinge_models::Shape;

    fn scene() -> (Vec<Mesh>, Vec<Step>) {
        let meshes = vec![Shape::Sphere.mesh(100, 1)];
        let at = |x: f64| {
            let pose = Pose::translation_by(Vector::new(x, 0.0, 0.0)).expect("a pose");
            vec![Query { a: 0, b: 0, pair: 0, pose }]
        };
        (meshes, [0.3, 0.9, 1.5].map(at).to_vec())
    }

    #[test]
    fn a_race_counts_and_times_every_method() {
        let (meshes, steps) = scene();
        let ask = Ask::all_contacts();
        let words = ["obbtree", "obbtree"];
        let laps = race(&words, &meshes, &steps, &ask, 2, Listener::NONE).expect("it runs");
        assert_eq!((laps[0].hits, laps[0].volume_tests), (2, laps[1].volume_tests));
        assert!(laps.iter().all(|lap| lap.nanoseconds > 0.0 && lap.nanoseconds.is_finite()));
    }

    #[test]
    fn different_answers_are_an_error() {
        let (meshes, steps) = scene();
        let ask = Ask::all_contacts();
        let lap = count("obbtree", &meshes, &steps, &ask, true).expect("it runs");
        let other = Lap { contacts: lap.contacts + 1, ..lap.clone() };
        let why = agree(&["one", "other"], &[lap, other], &ask).expect_err("they differ");
        assert!(why.contains("other and one disagree"), "{why}");
    }

    #[test]
    fn a_method_that_is_not_there_is_named() {
        assert!(missing(&["obbtree"]).is_none());
        let outcome = missing(&["obbtree", "attic"]).expect("there is no attic");
        assert_eq!(outcome.reason, "method attic is not in this build");
    }
}
