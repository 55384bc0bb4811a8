//! The verdicts and figures of F1.

use super::f1_images_and_rapid::{Group, Point};
use super::fan_image::{Work, told};
use super::outcome::{Figure, Outcome, Plot, Scene, Statement, Verdict, listed};

const SCENES: [&str; 2] = ["130 movers", "moving hand"];
const GROUPS: [&str; 2] = ["apart", "colliding"];
const WORDS: [&str; 3] = ["ibcd", "recode", "obbtree"];

/// The conclusion from the points of both scenes, from few triangles to many.
pub(crate) fn conclude(points: &[Vec<Point>; 2], scene: Scene) -> Outcome {
    let (mut statements, mut ours, mut plots) = (Vec::new(), Vec::new(), Vec::new());
    for (points, name) in points.iter().zip(SCENES) {
        for which in [0, 1] {
            statements.extend(stated(points, name, which));
            plots.push(plot(points, name, which));
        }
        for point in points {
            ours.extend(figures(point, name));
        }
    }
    Outcome::several(statements, ours, scene).with(plots)
}

/// The verdicts for the pairs apart (0) or colliding (1) of a scene: ahead at every size, and more
/// so at the largest than at the smallest.
fn stated(points: &[Point], scene: &str, which: usize) -> [Statement; 2] {
    let groups: Vec<&Group> = points.iter().map(|point| &point.groups[which]).collect();
    let ratios = groups.iter().map(|group| group.fixed[0].pictures / group.fixed[1].pictures);
    let all: Vec<f64> = groups.iter().flat_map(|group| drawn(group.readings())).collect();
    let span = all.iter().fold([f64::INFINITY, 0.0_f64], |[a, b], &r| [a.min(r), b.max(r)]);
    let times = groups.iter().map(|group| group.times[0] / group.times[1]);
    let ahead = ahead(&groups);
    let reason = format!(
        "Pictures of ibcd over those of recode, from few triangles to many: {}; over both sizes of \
         viewports and both halves of the steps {:.2} to {:.2}. Times, drawn in software: {}. Below \
         0.97 in every reading at every size it holds; at a size where all readings are above, it does \
         not; else it cannot be told.",
        listed(ratios),
        span[0],
        span[1],
        listed(times)
    );
    let change: Vec<f64> = match (groups.first(), groups.last()) {
        (Some(first), Some(last)) if groups.len() > 1 => {
            last.readings().iter().zip(first.readings()).map(|(m, n)| m / n).collect()
        }
        _ => Vec::new(),
    };
    let grows = format!(
        "That ratio at the most triangles over that at the fewest, in each reading (fixed, pixels per \
         unit, first half, second half): {}.",
        listed(change.iter().copied())
    );
    let about = format!("{scene}, pairs {}: ibcd draws fewer pictures than recode", GROUPS[which]);
    let more = format!("{scene}, pairs {}: the more so the more triangles", GROUPS[which]);
    let Some(size) = points.iter().find(|point| point.groups[which].queries == 0) else {
        return [
            Statement::new(about, ahead, reason),
            Statement::new(more, told(&drawn(change)), grows),
        ];
    };
    let none = format!("No pair is {} at {} triangles.", GROUPS[which], size.triangles);
    [about, more].map(|text| Statement::new(text, Verdict::Unrunnable, none.clone()))
}

/// The readings in which something was drawn: a half of the steps may have no such pair.
fn drawn(readings: Vec<f64>) -> Vec<f64> {
    readings.into_iter().filter(|ratio| !ratio.is_nan()).collect()
}

fn ahead(groups: &[&Group]) -> Verdict {
    let each: Vec<Verdict> = groups.iter().map(|group| told(&drawn(group.readings()))).collect();
    if each.contains(&Verdict::Fails) {
        Verdict::Fails
    } else if each.contains(&Verdict::Untold) {
        Verdict::Untold
    } else if each.contains(&Verdict::Unrunnable) || each.is_empty() {
        Verdict::Unrunnable
    } else {
        Verdict::Holds
    }
}

/// The share of hits at which both cost the same, from the costs of `ibcd` and `recode` per pair
/// apart and per pair colliding: 0 if `ibcd` never costs less, 1 if it never costs more.
fn break_even(apart: [f64; 2], colliding: [f64; 2]) -> f64 {
    let (saved, lost) = (apart[1] - apart[0], colliding[0] - colliding[1]);
    // Of equal signs: ahead on pairs apart only, or on colliding pairs only.
    if saved > 0.0 && lost <= 0.0 {
        1.0
    } else if saved <= 0.0 && lost >= 0.0 {
        0.0
    } else {
        saved / (saved + lost)
    }
}

fn figures(point: &Point, scene: &str) -> Vec<Figure> {
    let name = |what: &str| format!("{scene}, {} triangles: {what}", point.triangles);
    let mut ours = vec![Figure::new(name("share of hits"), 100.0 * point.share(), "%")];
    let per = |sum: f64, count: usize| sum / count.max(1) as f64;
    let pictures = |group: &Group| group.fixed.map(|work| per(work.pictures, group.queries));
    let time = |group: &Group| [0, 1].map(|k| per(group.times[k], group.timed));
    let [apart, colliding] = &point.groups;
    let even = 100.0 * break_even(pictures(apart), pictures(colliding));
    ours.push(Figure::new(name("share of hits at which pictures are equal"), even, "%"));
    if apart.timed > 0 && colliding.timed > 0 {
        let even = 100.0 * break_even(time(apart), time(colliding));
        ours.push(Figure::new(name("share of hits at which times are equal"), even, "%"));
    }
    for (group, verdict) in point.groups.iter().zip(GROUPS).filter(|(group, _)| group.queries > 0) {
        for k in [0, 1] {
            let name = |what: &str| name(&format!("{} {what}, pairs {verdict}", WORDS[k]));
            let mut add = |what: &str, sum: f64| {
                ours.push(Figure::new(name(what), per(sum, group.queries), "a query"));
            };
            add("pictures", group.fixed[k].pictures);
            add("vertices sent", group.fixed[k].vertices);
            add("pixels", group.fixed[k].pixels);
            add("pictures at pixels per unit", group.dense[k].pictures);
            add("pixels at pixels per unit", group.dense[k].pixels);
        }
        for (k, word) in WORDS.into_iter().enumerate().filter(|_| group.timed > 0) {
            let ms = per(group.times[k], group.timed) / 1e6;
            ours.push(Figure::new(name(&format!("{word}, pairs {verdict}")), ms, "ms"));
        }
    }
    for k in [0, 1] {
        let share = 100.0 * point.wrong[k] as f64 / point.queries().max(1) as f64;
        let what = format!("{} answers otherwise than obbtree", WORDS[k]);
        ours.push(Figure::new(name(&what), share, "%"));
    }
    if point.settled[1] > 0 {
        let share = 100.0 * point.settled[0] as f64 / point.settled[1] as f64;
        ours.push(Figure::new(name("hits of solids with a pair settled by the image"), share, "%"));
    }
    ours
}

fn plot(points: &[Point], scene: &str, which: usize) -> Plot {
    let across = points.iter().map(|point| point.triangles as f64).collect();
    let title = format!("{scene}, pairs {}: pictures a query over triangles", GROUPS[which]);
    (0..2).fold(Plot::lines(title, across), |plot, k| {
        let values = points.iter().map(|point| {
            let group = &point.groups[which];
            group.fixed[k].pictures / group.queries.max(1) as f64
        });
        plot.curve(WORDS[k], values)
    })
}

impl Work {
    /// Adds the work of a query.
    pub(crate) fn add(&mut self, other: &Self) {
        self.pictures += other.pictures;
        self.vertices += other.vertices;
        self.pixels += other.pixels;
        self.tests += other.tests;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(ibcd: f64) -> Group {
        let works = [ibcd, 1.0].map(|pictures| Work { pictures, ..Work::default() });
        Group {
            queries: 1,
            fixed: works,
            dense: works,
            halves: [[ibcd, 1.0]; 2],
            times: [ibcd, 1.0, 1.0],
            timed: 1,
        }
    }

    fn verdicts(apart: [f64; 2], colliding: [f64; 2]) -> Vec<Verdict> {
        let point =
            |k: usize| Point { groups: [group(apart[k]), group(colliding[k])], ..Point::default() };
        let points = [vec![point(0), point(1)], vec![point(0), point(1)]];
        conclude(&points, Scene::default()).verdicts()[..4].to_vec()
    }

    #[test]
    fn hits_and_misses_are_decided_apart_and_so_is_the_growth() {
        use Verdict::{Fails, Holds};
        assert_eq!(verdicts([0.8, 0.5], [7.0, 9.0]), [Holds, Holds, Fails, Fails]);
        assert_eq!(verdicts([0.5, 0.8], [7.0, 5.0]), [Holds, Fails, Fails, Holds]);
        assert_eq!(verdicts([1.5, 0.5], [0.9, 0.8]), [Fails, Holds, Holds, Holds]);
    }

    #[test]
    fn readings_that_differ_cannot_be_told() {
        let mut mixed = group(0.5);
        mixed.dense[0].pictures = 2.0;
        assert_eq!(ahead(&[&mixed, &group(0.5)]), Verdict::Untold);
        assert_eq!(ahead(&[&mixed, &group(1.5)]), Verdict::Fails);
        assert_eq!(ahead(&[]), Verdict::Unrunnable);
        assert_eq!(ahead(&[&Group::default()]), Verdict::Unrunnable, "no query at all");
        let mut early = group(7.0);
        early.halves[1] = [0.0; 2];
        assert_eq!(ahead(&[&early]), Verdict::Fails, "no such pair in the second half");
    }

    #[test]
    fn a_scene_without_such_pairs_decides_nothing_of_them() {
        let of = |colliding: Group| Point { groups: [group(0.5), colliding], ..Point::default() };
        let points = [vec![of(group(7.0)), of(Group::default())], vec![of(group(7.0))]];
        let found = conclude(&points, Scene::default());
        assert_eq!(
            found.verdicts()[..4],
            [Verdict::Holds, Verdict::Fails, Verdict::Unrunnable, Verdict::Unrunnable]
        );
        assert!(found.statements[2].reason.contains("No pair is colliding at 0 triangles"));
        assert_eq!(found.verdicts()[6], Verdict::Fails, "the other scene has some");
    }

    #[test]
    fn at_the_break_even_both_cost_the_same() {
        let (apart, colliding) = ([1.0, 4.0], [60.0, 8.0]);
        let share = break_even(apart, colliding);
        let cost = |k: usize| share * colliding[k] + (1.0 - share) * apart[k];
        assert!((cost(0) - cost(1)).abs() < 1e-12 && (0.05..0.06).contains(&share), "{share}");
        assert_eq!(break_even([1.0, 4.0], [1.0, 8.0]), 1.0);
        assert_eq!(break_even([5.0, 4.0], [9.0, 8.0]), 0.0);
        let share = break_even([5.0, 4.0], [7.0, 8.0]);
        assert_eq!(share, 0.5);
    }
}
