//! Times verdicts about bodies that are apart, and about some that meet.
//!
//! ```sh
//! cargo run --release -p impinge-wide --example apart
//! ```
//!
//! Each body against itself in 64 places, turned at random, with the middle at so many times its diagonal from the
//! other's. Asks for a first contact, and whether they are nearer than a tenth of the diagonal. Prints the least
//! time of 300 rounds of 20 times all places, with one memory for all, and how many meet, and the boxes of a query.

use std::error::Error;
use std::time::Instant;

use impinge_geometry::{Mesh, Point, Pose, Vector};
use impinge_models::{Random, Shape};
use impinge_query::{Answer, Ask, Control, Engine};
use impinge_wide::{WideModel, wide};

/// A beam, turned within its mesh.
fn beam() -> Result<Mesh, Box<dyn Error>> {
    let cube = Shape::Cube.mesh(12, 0);
    let turned = Random::new(1).turned_to(Vector::zeros());
    let long = |p: &Point| turned.apply(&Point::new(p.x, 0.1 * p.y, 0.2 * p.z));
    Ok(cube.with_vertices(cube.vertices().iter().map(long).collect())?)
}

/// Prints the time of a query, and what it tests.
fn measure(what: &str, model: &WideModel, far: f64) -> Result<(), Box<dyn Error>> {
    let engine = wide();
    let diagonal = model.mesh().diagonal();
    let mut random = Random::new(5);
    let place = |_| {
        let way = random.unit_vector() * (far * diagonal);
        random.turned_to(way)
    };
    let places: Vec<Pose> = (0..64).map(place).collect();
    let mut answer = Answer::default();
    for (name, ask) in
        [("first contact", Ask::first_contact()), ("nearer", Ask::nearer_than(0.1 * diagonal))]
    {
        let (mut memory, mut least) = (engine.memory(), f64::INFINITY);
        for _ in 0..300 {
            let start = Instant::now();
            for pose in std::iter::repeat_n(&places, 20).flatten() {
                let (memory, control) = (&mut memory, &Control::NONE);
                engine.query(model, model, pose, memory, &ask, control, &mut answer)?;
            }
            least = least.min(start.elapsed().as_secs_f64());
        }
        let (mut boxes, mut hits, asked) = (0, 0, ask.counted());
        for pose in &places {
            let (memory, control) = (&mut engine.memory(), &Control::NONE);
            engine.query(model, model, pose, memory, &asked, control, &mut answer)?;
            boxes += answer.statistics.take().unwrap_or_default().volume_tests;
            hits += u32::from(answer.verdict.is_hit() || answer.nearer == Some(true));
        }
        let (nanos, boxes) = (least / (20.0 * 64.0) * 1e9, boxes as f64 / 64.0);
        println!("{what}, {far} diagonals, {name}: {nanos:.1} ns, {hits} of 64, {boxes:.1} boxes");
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let bodies = [
        ("cube 12", Shape::Cube.mesh(12, 0)),
        ("beam 12", beam()?),
        ("torus 1000", Shape::Torus.mesh(1_000, 0)),
        ("hand 5000", Shape::Hand.mesh(5_000, 0)),
    ];
    for (what, mesh) in &bodies {
        let model = wide().prepare(mesh, &Control::NONE)?;
        for far in [0.5, 0.7, 0.9, 1.2, 2.0] {
            measure(what, &model, far)?;
        }
    }
    Ok(())
}
