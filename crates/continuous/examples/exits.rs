//! Times exits along a direction beside distances.
//!
//! ```text
//! cargo run --release -p impinge-continuous --example exits -- [TRIANGLES] [POSES]
//! ```
//! Two bodies, B turned at random, so far into A that a translation by 5 % of the smaller body's
//! diagonal along some direction ends all contact. Prints medians and 99th percentiles of the last
//! contact along a random direction and of the first free place, and medians of a distance query of
//! `wide` for the same bodies, 5 % apart along that first direction.

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use impinge_continuous::geometry::{Pose, Vector};
use impinge_continuous::query::{Ask, Control, Engine};
use impinge_continuous::{Sweep, SweepModel};
use impinge_models::{Random, Shape};
use impinge_wide::wide;

const PAIRS: [[Shape; 2]; 5] = [
    [Shape::Torus; 2],
    [Shape::Trefoil; 2],
    [Shape::Torus, Shape::Trefoil],
    [Shape::Gear; 2],
    [Shape::Hand, Shape::Teapot],
];
const EVER: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];
const AFTER: [f64; 2] = [0.0, f64::INFINITY];

fn percentile(times: &mut [f64], share: f64) -> f64 {
    times.sort_unstable_by(f64::total_cmp);
    times[((times.len() - 1) as f64 * share) as usize]
}

/// The least of a few runs, in µs.
fn time<T>(mut run: impl FnMut() -> T) -> f64 {
    let mut least = f64::INFINITY;
    for _ in 0..3 {
        let start = Instant::now();
        black_box(run());
        least = least.min(start.elapsed().as_secs_f64() * 1e6);
    }
    least
}

fn shifted(pose: &Pose, by: Vector) -> Result<Pose, Box<dyn Error>> {
    Ok(Pose::new(*pose.rotation(), pose.translation() + by)?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut numbers = std::env::args().skip(1).map(|word| word.parse::<usize>());
    let triangles = numbers.next().transpose()?.unwrap_or(10_000);
    let poses = numbers.next().transpose()?.unwrap_or(100).max(1);
    println!("{triangles} triangles a body, {poses} poses; times in µs");
    println!(
        "{:<18} {:>8} {:>9} {:>9} {:>9} {:>9} {:>7}",
        "bodies", "last p50", "p99", "free p50", "p99", "distance", "ratio"
    );
    for shapes in PAIRS {
        let meshes = shapes.map(|shape| shape.mesh(triangles, 0));
        let depth = 0.05 * meshes[0].diagonal().min(meshes[1].diagonal());
        let [a, b] = meshes.each_ref().map(|mesh| SweepModel::new(mesh, &Control::NONE));
        let (a, b) = (a?, b?);
        let engine = wide();
        let [wa, wb] = meshes.each_ref().map(|mesh| Engine::prepare(&engine, mesh, &Control::NONE));
        let (wa, wb) = (wa?, wb?);
        let mut random = Random::stream(0xe817, 0);
        let mut times = [const { Vec::new() }; 4];
        for _ in 0..poses {
            let (turned, side) = (random.turned_to(Vector::zeros()), random.unit_vector());
            let ever = Sweep::new(&a, &b, &turned).last_contact(&side, EVER, &Control::NONE)?;
            let Some(ever) = ever else { continue };
            let inside = shifted(&turned, side * (ever.at.high - depth))?;
            let apart = shifted(&turned, side * (ever.at.high + depth))?;
            let d = random.unit_vector();
            let sweep = Sweep::new(&a, &b, &inside);
            times[0].push(time(|| sweep.last_contact(&d, AFTER, &Control::NONE)));
            times[1].push(time(|| sweep.first_free(&d, &Control::NONE)));
            times[2].push(time(|| engine.ask(&wa, &wb, &apart, &Ask::distance())));
            let (last, distance) = (times[0].last(), times[2].last());
            times[3].extend(last.zip(distance).map(|(last, distance)| last / distance));
        }
        let [last, free, distance, ratio] = &mut times;
        let [p, q] = shapes;
        println!(
            "{:<18} {:>8.1} {:>9.1} {:>9.1} {:>9.1} {:>9.1} {:>7.1}",
            format!("{p}, {q}"),
            percentile(last, 0.5),
            percentile(last, 0.99),
            percentile(free, 0.5),
            percentile(free, 0.99),
            percentile(distance, 0.5),
            percentile(ratio, 0.5),
        );
    }
    Ok(())
}
