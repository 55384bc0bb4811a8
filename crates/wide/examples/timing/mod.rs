//! The least time of several runs.

use std::time::{Duration, Instant};

/// Times of each step.
const TIMES: usize = 5;

/// Runs it several times. The least time, and the last result.
pub(crate) fn timed<T>(mut run: impl FnMut() -> T) -> (Duration, T) {
    let mut least = Duration::MAX;
    let mut once = || {
        let start = Instant::now();
        let result = run();
        least = least.min(start.elapsed());
        result
    };
    for _ in 1..TIMES {
        once();
    }
    let result = once();
    (least, result)
}
