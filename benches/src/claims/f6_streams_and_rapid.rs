//! F6: *RAPID wins in simple scenes, S2 wins in the complex one* (fan table 3-1), and S2 beats
//! RECODE in scene 1.
//!
//! The paper's S2 runs on an adapter. Here it runs on the processor, and on an adapter if there is
//! one that is hardware.

use impinge::Method;
use impinge::image::{self, Drawing, recode_with};
use impinge::query::Ask;
use impinge::stream::{Form, Params, stream_shrink_with};
use impinge_benches::harness::{Competitor, NOISE, Rules, Timing, Workload, agree, compete};
use impinge_benches::progress::Listener;

use super::drawer::{Drawer, answered_all, streaming};
use super::fan_image;
use super::fan_stream::{SCENES, rules};
use super::outcome::{Effort, Figure, Outcome, Scene, Statement, above_one, listed, sized};

/// The paper's milliseconds of S2 and of RAPID, scene by scene.
const PAPER: [[f64; 2]; 4] = [[23.0, 1.0], [40.4, 1.9], [24.1, 161.6], [26.1, 10.2]];

/// What is asked, in words.
const ASKED: [&str; 2] = ["first contact", "all contacts"];

/// The names of the two kinds of queries.
const ANSWERS: [&str; 2] = ["hits", "misses"];

/// The mean times of a query in nanoseconds, of hits and of misses.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Part {
    /// S2, RAPID, and S2 as sampled, for each of [`ASKED`] and [`ANSWERS`].
    times: [[[f64; 3]; 2]; 2],
    /// RECODE, first contact; only in the scene of convex bodies.
    recode: Option<[f64; 2]>,
    /// First contacts whose verdict differs from RAPID's, by S2 as sampled and by RECODE, for each of
    /// [`ANSWERS`].
    unlike: [[usize; 2]; 2],
}

/// Runs the experiment.
pub(crate) fn run(effort: &Effort, listener: Listener<'_>) -> Result<Outcome, String> {
    let mut about = Scene::new(ABOUT);
    let (mut parts, mut adapter, mut drawer) = (Vec::new(), Vec::new(), None);
    for (number, scene) in (1..).zip(SCENES) {
        let asked = scene.draw(effort.pick(0.02, 0.1, 1.0), effort.seed)?;
        let convex = number == 1;
        let passes = effort.pick(1, 2, 4);
        let (part, timings) = measure(Form::Cpu, &asked, convex, passes, listener)?;
        for ((answer, asked), timing) in ANSWERS.iter().zip(&asked).zip(&timings) {
            about =
                sized(about, &format!("scene {number}, {}, {answer}", scene.name), asked, timing);
        }
        parts.push(part);
        let by = Drawer::of_streams(&mut drawer, &asked, effort.drawing)?;
        if by.is_hardware() {
            adapter.push(measure(Form::Compute, &asked, convex, passes, listener)?.0);
        }
    }
    let drawer = drawer.unwrap_or(Drawer::Rasteriser("nothing was asked".to_owned()));
    Ok(conclude(&parts, &adapter, &drawer, about))
}

/// One scene with S2 in a form, and with the timings of S2's first contact.
fn measure(
    form: Form,
    asked: &[Workload; 2],
    convex: bool,
    passes: usize,
    listener: Listener<'_>,
) -> Result<(Part, [Timing; 2]), String> {
    let sampled = stream_shrink_with(Params { form, ..Params::sampled() });
    let drawing = if form == Form::Cpu { Drawing::Software } else { Drawing::Adapter };
    let recode = image::Params { drawing, ..fan_image::params() };
    let mut forms = vec![
        streaming(Method::StreamShrink, form),
        Competitor::from(Method::ObbTree),
        Competitor::new("S2, sampled", sampled),
    ];
    // Sampled forms may answer differently; the first two may not.
    let rules = Rules { agree: false, ..rules(passes) };
    let mut part = Part { recode: convex.then_some([0.0; 2]), ..Part::default() };
    let mut first = [Timing::default(), Timing::default()];
    for (answer, asked) in asked.iter().enumerate() {
        for (k, ask) in [Ask::first_contact(), Ask::all_contacts()].into_iter().enumerate() {
            if convex && k == 0 {
                forms.push(Competitor::new("recode, sampled", recode_with(recode)));
            }
            let mut timings = compete(&forms, asked, &ask, rules, listener)?;
            agree(&forms[..2], &timings, &ask)?;
            if form != Form::Cpu {
                answered_all(&timings)?;
            }
            part.times[k][answer] = [0, 1, 2].map(|form: usize| mean(&timings[form]));
            if let (Some(recode), Some(timing)) = (&mut part.recode, timings.get(3)) {
                recode[answer] = mean(timing);
                part.unlike[1][answer] = timing.unlike(&timings[1]);
                forms.truncate(3);
            }
            if k == 0 {
                part.unlike[0][answer] = timings[2].unlike(&timings[1]);
                first[answer] = timings.swap_remove(0);
            }
        }
    }
    Ok((part, first))
}

/// What is run.
const ABOUT: &str = "The scenes of F4. S2 is the certified form, which decides, and beside it the \
     sampled form; RAPID is obbtree on the processor, RECODE is its sampled form at 32 pixels. S2 and RECODE \
     run on the processor (RECODE by the rasteriser), and on an adapter if there is one that is hardware.";

fn mean(timing: &Timing) -> f64 {
    timing.total() / timing.hit.len().max(1) as f64
}

/// Draws the conclusion from the processor's parts, and from those of an adapter if it is hardware.
fn conclude(parts: &[Part], adapter: &[Part], drawer: &Drawer, scene: Scene) -> Outcome {
    let mut statements = decided("on the processor", parts);
    if adapter.is_empty() {
        statements.push(drawer.cannot("with S2 on an adapter"));
    } else {
        statements.extend(decided("with S2 on an adapter", adapter));
    }
    let mut ours = figures("", parts);
    ours.extend(figures(", adapter", adapter));
    Outcome::several(statements, ours, scene)
}

/// Who wins in scenes 1 and 3, for each question.
fn decided(place: &str, parts: &[Part]) -> Vec<Statement> {
    let mut statements = Vec::new();
    for (k, asked) in ASKED.iter().enumerate() {
        // Times of S2 over those of RAPID, of hits and of misses.
        let over = |part: &Part| part.times[k].map(|times| times[0] / times[1]);
        let of = |answer: usize| listed(parts.iter().map(|part| over(part)[answer]));
        let reason = format!(
            "Time of S2 over RAPID in scenes 1 to 4: hits {}; misses {} (paper: 23, 21, 0.15, 2.6).",
            of(0),
            of(1)
        );
        let text = |what: &str| format!("{place}, {asked}: {what}");
        let simple = above_one(&over(&parts[0]), NOISE);
        let complex = above_one(&over(&parts[2]).map(f64::recip), NOISE);
        statements.push(Statement::new(text("RAPID wins in scene 1"), simple, reason.clone()));
        statements.push(Statement::new(text("S2 wins in scene 3"), complex, reason));
    }
    if let Some(Part { times: [first, _], recode: Some(recode), .. }) = parts.first() {
        let over = [0, 1].map(|answer| recode[answer] / first[answer][0]);
        let reason = format!(
            "Time of RECODE over S2 in scene 1: hits {:.2}, misses {:.2} (paper: 1.27).",
            over[0], over[1]
        );
        let text = format!("{place}, first contact: S2 beats RECODE in scene 1");
        statements.push(Statement::new(text, above_one(&over, NOISE), reason));
    }
    statements
}

/// The times of all scenes in one place.
fn figures(place: &str, parts: &[Part]) -> Vec<Figure> {
    let mut ours = Vec::new();
    for ((number, part), paper) in (1..).zip(parts).zip(PAPER) {
        let paper = [Some(paper[0]), Some(paper[1]), None];
        for (asked, by_answer) in ASKED.iter().zip(part.times) {
            for (answer, times) in ANSWERS.iter().zip(by_answer) {
                let words = ["S2", "RAPID", "S2, sampled"].into_iter().zip(times).zip(paper);
                for ((word, time), paper) in words {
                    let name = format!("scene {number}{place}, {asked}, {answer}: {word}");
                    ours.push(Figure::new(name, time / 1e6, "ms").paper(paper));
                }
            }
        }
        for (k, answer) in ANSWERS.iter().enumerate() {
            let name =
                |what: &str| format!("scene {number}{place}, first contact, {answer}: {what}");
            let unlike = |word: &str, count: usize| {
                let what = format!("verdicts of {word} unlike RAPID's");
                Figure::new(name(&what), count as f64, "")
            };
            ours.push(unlike("S2, sampled,", part.unlike[0][k]));
            if let Some(recode) = part.recode {
                ours.push(Figure::new(name("RECODE"), recode[k] / 1e6, "ms").paper(29.3));
                ours.push(unlike("RECODE", part.unlike[1][k]));
            }
        }
    }
    ours
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::{Verdict, tiny};

    #[test]
    fn it_runs() {
        let outcome = tiny(run);
        assert_eq!(outcome.statements.len(), 6);
        assert_eq!(outcome.verdicts()[5], Verdict::Unrunnable);
        let (unlike, times): (Vec<_>, Vec<_>) =
            outcome.ours.iter().partition(|figure| figure.name.contains("unlike"));
        assert_eq!((unlike.len(), times.len()), ((4 + 1) * 2, 4 * 2 * 2 * 3 + 2));
        assert!(times.iter().all(|figure| figure.value.is_some_and(|value| value > 0.0)));
    }

    #[test]
    fn who_wins_is_read_off_the_times() {
        let part = |s2: f64, rapid: f64| Part {
            times: [[[s2, rapid, s2]; 2]; 2],
            recode: Some([40.0; 2]),
            ..Part::default()
        };
        let verdicts = |first, third| {
            let parts = [part(first, 20.0), part(1.0, 1.0), part(third, 20.0), part(1.0, 1.0)];
            let drawer = Drawer::Hardware("a card".to_owned());
            let found = conclude(&parts, &parts, &drawer, Scene::default()).verdicts();
            assert_eq!(found[..5], found[5..], "the same times on an adapter");
            found
        };
        let (yes, no, open) = (Verdict::Holds, Verdict::Fails, Verdict::Untold);
        assert_eq!(verdicts(30.0, 10.0)[..5], [yes, yes, yes, yes, yes]);
        assert_eq!(verdicts(10.0, 30.0)[..5], [no, no, no, no, yes]);
        assert_eq!(verdicts(50.0, 20.1)[..5], [yes, open, yes, open, no]);
        assert_eq!(above_one(&[0.5, 2.0], NOISE), open, "hits and misses disagree");
    }
}
