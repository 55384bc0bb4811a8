//! Searches for queries that take longest: by the filter and integers, as users ask.
//!
//! ```text
//! cargo run --release -p impinge-continuous --example longest -- [ROUNDS] [seed=N]
//! ```
//! Begins with the generated queries of all families, times powers of two of each axis. The slowest of them
//! are changed, a coordinate, a point or an axis at a time, by numbers of any exponent, and by copies of
//! others, so that polynomials vanish, or have roots in common or close together. A change is kept if
//! the query then takes longer; there are 100 rounds without the option, each of which begins anew. The answer
//! that each ends with is compared with the oracle's. Prints the slowest query of each kind with the bits of its coordinates,
//! points at the start before those at the end. Exits with an error if an answer is wrong, or if one takes
//! longer than 10 ms, the least of several measurements.

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use impinge_continuous::{Interval, edge_edge, vertex_face};
use impinge_geometry::Point;
use impinge_models::Random;
use impinge_testkit::cases::moving::{Family, Kind, Query};

/// The longest time that an answer may take, in seconds.
const BAR: f64 = 0.010;
/// Changes that are tried in a round.
const CHANGES: usize = 400;
/// Queries of which the slowest begins a round.
const FIRST: u64 = 60;

/// The answer.
fn first(query: &Query) -> Option<Interval> {
    let ask = match query.kind {
        Kind::VertexFace => vertex_face,
        Kind::EdgeEdge => edge_edge,
    };
    ask(&query.start, &query.end).ok().flatten()
}

/// A query, and how long it takes.
#[derive(Clone, Copy)]
struct Timed {
    query: Query,
    seconds: f64,
}

impl Timed {
    fn new(query: Query, repeats: usize) -> Self {
        let once = || {
            let start = Instant::now();
            black_box(first(&query));
            start.elapsed().as_secs_f64()
        };
        let seconds = (0..repeats).map(|_| once()).fold(f64::INFINITY, f64::min);
        Self { query, seconds }
    }
}

/// A number of any exponent and few or many bits.
fn number(random: &mut Random) -> f64 {
    let bits = [0, 3, 26, 52][random.below(4) as usize];
    let mantissa = (random.bits() >> 12) & !((1_u64 << (52 - bits)) - 1);
    let exponent = match random.below(4) {
        0 => random.below(4),
        1 => 2043 + random.below(4),
        2 => 1020 + random.below(7),
        _ => random.below(2047),
    };
    let sign = random.below(2) << 63;
    f64::from_bits(sign | exponent << 52 | mantissa)
}

/// The query with one thing changed.
fn changed(query: &Query, random: &mut Random) -> Query {
    // What was known of the query by the way it was made is not known of the new one.
    let mut query = Query { meets: None, ..*query };
    let which = random.below(8);
    let [i, j] = [0; 2].map(|_| random.below(4) as usize);
    let [k, l] = [0; 2].map(|_| random.below(3) as usize);
    let ends = |query: &mut Query, f: &dyn Fn(&mut [Point; 4])| {
        f(&mut query.start);
        f(&mut query.end);
    };
    let late = random.chance(0.5);
    let side = if late { &mut query.end } else { &mut query.start };
    match which {
        0 | 1 => side[i][k] = number(random),
        2 => {
            let x = side[i][k];
            let moved = f64::from_bits(x.to_bits() ^ 1 << random.below(63));
            side[i][k] = if moved.is_finite() { moved } else { -x };
        }
        3 => side[i][k] = side[j][k],
        4 => side[i][k] = -side[i][k],
        5 => ends(&mut query, &|x| x[i] = x[j]),
        6 => ends(&mut query, &|x| x.iter_mut().for_each(|p| p[k] = p[l])),
        _ => {
            let factor = 2f64.powi(random.below(2001) as i32 - 1000);
            let scaled = |p: &mut Point| {
                let x = p[k] * factor;
                p[k] = if x.is_finite() { x } else { p[k] };
            };
            ends(&mut query, &|x| x.iter_mut().for_each(scaled));
        }
    }
    query
}

/// The slowest that some changes lead to.
fn climb(round: u64, seed: u64) -> Timed {
    let mut random = Random::stream(seed, round);
    let kind = [Kind::VertexFace, Kind::EdgeEdge][round as usize % 2];
    let family = Family::ALL[(round / 2) as usize % Family::ALL.len()];
    let first = (0..FIRST).map(|_| {
        let mut query = family.query(2 * random.below(1 << 30) + u64::from(kind == Kind::EdgeEdge));
        for _ in 0..random.below(4) {
            query = changed(&query, &mut random);
        }
        Timed::new(query, 2)
    });
    let slower = |a: Timed, b: Timed| if a.seconds < b.seconds { b } else { a };
    let mut slowest = first.reduce(slower).expect("some");
    for _ in 0..CHANGES {
        let mut query = slowest.query;
        for _ in 0..=random.below(3) {
            query = changed(&query, &mut random);
        }
        let next = Timed::new(query, 2);
        if next.seconds > slowest.seconds {
            slowest = slower(slowest, Timed::new(query, 5));
        }
    }
    Timed::new(slowest.query, 9)
}

/// The bits of a number, as source text.
fn bits(x: f64) -> String {
    let quarter = |k: u32| x.to_bits() >> (16 * k) & 0xffff;
    let [a, b, c, d] = [3, 2, 1, 0].map(quarter);
    format!("{a:#06x}_{b:04x}_{c:04x}_{d:04x}")
}

fn main() -> Result<(), Box<dyn Error>> {
    let (mut rounds, mut seed, mut wrong) = (100, 1, 0);
    for word in std::env::args().skip(1) {
        match word.strip_prefix("seed=") {
            Some(number) => seed = number.parse::<u64>()?,
            None => rounds = word.parse::<u64>()?,
        }
    }
    let mut slowest: [Option<Timed>; 2] = [None; 2];
    let mut all = Vec::new();
    for round in 0..rounds {
        let found = climb(round, seed);
        let family = Family::ALL[(round / 2) as usize % Family::ALL.len()];
        println!(
            "{round:>4} {:?} from {family:?}: {:.2} ms",
            found.query.kind,
            1e3 * found.seconds
        );
        all.push(found.seconds);
        if let Err(why) = found.query.check(first(&found.query)) {
            eprintln!("{why}");
            wrong += 1;
        }
        let best = &mut slowest[found.query.kind as usize];
        if best.is_none_or(|best| best.seconds < found.seconds) {
            *best = Some(found);
        }
    }
    for Timed { query, seconds } in slowest.into_iter().flatten() {
        println!("{:?}, {:.2} ms:", query.kind, 1e3 * seconds);
        for p in query.start.iter().chain(&query.end) {
            let [x, y, z] = [p.x, p.y, p.z].map(bits);
            println!("    [{x}, {y}, {z}],");
        }
    }
    if wrong > 0 {
        return Err(format!("{wrong} answers are wrong").into());
    }
    let over = all.iter().filter(|seconds| **seconds > BAR).count();
    if over > 0 {
        return Err(format!("{over} of {rounds} searches ended above 10 ms").into());
    }
    Ok(())
}
