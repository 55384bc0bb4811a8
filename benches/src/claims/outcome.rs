//! What an experiment is told, and what it answers.

use impinge::Method;
use impinge_benches::harness::{Timing, Workload};
#[cfg(test)]
use impinge_benches::progress::Listener;
pub(crate) use impinge_records::claims::{Figure, Plot, Scene, Verdict};

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

    /// An outcome that says which of these methods is not in this build; none if all are.
    pub(crate) fn missing(names: &[&str]) -> Option<Self> {
        let absent = names.iter().find(|name| !is_built(name))?;
        Some(Self::unrunnable(format!("method {absent} is not in this build")))
    }

    /// With curves.
    pub(crate) fn with(self, plots: Vec<Plot>) -> Self {
        Self { plots, ..self }
    }
}

/// Is there a method of this name in this build?
pub(crate) fn is_built(name: &str) -> bool {
    name.parse::<Method>().is_ok()
}

/// `scene` with the sizes of one of its parts; `timing` is of any method.
pub(crate) fn sized(scene: Scene, part: &str, asked: &Workload, timing: &Timing) -> Scene {
    let name = |what: &str| format!("{part}: {what}");
    scene
        .count(name("triangles"), asked.triangles)
        .count(name("steps"), asked.steps.len())
        .count(name("queries"), timing.hit.len())
        .count(name("queries with a hit"), timing.hits())
}

/// Numbers in a sentence.
pub(crate) fn listed(values: impl IntoIterator<Item = f64>) -> String {
    values.into_iter().map(|value| format!("{value:.2}")).collect::<Vec<_>>().join(", ")
}

/// What an experiment answers at the least extent.
#[cfg(test)]
pub(crate) fn tiny(run: fn(&Effort, Listener<'_>) -> Result<Outcome, String>) -> Outcome {
    run(&Effort { extent: Extent::Tiny, seed: 1 }, Listener::NONE).expect("it runs")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_method_that_is_not_there_is_named() {
        assert!(Outcome::missing(&["obbtree"]).is_none());
        let outcome = Outcome::missing(&["obbtree", "attic"]).expect("there is no attic");
        assert_eq!(outcome.reason, "method attic is not in this build");
    }
}
