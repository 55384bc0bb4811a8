//! The check of a contact's normal: by the touching points and their velocities.

use impinge_geometry::{Point, Vector};
use impinge_query::continuous::{Features, Impact};

use super::scene::Scene;

/// Coordinates are integers up to some hundred: below this, a length, a sine or a speed is 0, or nearly.
const LITTLE: f64 = 1e-6;

/// A point of a feature as a mean of its vertices, its velocity, and two directions along it.
struct Touching {
    velocity: Vector,
    along: Vec<Vector>,
}

/// Compares the normal with the cross product of both features, and its side with the velocities of
/// the points that touch.
pub(super) fn agrees(scene: &Scene, impact: &Impact) -> Result<(), String> {
    let wrong = |why: &str| Err(format!("{why}: {impact:?}"));
    if impact.features == Features::Start || impact.time.high == 0.0 {
        return if impact.normal.is_none() { Ok(()) } else { wrong("a normal at the start") };
    }
    let touching = touching(scene, impact);
    let along: Vec<Vector> = touching.iter().flat_map(|one| one.along.clone()).collect();
    let across = along[0].cross(&along[1]);
    let flat = across.norm() <= LITTLE * (1.0 + along[0].norm() * along[1].norm());
    let speed = match &touching[..] {
        [a, b] if !flat => (b.velocity - a.velocity).dot(&across.normalize()),
        _ => 0.0,
    };
    let Some(normal) = impact.normal else {
        return if speed.abs() <= LITTLE { Ok(()) } else { wrong("no normal") };
    };
    if flat || speed.abs() <= LITTLE * LITTLE {
        return wrong("a normal of what has none");
    }
    let truth = across.normalize() * -speed.signum();
    if (normal - truth).norm() > LITTLE {
        return wrong(&format!("the normal is {truth:?}"));
    }
    Ok(())
}

/// Both features at the time of contact.
fn touching(scene: &Scene, impact: &Impact) -> [Touching; 2] {
    let time = impact.time.low;
    let named = scene.named(impact.triangles, impact.features);
    let place = |body: usize, k: usize| -> Point { scene.bodies[body].place(named[body][k], time) };
    let sides = |body: usize| -> Vec<Vector> {
        (1..named[body].len()).map(|k| place(body, k) - place(body, 0)).collect()
    };
    let along = [sides(0), sides(1)];
    let all: Vec<Vector> = along.iter().flatten().copied().collect();
    let n = all[0].cross(&all[1]);
    let share = |v: Vector| if n == Vector::zeros() { 0.0 } else { v.dot(&n) / n.norm_squared() };
    let between = place(1, 0) - place(0, 0);
    // Along the two sides, from the first vertex of each feature to the point that touches.
    let shares = match [along[0].len(), along[1].len()] {
        [0, _] => [share(-between.cross(&all[1])), share(-all[0].cross(&between))],
        [_, 0] => [share(between.cross(&all[1])), share(all[0].cross(&between))],
        _ => [share(between.cross(&all[1])), share(between.cross(&all[0]))],
    };
    let mut shares = shares.into_iter();
    [0, 1].map(|body| {
        let speed = |k: usize| scene.bodies[body].speed(named[body][k]);
        let mut velocity = speed(0);
        for k in 1..named[body].len() {
            velocity += (speed(k) - speed(0)) * shares.next().unwrap_or(0.0);
        }
        Touching { velocity, along: along[body].clone() }
    })
}
