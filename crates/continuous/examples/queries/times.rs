//! Times of queries, a row of the table.

use std::hint::black_box;
use std::time::Instant;

use impinge_continuous::geometry::Point;
use impinge_continuous::{Decision, Means, NotFinite, Question};

/// A query.
#[derive(Clone, Copy)]
pub(crate) struct Asked {
    pub(crate) question: Question,
    pub(crate) start: [Point; 4],
    pub(crate) end: [Point; 4],
}

impl Asked {
    pub(crate) fn decide(&self) -> Result<Decision, NotFinite> {
        self.question.decide(&self.start, &self.end)
    }
}

/// Prints the names of the columns.
pub(crate) fn print_head() {
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
}

/// Times some of so many queries and prints their row: of contacts, so many were missed, invented and told
/// at a wrong time.
pub(crate) fn print(name: &str, queries: u64, wrong: [u64; 3], all: &[Asked]) {
    let integers = |q: &Asked| timed(|| q.question.by_integers(&q.start, &q.end));
    let mut integers: Vec<f64> = all.iter().map(integers).collect();
    let (mut hits, mut filtered, mut rough) = (0, 0, 0);
    let (mut easy, mut hard) = (Vec::new(), Vec::new());
    for query in all {
        let Ok(decision) = query.decide() else { continue };
        hits += usize::from(decision.first.is_some());
        match decision.by {
            Means::Filter => easy.push(*query),
            Means::FilterThenIntegers => rough += 1,
            Means::Integers => {}
        }
        filtered += usize::from(decision.by != Means::Integers);
        if decision.by != Means::Filter {
            hard.push(timed(|| query.decide()));
        }
    }
    // The best of some rounds, in each of which other programs may have run.
    let met = |q: &&Asked| q.decide().is_ok_and(|decision| decision.first.is_some());
    let round = || timed(|| easy.iter().filter(met).count());
    let best = (0..7).map(|_| round()).fold(f64::INFINITY, f64::min);
    let share = |n: usize, of: usize| 100.0 * n as f64 / of.max(1) as f64;
    let [missed, invented, shifted] = wrong;
    println!(
        "{name:>10} {queries:>7} {missed:>6} {invented:>8} {shifted:>7} {:>7.1} {:>7.2} {:>7.2} {:>7.0} {:>9.1} {:>9.1} {:>9.1} {:>9.1}",
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
