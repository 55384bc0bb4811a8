//! Generated queries of continuous detection: every answer is compared with an oracle, and each
//! family is timed.
//!
//! ```text
//! cargo run --release -p impinge-continuous --example queries -- [QUERIES] [only=FAMILY]
//! cargo run --release -p impinge-continuous --example queries -- sample=FOLDER
//! ```
//! With `sample` the queries are those of all files `edge-edge/*.csv` and `vertex-face/*.csv` below a folder, as
//! <https://github.com/Continuous-Collision-Detection/Sample-Queries> has them, and the oracle is their truth.
//! `QUERIES` (100,000 without the option) are divided among the families; those whose exponents are hundreds
//! apart, for which the oracle takes long, get a tenth of what others get. The columns: the number of queries;
//! contacts missed, invented and told at a wrong time, by both means together; the share of queries with a
//! contact; that decided by the filter, and that of these whose interval took
//! integers; the mean time of all that took no integers; the median and the longest time of those
//! that did; the same of integers alone, which first answer all. Answers are checked on all threads,
//! and timed on one. Exits with an error if an answer is wrong.

mod sample;
mod times;

use std::error::Error;

use impinge_continuous::Question;
use impinge_testkit::cases::moving::{Family, Kind};

use times::Asked;

const fn question(kind: Kind) -> Question {
    match kind {
        Kind::VertexFace => Question::VertexFace,
        Kind::EdgeEdge => Question::EdgeEdge,
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let (mut queries, mut only) = (100_000, None);
    for word in std::env::args().skip(1) {
        match word.split_once('=') {
            Some(("only", family)) => only = Some(family.to_owned()),
            Some(("sample", folder)) => return sample::run(folder.as_ref()),
            _ => queries = word.parse::<u64>()?,
        }
    }
    let named = |family: &Family| {
        only.as_ref().is_none_or(|word| *word == format!("{family:?}").to_lowercase())
    };
    let families: Vec<Family> = Family::ALL.into_iter().filter(named).collect();
    if families.is_empty() {
        return Err("no such family".into());
    }
    times::print_head();
    let parts: u64 = families.iter().map(|family| parts(*family)).sum();
    let mut all = Tally::default();
    for &family in &families {
        let tally = check(family, (queries * self::parts(family)).div_ceil(parts));
        all = all.plus(tally);
        // What is timed fits into the cache.
        let timed = (0..tally.queries.min(4_000)).map(|number| {
            let query = family.query(number);
            Asked { question: question(query.kind), start: query.start, end: query.end }
        });
        let wrong = [tally.missed, tally.invented, tally.shifted];
        let name = format!("{family:?}").to_lowercase();
        times::print(&name, tally.queries, wrong, &timed.collect::<Vec<_>>());
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
