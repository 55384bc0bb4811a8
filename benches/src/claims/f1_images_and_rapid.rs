//! F1: *IBCD beats RECODE on the same scene, more so as triangles grow, and is compared with RAPID*
//! (fan fig. 2-17 to 2-19).

use impinge::query::Ask;
use impinge_benches::harness::{NOISE, Timing, Workload};
use impinge_benches::progress::Listener;

use super::fan_image::{self, CHOSEN, HAND, MOVERS};
use super::outcome::{Effort, Figure, Outcome, Plot, Scene, listed, sized};

const NAMES: [&str; 2] = ["130 movers", "moving hand"];
const WORDS: [&str; 3] = ["ibcd", "recode", "obbtree"];

/// One scene at one size, for `ibcd`, `recode`, `obbtree`.
#[derive(Clone, Debug, PartialEq)]
struct Point {
    triangles: usize,
    /// Mean time of a step, in nanoseconds.
    means: [f64; 3],
    /// Time of `ibcd` over `recode` in steps without hits; `None` if there are no such steps.
    quiet: Option<f64>,
    /// Queries in which a sampled form disagrees with `obbtree`, and all queries.
    wrong: [usize; 2],
    queries: usize,
}

/// Runs the experiment.
pub(crate) fn run(effort: &Effort, listener: Listener<'_>) -> Result<Outcome, String> {
    let sizes: [&[usize]; 2] = effort.pick(
        [&[244], &[244, 400]],
        [&[250, 500], &[500, 2_000]],
        [&[250, 500, 1_000, 2_000], &[500, 1_000, 2_000, 4_000]],
    );
    let steps = effort.pick([1, 2], [2, 20], [2, 60]);
    let passes = effort.pick(2, 2, 3);
    let mut scene = Scene::new(format!(
        "{MOVERS}{HAND}{CHOSEN} The thesis averages over 1,000 steps; here {} and {}, each the least \
         of {passes} passes after one that is not timed. That its pairs are asked one after another \
         until one collides is what recode does; ibcd draws a level of its hierarchies at a time.",
        steps[0], steps[1]
    ));
    let three = fan_image::three();
    let mut points: [Vec<Point>; 2] = [Vec::new(), Vec::new()];
    for (which, points) in points.iter_mut().enumerate() {
        for &size in sizes[which] {
            let make = [fan_image::movers, fan_image::hand][which];
            let asked = make(size, steps[which], effort.seed)?;
            let found = fan_image::times(&three, &asked, &Ask::first_contact(), passes, listener)?;
            let name = format!("{}, {size} a body", NAMES[which]);
            scene = sized(scene, &name, &asked, &found[2]);
            points.push(Point::new(&asked, &found));
        }
    }
    Ok(conclude(&points, scene))
}

impl Point {
    fn new(asked: &Workload, found: &[Timing]) -> Self {
        let mut hits = found[2].hit.iter();
        let quiet: Vec<usize> = (0..asked.steps.len())
            .filter(|&at| {
                hits.by_ref().take(asked.steps[at].len()).filter(|hit| **hit).count() == 0
            })
            .collect();
        let sum = |k: usize| quiet.iter().map(|&at| found[k].least[at]).sum::<f64>();
        Self {
            quiet: (!quiet.is_empty()).then(|| sum(0) / sum(1)),
            triangles: asked.triangles,
            means: [0, 1, 2].map(|k| found[k].mean()),
            wrong: [0, 1].map(|k| found[k].unlike(&found[2])),
            queries: found[2].hit.len(),
        }
    }

    /// Time of `ibcd` over `recode`.
    fn ratio(&self) -> f64 {
        self.means[0] / self.means[1]
    }
}

/// The figures of one scene, and its plot.
fn figures(points: &[Point], scene: &str) -> (Vec<Figure>, Plot) {
    let mut ours = Vec::new();
    for point in points {
        let name = |what: &str| format!("{scene}, {} triangles: {what}", point.triangles);
        ours.push(Figure::new(name("ibcd over recode"), point.ratio(), "×"));
        if let Some(quiet) = point.quiet {
            ours.push(Figure::new(name("ibcd over recode, steps without a hit"), quiet, "×"));
        }
        for (k, word) in WORDS.into_iter().enumerate().take(2) {
            let over = point.means[k] / point.means[2];
            ours.push(Figure::new(name(&format!("{word} over obbtree")), over, "×"));
            let share = 100.0 * point.wrong[k] as f64 / point.queries.max(1) as f64;
            let what = format!("{word} answers otherwise than obbtree");
            ours.push(Figure::new(name(&what), share, "%"));
        }
        for (k, word) in WORDS.into_iter().enumerate() {
            let ms = point.means[k] / 1e6;
            ours.push(Figure::new(name(&format!("{word}, a step")), ms, "ms"));
        }
    }
    let across = points.iter().map(|point| point.triangles as f64).collect();
    let title = format!("{scene}: mean time of a step in ms over triangles of all bodies");
    let plot = WORDS.into_iter().enumerate().fold(Plot::lines(title, across), |plot, (k, word)| {
        plot.curve(word, points.iter().map(|point| point.means[k] / 1e6))
    });
    (ours, plot)
}

fn conclude(points: &[Vec<Point>; 2], scene: Scene) -> Outcome {
    let (mut ours, mut plots) = (Vec::new(), Vec::new());
    for (points, name) in points.iter().zip(NAMES) {
        let (figures, plot) = figures(points, name);
        ours.extend(figures);
        plots.push(plot);
    }
    let beats = |points: &[Point]| points.iter().all(|point| point.ratio() < 1.0 - NOISE);
    let grows = |points: &[Point]| match points {
        [first, .., last] => last.ratio() < first.ratio() * (1.0 - NOISE),
        _ => true,
    };
    let holds = points.iter().all(|points| beats(points) && grows(points));
    let part = |which: usize| {
        let all = &points[which];
        format!(
            "{}: {} × ({}, and from the fewest to the most that share {}); over obbtree {} ×",
            NAMES[which],
            listed(all.iter().map(Point::ratio)),
            if beats(all) { "it wins every time" } else { "it does not win every time" },
            if grows(all) { "falls" } else { "does not fall" },
            listed(all.iter().map(|point| point.means[0] / point.means[2])),
        )
    };
    let reason = format!(
        "ibcd takes, of recode's time, from few triangles to many: {}. {}. Where nothing collides in \
         scene 2: {} ×. Differences below {:.0} % count as none. Both end at the first collision that \
         they see, recode after a few pictures of single parts, ibcd after pictures of ever smaller \
         hulls. In software a picture costs what its pixels and triangles cost; what hardware would \
         give was not measured.",
        part(0),
        part(1),
        listed(points[1].iter().filter_map(|point| point.quiet)),
        100.0 * NOISE
    );
    Outcome::ran(holds, reason, ours, scene).with(plots)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::{Verdict, tiny};

    #[test]
    fn it_runs() {
        let outcome = tiny(run);
        assert!(outcome.ours.iter().all(|figure| figure.value.is_some()));
        assert_eq!(outcome.plots.len(), 2);
    }

    #[test]
    fn the_advantage_must_be_there_in_both_scenes_and_grow() {
        let point = |ratio: f64| Point {
            triangles: 1,
            means: [ratio, 1.0, 1.0],
            quiet: None,
            wrong: [0, 0],
            queries: 1,
        };
        let verdict = |movers: [f64; 2], hand: [f64; 2]| {
            let points = [movers, hand].map(|list| list.map(point).to_vec());
            conclude(&points, Scene::default()).verdict()
        };
        assert_eq!(verdict([0.8, 0.5], [0.9, 0.4]), Verdict::Holds);
        assert_eq!(verdict([0.8, 0.79], [0.9, 0.4]), Verdict::Fails);
        assert_eq!(verdict([0.8, 0.5], [1.1, 0.4]), Verdict::Fails);
        assert_eq!(verdict([0.8, 0.5], [0.4, 0.9]), Verdict::Fails);
    }
}
