//! Counts the questions that sweeps by rigid screws take, and times them.
//!
//! ```text
//! cargo run --release -p impinge-continuous --example sweeps -- [TRIANGLES] [MOTIONS]
//! ```
//! Bodies about 1 long come from 1.2 away, turn by any angle, and pass each other or meet. Prints the
//! share of motions with a contact, what was left undecided, the median, the 90th percentile and the most
//! distance queries of `wide`, and the median and the 90th percentile of the time.

use std::error::Error;
use std::time::Instant;

use impinge_continuous::query::{Answer, Ask, Control, Engine};
use impinge_continuous::rigid::{Extent, RigidMotion, Sweep, SweepOptions, sweep_by};
use impinge_models::{Random, Shape};

const PAIRS: [[Shape; 2]; 6] = [
    [Shape::Teapot; 2],
    [Shape::Hand, Shape::Gear],
    [Shape::Torus, Shape::Trefoil],
    [Shape::Sphere, Shape::Cube],
    [Shape::Leaf, Shape::Hand],
    [Shape::Torus; 2],
];

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
        "{:<18} {:>6} {:>8} {:>7} {:>6} {:>18} {:>16}",
        "bodies", "width", "near", "hits %", "open %", "queries p50/90/max", "µs p50, p90"
    );
    let engine = impinge_wide::wide();
    for (width, near) in [(10, 0.0), (20, 0.0), (30, 0.0), (20, 1e-3), (20, 1e-6)] {
        let (mut all, mut every) = (Vec::new(), Vec::new());
        for shapes in PAIRS {
            let meshes = shapes.map(|shape| shape.mesh(triangles, 0));
            let [a, b] = meshes.each_ref().map(|mesh| engine.prepare(mesh, &Control::NONE));
            let (a, b) = (a?, b?);
            let [p, q] = meshes.each_ref().map(|mesh| Extent::new(mesh, &Control::NONE));
            let extents = [p?, q?];
            let mut random = Random::stream(0x5cec, 0);
            let options =
                SweepOptions { near, width: 0.5f64.powi(width), ..SweepOptions::default() };
            let (mut counts, mut times, mut hits, mut open) = (Vec::new(), Vec::new(), 0, 0);
            for _ in 0..motions {
                let from = random.unit_vector() * 1.2;
                let to = random.in_ball() * 1.6 - from;
                let [start, end] = [from, to].map(|at| random.turned_to(at));
                let motion = RigidMotion::screw(&start, &end)?;
                let mut memory = Engine::memory(&engine);
                let mut ask = |pose: &_, ask: &Ask, control: &Control<'_>, answer: &mut Answer| {
                    engine.query(&a, &b, pose, &mut memory, ask, control, answer)
                };
                let clock = Instant::now();
                let swept =
                    sweep_by(&mut ask, extents.each_ref(), &motion, &options, &Control::NONE)?;
                times.push(clock.elapsed().as_secs_f64() * 1e6);
                counts.push(f64::from(swept.distances));
                hits += usize::from(swept.outcome.is_touching());
                open += usize::from(matches!(swept.outcome, Sweep::Undecided { .. }));
            }
            all.extend_from_slice(&counts);
            every.extend_from_slice(&times);
            let share = |n: usize| 100.0 * n as f64 / motions as f64;
            let [p, q] = shapes;
            println!(
                "{:<18} {:>6} {near:>8} {:>7.0} {:>6.0} {:>6} {:>5} {:>6} {:>8.0} {:>8.0}",
                format!("{p}, {q}"),
                format!("2^-{width}"),
                share(hits),
                share(open),
                percentile(&mut counts, 0.5),
                percentile(&mut counts, 0.9),
                percentile(&mut counts, 1.0),
                percentile(&mut times, 0.5),
                percentile(&mut times, 0.9)
            );
        }
        println!(
            "{:<18} {:>6} {near:>8} {:>14} {:>6} {:>5} {:>6} {:>8.0} {:>8.0}",
            "all",
            format!("2^-{width}"),
            "",
            percentile(&mut all, 0.5),
            percentile(&mut all, 0.9),
            percentile(&mut all, 1.0),
            percentile(&mut every, 0.5),
            percentile(&mut every, 0.9)
        );
    }
    Ok(())
}
