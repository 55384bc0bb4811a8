//! F4: *OBB-tree culling (S1) and sub-textures (S2) speed up the basic streaming algorithm (S0)*
//! (fan table 3-1).

use impinge::Method;
use impinge::query::Ask;
use impinge::stream::Form;
use impinge_benches::harness::{Competitor, NOISE, Timing, compete};
use impinge_benches::progress::Listener;

use super::drawer::{Drawer, answered_all, streaming};
use super::fan_stream::{SCENES, rules};
use super::outcome::{
    Effort, Figure, Outcome, Scene, Statement, Verdict, above_one, listed, sized,
};

/// The paper's speed-ups of S1 and S2 over S0, scene by scene.
const PAPER: [[f64; 2]; 4] = [[139.2, 288.2], [42.4, 55.8], [265.5, 646.8], [132.7, 367.6]];

/// S0, S1, S2.
const FORMS: [Method; 3] = [Method::StreamBasic, Method::StreamTree, Method::StreamShrink];

/// The names of the two kinds of queries.
const ANSWERS: [&str; 2] = ["hits", "misses"];

/// The timings of all forms, of hits and of misses.
type Part = [Vec<Timing>; 2];

/// Runs the experiment.
pub(crate) fn run(effort: &Effort, listener: Listener<'_>) -> Result<Outcome, String> {
    let forms: Vec<Competitor> = FORMS.iter().map(|form| Competitor::from(*form)).collect();
    let share = effort.pick(0.02, 0.1, 1.0);
    let rules = rules(2);
    let mut about = Scene::new(ABOUT);
    let on_adapter = FORMS.map(|form| streaming(form, Form::Compute));
    let (mut parts, mut adapter, mut drawer) = (Vec::new(), Vec::new(), None);
    for (number, scene) in (1..).zip(SCENES) {
        let asked = scene.draw(share, effort.seed)?;
        let time = |asked| compete(&forms, asked, &Ask::first_contact(), rules, listener);
        let part = [time(&asked[0])?, time(&asked[1])?];
        for ((answer, asked), timings) in ANSWERS.iter().zip(&asked).zip(&part) {
            let name = format!("scene {number}, {}, {answer}", scene.name);
            about = sized(about, &name, asked, &timings[0]);
        }
        parts.push(part);
        let by = Drawer::of_streams(&mut drawer, &asked, effort.drawing)?;
        if by.is_hardware() {
            let time = |asked| compete(&on_adapter, asked, &Ask::first_contact(), rules, listener);
            let part = [time(&asked[0])?, time(&asked[1])?];
            part.iter().try_for_each(|timings| answered_all(timings))?;
            adapter.push(part);
        }
    }
    let drawer = drawer.unwrap_or(Drawer::Rasteriser("nothing was asked".to_owned()));
    Ok(conclude(&parts, &adapter, &drawer, about))
}

/// What is run.
const ABOUT: &str = "Four scenes of two bodies with the paper's numbers of triangles, a tenth of them in \
     a quick run, at gaps of 0.25, 0.5, 1, 2 and 4 % of the smaller diagonal and at as many depths, in a random \
     orientation for each seed. The first contact is asked, by the certified form on the processor: every edge \
     of a stream counts as a test, and every triangle or box is a draw, after which a result is \
     read.";

/// Edge-triangle and edge-box tests.
fn tests(timing: &Timing) -> f64 {
    (timing.primitive_tests + timing.volume_tests) as f64
}

/// How much S1 and S2 gain over S0, by a measure.
fn gains(timings: &[Timing], of: impl Fn(&Timing) -> f64) -> [f64; 2] {
    [1, 2].map(|form: usize| of(&timings[0]) / of(&timings[form]))
}

/// Draws the conclusion from the processor's parts, and from those of an adapter if it is hardware.
fn conclude(parts: &[Part], adapter: &[Part], drawer: &Drawer, scene: Scene) -> Outcome {
    let misses = |parts: &[Part], of: fn(&Timing) -> f64| -> Vec<[f64; 2]> {
        parts.iter().map(|part| gains(&part[1], of)).collect()
    };
    let mut statements = decided("tests, misses", &misses(parts, tests), 0.0);
    let times = misses(parts, Timing::total);
    statements.extend(decided("time on the processor, misses", &times, NOISE));
    let of_adapter = "time on an adapter, misses";
    if adapter.is_empty() {
        statements.push(drawer.cannot(of_adapter));
    } else {
        statements.extend(decided(of_adapter, &misses(adapter, Timing::total), NOISE));
    }
    let mut ours = Vec::new();
    for (place, parts) in [("", parts), (", adapter", adapter)] {
        for ((number, part), paper) in (1..).zip(parts).zip(PAPER) {
            for (answer, timings) in ANSWERS.iter().zip(part) {
                let name = format!("scene {number}{place}, {answer}");
                ours.extend(figures(&name, timings, paper));
            }
        }
    }
    let [draw, read, off] = fitted(parts);
    ours.push(Figure::new("eq. 3-14: cost of an edge against a triangle or box", draw, "ns"));
    ours.push(Figure::new("eq. 3-14: cost of a draw and of reading its result", read, "ns"));
    ours.push(Figure::new("eq. 3-14: largest relative error", off, ""));
    Outcome::several(statements, ours, scene)
}

/// Whether S1 and S2 beat S0 and S2 beats S1 in every scene, and whether each gains most in scene 3.
/// Ratios within `noise` of 1 tell nothing.
fn decided(what: &str, gains: &[[f64; 2]], noise: f64) -> Vec<Statement> {
    let beats = |over: f64| above_one(&[over], noise);
    let reason = format!(
        "S0 over S1 in scenes 1 to 4: {}; S0 over S2: {} (paper: S1 139, 42, 266, 133; S2 288, 56, \
         647, 368).",
        listed(gains.iter().map(|gain| gain[0])),
        listed(gains.iter().map(|gain| gain[1])),
    );
    let ahead = all(gains.iter().flat_map(|[tree, shrink]| [beats(*tree), beats(shrink / tree)]));
    let text = format!("{what}: S1 ahead of S0, and S2 of S1, in every scene");
    let mut statements = vec![Statement::new(text, ahead, reason.clone())];
    for (k, form) in ["S1", "S2"].into_iter().enumerate() {
        let others = gains.iter().enumerate().filter(|(scene, _)| *scene != 2);
        let most = all(others.map(|(_, gain)| beats(gains[2][k] / gain[k])));
        let text = format!("{what}: {form} gains most in scene 3");
        statements.push(Statement::new(text, most, reason.clone()));
    }
    statements
}

/// Whether all comparisons hold, or one does not, or one cannot be told.
fn all(comparisons: impl Iterator<Item = Verdict>) -> Verdict {
    let all: Vec<Verdict> = comparisons.collect();
    let worst = [Verdict::Fails, Verdict::Untold].into_iter().find(|one| all.contains(one));
    worst.unwrap_or(Verdict::Holds)
}

/// The figures of the hits or the misses of one scene.
fn figures(name: &str, timings: &[Timing], paper: [f64; 2]) -> Vec<Figure> {
    let mut ours = Vec::new();
    let queries = timings[0].hit.len().max(1) as f64;
    for (form, timing) in FORMS.iter().zip(timings) {
        let mut push = |what: &str, value: f64, unit: &str| {
            ours.push(Figure::new(format!("{name}: {what}, {form}"), value, unit));
        };
        push("edge-triangle tests a query", timing.primitive_tests as f64 / queries, "");
        push("edge-box tests a query", timing.volume_tests as f64 / queries, "");
        push("draws a query", timing.pictures as f64 / queries, "");
        push("results read a query", timing.submissions as f64 / queries, "");
        push("time a query", timing.total() / queries / 1e6, "ms");
    }
    for (k, word) in ["stream-tree", "stream-shrink"].into_iter().enumerate() {
        let by = |of: fn(&Timing) -> f64| gains(timings, of)[k];
        ours.push(Figure::new(format!("{name}: tests, S0 over {word}"), by(tests), "×"));
        let time = Figure::new(format!("{name}: time, S0 over {word}"), by(Timing::total), "×");
        ours.push(time.paper(Some(paper[k])));
    }
    ours
}

/// The two costs of eq. 3-14 that explain all times best, by least squares of relative errors, in
/// nanoseconds, and the largest relative error.
fn fitted(parts: &[Part]) -> [f64; 3] {
    let all = || parts.iter().flatten().flatten().filter(|timing| timing.total() > 0.0);
    let rows = || all().map(|t| [t.pixels as f64, t.submissions as f64].map(|x| x / t.total()));
    let sum = |of: fn([f64; 2]) -> f64| rows().map(of).sum::<f64>();
    let [aa, ab, bb] = [sum(|[a, _]| a * a), sum(|[a, b]| a * b), sum(|[_, b]| b * b)];
    let [a1, b1] = [sum(|[a, _]| a), sum(|[_, b]| b)];
    let det = aa * bb - ab * ab;
    let mut costs = [(a1 * bb - b1 * ab) / det, (b1 * aa - a1 * ab) / det];
    // Neither cost is negative.
    if !(costs[1] >= 0.0) {
        costs = [a1 / aa, 0.0];
    } else if !(costs[0] >= 0.0) {
        costs = [0.0, b1 / bb];
    }
    let off = rows().map(|[a, b]| (a * costs[0] + b * costs[1] - 1.0).abs());
    [costs[0], costs[1], off.fold(0.0, f64::max)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::tiny;

    #[test]
    fn it_runs() {
        let outcome = tiny(run);
        assert_eq!(outcome.statements.len(), 7);
        assert_eq!(outcome.verdicts()[6], Verdict::Unrunnable);
        assert_eq!(outcome.ours.len(), 4 * 2 * (3 * 5 + 4) + 3);
        assert!(outcome.ours.iter().all(|figure| figure.value.is_some_and(|value| value >= 0.0)));
    }

    fn part(gain: [f64; 2]) -> Part {
        let timing = |gain: f64| Timing {
            least: vec![1e6 / gain],
            primitive_tests: (1e6 / gain) as u64,
            pixels: (1e6 / gain) as u64,
            submissions: 10,
            hit: vec![false],
            ..Timing::default()
        };
        let all = vec![timing(1.0), timing(gain[0]), timing(gain[1])];
        [all.clone(), all]
    }

    #[test]
    fn both_must_gain_in_every_scene_and_most_in_the_third() {
        let verdicts = |gains: [[f64; 2]; 4]| {
            let parts = gains.map(part);
            let drawer = Drawer::Hardware("a card".to_owned());
            let found = conclude(&parts, &parts, &drawer, Scene::default()).verdicts();
            assert_eq!(found[3..6], found[6..9], "the same times on an adapter");
            [found[0], found[1], found[2]]
        };
        let (yes, no, open) = (Verdict::Holds, Verdict::Fails, Verdict::Untold);
        let good = [[2.0, 4.0], [2.0, 3.0], [3.0, 9.0], [2.0, 4.0]];
        assert_eq!(verdicts(good), [yes; 3]);
        assert_eq!(verdicts([good[0], [2.0, 1.5], good[2], good[3]]), [no, yes, yes]);
        assert_eq!(verdicts([good[0], [0.5, 3.0], good[2], good[3]]), [no, yes, yes]);
        assert_eq!(verdicts([[2.0, 10.0], good[1], good[2], good[3]]), [yes, yes, no]);
        assert_eq!(verdicts([[9.0, 10.0], good[1], [3.0, 12.0], good[3]]), [yes, no, yes]);
        let near = [good[0], [2.0, 2.02], good[2], good[3]];
        let of = |noise| decided("", &near, noise)[0].verdict;
        assert_eq!([of(0.0), of(NOISE)], [yes, open]);
    }

    #[test]
    fn the_costs_that_made_the_times_are_found() {
        let timing = |pixels: u64, submissions: u64| Timing {
            least: vec![3.0 * pixels as f64 + 50.0 * submissions as f64],
            pixels,
            submissions,
            ..Timing::default()
        };
        let part = [vec![timing(1000, 10), timing(300, 20)], vec![timing(50, 40)]];
        let [draw, read, off] = fitted(&[part]);
        assert!((draw - 3.0).abs() < 1e-9 && (read - 50.0).abs() < 1e-9 && off < 1e-9);
    }
}
