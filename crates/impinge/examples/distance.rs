//! Distance: how far apart are two meshes, where are they nearest, and is that far enough?
//!
//! Run it with `cargo run -p impinge --example distance`.

use impinge::models::Shape;
use impinge::{Error, Pair, Pose, Vector};

/// The clearance that the two bodies need, in the unit of the meshes.
const CLEARANCE: f64 = 0.25;

fn main() -> Result<(), Error> {
    let hand = Shape::Hand.mesh(4_000, 0); // about 1 long, as all these shapes
    let torus = Shape::Torus.mesh(4_000, 0);
    let mut pair = Pair::new(&hand, &torus)?;

    println!("the torus approaches the hand along x:\n");
    println!("{:>5}  {:>10}  nearest points, on the hand and on the torus", "x", "distance");
    for x in [2.0, 1.5, 1.25, 1.0, 0.5] {
        let pose = Pose::translation_by(Vector::new(x, 0.0, 0.0))?;
        let nearest = pair.distance(&pose)?;
        // The distance is 0 if and only if the surfaces touch. Both points are in the hand's frame.
        let (p, q) = (nearest.on_a, nearest.on_b);
        println!(
            "{x:>5}  {:>10.6}  ({:.3}, {:.3}, {:.3})  ({:.3}, {:.3}, {:.3})",
            nearest.distance, p.x, p.y, p.z, q.x, q.y, q.z
        );
    }

    // "Is it nearer than d?" is cheaper than the distance, and decided exactly: a path is safe if
    // no pose of it is nearer than the clearance.
    let path = (0..=100)
        .map(|step| Pose::translation_by(Vector::new(2.0 - 0.02 * f64::from(step), 0.0, 0.0)))
        .collect::<Result<Vec<Pose>, _>>()?;
    let nearer = pair.nearer_than_at(&path, CLEARANCE)?;
    match nearer.iter().position(|&too_near| too_near) {
        Some(step) => {
            let x = path[step].translation().x;
            println!("\nthe clearance of {CLEARANCE} is first violated at step {step}, x = {x:.2}");
        }
        None => println!("\nthe clearance of {CLEARANCE} is kept along the whole path"),
    }
    Ok(())
}
