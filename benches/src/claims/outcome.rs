//! What an experiment is told, and what it answers.

use serde::Serialize;

/// How much of an experiment to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// As little as shows that it works: for tests.
    #[cfg_attr(not(test), expect(dead_code, reason = "tests run every claim at this extent"))]
    Tiny,
    /// Seconds.
    Quick,
    /// The paper's sizes where they are given.
    Full,
}

/// How much to run, and the seed of everything random.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Effort {
    /// How much.
    pub(crate) extent: Extent,
    /// Seed of all scenes of the claim.
    pub(crate) seed: u64,
}

impl Effort {
    /// The value for this extent.
    pub(crate) fn pick<T>(&self, tiny: T, quick: T, full: T) -> T {
        match self.extent {
            Extent::Tiny => tiny,
            Extent::Quick => quick,
            Extent::Full => full,
        }
    }
}

/// What became of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) enum Verdict {
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

/// One of our figures, with the paper's beside it where the paper prints one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Figure {
    /// What it is.
    pub(crate) name: String,
    /// Ours; absent if it is no finite number.
    pub(crate) value: Option<f64>,
    /// `"ms"`, `"axes"`, `"×"` and so on; empty for a plain number.
    pub(crate) unit: &'static str,
    /// The paper's.
    pub(crate) paper: Option<f64>,
}

impl Figure {
    /// A figure that the paper does not print.
    pub(crate) fn new(name: impl Into<String>, value: f64, unit: &'static str) -> Self {
        let value = value.is_finite().then_some(value);
        Self { name: name.into(), value, unit, paper: None }
    }

    /// With the paper's figure beside it.
    pub(crate) fn paper(mut self, value: f64) -> Self {
        self.paper = Some(value);
        self
    }
}

/// A number that describes the scene: triangles, poses, tests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Count {
    /// What is counted.
    pub(crate) name: String,
    /// How many.
    pub(crate) value: u64,
}

/// How the scene was made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Scene {
    /// In a few sentences, with what was chosen where the paper is silent.
    pub(crate) about: String,
    /// Its sizes.
    pub(crate) counts: Vec<Count>,
}

impl Scene {
    /// A scene without counts yet.
    pub(crate) fn new(about: impl Into<String>) -> Self {
        Self { about: about.into(), counts: Vec::new() }
    }

    /// With one count more.
    pub(crate) fn count(mut self, name: impl Into<String>, value: usize) -> Self {
        self.counts.push(Count { name: name.into(), value: value as u64 });
        self
    }
}

/// One line of a plot.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Curve {
    /// What it shows.
    pub(crate) name: String,
    /// Figures beside it; may be empty.
    pub(crate) note: String,
    /// Its values, one for each place across.
    pub(crate) values: Vec<f64>,
}

/// How a plot is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Layout {
    /// All curves in one field with logarithmic axes.
    Lines,
    /// A field for each curve, over its steps.
    Panels,
}

/// Curves for the report.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Plot {
    /// What is shown, with its unit.
    pub(crate) title: String,
    /// How.
    pub(crate) layout: Layout,
    /// The places across; empty for steps counted from 0.
    pub(crate) across: Vec<f64>,
    /// The curves.
    pub(crate) curves: Vec<Curve>,
}

impl Plot {
    /// A field with logarithmic axes, without curves yet.
    pub(crate) fn lines(title: impl Into<String>, across: Vec<f64>) -> Self {
        Self { title: title.into(), layout: Layout::Lines, across, curves: Vec::new() }
    }

    /// A field for each curve.
    pub(crate) fn panels(title: impl Into<String>) -> Self {
        let (title, across) = (title.into(), Vec::new());
        Self { title, layout: Layout::Panels, across, curves: Vec::new() }
    }

    /// With one curve more.
    pub(crate) fn curve(self, name: &str, values: impl Iterator<Item = f64>) -> Self {
        self.noted(name, String::new(), values)
    }

    /// With one curve more and figures beside it. Values keep four significant digits.
    pub(crate) fn noted(
        mut self,
        name: &str,
        note: String,
        values: impl Iterator<Item = f64>,
    ) -> Self {
        let values = values.map(rounded).collect();
        self.curves.push(Curve { name: name.to_owned(), note, values });
        self
    }
}

/// Four significant digits.
fn rounded(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap_or(value)
}

/// What an experiment answers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Outcome {
    /// The verdict.
    pub(crate) verdict: Verdict,
    /// One or more sentences: what decided it, and what else a reader must know.
    pub(crate) reason: String,
    /// Our figures.
    pub(crate) ours: Vec<Figure>,
    /// The scene.
    pub(crate) scene: Scene,
    /// Curves, if figures do not tell enough.
    pub(crate) plots: Vec<Plot>,
}

impl Outcome {
    /// An experiment that ran.
    pub(crate) fn ran(holds: bool, reason: String, ours: Vec<Figure>, scene: Scene) -> Self {
        let verdict = if holds { Verdict::Holds } else { Verdict::Fails };
        Self { verdict, reason, ours, scene, plots: Vec::new() }
    }

    /// One that could not run, and why.
    pub(crate) fn unrunnable(reason: impl Into<String>) -> Self {
        let reason = reason.into();
        Self {
            verdict: Verdict::Unrunnable,
            ..Self::ran(false, reason, Vec::new(), Scene::default())
        }
    }

    /// With curves.
    pub(crate) fn with(self, plots: Vec<Plot>) -> Self {
        Self { plots, ..self }
    }
}
