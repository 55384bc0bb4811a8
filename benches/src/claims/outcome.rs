//! Input and result of an experiment.

use impinge::Method;
use impinge::image::Drawing;
use impinge_benches::harness::{Timing, Workload};
#[cfg(test)]
use impinge_benches::progress::Listener;
pub(crate) use impinge_records::claims::{Figure, Plot, Scene, Statement, Verdict};

/// How much of an experiment to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Just enough to show that it works, for tests.
    #[cfg_attr(not(test), expect(dead_code, reason = "tests run every claim at this extent"))]
    Tiny,
    /// A few seconds.
    Quick,
    /// The paper's sizes, where the paper gives them.
    Full,
}

/// The extent of an experiment, and its seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Effort {
    /// How much to run.
    pub(crate) extent: Extent,
    /// Seed of all scenes of the claim.
    pub(crate) seed: u64,
    /// What draws the pictures that are timed.
    pub(crate) drawing: Drawing,
}

impl Effort {
    /// The smallest extent, for tests.
    #[cfg(test)]
    pub(crate) const TINY: Self =
        Self { extent: Extent::Tiny, seed: 1, drawing: Drawing::Software };

    /// The value for this extent.
    pub(crate) fn pick<T>(&self, tiny: T, quick: T, full: T) -> T {
        match self.extent {
            Extent::Tiny => tiny,
            Extent::Quick => quick,
            Extent::Full => full,
        }
    }
}

/// The result of an experiment.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Outcome {
    /// What was decided, and by what; at least one.
    pub(crate) statements: Vec<Statement>,
    /// The measured figures.
    pub(crate) ours: Vec<Figure>,
    /// The scene that was measured.
    pub(crate) scene: Scene,
    /// Curves, if figures alone are not enough.
    pub(crate) plots: Vec<Plot>,
}

impl Outcome {
    /// The outcome of an experiment that decided the whole claim. `reason` has one or more
    /// sentences: what decided, and what else a reader must know.
    pub(crate) fn ran(holds: bool, reason: String, ours: Vec<Figure>, scene: Scene) -> Self {
        Self::whole(Verdict::of(holds), reason, ours, scene)
    }

    /// The outcome of an experiment with one verdict on the whole claim.
    pub(crate) fn whole(
        verdict: Verdict,
        reason: impl Into<String>,
        ours: Vec<Figure>,
        scene: Scene,
    ) -> Self {
        Self::several(vec![Statement::new("", verdict, reason)], ours, scene)
    }

    /// The outcome of an experiment on the statements of a claim, or on readings of it.
    pub(crate) fn several(statements: Vec<Statement>, ours: Vec<Figure>, scene: Scene) -> Self {
        Self { statements, ours, scene, plots: Vec::new() }
    }

    /// The outcome of an experiment that could not run, with the reason.
    pub(crate) fn unrunnable(reason: impl Into<String>) -> Self {
        Self::whole(Verdict::Unrunnable, reason, Vec::new(), Scene::default())
    }

    /// An outcome that names the methods that this build lacks; `None` if it has all.
    pub(crate) fn missing(names: &[&str]) -> Option<Self> {
        let absent = names.iter().find(|name| !is_built(name))?;
        Some(Self::unrunnable(format!("method {absent} is not in this build")))
    }

    /// The verdicts, in the order of the statements.
    #[cfg(test)]
    pub(crate) fn verdicts(&self) -> Vec<Verdict> {
        self.statements.iter().map(|statement| statement.verdict).collect()
    }

    /// The verdict on the whole claim.
    #[cfg(test)]
    pub(crate) fn verdict(&self) -> Verdict {
        let [verdict] = self.verdicts()[..] else { panic!("there are several statements") };
        verdict
    }

    /// The same outcome with `plots`.
    pub(crate) fn with(self, plots: Vec<Plot>) -> Self {
        Self { plots, ..self }
    }
}

/// Whether this build has a method of this name.
pub(crate) fn is_built(name: &str) -> bool {
    name.parse::<Method>().is_ok()
}

/// `scene` with the sizes of one of its parts. `timing` is that of any method.
pub(crate) fn sized(scene: Scene, part: &str, asked: &Workload, timing: &Timing) -> Scene {
    let name = |what: &str| format!("{part}: {what}");
    scene
        .count(name("triangles"), asked.triangles)
        .count(name("steps"), asked.steps.len())
        .count(name("queries"), timing.hit.len())
        .count(name("queries with a hit"), timing.hits())
}

/// Whether all ratios are above 1 by more than `noise`, or all below it; else it cannot be told. Without
/// any, the scene has nothing to decide it by.
pub(crate) fn above_one(ratios: &[f64], noise: f64) -> Verdict {
    if ratios.is_empty() {
        Verdict::Unrunnable
    } else if ratios.iter().all(|ratio| *ratio > 1.0 / (1.0 - noise)) {
        Verdict::Holds
    } else if ratios.iter().all(|ratio| *ratio < 1.0 - noise) {
        Verdict::Fails
    } else {
        Verdict::Untold
    }
}

/// Whether a form saves a tenth of the work of another everywhere, which these ratios of its work to the
/// other's tell, and finds the same contacts; and the words about these. It fails if it saves that
/// nowhere.
pub(crate) fn saves(ratios: &[f64], same: bool) -> (Verdict, &'static str) {
    /// A smaller saving, as a fraction of the work, is none.
    const LEAST: f64 = 0.10;
    let saved = |ratio: &f64| *ratio <= 1.0 - LEAST;
    let verdict = if !same || !ratios.iter().any(saved) {
        Verdict::Fails
    } else if ratios.iter().all(saved) {
        Verdict::Holds
    } else {
        Verdict::Untold
    };
    (verdict, if same { "with the same contacts" } else { "but the contacts differ" })
}

/// Formats numbers for a sentence.
pub(crate) fn listed(values: impl IntoIterator<Item = f64>) -> String {
    values.into_iter().map(|value| format!("{value:.2}")).collect::<Vec<_>>().join(", ")
}

/// Runs an experiment at the smallest extent.
#[cfg(test)]
pub(crate) fn tiny(run: fn(&Effort, Listener<'_>) -> Result<Outcome, String>) -> Outcome {
    run(&Effort::TINY, Listener::NONE).expect("it runs")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_method_that_is_not_there_is_named() {
        assert!(Outcome::missing(&["obbtree"]).is_none());
        let outcome = Outcome::missing(&["obbtree", "attic"]).expect("there is no attic");
        assert_eq!(outcome.statements[0].reason, "method attic is not in this build");
    }
}
