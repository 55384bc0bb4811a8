//! A file of [`impinge_records::bench`] and accessors.

pub(crate) use impinge_records::bench::{
    End, Group, Measurement, MethodInfo, Record, Run, SCHEMA, Sampling, Scene,
};

use crate::numbers::{median, time};
use crate::results;

/// How the method followed a deformation, with the median time: `"1.20 ms refit"`; `None` where
/// nothing deforms.
pub(crate) fn update_words(row: &Measurement) -> Option<String> {
    Some(format!("{} {}", time(row.all.update_ns?), row.update.as_deref()?))
}

/// Median over all steps of update plus query time; `None` where nothing deforms.
pub(crate) fn with_update_ns(row: &Measurement) -> Option<f64> {
    let both = row.updates_ns.as_ref()?.iter().zip(&row.times_ns);
    median(both.map(|(update, query)| update + query).collect())
}

/// A complete file.
#[derive(Clone, Debug)]
pub(crate) struct Results {
    pub(crate) run: Run,
    pub(crate) scenes: Vec<Scene>,
    pub(crate) measurements: Vec<Measurement>,
    pub(crate) samplings: Vec<Sampling>,
    pub(crate) end: End,
}

impl Results {
    /// Parses a file.
    ///
    /// # Errors
    /// Names the first invalid line; also if the file was cut off, has another schema version, or
    /// contains no measurement.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let (mut run, mut end) = (None, None);
        let (mut scenes, mut measurements) = (Vec::new(), Vec::new());
        let mut samplings = Vec::new();
        for record in results::records(text)? {
            match record {
                Record::Run(found) => run = Some(found),
                Record::Scene(scene) => scenes.push(scene),
                Record::Measurement(measurement) => measurements.push(*measurement),
                Record::Sampling(sampling) => samplings.push(sampling),
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
        if measurements.is_empty() && samplings.is_empty() {
            return Err("nothing was measured".to_owned());
        }
        Ok(Self { run, scenes, measurements, samplings, end })
    }

    /// Methods with a sampled form, each with its samplings by ascending resolution.
    pub(crate) fn sampled(&self) -> Vec<(&str, Vec<&Sampling>)> {
        let of = |word: &str| {
            let mut list: Vec<_> = self.samplings.iter().filter(|s| s.method == word).collect();
            list.sort_by_key(|sampling| sampling.resolution);
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
        measured.updates_ns = Some(Vec::new());
        assert_eq!(with_update_ns(&measured), None);
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
