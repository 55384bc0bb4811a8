//! F6: *RAPID wins in simple scenes, S2 wins in the complex one* (fan table 3-1), and S2 beats
//! RECODE in scene 1.
//!
//! The paper's S2 runs on an adapter; here on the processor, which decides what it can.

use impinge::Method;
use impinge::image::recode_with;
use impinge::query::Ask;
use impinge_benches::harness::{Competitor, NOISE, Rules, Timing, Workload, compete};
use impinge_benches::progress::Listener;

use super::fan_image;
use super::fan_stream::SCENES;
use super::outcome::{Effort, Figure, Outcome, Scene, Statement, Verdict, listed, sized};

/// The paper's milliseconds of S2 and of RAPID, scene by scene.
const PAPER: [[f64; 2]; 4] = [[23.0, 1.0], [40.4, 1.9], [24.1, 161.6], [26.1, 10.2]];

/// What is asked, in words.
const ASKED: [&str; 2] = ["first contact", "all contacts"];

/// The mean times of a query in nanoseconds over hits and misses together.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Part {
    /// S2 and RAPID, for each of [`ASKED`].
    times: [[f64; 2]; 2],
    /// RECODE, first contact; only in the scene of convex bodies.
    recode: Option<f64>,
}

/// Runs the experiment.
pub(crate) fn run(effort: &Effort, listener: Listener<'_>) -> Result<Outcome, String> {
    let both = [Method::StreamShrink, Method::ObbTree].map(Competitor::from);
    let rules = Rules::passes(effort.pick(1, 2, 4));
    let mut about = Scene::new(ABOUT);
    let mut parts = Vec::new();
    for (number, scene) in (1..).zip(SCENES) {
        let asked = scene.draw(effort.pick(0.02, 0.1, 1.0), effort.seed)?;
        let time = |asked: &Workload, ask: &Ask| compete(&both, asked, ask, rules, listener);
        let mut times = [[0.0; 2]; 2];
        let mut recode = (number == 1).then_some(0.0);
        for asked in &asked {
            for (times, ask) in times.iter_mut().zip([Ask::first_contact(), Ask::all_contacts()]) {
                let timings = time(asked, &ask)?;
                for (time, timing) in times.iter_mut().zip(&timings) {
                    *time += 0.5 * mean(timing);
                }
                if ask == Ask::first_contact() {
                    let name = format!("scene {number}, {}", scene.name);
                    about = sized(about, &name, asked, &timings[0]);
                }
            }
            if let Some(recode) = &mut recode {
                let params = fan_image::params();
                let rival = [Competitor::new("recode, sampled", recode_with(params))];
                let timings = compete(&rival, asked, &Ask::first_contact(), rules, listener)?;
                *recode += 0.5 * mean(&timings[0]);
            }
        }
        parts.push(Part { times, recode });
    }
    Ok(conclude(&parts, about))
}

/// What is run.
const ABOUT: &str = "The scenes of F4, as many hits as misses, which weigh the same. S2 is the \
     certified form on the processor, RAPID is obbtree, RECODE is its sampled form at 32 pixels by \
     the rasteriser.";

fn mean(timing: &Timing) -> f64 {
    timing.total() / timing.hit.len().max(1) as f64
}

/// Draws the conclusion.
fn conclude(parts: &[Part], scene: Scene) -> Outcome {
    let mut statements = Vec::new();
    for (k, asked) in ASKED.iter().enumerate() {
        // Times of S2 over those of RAPID.
        let over: Vec<f64> = parts.iter().map(|part| part.times[k][0] / part.times[k][1]).collect();
        let reason = format!(
            "Time of S2 over RAPID in scenes 1 to 4, hits and misses: {} (paper: 23, 21, 0.15, 2.6).",
            listed(over.iter().copied())
        );
        let text = |what: &str| format!("on the processor, {asked}: {what}");
        let simple = ahead(over[0]);
        let complex = ahead(over[2].recip());
        statements.push(Statement::new(text("RAPID wins in scene 1"), simple, reason.clone()));
        statements.push(Statement::new(text("S2 wins in scene 3"), complex, reason));
    }
    if let Some(Part { times, recode: Some(recode) }) = parts.first() {
        let over = recode / times[0][0];
        let reason =
            format!("Time of RECODE over S2 in scene 1, hits and misses: {over:.2} (paper: 1.27).");
        let text = "on the processor, first contact: S2 beats RECODE in scene 1";
        statements.push(Statement::new(text, ahead(over), reason));
    }
    statements.push(Statement::new(
        "with S2 on an adapter",
        Verdict::Unrunnable,
        "The forms for adapters need one that is not a program.",
    ));
    let mut ours = Vec::new();
    for ((number, part), paper) in (1..).zip(parts).zip(PAPER) {
        for (asked, times) in ASKED.iter().zip(part.times) {
            for ((word, time), paper) in ["S2", "RAPID"].into_iter().zip(times).zip(paper) {
                let name = format!("scene {number}, {asked}: {word}");
                ours.push(Figure::new(name, time / 1e6, "ms").paper(paper));
            }
        }
        if let Some(recode) = part.recode {
            let name = format!("scene {number}, first contact: RECODE");
            ours.push(Figure::new(name, recode / 1e6, "ms").paper(29.3));
        }
    }
    Outcome::several(statements, ours, scene)
}

/// Whether the rival takes longer, by more than the noise: `over` is its time over that of what is
/// claimed to win.
fn ahead(over: f64) -> Verdict {
    if over > 1.0 / (1.0 - NOISE) {
        Verdict::Holds
    } else if over < 1.0 - NOISE {
        Verdict::Fails
    } else {
        Verdict::Untold
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::tiny;

    #[test]
    fn it_runs() {
        let outcome = tiny(run);
        assert_eq!(outcome.statements.len(), 6);
        assert_eq!(outcome.verdicts()[5], Verdict::Unrunnable);
        assert_eq!(outcome.ours.len(), 4 * 4 + 1);
        assert!(outcome.ours.iter().all(|figure| figure.value.is_some_and(|value| value > 0.0)));
    }

    #[test]
    fn who_wins_is_read_off_the_times() {
        let part = |s2, rapid| Part { times: [[s2, rapid]; 2], recode: Some(40.0) };
        let verdicts = |first, third| {
            let parts = [part(first, 20.0), part(1.0, 1.0), part(third, 20.0), part(1.0, 1.0)];
            conclude(&parts, Scene::default()).verdicts()
        };
        let (yes, no, open) = (Verdict::Holds, Verdict::Fails, Verdict::Untold);
        assert_eq!(verdicts(30.0, 10.0)[..5], [yes, yes, yes, yes, yes]);
        assert_eq!(verdicts(10.0, 30.0)[..5], [no, no, no, no, yes]);
        assert_eq!(verdicts(50.0, 20.1)[..5], [yes, open, yes, open, no]);
    }
}
