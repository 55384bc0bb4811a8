//! Moving bodies: when do two bodies that both move touch, frame by frame and over a whole path?
//!
//! Run it with `cargo run -p impinge --example moving_bodies`.

use std::time::Instant;

use impinge::models::Shape;
use impinge::{Error, Pair, Pose};

const FRAMES: usize = 200;

fn main() -> Result<(), Error> {
    let gear = Shape::Gear.mesh(5_000, 0);
    let knot = Shape::Trefoil.mesh(5_000, 0);
    let mut pair = Pair::new(&gear, &knot)?;

    // A simulation: each frame has a new pose of each body in the world. A question takes the pose
    // of the second body in the frame of the first. The pair remembers what it found in the last
    // frame, which makes the next question faster and never changes its answer.
    let mut touching = false;
    for frame in 0..FRAMES {
        let pose = Pose::relative(&gear_at(frame)?, &knot_at(frame)?);
        let now = pair.intersects(&pose)?;
        if now != touching {
            let event = if now { "they begin to touch" } else { "they are apart again" };
            println!("frame {frame}: {event}");
            touching = now;
        }
    }

    // If all poses are known, ask once for the whole path: all threads work, and the answers come
    // in the order of the poses.
    let path = (0..FRAMES)
        .map(|frame| Ok(Pose::relative(&gear_at(frame)?, &knot_at(frame)?)))
        .collect::<Result<Vec<Pose>, Error>>()?;
    let start = Instant::now();
    let contacts = pair.contacts_at(&path)?;
    let took = start.elapsed();

    let in_contact = contacts.iter().filter(|list| !list.is_empty()).count();
    let most = contacts.iter().map(Vec::len).max().unwrap_or(0);
    println!("\nof {FRAMES} poses, {in_contact} are in contact; at most {most} pairs of triangles");
    println!("all contacts of all poses took {:.1} ms", took.as_secs_f64() * 1e3);
    Ok(())
}

/// The gear stays in place and turns once about the z axis.
fn gear_at(frame: usize) -> Result<Pose, Error> {
    let half_angle = std::f64::consts::PI * frame as f64 / FRAMES as f64;
    // A quaternion x, y, z, w: here the z axis and the angle.
    let rotation = [0.0, 0.0, half_angle.sin(), half_angle.cos()];
    Ok(Pose::from_quaternion([0.0, 0.0, 0.0], rotation)?)
}

/// The knot flies past from left to right.
fn knot_at(frame: usize) -> Result<Pose, Error> {
    let x = -2.0 + 4.0 * frame as f64 / FRAMES as f64;
    Ok(Pose::from_quaternion([x, 0.1, 0.0], [0.0, 0.0, 0.0, 1.0])?)
}
