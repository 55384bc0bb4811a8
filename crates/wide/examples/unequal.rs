//! Times large bodies, and bodies of very different size: first contacts and all contacts, builds and refits.
//!
//! ```sh
//! cargo run --release -p impinge-wide --example unequal
//! ```
//!
//! Each pair in 24 places, turned at random, a part of the smaller one's diagonal apart or inside. Prints the median over the
//! places of the least time of nine rounds, and the boxes and pairs of triangles of a query in the mean. Takes some
//! minutes for the torus of a million triangles.

mod places;
mod timing;

use std::error::Error;
use std::time::Instant;

use impinge_geometry::{Mesh, Pose};
use impinge_models::{Random, Shape};
use impinge_query::{Answer, Ask, Control, Engine, Model};
use impinge_wide::{WideModel, wide};
use places::nearer;
use timing::timed;

fn diagonal(mesh: &Mesh) -> f64 {
    let (low, high) = mesh.bounds();
    (high - low).norm()
}

/// Places so many diagonals of the smaller one apart, or inside if negative.
fn places(models: [&WideModel; 2], part: f64) -> Result<Vec<Pose>, Box<dyn Error>> {
    let [a, b] = models.map(|model| diagonal(model.mesh()));
    let (mut random, smaller) = (Random::new(7), a.min(b));
    let mut place = || {
        let way = random.unit_vector();
        let outside = random.turned_to(way * (0.75 * (a + b)));
        let beside = nearer(models, &outside, part.max(1e-3) * smaller)?;
        let inwards = Pose::translation_by(way * (part.min(0.0) * smaller))?;
        Ok(inwards.then_inner(&beside))
    };
    (0..24).map(|_| place()).collect()
}

/// Prints the time of a question, and what it tests.
fn measure(
    what: &str,
    [a, b]: [&WideModel; 2],
    places: &[Pose],
    ask: &Ask,
) -> Result<(), Box<dyn Error>> {
    let (engine, mut answer) = (wide(), Answer::default());
    let (mut boxes, mut pairs, counted) = (0, 0, ask.counted());
    let mut times = Vec::new();
    for pose in places {
        engine.query(a, b, pose, &mut engine.memory(), &counted, &Control::NONE, &mut answer)?;
        let statistics = answer.statistics.take().unwrap_or_default();
        boxes += statistics.volume_tests;
        pairs += statistics.primitive_tests;
        let mut least = f64::INFINITY;
        for _ in 0..9 {
            let memory = &mut engine.memory();
            let start = Instant::now();
            engine.query(a, b, pose, memory, ask, &Control::NONE, &mut answer)?;
            least = least.min(start.elapsed().as_secs_f64());
        }
        times.push(least * 1e6);
    }
    times.sort_by(f64::total_cmp);
    let (n, median) = (places.len() as u64, times[times.len() / 2]);
    let (boxes, pairs) = (boxes / n, pairs / n);
    println!("{what}: {median:.2} µs, {boxes} boxes, {pairs} pairs");
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let engine = wide();
    let prepare = |mesh: &Mesh| engine.prepare(mesh, &Control::NONE);
    let mesh = Shape::Torus.mesh(1_000_000, 0);
    let (time, built) = timed(|| prepare(&mesh));
    let mut million = built?;
    println!("build of a million: {:.1} ms", time.as_secs_f64() * 1e3);
    let beside = (million.bytes() - million.mesh_bytes()) as f64 / mesh.triangles().len() as f64;
    println!("memory of a million: {beside:.1} bytes a triangle");
    let (time, done) = timed(|| engine.refit(&mut million, mesh.vertices(), &Control::NONE));
    done?;
    println!("refit of a million: {:.1} ms", time.as_secs_f64() * 1e3);

    let [cube, small, large] = [(Shape::Cube, 12), (Shape::Torus, 1_000), (Shape::Torus, 100_000)]
        .map(|(shape, triangles)| shape.mesh(triangles, 0));
    let [cube, small, large] = [prepare(&cube)?, prepare(&small)?, prepare(&large)?];
    let pairs = [
        ("cube in torus of a million", [&million, &cube]),
        ("torus of 1,000 in torus of 100,000", [&large, &small]),
        ("tori of a million", [&million, &million]),
    ];
    for (what, models) in pairs {
        for part in [-0.1, -0.01, 0.001, 0.01, 0.1, 0.5] {
            let places = places(models, part)?;
            for (name, ask) in
                [("first contact", Ask::first_contact()), ("distance", Ask::distance())]
            {
                measure(&format!("{what}, {part} of the smaller, {name}"), models, &places, &ask)?;
            }
        }
    }
    Ok(())
}
