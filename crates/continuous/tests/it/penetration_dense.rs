//! Bounds of penetration against the exact test after translations in all directions.

use impinge_continuous::penetration::{
    Penetration, PenetrationBody, PenetrationOptions, penetration,
};
use impinge_geometry::{Mesh, Pose, Vector};
use impinge_hierarchy::obbtree;
use impinge_models::{Random, Shape};
use impinge_query::{Ask, Control, Engine as _, Meaning};

/// Directions spread evenly over the sphere (a Fibonacci spiral).
fn directions(count: u32) -> impl Iterator<Item = Vector> {
    (0..count).map(move |k| {
        let z = 1.0 - (2.0 * f64::from(k) + 1.0) / f64::from(count);
        let around = f64::from(k) * std::f64::consts::PI * (3.0 - 5f64.sqrt());
        let r = (1.0 - z * z).sqrt();
        Vector::new(r * around.cos(), r * around.sin(), z)
    })
}

/// Whether the bodies are in contact, by another program than the one under test.
fn in_contact(meshes: [&Mesh; 2], meaning: Meaning) -> impl Fn(&Pose) -> bool {
    let [a, b] = meshes.map(|m| obbtree().prepare(m, &Control::NONE).expect("any mesh"));
    move |pose| {
        let ask = Ask { meaning, ..Ask::first_contact() };
        obbtree().ask(&a, &b, pose, &ask).expect("in range").verdict.is_hit()
    }
}

/// Why bounds are wrong, if they are.
fn wrong(found: &Penetration, pose: &Pose, met: &dyn Fn(&Pose) -> bool) -> Option<String> {
    let out = found.pose(pose).expect("in range");
    if met(&out) {
        return Some(format!("{found:?} does not part them"));
    }
    if found.upper == 0.0 {
        return None;
    }
    if !met(pose) {
        return Some(format!("{found:?}, and they are apart"));
    }
    for d in directions(120) {
        for share in [0.1, 0.4, 0.7, 0.9, 0.97, 0.999_999] {
            let v = d * (share * found.lower);
            let pose = Pose::new(*pose.rotation(), pose.translation() + v).expect("in range");
            if !met(&pose) {
                return Some(format!("{found:?}, but {v:?} is shorter"));
            }
        }
    }
    None
}

/// A case of each pair of shapes: bodies of about size 1, so near that most are in contact.
fn cases(mut each: impl FnMut([&Mesh; 2], Meaning, &Pose, &Penetration)) {
    let pairs = [
        [Shape::Torus, Shape::Torus],
        [Shape::Torus, Shape::Hand],
        [Shape::Gear, Shape::Comb],
        [Shape::Leaf, Shape::Torus],
        [Shape::Leaf, Shape::Leaf],
        [Shape::Teapot, Shape::Hull],
        [Shape::Chain, Shape::Sphere],
        [Shape::Sphere, Shape::Hull],
    ];
    let mut random = Random::new(0xdeb7);
    for pair in pairs {
        let meshes = pair.map(|shape| shape.mesh(160, 3));
        let closed = pair.iter().all(|shape| shape.is_closed());
        let meanings =
            if closed { &[Meaning::Surfaces, Meaning::Solids][..] } else { &[Meaning::Surfaces] };
        let [a, b] = meshes
            .each_ref()
            .map(|m| PenetrationBody::new(m, &Control::NONE).expect("not cancelled"));
        for _ in 0..4 {
            let place = random.unit_vector() * random.range(0.1, 0.6);
            let pose = random.turned_to(place);
            for &meaning in meanings {
                let options = PenetrationOptions { meaning, width: 0.1, budget: 600 };
                let found = penetration(&a, &b, &pose, &options, &Control::NONE);
                each([&meshes[0], &meshes[1]], meaning, &pose, &found.expect("an answer"));
            }
        }
    }
}

#[test]
fn nothing_shorter_than_the_lower_bound_parts_and_the_upper_does() {
    let (mut deep, mut proved, mut all) = (0, 0, 0);
    cases(|meshes, meaning, pose, found| {
        let met = in_contact(meshes, meaning);
        if let Some(why) = wrong(found, pose, &met) {
            panic!("{meaning:?}: {why}");
        }
        all += 1;
        deep += u32::from(found.upper > 0.0);
        proved += u32::from(found.upper > 0.0 && found.width() <= 0.1);
    });
    assert!(all == 52 && deep >= 30 && proved * 10 >= deep * 7, "{proved} of {deep} of {all}");
}

/// The examination notices bounds that are wrong.
#[test]
fn a_bound_beyond_the_other_is_noticed() {
    let (mut cases_seen, mut noticed) = (0, [0; 2]);
    cases(|meshes, meaning, pose, found| {
        if found.upper == 0.0 || cases_seen == 12 {
            return;
        }
        cases_seen += 1;
        let met = in_contact(meshes, meaning);
        let longer = Penetration { lower: found.upper * 1.5, ..*found };
        noticed[0] += u32::from(wrong(&longer, pose, &met).is_some());
        let shorter = Penetration { translation: found.translation * 0.99, ..*found };
        noticed[1] += u32::from(wrong(&shorter, pose, &met).is_some());
    });
    assert!(cases_seen == 12 && noticed[0] >= 9 && noticed[1] >= 11, "{noticed:?}");
}
