//! The scenes that claims F8 and F9 share: those of fan §4.5.2, see [`FanScene`].

use impinge_benches::harness::{Rules, Timing, Workload};
use impinge_models::{FanScene, Scene as Motions};

use super::outcome::{Effort, Scene};

/// What is asked; the paper's question is the first.
pub(crate) const QUESTIONS: [&str; 2] = ["first contact", "all contacts"];

/// How much of the scenes is run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// The paper's triangles are divided by this.
    divisor: usize,
    /// Steps of scene 1, poses of scenes 2 and 3.
    steps: [usize; 3],
    /// Passes of which the least time counts.
    pub(crate) passes: usize,
    seed: u64,
}

impl Plan {
    /// By effort.
    pub(crate) fn new(effort: &Effort) -> Self {
        Self {
            divisor: effort.pick(10, 4, 1),
            steps: effort.pick([1, 2, 2], [3, 4, 4], [8, 8, 8]),
            passes: effort.pick(1, 2, 3),
            seed: effort.seed,
        }
    }

    /// How methods on several threads are timed.
    pub(crate) fn rules(&self) -> Rules {
        Rules { warm: 3, ..Rules::passes(self.passes) }
    }

    /// The scenes with their steps.
    pub(crate) fn scenes(&self) -> impl Iterator<Item = (FanScene, usize)> + use<> {
        FanScene::ALL.into_iter().zip(self.steps)
    }

    /// One of them.
    ///
    /// # Errors
    /// A sentence, if the motion is refused.
    pub(crate) fn scene(&self, which: FanScene, steps: usize) -> Result<Motions, String> {
        let triangles = which.triangles() / self.divisor;
        which.with(triangles, self.seed, steps).map_err(|error| error.to_string())
    }
}

/// The scenes in words.
pub(crate) fn about(plan: &Plan) -> Scene {
    let less = match plan.divisor {
        1 => String::new(),
        divisor => format!(" Triangles are 1/{divisor} of the paper's."),
    };
    Scene::new(format!(
        "Scene 1: 15 bodies of nine shapes in random flight in a box of edge 3 (bodies are 1 long), \
         all 105 pairs asked at every step. Scene 2: two trefoil knots; scene 3: two tori; at \
         unrelated random poses, centres at most 0.5 apart along each axis. The paper gives the \
         numbers of triangles and a picture of each scene; models, motion and steps are chosen. \
         Times are means over steps of the least of {} passes.{less}",
        plan.passes
    ))
}

/// `scene` with the sizes of one of its parts; `timing` is of any method.
pub(crate) fn counted(scene: Scene, which: FanScene, asked: &Workload, timing: &Timing) -> Scene {
    let number = 1 + FanScene::ALL.iter().position(|other| *other == which).unwrap_or(0);
    let name = |what: &str| format!("scene {number}: {what}");
    scene
        .count(name("triangles"), asked.triangles)
        .count(name("steps"), asked.steps.len())
        .count(name("queries"), asked.steps.iter().map(Vec::len).sum())
        .count(name("queries with a hit"), timing.hits())
}
