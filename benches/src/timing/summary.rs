//! Statistics over steps.

use impinge::query::QuestionKind;

use super::Tally;
use impinge_records::bench::Group;

/// The question's word in records.
pub const fn question_word(kind: QuestionKind) -> &'static str {
    match kind {
        QuestionKind::FirstContact => "first-contact",
        QuestionKind::AllContacts => "all-contacts",
        QuestionKind::Distance => "distance",
        QuestionKind::NearerThan => "nearer-than",
        QuestionKind::ContainedIn => "contained-in",
    }
}

/// Least times in nanoseconds per step, for the steps within the budget.
#[derive(Clone, Copy, Debug, Default)]
pub struct Timed<'t> {
    /// Of each step's queries.
    pub times: &'t [f64],
    /// Of each step's repetitions; empty if not measured.
    pub repeated: &'t [f64],
    /// Of each step's update; empty if nothing deforms.
    pub updates: &'t [f64],
}

/// The statistics of all steps with `label` (of all steps if `None`). `labels` has one entry per
/// step; times and `tallies` cover a prefix of the steps, as far as the budget went.
pub fn group(label: Option<&str>, labels: &[&str], timed: &Timed<'_>, tallies: &[Tally]) -> Group {
    let Timed { times, repeated, updates } = *timed;
    let wanted = |at: &usize| label.is_none_or(|label| labels[*at] == label);
    let of = (0..labels.len()).filter(wanted).count();
    let mut kept: Vec<f64> = (0..times.len()).filter(wanted).map(|at| times[at]).collect();
    let measured: f64 = kept.iter().sum();
    kept.sort_unstable_by(f64::total_cmp);
    let mut group = Group {
        label: label.unwrap_or("all").to_owned(),
        steps: kept.len(),
        of,
        median_ns: percentile(&kept, 0.5),
        mean_ns: measured / kept.len().max(1) as f64,
        p99_ns: percentile(&kept, 0.99),
        min_ns: percentile(&kept, 0.0),
        max_ns: percentile(&kept, 1.0),
        ..Group::default()
    };
    let mut counted = [0_u64; 4];
    let mut with_counters = 0_usize;
    for tally in (0..tallies.len()).filter(wanted).map(|at| &tallies[at]) {
        group.hits += usize::from(tally.hits > 0);
        group.contacts += tally.contacts;
        group.judged += tally.judged;
        group.false_hits += tally.false_hits;
        group.false_misses += tally.false_misses;
        group.extra_pairs += tally.extra_pairs;
        group.missing_pairs += tally.missing_pairs;
        group.errors += tally.errors;
        if let Some(counters) = tally.counters {
            with_counters += 1;
            (0..4).for_each(|k| counted[k] += counters[k]);
        }
    }
    let mean = |k: usize| (with_counters > 0).then(|| counted[k] as f64 / with_counters as f64);
    // A method without volume tests, or without statistics, has no cost per volume test.
    if counted[0] > 0 {
        (group.volume_tests, group.primitive_tests) = (mean(0), mean(1));
        (group.volumes_updated, group.exact_tests) = (mean(2), mean(3));
        group.ns_per_volume_test = mean(0).map(|tests| group.mean_ns / tests);
    }
    let mut updates: Vec<f64> = (0..updates.len()).filter(wanted).map(|at| updates[at]).collect();
    updates.sort_unstable_by(f64::total_cmp);
    group.update_ns = (!updates.is_empty()).then(|| percentile(&updates, 0.5));
    let warm: Vec<f64> = (0..repeated.len()).filter(wanted).map(|at| repeated[at]).collect();
    if !warm.is_empty() && warm.len() == group.steps {
        let mean_ns = warm.iter().sum::<f64>() / warm.len() as f64;
        group.repeated_ns = Some(mean_ns);
        group.repeated_ns_per_volume_test = group.volume_tests.map(|tests| mean_ns / tests);
    }
    group
}

/// The value at fraction `part` of a sorted list, by nearest rank; 0 for an empty list.
pub fn percentile(sorted: &[f64], part: f64) -> f64 {
    let last = sorted.len().saturating_sub(1);
    let rank = (part * last as f64).round() as usize;
    // The median of an even number of values is the mean of the middle two.
    if part == 0.5 && sorted.len().is_multiple_of(2) && !sorted.is_empty() {
        let upper = sorted.len() / 2;
        return 0.5 * (sorted[upper - 1] + sorted[upper]);
    }
    sorted.get(rank).copied().unwrap_or(0.0)
}

/// `η_i = (t_i − t̄) / t̄` (fan eq. 2-12): the relative deviation of each step from the mean.
pub fn eta(times: &[f64]) -> Vec<f64> {
    let mean = times.iter().sum::<f64>() / times.len().max(1) as f64;
    times.iter().map(|t| if mean > 0.0 { (t - mean) / mean } else { 0.0 }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_of_small_lists() {
        let list = [1.0, 2.0, 3.0, 10.0];
        assert_eq!([0.0, 0.5, 0.99, 1.0].map(|p| percentile(&list, p)), [1.0, 2.5, 10.0, 10.0]);
        assert_eq!(percentile(&list[..3], 0.5), 2.0);
        assert_eq!(percentile(&[], 0.5), 0.0);
    }

    #[test]
    fn eta_sums_to_zero() {
        assert_eq!(eta(&[1.0, 3.0]), [-0.5, 0.5]);
        assert!(eta(&[]).is_empty());
    }

    #[test]
    fn a_group_holds_its_label_only_and_tells_what_is_missing() {
        let labels = ["near", "far", "near", "far"];
        let tally = |hits, tests| Tally {
            hits,
            judged: 1,
            counters: Some([tests, 2, 0, 0]),
            ..Tally::default()
        };
        let tallies = [tally(1, 10), tally(0, 20), tally(1, 30)];
        let timed = Timed {
            times: &[100.0, 5.0, 300.0],
            repeated: &[50.0, 4.0, 150.0],
            updates: &[7.0, 8.0, 11.0],
        };
        let near = group(Some("near"), &labels, &timed, &tallies);
        assert_eq!(near.update_ns, Some(9.0));
        assert_eq!((near.steps, near.of, near.hits, near.judged), (2, 2, 2, 2));
        assert_eq!((near.median_ns, near.volume_tests), (200.0, Some(20.0)));
        assert_eq!(near.ns_per_volume_test, Some(10.0));
        assert_eq!((near.repeated_ns, near.repeated_ns_per_volume_test), (Some(100.0), Some(5.0)));
        let far = group(Some("far"), &labels, &timed, &tallies);
        assert_eq!((far.steps, far.of, far.max_ns), (1, 2, 5.0));
        let plain = Timed { times: &[1.0; 3], ..Timed::default() };
        let all = group(None, &labels, &plain, &tallies);
        assert_eq!((all.of, all.update_ns), (4, None));
    }

    #[test]
    fn a_method_that_does_not_count_has_no_counts() {
        let tallies = [Tally { judged: 1, ..Tally::default() }];
        let timed = Timed { times: &[7.0], ..Timed::default() };
        let all = group(None, &["x"], &timed, &tallies);
        assert_eq!((all.volume_tests, all.ns_per_volume_test), (None, None));
    }
}
