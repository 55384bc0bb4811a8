//! A world of many objects: which parts clash and how, how deep they are in each other, and what a part
//! touches on its way.
//!
//! Run it with `cargo run -p impinge --example world`.

use std::error::Error;

use impinge::models::Shape;
use impinge::query::Control;
use impinge::scene::ClashOptions;
use impinge::{
    Object, PenetrationOptions, Pose, Sweep, SweepOptions, Vector, WaysOut, World, sweep_world,
};

fn main() -> Result<(), Box<dyn Error>> {
    let mut world = World::new();
    // A mesh is prepared once. Objects are instances of it, each with a pose of its own.
    let cube = world.shape(&Shape::Cube.mesh(12, 0))?; // edge 1
    let ring = world.shape(&Shape::Torus.mesh(2_000, 0))?; // about 1 wide and 0.3 high
    let parts = [
        ("table", &cube, [0.0, 0.0, 0.0]),
        ("ring on the table", &ring, [0.0, 0.0, 0.66]),
        ("box beside it", &cube, [1.0, 0.0, 0.0]),
        ("box in the box", &cube, [1.75, 0.0, 0.0]),
        ("ring that flies", &ring, [-4.0, 0.0, 0.0]),
    ];
    let mut ids = Vec::new();
    for (_, shape, place) in parts {
        ids.push(world.add(Object::new(shape.clone(), at(place)?))?);
    }
    let name = |id: impinge::ObjectId| parts[id.index() as usize].0;

    // Every pair that clashes, classed by exact tests: faces that are flush touch, and do not pierce.
    let options = ClashOptions { clearance: Some(0.05), solids: true, ..ClashOptions::default() };
    println!("Clashes:");
    world.clashes(&options, &Control::NONE, &mut |clash| {
        let (a, b, class) = (name(clash.a), name(clash.b), clash.class);
        println!("  {a} and {b}: {class}, {:.3} apart", clash.distance);
    })?;

    // The shortest way out of each pair that meets, between two bounds.
    println!("Depths:");
    let all = PenetrationOptions::default();
    for pair in WaysOut::default().penetrations(&mut world, &all, &Control::NONE)? {
        let (a, b, depth) = (name(pair.a), name(pair.b), pair.found);
        println!("  {a} and {b}: {:.4} to {:.4}", depth.lower, depth.upper);
    }

    // Nothing is passed through, however far a part goes in one step. Pairs that rest are told of too.
    println!("On the way of the ring that flies:");
    let flying = ids[4];
    let ends = [(flying, at([4.0, 0.0, 0.0])?)];
    for met in sweep_world(&world, &ends, &SweepOptions::default(), &Control::NONE)? {
        let other = if met.a == flying { met.b } else { met.a };
        match met.swept.outcome {
            _ if ![met.a, met.b].contains(&flying) => {}
            Sweep::Touching { high, .. } => println!("  {} after {high:.4} of it", name(other)),
            _ => println!("  {}: not certain", name(other)),
        }
    }

    // Objects are moved, added and removed by their ids; what was found of other pairs is kept.
    world.set_pose(ids[3], at([2.5, 0.0, 0.0])?)?;
    println!("Pairs that meet after the last box was moved: {}", world.colliding()?.len());
    Ok(())
}

fn at(place: [f64; 3]) -> Result<Pose, impinge::Error> {
    Ok(Pose::translation_by(Vector::from(place))?)
}
