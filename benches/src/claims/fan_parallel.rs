//! The scenes of claims F8 and F9, from fan §4.5.2; see [`FanScene`].

use impinge::query::Ask;
use impinge_benches::harness::{Rules, Timing, Workload};
use impinge_models::FanScene;

use super::outcome::{Effort, Scene, sized};

/// Words of the questions; the paper's question is the first.
pub(crate) const QUESTIONS: [&str; 2] = ["first contact", "all contacts"];

/// How much of the scenes is run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// Divides the paper's number of triangles.
    divisor: usize,
    /// Steps of scene 1; poses of scenes 2 and 3.
    steps: [usize; 3],
    /// Number of passes; the least time counts.
    pub(crate) passes: usize,
    seed: u64,
}

impl Plan {
    /// The plan for an effort.
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

    /// Runs `part` on every scene with both questions, and returns the results and `about` with the
    /// scenes' sizes. `timing` extracts the timing of any method.
    ///
    /// # Errors
    /// If a motion is refused; the first error of `part`.
    pub(crate) fn each<T>(
        &self,
        mut about: Scene,
        timing: impl Fn(&T) -> &Timing,
        part: impl Fn(&Workload, &Ask) -> Result<T, String>,
    ) -> Result<(Vec<Vec<T>>, Scene), String> {
        let mut parts = Vec::new();
        for ((number, which), steps) in (1..).zip(FanScene::ALL).zip(self.steps) {
            let triangles = which.triangles() / self.divisor;
            let scene = which.with(triangles, self.seed, steps).map_err(|e| e.to_string())?;
            let asked = Workload::every_pair(scene);
            let both = [Ask::first_contact(), Ask::all_contacts()].map(|ask| part(&asked, &ask));
            let both = both.into_iter().collect::<Result<Vec<T>, String>>()?;
            about = sized(about, &format!("scene {number}"), &asked, timing(&both[0]));
            parts.push(both);
        }
        Ok((parts, about))
    }
}

/// Description of the scenes.
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
