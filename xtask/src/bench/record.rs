//! A file of [`impinge_records::bench`] and accessors.

pub(crate) use impinge_records::bench::{
    End, Group, Measurement, MethodInfo, Picture, Record, Run, SCHEMA, Sampling, Scene,
};

use impinge_records::streams::Streams;

use crate::chart::Role;
use crate::numbers::{grouped, median, time};
use crate::results;

/// How the method followed a deformation, with the median time: `"1.20 ms refit"`; `None` where
/// nothing deforms.
pub(crate) fn update_words(row: &Measurement) -> Option<String> {
    Some(format!("{} {}", time(row.all.update_ns?), row.update.as_deref()?))
}

/// Time of update plus query of each step, ascending; `None` where nothing deforms.
fn with_updates(row: &Measurement) -> Option<Vec<f64>> {
    let both = row.updates_ns.as_ref()?.iter().zip(&row.times_ns);
    let mut sums: Vec<f64> = both.map(|(update, query)| update + query).collect();
    sums.sort_unstable_by(f64::total_cmp);
    Some(sums)
}

/// Median over all steps of update plus query time; `None` where nothing deforms.
pub(crate) fn with_update_ns(row: &Measurement) -> Option<f64> {
    median(with_updates(row)?)
}

/// Median and 99th percentile over steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cost {
    pub(crate) median: f64,
    pub(crate) p99: f64,
}

/// What a step costs in nanoseconds: the query and, where meshes deform, the update before it.
pub(crate) fn cost(row: &Measurement) -> Cost {
    let sums = with_updates(row).unwrap_or_default();
    // As `measure` computes the percentile of queries.
    let p99 = sums.get((0.99 * sums.len().saturating_sub(1) as f64).round() as usize).copied();
    Cost { median: median(sums).unwrap_or(row.all.median_ns), p99: p99.unwrap_or(row.all.p99_ns) }
}

/// The time of a query relative to `base`'s: the geometric mean over the labels of the ratios of their
/// medians, so that every distance counts the same. A median over all steps is that of some label in the
/// middle, which need not be the same for both. `None` unless both measured every label.
pub(crate) fn query_ratio(row: &Measurement, base: &Measurement) -> Option<f64> {
    let mut logs = Vec::new();
    for group in &row.groups {
        let other = base.groups.iter().find(|other| other.label == group.label)?;
        let whole = [group, other].iter().all(|g| g.steps == g.of && g.median_ns > 0.0);
        logs.push(whole.then(|| (group.median_ns / other.median_ns).ln())?);
    }
    let same = !logs.is_empty() && row.groups.len() == base.groups.len();
    same.then(|| (logs.iter().sum::<f64>() / logs.len() as f64).exp())
}

/// The wrong answers in a few words; empty if there are none.
pub(crate) fn wrong_words(group: &Group) -> String {
    let parts = [
        (group.false_hits as u64, "false hits"),
        (group.false_misses as u64, "false misses"),
        (group.extra_pairs, "extra pairs"),
        (group.missing_pairs, "missing pairs"),
        (group.errors as u64, "errors"),
    ];
    let wrong = parts.iter().filter(|(n, _)| *n > 0);
    wrong.map(|(n, what)| format!("{} {what}", grouped(*n))).collect::<Vec<_>>().join(", ")
}

/// A complete file.
#[derive(Clone, Debug)]
pub(crate) struct Results {
    pub(crate) run: Run,
    pub(crate) scenes: Vec<Scene>,
    pub(crate) measurements: Vec<Measurement>,
    pub(crate) samplings: Vec<Sampling>,
    pub(crate) streams: Option<Streams>,
    pub(crate) end: End,
}

impl Results {
    /// Parses a file.
    ///
    /// # Errors
    /// Names the first invalid line; also if the file was cut off, has another schema version, or
    /// contains no measurement.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let (mut run, mut streams, mut end) = (None, None, None);
        let (mut scenes, mut measurements) = (Vec::new(), Vec::new());
        let mut samplings = Vec::new();
        for record in results::records(text)? {
            match record {
                Record::Run(found) => run = Some(found),
                Record::Scene(scene) => scenes.push(scene),
                Record::Measurement(measurement) => measurements.push(*measurement),
                Record::Sampling(sampling) => samplings.push(sampling),
                Record::Streams(found) => streams = Some(found),
                Record::End(found) => end = Some(found),
            }
        }
        let (run, end): (Run, End) = results::whole(run, end)?;
        results::same_version(run.schema, SCHEMA)?;
        if end.measurements != measurements.len() {
            let (found, told) = (measurements.len(), end.measurements);
            return Err(format!("{found} measurements of {told}: the file was cut off"));
        }
        if end.samplings != samplings.len() {
            let (found, told) = (samplings.len(), end.samplings);
            return Err(format!("{found} sampled forms of {told}: the file was cut off"));
        }
        if measurements.is_empty() && samplings.is_empty() && streams.is_none() {
            return Err("nothing was measured".to_owned());
        }
        Ok(Self { run, scenes, measurements, samplings, streams, end })
    }

    /// Methods with a sampled form, each with its samplings by ascending resolution,
    /// those without one last, in their order.
    pub(crate) fn sampled(&self) -> Vec<(&str, Vec<&Sampling>)> {
        let of = |word: &str| {
            let mut list: Vec<_> = self.samplings.iter().filter(|s| s.method == word).collect();
            list.sort_by_key(|sampling| sampling.resolution.unwrap_or(u32::MAX));
            list
        };
        let methods = self.run.methods.iter().map(|method| method.word.as_str());
        methods.map(|word| (word, of(word))).filter(|(_, list)| !list.is_empty()).collect()
    }

    /// The measurements of one scene and question, in the order of methods.
    pub(crate) fn of<'r>(
        &'r self,
        scene: &'r str,
        question: &'r str,
    ) -> impl Iterator<Item = &'r Measurement> + 'r {
        self.measurements.iter().filter(move |m| m.scene == scene && m.question == question)
    }

    /// The kind of a method: `"exact"`, `"faithful"` or `"outside"`.
    pub(crate) fn kind(&self, word: &str) -> &str {
        let method = self.run.methods.iter().find(|method| method.word == word);
        method.map_or("", |method| method.kind.as_str())
    }
}

/// The part of a method in every chart and table.
pub(crate) fn role(word: &str) -> Role {
    match word {
        DEFAULT => Role::Lead,
        BASELINE => Role::Base,
        _ => Role::Other,
    }
}

/// The questions in the order of tables: name in records, and title.
pub(crate) const QUESTIONS: [(&str, &str); 3] = [
    ("first-contact", "First contact"),
    ("all-contacts", "All contacts"),
    ("distance", "Distance"),
];

/// The groups of scenes in the order of tables: name in records, and title.
pub(crate) const GROUPS: [(&str, &str); 4] = [
    ("placed", "Exact distances and depths"),
    ("moving", "Motions"),
    (DEFORMING, "Deforming meshes"),
    ("files", "Your own files"),
];

/// The group of scenes whose tables show updates.
pub(crate) const DEFORMING: &str = "deforming";

/// The method that a user gets who names none.
pub(crate) const DEFAULT: &str = "wide";

/// The method that the others are compared with.
pub(crate) const BASELINE: &str = "obbtree";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn update_and_query_are_added_step_by_step() {
        let sample = Results::parse(include_str!("report/sample.jsonl")).expect("a whole file");
        let mut measured = sample.measurements[0].clone();
        assert_eq!((update_words(&measured), with_update_ns(&measured)), (None, None));
        measured.times_ns = vec![1.0, 10.0, 3.0, 4.0];
        measured.updates_ns = Some(vec![100.0, 0.0, 20.0, 30.0]);
        assert_eq!(with_update_ns(&measured), Some(28.5));
        assert_eq!(cost(&measured), Cost { median: 28.5, p99: 101.0 });
        measured.updates_ns = Some(Vec::new());
        assert_eq!(with_update_ns(&measured), None);
        assert_eq!(cost(&measured).p99, measured.all.p99_ns);
    }

    #[test]
    fn a_file_that_is_cut_off_or_foreign_is_refused() {
        assert!(Results::parse("").expect_err("empty").contains("no line"));
        assert!(Results::parse("{}").expect_err("no record").starts_with("line 1"));
        let end = r#"{"record":"end","seconds":1.0,"measurements":0,"samplings":0,"wrong_answers_of_exact_methods":0}"#;
        assert!(Results::parse(end).is_err());
        let surplus = end.replace("\"seconds\"", "\"years\":1,\"seconds\"");
        assert!(Results::parse(&surplus).expect_err("surplus").contains("unknown field"));
    }
}
