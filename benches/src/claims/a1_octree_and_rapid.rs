//! A1: *octree, AABB trees and fronts beat RAPID, more so with more overlapping pairs, with little
//! variation* (anthology 2 §3).
//!
//! Two teapots, ten poses with growing numbers of contacts, all contacts; the octree counts. The
//! method as printed, with kept trees, and with kept trees after coherent steps, each against
//! `obbtree`.

use impinge::Method;
use impinge::scene::front::OctreeFrontParams;
use impinge_benches::harness::{Competitor, NOISE, Rules, Timing, compete};
use impinge_benches::progress::Listener;

use super::outcome::{Effort, Figure, Outcome, Plot, Scene, Statement, Verdict, above_one, listed};
use super::teapots::{PATCH, Teapots, form};

/// Poses in the paper.
const POSES: usize = 10;
/// Steps before each pose, and how far each comes nearer. Unit: length of a teapot.
const COHERENT: (usize, f64) = (20, 0.001);
/// "Little variation": the greatest time of all poses is at most so many times the least.
const STEADY: f64 = 2.0;
/// The paper's time at most overlapping pairs, in milliseconds.
const PAPER: f64 = 18.4;

/// One way to run the method, beside `obbtree`: nanoseconds of each pose, from all passes, and from
/// the odd and the even ones alone.
struct Reading {
    name: &'static str,
    own: [Vec<f64>; 3],
    rapid: [Vec<f64>; 3],
}

impl Reading {
    /// The last of every `every` steps of two timings.
    fn new(name: &'static str, own: &Timing, rapid: &Timing, every: usize) -> Self {
        let of = |timing: &Timing| {
            [&timing.least, &timing.halves[0], &timing.halves[1]]
                .map(|times| times.iter().skip(every - 1).step_by(every).copied().collect())
        };
        Self { name, own: of(own), rapid: of(rapid) }
    }

    /// Times of `obbtree` over the method's, of the odd, then of the even passes.
    fn ratios(&self) -> Vec<f64> {
        let of = |k: usize| self.rapid[k].iter().zip(&self.own[k]).map(|(rapid, own)| rapid / own);
        of(1).chain(of(2)).filter(|ratio| ratio.is_finite()).collect()
    }

    /// The same from all passes, by pose.
    fn best(&self) -> Vec<f64> {
        self.rapid[0].iter().zip(&self.own[0]).map(|(rapid, own)| rapid / own).collect()
    }

    /// Ahead at every pose; it is not if `obbtree` is ahead at some pose in both halves.
    fn ahead(&self) -> Verdict {
        let poses = self.own[0].len();
        let at = |pose: usize| {
            let both = self.ratios();
            let of: Vec<f64> = both.iter().skip(pose).step_by(poses).copied().collect();
            above_one(&of, NOISE)
        };
        let verdicts: Vec<Verdict> = (0..poses).map(at).collect();
        if verdicts.iter().all(|verdict| *verdict == Verdict::Holds) {
            Verdict::Holds
        } else if verdicts.contains(&Verdict::Fails) {
            Verdict::Fails
        } else {
            Verdict::Untold
        }
    }

    /// The ratio at the more crowded half of the poses over that at the other.
    fn growth(&self) -> Vec<f64> {
        let ratios = self.ratios();
        let poses = self.own[0].len();
        let halves = ratios.chunks(poses).map(|of| {
            let (few, many) = of.split_at(of.len() / 2);
            mean(many) / mean(few)
        });
        halves.collect()
    }

    fn variation(&self) -> f64 {
        let most = self.own[0].iter().copied().fold(0.0, f64::max);
        most / self.own[0].iter().copied().fold(f64::INFINITY, f64::min)
    }
}

fn mean(list: &[f64]) -> f64 {
    list.iter().sum::<f64>() / list.len() as f64
}

/// Runs the experiment.
pub(crate) fn run(effort: &Effort, listener: Listener<'_>) -> Result<Outcome, String> {
    let patch = effort.pick([3, 3], [10, 6], PATCH);
    let passes = effort.pick(2, 4, 8);
    let poses = effort.pick(4, POSES, POSES);
    listener.stage("placing", 0, 1);
    let teapots = Teapots::new(patch, poses, effort.seed)?;
    let rapid = Competitor::from(Method::ObbTree);
    let forms = [
        form("as printed", OctreeFrontParams::PRINTED),
        form("kept trees", OctreeFrontParams::default()),
    ];
    let (ask, rules) = (Teapots::ask(), Rules::passes(passes));
    let alone = teapots.workload(0, 0.0)?;
    let [printed, kept] = forms;
    let found = compete(&[&rapid, &printed, &kept], &alone, &ask, rules, listener)?;
    let (before, step) = COHERENT;
    let before = effort.pick(3, before, before);
    let coherent = teapots.workload(before, step)?;
    let after = compete(&[&rapid, &kept], &coherent, &ask, rules, listener)?;
    let readings = [
        Reading::new("as printed", &found[1], &found[0], 1),
        Reading::new("kept trees", &found[2], &found[0], 1),
        Reading::new("kept trees, after coherent steps", &after[1], &after[0], before + 1),
    ];
    let contacts: Vec<f64> = teapots.poses.iter().map(|(_, n)| *n as f64).collect();
    let scene = Scene::new(format!(
        "Two of Newell's teapots, 1 long (the paper's have 8,455 vertices; of the teapots that \
         the patches can be cut into, these are nearest in a full run), along a random line at \
         a random orientation: {poses} poses whose contacts are evenly spread among those of {} \
         positions. All contacts; the octree counts. After coherent steps: {before} steps \
         of {step} nearer, of which the last is timed. Ratios are of the least times of {passes} \
         passes.",
        8 * poses
    ))
    .count("vertices of a teapot", teapots.mesh.vertices().len())
    .count("triangles of a teapot", teapots.mesh.triangles().len())
    .count("contacts at the first pose", contacts[0] as usize)
    .count("contacts at the last pose", contacts[poses - 1] as usize);
    Ok(conclude(&readings, &contacts, scene))
}

fn conclude(readings: &[Reading], contacts: &[f64], scene: Scene) -> Outcome {
    let (mut statements, mut ours) = (Vec::new(), Vec::new());
    let mut plot = Plot::lines("all contacts of two teapots, ms, over contacts", contacts.to_vec());
    for reading in readings {
        let Reading { name, own, rapid } = reading;
        let text = |what: &str| format!("{what}: {name}");
        let best = reading.best();
        let reason = format!(
            "obbtree takes {} times as long, from few contacts to many.",
            listed(best.iter().copied())
        );
        statements.push(Statement::new(text("ahead at every pose"), reading.ahead(), reason));
        let growth = reading.growth();
        let reason = format!(
            "The ratio at the poses with more contacts is {} of that at the others (odd and even \
             passes).",
            listed(growth.iter().copied())
        );
        let verdict = above_one(&growth, NOISE);
        statements.push(Statement::new(text("more so with more contacts"), verdict, reason));
        let variation = reading.variation();
        let reason = format!("The greatest time is {variation:.2} times the least.");
        let verdict = Verdict::of(variation <= STEADY);
        statements.push(Statement::new(text("little variation"), verdict, reason));
        let last = |times: &[f64]| times.last().map_or(f64::NAN, |last| last * 1e-6);
        let most = Figure::new(format!("{name}: most contacts"), last(&own[0]), "ms");
        ours.push(most.paper((*name == "as printed").then_some(PAPER)));
        ours.push(Figure::new(format!("obbtree beside {name}"), last(&rapid[0]), "ms"));
        ours.push(Figure::new(format!("{name}: obbtree over it, mean"), mean(&best), "×"));
        plot = plot.curve(name, own[0].iter().map(|ns| ns * 1e-6));
    }
    let rapid = readings.first().map(|reading| reading.rapid[0].clone()).unwrap_or_default();
    plot = plot.curve("obbtree", rapid.into_iter().map(|ns| ns * 1e-6));
    Outcome::several(statements, ours, scene).with(vec![plot])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::tiny;

    #[test]
    fn it_runs() {
        assert_eq!(tiny(run).verdicts().len(), 9);
    }

    #[test]
    fn each_statement_is_decided_by_its_own_figures() {
        let verdicts = |own: [f64; 4], rapid: [f64; 4]| {
            let timing = |times: [f64; 4]| Timing {
                least: times.to_vec(),
                halves: [times.to_vec(), times.to_vec()],
                ..Timing::default()
            };
            let reading = Reading::new("", &timing(own), &timing(rapid), 1);
            conclude(&[reading], &[1.0; 4], Scene::default()).verdicts()
        };
        let (yes, no, untold) = (Verdict::Holds, Verdict::Fails, Verdict::Untold);
        assert_eq!(verdicts([1.0; 4], [2.0, 2.0, 3.0, 4.0]), [yes, yes, yes]);
        assert_eq!(verdicts([1.0, 1.0, 1.0, 2.5], [2.0; 4]), [no, no, no]);
        assert_eq!(verdicts([1.0; 4], [2.0; 4]), [yes, untold, yes]);
        assert_eq!(verdicts([1.0; 4], [2.0, 2.0, 1.01, 2.0])[0], untold);
    }

    #[test]
    fn the_last_of_several_steps_counts() {
        let times = vec![9.0, 1.0, 9.0, 2.0];
        let halves = [times.clone(), times.clone()];
        let timing = Timing { least: times, halves, ..Timing::default() };
        let reading = Reading::new("", &timing, &timing, 2);
        assert_eq!((&reading.own[0], reading.variation()), (&vec![1.0, 2.0], 2.0));
    }
}
