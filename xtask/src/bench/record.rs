//! What `measure` writes, as this side reads it: one JSON object a line. Units and meanings are in
//! `benches/src/record.rs`; an unknown or missing field is an error, and so is another version, so
//! the two cannot drift apart unnoticed.

use serde::Deserialize;

use crate::numbers::time;

/// The version that is understood.
const SCHEMA: u32 = 4;

#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "record", rename_all = "kebab-case")]
enum Record {
    Run(Run),
    Scene(Scene),
    Measurement(Box<Measurement>),
    Sampling(Sampling),
    End(End),
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Run {
    pub(crate) schema: u32,
    pub(crate) started_unix_s: u64,
    pub(crate) cpu: String,
    pub(crate) cores: usize,
    pub(crate) extensions: Vec<String>,
    pub(crate) memory_bytes: u64,
    pub(crate) system: String,
    pub(crate) rustc: Option<String>,
    pub(crate) commit: Option<String>,
    pub(crate) profile: String,
    pub(crate) threads: usize,
    pub(crate) quick: bool,
    pub(crate) seed: u64,
    pub(crate) passes: usize,
    pub(crate) budget_s: f64,
    pub(crate) methods: Vec<Method>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Method {
    pub(crate) word: String,
    pub(crate) kind: String,
    pub(crate) title: String,
    pub(crate) paper: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_field_names, reason = "the field is the scene's word")]
pub(crate) struct Scene {
    pub(crate) scene: String,
    pub(crate) group: String,
    pub(crate) title: String,
    pub(crate) about: String,
    pub(crate) meshes: Vec<Mesh>,
    pub(crate) bodies: usize,
    pub(crate) triangles: usize,
    pub(crate) labels: Vec<Label>,
    pub(crate) judge: Judge,
    pub(crate) pictures: Vec<Picture>,
    pub(crate) notes: Vec<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Mesh {
    pub(crate) name: String,
    pub(crate) triangles: usize,
    pub(crate) vertices: usize,
    pub(crate) diagonal: f64,
    pub(crate) closed: bool,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Label {
    pub(crate) label: String,
    pub(crate) steps: usize,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Judge {
    pub(crate) name: String,
    pub(crate) queries: usize,
    pub(crate) hits: usize,
    pub(crate) pairs: u64,
    pub(crate) seconds: f64,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Picture {
    pub(crate) file: String,
    pub(crate) caption: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Measurement {
    pub(crate) scene: String,
    pub(crate) method: String,
    pub(crate) question: String,
    pub(crate) preparation: Preparation,
    pub(crate) all: Group,
    pub(crate) groups: Vec<Group>,
    pub(crate) times_ns: Vec<f64>,
    pub(crate) update: Option<String>,
    pub(crate) updates_ns: Option<Vec<f64>>,
    pub(crate) eta: Option<Vec<f64>>,
    pub(crate) distance_error: Option<f64>,
    pub(crate) error: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Preparation {
    pub(crate) seconds: f64,
    pub(crate) triangles: usize,
    pub(crate) ns_per_triangle: f64,
    pub(crate) bytes_per_triangle: f64,
    pub(crate) own_bytes_per_triangle: f64,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Group {
    pub(crate) label: String,
    pub(crate) steps: usize,
    pub(crate) of: usize,
    pub(crate) median_ns: f64,
    pub(crate) mean_ns: f64,
    pub(crate) p99_ns: f64,
    pub(crate) min_ns: f64,
    pub(crate) max_ns: f64,
    pub(crate) hits: usize,
    pub(crate) contacts: u64,
    pub(crate) update_ns: Option<f64>,
    pub(crate) volume_tests: Option<f64>,
    pub(crate) primitive_tests: Option<f64>,
    pub(crate) volumes_updated: Option<f64>,
    pub(crate) exact_tests: Option<f64>,
    pub(crate) ns_per_volume_test: Option<f64>,
    pub(crate) repeated_ns: Option<f64>,
    pub(crate) repeated_ns_per_volume_test: Option<f64>,
    pub(crate) judged: usize,
    pub(crate) false_hits: usize,
    pub(crate) false_misses: usize,
    pub(crate) extra_pairs: u64,
    pub(crate) missing_pairs: u64,
    pub(crate) errors: usize,
}

impl Measurement {
    /// How the method followed a deformation, with the median time of that: `"1.20 ms refit"`;
    /// `None` where nothing deforms.
    pub(crate) fn update_words(&self) -> Option<String> {
        Some(format!("{} {}", time(self.all.update_ns?), self.update.as_deref()?))
    }

    /// Median over all steps of update and query together; `None` where nothing deforms.
    pub(crate) fn with_update_ns(&self) -> Option<f64> {
        let both = self.updates_ns.as_ref()?.iter().zip(&self.times_ns);
        let mut sums: Vec<f64> = both.map(|(update, query)| update + query).collect();
        sums.sort_unstable_by(f64::total_cmp);
        let (low, high) = (sums.len().checked_sub(1)? / 2, sums.len() / 2);
        Some(f64::midpoint(sums[low], sums[high]))
    }
}

impl Group {
    /// Everything the judge objects to.
    pub(crate) fn wrong(&self) -> u64 {
        let verdicts = self.false_hits + self.false_misses + self.errors;
        verdicts as u64 + self.extra_pairs + self.missing_pairs
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sampling {
    pub(crate) method: String,
    pub(crate) resolution: u32,
    pub(crate) poses: usize,
    pub(crate) hits: usize,
    pub(crate) false_hits: usize,
    pub(crate) false_misses: usize,
    pub(crate) errors: usize,
    pub(crate) median_ns: f64,
    pub(crate) error: Option<String>,
}

impl Sampling {
    /// Wrong verdicts and errors.
    pub(crate) fn wrong(&self) -> usize {
        self.false_hits + self.false_misses + self.errors
    }

    /// Their share of the answers. Unit: per cent.
    pub(crate) fn wrong_percent(&self) -> f64 {
        100.0 * self.wrong() as f64 / self.poses.max(1) as f64
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct End {
    pub(crate) seconds: f64,
    pub(crate) measurements: usize,
    pub(crate) samplings: usize,
    pub(crate) wrong_answers_of_exact_methods: u64,
}

/// A whole file.
#[derive(Clone, Debug)]
pub(crate) struct Results {
    pub(crate) run: Run,
    pub(crate) scenes: Vec<Scene>,
    pub(crate) measurements: Vec<Measurement>,
    pub(crate) samplings: Vec<Sampling>,
    pub(crate) end: End,
}

impl Results {
    /// Reads a file's text.
    ///
    /// # Errors
    /// Names the first line that is not understood; says so if the file was cut off, is of
    /// another version, or measured nothing.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let (mut run, mut end) = (None, None);
        let (mut scenes, mut measurements) = (Vec::new(), Vec::new());
        let mut samplings = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let at = |error: serde_json::Error| format!("line {}: {error}", number + 1);
            match serde_json::from_str(line).map_err(at)? {
                Record::Run(found) => run = Some(found),
                Record::Scene(scene) => scenes.push(scene),
                Record::Measurement(measurement) => measurements.push(*measurement),
                Record::Sampling(sampling) => samplings.push(sampling),
                Record::End(found) => end = Some(found),
            }
        }
        let run = run.ok_or("there is no line that tells about the run")?;
        if run.schema != SCHEMA {
            return Err(format!("version {}, but {SCHEMA} is understood", run.schema));
        }
        let end = end.ok_or("the file was cut off: its last line is missing")?;
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

    /// Methods with a sampled form, each with what was measured of it, by resolution.
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

/// The questions, in the order of tables, with what to call them.
pub(crate) const QUESTIONS: [(&str, &str); 3] = [
    ("first-contact", "First contact"),
    ("all-contacts", "All contacts"),
    ("distance", "Distance"),
];

/// The groups of scenes, in the order of tables, with what to call them.
pub(crate) const GROUPS: [(&str, &str); 4] = [
    ("placed", "Exact distances and depths"),
    ("moving", "Motions"),
    (DEFORMING, "Deforming meshes"),
    ("files", "Your own files"),
];

/// The group of scenes whose tables show updates.
pub(crate) const DEFORMING: &str = "deforming";

/// The method that others are compared with.
pub(crate) const BASELINE: &str = "obbtree";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn update_and_query_are_added_step_by_step() {
        let sample = Results::parse(include_str!("report/sample.jsonl")).expect("a whole file");
        let mut measured = sample.measurements[0].clone();
        assert_eq!((measured.update_words(), measured.with_update_ns()), (None, None));
        measured.times_ns = vec![1.0, 10.0, 3.0, 4.0];
        measured.updates_ns = Some(vec![100.0, 0.0, 20.0, 30.0]);
        assert_eq!(measured.with_update_ns(), Some(28.5));
        measured.updates_ns = Some(Vec::new());
        assert_eq!(measured.with_update_ns(), None);
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
