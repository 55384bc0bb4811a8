//! Parts of a walk in which contact or separation lasts, and how much a quantity varies in them.

use impinge_benches::timing::summary::eta;

use super::fan_image::deviation;

/// The states, in the order of their numbers.
pub(crate) const STATES: [&str; 2] = ["separation", "contact"];
/// Steps in a part of the walk from which a deviation is taken, at least.
pub(crate) const FEW: usize = 5;

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

/// The deviations of one method over those of another in every part of the walk that has both: each of
/// one reading over each of another, so that a reading that was interrupted shows as another ratio.
pub(crate) fn crosswise<const PARTS: usize>(
    one: &[[f64; PARTS]; 2],
    other: &[[f64; PARTS]; 2],
) -> Vec<f64> {
    let pairs = one.iter().flat_map(|a| other.iter().map(move |b| (a, b)));
    let ratios = pairs.flat_map(|(a, b)| a.iter().zip(b).map(|(a, b)| a / b));
    ratios.filter(|ratio| !ratio.is_nan()).collect()
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
    fn an_interrupted_reading_is_another_ratio() {
        assert_eq!(crosswise(&[[1.0], [3.0]], &[[2.0], [2.0]]), [0.5, 0.5, 1.5, 1.5]);
        assert_eq!(crosswise(&[[1.0, f64::NAN]; 2], &[[2.0, 2.0]; 2]), [0.5; 4]);
    }
}
