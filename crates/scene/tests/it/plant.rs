//! A generated plant, whose clashes of every class are known by construction.

use std::collections::BTreeMap;

use impinge_models::plant::{Plant, PlantOptions, plant};
use impinge_query::Control;
use impinge_scene::{ClashOptions, Object, World};

/// The clashes of the plant as `[a, b]` and a word.
fn found(plant: &Plant, only_class: bool) -> Vec<([u32; 2], &'static str)> {
    let mut world = World::new();
    let shapes: Vec<_> =
        plant.meshes.iter().map(|mesh| world.shape(mesh).expect("prepared")).collect();
    for part in &plant.parts {
        world.add(Object::new(shapes[part.mesh].clone(), part.pose)).expect("added");
    }
    let (clearance, solids) = (Some(Plant::CLEARANCE), true);
    let options = ClashOptions { clearance, solids, only_class, ..ClashOptions::default() };
    let mut found = Vec::new();
    world
        .clashes(&options, &Control::NONE, &mut |clash| {
            found.push(([clash.a.index(), clash.b.index()], clash.class.word()));
        })
        .expect("answered");
    found
}

#[test]
fn every_clash_of_a_plant_is_found_with_its_class() {
    let plant = plant(&PlantOptions { parts: 500, seed: 3, flush: 0.3 });
    let mut known: Vec<_> =
        plant.clashes.iter().map(|clash| ([clash.a as u32, clash.b as u32], clash.class)).collect();
    known.sort_unstable();
    assert_eq!(found(&plant, true), known);
    let found = found(&plant, false);
    assert_eq!(found, known);
    let mut counts = BTreeMap::new();
    for (_, class) in &found {
        *counts.entry(*class).or_insert(0) += 1;
    }
    let classes = ["touches", "pierces", "inside", "duplicate", "too-near"];
    assert!(classes.iter().all(|class| counts.get(class).is_some_and(|n| *n > 3)), "{counts:?}");
}
