//! Ratios of two programs over rounds, and the rows that are slower beyond the noise.

use std::collections::HashSet;

use comfy_table::{Cell, Color, Table, presets::UTF8_FULL_CONDENSED};

use super::super::record::Measurement;
use super::Results;
use crate::numbers::{digits, median, time};

/// Relative change of a time below which nothing is reported, whatever the interval: moving code
/// changes times by as much.
const MARGIN: f64 = 0.01;

/// The measurements of both programs in one round.
#[derive(Debug)]
pub(super) struct Round {
    pub(super) base: Results,
    pub(super) head: Results,
    /// Peak memory of the processes in bytes, base first.
    pub(super) memory: [Option<u64>; 2],
}

/// One scene, method and question, compared.
#[derive(Debug, PartialEq)]
struct Row {
    name: String,
    /// Medians over rounds of the time of a step, in nanoseconds.
    base_ns: f64,
    head_ns: f64,
    ratio: Ratio,
}

/// The ratio head / base over rounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ratio {
    pub(super) median: f64,
    /// Confidence interval of the true median, at least 95 %.
    pub(super) interval: [f64; 2],
    /// The least and the largest ratio.
    spread: [f64; 2],
}

impl Ratio {
    /// `None` for fewer than six rounds. The interval runs from the k-th least to the k-th largest
    /// ratio. It misses the true median only if fewer than k rounds fall on one side of it, each
    /// with probability 1/2.
    pub(super) fn of(mut ratios: Vec<f64>) -> Option<Self> {
        ratios.sort_unstable_by(f64::total_cmp);
        let n = ratios.len();
        let (mut outside, mut ways, mut k) = (0.0, 0.5_f64.powi(n as i32), 0);
        while 2.0 * (outside + ways) <= 0.05 {
            outside += ways;
            ways *= (n - k) as f64 / (k + 1) as f64;
            k += 1;
        }
        let least = k.checked_sub(1)?;
        let interval = [ratios[least], ratios[n - 1 - least]];
        let spread = [ratios[0], ratios[n - 1]];
        Some(Self { median: median(ratios)?, interval, spread })
    }

    fn is_worse(&self) -> bool {
        self.interval[0] > 1.0 + MARGIN
    }

    fn is_better(&self) -> bool {
        self.interval[1] < 1.0 - MARGIN
    }
}

/// A row that cannot be compared.
#[derive(Debug, PartialEq)]
struct Lone {
    name: String,
    why: &'static str,
}

/// All rows: those measured by both programs in all rounds, and the others.
#[derive(Debug)]
pub(super) struct Comparison {
    rows: Vec<Row>,
    alone: Vec<Lone>,
    /// The ratio of peak memory, and the base's peak in bytes.
    memory: Option<(Ratio, f64)>,
}

impl Comparison {
    /// # Errors
    /// If no row was measured by both in all rounds.
    pub(super) fn of(rounds: &[Round]) -> Result<Self, String> {
        let (mut rows, mut alone) = (Vec::new(), Vec::new());
        for of in every(rounds) {
            match compared(of, rounds) {
                Some(row) => rows.push(row),
                None => alone.push(Lone { name: named(of), why: why_alone(of, rounds) }),
            }
        }
        if rows.is_empty() {
            return Err("the two programs measured nothing in common".to_owned());
        }
        let both =
            rounds.iter().map(|round| Some([round.memory[0]? as f64, round.memory[1]? as f64]));
        let memory = both.collect::<Option<Vec<_>>>().and_then(|both| {
            let ratio = Ratio::of(both.iter().map(|[base, head]| head / base).collect())?;
            Some((ratio, median(both.iter().map(|both| both[0]).collect())?))
        });
        Ok(Self { rows, alone, memory })
    }

    /// The table for the terminal.
    pub(super) fn table(&self) -> Table {
        let mut table = Table::new();
        table.load_style(UTF8_FULL_CONDENSED);
        table.set_header(["scene, method, question", "base", "head", "ratio", "95 %", "spread"]);
        for row in &self.rows {
            let Ratio { median, interval, spread } = row.ratio;
            let color = match (row.ratio.is_worse(), row.ratio.is_better()) {
                (true, _) => Color::Red,
                (_, true) => Color::Green,
                _ => Color::Reset,
            };
            table.add_row([
                Cell::new(&row.name),
                Cell::new(time(row.base_ns)),
                Cell::new(time(row.head_ns)),
                Cell::new(format!("{median:.3}")).fg(color),
                Cell::new(range(interval)).fg(color),
                Cell::new(range(spread)),
            ]);
        }
        for Lone { name, why } in &self.alone {
            table.add_row([name, "–", "–", *why, "–", "–"].map(Cell::new));
        }
        table
    }

    /// The ratio of peak memory as text.
    pub(super) fn memory(&self) -> String {
        match &self.memory {
            None => "not told by this system".to_owned(),
            Some((ratio, base)) => {
                let mebibytes = digits(base / f64::from(1 << 20));
                let (median, interval) = (ratio.median, range(ratio.interval));
                format!("base {mebibytes} MiB, ratio {median:.3} ({interval})")
            }
        }
    }

    /// The rows that are slower beyond the noise.
    pub(super) fn slower(&self) -> impl Iterator<Item = String> + '_ {
        let worse = self.rows.iter().filter(|row| row.ratio.is_worse());
        worse.map(|row| {
            format!("{} {:.3} ({})", row.name, row.ratio.median, range(row.ratio.interval))
        })
    }
}

fn range([low, high]: [f64; 2]) -> String {
    format!("{low:.3} … {high:.3}")
}

/// Every row that a program has in some round, once: those of the head first.
fn every(rounds: &[Round]) -> Vec<&Measurement> {
    let key = |row: &Measurement| [&row.scene, &row.method, &row.question].map(String::clone);
    let heads = rounds.iter().flat_map(|round| &round.head.measurements);
    let all = heads.chain(rounds.iter().flat_map(|round| &round.base.measurements));
    let mut seen = HashSet::new();
    all.filter(|row| seen.insert(key(row))).collect()
}

fn named(of: &Measurement) -> String {
    format!("{} {} {}", of.scene, of.method, of.question)
}

/// Why a row cannot be compared: only one program has it, or not in every round.
fn why_alone(of: &Measurement, rounds: &[Round]) -> &'static str {
    let base = rounds.iter().any(|round| times(&round.base, of).is_some());
    let head = rounds.iter().any(|round| times(&round.head, of).is_some());
    match (base, head) {
        (false, true) => "new",
        (true, false) => "gone",
        _ => "not in every round",
    }
}

/// The row of `of` if both programs have it in all rounds. Compares the time of the steps that both
/// reached.
fn compared(of: &Measurement, rounds: &[Round]) -> Option<Row> {
    let (mut base, mut head) = (Vec::new(), Vec::new());
    for round in rounds {
        let [b, h] = [times(&round.base, of)?, times(&round.head, of)?];
        let steps = b.len().min(h.len());
        let mean = |times: &[f64]| times[..steps].iter().sum::<f64>() / steps as f64;
        if steps == 0 {
            return None;
        }
        base.push(mean(b));
        head.push(mean(h));
    }
    let ratio = Ratio::of(base.iter().zip(&head).map(|(base, head)| head / base).collect())?;
    Some(Row { name: named(of), base_ns: median(base)?, head_ns: median(head)?, ratio })
}

/// The least time of each step, in nanoseconds.
fn times<'r>(results: &'r Results, of: &'r Measurement) -> Option<&'r [f64]> {
    let same = |row: &&Measurement| row.method == of.method;
    results.of(&of.scene, &of.question).find(same).map(|row| &row.times_ns[..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(ratios: &[f64]) -> Option<Ratio> {
        Ratio::of(ratios.to_vec())
    }

    /// k agrees with published tables: none below six rounds, 1 for six to eight, 2 for nine.
    #[test]
    fn an_interval_takes_six_rounds() {
        assert_eq!(ratio(&[1.0; 5]), None);
        let six = ratio(&[1.5, 1.0, 1.1, 1.4, 1.2, 1.3]).expect("six");
        assert_eq!((six.median, six.interval, six.spread), (1.25, [1.0, 1.5], [1.0, 1.5]));
        let nine = ratio(&[9.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]).expect("nine");
        assert_eq!((nine.median, nine.interval, nine.spread), (5.0, [2.0, 8.0], [1.0, 9.0]));
        let fifteen: Vec<f64> = (1..=15).map(f64::from).collect();
        assert_eq!(ratio(&fifteen).expect("fifteen").interval, [4.0, 12.0]);
    }

    #[test]
    fn worse_is_what_the_interval_does_not_excuse() {
        let of = |ratios: [f64; 6]| ratio(&ratios).expect("six");
        assert!(of([1.02, 1.03, 1.05, 1.03, 1.04, 1.02]).is_worse());
        assert!(!of([1.02, 1.03, 1.50, 1.03, 1.04, 0.99]).is_worse());
        assert!(!of([1.005, 1.006, 1.007, 1.008, 1.009, 1.009]).is_worse());
        assert!(of([0.9; 6]).is_better() && !of([1.0; 6]).is_better());
    }

    /// The sample against itself, with one row twice as slow in the head.
    #[test]
    fn a_slower_row_is_named_and_no_other() {
        let sample = || Results::parse(include_str!("../report/sample.jsonl")).expect("whole");
        let rounds: Vec<Round> = (0..6)
            .map(|_| {
                let mut head = sample();
                head.measurements[1].times_ns.iter_mut().for_each(|ns| *ns *= 2.0);
                Round { base: sample(), head, memory: [Some(100), Some(110)] }
            })
            .collect();
        let compared = Comparison::of(&rounds).expect("rows");
        let slow = &sample().measurements[1];
        let name =
            format!("{} {} {} 2.000 (2.000 … 2.000)", slow.scene, slow.method, slow.question);
        assert_eq!(compared.slower().collect::<Vec<_>>(), [name]);
        assert!(compared.memory().contains("ratio 1.100"), "{}", compared.memory());
        assert_eq!(compared.rows.len(), sample().measurements.len());
        assert_eq!(compared.alone, []);
        let mut apart = rounds;
        apart[3].base.measurements.clear();
        assert!(Comparison::of(&apart).is_err());
    }

    #[test]
    fn a_row_of_one_side_is_shown_and_said_to_be_new_or_gone() {
        let sample = || Results::parse(include_str!("../report/sample.jsonl")).expect("whole");
        let mut rounds: Vec<Round> = (0..6)
            .map(|_| Round { base: sample(), head: sample(), memory: [None, None] })
            .collect();
        let [new, gone, some] = [0, 1, 2].map(|k| named(&sample().measurements[k]));
        for (k, round) in rounds.iter_mut().enumerate() {
            let is = |name: &str, row: &Measurement| named(row) == name;
            round.base.measurements.retain(|row| !is(&new, row));
            round.head.measurements.retain(|row| !is(&gone, row));
            round.head.measurements.retain(|row| k > 0 || !is(&some, row));
        }
        let compared = Comparison::of(&rounds).expect("rows");
        assert_eq!(compared.rows.len(), sample().measurements.len() - 3);
        let text = compared.table().to_string();
        for (name, why) in [(new, "new"), (gone, "gone"), (some, "not in every round")] {
            let row = text.lines().find(|line| line.contains(&name)).expect("a row");
            assert!(row.contains(why), "{row}");
        }
    }
}
