//! Times exits along a direction beside distances.
//!
//! ```text
//! cargo run --release -p impinge --example exits -- [TRIANGLES] [POSES]
//! ```
//! Two bodies, B turned at random, so far into A that a translation by 5 % of the smaller body's
//! diagonal along some direction ends all contact. Prints medians and 99th percentiles of the last
//! contact along a random direction and of the first free place, medians of both verified at their
//! poses, and of a distance query of `wide` for the same bodies, 5 % apart along that first
//! direction. `ratio` is the median of last contact over distance.

use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use impinge::continuous::translation::{TranslationBody, Translations, Way};
use impinge::query::{Ask, Control, Engine, Meaning};
use impinge::wide::wide;
use impinge::{Pose, Vector};
use impinge_models::{Random, Shape};

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
        "{:<18} {:>8} {:>7} {:>8} {:>7} {:>9} {:>9} {:>8} {:>5}",
        "bodies",
        "last p50",
        "p99",
        "free p50",
        "p99",
        "exit last",
        "exit free",
        "distance",
        "ratio"
    );
    for shapes in PAIRS {
        let mut times = measured(shapes, triangles, poses)?;
        let [p, q] = shapes;
        let [last, free, distance, ratio, exit_last, exit_free] = &mut times;
        println!(
            "{:<18} {:>8.0} {:>7.0} {:>8.0} {:>7.0} {:>9.0} {:>9.0} {:>8.0} {:>5.1}",
            format!("{p}, {q}"),
            percentile(last, 0.5),
            percentile(last, 0.99),
            percentile(free, 0.5),
            percentile(free, 0.99),
            percentile(exit_last, 0.5),
            percentile(exit_free, 0.5),
            percentile(distance, 0.5),
            percentile(ratio, 0.5),
        );
    }
    Ok(())
}

/// Times of two bodies at all poses, by question.
fn measured(
    shapes: [Shape; 2],
    triangles: usize,
    poses: usize,
) -> Result<[Vec<f64>; 6], Box<dyn Error>> {
    let meshes = shapes.map(|shape| shape.mesh(triangles, 0));
    let depth = 0.05 * meshes[0].diagonal().min(meshes[1].diagonal());
    let [a, b] = meshes.each_ref().map(|mesh| TranslationBody::new(mesh, &Control::NONE));
    let (a, b) = (a?, b?);
    let engine = wide();
    let [wa, wb] = meshes.each_ref().map(|mesh| Engine::prepare(&engine, mesh, &Control::NONE));
    let (wa, wb) = (wa?, wb?);
    let mut random = Random::stream(0xe817, 0);
    let mut times = [const { Vec::new() }; 6];
    for _ in 0..poses {
        let (turned, side) = (random.turned_to(Vector::zeros()), random.unit_vector());
        let ever = Translations::new(&a, &b, &turned).last_contact(&side, EVER, &Control::NONE)?;
        let Some(ever) = ever else { continue };
        let inside = shifted(&turned, side * (ever.at.high - depth))?;
        let apart = shifted(&turned, side * (ever.at.high + depth))?;
        let d = random.unit_vector();
        let moved = Translations::new(&a, &b, &inside);
        let last = time(|| moved.last_contact(&d, AFTER, &Control::NONE));
        let distance = time(|| engine.ask(&wa, &wb, &apart, &Ask::distance()));
        let exit = |way| moved.exit(way, &d, Meaning::Surfaces, &Control::NONE);
        let all = [
            last,
            time(|| moved.first_free(&d, &Control::NONE)),
            distance,
            last / distance,
            time(|| exit(Way::LastContact)),
            time(|| exit(Way::FirstFree)),
        ];
        for (times, time) in times.iter_mut().zip(all) {
            times.push(time);
        }
    }
    Ok(times)
}
