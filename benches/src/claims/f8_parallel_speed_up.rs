//! F8: *the edge-box traversal scales better in parallel than box-box, and makes fewer tasks* (fan
//! table 4-1, §4.4).
//!
//! `spcd` over `sstcd` and `epcd` over `escd` on increasing numbers of threads; and predictions of
//! the work-span model on their task trees, for the paper's number of processors and for more.

use impinge::parallel::Pool;
use impinge::parallel::methods::{
    EdgeBoxParams, SimpleParams, edge_steal, epcd, epcd_with, escd, spcd, spcd_with, sstcd,
};
use impinge::query::Ask;
use impinge_benches::harness::task_tree::{self, PROCESSORS, TaskTree};
use impinge_benches::harness::{Competitor, NOISE, Timing, Workload, compete, ladder};
use impinge_benches::machine;
use impinge_benches::progress::Listener;

use super::fan_parallel::{self, Plan, QUESTIONS};
use super::outcome::{Effort, Figure, Outcome, Scene, Verdict};

/// The paper's speed-ups on four processors: box-box, edge-box.
const PAPER: [[f64; 2]; 3] = [[2.26, 2.59], [2.53, 2.77], [2.05, 2.66]];
const SERIAL: [&str; 2] = ["sstcd", "escd"];
const PARALLEL: [&str; 2] = ["spcd", "epcd"];

/// Box-box and edge-box methods in one scene for one question.
#[derive(Clone, Debug, Default)]
struct Part {
    /// The serial twins.
    serial: [Timing; 2],
    /// Timings by number of threads.
    parallel: Vec<(usize, [Timing; 2])>,
    /// Task trees of spcd, epcd and edge-steal.
    trees: [TaskTree; 3],
}

/// Runs the experiment.
pub(crate) fn run(effort: &Effort, listener: Listener<'_>) -> Result<Outcome, String> {
    let plan = Plan::new(effort);
    let threads = ladder(machine::host(None, None).cores);
    let mut all = vec![Competitor::new("sstcd", sstcd()), Competitor::new("escd", escd())];
    for &n in &threads {
        let pool = Pool::of(n)?;
        let boxes = spcd_with(SimpleParams { pool: pool.clone(), ..SimpleParams::default() });
        let edges = epcd_with(EdgeBoxParams { pool, ..EdgeBoxParams::default() });
        all.push(Competitor::new("spcd", boxes));
        all.push(Competitor::new("epcd", edges));
    }
    let part = |asked: &Workload, ask: &Ask| {
        let timings = compete(&all, asked, ask, plan.rules(), listener)?;
        let mut pairs = timings.chunks_exact(2).map(|two| [two[0].clone(), two[1].clone()]);
        let serial = pairs.next().unwrap_or_default();
        let parallel = threads.iter().copied().zip(pairs).collect();
        let trees = [
            task_tree::grow(&spcd(), asked, ask, plan.passes)?,
            task_tree::grow(&epcd(), asked, ask, plan.passes)?,
            task_tree::grow(&edge_steal(), asked, ask, plan.passes)?,
        ];
        Ok(Part { serial, parallel, trees })
    };
    let about = fan_parallel::about(&plan).count("threads at most", threads[threads.len() - 1]);
    let (parts, scene) = plan.each(about, |part: &Part| &part.serial[0], part)?;
    Ok(conclude(&parts, scene))
}

/// The result of comparing speed-ups in one scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Told {
    /// Edge-box scales better.
    Edges,
    /// Box-box scales better.
    Boxes,
    /// The times are too uncertain.
    Nothing,
}

impl Part {
    fn speed_ups(&self, timings: &[Timing; 2]) -> [f64; 2] {
        [0, 1].map(|k| self.serial[k].mean() / timings[k].mean())
    }

    /// Speed-ups on the largest number of threads.
    fn most(&self) -> [f64; 2] {
        self.parallel.last().map_or([0.0; 2], |(_, timings)| self.speed_ups(timings))
    }

    fn told(&self) -> Told {
        let [boxes, edges] = self.most();
        let timings =
            self.serial.iter().chain(self.parallel.iter().rev().take(1).flat_map(|p| &p.1));
        let noise = timings.map(Timing::noise).sum::<f64>().max(NOISE);
        match edges / boxes {
            ratio if ratio > 1.0 + noise => Told::Edges,
            ratio if ratio < 1.0 / (1.0 + noise) => Told::Boxes,
            _ => Told::Nothing,
        }
    }

    fn fewer_tasks(&self) -> bool {
        self.serial[1].tasks < self.serial[0].tasks
    }

    /// The figures of this part; `paper` holds the paper's speed-ups on four processors.
    fn figures(&self, name: &dyn Fn(&str) -> String, paper: Option<[f64; 2]>) -> Vec<Figure> {
        let mut ours = Vec::new();
        let beside = |on_four: bool, k: usize| paper.filter(|_| on_four).map(|paper| paper[k]);
        for (n, timings) in &self.parallel {
            for (k, up) in self.speed_ups(timings).into_iter().enumerate() {
                let what = format!("{} over {} on {n} threads", PARALLEL[k], SERIAL[k]);
                ours.push(Figure::new(name(&what), up, "×").paper(beside(*n == 4, k)));
            }
        }
        for (k, (tree, word)) in self.trees.iter().zip(["spcd", "epcd", "edge-steal"]).enumerate() {
            for (n, up) in PROCESSORS.into_iter().zip(tree.speed_ups()) {
                let what = format!("{word} by the model on {n} processors");
                ours.push(Figure::new(name(&what), up, "×").paper(beside(n == 4 && k < 2, k)));
            }
            let figure = |what: &str, value, unit| {
                Figure::new(name(&format!("{word}, {what}")), value, unit)
            };
            ours.push(figure("work", tree.work / 1e6, "ms"));
            ours.push(figure("critical path", tree.span / 1e6, "ms"));
            ours.push(figure("parallelism", tree.parallelism(), ""));
        }
        for (k, timing) in self.serial.iter().enumerate() {
            ours.push(Figure::new(name(&format!("tasks, {}", SERIAL[k])), timing.tasks as f64, ""));
        }
        if let Some((n, timings)) = self.parallel.last() {
            for (timing, word) in timings.iter().zip(PARALLEL) {
                let figure = |what: &str, value| {
                    Figure::new(name(&format!("{word} on {n} threads, {what}")), value, "")
                };
                ours.push(figure("tasks per thread", timing.tasks as f64 / *n as f64));
                ours.push(figure("idle share", timing.idle()));
            }
        }
        ours
    }
}

/// Draws the conclusion. `parts` is indexed by scene, then by question.
fn conclude(parts: &[Vec<Part>], scene: Scene) -> Outcome {
    let mut ours = Vec::new();
    for ((number, parts), paper) in (1..).zip(parts).zip(PAPER) {
        for (question, part) in parts.iter().enumerate() {
            let name = |what: &str| format!("scene {number}, {}: {what}", QUESTIONS[question]);
            ours.extend(part.figures(&name, (question == 0).then_some(paper)));
        }
    }
    let first = || parts.iter().filter_map(|both| both.first());
    let fewer = first().all(Part::fewer_tasks);
    let scenes = |wanted: Told| {
        let which = (1..).zip(first()).filter(|(_, part)| part.told() == wanted);
        which.map(|(number, _): (u32, _)| number.to_string()).collect::<Vec<_>>()
    };
    let [edges, boxes, nothing] = [Told::Edges, Told::Boxes, Told::Nothing].map(scenes);
    let verdict = if !fewer || !boxes.is_empty() {
        Verdict::Fails
    } else if nothing.is_empty() {
        Verdict::Holds
    } else {
        Verdict::Untold
    };
    let threads = first().filter_map(|part| part.parallel.last()).map(|(n, _)| *n).max();
    let pairs = |list: &mut dyn Iterator<Item = [f64; 2]>| {
        list.map(|[boxes, edges]| format!("{edges:.2} against {boxes:.2}"))
            .collect::<Vec<_>>()
            .join("; ")
    };
    let on_four = |question: usize| {
        let list = parts.iter().filter_map(move |both| both.get(question));
        list.map(|part| [0, 1].map(|k| part.trees[k].speed_ups()[0]))
    };
    let all = parts.iter().filter_map(|both| both.get(1)).map(Part::most);
    let reason = format!(
        "To the first contact, on {} threads, epcd against spcd gain {} × over their serial twins \
         in scenes 1 to 3 (paper, on four: 2.59 against 2.26; 2.77 against 2.53; 2.66 against \
         2.05): edge-box scales better in {}, box-box in {}, it cannot be told in {}, where the \
         difference is below what two halves of the passes differ by, or {:.0} %. Edge-box makes \
         {} in every scene. All contacts: {} ×. By the work-span model on four processors: first \
         contact {} ×, all contacts {} ×.",
        threads.unwrap_or(0),
        pairs(&mut first().map(Part::most)),
        or_none(&edges),
        or_none(&boxes),
        or_none(&nothing),
        100.0 * NOISE,
        if fewer { "fewer tasks" } else { "not fewer tasks" },
        pairs(&mut { all }),
        pairs(&mut on_four(0)),
        pairs(&mut on_four(1)),
    );
    Outcome::whole(verdict, reason, ours, scene)
}

fn or_none(scenes: &[String]) -> String {
    if scenes.is_empty() { "none".to_owned() } else { scenes.join(" and ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::tiny;

    #[test]
    fn it_runs() {
        let outcome = tiny(run);
        assert!(outcome.ours.iter().all(|figure| figure.value.is_some()));
        assert!(outcome.ours.iter().any(|figure| figure.paper == Some(2.77)));
    }

    #[test]
    fn edge_box_must_scale_better_with_fewer_tasks() {
        let timing = |nanoseconds: f64, noise: f64, tasks| {
            let halves = [nanoseconds, nanoseconds * (1.0 + noise)].map(|half| vec![half]);
            Timing { least: vec![nanoseconds], halves, tasks, ..Timing::default() }
        };
        let part = |boxes: f64, edges: f64, noise, tasks| Part {
            serial: [timing(1.0, 0.0, 100), timing(1.0, 0.0, tasks)],
            parallel: vec![(2, [timing(1.0 / boxes, 0.0, 0), timing(1.0 / edges, noise, 0)])],
            trees: [TaskTree::default(); 3],
        };
        let verdict = |third: Part| {
            let good = || part(1.5, 1.8, 0.0, 50);
            let parts = [good(), good(), third].map(|first| vec![first.clone(), first]);
            conclude(&parts, Scene::default()).verdict()
        };
        assert_eq!(verdict(part(1.5, 1.8, 0.0, 50)), Verdict::Holds);
        assert_eq!(verdict(part(1.5, 1.8, 0.0, 200)), Verdict::Fails);
        assert_eq!(verdict(part(1.5, 1.2, 0.0, 50)), Verdict::Fails);
        assert_eq!(verdict(part(1.5, 1.52, 0.0, 50)), Verdict::Untold);
        assert_eq!(verdict(part(1.5, 1.8, 0.3, 50)), Verdict::Untold);
    }
}
