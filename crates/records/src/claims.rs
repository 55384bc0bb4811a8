//! The lines of `claims`: `run`, then one `claim` each, then `end`.

use serde::{Deserialize, Serialize};

use crate::host::Host;

/// Version of these structures; it changes whenever a field does.
pub const SCHEMA: u32 = 3;

/// One line.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "record", rename_all = "kebab-case")]
pub enum Record {
    /// First line: where and how.
    Run(Run),
    /// One claim and its verdict.
    Claim(Box<Claim>),
    /// Last line.
    End(End),
}

/// Where and how the run was made.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The machine and the build.
    pub host: Host,
    /// Smaller scenes, fewer repetitions.
    pub quick: bool,
    /// Seed of all scenes.
    pub seed: u64,
}

/// One claim and its verdict.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// Its id.
    pub id: String,
    /// The claim in one sentence.
    pub claim: String,
    /// Paper and section, in short.
    pub source: String,
    /// The paper's authors, title and year.
    pub paper: String,
    /// What the paper prints, as text.
    pub paper_figures: String,
    /// What we measured.
    pub ours: Vec<Figure>,
    /// `"holds"`, `"does not hold"` or `"cannot be run here"`.
    pub verdict: Verdict,
    /// What decided it.
    pub reason: String,
    /// What was measured.
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

/// What became of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// The experiment shows what the paper says.
    #[serde(rename = "holds")]
    Holds,
    /// It shows something else.
    #[serde(rename = "does not hold")]
    Fails,
    /// It could not be run; the reason says why.
    #[serde(rename = "cannot be run here")]
    Unrunnable,
}

impl Verdict {
    /// In words, as records have it.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Fails => "does not hold",
            Self::Unrunnable => "cannot be run here",
        }
    }
}

/// One of our figures, with the paper's beside it where the paper prints one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figure {
    /// What it is.
    pub name: String,
    /// Ours; absent if it is no finite number.
    pub value: Option<f64>,
    /// `"ms"`, `"axes"`, `"×"` and so on; empty for a plain number.
    pub unit: String,
    /// The paper's.
    pub paper: Option<f64>,
}

impl Figure {
    /// A figure that the paper does not print.
    pub fn new(name: impl Into<String>, value: f64, unit: &str) -> Self {
        let value = value.is_finite().then_some(value);
        Self { name: name.into(), value, unit: unit.to_owned(), paper: None }
    }

    /// With the paper's figure beside it.
    #[must_use]
    pub fn paper(mut self, value: f64) -> Self {
        self.paper = Some(value);
        self
    }
}

/// A number that describes the scene: triangles, poses, tests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Count {
    /// What is counted.
    pub name: String,
    /// How many.
    pub value: u64,
}

/// How the scene was made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// In a few sentences, with what was chosen where the paper is silent.
    pub about: String,
    /// Its sizes.
    pub counts: Vec<Count>,
}

impl Scene {
    /// A scene without counts yet.
    pub fn new(about: impl Into<String>) -> Self {
        Self { about: about.into(), counts: Vec::new() }
    }

    /// With one count more.
    #[must_use]
    pub fn count(mut self, name: impl Into<String>, value: usize) -> Self {
        self.counts.push(Count { name: name.into(), value: value as u64 });
        self
    }
}

/// One line of a plot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Curve {
    /// What it shows.
    pub name: String,
    /// Figures beside it; may be empty.
    pub note: String,
    /// Its values, one for each place across.
    pub values: Vec<f64>,
}

/// How a plot is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Layout {
    /// All curves in one field with logarithmic axes.
    Lines,
    /// A field for each curve, over its steps.
    Panels,
}

/// Curves for the report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plot {
    /// What is shown, with its unit.
    pub title: String,
    /// How.
    pub layout: Layout,
    /// The places across; empty for steps counted from 0.
    pub across: Vec<f64>,
    /// The curves.
    pub curves: Vec<Curve>,
}

impl Plot {
    /// A field with logarithmic axes, without curves yet.
    pub fn lines(title: impl Into<String>, across: Vec<f64>) -> Self {
        Self { title: title.into(), layout: Layout::Lines, across, curves: Vec::new() }
    }

    /// A field for each curve.
    pub fn panels(title: impl Into<String>) -> Self {
        let (title, across) = (title.into(), Vec::new());
        Self { title, layout: Layout::Panels, across, curves: Vec::new() }
    }

    /// With one curve more.
    #[must_use]
    pub fn curve(self, name: &str, values: impl Iterator<Item = f64>) -> Self {
        self.noted(name, String::new(), values)
    }

    /// With one curve more and figures beside it. Values keep four significant digits.
    #[must_use]
    pub fn noted(mut self, name: &str, note: String, values: impl Iterator<Item = f64>) -> Self {
        let values = values.map(rounded).collect();
        self.curves.push(Curve { name: name.to_owned(), note, values });
        self
    }
}

/// Four significant digits.
fn rounded(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap_or(value)
}
