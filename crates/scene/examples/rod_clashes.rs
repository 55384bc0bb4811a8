//! Times the clashes of rods at random: nearly all pairs of boxes are of rods that are apart.
//!
//! ```sh
//! cargo run --release -p impinge-scene --example rod_clashes -- [PARTS] [CLEARANCE]
//! ```
//!
//! Rods of length 2, of four meshes of some 2,000 triangles each; the space grows with their number, 20,000 without
//! the argument. Prints the seconds of each of five questions: the first looks for a direction between
//! the two of each pair, later ones know it.

use std::f64::consts::TAU;
use std::time::Instant;

use impinge_models::Random;
use impinge_query::Control;
use impinge_scene::geometry::{Mesh, Point, Vector};
use impinge_scene::{ClashOptions, Object, World};

/// A closed rod along z of about `40 * rings` triangles.
fn rod(rings: u32, radius: f64) -> Result<Mesh, Box<dyn std::error::Error>> {
    const SIDES: u32 = 20;
    let height = |ring: u32| 2.0 * f64::from(ring) / f64::from(rings - 1) - 1.0;
    let around = |i: u32| (TAU * f64::from(i) / f64::from(SIDES)).sin_cos();
    let mut corners = Vec::new();
    for ring in 0..rings {
        let circle = (0..SIDES).map(around);
        corners.extend(circle.map(|(y, x)| Point::new(radius * x, radius * y, height(ring))));
    }
    corners.extend([height(0), height(rings - 1)].map(|z| Point::new(0.0, 0.0, z)));
    let (first, top) = (SIDES * rings, SIDES * (rings - 1));
    let mut faces = Vec::new();
    for i in 0..SIDES {
        let j = (i + 1) % SIDES;
        for below in (0..rings - 1).map(|ring| ring * SIDES) {
            let (a, b) = (below + i, below + j);
            faces.extend([[a, b, b + SIDES], [a, b + SIDES, a + SIDES]]);
        }
        faces.extend([[first, j, i], [first + 1, top + i, top + j]]);
    }
    Ok(Mesh::new(corners, faces)?)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let parts: u32 = words.next().map_or(Ok(20_000), |word| word.parse())?;
    let clearance = words.next().map(|word| word.parse()).transpose()?;
    let (mut world, mut random) = (World::new(), Random::new(22));
    let mut shapes = Vec::new();
    for k in 0..4 {
        shapes.push(world.shape(&rod(49 + k, 0.01 + 0.0005 * f64::from(k))?)?);
    }
    let side = 26.4 * (f64::from(parts) / 20_000.0).cbrt();
    for number in 0..parts as usize {
        let place: Vector = random.vector(0.0, side);
        let pose = random.turned_to(place);
        world.add(Object::new(shapes[number % shapes.len()].clone(), pose))?;
    }
    let options = ClashOptions { clearance, solids: true, ..ClashOptions::default() };
    for _ in 0..5 {
        let start = Instant::now();
        let mut classes = std::collections::BTreeMap::<_, u32>::new();
        let summary = world.clashes(&options, &Control::NONE, &mut |clash| {
            *classes.entry(clash.class).or_default() += 1;
        })?;
        let seconds = start.elapsed().as_secs_f64();
        println!("{} candidates, {classes:?} in {seconds:.3} s", summary.candidates);
    }
    Ok(())
}
