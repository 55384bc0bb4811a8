//! Counts the questions that sweeps by rigid screws take, and times them.
//!
//! ```text
//! cargo run --release -p impinge --example sweeps -- [TRIANGLES] [MOTIONS]
//! ```
//! Bodies about 1 long come from 1.2 away, turn by any angle, and pass each other or meet. Prints the
//! share of motions with a contact and of those left undecided; the median, the 90th percentile and the
//! most distance queries of `wide`; the median and the 90th percentile of the time.

use std::error::Error;
use std::time::Instant;

use impinge::models::{Random, Shape};
use impinge::query::Control;
use impinge::{Pair, RigidMotion, Sweep, SweepOptions};

const PAIRS: [[Shape; 2]; 6] = [
    [Shape::Teapot; 2],
    [Shape::Hand, Shape::Gear],
    [Shape::Torus, Shape::Trefoil],
    [Shape::Gear; 2],
    [Shape::Leaf, Shape::Hand],
    [Shape::Torus; 2],
];

/// What some sweeps took.
#[derive(Default)]
struct Row {
    queries: Vec<f64>,
    times: Vec<f64>,
    hits: usize,
    undecided: usize,
}

impl Row {
    fn of(
        shapes: [Shape; 2],
        triangles: usize,
        motions: usize,
        options: &SweepOptions,
    ) -> Result<Self, Box<dyn Error>> {
        let mut row = Self::default();
        let [a, b] = shapes.map(|shape| shape.mesh(triangles, 0));
        let mut pair = Pair::new(&a, &b)?;
        let mut random = Random::stream(0x5cec, 0);
        for _ in 0..motions {
            let from = random.unit_vector() * 1.2;
            let to = random.in_ball() * 1.6 - from;
            let [start, end] = [from, to].map(|at| random.turned_to(at));
            let motion = RigidMotion::screw(&start, &end)?;
            let clock = Instant::now();
            let swept = pair.sweep_with(&motion, options, &Control::NONE)?;
            row.times.push(clock.elapsed().as_secs_f64() * 1e6);
            row.queries.push(f64::from(swept.distances));
            row.hits += usize::from(swept.outcome.is_touching());
            row.undecided += usize::from(matches!(swept.outcome, Sweep::Undecided { .. }));
        }
        Ok(row)
    }

    fn add(&mut self, other: &Self) {
        self.queries.extend(&other.queries);
        self.times.extend(&other.times);
        self.hits += other.hits;
        self.undecided += other.undecided;
    }

    fn print(&mut self, bodies: &str, options: &SweepOptions) {
        let share = |n: usize| 100.0 * n as f64 / self.times.len() as f64;
        let shares = [share(self.hits), share(self.undecided)];
        let [p50, p90, most] = [0.5, 0.9, 1.0].map(|p| percentile(&mut self.queries, p));
        let [fast, slow] = [0.5, 0.9].map(|p| percentile(&mut self.times, p));
        let SweepOptions { width, near, .. } = options;
        println!(
            "{bodies:<16} {width:>8.0e} {near:>6} {:>5.0} {:>9.1} {p50:>8} {p90:>4} {most:>4} {fast:>8.0} {slow:>8.0}",
            shares[0], shares[1],
        );
    }
}

fn percentile(values: &mut [f64], share: f64) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values[((values.len() - 1) as f64 * share) as usize]
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut numbers = std::env::args().skip(1).map(|word| word.parse::<usize>());
    let triangles = numbers.next().transpose()?.unwrap_or(10_000);
    let motions = numbers.next().transpose()?.unwrap_or(200).max(1);
    println!("{triangles} triangles a body, {motions} screws");
    println!(
        "bodies              width   near hits% undecided%  queries p50/90/max  µs p50      p90"
    );
    for (power, near) in [(10, 0.0), (20, 0.0), (30, 0.0), (20, 1e-3)] {
        let width = 0.5f64.powi(power);
        let options = SweepOptions { near, width, ..SweepOptions::default() };
        let mut all = Row::default();
        for shapes in PAIRS {
            let mut row = Row::of(shapes, triangles, motions, &options)?;
            row.print(&format!("{}, {}", shapes[0], shapes[1]), &options);
            all.add(&row);
        }
        all.print("all", &options);
    }
    Ok(())
}
