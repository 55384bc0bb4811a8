//! A6: *an octree scene beats a linear scan, more so with more objects* (anthology 6).
//!
//! Objects in a funnel; one moves among fixed ones, or all move. Tests of boxes are counted and timed.

use std::hint::black_box;
use std::time::Instant;

use impinge::geometry::volume::Aabb;
use impinge::query::{BroadPhase, Cancelled, Control, Objects};
use impinge::scene::broad::{EveryPair, OctreeCounts, OctreeScene, Start, StartCell};
use impinge_benches::harness::{NOISE, take_all_turns};
use impinge_benches::progress::Listener;

use super::funnel::{Density, Funnel, Kind};
use super::outcome::{Effort, Figure, Outcome, Scene, Statement, above_one};

/// How pairs are found.
const WAYS: [&str; 3] = ["octree, remembered cell", "octree from the root", "linear scan"];
/// Movers of which each has a path of its own among the fixed objects.
const PATHS: usize = 10;
/// Which objects move.
const MOVING: [&str; 2] = ["one mover", "all movers"];

/// The work of a way over all steps: looks at cells and tests of boxes, pairs found, and the least times
/// of odd and of even passes in ns.
#[derive(Clone, Copy, Debug, Default)]
struct Work {
    looks: u64,
    tests: u64,
    pairs: u64,
    halves: [f64; 2],
}

/// One size of a scene: its number of objects, pairs of their oriented boxes that the three axes keep, and of
/// these the false hits, which fifteen axes tell apart; the work of each way by what moves, and the steps.
struct Size {
    on_three: u64,
    false_hits: u64,
    objects: usize,
    work: [[Work; WAYS.len()]; MOVING.len()],
    steps: [usize; MOVING.len()],
}

/// The sizes of one kind of objects, ascending.
type Sizes = Vec<Size>;

/// The kinds of objects at one density, by their words.
type Kinds = Vec<(&'static str, Sizes)>;

/// A broad phase of each way, without objects.
fn ways() -> ([OctreeScene; 2], EveryPair) {
    ([Start::Remembered, Start::Root].map(OctreeScene::new), EveryPair::default())
}

/// Writes a time down.
fn least(work: &mut Work, pass: usize, start: Instant) {
    let half = &mut work.halves[pass % 2];
    let took = start.elapsed().as_nanos() as f64;
    *half = if *half == 0.0 { took } else { half.min(took) };
}

/// One object moves among fixed ones, which are taken in before; boxes known in advance.
fn one_mover(funnel: &Funnel, steps: usize, passes: usize) -> Result<[Work; 3], String> {
    let (mut octrees, mut linear) = ways();
    let mut still = funnel.clone();
    let fixed = vec![true; funnel.boxes().len()];
    let paths: Vec<Vec<Aabb>> = (0..PATHS).map(|_| still.path(steps / PATHS)).collect();
    let objects = Objects { boxes: funnel.boxes(), fixed: &fixed };
    for octree in &mut octrees {
        octree.update(&objects, &Control::NONE).map_err(|error| error.to_string())?;
    }
    linear.update(&objects, &Control::NONE).map_err(|error| error.to_string())?;
    let taken_in = octrees.each_ref().map(OctreeScene::counts);
    let (mut work, mut into) = ([Work::default(); WAYS.len()], Vec::new());
    take_all_turns(WAYS.len(), passes, 1, |turn| {
        into.clear();
        let start = Instant::now();
        for path in &paths {
            let mut cell = StartCell::default();
            for one in path {
                match octrees.get_mut(turn.who) {
                    Some(octree) => octree.search(one, &mut cell, &mut into),
                    None => linear.overlapping(one, &mut into),
                }
            }
        }
        least(&mut work[turn.who], turn.pass, start);
        work[turn.who].pairs = black_box(&into).len() as u64;
    });
    for ((work, octree), before) in work.iter_mut().zip(&octrees).zip(taken_in) {
        add(work, octree.counts(), before);
        (work.looks, work.tests) = (work.looks / passes as u64, work.tests / passes as u64);
    }
    work[2].tests = (steps / PATHS * PATHS * fixed.len()) as u64;
    Ok(work)
}

fn add(work: &mut Work, now: OctreeCounts, before: OctreeCounts) {
    work.looks += now.searched + now.visited - before.searched - before.visited;
    work.tests += now.tested - before.tested;
}

/// All objects move; each step takes the boxes in and finds all pairs.
fn all_movers(funnel: &Funnel, steps: usize, passes: usize) -> Result<[Work; 3], String> {
    let mut work = [Work::default(); WAYS.len()];
    let mut failed = None;
    take_all_turns(WAYS.len(), passes, 1, |turn| {
        let (mut moving, mut into, mut found) = (funnel.clone(), Vec::new(), Work::default());
        let (mut octrees, mut linear) = ways();
        let mut spent = 0.0;
        for _ in 0..=steps {
            into.clear();
            let objects = Objects::moving(moving.boxes());
            let start = Instant::now();
            let phase: &mut dyn BroadPhase = match octrees.get_mut(turn.who) {
                Some(octree) => octree,
                None => &mut linear,
            };
            let done = phase.update(&objects, &Control::NONE);
            let done = done.and_then(|()| phase.pairs(&Control::NONE, &mut into));
            failed = failed.take().or(done.err());
            // The first step makes the octree; the paper does not count that.
            if moving.steps() > 0 {
                spent += start.elapsed().as_nanos() as f64;
                found.pairs += into.len() as u64;
                if let Some(octree) = octrees.get(turn.who) {
                    add(&mut found, octree.counts(), OctreeCounts::default());
                }
            }
            moving.advance();
        }
        let n = funnel.boxes().len() as u64;
        let halves = &mut work[turn.who].halves;
        halves[turn.pass % 2] = match halves[turn.pass % 2] {
            0.0 => spent,
            before => before.min(spent),
        };
        let tests = if turn.who == 2 { steps as u64 * n * (n - 1) / 2 } else { found.tests };
        work[turn.who] = Work { halves: work[turn.who].halves, tests, ..found };
    });
    failed.map_or(Ok(work), |error| Err(error.to_string()))
}

/// One mover and all movers, with so many steps and passes; all ways must find as many pairs.
fn measured(funnel: &Funnel, steps: [usize; 2], passes: [usize; 2]) -> Result<Size, String> {
    let work = [one_mover(funnel, steps[0], passes[0])?, all_movers(funnel, steps[1], passes[1])?];
    let objects = funnel.boxes().len();
    for (moving, work) in MOVING.iter().zip(&work) {
        if work.iter().any(|way| way.pairs != work[2].pairs) {
            return Err(format!("{objects} objects, {moving}: the pairs differ: {work:?}"));
        }
    }
    let [on_three, false_hits] = oriented(funnel).map_err(|error| error.to_string())?;
    Ok(Size { on_three, false_hits, objects, work, steps })
}

/// Pairs that the three axes keep, and the false hits among them, where the objects begin.
fn oriented(funnel: &Funnel) -> Result<[u64; 2], Cancelled> {
    let mut octree = OctreeScene::new(Start::Remembered);
    octree.update(&Objects::moving(funnel.boxes()), &Control::NONE)?;
    let hits = octree.oriented(funnel.oriented(), &Control::NONE)?;
    Ok([hits.on_three, hits.false_hits])
}

/// Runs the experiment.
pub(crate) fn run(effort: &Effort, listener: Listener<'_>) -> Result<Outcome, String> {
    let sizes: &[usize] =
        effort.pick(&[100, 300], &[100, 1_000], &[100, 300, 1_000, 3_000, 10_000]);
    let steps = [effort.pick(50, 500, 2_000), effort.pick(3, 5, 5)];
    let passes = [effort.pick(2, 6, 6), 2];
    let mut all = Vec::new();
    for (at, density) in Density::ALL.into_iter().enumerate() {
        let mut kinds = Kinds::new();
        for (k, kind) in Kind::ALL.into_iter().enumerate() {
            listener.stage("moving", 2 * at + k, 2 * Density::ALL.len());
            let most = sizes.iter().copied().max().unwrap_or_default();
            let of = |&objects: &usize| {
                let funnel = Funnel::new(kind, density, [objects, most], effort.seed);
                measured(&funnel, steps, passes)
            };
            kinds.push((kind.word(), sizes.iter().map(of).collect::<Result<_, _>>()?));
        }
        all.push((density, kinds));
    }
    let scene = Scene::new(
        "Objects about 1 long, at random in a funnel of slope 1 that gives each a volume of 3 (dense) or \
         of 30 (loose), or has the size of the dense one with the most objects (one funnel): boxes, or the oriented boxes of model meshes, turned at random. In a step a \
         mover goes straight on by 0.02, and turns back at the funnel's side. One more object moves \
         among fixed ones whose octree is made before; or all move, and taking in the new boxes \
         counts. All ways compare two boxes on the three axes of the world, as the paper does. \
         Nothing is drawn.",
    )
    .count("steps, one mover", steps[0])
    .count("steps, all movers", steps[1])
    .count("passes, one mover", passes[0])
    .count("passes, all movers", passes[1]);
    Ok(conclude(&all, scene))
}

/// What the scan needs over what the octree needs: tests, with looks at cells counted as such, or times
/// of odd and even passes.
fn ratios(size: &Size, moving: usize, timed: bool) -> Vec<f64> {
    let [octree, _, linear] = &size.work[moving];
    if timed {
        return (0..2).map(|half| linear.halves[half] / octree.halves[half]).collect();
    }
    vec![linear.tests as f64 / (octree.looks + octree.tests).max(1) as f64]
}

/// The ratios of all sizes of one kind, and how they change from size to size.
fn both(sizes: &Sizes, moving: usize, timed: bool) -> [Vec<f64>; 2] {
    let found: Vec<Vec<f64>> = sizes.iter().map(|size| ratios(size, moving, timed)).collect();
    let change = |pair: &[Vec<f64>]| -> Vec<f64> {
        pair[1].iter().zip(&pair[0]).map(|(more, few)| more / few).collect()
    };
    let growth = found.windows(2).flat_map(change).collect();
    [found.concat(), growth]
}

fn conclude(all: &[(Density, Kinds)], scene: Scene) -> Outcome {
    let (mut ours, mut statements) = (Vec::new(), Vec::new());
    for (density, kinds) in all {
        for (kind, sizes) in kinds {
            for size in sizes {
                figures(&format!("{} {kind}", density.word()), size, &mut ours);
            }
        }
        for (moving, who) in MOVING.iter().enumerate() {
            for (k, what) in
                ["ahead from 100 objects on", "more so with more objects"].into_iter().enumerate()
            {
                let of = |timed| {
                    let each = kinds.iter().map(|(_, sizes)| both(sizes, moving, timed));
                    each.map(|[all, growth]| if k == 0 { all } else { growth }).collect::<Vec<_>>()
                };
                let (tests, times) = (of(false), of(true));
                let subject =
                    ["The scan over the octree", "From size to size that ratio changes"][k];
                let reason = format!(
                    "{subject}, {}: by tests {}; by time {}, which {}.",
                    kinds.iter().map(|(kind, _)| *kind).collect::<Vec<_>>().join(" and "),
                    ranges(&tests),
                    ranges(&times),
                    above_one(&times.concat(), NOISE).text()
                );
                let text = format!("{}, {who}: {what}", density.word());
                statements.push(Statement::new(text, above_one(&tests.concat(), 0.0), reason));
            }
        }
    }
    Outcome::several(statements, ours, scene)
}

/// The least and the greatest of each list.
fn ranges(lists: &[Vec<f64>]) -> String {
    let range = |list: &Vec<f64>| {
        let least = list.iter().copied().fold(f64::INFINITY, f64::min);
        format!("{least:.2} to {:.2}", list.iter().copied().fold(0.0, f64::max))
    };
    lists.iter().map(range).collect::<Vec<_>>().join(" and ")
}

fn figures(kind: &str, size: &Size, ours: &mut Vec<Figure>) {
    let label = |what: &str| format!("{} {kind}, {what}", size.objects);
    ours.push(Figure::new(label("pairs that the three axes keep"), size.on_three as f64, ""));
    let share = 100.0 * size.false_hits as f64 / size.on_three.max(1) as f64;
    ours.push(Figure::new(label("of these apart on fifteen axes"), share, "%"));
    for ((moving, work), steps) in MOVING.iter().zip(&size.work).zip(size.steps) {
        let label = |what: &str| format!("{} {kind}, {moving}, {what}", size.objects);
        let steps = steps as f64;
        ours.push(Figure::new(label("pairs a step"), work[2].pairs as f64 / steps, ""));
        for (way, work) in WAYS.iter().zip(work) {
            if work.looks > 0 {
                let looks = work.looks as f64 / steps;
                ours.push(Figure::new(label(&format!("{way}: cells a step")), looks, ""));
            }
            let tests = work.tests as f64 / steps;
            ours.push(Figure::new(label(&format!("{way}: tests a step")), tests, ""));
            let time = work.halves[0].min(work.halves[1]) / steps * 1e-3;
            ours.push(Figure::new(label(&format!("{way}: time of a step")), time, "µs"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::{Verdict, tiny};

    #[test]
    fn the_octree_makes_fewer_tests_where_objects_are_loose() {
        let outcome = tiny(run);
        assert_eq!(outcome.verdicts()[4..8], [Verdict::Holds; 4], "{:?}", outcome.statements);
        assert_eq!(outcome.statements.len(), 12);
        let pairs = outcome.ours.iter().filter(|figure| figure.name.ends_with("pairs a step"));
        assert_eq!(pairs.clone().count(), 24);
        let apart = outcome.ours.iter().filter(|figure| figure.name.ends_with("fifteen axes"));
        assert!(apart.clone().all(|share| share.value.is_some_and(|value| value < 90.0)));
        let some = apart.filter(|share| share.value.is_some_and(|value| value > 5.0));
        assert!(some.count() >= 4);
        let mut dense = pairs.filter(|figure| figure.name.contains("dense"));
        assert!(dense.all(|figure| figure.value.is_some_and(|pairs| pairs > 0.0)));
    }

    #[test]
    fn being_ahead_and_the_growth_are_decided_apart() {
        let size = |tests, linear: u64| Size {
            on_three: 0,
            false_hits: 0,
            objects: 1,
            work: [[
                Work { looks: 1, tests, halves: [(tests + 1) as f64; 2], ..Work::default() },
                Work::default(),
                Work { tests: linear, halves: [linear as f64; 2], ..Work::default() },
            ]; 2],
            steps: [1; 2],
        };
        let verdicts = |sizes| {
            let all = [(Density::Dense, vec![("boxes", sizes)])];
            let outcome = conclude(&all, Scene::default());
            let times = outcome.statements.iter().map(|statement| {
                let (_, time) = statement.reason.rsplit_once("which ").expect("told");
                time.trim_end_matches('.').to_owned()
            });
            (outcome.verdicts()[..2].to_vec(), times.take(2).collect::<Vec<_>>())
        };
        let (yes, no, untold) = (Verdict::Holds, Verdict::Fails, Verdict::Untold);
        let said =
            |verdicts: [Verdict; 2]| verdicts.map(|verdict| verdict.text().to_owned()).to_vec();
        let same = |one: [Verdict; 2]| (one.to_vec(), said(one));
        assert_eq!(verdicts(vec![size(9, 20), size(9, 40)]), same([yes, yes]));
        assert_eq!(verdicts(vec![size(9, 40), size(9, 20)]), same([yes, no]));
        assert_eq!(verdicts(vec![size(99, 20), size(99, 20)]), same([no, untold]));
        // A time within three in a hundred tells nothing.
        let (tests, times) = verdicts(vec![size(99, 102), size(99, 204)]);
        assert_eq!((tests, times), (vec![yes, yes], said([untold, yes])));
    }
}
