//! Generated queries of continuous detection: every answer is compared with an oracle, and each
//! family is timed.
//!
//! ```text
//! cargo run --release -p impinge-continuous --example queries -- [QUERIES] [only=FAMILY]
//! ```
//! `QUERIES` (100,000 without the option) are divided among the families. The columns: the share of
//! queries with a contact; that decided by the filter, and that of these whose interval took
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
        "{:>10} {:>7} {:>7} {:>7} {:>7} {:>9} {:>9} {:>9} {:>9}",
        "family",
        "hits %",
        "filter",
        "rough",
        "ns",
        "median µs",
        "worst µs",
        "integers",
        "worst µs"
    );
    let mut wrong = 0;
    for &family in &families {
        let each = queries.div_ceil(families.len() as u64);
        wrong += check(family, each);
        time(family, each);
    }
    if wrong > 0 {
        return Err(format!("{wrong} answers are wrong").into());
    }
    println!("all answers are right");
    Ok(())
}

/// Compares all answers with the oracle, also those of integers alone; returns how many are wrong.
fn check(family: Family, queries: u64) -> usize {
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get() as u64);
    let part = move |thread: u64| {
        let mut wrong = 0;
        for number in (thread..queries).step_by(threads as usize) {
            let query = family.query(number);
            let (start, end) = (&query.start, &query.end);
            let answers = question(query.kind)
                .decide(start, end)
                .and_then(|x| Ok([x.first, question(query.kind).by_integers(start, end)?]));
            let checked = answers
                .map_err(|error| error.to_string())
                .and_then(|all| all.into_iter().try_for_each(|found| query.check(found)));
            if let Err(why) = checked {
                eprintln!("{family:?} {number}: {why}");
                wrong += 1;
            }
        }
        wrong
    };
    let workers: Vec<_> =
        (0..threads).map(|thread| std::thread::spawn(move || part(thread))).collect();
    // A part that panics has an answer that is wrong.
    workers.into_iter().map(|worker| worker.join().unwrap_or(1)).sum()
}

/// Times a family and prints its row.
fn time(family: Family, queries: u64) {
    // What is timed fits into the cache.
    let all: Vec<Query> = (0..queries.min(4_000)).map(|number| family.query(number)).collect();
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
        "{:>10} {:>7.1} {:>7.2} {:>7.2} {:>7.0} {:>9.1} {:>9.1} {:>9.1} {:>9.1}",
        format!("{family:?}").to_lowercase(),
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
