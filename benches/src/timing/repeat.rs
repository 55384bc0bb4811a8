//! The same step again and again: what a query costs with everything it needs at hand.

use std::time::{Duration, Instant};

use super::{Effort, Race, Runner};
use crate::progress::Listener;
use crate::scene::Step;

/// Repetitions of a step; the least time counts.
const REPETITIONS: usize = 7;
/// A step that takes longer in sum is not repeated further.
const ENOUGH: Duration = Duration::from_millis(2);

impl Race<'_> {
    /// Step by step every method in turn, each repeating the step before the next begins. Steps
    /// that a method did not reach within its budget are left out.
    pub(super) fn repeat(&mut self, effort: Effort, listener: Listener<'_>) {
        for (k, &at) in self.steps.iter().enumerate() {
            let step = &self.scene.steps[at];
            let (count, first) = (self.runners.len(), k % self.runners.len());
            for turn in 0..count {
                let runner = &mut self.runners[(first + turn) % count];
                if k < runner.reached && runner.spent <= effort.budget {
                    let least = runner.repeat_step(step, &self.pairs[k], &self.ask);
                    runner.repeated.push(least);
                }
            }
            if k % 16 == 0 {
                listener.stage("repeating", k, self.steps.len());
            }
        }
    }
}

impl Runner<'_> {
    fn repeat_step(&mut self, step: &Step, pairs: &[usize], ask: &impinge::query::Ask) -> f64 {
        let (mut least, mut spent) = (f64::INFINITY, Duration::ZERO);
        for _ in 0..REPETITIONS {
            self.forget();
            let start = Instant::now();
            for (query, &pair) in step.queries.iter().zip(pairs) {
                let _ = std::hint::black_box(self.query(step, query, pair, ask));
            }
            let took = start.elapsed();
            least = least.min(took.as_nanos() as f64);
            spent += took;
            if spent > ENOUGH {
                break;
            }
        }
        self.spent += spent;
        least
    }
}
