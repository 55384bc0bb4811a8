//! F9: *edge-box beats box-box even serially* (fan table 4-1).
//!
//! `escd` against `sstcd` on the three scenes of the chapter, in every reading of what the thesis
//! leaves open: boxes divided or shrunk, bounds compared first or not, and three sets of edges that
//! a task hands down; for the first contact and for all. Both always have the same boxes and the
//! same test of an edge against a triangle.

use std::cmp::Ordering;
use std::time::Duration;

use impinge::parallel::Passed;
use impinge::parallel::methods::{escd_with, sstcd_with};
use impinge::query::Ask;
use impinge_benches::harness::{Competitor, Rules, Timing, compete, level};
use impinge_benches::progress::Listener;
use impinge_models::FanScene;

use super::fan_parallel::{ABOUT, Apart, Draw, Form, QUESTIONS, Ratios, handed, seeds};
use super::outcome::{Effort, Figure, Outcome, Scene, Statement, Verdict, listed};

/// The paper's milliseconds of ESCD and SSTCD.
const PAPER: [[f64; 2]; 3] = [[231.2, 246.9], [349.1, 3652.1], [581.7, 14832.7]];

/// Edges that a task hands down: by the letter first, the library's default second.
const HANDED: [Passed; 3] = [Passed::AllAtLeaves, Passed::All, Passed::Surviving];

/// Box-box in all forms, then edge-box in all readings.
const BOXES: usize = Form::ALL.len();

/// A reading: a form, and the edges that a task hands down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Reading {
    form: usize,
    handed: usize,
}

impl Reading {
    /// All readings, the thesis's letter first.
    fn all() -> impl Iterator<Item = Self> {
        (0..BOXES).flat_map(|form| (0..HANDED.len()).map(move |handed| Self { form, handed }))
    }

    fn text(self) -> String {
        format!("{}, {}", Form::ALL[self.form].text(), handed(HANDED[self.handed]))
    }

    /// The indices of box-box and edge-box among the competitors.
    const fn both(self) -> [usize; 2] {
        [self.form, BOXES + self.form * HANDED.len() + self.handed]
    }
}

/// What is measured of a scene: searches among hits for the first contact and for all, and searches
/// among misses, which are the same for both questions. Each has the timings of all competitors.
#[derive(Clone, Debug)]
struct Part {
    apart: Apart,
    hits: [Vec<Timing>; 2],
    misses: Vec<Timing>,
}

/// Runs the experiment.
pub(crate) fn run(effort: &Effort, listener: Listener<'_>) -> Result<Outcome, String> {
    let competitors = competitors();
    let rules = Rules {
        enough: Duration::from_millis(effort.pick(1, 40, 600)),
        ..Rules::passes(effort.pick(1, 15, 15))
    };
    let mut about = Scene::new(ABOUT);
    let mut parts = Vec::new();
    for (number, which) in (1..).zip(FanScene::ALL) {
        // Most pairs of bodies miss, at little cost; an interlocked pair at its full size takes
        // seconds in the dearest reading.
        let kept = if which == FanScene::Bodies {
            effort.pick([1, 9], [8, 80], [8, 80])
        } else {
            effort.pick([1, 1], [3, 2], [2, 1])
        };
        let draw = Draw {
            triangles: which.triangles() / effort.pick(20, 4, 1),
            seeds: seeds(effort.seed),
            steps: 40,
            kept,
        };
        let apart = Apart::draw(which, &draw)?;
        let ask = |answer: usize, ask: Ask| {
            compete(&competitors, &apart.asked[answer], &ask, rules, listener)
        };
        let hits = [ask(0, Ask::first_contact())?, ask(0, Ask::all_contacts())?];
        let misses = ask(1, Ask::first_contact())?;
        about = apart.sized(about, &format!("scene {number}"));
        parts.push(Part { apart, hits, misses });
    }
    Ok(conclude(&parts, about))
}

/// All forms of `sstcd`, then all readings of `escd`.
fn competitors() -> Vec<Competitor> {
    let boxes = Form::ALL
        .map(|form| Competitor::new(format!("sstcd, {}", form.text()), sstcd_with(form.boxes())));
    let edges = Reading::all().map(|reading| {
        let params = Form::ALL[reading.form].edges(HANDED[reading.handed]);
        Competitor::new(format!("escd, {}", reading.text()), escd_with(params))
    });
    boxes.into_iter().chain(edges).collect()
}

impl Part {
    /// Times of box-box and of edge-box among the hits (0) or the misses (1) of a question.
    fn both(&self, question: usize, answer: usize, reading: Reading) -> [Vec<f64>; 2] {
        let timings = [&self.hits[question], &self.misses][answer];
        level(reading.both().map(|who| &timings[who]))
    }

    /// Ratios over the whole scene.
    fn whole(&self, question: usize, reading: Reading) -> Ratios {
        let [hits, misses] = [0, 1].map(|answer| self.both(question, answer, reading));
        let mean = |who: usize, seed| self.apart.mean([&hits[who], &misses[who]], seed);
        let seeds = 0..self.apart.drawn.len();
        Ratios(seeds.map(|s| mean(1, s) / mean(0, s)).collect())
    }

    /// Ratios over hits (0) or misses (1) alone.
    fn alone(&self, question: usize, answer: usize, reading: Reading) -> Ratios {
        let both = self.both(question, answer, reading);
        let mean = |who: usize, seed| self.apart.mean_of(answer, &both[who], seed);
        let seeds = 0..self.apart.drawn.len();
        Ratios(seeds.filter_map(|s| Some(mean(1, s)? / mean(0, s)?)).collect())
    }

    /// The figures of one scene.
    fn figures(&self, number: usize) -> Vec<Figure> {
        let mut ours = Vec::new();
        let paper = PAPER[number - 1];
        for reading in Reading::all() {
            let name = |what: String| format!("scene {number}, {}: {what}", reading.text());
            for (question, word) in QUESTIONS.into_iter().enumerate() {
                let whole = self.whole(question, reading).mean();
                let whole = Figure::new(name(format!("{word}, time, escd over sstcd")), whole, "×");
                ours.push(whole.paper((question == 0).then_some(paper[0] / paper[1])));
                let hits = self.alone(question, 0, reading).mean();
                ours.push(Figure::new(name(format!("{word}, hits alone")), hits, "×"));
            }
            let misses = self.alone(0, 1, reading).mean();
            ours.push(Figure::new(name("misses alone".to_owned()), misses, "×"));
            let [_, who] = reading.both();
            let word = |counter: &str, part: &str| name(format!("{counter}, escd, {part}"));
            ours.extend(self.counts(who, word));
        }
        for (form, words) in Form::ALL.iter().enumerate() {
            let name = |what: &str| format!("scene {number}, {}: {what}", words.text());
            for (part, timings) in self.parts() {
                let queries: usize = self.apart.asked[part / 2].steps.iter().map(Vec::len).sum();
                let mean = timings[form].total() / queries as f64 / 1e6;
                ours.push(Figure::new(name(&format!("sstcd, {}", PARTS[part])), mean, "ms"));
            }
            let word = |counter: &str, part: &str| name(&format!("{counter}, sstcd, {part}"));
            ours.extend(self.counts(form, word));
        }
        ours
    }

    /// Everything measured, by the index of [`PARTS`].
    fn parts(&self) -> [(usize, &Vec<Timing>); 3] {
        [(0, &self.hits[0]), (1, &self.hits[1]), (2, &self.misses)]
    }

    /// What a competitor did, counted; the same on every machine and in every run.
    fn counts(&self, who: usize, name: impl Fn(&str, &str) -> String) -> Vec<Figure> {
        let counts = self.parts().into_iter().flat_map(|(part, timings)| {
            let Timing { tasks, volume_tests, primitive_tests, .. } = timings[who];
            let counters = [("tasks", tasks), ("N_v", volume_tests), ("N_p", primitive_tests)];
            counters.map(|(word, count)| Figure::new(name(word, PARTS[part]), count as f64, ""))
        });
        counts.collect()
    }
}

/// What is measured of a scene, in words.
const PARTS: [&str; 3] = ["first contact of hits", "all contacts of hits", "misses"];

/// Draws the conclusion: for each question, the readings with the same verdict are one statement.
fn conclude(parts: &[Part], scene: Scene) -> Outcome {
    let mut statements = Vec::new();
    for (question, word) in QUESTIONS.into_iter().enumerate() {
        let judged: Vec<(Reading, Verdict, String)> = Reading::all()
            .map(|reading| {
                let scenes: Vec<Ratios> =
                    parts.iter().map(|part| part.whole(question, reading)).collect();
                (
                    reading,
                    Ratios::verdict(&scenes, Ordering::Less),
                    reason(parts, question, reading, &scenes),
                )
            })
            .collect();
        for verdict in Verdict::ALL {
            let with: Vec<_> = judged.iter().filter(|one| one.1 == verdict).collect();
            if with.is_empty() {
                continue;
            }
            let readings: Vec<String> = with.iter().map(|one| one.0.text()).collect();
            let text = format!(
                "{word}, {} of {} readings: {}",
                with.len(),
                judged.len(),
                readings.join("; ")
            );
            let reasons: Vec<&str> = with.iter().map(|one| one.2.as_str()).collect();
            let head = "Time of escd over that of sstcd in scenes 1 to 3, the mean over seeds and its range, \
                 weighed by the scene's hits and misses; in brackets hits alone and misses alone.";
            statements.push(Statement::new(text, verdict, format!("{head} {}", reasons.join(" "))));
        }
    }
    let ours = (1..).zip(parts).flat_map(|(number, part)| part.figures(number)).collect();
    Outcome::several(statements, ours, scene)
}

/// The ratios of one reading in a sentence.
fn reason(parts: &[Part], question: usize, reading: Reading, scenes: &[Ratios]) -> String {
    let whole: Vec<String> = scenes.iter().map(Ratios::text).collect();
    let alone = |answer: usize| {
        listed(parts.iter().map(|part| part.alone(question, answer, reading).mean()))
    };
    format!("{}: {} [{}; {}].", reading.text(), whole.join(", "), alone(0), alone(1))
}

#[cfg(test)]
mod tests {
    use impinge::Pose;
    use impinge_benches::harness::{Query, Workload, count};

    use super::*;
    use crate::outcome::tiny;

    /// Counted figures of one run.
    fn counted() -> Vec<(String, Option<f64>)> {
        let outcome = tiny(run);
        let counted = outcome.ours.iter().filter(|figure| figure.unit.is_empty());
        counted.map(|figure| (figure.name.clone(), figure.value)).collect()
    }

    #[test]
    fn every_reading_of_every_scene_is_printed() {
        let outcome = tiny(run);
        for number in 1..=3 {
            for reading in Reading::all() {
                for question in QUESTIONS {
                    let wanted = format!(
                        "scene {number}, {}: {question}, time, escd over sstcd",
                        reading.text()
                    );
                    let figure = outcome.ours.iter().find(|figure| figure.name == wanted);
                    let value = figure.and_then(|figure| figure.value);
                    assert!(value.is_some_and(|ratio| ratio > 0.0), "{wanted}");
                }
            }
        }
        for question in QUESTIONS {
            let of = outcome.statements.iter().filter(|one| one.text.starts_with(question));
            let readings: usize = of.map(|one| one.text.matches(" boxes, ").count()).sum();
            assert_eq!(readings, Reading::all().count(), "each has one verdict");
        }
    }

    #[test]
    fn counts_agree_between_two_runs() {
        let counts = counted();
        assert_eq!(counts.len(), 3 * (BOXES + Reading::all().count()) * PARTS.len() * 3);
        assert_eq!(counts, counted());
    }

    /// Searches among misses are measured once for both questions, because they are the same.
    #[test]
    fn searches_that_miss_do_not_depend_on_the_question() {
        let (triangles, steps, kept) = (500, 40, [0, 1]);
        let draw = Draw { triangles, seeds: vec![1, 2], steps, kept };
        let apart = Apart::draw(FanScene::Knots, &draw).expect("a scene");
        assert!(apart.asked[1].steps.iter().any(|step| !step.is_empty()), "one misses");
        for competitor in competitors() {
            let [first, all] = [Ask::first_contact(), Ask::all_contacts()]
                .map(|ask| count(&competitor, &apart.asked[1], &ask, false).expect("it answers"));
            let of = |timing: &Timing| {
                [timing.tasks, timing.volume_tests, timing.primitive_tests, timing.hits() as u64]
            };
            assert_eq!(of(&first), of(&all), "{}", competitor.label);
        }
    }

    /// A scene whose hits and misses have these ratios, by seed.
    fn part(seeds: &[f64], readings: impl Fn(Reading) -> f64) -> Part {
        let query = Query { a: 0, b: 0, pair: 0, pose: Pose::identity() };
        let asked = || Workload::new(Vec::new(), vec![vec![query]; seeds.len()]);
        let drawn = vec![[3, 1]; seeds.len()];
        let apart = Apart { asked: [asked(), asked()], drawn, triangles: 1 };
        let timing = |least: Vec<f64>| Timing {
            passes: least.iter().map(|time| vec![*time]).collect(),
            least,
            ..Timing::default()
        };
        let mut timings = vec![timing(vec![1.0; seeds.len()]); BOXES];
        timings
            .extend(Reading::all().map(|reading| {
                timing(seeds.iter().map(|seed| seed * readings(reading)).collect())
            }));
        Part { apart, hits: [timings.clone(), timings.clone()], misses: timings }
    }

    #[test]
    fn a_reading_holds_if_every_scene_is_faster_for_every_seed() {
        let verdicts = |third: &[f64]| {
            let parts = [&[0.9, 0.8][..], &[0.1, 0.1], third].map(|seeds| part(seeds, |_| 1.0));
            conclude(&parts, Scene::default()).verdicts()
        };
        assert_eq!(verdicts(&[0.5, 0.9]), [Verdict::Holds; 2]);
        assert_eq!(verdicts(&[1.5, 1.2]), [Verdict::Fails; 2]);
        assert_eq!(verdicts(&[1.5, 0.9]), [Verdict::Untold; 2], "the seeds disagree");
        assert_eq!(verdicts(&[1.0, 0.9]), [Verdict::Untold; 2], "within the noise");
    }

    #[test]
    fn readings_with_different_verdicts_are_different_statements() {
        let only = |reading: Reading| if reading.handed == 2 { 0.5 } else { 2.0 };
        let parts = [(); 3].map(|()| part(&[1.0, 1.1], only));
        let outcome = conclude(&parts, Scene::default());
        assert_eq!(outcome.verdicts(), [Verdict::Holds, Verdict::Fails].repeat(2));
        assert!(outcome.statements[0].text.starts_with("first contact, 4 of 12 readings: "));
        assert!(!outcome.statements[1].text.contains("surviving"));
    }

    /// Edge-box that is faster in a pass that box-box does not have is no faster for it.
    #[test]
    fn both_are_compared_by_as_many_passes() {
        let mut one = part(&[1.0], |_| 1.0);
        let all = one.hits.iter_mut().chain([&mut one.misses]);
        all.for_each(|timings| timings[BOXES..].iter_mut().for_each(|t| t.passes[0].push(0.1)));
        let reading = Reading { form: 0, handed: 0 };
        assert_eq!((one.whole(0, reading).0, one.alone(0, 0, reading).0), (vec![1.0], vec![1.0]));
    }

    /// Hits and misses weigh as many as the scene has, whatever part of them is asked.
    #[test]
    fn hits_and_misses_are_weighed() {
        let mut one = part(&[1.0], |_| 1.0);
        for timing in &mut one.misses[BOXES..] {
            timing.passes = vec![vec![5.0]];
        }
        let reading = Reading { form: 0, handed: 0 };
        let near = |ratios: &Ratios, wanted: f64| (ratios.mean() - wanted).abs() < 1e-9;
        assert!(near(&one.whole(0, reading), 2.0), "(3 · 1 + 1 · 5) / 4");
        assert!(near(&one.alone(0, 0, reading), 1.0) && near(&one.alone(0, 1, reading), 5.0));
    }
}
