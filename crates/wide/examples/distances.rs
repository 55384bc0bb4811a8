//! Times distances of bodies some way apart, and counts what they take.
//!
//! ```sh
//! cargo run --release -p impinge-wide --example distances
//! ```
//!
//! Each body against itself in 30 places, turned at random, with its frame's origin 1.4 times its radius and
//! 0.01, 0.1 or 0.5 more from that of the other; then moved along that way until they are a hundredth or a
//! thousandth of the radius apart; last 10,000 times the radius apart. On one thread; `RAYON_NUM_THREADS` has an effect on long
//! searches only. Prints the least time of nine rounds, and the boxes and pairs of triangles of a query.

mod places;

use std::error::Error;
use std::time::Instant;

use impinge_geometry::{Mesh, Pose, Vector};
use impinge_models::{Random, Shape};
use impinge_query::{Answer, Ask, Control, Engine};
use impinge_wide::{WideModel, wide};
use places::nearer;

const BODIES: [(Shape, usize); 6] = [
    (Shape::Hand, 50_000),
    (Shape::Torus, 10_000),
    (Shape::Leaf, 10_000),
    (Shape::Teapot, 15_000),
    (Shape::Gear, 5_000),
    (Shape::Hull, 5_000),
];

/// Places of a body around itself.
fn places(mesh: &Mesh, far: f64) -> Result<Vec<Pose>, Box<dyn Error>> {
    let radius = mesh.vertices().iter().map(|p| p.coords.norm()).fold(0.0, f64::max);
    let mut random = Random::new(3);
    let place = |_| {
        let way = random.unit_vector() * (1.4 * radius + far);
        let turned = random.turned_to(Vector::zeros());
        Ok(Pose::translation_by(way)?.then_inner(&turned))
    };
    (0..30).map(place).collect()
}

/// Seconds a query, each with a new memory.
fn seconds(model: &WideModel, places: &[Pose], ask: &Ask) -> Result<f64, Box<dyn Error>> {
    let (engine, mut answer) = (wide(), Answer::default());
    let mut least = f64::INFINITY;
    for _ in 0..9 {
        let start = Instant::now();
        for pose in places {
            let memory = &mut engine.memory();
            engine.query(model, model, pose, memory, ask, &Control::NONE, &mut answer)?;
        }
        least = least.min(start.elapsed().as_secs_f64());
    }
    Ok(least / places.len() as f64)
}

/// Prints the time of a query and what it tests.
fn measure(what: &str, model: &WideModel, places: &[Pose]) -> Result<(), Box<dyn Error>> {
    let (engine, mut answer) = (wide(), Answer::default());
    let (mut boxes, mut pairs) = (0, 0);
    for pose in places {
        let (memory, ask) = (&mut engine.memory(), Ask::distance().counted());
        engine.query(model, model, pose, memory, &ask, &Control::NONE, &mut answer)?;
        let counted = answer.statistics.take().unwrap_or_default();
        boxes += counted.volume_tests;
        pairs += counted.primitive_tests;
    }
    let (n, micros) = (places.len() as u64, seconds(model, places, &Ask::distance())? * 1e6);
    let (boxes, pairs) = (boxes / n, pairs / n);
    println!("{what}: {micros:.1} µs, {boxes} boxes, {pairs} pairs");
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let engine = wide();
    for (shape, triangles) in BODIES {
        let mesh = shape.mesh(triangles, 0);
        let model = engine.prepare(&mesh, &Control::NONE)?;
        for far in [0.01, 0.1, 0.5] {
            measure(&format!("{} {triangles}, {far}", shape.word()), &model, &places(&mesh, far)?)?;
        }
        let radius = mesh.vertices().iter().map(|p| p.coords.norm()).fold(0.0, f64::max);
        for part in [0.01, 0.001] {
            let places = places(&mesh, 0.0)?;
            let beside = |place| nearer([&model; 2], place, part * radius);
            let places = places.iter().map(beside).collect::<Result<Vec<Pose>, _>>()?;
            let what = format!("{} {triangles}, {part} of the radius apart", shape.word());
            measure(&what, &model, &places)?;
        }
        let what = format!("{} {triangles}, 10,000 times the radius apart", shape.word());
        measure(&what, &model, &places(&mesh, 1e4 * radius)?)?;
    }
    Ok(())
}
