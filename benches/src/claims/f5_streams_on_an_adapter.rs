//! F5: *streaming on the GPU beats the same algorithm on the CPU* (fan fig. 3-16).

use impinge::Method;
use impinge::query::Ask;
use impinge::stream::{Form, Params, stream_basic_with};
use impinge_benches::harness::{Competitor, NOISE, Timing, compete};
use impinge_benches::progress::Listener;

use super::drawer::{Drawer, answered_all, streaming};
use super::fan_stream::{SCENES, rules};
use super::outcome::{
    Effort, Figure, Outcome, Scene, Statement, Verdict, above_one, listed, sized,
};
use super::wrapped::AtOnce;

/// The forms on an adapter.
const FORMS: [(&str, Form); 2] = [("compute", Form::Compute), ("raster", Form::Raster)];

/// The processor: one thread, all threads as measured, and all threads as though none slowed another.
const THREADS: [&str; 3] = ["one thread", "all threads, measured", "all threads, ideal"];

/// Competitors on the processor; then come those on an adapter.
const PROCESSOR: usize = 2;

/// One size: the timings of the processor on one thread and on all, and, if there is an adapter, of both
/// its forms, of hits and of misses.
type Part = [Vec<Timing>; 2];

/// What is run.
const ABOUT: &str = "Scene 1 of F4, two convex bodies, at five sizes up to the paper's 21,292 \
     triangles, a tenth of them in a quick run. The basic algorithm (S0), certified, is asked for the first \
     contact: on one thread of the processor, and on an adapter by kernels and by drawing. A query \
     runs on one thread, and a machine's threads answer as many at once: all of them are given the same \
     one, and the time until the last has answered, over their number, is that of a query. \
     Ideal threads take the time of one over their number.";

/// Runs the experiment.
pub(crate) fn run(effort: &Effort, listener: Listener<'_>) -> Result<Outcome, String> {
    let shares: &[f64] =
        effort.pick(&[0.01], &[0.01, 0.02, 0.04, 0.07, 0.1], &[0.1, 0.2, 0.4, 0.7, 1.0]);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut about = Scene::new(ABOUT);
    let (mut parts, mut drawer) = (Vec::new(), None);
    for &share in shares {
        let asked = SCENES[0].draw(share, effort.seed)?;
        let by = Drawer::of_streams(&mut drawer, &asked, effort.drawing)?;
        let forms = competitors(by, threads)?;
        let time = |asked| compete(&forms, asked, &Ask::first_contact(), rules(2), listener);
        let part = [time(&asked[0])?, time(&asked[1])?];
        part.iter().try_for_each(|timings| answered_all(timings))?;
        for ((answer, asked), timings) in ["hits", "misses"].iter().zip(&asked).zip(&part) {
            let name = format!("{} triangles, {answer}", asked.triangles);
            about = sized(about, &name, asked, &timings[0]);
        }
        parts.push((asked[1].triangles, part));
    }
    let drawer = drawer.unwrap_or(Drawer::Rasteriser("nothing was asked".to_owned()));
    Ok(conclude(&parts, &drawer, threads, about))
}

/// The processor on one thread and on all, and both forms of the adapter if there is one.
fn competitors(drawer: &Drawer, threads: usize) -> Result<Vec<Competitor>, String> {
    let engine = stream_basic_with(Params { form: Form::Cpu, ..Params::default() });
    let at_once = Competitor::new("stream-basic, all threads", AtOnce::new(engine, threads)?);
    let mut all = vec![streaming(Method::StreamBasic, Form::Cpu), at_once];
    if !matches!(drawer, Drawer::Rasteriser(_)) {
        all.extend(FORMS.map(|(_, form)| streaming(Method::StreamBasic, form)));
    }
    Ok(all)
}

/// Draws the conclusion from sizes and their timings.
fn conclude(parts: &[(usize, Part)], drawer: &Drawer, threads: usize, scene: Scene) -> Outcome {
    let mut ours = vec![Figure::new("threads of the processor", threads as f64, "")];
    for (triangles, part) in parts {
        for (answer, timings) in ["hits", "misses"].iter().zip(part) {
            let of = |what: &str, value: f64, unit: &str| {
                Figure::new(format!("{triangles} triangles, {answer}: {what}"), value, unit)
            };
            let queries = timings[0].hit.len().max(1) as f64;
            let times = on_processor(timings, threads);
            for (word, time) in THREADS.iter().zip(times) {
                ours.push(of(&format!("a query, {word}"), time / queries / 1e6, "ms"));
            }
            for ((word, _), timing) in FORMS.iter().zip(&timings[PROCESSOR..]) {
                for (threads, time) in THREADS.iter().zip(times) {
                    let gain = time / timing.total();
                    ours.push(of(&format!("{threads}, over {word}"), gain, "×"));
                }
            }
        }
    }
    let statements = (0..FORMS.len())
        .flat_map(|form| [0, 1, 2].map(|of| decided(parts, form, (of, threads), drawer)))
        .collect();
    Outcome::several(statements, ours, scene)
}

/// The times of all queries by each of [`THREADS`], in nanoseconds.
fn on_processor(timings: &[Timing], threads: usize) -> [f64; 3] {
    let [one, all] = [0, 1].map(|who: usize| timings[who].total());
    [one, all / threads as f64, one / threads as f64]
}

/// Whether a form of the adapter is faster than one of [`THREADS`], on misses, at every size.
fn decided(
    parts: &[(usize, Part)],
    form: usize,
    (of, threads): (usize, usize),
    drawer: &Drawer,
) -> Statement {
    let ((word, _), slower) = (FORMS[form], THREADS[of]);
    let gains: Vec<f64> = parts
        .iter()
        .filter_map(|(_, [_, misses])| {
            let adapter = misses.get(PROCESSOR + form)?;
            Some(on_processor(misses, threads)[of] / adapter.total())
        })
        .collect();
    let text = format!("{word} beats {slower}, misses");
    let over = listed(gains.iter().copied());
    let (verdict, reason) = match drawer {
        Drawer::Rasteriser(why) => (Verdict::Unrunnable, format!("No adapter answered: {why}.")),
        Drawer::Program(name) => (
            Verdict::Unrunnable,
            format!("{name} is no hardware; time of {slower}, over its time, by size: {over}."),
        ),
        Drawer::Hardware(name) => {
            let reason = format!("{name}: time of {slower}, over its time, by size: {over}.");
            (above_one(&gains, NOISE), reason)
        }
    };
    Statement::new(text, verdict, reason)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::tiny;

    #[test]
    fn it_runs() {
        let outcome = tiny(run);
        assert!(outcome.verdicts().iter().all(|verdict| *verdict == Verdict::Unrunnable));
        assert_eq!((outcome.statements.len(), outcome.ours.len()), (6, 1 + 2 * 3));
        assert!(outcome.ours.iter().all(|figure| figure.value.is_some_and(|value| value > 0.0)));
    }

    #[test]
    fn hardware_must_win_at_every_size_and_a_program_tells_nothing() {
        let timing = |ns: f64| Timing { least: vec![ns], hit: vec![false], ..Timing::default() };
        // Four threads take 12 for four queries, 3 for each, where ideal ones take 2.
        let part = |compute: f64, raster: f64| {
            let all = vec![timing(8.0), timing(12.0), timing(compute), timing(raster)];
            (100, [all.clone(), all])
        };
        let verdicts = |parts: &[(usize, Part)], drawer| {
            conclude(parts, &drawer, 4, Scene::default()).verdicts()
        };
        let hardware = || Drawer::Hardware("a card".to_owned());
        let (yes, no, open) = (Verdict::Holds, Verdict::Fails, Verdict::Untold);
        let parts = [part(1.0, 4.0), part(1.5, 3.0)];
        assert_eq!(verdicts(&parts, hardware()), [yes, yes, yes, yes, open, no]);
        let turned = verdicts(&[part(2.5, 2.5)], hardware());
        assert_eq!(turned[..3], [yes, yes, no], "ideal threads turn it");
        let mixed = verdicts(&[part(1.0, 9.0), part(9.0, 9.5)], hardware());
        assert_eq!((mixed[0], mixed[3]), (open, no), "ahead at one size, and at none");
        assert_eq!(verdicts(&[part(1.0, 7.99)], hardware())[3], open);
        let program = verdicts(&parts, Drawer::Program("a program".to_owned()));
        assert_eq!(program, [Verdict::Unrunnable; 6]);
    }
}
