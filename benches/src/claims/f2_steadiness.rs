//! F2: *IBCD's time varies less from step to step than RAPID's* (η, eq. 2-12, fan fig. 2-20), within
//! lasting contact and within lasting separation: over mixed steps, η of a method that ends early
//! measures hits coming and going.

use impinge::Method;
use impinge::hierarchy::obbtree;
use impinge::image::{Drawing, Params, ibcd_with, recode_with};
use impinge::query::{Ask, Control, Question};
use impinge_benches::harness::{Competitor, NOISE, Timing, Workload};
use impinge_benches::progress::Listener;
use impinge_benches::timing::summary::eta;

use super::fan_image::{self, CHOSEN, HAND, Work, deviation, told};
use super::lasting::{FEW, STATES, crosswise, deviations, lasting};
use super::outcome::{Effort, Figure, Outcome, Plot, Scene, Statement, above_one, sized};
use super::wrapped::Asking;

/// The paper's form and first competitor; the second stands in for RAPID.
const IBCD: &str = "ibcd, sampled";
/// What RAPID is asked.
const QUESTIONS: [&str; 2] = ["first contact", "all contacts"];
/// Times and counted work of `ibcd` and of `obbtree` with both questions, per step.
struct Series {
    /// Of either half of the passes, per step.
    times: [[Vec<f64>; 2]; 3],
    /// `ibcd`: vertices sent, pictures. `obbtree`: tests, twice.
    work: [[Vec<f64>; 2]; 3],
    /// For each step, whether it is in lasting separation (0) or lasting contact (1).
    lasting: Vec<Option<usize>>,
}

/// Runs the experiment.
pub(crate) fn run(effort: &Effort, listener: Listener<'_>) -> Result<Outcome, String> {
    let triangles = effort.pick(244, 1_000, 2_000);
    let steps = effort.pick(12, 100, 1_000);
    let run = effort.pick(2, 5, 10);
    let asked = fan_image::hand(triangles, steps, effort.seed)?;
    let (first, all) = (Ask::first_contact(), Ask::all_contacts());
    let passes = effort.pick(2, 4, 6);
    let times = fan_image::times(&three(effort.drawing), &asked, &first, passes, listener)?;
    let [ibcd, rapid, _] = three(Drawing::Software);
    let hit = &times[1].hit;
    let split = |found: Vec<(bool, Work)>, of: [fn(&Work) -> f64; 2]| {
        of.map(|of| found.iter().map(|(_, work)| of(work)).collect::<Vec<f64>>())
    };
    let tests: fn(&Work) -> f64 = |work| work.tests;
    let series = Series {
        times: [0, 1, 2].map(|who: usize| times[who].halves.clone()),
        work: [
            split(fan_image::work(&ibcd, &asked, &first)?, [|w| w.vertices, |w| w.pictures]),
            split(fan_image::work(&rapid, &asked, &first)?, [tests; 2]),
            split(fan_image::work(&rapid, &asked, &all)?, [tests; 2]),
        ],
        lasting: lasting(hit, run),
    };
    let some = fan_image::sample(&asked, effort.pick(4, 5, 10));
    let (taken, refused) = competitors(&some);
    let panels = fan_image::times(&taken, &some, &first, 2, listener)?;
    let scene = Scene::new(format!(
        "{HAND}{CHOSEN} {steps} steps, as in the thesis. Lasting: {run} steps or more without a \
         change. A time is the least of half of {passes} passes. In the plot: every method of this build that \
         takes the scene, on some of the steps. Not taken: {}.",
        if refused.is_empty() { "none".to_owned() } else { refused.join(", ") }
    ));
    let count = |state| series.lasting.iter().filter(|at| **at == Some(state)).count();
    let scene = sized(scene, "hand and gear", &asked, &times[1])
        .count("steps of lasting separation", count(0))
        .count("steps of lasting contact", count(1));
    let labels: Vec<&str> = taken.iter().map(|one| one.label.as_str()).collect();
    Ok(conclude(&series, scene).with(vec![plot(&labels, &panels)]))
}

/// `ibcd` and `obbtree`, and `obbtree` that is asked for all contacts whatever the question: so all
/// three take turns.
fn three(drawing: Drawing) -> [Competitor; 3] {
    let params = Params { drawing, ..fan_image::params() };
    let all = Asking { engine: obbtree(), question: Question::AllContacts };
    [
        Competitor::new(IBCD, ibcd_with(params)),
        Method::ObbTree.into(),
        Competitor::new("obbtree, all contacts", all),
    ]
}

/// `ibcd` in sampled form, `obbtree`, `recode` in sampled form, and all other methods that accept
/// the meshes; and the words of those that do not.
fn competitors(asked: &Workload) -> (Vec<Competitor>, Vec<&'static str>) {
    let params = fan_image::params();
    let mut taken = vec![
        Competitor::new(IBCD, ibcd_with(params)),
        Method::ObbTree.into(),
        Competitor::new("recode, sampled", recode_with(params)),
    ];
    let mut refused = Vec::new();
    for &method in Method::all().iter().filter(|method| **method != Method::ObbTree) {
        let one = Competitor::from(method);
        let takes = |mesh| one.detector.prepare(mesh, &Control::NONE).is_ok();
        if asked.meshes.iter().all(takes) {
            taken.push(one);
        } else {
            refused.push(method.word());
        }
    }
    (taken, refused)
}

/// Draws the conclusions, one for each state, question of RAPID, and quantity.
fn conclude(series: &Series, scene: Scene) -> Outcome {
    let (mut statements, mut ours) = (Vec::new(), Vec::new());
    for (state, about) in STATES.into_iter().enumerate() {
        let of =
            |pair: &[Vec<f64>; 2]| pair.each_ref().map(|v| deviations(v, &series.lasting, state));
        for (what, all) in [("time", &series.times), ("counted work", &series.work)] {
            let ibcd = of(&all[0]);
            let name = format!("lasting {about}: standard deviation of η of {what}");
            ours.extend(figure(format!("{name}, ibcd"), ibcd[0][0]));
            for (question, rapid) in QUESTIONS.into_iter().zip(&all[1..]) {
                let rapid = of(rapid);
                ours.extend(figure(format!("{name}, obbtree, {question}"), rapid[0][0]));
                let readings = crosswise(&ibcd, &rapid);
                let text = format!(
                    "lasting {about}: η of {what} varies less than that of obbtree, {question}"
                );
                let verdict = if what == "time" {
                    let over: Vec<f64> = readings.iter().map(|ratio| ratio.recip()).collect();
                    above_one(&over, NOISE)
                } else {
                    told(&readings)
                };
                statements.push(Statement::new(text, verdict, reason(what, &readings)));
            }
        }
    }
    Outcome::several(statements, ours, scene)
}

fn figure(name: String, deviation: f64) -> Option<Figure> {
    deviation.is_finite().then(|| Figure::new(name, 100.0 * deviation, "%"))
}

fn reason(what: &str, readings: &[f64]) -> String {
    if readings.is_empty() {
        return format!("No part of the walk has {FEW} such steps.");
    }
    let (of, not) = if what == "time" {
        ("either half of the passes against either half of those", 1.0 / (1.0 - NOISE))
    } else {
        ("vertices sent and pictures against tests,", 1.0 - NOISE)
    };
    let span = readings.iter().fold([f64::INFINITY, 0.0_f64], |[a, b], &r| [a.min(r), b.max(r)]);
    format!(
        "The standard deviation of η of ibcd over that of obbtree, of {of} over all steps of the state \
         and over those of each half of the walk: {:.2} to {:.2}. Below {:.2} in all it holds, above \
         {not:.2} in all it does not; else it cannot be told.",
        span[0],
        span[1],
        1.0 - NOISE
    )
}

/// η of each step of every method.
fn plot(labels: &[&str], found: &[Timing]) -> Plot {
    let plot = Plot::panels("η of some steps, mixed, first contact (eq. 2-12)");
    labels.iter().zip(found).fold(plot, |plot, (label, steps)| {
        let etas = eta(&steps.least);
        let note =
            format!("σ {:.0} %, mean {:.3} ms", 100.0 * deviation(&etas), steps.mean() / 1e6);
        plot.noted(label, note, etas.into_iter())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::{Verdict, tiny};

    #[test]
    fn it_runs_with_every_method_that_takes_the_scene() {
        let outcome = tiny(run);
        assert!(outcome.ours.iter().all(|figure| figure.value.is_some()));
        let curves = outcome.plots[0].curves.len();
        assert!(curves > 15 && curves <= 2 + Method::all().len(), "{curves}");
        assert!(outcome.scene.about.contains("gjk"), "it takes convex bodies only");
        assert_eq!(outcome.statements.len(), 8);
    }

    /// `swing` of `ibcd` and of `obbtree` with both questions, in the first and second half.
    fn verdicts(swing: [[f64; 2]; 3], states: &[usize]) -> Vec<Verdict> {
        let steps = 40;
        let of = |swing: [f64; 2]| {
            let value = |k: usize| {
                1.0 + swing[2 * k / steps] * if k.is_multiple_of(2) { 1.0 } else { -1.0 }
            };
            [0, 1].map(|_| (0..steps).map(value).collect::<Vec<f64>>())
        };
        let lasting = (0..steps).map(|k| Some(states[k % states.len()])).collect();
        let series = Series { times: swing.map(of), work: swing.map(of), lasting };
        conclude(&series, Scene::default()).verdicts()
    }

    #[test]
    fn the_steadier_one_wins_if_all_readings_say_so() {
        use Verdict::{Fails, Holds, Unrunnable, Untold};
        let found = verdicts([[0.1, 0.1], [0.5, 0.5], [0.05, 0.05]], &[1]);
        assert_eq!(found[..4], [Unrunnable; 4], "no step apart");
        assert_eq!(found[4..], [Holds, Fails, Holds, Fails]);
        let found = verdicts([[0.1, 0.6], [0.5, 0.5], [0.3, 0.3]], &[0]);
        assert_eq!(found[..4], [Untold; 4]);
        let found = verdicts([[0.5, 0.5], [0.5, 0.5], [0.5, 0.5]], &[0]);
        assert_eq!(found[..4], [Untold, Untold, Fails, Fails], "times have noise, counts none");
    }
}
