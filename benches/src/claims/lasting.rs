//! Parts of a walk in which contact or separation lasts, and how much a quantity varies in them.

use impinge_benches::timing::summary::eta;

use super::fan_image::deviation;

/// The states, in the order of their numbers.
pub(crate) const STATES: [&str; 2] = ["separation", "contact"];
/// Steps in a part of the walk from which a deviation is taken, at least.
pub(crate) const FEW: usize = 5;
/// The deviations of times of the two halves of the passes may differ by this factor; else
/// interruptions were measured.
const SETTLED: f64 = 1.25;

/// The state of each step that is in a run of at least `run` steps of one state.
pub(crate) fn lasting(hit: &[bool], run: usize) -> Vec<Option<usize>> {
    let runs = hit.chunk_by(|a, b| a == b);
    let states = runs.flat_map(|steps| {
        let state = (steps.len() >= run).then_some(usize::from(steps[0]));
        std::iter::repeat_n(state, steps.len())
    });
    states.collect()
}

/// Standard deviation of η over the steps of a state, in the whole walk and in each half of it; NaN
/// where there are too few.
pub(crate) fn deviations(values: &[f64], lasting: &[Option<usize>], state: usize) -> [f64; 3] {
    let half = values.len() / 2;
    [0..values.len(), 0..half, half..values.len()].map(|part| {
        let own = part.filter(|&at| lasting[at] == Some(state)).map(|at| values[at]);
        let own: Vec<f64> = own.collect();
        if own.len() < FEW { f64::NAN } else { deviation(&eta(&own)) }
    })
}

/// Whether the deviations of both halves of the passes agree with each other.
pub(crate) fn settled(halves: &[[f64; 3]; 2]) -> bool {
    let [one, other] = halves;
    let pairs = one.iter().zip(other).filter(|(a, b)| !a.is_nan() && !b.is_nan());
    pairs.into_iter().all(|(a, b)| a.max(*b) <= SETTLED * a.min(*b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_long_runs_last() {
        let hit = [true, true, true, false, true, false, false, false];
        let (contact, apart) = (Some(1), Some(0));
        let wanted = [contact, contact, contact, None, None, apart, apart, apart];
        assert_eq!(lasting(&hit, 3), wanted);
    }

    #[test]
    fn passes_that_differ_tell_nothing() {
        assert!(settled(&[[0.5, 0.4, f64::NAN], [0.5, 0.45, 9.0]]));
        assert!(!settled(&[[0.5, 0.4, 0.1], [0.5, 0.4, 0.2]]), "interrupted");
    }
}
