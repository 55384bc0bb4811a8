//! Each way in which a lower bound could be wrong is noticed by translations that part the bodies.

use impinge_geometry::{Mesh, Pose};
use impinge_models::{Random, Shape};
use impinge_query::{Control, Meaning};

use super::scene::{Scene, Trust};
use super::{PenetrationBody, PenetrationOptions, bounds};

/// The smallest ratio of a verified way out to a lower bound, over some poses of two bodies. The search
/// is to go on beyond the way out, where translations part the bodies: so more than 1 is right, and a
/// lower bound that is wrong is cut off at a ratio of 1.
fn least_ratio(meshes: [&Mesh; 2], meaning: Meaning, trust: Trust) -> f64 {
    let [a, b] = meshes.map(|m| PenetrationBody::new(m, &Control::NONE).expect("not cancelled"));
    let options = PenetrationOptions { meaning, width: -0.1, budget: 400 };
    let mut random = Random::new(0xdee9);
    let mut least = f64::INFINITY;
    for _ in 0..4 {
        let place = random.unit_vector() * random.range(0.3, 0.6);
        let pose: Pose = random.turned_to(place);
        let mut scene =
            Scene::new([&a, &b], &pose, meaning, &Control::NONE).expect("not cancelled");
        scene.trust = trust;
        let found = bounds(&scene, &options).expect("an answer");
        if found.upper > 0.0 {
            least = least.min(found.upper / found.lower);
        }
    }
    least
}

#[test]
fn a_radius_too_large_and_a_cube_left_out_are_noticed() {
    let ring = Shape::Torus.mesh(200, 0);
    let least = |trust: Trust| least_ratio([&ring, &ring], Meaning::Solids, trust);
    assert!(least(Trust { radius: 1.0, parts: 8 }) > 1.0);
    assert!(least(Trust { radius: 1.5, parts: 8 }) <= 1.0);
    assert!(least(Trust { radius: 1.0, parts: 4 }) <= 1.0);
}
