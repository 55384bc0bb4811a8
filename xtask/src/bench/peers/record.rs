//! What `peers` writes, as this side reads it: one JSON object a line. Units and meanings are in
//! `benches/peers/src/record.rs`; an unknown or missing field is an error, and so is another version.

use serde::Deserialize;

/// The version that is understood.
const SCHEMA: u32 = 1;

/// The word of whom everyone is compared with.
pub(super) const REFERENCE: &str = "wide";

/// Questions by their words in records, with how tables say them.
pub(super) const QUESTIONS: [(&str, &str); 3] =
    [("first", "first contact"), ("all", "all contacts"), ("distance", "distance")];

#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "record", rename_all = "kebab-case")]
enum Record {
    Run(Run),
    Scene(Scene),
    Preparation(Preparation),
    Measurement(Measurement),
    End(End),
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Run {
    peers_schema: u32,
    pub(super) started_unix_s: u64,
    pub(super) cpu: String,
    pub(super) cores: usize,
    pub(super) extensions: Vec<String>,
    pub(super) system: String,
    pub(super) load: Option<f64>,
    pub(super) threads: Option<String>,
    pub(super) rustc: Option<String>,
    pub(super) commit: Option<String>,
    pub(super) profile: String,
    pub(super) quick: bool,
    pub(super) seed: u64,
    pub(super) repeats: usize,
    pub(super) budget_s: f64,
    pub(super) peers: Vec<Peer>,
    pub(super) absent: Vec<Absent>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Peer {
    pub(super) word: String,
    pub(super) title: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Absent {
    pub(super) word: String,
    pub(super) why: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_field_names, reason = "the field is the scene's word")]
pub(super) struct Scene {
    pub(super) scene: String,
    #[serde(rename = "about")]
    _about: String,
    pub(super) meshes: Vec<Mesh>,
    pub(super) poses: usize,
    pub(super) judge: String,
    pub(super) notes: Vec<String>,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Mesh {
    pub(super) name: String,
    pub(super) triangles: usize,
    pub(super) diagonal: f64,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Preparation {
    pub(super) scene: String,
    pub(super) peer: String,
    #[serde(rename = "triangles")]
    _triangles: usize,
    pub(super) build_ns: f64,
    pub(super) distance_build_ns: Option<f64>,
    pub(super) bytes_per_triangle: Option<f64>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Measurement {
    pub(super) scene: String,
    pub(super) question: String,
    pub(super) target: String,
    pub(super) peer: String,
    pub(super) of: usize,
    pub(super) times_ns: Vec<f64>,
    pub(super) wrong_poses: Vec<usize>,
    #[serde(rename = "hits")]
    _hits: usize,
    pub(super) pairs: u64,
    pub(super) false_hits: usize,
    pub(super) missed_hits: usize,
    pub(super) extra_pairs: u64,
    pub(super) missing_pairs: u64,
    pub(super) errors: usize,
    pub(super) distance_deviation: Option<f64>,
    pub(super) why: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct End {
    pub(super) seconds: f64,
    #[serde(rename = "measurements")]
    _measurements: usize,
    pub(super) wrong_answers_of_reference: u64,
}

/// A whole file.
#[derive(Clone, Debug)]
pub(crate) struct Results {
    pub(super) run: Run,
    pub(super) scenes: Vec<Scene>,
    pub(super) preparations: Vec<Preparation>,
    pub(super) measurements: Vec<Measurement>,
    pub(super) end: End,
}

impl Results {
    /// Understands a file.
    ///
    /// # Errors
    /// A sentence with the line that is no record, or what is missing.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let (mut run, mut end) = (None, None);
        let (mut scenes, mut preparations, mut measurements) = (Vec::new(), Vec::new(), Vec::new());
        for (n, line) in text.lines().enumerate() {
            let record = serde_json::from_str(line);
            match record.map_err(|error| format!("line {}: {error}", n + 1))? {
                Record::Run(it) => run = Some(it),
                Record::Scene(it) => scenes.push(it),
                Record::Preparation(it) => preparations.push(it),
                Record::Measurement(it) => measurements.push(it),
                Record::End(it) => end = Some(it),
            }
        }
        let run: Run = run.ok_or("there is no run")?;
        if run.peers_schema != SCHEMA {
            return Err(format!("records of version {}, not {SCHEMA}", run.peers_schema));
        }
        let end = end.ok_or("it has no end: the run was cut off")?;
        Ok(Self { run, scenes, preparations, measurements, end })
    }

    /// What `peer` did at `target` of `question` in `scene`.
    pub(super) fn of(
        &self,
        scene: &str,
        question: &str,
        target: &str,
        peer: &str,
    ) -> Option<&Measurement> {
        self.measurements.iter().find(|row| {
            row.scene == scene
                && row.question == question
                && row.target == target
                && row.peer == peer
        })
    }

    /// Targets of a question in a scene, in their order.
    pub(super) fn targets(&self, scene: &str, question: &str) -> Vec<&str> {
        let rows = self.measurements.iter();
        let asked = rows
            .filter(|row| row.scene == scene && row.question == question && row.peer == REFERENCE);
        asked.map(|row| row.target.as_str()).collect()
    }

    /// How many times as long as the reference `row` took, over poses that both reached and where the
    /// verdict of `row` is right; `None` if there is no such pose.
    pub(super) fn ratio(&self, row: &Measurement) -> Option<f64> {
        let base = self.of(&row.scene, &row.question, &row.target, REFERENCE)?;
        let both = base.times_ns.iter().zip(&row.times_ns).enumerate();
        let right = both.filter(|(k, _)| !row.wrong_poses.contains(k));
        let (ours, theirs): (Vec<f64>, Vec<f64>) = right.map(|(_, (a, b))| (*a, *b)).unzip();
        Some(median(theirs)? / median(ours)?)
    }
}

impl Measurement {
    /// The median over poses reached.
    pub(super) fn median_ns(&self) -> Option<f64> {
        median(self.times_ns.clone())
    }

    /// Queries judged.
    pub(super) fn judged(&self) -> usize {
        self.times_ns.len() + self.errors
    }

    /// Has a judge nothing to object to?
    pub(super) fn is_right(&self) -> bool {
        let verdicts = self.false_hits + self.missed_hits + self.errors;
        verdicts == 0 && self.extra_pairs == 0 && self.missing_pairs == 0
    }
}

/// The mean of the two middle ones of an even number; `None` of none.
fn median(mut list: Vec<f64>) -> Option<f64> {
    list.sort_by(f64::total_cmp);
    let (low, high) = (list.len().checked_sub(1)? / 2, list.len() / 2);
    Some(f64::midpoint(list[low], list[high]))
}
