//! Times and counters of a competitor.

use impinge::query::{Answer, Ask, Backend, Prepared, Spread};

use super::{Ready, Workload};
use crate::timing::summary::percentile;

/// Times and counters of one competitor over all steps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Timing {
    /// Least time of each step in nanoseconds; empty if only counted.
    pub least: Vec<f64>,
    /// The same from the odd and the even passes alone. Their difference estimates the noise.
    pub halves: [Vec<f64>; 2],
    /// The time of each pass at each step, in order; fewer where it was slow, see
    /// [`Rules::enough`](super::Rules::enough).
    pub passes: Vec<Vec<f64>>,
    /// Per query, whether it was a hit.
    pub hit: Vec<bool>,
    /// Contacts reported.
    pub contacts: u64,
    /// `N_v`: volume tests, including edges against boxes.
    pub volume_tests: u64,
    /// `N_p`: tests of two triangles or of an edge and a triangle.
    pub primitive_tests: u64,
    /// `N_u`: volumes updated.
    pub volumes_updated: u64,
    /// Pictures drawn.
    pub pictures: u64,
    /// Vertices sent for them.
    pub vertices_sent: u64,
    /// Pixels of their viewports.
    pub pixels: u64,
    /// Submissions, after each of which a result is read.
    pub submissions: u64,
    /// Number of tasks, if the method has tasks.
    pub tasks: u64,
    /// Idle time summed over threads, in nanoseconds.
    pub idle_time: f64,
    /// Total time summed over threads, in nanoseconds.
    pub thread_time: f64,
    /// Model bytes beside the mesh, per triangle.
    pub bytes: f64,
    /// Why a program answered in the place of an adapter, for the first query of which it did.
    pub instead: Option<String>,
}

impl Timing {
    /// Sum of the steps' least times, in nanoseconds.
    pub fn total(&self) -> f64 {
        self.least.iter().sum()
    }

    /// Mean of the steps' least times, in nanoseconds.
    pub fn mean(&self) -> f64 {
        mean(&self.least)
    }

    /// Median of the steps' least times, in nanoseconds.
    pub fn median(&self) -> f64 {
        let mut sorted = self.least.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        percentile(&sorted, 0.5)
    }

    /// Relative difference between the two halves of the passes; 0 after a single pass.
    pub fn noise(&self) -> f64 {
        let [odd, even] = [0, 1].map(|half| mean(&self.halves[half]));
        let both = odd > 0.0 && even > 0.0 && odd.is_finite() && even.is_finite();
        if both { (odd / even).max(even / odd) - 1.0 } else { 0.0 }
    }

    /// Number of queries that were hits.
    pub fn hits(&self) -> usize {
        self.hit.iter().filter(|hit| **hit).count()
    }

    /// Fraction of thread time that was idle.
    pub fn idle(&self) -> f64 {
        if self.thread_time > 0.0 { self.idle_time / self.thread_time } else { 0.0 }
    }

    /// Number of queries that differ from another competitor's in being hits.
    pub fn unlike(&self, other: &Self) -> usize {
        self.hit.iter().zip(&other.hit).filter(|(a, b)| a != b).count()
    }

    /// Sets the least times from those of the odd and the even passes.
    pub(crate) fn timed(&mut self, halves: [Vec<f64>; 2]) {
        let [odd, even] = &halves;
        self.least = odd.iter().zip(even).map(|(a, b)| a.min(*b)).collect();
        self.halves = halves;
    }

    /// Runs one pass with counters. `remember` keeps memories from step to step.
    pub(super) fn count(
        ready: &mut Ready<'_>,
        models: &[Prepared],
        workload: &Workload,
        ask: &Ask,
        remember: bool,
    ) -> Result<Self, String> {
        let ask = ask.counted();
        let own = |model: &Prepared| model.bytes() - model.mesh_bytes().min(model.bytes());
        let bytes: usize = models.iter().map(own).sum();
        let triangles: usize = models.iter().map(Prepared::triangles).sum();
        let bytes = bytes as f64 / triangles.max(1) as f64;
        let mut found = Self { bytes, ..Self::default() };
        for step in &workload.steps {
            if !remember {
                ready.forget();
            }
            for query in step {
                ready.ask(models, query, &ask)?;
                found.add(&ready.answer);
            }
        }
        Ok(found)
    }

    /// Notes what answered a query.
    pub(super) fn answered_by(&mut self, backend: &Backend) {
        if let (None, Backend::Software(why)) = (&self.instead, backend) {
            self.instead = Some(why.clone());
        }
    }

    /// Adds the counters of an answer.
    pub fn add(&mut self, answer: &Answer) {
        self.hit.push(answer.verdict.is_hit());
        self.contacts += answer.contacts_found;
        self.answered_by(&answer.backend);
        let Some(counted) = &answer.statistics else { return };
        self.volume_tests += counted.volume_tests;
        self.primitive_tests += counted.primitive_tests;
        self.volumes_updated += counted.volumes_updated;
        self.pictures += counted.pictures;
        self.vertices_sent += counted.vertices_sent;
        self.pixels += counted.pixels;
        self.submissions += counted.submissions;
        if let Some(spread) = &counted.spread {
            let time = thread_time(spread);
            self.tasks += spread.tasks();
            self.idle_time += spread.idle() * time;
            self.thread_time += time;
        }
    }
}

/// The least times of competitors that are compared, step by step: each of as many passes as the one
/// with the fewest at that step. The least of more passes is lower by chance.
pub fn level<const N: usize>(of: [&Timing; N]) -> [Vec<f64>; N] {
    let steps = of.iter().map(|timing| timing.passes.len()).min().unwrap_or(0);
    let fewest = |step: usize| of.iter().map(|timing| timing.passes[step].len()).min();
    of.map(|timing| {
        let least = |step: usize| {
            let passes = timing.passes[step].iter().take(fewest(step).unwrap_or(0));
            passes.copied().fold(f64::INFINITY, f64::min)
        };
        (0..steps).map(least).collect()
    })
}

fn mean(times: &[f64]) -> f64 {
    times.iter().sum::<f64>() / times.len().max(1) as f64
}

/// Threads × time.
fn thread_time(spread: &Spread) -> f64 {
    f64::from(spread.threads) * spread.nanoseconds as f64
}
