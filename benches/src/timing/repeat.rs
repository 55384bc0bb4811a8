//! The same step again and again: what a query costs with everything it needs at hand.

use std::time::Duration;

use impinge::query::Ask;

use super::{Asked, Effort, Lane};
use crate::harness::{Query, take_all_turns};
use crate::progress::Listener;

/// Repetitions of a step; the least time counts.
const REPETITIONS: usize = 7;
/// A step that takes longer in sum is not repeated further.
const ENOUGH: Duration = Duration::from_millis(2);

impl Asked<'_> {
    /// Step by step every method in turn, each repeating the step before the next begins. Steps
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
