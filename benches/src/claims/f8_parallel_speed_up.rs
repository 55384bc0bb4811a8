//! F8: *the edge-box traversal scales better in parallel than box-box, and makes fewer tasks* (fan
//! table 4-1, §4.4).
//!
//! `spcd` over `sstcd` and `epcd` over `escd` on increasing numbers of threads, with the boxes and
//! the tests that the thesis describes, on queries that are long enough to be divided; and
//! predictions of the work-span model on their task trees, for the paper's number of processors and
//! for more.

use std::cmp::Ordering;
use std::time::Duration;

use impinge::parallel::methods::{
    EdgeBoxParams, SimpleParams, epcd_with, escd_with, spcd_with, sstcd_with,
};
use impinge::parallel::{Passed, Pool};
use impinge::query::Ask;
use impinge_benches::harness::task_tree::{self, PROCESSORS, TaskTree};
use impinge_benches::harness::{Competitor, Rules, Timing, Workload, compete, ladder, level};
use impinge_benches::machine;
use impinge_benches::progress::Listener;
use impinge_models::FanScene;

use super::fan_parallel::{ABOUT, Apart, Draw, Form, Ratios, handed, seeds};
use super::outcome::{Effort, Figure, Outcome, Scene, Statement, Verdict};

/// The paper's speed-ups on four processors: box-box, edge-box.
const PAPER: [[f64; 2]; 3] = [[2.26, 2.59], [2.53, 2.77], [2.05, 2.66]];

/// The paper's number of processors: on fewer cores, speed-ups are printed and do not decide.
const ENOUGH_CORES: usize = 4;

/// A serial query shorter than this does not decide either. Unit: nanoseconds.
const LONG: f64 = 1e8;

/// Edges that a task hands down: by the letter, and the library's default.
const HANDED: [Passed; 2] = [Passed::AllAtLeaves, Passed::All];

/// Box-box, and edge-box with both of [`HANDED`].
const METHODS: usize = 1 + HANDED.len();

/// What is asked, in words; each part has statements of its own.
const ASKED: [&str; 3] = ["all contacts", "first contact of hits", "first contact of misses"];

/// How many times the thesis's triangles the scenes have, for each of [`ASKED`]. Where this decides, they
/// are made larger until the quickest serial query takes [`LONG`].
const SIZES: [[f64; 3]; 3] = [[3.0, 1.0, 1.0], [6.0, 3.0, 4.0], [6.0, 2.0, 2.0]];

/// How often a scene is made larger, at most.
const LARGER: usize = 4;

/// All methods on the longest queries of one scene.
#[derive(Clone, Debug, Default)]
struct Part {
    /// The serial forms.
    serial: Vec<Timing>,
    /// Timings by number of threads.
    parallel: Vec<(usize, Vec<Timing>)>,
    /// Task trees of the box-box and the edge-box method.
    trees: [TaskTree; 2],
}

/// Runs the experiment.
pub(crate) fn run(effort: &Effort, listener: Listener<'_>) -> Result<Outcome, String> {
    let cores = machine::host(None, None).cores;
    let threads = ladder(cores);
    let all = competitors(&threads)?;
    let rules = Rules {
        enough: Duration::from_millis(effort.pick(1, 200, 600)),
        ..Rules::passes(effort.pick(1, 3, 4))
    };
    let mut about = Scene::new(format!("{ABOUT} {LONGEST}"));
    about = about.count("threads at most", threads[threads.len() - 1]);
    let mut parts = Vec::new();
    for (asked, sizes) in SIZES.iter().enumerate() {
        let mut scenes = Vec::new();
        for ((number, which), size) in (1..).zip(FanScene::ALL).zip(sizes) {
            let triangles = which.triangles() as f64 * size / effort.pick(40.0, 6.0, 1.0);
            let kept = effort.pick(2, 8, 8);
            let draw = Draw {
                triangles: triangles as usize,
                seeds: seeds(effort.seed),
                steps: 40,
                kept: if asked == 2 { [0, kept] } else { [kept, 0] },
            };
            let ask = if asked == 0 { Ask::all_contacts() } else { Ask::first_contact() };
            let decides = cores >= ENOUGH_CORES && effort.pick(false, false, true);
            let goal = if decides { LONG } else { 0.0 };
            let (triangles, longest) =
                long_enough(&all[..METHODS], (which, draw), (asked == 2, &ask), goal, listener)?;
            about = about.count(format!("scene {number}, {}: triangles", ASKED[asked]), triangles);
            scenes.push(Part::measure(&all, &threads, &longest, (&ask, rules), listener)?);
        }
        parts.push(scenes);
    }
    Ok(conclude(&parts, cores, about))
}

/// What is chosen of the scenes.
const LONGEST: &str = "Of eight hits or misses of each seed, evenly spread over them, the one with the most tests by \
     sstcd is asked: tasks of a short query are not worth handing to a thread.";

/// The triangles of a scene, and its longest queries, of hits or of `misses`: made larger until the
/// quickest of the serial methods takes `goal` nanoseconds.
fn long_enough(
    serial: &[Competitor],
    (which, mut draw): (FanScene, Draw),
    (misses, ask): (bool, &Ask),
    goal: f64,
    listener: Listener<'_>,
) -> Result<(usize, Workload), String> {
    for larger in 0.. {
        let apart = Apart::draw(which, &draw)?;
        let asked = longest(&apart.asked[usize::from(misses)], ask)?;
        if larger < LARGER && goal > 0.0 {
            let times = compete(serial, &asked, ask, Rules::passes(2), listener)?;
            let quickest = times.iter().map(Timing::mean).fold(f64::INFINITY, f64::min);
            if quickest < goal {
                draw.triangles = grown(draw.triangles, quickest / goal);
                continue;
            }
        }
        return Ok((apart.triangles, asked));
    }
    Err("no scene was drawn".to_owned())
}

/// More triangles, where a query takes `share` of what it should: a time grows about as they do.
fn grown(triangles: usize, share: f64) -> usize {
    (triangles as f64 * (1.3 / share).clamp(1.3, 4.0)) as usize
}

/// The serial forms, then the parallel ones on each number of threads.
fn competitors(threads: &[usize]) -> Result<Vec<Competitor>, String> {
    let boxes = || Form::THESIS.boxes();
    let edges = |passed: Passed| Form::THESIS.edges(passed);
    let mut all = vec![Competitor::new("sstcd", sstcd_with(boxes()))];
    for passed in HANDED {
        all.push(Competitor::new("escd", escd_with(edges(passed))));
    }
    for &n in threads {
        let pool = Pool::of(n)?;
        let boxes = SimpleParams { pool: pool.clone(), ..boxes() };
        all.push(Competitor::new("spcd", spcd_with(boxes)));
        for passed in HANDED {
            let edges = EdgeBoxParams { pool: pool.clone(), ..edges(passed) };
            all.push(Competitor::new("epcd", epcd_with(edges)));
        }
    }
    Ok(all)
}

/// Of every step, the query with the most tests by `sstcd`.
fn longest(asked: &Workload, ask: &Ask) -> Result<Workload, String> {
    let judge = Competitor::new("sstcd", sstcd_with(Form::THESIS.boxes()));
    let models = judge.prepare(asked)?;
    let mut ready = judge.ready(1);
    let mut steps = Vec::new();
    for step in &asked.steps {
        let mut most = None;
        for query in step {
            ready.ask(&models, query, &ask.counted())?;
            let counted = ready.answer.statistics.as_ref();
            let tests = counted.map_or(0, |all| all.volume_tests + all.primitive_tests);
            if most.is_none_or(|(known, _)| tests > known) {
                most = Some((tests, *query));
            }
        }
        steps.extend(most.map(|(_, query)| vec![query]));
    }
    Ok(Workload::new(asked.meshes.clone(), steps))
}

impl Part {
    /// Counts and times all methods, and traces the tasks of two.
    fn measure(
        all: &[Competitor],
        threads: &[usize],
        asked: &Workload,
        (ask, rules): (&Ask, Rules),
        listener: Listener<'_>,
    ) -> Result<Self, String> {
        let timings = compete(all, asked, ask, rules, listener)?;
        let mut groups = timings.chunks_exact(METHODS).map(<[Timing]>::to_vec);
        let serial = groups.next().unwrap_or_default();
        let parallel = threads.iter().copied().zip(groups).collect();
        let boxes = spcd_with(Form::THESIS.boxes());
        let edges = epcd_with(Form::THESIS.edges(Passed::All));
        let trees =
            [task_tree::grow(&boxes, asked, ask, 1)?, task_tree::grow(&edges, asked, ask, 1)?];
        Ok(Self { serial, parallel, trees })
    }

    /// Speed-ups of a method on as many threads as the timings are for, one for each seed.
    fn speed_ups(&self, timings: &[Timing], who: usize) -> Vec<f64> {
        let [serial, parallel] = level([&self.serial[who], &timings[who]]);
        serial.iter().zip(parallel).map(|(serial, parallel)| serial / parallel).collect()
    }

    /// How much more an edge-box method gains than box-box on the most threads, all four times of as
    /// many passes.
    fn gain(&self, who: usize) -> Ratios {
        let Some((_, timings)) = self.parallel.last() else { return Ratios::default() };
        let [boxes, edges] = [0, who].map(|who| [&self.serial[who], &timings[who]]);
        let [s, p, serial, parallel] = level([boxes[0], boxes[1], edges[0], edges[1]]);
        let gain = |seed: usize| serial[seed] / parallel[seed] / (s[seed] / p[seed]);
        Ratios((0..s.len()).map(gain).collect())
    }

    /// Edge-box tasks over box-box tasks.
    fn tasks(&self) -> f64 {
        self.serial[1].tasks as f64 / self.serial[0].tasks as f64
    }

    /// The mean serial time of the quickest method, in nanoseconds.
    fn shortest(&self) -> f64 {
        self.serial.iter().map(Timing::mean).fold(f64::INFINITY, f64::min)
    }

    /// The figures of this part; `paper` holds the paper's speed-ups on four processors.
    fn figures(&self, name: &dyn Fn(&str) -> String, paper: [f64; 2]) -> Vec<Figure> {
        let mut ours = Vec::new();
        let beside = |on_four: bool, who: usize| on_four.then_some(paper[who.min(1)]);
        for who in 0..METHODS {
            let serial = &self.serial[who];
            ours.push(Figure::new(
                name(&format!("{}, serial", word(who))),
                serial.mean() / 1e6,
                "ms",
            ));
            ours.push(Figure::new(name(&format!("tasks, {}", word(who))), serial.tasks as f64, ""));
            for (n, timings) in &self.parallel {
                let up = Ratios(self.speed_ups(timings, who)).mean();
                let what = format!("{} on {n} threads over serial", word(who));
                ours.push(Figure::new(name(&what), up, "×").paper(beside(*n == 4, who)));
            }
            if let Some((n, timings)) = self.parallel.last() {
                let what = |what: &str| name(&format!("{} on {n} threads, {what}", word(who)));
                let each = timings[who].tasks as f64 / *n as f64;
                ours.push(Figure::new(what("tasks per thread"), each, ""));
                ours.push(Figure::new(what("idle share"), timings[who].idle(), ""));
            }
        }
        for (who, tree) in self.trees.iter().enumerate() {
            let method = ["spcd", "epcd, all edges handed down"][who];
            for (n, up) in PROCESSORS.into_iter().zip(tree.speed_ups()) {
                let what = format!("{method} by the model on {n} processors");
                ours.push(Figure::new(name(&what), up, "×").paper(beside(n == 4, who)));
            }
            let what = name(&format!("{method}, work over critical path"));
            ours.push(Figure::new(what, tree.parallelism(), "×"));
        }
        ours
    }
}

/// A method of [`competitors`] in words.
fn word(who: usize) -> String {
    match who {
        0 => "box-box".to_owned(),
        _ => format!("edge-box, {}", handed(HANDED[who - 1])),
    }
}

/// Draws the conclusion. `parts` is indexed by [`ASKED`], then by scene.
fn conclude(parts: &[Vec<Part>], cores: usize, scene: Scene) -> Outcome {
    let (mut statements, mut ours) = (Vec::new(), Vec::new());
    for (asked, scenes) in ASKED.into_iter().zip(parts) {
        statements.push(scales(asked, scenes, cores));
        for ((number, part), paper) in (1..).zip(scenes).zip(PAPER) {
            ours.extend(part.figures(&|what| format!("scene {number}, {asked}: {what}"), paper));
        }
    }
    statements.extend(ASKED.into_iter().zip(parts).map(|(asked, scenes)| fewer(asked, scenes)));
    Outcome::several(statements, ours, scene)
}

/// Whether edge-box scales better: with both sets of edges, in all scenes, for all seeds.
fn scales(asked: &str, scenes: &[Part], cores: usize) -> Statement {
    let readings = (1..METHODS).map(|who| {
        let gains: Vec<Ratios> = scenes.iter().map(|part| part.gain(who)).collect();
        let text: Vec<String> = gains.iter().map(Ratios::text).collect();
        let text = format!("{}: {}", handed(HANDED[who - 1]), text.join(", "));
        (Ratios::verdict(&gains, Ordering::Greater), text)
    });
    let (verdicts, texts): (Vec<Verdict>, Vec<String>) = readings.unzip();
    let shortest = scenes.iter().map(Part::shortest).fold(f64::INFINITY, f64::min);
    let agree = verdicts.iter().all(|verdict| *verdict == verdicts[0]);
    let (verdict, why) = if cores < ENOUGH_CORES {
        (
            Verdict::Unrunnable,
            format!("The paper has {ENOUGH_CORES} processors, here are {cores}. "),
        )
    } else if shortest < LONG {
        (Verdict::Untold, "A serial query takes less than 100 ms. ".to_owned())
    } else if agree {
        (verdicts[0], String::new())
    } else {
        (Verdict::Untold, "It turns with the edges handed down. ".to_owned())
    };
    let most = scenes.iter().filter_map(|part| part.parallel.last()).map(|(n, _)| *n).max();
    let model: Vec<String> = scenes
        .iter()
        .map(|part| {
            let [boxes, edges] = [0, 1].map(|who| part.trees[who].speed_ups()[0]);
            format!("{edges:.2} against {boxes:.2}")
        })
        .collect();
    let reason = format!(
        "{why}Speed-up of edge-box over that of box-box on {} threads in scenes 1 to 3, the mean \
         over seeds and its range (paper, on four: 1.15, 1.09, 1.30): {}. The shortest serial query \
         takes {:.0} ms. By the work-span model on four processors, all edges handed down, edge-box \
         gains {}.",
        most.unwrap_or(0),
        texts.join("; "),
        shortest / 1e6,
        model.join(", ")
    );
    Statement::new(format!("edge-box scales better: {asked}"), verdict, reason)
}

/// Whether edge-box makes fewer tasks in all scenes; counted, so any machine decides.
fn fewer(asked: &str, scenes: &[Part]) -> Statement {
    let ratios: Vec<f64> = scenes.iter().map(Part::tasks).collect();
    let shares: Vec<String> = ratios.iter().map(|ratio| format!("{ratio:.4}")).collect();
    let reason = format!(
        "Tasks of edge-box over those of box-box, serial, in scenes 1 to 3: {}.",
        shares.join(", ")
    );
    let verdict = Verdict::of(ratios.iter().all(|ratio| *ratio < 1.0));
    Statement::new(format!("edge-box makes fewer tasks: {asked}"), verdict, reason)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::tiny;

    #[test]
    fn scenes_grow_until_queries_are_long_enough() {
        assert_eq!([0.9, 0.5, 0.01].map(|share| grown(1_000, share)), [1_444, 2_600, 4_000]);
        let serial = [Competitor::new("sstcd", sstcd_with(Form::THESIS.boxes()))];
        let sizes = |goal: f64| {
            let draw = Draw { triangles: 300, seeds: vec![1], steps: 8, kept: [1, 0] };
            let of = (FanScene::ALL[1], draw);
            let ask = Ask::first_contact();
            let (triangles, asked) =
                long_enough(&serial, of, (false, &ask), goal, Listener::NONE).expect("a scene");
            assert_eq!(asked.steps.len(), 1);
            triangles
        };
        let (first, larger) = (sizes(0.0), sizes(1e15));
        // Four times as many, four times.
        assert!(larger > 100 * first, "{first} {larger}");
    }

    #[test]
    fn it_runs() {
        let outcome = tiny(run);
        assert!(outcome.ours.iter().all(|figure| figure.value.is_some_and(|value| value >= 0.0)));
        assert_eq!(
            outcome.ours.iter().filter(|figure| figure.name.contains(": tasks,")).count(),
            27
        );
        assert_eq!(outcome.statements.len(), 2 * ASKED.len());
        // At this size serial queries are short: speed-ups are printed and decide nothing.
        let decided = [Verdict::Holds, Verdict::Fails];
        assert!(outcome.verdicts()[..3].iter().all(|verdict| !decided.contains(verdict)));
        assert!(outcome.verdicts()[3..].iter().all(|verdict| decided.contains(verdict)));
    }

    /// A part whose speed-ups on the most threads are these, for two seeds.
    fn part(serial: f64, boxes: f64, edges: [f64; 2], tasks: u64) -> Part {
        let timing = |least: [f64; 2], tasks| Timing {
            least: least.to_vec(),
            passes: least.map(|time| vec![time]).to_vec(),
            tasks,
            ..Timing::default()
        };
        let edge = timing(edges.map(|gain| serial / gain), tasks);
        Part {
            serial: vec![
                timing([serial; 2], 100),
                timing([serial; 2], tasks),
                timing([serial; 2], tasks),
            ],
            parallel: vec![(4, vec![timing([serial / boxes; 2], 100), edge.clone(), edge])],
            trees: [TaskTree::default(); 2],
        }
    }

    #[test]
    fn edge_box_must_scale_better_on_enough_cores_and_long_queries() {
        let verdict = |third: Part, cores| {
            let scenes = [part(2e8, 2.0, [2.5, 2.6], 9), part(2e8, 2.0, [2.5, 2.6], 9), third];
            conclude(&[scenes.to_vec()], cores, Scene::default()).verdicts()[0]
        };
        assert_eq!(verdict(part(2e8, 2.0, [2.5, 2.6], 9), 4), Verdict::Holds);
        assert_eq!(verdict(part(2e8, 2.0, [1.5, 1.6], 9), 4), Verdict::Fails);
        assert_eq!(verdict(part(2e8, 2.0, [2.5, 1.6], 9), 4), Verdict::Untold, "seeds disagree");
        assert_eq!(verdict(part(2e8, 2.0, [2.01, 2.01], 9), 4), Verdict::Untold, "noise");
        assert_eq!(verdict(part(2e7, 2.0, [2.5, 2.6], 9), 4), Verdict::Untold, "too short");
        assert_eq!(verdict(part(2e8, 2.0, [2.5, 2.6], 9), 2), Verdict::Unrunnable);
        let mut turns = part(2e8, 2.0, [2.5, 2.6], 9);
        turns.parallel[0].1[2].passes = vec![vec![2e8]; 2];
        assert_eq!(verdict(turns, 4), Verdict::Untold, "one set of edges scales, one does not");
        // Edge-box on threads is quicker in a pass that no other has.
        let mut more = part(2e8, 2.0, [2.0, 2.0], 9);
        for timing in &mut more.parallel[0].1[1..] {
            timing.passes.iter_mut().for_each(|passes| passes.push(1e6));
        }
        assert_eq!(verdict(more, 4), Verdict::Untold, "the same in as many passes");
    }

    #[test]
    fn tasks_are_decided_on_any_machine() {
        let verdict = |tasks| {
            let scenes = vec![part(1.0, 1.0, [1.0, 1.0], 50), part(1.0, 1.0, [1.0, 1.0], tasks)];
            conclude(&[scenes], 1, Scene::default()).verdicts()[1]
        };
        assert_eq!(verdict(50), Verdict::Holds);
        assert_eq!(verdict(100), Verdict::Fails);
    }
}
