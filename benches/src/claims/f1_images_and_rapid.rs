//! F1: *IBCD beats RECODE on the same scene, more so as triangles grow, and is compared with RAPID*
//! (fan fig. 2-17 to 2-19). Counted pictures decide, for pairs that collide and pairs apart.

use impinge::image::{Drawing, Params, ibcd_with, recode_with};
use impinge::query::{Ask, Certainty};
use impinge_benches::harness::{Competitor, Workload};
use impinge_benches::progress::Listener;

use super::f1_report::conclude;
use super::fan_image::{self, CHOSEN, DENSITY, HAND, MOST, MOVERS, Work};
use super::outcome::{Effort, Outcome, Scene};

/// Counts and times of `ibcd`, `recode` and, of times, `obbtree`, over the queries of one verdict.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Group {
    pub(crate) queries: usize,
    /// Sums of `ibcd` and `recode`, at fixed sizes of viewports and at pixels per unit.
    pub(crate) fixed: [Work; 2],
    pub(crate) dense: [Work; 2],
    /// Pictures at fixed sizes in the first and the second half of the steps.
    pub(crate) halves: [[f64; 2]; 2],
    /// Sums of times in nanoseconds, and the number of timed queries.
    pub(crate) times: [f64; 3],
    pub(crate) timed: usize,
}

impl Group {
    /// Pictures of `ibcd` over those of `recode`, in every reading; NaN where nothing was drawn.
    pub(crate) fn readings(&self) -> Vec<f64> {
        let whole = [&self.fixed, &self.dense].map(|pair| pair[0].pictures / pair[1].pictures);
        let halves = self.halves.map(|[ibcd, recode]| ibcd / recode);
        whole.into_iter().chain(halves).collect()
    }
}

/// One scene at one size.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Point {
    pub(crate) triangles: usize,
    /// Of pairs apart, and of pairs that collide, as `obbtree` answers.
    pub(crate) groups: [Group; 2],
    /// Queries in which `ibcd` and `recode` in sampled form answer otherwise.
    pub(crate) wrong: [usize; 2],
    /// Of sampled hits as solids: those for which certified `ibcd` settled a pair, and all.
    pub(crate) settled: [usize; 2],
}

impl Point {
    pub(crate) fn queries(&self) -> usize {
        self.groups.iter().map(|group| group.queries).sum()
    }

    /// Share of hits.
    pub(crate) fn share(&self) -> f64 {
        self.groups[1].queries as f64 / self.queries().max(1) as f64
    }
}

/// Runs the experiment.
pub(crate) fn run(effort: &Effort, listener: Listener<'_>) -> Result<Outcome, String> {
    let sizes: [&[usize]; 2] = effort.pick(
        [&[244], &[244, 400]],
        [&[250, 500], &[500, 2_000]],
        [&[250, 500, 1_000, 2_000], &[500, 1_000, 2_000, 4_000]],
    );
    let [flown, asked_of] = effort.pick([10, 2], [1_000, 2], [1_000, 8]);
    let walked = effort.pick(12, 100, 1_000);
    let mut scene = Scene::new(format!(
        "{MOVERS}{HAND}{CHOSEN} Beside it: {DENSITY} pixels per unit, at most {MOST} a side. Scene 1: \
         {asked_of} steps, evenly spread over a flight of {flown}; scene 2: {walked} steps, all asked; \
         the thesis averages over 1,000. Counts are of all these queries, times of every eighth, the \
         least of 2 passes. recode draws one pair after another, in batches, until one collides; ibcd \
         a level of its hierarchies at a time. recode sends plain lists, ibcd strips."
    ));
    let mut points = [Vec::new(), Vec::new()];
    for (which, points) in points.iter_mut().enumerate() {
        for (done, &size) in sizes[which].iter().enumerate() {
            listener.stage("sizes", done, sizes[which].len());
            let asked = match which {
                0 => fan_image::movers(size, [flown, asked_of], effort.seed)?,
                _ => fan_image::hand(size, walked, effort.seed)?,
            };
            let point = measure(&asked, (effort.pick(1, 8, 8), effort.drawing), listener)?;
            let name = format!("scene {}, {size} a body", which + 1);
            scene = scene
                .count(format!("{name}: triangles"), point.triangles)
                .count(format!("{name}: queries"), point.queries())
                .count(format!("{name}: queries with a hit"), point.groups[1].queries);
            points.push(point);
        }
    }
    Ok(conclude(&points, scene))
}

fn measure(
    asked: &Workload,
    (stride, drawing): (usize, Drawing),
    listener: Listener<'_>,
) -> Result<Point, String> {
    let ask = Ask::first_contact();
    let three = fan_image::three(Drawing::Software);
    let dense = fan_image::dense();
    let others = [
        Competitor::new("ibcd, dense", ibcd_with(dense)),
        Competitor::new("recode, dense", recode_with(dense)),
    ];
    let truth = fan_image::work(&three[2], asked, &ask)?;
    let mut point = Point { triangles: asked.triangles, ..Point::default() };
    for &(hit, _) in &truth {
        point.groups[usize::from(hit)].queries += 1;
    }
    for k in [0, 1] {
        let found = fan_image::work(&three[k], asked, &ask)?;
        for (at, ((hit, _), (seen, work))) in truth.iter().zip(&found).enumerate() {
            let group = &mut point.groups[usize::from(*hit)];
            group.fixed[k].add(work);
            group.halves[usize::from(2 * at >= truth.len())][k] += work.pictures;
            point.wrong[k] += usize::from(hit != seen);
        }
        let found = fan_image::work(&others[k], asked, &ask)?;
        for ((hit, _), (_, work)) in truth.iter().zip(&found) {
            point.groups[usize::from(*hit)].dense[k].add(work);
        }
    }
    let some = fan_image::sample(asked, stride);
    let timed = fan_image::three(drawing);
    let found = fan_image::times(&timed, &some, &ask, 2, listener)?;
    for (at, &hit) in found[2].hit.iter().enumerate() {
        let group = &mut point.groups[usize::from(hit)];
        group.timed += 1;
        for (sum, timing) in group.times.iter_mut().zip(&found) {
            *sum += timing.least[at];
        }
    }
    point.settled = settled(&some)?;
    Ok(point)
}

/// Of the hits as solids: those in which certified `ibcd` has a point as proof, and all.
fn settled(asked: &Workload) -> Result<[usize; 2], String> {
    let params = Params { largest: fan_image::params().largest, ..Params::default() };
    let one = Competitor::new("ibcd", ibcd_with(params));
    let (models, mut ready) = (one.prepare(asked)?, one.ready(asked.pairs));
    let ask = Ask::first_contact().solids();
    let mut found = [0, 0];
    for query in asked.steps.iter().flatten() {
        ready.ask(&models, query, &ask)?;
        if ready.answer.verdict.is_hit() {
            let proved =
                matches!(ready.answer.certainty, Certainty::Certified { settled: 1.., .. });
            found = [found[0] + usize::from(proved), found[1] + 1];
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::tiny;

    #[test]
    fn it_runs() {
        let outcome = tiny(run);
        assert!(outcome.ours.iter().all(|figure| figure.value.is_some()), "{:?}", outcome.ours);
        assert_eq!((outcome.plots.len(), outcome.statements.len()), (4, 8));
    }

    #[test]
    fn counts_are_the_same_in_two_runs() {
        let asked = fan_image::hand(244, 6, 1).expect("a scene");
        let run = || {
            let mut point =
                measure(&asked, (2, Drawing::Software), Listener::NONE).expect("it runs");
            point.groups.iter_mut().for_each(|group| group.times = [0.0; 3]);
            point
        };
        let found = run();
        assert_eq!(found, run());
        assert_eq!(found.queries(), 6);
        assert!(found.groups.iter().any(|group| group.fixed[0].pictures > 0.0));
    }
}
