//! Times the clashes of a generated plant, whose list is known.
//!
//! ```sh
//! cargo run --release -p impinge-scene --example plant_clashes -- [PARTS] [FLUSH]
//! ```
//!
//! A plant of 3,000 parts of some 170 meshes, 9 million placed triangles (3,340 have 10 million), with a tenth of the
//! clashing pairs flush. Prints the time to prepare the meshes on one thread, and on all threads to find all
//! contacts of all pairs, without classes, to class them with all contacts, and to class them only, and compares the classes with the plant's own list.
//! Most contacts are of parts placed twice. The first question also finds out whether meshes are closed.

use std::time::Instant;

use impinge_models::plant::{Plant, PlantOptions, plant};
use impinge_query::{Ask, Control};
use impinge_scene::{ClashOptions, Object, World};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let parts = words.next().map_or(Ok(3_000), |word| word.parse())?;
    let flush = words.next().map_or(Ok(0.1), |word| word.parse())?;
    let plant = plant(&PlantOptions { parts, seed: 0, flush });
    let start = Instant::now();
    let mut world = World::new();
    let mut shapes = Vec::new();
    for mesh in &plant.meshes {
        shapes.push(world.shape(mesh)?);
    }
    for part in &plant.parts {
        world.add(Object::new(shapes[part.mesh].clone(), part.pose))?;
    }
    let prepared = start.elapsed();
    let placed: usize = plant.parts.iter().map(|p| plant.meshes[p.mesh].triangles().len()).sum();
    let distinct: usize = plant.meshes.iter().map(|mesh| mesh.triangles().len()).sum();
    println!(
        "{} parts, {} meshes, {distinct} distinct triangles, {placed} placed: prepared in {:.3} s",
        plant.parts.len(),
        plant.meshes.len(),
        prepared.as_secs_f64(),
    );
    let (clearance, solids) = (Some(Plant::CLEARANCE), true);
    for only_class in [false, false, false, true, true, true] {
        let options = ClashOptions { clearance, solids, only_class, ..ClashOptions::default() };
        let start = Instant::now();
        let (mut found, mut contacts) = (Vec::new(), None);
        let summary = world.clashes(&options, &Control::NONE, &mut |clash| {
            contacts = clash.contacts_found.map(|found| found + contacts.unwrap_or(0));
            found.push(([clash.a.index(), clash.b.index()], clash.class.word()));
        })?;
        let took = start.elapsed().as_secs_f64();
        let mut known: Vec<_> =
            plant.clashes.iter().map(|c| ([c.a as u32, c.b as u32], c.class)).collect();
        known.sort_unstable();
        println!(
            "{} candidates, {} clashes, {} in {took:.3} s; the list is {}",
            summary.candidates,
            summary.found,
            contacts.map_or_else(|| "only classes".to_owned(), |n| format!("{n} contacts")),
            if found == known { "right" } else { "WRONG" },
        );
    }
    for _ in 0..3 {
        let (start, mut contacts) = (Instant::now(), 0);
        world.ask(&Ask::all_contacts(), &Control::NONE, &mut |found| {
            contacts += found.answer.contacts.len();
        })?;
        println!("{contacts} contacts, without classes, in {:.3} s", start.elapsed().as_secs_f64());
    }
    Ok(())
}
