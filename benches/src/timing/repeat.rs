//! Repeats each step in a row: the cost of a query with warm caches.

use std::time::Duration;

use impinge::query::Ask;

use super::{Asked, Effort, Lane};
use crate::harness::{Query, take_all_turns};
use crate::progress::Listener;

/// Repetitions of a step; the least time counts.
const REPETITIONS: usize = 7;
/// Repetitions of a step stop after this total time.
const ENOUGH: Duration = Duration::from_millis(2);

impl Asked<'_> {
    /// At each step all methods take turns, and each repeats the step before the next begins. Steps
    /// that a method did not reach within its budget are left out.
    pub(super) fn repeat(&mut self, effort: Effort, listener: Listener<'_>) {
        let steps = self.steps.len();
        take_all_turns(self.lanes.len(), 1, steps, |turn| {
            let (k, lane) = (turn.step, &mut self.lanes[turn.who]);
            if turn.first && k % 16 == 0 {
                listener.stage("repeating", k, steps);
            }
            if k < lane.reached && lane.spent <= effort.budget {
                let least = lane.repeat_step(&self.queries[k], &self.ask);
                lane.repeated.push(least);
            }
        });
    }
}

impl Lane<'_> {
    fn repeat_step(&mut self, queries: &[Query], ask: &Ask) -> f64 {
        let (mut least, mut spent) = (f64::INFINITY, Duration::ZERO);
        for _ in 0..REPETITIONS {
            self.ready.forget();
            // Errors were counted in the first pass.
            let (took, _) = self.ready.time(self.models, queries, ask);
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
