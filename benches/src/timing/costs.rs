//! The unit costs of the papers' cost function, `T = N_v C_v + N_p C_p + N_u C_u + C_o` (li eq. 1,
//! xie eq. 5, anthology 2 eq. 1), fitted to the counted and timed steps of a measurement.
//!
//! 1. Each step has the counts of its queries and its least time `t`; `C_o` is paid by each query.
//! 2. The costs minimise the sum of `((T − t) / t)²` over the steps, with no cost below zero: of all
//!    subsets of the four terms, the one with the least sum whose own minimum has no negative cost.
//!    The minimum with bounds is the minimum without bounds over the terms that are not zero.
//! 3. The median of `|T − t| / t` tells how well the function explains the times.

use impinge::geometry::cost::{Costs, Counts};
use impinge_records::bench as record;
use nalgebra::{Matrix4, Vector4};

/// Fewest steps for a fit of four costs.
const FEWEST: usize = 8;

/// The counts and the time of one step.
#[derive(Clone, Copy, Debug)]
pub struct Counted {
    /// The counts of all its queries.
    pub counts: Counts,
    /// The number of its queries.
    pub queries: usize,
    /// Its least time in nanoseconds.
    pub time: f64,
}

/// The fitted costs; `None` with fewer than 8 steps, or if nothing was counted or timed.
pub fn fit(steps: &[Counted]) -> Option<record::Costs> {
    let timed: Vec<&Counted> = steps.iter().filter(|step| step.time > 0.0).collect();
    let counted = timed.iter().any(|step| step.counts.volumes + step.counts.primitives > 0);
    if timed.len() < FEWEST || !counted {
        return None;
    }
    let rows: Vec<Vector4<f64>> = timed.iter().map(|step| terms(step) / step.time).collect();
    // Columns of length 1 keep the equations well conditioned.
    let lengths = rows.iter().fold(Vector4::zeros(), |sum, row| sum + row.component_mul(row));
    let lengths = lengths.map(f64::sqrt);
    let scaled =
        |row: &Vector4<f64>| row.zip_map(&lengths, |x, l| if l > 0.0 { x / l } else { 0.0 });
    let rows: Vec<Vector4<f64>> = rows.iter().map(scaled).collect();
    let subsets = 1..16_u32;
    let fits = subsets.filter_map(|subset| fitted(&rows, subset));
    let (best, _) = fits.min_by(|a, b| a.1.total_cmp(&b.1))?;
    let cost = best.zip_map(&lengths, |x, l| if l > 0.0 { x / l } else { 0.0 });
    let costs = Costs { volume: cost[0], primitive: cost[1], update: cost[2], once: cost[3] };
    let mut off: Vec<f64> = timed.iter().map(|step| off(&costs, step)).collect();
    off.sort_unstable_by(f64::total_cmp);
    Some(record::Costs {
        volume_ns: costs.volume,
        primitive_ns: costs.primitive,
        update_ns: costs.update,
        query_ns: costs.once,
        off: super::summary::percentile(&off, 0.5),
    })
}

/// The factors of the four costs.
fn terms(step: &Counted) -> Vector4<f64> {
    let Counts { volumes, primitives, updates } = step.counts;
    Vector4::new(volumes as f64, primitives as f64, updates as f64, step.queries as f64)
}

/// `|T − t| / t` of a step, in which each query pays `C_o`.
fn off(costs: &Costs, step: &Counted) -> f64 {
    let others = step.queries.saturating_sub(1) as f64 * costs.once;
    (costs.total(&step.counts) + others - step.time).abs() / step.time
}

/// The costs of a subset of the terms with the least sum of squares, and that sum; `None` if the
/// terms depend on each other or a cost is negative.
fn fitted(rows: &[Vector4<f64>], subset: u32) -> Option<(Vector4<f64>, f64)> {
    let chosen = Vector4::from_fn(|k, _| f64::from(subset >> k & 1));
    let rows = || rows.iter().map(|row| row.component_mul(&chosen));
    let rest = Matrix4::from_diagonal(&chosen.map(|x| 1.0 - x));
    let normal = rows().fold(rest, |sum, row| sum + row * row.transpose());
    let right = rows().fold(Vector4::zeros(), |sum, row| sum + row);
    let factors = normal.cholesky()?;
    let dependent = factors.l_dirty().diagonal().iter().any(|pivot| *pivot < 1e-5);
    let costs = factors.solve(&right).component_mul(&chosen);
    let negative = costs.iter().any(|cost| *cost < 0.0);
    let sum = rows().map(|row| (row.dot(&costs) - 1.0).powi(2)).sum();
    (!dependent && !negative).then_some((costs, sum))
}

#[cfg(test)]
mod tests {
    use super::*;

    const COSTS: Costs = Costs { volume: 20.0, primitive: 50.0, update: 0.0, once: 100.0 };

    /// Steps whose counts are independent, with the times of `COSTS`.
    fn steps(queries: usize) -> Vec<Counted> {
        let step = |k: u64| {
            let counts = Counts { volumes: 10 + k * k, primitives: 3 * (k % 5), updates: 7 * k };
            let time = COSTS.total(&counts) + (queries - 1) as f64 * COSTS.once;
            Counted { counts, queries, time }
        };
        (0..12).map(step).collect()
    }

    #[test]
    fn the_costs_that_made_the_times_are_found() {
        for queries in [1, 5] {
            let found = fit(&steps(queries)).expect("12 steps");
            let all = [found.volume_ns, found.primitive_ns, found.update_ns, found.query_ns];
            for (cost, wanted) in all.into_iter().zip([20.0, 50.0, 0.0, 100.0]) {
                assert!((cost - wanted).abs() < 1e-6, "{found:?}");
            }
            assert!(found.off < 1e-9, "{found:?}");
        }
    }

    /// A term that would need a negative cost is left out, and the error tells what is not
    /// explained.
    #[test]
    fn no_cost_is_negative_and_the_rest_is_told() {
        let mut steps = steps(1);
        for step in &mut steps {
            step.time -= 2.0 * step.counts.updates as f64;
        }
        let found = fit(&steps).expect("12 steps");
        assert_eq!(found.update_ns, 0.0);
        assert!(found.volume_ns >= 0.0 && found.primitive_ns >= 0.0 && found.query_ns >= 0.0);
        assert!(found.off > 1e-3, "{found:?}");
        // No other costs near these are better.
        let sum = |costs: &Costs| steps.iter().map(|s| off(costs, s).powi(2)).sum::<f64>();
        let of = |x: [f64; 4]| Costs { volume: x[0], primitive: x[1], update: x[2], once: x[3] };
        let best = [found.volume_ns, found.primitive_ns, found.update_ns, found.query_ns];
        for k in 0..4 {
            for by in [-1e-3, 1e-3] {
                let mut other = best;
                other[k] = (other[k] + by).max(0.0);
                assert!(sum(&of(other)) >= sum(&of(best)) - 1e-12, "term {k} by {by}: {found:?}");
            }
        }
    }

    #[test]
    fn dependent_terms_share_one_cost_and_few_steps_have_none() {
        let twice = |k: u64| Counted {
            counts: Counts { volumes: k, primitives: 2 * k, updates: 0 },
            queries: 1,
            time: 90.0 * k as f64,
        };
        let all: Vec<Counted> = (1..20).map(twice).collect();
        let found = fit(&all).expect("19 steps");
        assert!((found.volume_ns + 2.0 * found.primitive_ns - 90.0).abs() < 1e-6, "{found:?}");
        assert!(fit(&all[..FEWEST - 1]).is_none());
        let none = Counted { counts: Counts::default(), queries: 1, time: 5.0 };
        assert!(fit(&[none; 20]).is_none());
    }
}
