//! X2: *regions lower the number of pair tests* (xie eq. 1-4).
//!
//! A hall of bays with fixed objects and moving units, divided into more and more regions. Pair tests
//! are counted in the three ways that `regions` knows; time stands beside.

use std::time::Instant;

use impinge::query::{BroadPhase, Control, Objects};
use impinge::scene::broad::{RegionCounts, Regions, RegionsParams};
use impinge_benches::harness::{NOISE, take_all_turns};
use impinge_benches::progress::Listener;

use super::hall::{BAY, BAYS, Hall};
use super::outcome::{Effort, Figure, Outcome, Plot, Scene, Statement, Verdict};

/// Regions along the hall, across it and upward; each divides those of the one before.
const SPLITS: [[u32; 3]; 7] =
    [[1, 1, 1], [2, 1, 1], [2, 2, 1], [4, 2, 1], [4, 4, 1], [8, 4, 1], [16, 4, 1]];
/// Shares of the fixed objects that stand on a border between bays.
const BORDERS: [f64; 3] = [0.0, 0.1, 0.5];

/// The means over all steps of the pair tests of one division, and its least times of a step in µs with
/// a pair tested once, and in each region that has both objects.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Counted {
    ordered: f64,
    unordered: f64,
    distinct: f64,
    pairs: f64,
    times: [f64; 2],
}

/// One hall: its units, its fixed objects, the share of these on borders, and what each division took.
struct Row {
    units: usize,
    fixed: usize,
    border: f64,
    of: [Counted; SPLITS.len()],
}

/// The number of regions of a division.
fn regions([x, y, z]: [u32; 3]) -> u32 {
    x * y * z
}

fn measured(hall: &Hall, steps: usize, passes: usize) -> Result<[Counted; SPLITS.len()], String> {
    let within = Some(Hall::space());
    let forms = SPLITS.iter().flat_map(|&split| [(split, false), (split, true)]);
    let made = forms.map(|(split, again)| Regions::new(RegionsParams { split, within, again }));
    let mut phases: Vec<Regions> = made.collect::<Result<_, _>>().map_err(|e| e.to_string())?;
    let walk = hall.walk(steps);
    let (mut of, mut into) = ([Counted::default(); SPLITS.len()], Vec::new());
    let mut least = vec![vec![f64::INFINITY; steps]; phases.len()];
    let mut failed = None;
    take_all_turns(phases.len(), passes, steps, |turn| {
        into.clear();
        let phase = &mut phases[turn.who];
        let objects = Objects { boxes: &walk[turn.step], fixed: hall.fixed() };
        let start = Instant::now();
        let done = phase.update(&objects, &Control::NONE);
        let done = done.and_then(|()| phase.pairs(&Control::NONE, &mut into));
        let took = start.elapsed().as_nanos() as f64 * 1e-3;
        failed = failed.take().or(done.err());
        let before = &mut least[turn.who][turn.step];
        *before = before.min(took);
        let (split, again) = (turn.who / 2, turn.who % 2 == 1);
        if turn.pass == 0 && !again {
            add(&mut of[split], phase.counts(), into.len(), steps);
        }
    });
    for (split, counted) in of.iter_mut().enumerate() {
        let mean = |form: usize| least[2 * split + form].iter().sum::<f64>() / steps as f64;
        counted.times = [mean(0), mean(1)];
    }
    failed.map_or(Ok(of), |error| Err(error.to_string()))
}

fn add(to: &mut Counted, counts: RegionCounts, pairs: usize, steps: usize) {
    let mean = |count: u64| count as f64 / steps as f64;
    to.ordered += mean(counts.ordered);
    to.unordered += mean(counts.unordered);
    to.distinct += mean(counts.distinct);
    to.pairs += mean(pairs as u64);
}

/// Runs the experiment.
pub(crate) fn run(effort: &Effort, listener: Listener<'_>) -> Result<Outcome, String> {
    let units: &[usize] = effort.pick(&[4], &[4, 32], &[4, 8, 16, 32]);
    let fixed: &[usize] = effort.pick(&[200], &[200, 1_000], &[200, 1_000, 5_000]);
    let steps = effort.pick(5, 20, 100);
    let passes = effort.pick(1, 2, 5);
    let mut rows = Vec::new();
    let all = BORDERS.len() * units.len() * fixed.len();
    for border in BORDERS {
        for &units in units {
            for &fixed in fixed {
                listener.stage("halls", rows.len(), all);
                let hall = Hall::new(units, fixed, border, effort.seed);
                let of = measured(&hall, steps, passes)?;
                if of.iter().any(|counted| counted.pairs != of[0].pairs) {
                    return Err(format!("{units} units, {fixed} fixed: the pairs differ: {of:?}"));
                }
                rows.push(Row { units, fixed, border, of });
            }
        }
    }
    let [x, y] = BAYS;
    let scene = Scene::new(format!(
        "A hall of {x} by {y} bays of {BAY} by {BAY} by {BAY}. Fixed objects, 0.5 to 2 long, stand each \
         within a bay; 0, 10 or 50 % of them on a border between two. Units, 2 long, drive along \
         the bays by 0.25 a step and turn back at the walls. The hall is divided into 1 to 64 equal \
         regions: up to 32 their borders are those of bays, 64 are half bays. A step takes all boxes in \
         and finds all pairs."
    ))
    .count("steps", steps)
    .count("passes", passes);
    Ok(conclude(&rows, scene))
}

fn conclude(rows: &[Row], scene: Scene) -> Outcome {
    let statements = BORDERS.iter().flat_map(|&border| {
        let of: Vec<&Row> = rows.iter().filter(|row| row.border == border).collect();
        [distinct(border, &of), printed(border, &of)]
    });
    let extremes = |row: &&Row| {
        let of = |key: fn(&Row) -> usize| rows.iter().map(key).max() == Some(key(row));
        of(|row| row.units) && of(|row| row.fixed)
    };
    let largest: Vec<&Row> = rows.iter().filter(extremes).collect();
    let ours = largest.iter().flat_map(|row| figures(row)).collect();
    let plots = largest.iter().map(|row| plot(row)).collect();
    Outcome::several(statements.collect(), ours, scene).with(plots)
}

/// Whether a count falls from each division to the next in every hall.
fn falls(rows: &[&Row], key: fn(&Counted) -> f64) -> Verdict {
    let falls = |row: &&Row| row.of.windows(2).all(|pair| key(&pair[1]) < key(&pair[0]));
    Verdict::of(rows.iter().all(falls))
}

/// What the most regions leave of a count.
fn left(rows: &[&Row], key: fn(&Counted) -> f64) -> String {
    let shares = rows.iter().map(|row| key(&row.of[SPLITS.len() - 1]) / key(&row.of[0]));
    let [least, most] = extent(shares.map(|share| 100.0 * share));
    format!("{least:.1} to {most:.1} %")
}

/// Whether each division lowers the pairs that are tested, where this share stands on borders.
fn distinct(border: f64, rows: &[&Row]) -> Statement {
    let reason = format!(
        "64 regions leave {}. Each division lies within the one before, so that only a tie could be \
         no fall. Time falls no further {}.",
        left(rows, |counted| counted.distinct),
        turning(rows, NOISE, |counted| counted.times[0]),
    );
    let text = format!("distinct pairs fall, {} % of the fixed objects on borders", 100.0 * border);
    Statement::new(text, falls(rows, |counted| counted.distinct), reason)
}

/// The same of the paper's count: ordered, in every region that has both.
fn printed(border: f64, rows: &[&Row]) -> Statement {
    let reason = format!(
        "64 regions leave {}. They fall no further {}; unordered, {}; time, if a pair is tested in \
         every region that has both, {}.",
        left(rows, |counted| counted.ordered),
        turning(rows, 0.0, |counted| counted.ordered),
        turning(rows, 0.0, |counted| counted.unordered),
        turning(rows, NOISE, |counted| counted.times[1]),
    );
    let text = format!("tests of eq. 3 fall, {} % of the fixed objects on borders", 100.0 * border);
    Statement::new(text, falls(rows, |counted| counted.ordered), reason)
}

fn extent(values: impl Iterator<Item = f64>) -> [f64; 2] {
    values.fold([f64::INFINITY, 0.0], |[least, most], x| [least.min(x), most.max(x)])
}

/// From which number of regions on a quantity has no new least value, by more than a share of it, in the
/// least and the greatest case.
fn turning(rows: &[&Row], noise: f64, key: fn(&Counted) -> f64) -> String {
    let from = |row: &&Row| {
        let mut least = f64::INFINITY;
        let mut last = 0;
        for (at, value) in row.of.iter().map(key).enumerate() {
            if value < least * (1.0 - noise) {
                (least, last) = (value, at);
            }
        }
        SPLITS.get(last + 1).copied().map(regions)
    };
    let found: Vec<Option<u32>> = rows.iter().map(from).collect();
    let never = found.iter().filter(|from| from.is_none()).count();
    match found.iter().flatten().min().zip(found.iter().flatten().max()) {
        None => "at none of these divisions".to_owned(),
        Some((least, most)) if least == most => {
            format!("from {least} regions on in {} of {} halls", found.len() - never, found.len())
        }
        Some((least, most)) => format!(
            "from {least} to {most} regions on in {} of {} halls",
            found.len() - never,
            found.len()
        ),
    }
}

fn figures(row: &Row) -> Vec<Figure> {
    let of = |(counted, split): (&Counted, &[u32; 3])| {
        let Row { units, fixed, border, .. } = row;
        let name = |what: &str| {
            let border = 100.0 * border;
            format!(
                "{units} units, {fixed} fixed, {border} % on borders, {} regions: {what}",
                regions(*split)
            )
        };
        [
            Figure::new(name("ordered"), counted.ordered, ""),
            Figure::new(name("unordered"), counted.unordered, ""),
            Figure::new(name("distinct"), counted.distinct, ""),
            Figure::new(name("tested once: time of a step"), counted.times[0], "µs"),
            Figure::new(name("in every region: time of a step"), counted.times[1], "µs"),
        ]
    };
    row.of.iter().zip(&SPLITS).flat_map(of).collect()
}

fn plot(row: &Row) -> Plot {
    let across = SPLITS.iter().map(|split| f64::from(regions(*split))).collect();
    let title = format!(
        "{} units, {} fixed, {} % on borders: pair tests a step, over regions",
        row.units,
        row.fixed,
        100.0 * row.border
    );
    let curve = |key: fn(&Counted) -> f64| row.of.iter().map(key);
    Plot::lines(title, across)
        .curve("ordered (eq. 3)", curve(|counted| counted.ordered))
        .curve("unordered, in every region", curve(|counted| counted.unordered))
        .curve("distinct", curve(|counted| counted.distinct))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::tiny;

    #[test]
    fn distinct_pairs_fall_with_the_regions() {
        let outcome = tiny(run);
        let distinct: Vec<Verdict> = outcome.verdicts().into_iter().step_by(2).collect();
        assert_eq!(distinct, [Verdict::Holds; 3]);
        assert_eq!((outcome.plots.len(), outcome.ours.len()), (3, 3 * 7 * 5));
        // Objects on borders are in more regions.
        let ordered = |border: &str| {
            let name = format!("4 units, 200 fixed, {border} % on borders, 32 regions: ordered");
            let figure = outcome.ours.iter().find(|figure| figure.name == name);
            figure.and_then(|figure| figure.value).expect("there")
        };
        assert!(ordered("0") < ordered("50"));
    }

    #[test]
    fn a_rise_before_the_least_value_is_no_turn() {
        let mut of = [Counted::default(); SPLITS.len()];
        for (counted, ordered) in of.iter_mut().zip([9.0, 8.0, 8.5, 3.0, 2.99, 5.0, 6.0]) {
            counted.ordered = ordered;
        }
        let row = Row { units: 4, fixed: 200, border: 0.0, of };
        let at = |noise| turning(&[&row], noise, |counted| counted.ordered);
        assert_eq!(at(0.0), "from 32 regions on in 1 of 1 halls");
        assert_eq!(at(0.03), "from 16 regions on in 1 of 1 halls");
    }

    #[test]
    fn a_division_that_lowers_nothing_fails() {
        let falling = |stop: usize| {
            let mut of = [Counted::default(); SPLITS.len()];
            for (k, counted) in of.iter_mut().enumerate() {
                let left = 100.0 - k.min(stop) as f64;
                *counted = Counted { distinct: left, unordered: left, ordered: left, ..*counted };
            }
            of
        };
        let verdicts = |stop| {
            let row = |border| Row { units: 4, fixed: 200, border, of: falling(stop) };
            conclude(&BORDERS.map(row), Scene::default())
        };
        assert_eq!(verdicts(9).verdicts(), [Verdict::Holds; 6]);
        let outcome = verdicts(3);
        assert_eq!(outcome.verdicts(), [Verdict::Fails; 6]);
        let reason = &outcome.statements[1].reason;
        assert!(reason.contains("no further from 16 regions on in 1 of 1 halls"), "{reason}");
    }
}
