//! The records of `claims`: `run`, then one `claim` each, then `end`.

use serde::{Deserialize, Serialize};

use crate::host::Host;

/// Version of these structures; it changes whenever a field does.
pub const SCHEMA: u32 = 5;

/// One line of the file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "record", rename_all = "kebab-case")]
pub enum Record {
    /// First line: machine, build and settings of the run.
    Run(Run),
    /// One claim and its verdicts.
    Claim(Box<Claim>),
    /// Last line; its absence shows that the file was cut off.
    End(End),
}

/// Machine, build and settings of the run.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// Version of the records, [`SCHEMA`].
    pub schema: u32,
    /// The machine and the build.
    pub host: Host,
    /// The graphics adapter that drew; absent if none was asked for.
    pub adapter: Option<String>,
    /// Whether scenes were smaller and repetitions fewer.
    pub quick: bool,
    /// Seed of all scenes.
    pub seed: u64,
}

/// One claim, its statements and their verdicts.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// Its id, as in `docs/claims.md`.
    pub id: String,
    /// The claim in one sentence.
    pub claim: String,
    /// Paper and section, abbreviated.
    pub source: String,
    /// The paper's authors, title and year.
    pub paper: String,
    /// The figures that the paper prints, as text.
    pub paper_figures: String,
    /// The figures measured here.
    pub ours: Vec<Figure>,
    /// What the claim states, each with its own verdict; at least one.
    pub statements: Vec<Statement>,
    /// The scene of the measurement.
    pub scene: Scene,
    /// Curves for the report; often none.
    pub plots: Vec<Plot>,
    /// Seed of the scene.
    pub seed: u64,
    /// Time of the experiment in seconds.
    pub seconds: f64,
}

/// The last line.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct End {
    /// Seconds the whole run took.
    pub seconds: f64,
    /// `claim` lines above.
    pub claims: usize,
}

/// One statement of a claim, or one reading of it, and its verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Statement {
    /// The statement; empty if it is the whole claim.
    pub text: String,
    /// The outcome.
    pub verdict: Verdict,
    /// The figures and the condition that decided the verdict.
    pub reason: String,
}

impl Statement {
    /// A statement and its verdict.
    pub fn new(text: impl Into<String>, verdict: Verdict, reason: impl Into<String>) -> Self {
        Self { text: text.into(), verdict, reason: reason.into() }
    }
}

/// The outcome of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// The experiment confirms the claim.
    #[serde(rename = "holds")]
    Holds,
    /// The experiment contradicts the claim.
    #[serde(rename = "does not hold")]
    Fails,
    /// The experiment was run, and its spread is larger than the difference that decides.
    #[serde(rename = "cannot be told")]
    Untold,
    /// The experiment could not be run, or its scene has nothing that the statement is about;
    /// `reason` tells why.
    #[serde(rename = "cannot be run here")]
    Unrunnable,
}

impl Verdict {
    /// All verdicts, in the order of overviews.
    pub const ALL: [Self; 4] = [Self::Holds, Self::Fails, Self::Untold, Self::Unrunnable];

    /// The verdict of an experiment that decided the statement.
    pub const fn of(holds: bool) -> Self {
        if holds { Self::Holds } else { Self::Fails }
    }

    /// The text used in records.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Fails => "does not hold",
            Self::Untold => "cannot be told",
            Self::Unrunnable => "cannot be run here",
        }
    }
}

/// A measured figure, with the paper's beside it if the paper prints one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figure {
    /// The quantity.
    pub name: String,
    /// The measured value; absent if it is not finite.
    pub value: Option<f64>,
    /// `"ms"`, `"axes"`, `"×"` and so on; empty for a plain number.
    pub unit: String,
    /// The value in the paper, if it prints one.
    pub paper: Option<f64>,
    /// The least and the greatest value over several seeds, if the experiment was repeated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<[f64; 2]>,
}

impl Figure {
    /// A figure that the paper does not print.
    pub fn new(name: impl Into<String>, value: f64, unit: &str) -> Self {
        let value = value.is_finite().then_some(value);
        Self { name: name.into(), value, unit: unit.to_owned(), paper: None, range: None }
    }

    /// The same figure with the paper's value, if it prints one.
    #[must_use]
    pub fn paper(mut self, value: impl Into<Option<f64>>) -> Self {
        self.paper = value.into();
        self
    }

    /// The same figure with the range of these values, if there are several.
    #[must_use]
    pub fn over(mut self, values: &[f64]) -> Self {
        if values.len() > 1 {
            let least = values.iter().copied().fold(f64::INFINITY, f64::min);
            let greatest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            self.range = Some([least, greatest]);
        }
        self
    }
}

/// A number that describes the scene: triangles, poses, tests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Count {
    /// The things counted, plural.
    pub name: String,
    /// How many.
    pub value: u64,
}

/// How the scene was made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// A few sentences; they state what was chosen where the paper is silent.
    pub about: String,
    /// Its sizes: triangles, poses, tests.
    pub counts: Vec<Count>,
}

impl Scene {
    /// A scene without counts.
    pub fn new(about: impl Into<String>) -> Self {
        Self { about: about.into(), counts: Vec::new() }
    }

    /// The scene with one more count.
    #[must_use]
    pub fn count(mut self, name: impl Into<String>, value: usize) -> Self {
        self.counts.push(Count { name: name.into(), value: value as u64 });
        self
    }
}

/// One curve of a plot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Curve {
    /// The quantity, for the legend.
    pub name: String,
    /// Figures printed beside the curve; may be empty.
    pub note: String,
    /// Its values, one for each abscissa.
    pub values: Vec<f64>,
}

/// How a plot is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Layout {
    /// All curves in one diagram with logarithmic axes.
    Lines,
    /// One diagram per curve, over its steps.
    Panels,
}

/// Curves for the report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plot {
    /// Title, with the unit of the values.
    pub title: String,
    /// How the curves are arranged.
    pub layout: Layout,
    /// The abscissae; empty for steps counted from 0.
    pub across: Vec<f64>,
    /// The curves, in the order of the legend.
    pub curves: Vec<Curve>,
}

impl Plot {
    /// A plot with logarithmic axes, without curves.
    pub fn lines(title: impl Into<String>, across: Vec<f64>) -> Self {
        Self { title: title.into(), layout: Layout::Lines, across, curves: Vec::new() }
    }

    /// A plot with one diagram per curve, without curves.
    pub fn panels(title: impl Into<String>) -> Self {
        let (title, across) = (title.into(), Vec::new());
        Self { title, layout: Layout::Panels, across, curves: Vec::new() }
    }

    /// The plot with one more curve.
    #[must_use]
    pub fn curve(self, name: &str, values: impl Iterator<Item = f64>) -> Self {
        self.noted(name, String::new(), values)
    }

    /// The plot with one more curve and figures beside it. Values keep four significant digits.
    #[must_use]
    pub fn noted(mut self, name: &str, note: String, values: impl Iterator<Item = f64>) -> Self {
        let values = values.map(rounded).collect();
        self.curves.push(Curve { name: name.to_owned(), note, values });
        self
    }
}

/// `value` rounded to four significant digits.
fn rounded(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap_or(value)
}
