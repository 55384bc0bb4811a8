//! X3: *restarting at the last contact visits fewer nodes* (xie §3.4).
//!
//! A coherent walk; the same method once with its memory kept and once with it dropped before every
//! step.

use impinge::Method;
use impinge::query::Ask;
use impinge_benches::harness::{Timing, Workload, count};
use impinge_benches::progress::Listener;
use impinge_models::Shape;

use super::outcome::{Effort, Figure, Outcome, Scene};

const METHOD: Method = Method::ReducedAxes;
const SHAPES: [Shape; 2] = [Shape::Hand, Shape::Gear];
/// A smaller saving, as a fraction of the volume tests, counts as none.
const LEAST: f64 = 0.01;

/// Runs the experiment.
pub(crate) fn run(effort: &Effort, listener: Listener<'_>) -> Result<Outcome, String> {
    let triangles = effort.pick(300, 4_000, 16_000);
    let steps = effort.pick(20, 400, 2_000);
    let asked = Workload::walk(SHAPES, triangles, effort.seed, steps)?;
    let one = METHOD.into();
    let ask = Ask::first_contact();
    listener.stage("with memory", 0, 2);
    let kept = count(&one, &asked, &ask, true)?;
    listener.stage("without memory", 1, 2);
    let dropped = count(&one, &asked, &ask, false)?;
    let scene = Scene::new(
        "A gear wanders about a hand: each step shifts by at most 0.02 and turns by at most 0.05 \
         radians, in a box of edge 1.6; the meshes are about 1 long. First contact, by the method \
         reduced-axes. The paper gives no scene.",
    )
    .count("triangles", asked.triangles)
    .count("steps", steps)
    .count("steps with contact", kept.hits());
    Ok(conclude(&kept, &dropped, scene))
}

fn conclude(kept: &Timing, dropped: &Timing, scene: Scene) -> Outcome {
    let ratio = kept.volume_tests as f64 / dropped.volume_tests as f64;
    let ours = vec![
        Figure::new("N_v, memory kept over dropped", ratio, "×"),
        Figure::new("N_v, memory kept", kept.volume_tests as f64, ""),
        Figure::new("N_v, memory dropped", dropped.volume_tests as f64, ""),
        Figure::new("N_p, memory kept", kept.primitive_tests as f64, ""),
        Figure::new("N_p, memory dropped", dropped.primitive_tests as f64, ""),
        Figure::new("steps with contact", kept.hits() as f64, ""),
    ];
    let same = kept.hits() == dropped.hits();
    let fewer = ratio <= 1.0 - LEAST;
    let reason = format!(
        "Starting at the last contact makes {:.1} % {} volume tests over the whole walk than \
         starting at the root{}.",
        100.0 * (1.0 - ratio).abs(),
        if ratio <= 1.0 { "fewer" } else { "more" },
        if same { ", with the same verdicts" } else { ", but the verdicts differ" }
    );
    Outcome::ran(same && fewer, reason, ours, scene)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::{Verdict, tiny};

    #[test]
    fn it_runs() {
        let outcome = tiny(run);
        assert_ne!(outcome.verdict(), Verdict::Unrunnable);
    }

    #[test]
    fn fewer_tests_and_the_same_verdicts_are_asked() {
        let timing = |volume_tests, hits| Timing {
            volume_tests,
            hit: vec![true; hits],
            ..Timing::default()
        };
        let verdict = |kept, dropped| conclude(&kept, &dropped, Scene::default()).verdict();
        assert_eq!(verdict(timing(50, 3), timing(100, 3)), Verdict::Holds);
        assert_eq!(verdict(timing(100, 3), timing(100, 3)), Verdict::Fails);
        assert_eq!(verdict(timing(150, 3), timing(100, 3)), Verdict::Fails);
        assert_eq!(verdict(timing(50, 2), timing(100, 3)), Verdict::Fails);
    }
}
