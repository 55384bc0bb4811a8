//! Generated queries of continuous detection: every answer is compared with an oracle, and each
//! family is timed.
//!
//! ```text
//! cargo run --release -p impinge-continuous --example queries -- [QUERIES] [only=FAMILY]
//! ```
//! `QUERIES` (100,000 without the option) are divided among the families; those whose exponents are hundreds
//! apart, for which the oracle takes long, get a tenth of what others get. The columns: the number of queries;
//! contacts missed, invented and told at a wrong time, by both means together; the share of queries with a
//! contact; that decided by the filter, and that of these whose interval took
//! integers; the mean time of all that took no integers; the median and the longest time of those
//! that did; the same of integers alone, which first answer all. Answers are checked on all threads,
//! and timed on one. Exits with an error if an answer is wrong.

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use impinge_continuous::{Means, Question};
use impinge_testkit::cases::moving::{Family, Kind, Query};

const fn question(kind: Kind) -> Question {
    match kind {
        Kind::VertexFace => Question::VertexFace,
        Kind::EdgeEdge => Question::EdgeEdge,
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let (mut queries, mut only) = (100_000, None);
    for word in std::env::args().skip(1) {
        match word.strip_prefix("only=") {
            Some(family) => only = Some(family.to_owned()),
            None => queries = word.parse::<u64>()?,
        }
    }
    let named = |family: &Family| {
        only.as_ref().is_none_or(|word| *word == format!("{family:?}").to_lowercase())
    };
    let families: Vec<Family> = Family::ALL.into_iter().filter(named).collect();
    if families.is_empty() {
        return Err("no such family".into());
    }
    println!(
        "{:>10} {:>7} {:>6} {:>8} {:>7} {:>7} {:>7} {:>7} {:>7} {:>9} {:>9} {:>9} {:>9}",
        "family",
        "queries",
        "missed",
        "invented",
        "shifted",
        "hits %",
        "filter",
        "rough",
        "ns",
        "median µs",
        "worst µs",
        "integers",
        "worst µs"
    );
    let parts: u64 = families.iter().map(|family| parts(*family)).sum();
    let mut all = Tally::default();
    for &family in &families {
        let tally = check(family, (queries * self::parts(family)).div_ceil(parts));
        all = all.plus(tally);
        time(family, tally);
    }
    let Tally { queries, hard, missed, invented, shifted } = all;
    println!(
        "{queries} queries, {:.1} % of them planar, parallel, grazing or degenerate: {missed} contacts missed, \
         {invented} invented, {shifted} at a wrong time",
        100.0 * hard as f64 / queries as f64
    );
    if missed + invented + shifted > 0 {
        return Err("answers are wrong".into());
    }
    Ok(())
}

/// How many queries of a family are asked, beside others.
const fn parts(family: Family) -> u64 {
    match family {
        Family::Exponents | Family::Extremes => 1,
        _ => 10,
    }
}

/// Planar, parallel, grazing or degenerate by the way they are made.
const HARD: [Family; 11] = [
    Family::Flat,
    Family::Tilted,
    Family::Sliding,
    Family::Parallel,
    Family::Line,
    Family::Coincident,
    Family::Standing,
    Family::Border,
    Family::Double,
    Family::Grazing,
    Family::Triple,
];

/// What the oracle says of answers.
#[derive(Clone, Copy, Default)]
struct Tally {
    queries: u64,
    /// Those of the families [`HARD`].
    hard: u64,
    missed: u64,
    invented: u64,
    /// Contacts at a wrong time, or in too wide an interval.
    shifted: u64,
}

impl Tally {
    const fn plus(self, other: Self) -> Self {
        Self {
            queries: self.queries + other.queries,
            hard: self.hard + other.hard,
            missed: self.missed + other.missed,
            invented: self.invented + other.invented,
            shifted: self.shifted + other.shifted,
        }
    }

    /// Compares both answers to a query with the oracle's.
    fn take(&mut self, family: Family, number: u64) {
        let query = family.query(number);
        let (start, end) = (&query.start, &query.end);
        let ask = question(query.kind);
        self.queries += 1;
        self.hard += u64::from(HARD.contains(&family));
        for answer in [ask.decide(start, end).map(|x| x.first), ask.by_integers(start, end)] {
            let found = answer.expect("finite coordinates");
            let Err(why) = query.check(found) else { continue };
            eprintln!("{family:?} {number}: {why}");
            match found {
                None => self.missed += 1,
                Some(_) if query.check(None).is_ok() => self.invented += 1,
                Some(_) => self.shifted += 1,
            }
        }
    }
}

/// Compares all answers with the oracle, also those of integers alone.
fn check(family: Family, queries: u64) -> Tally {
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get() as u64);
    let part = move |thread: u64| {
        let mut tally = Tally::default();
        (thread..queries).step_by(threads as usize).for_each(|k| tally.take(family, k));
        tally
    };
    let workers: Vec<_> =
        (0..threads).map(|thread| std::thread::spawn(move || part(thread))).collect();
    let tallies = workers.into_iter().map(|worker| worker.join().expect("no panic"));
    tallies.fold(Tally::default(), Tally::plus)
}

/// Times a family and prints its row.
fn time(family: Family, tally: Tally) {
    // What is timed fits into the cache.
    let all: Vec<Query> =
        (0..tally.queries.min(4_000)).map(|number| family.query(number)).collect();
    let mut integers: Vec<f64> =
        all.iter().map(|q| timed(|| question(q.kind).by_integers(&q.start, &q.end))).collect();
    let decide = |q: &Query| question(q.kind).decide(&q.start, &q.end);
    let (mut hits, mut filtered, mut rough) = (0, 0, 0);
    let (mut easy, mut hard) = (Vec::new(), Vec::new());
    for query in &all {
        let Ok(decision) = decide(query) else { continue };
        hits += usize::from(decision.first.is_some());
        match decision.by {
            Means::Filter => easy.push(*query),
            Means::FilterThenIntegers => rough += 1,
            Means::Integers => {}
        }
        filtered += usize::from(decision.by != Means::Integers);
        if decision.by != Means::Filter {
            hard.push(timed(|| decide(query)));
        }
    }
    // The best of some rounds, in each of which other programs may have run.
    let round =
        || timed(|| easy.iter().filter(|q| decide(q).is_ok_and(|x| x.first.is_some())).count());
    let best = (0..7).map(|_| round()).fold(f64::INFINITY, f64::min);
    let share = |n: usize, of: usize| 100.0 * n as f64 / of.max(1) as f64;
    println!(
        "{:>10} {:>7} {:>6} {:>8} {:>7} {:>7.1} {:>7.2} {:>7.2} {:>7.0} {:>9.1} {:>9.1} {:>9.1} {:>9.1}",
        format!("{family:?}").to_lowercase(),
        tally.queries,
        tally.missed,
        tally.invented,
        tally.shifted,
        share(hits, all.len()),
        share(filtered, all.len()),
        share(rough, filtered),
        1e9 * best / easy.len().max(1) as f64,
        1e6 * median(&mut hard),
        1e6 * hard.last().copied().unwrap_or(0.0),
        1e6 * median(&mut integers),
        1e6 * integers.last().copied().unwrap_or(0.0),
    );
}

/// The time of one call; of three, the shortest.
fn timed<T>(mut call: impl FnMut() -> T) -> f64 {
    let mut once = || {
        let start = Instant::now();
        black_box(call());
        start.elapsed().as_secs_f64()
    };
    once().min(once()).min(once())
}

/// The median; sorts.
fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(0.0)
}
