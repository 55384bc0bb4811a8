//! Contacts among lists of triangles, and how many tests they take.

use impinge_geometry::volume::Aabb;
use impinge_geometry::{Mesh, Point, Pose};
use impinge_image::ldi::{Guide, LdiModel, Params, Space, ldi, ldi_with};
use impinge_models::{Random, Shape};
use impinge_query::{Answer, Ask, Contact, Contacts, Control, Engine, Query, Statistics};
use impinge_testkit::oracle;

use crate::bodies::shifted;

fn model(mesh: &Mesh) -> LdiModel {
    ldi().prepare(mesh, &Control::NONE).expect("any mesh")
}

/// All contacts of whole meshes, counted.
fn counted(a: &Mesh, b: &Mesh, pose: &Pose) -> (Vec<Contact>, Statistics) {
    let ask = Ask::all_contacts().counted();
    let answer: Answer = ldi().ask(&model(a), &model(b), pose, &ask).expect("in range");
    (answer.contacts, answer.statistics.expect("counted"))
}

#[test]
fn lists_have_the_contacts_of_their_triangles_in_the_region() {
    let (gear, torus) = (Shape::Gear.mesh(300, 0), Shape::Torus.mesh(400, 0));
    let (a, b) = (model(&gear), model(&torus));
    let (ask, mut space, mut fewer) = (Ask::all_contacts(), Space::default(), 0);
    for index in 0..8 {
        let mut random = Random::stream(611, index);
        let pose = random.pose(0.6);
        let (all, _) = counted(&gear, &torus, &pose);
        let mut list = |mesh: &Mesh| {
            (0..mesh.triangles().len() as u32).filter(|_| random.chance(0.6)).collect::<Vec<u32>>()
        };
        let (of_a, of_b) = (list(&gear), list(&torus));
        let query = Query { a: &a, b: &b, pose: &pose, ask: &ask, control: &Control::NONE };
        let mut among = |region: &Aabb, resolution| {
            let mut found = Contacts::new(Vec::new(), None);
            let of = [&of_a, &of_b].map(|list| list.iter().copied());
            Guide { resolution }
                .contacts_among(&query, of, region, &mut space, &mut (), &mut found)
                .expect("not cancelled");
            let mut answer = Answer::default();
            found.finish(&mut answer, &Control::NONE).expect("not cancelled");
            answer.contacts
        };
        let listed = |c: &&Contact| of_a.contains(&c.a) && of_b.contains(&c.b);
        let expected: Vec<Contact> = all.iter().filter(listed).copied().collect();
        for resolution in [1, 20, 500] {
            assert_eq!(among(a.around(), resolution), expected, "{index}");
        }
        // A smaller region has all contacts that are in it.
        let half = Aabb { min: Point::new(0.0, -9.0, -9.0), max: Point::new(9.0, 9.0, 9.0) };
        let inside = among(&half, 100);
        assert!(inside.iter().all(|contact| expected.contains(contact)), "{index}");
        let right = |t: [Point; 3]| t.iter().all(|p| p.x > 0.0);
        for contact in &expected {
            if right(gear.triangle(contact.a)) || right(query.posed(contact.b)) {
                assert!(inside.contains(contact), "{index}: {contact:?}");
            }
        }
        fewer += expected.len() - inside.len();
    }
    assert!(fewer > 10, "{fewer} are outside of the region");
}

#[test]
fn tests_grow_with_the_triangles() {
    let tests = |count| {
        let ball = Shape::Sphere.mesh(count, 0);
        let (contacts, statistics) = counted(&ball, &ball, &shifted([0.03, 0.02, 0.01]));
        assert!(contacts.len() > 100, "{}", contacts.len());
        let tests = statistics.volume_tests + statistics.primitive_tests;
        tests as f64 / ball.triangles().len() as f64
    };
    let [few, many] = [2_000, 50_000].map(tests);
    println!("{few:.1} and {many:.1} tests per triangle");
    assert!(few < 60.0 && many < 1.5 * few, "{few} {many}");
}

#[test]
fn a_pixel_does_not_decide_how_often_a_pair_is_tested() {
    // Two triangles that cross in many pixels.
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.1, 0.2], [0.2, 1.0, -0.2]].map(Point::from);
    let one = Mesh::new(corners.to_vec(), vec![[0, 1, 2]]).expect("a mesh");
    for resolution in [1, 8, 512] {
        let engine = ldi_with(Params { resolution, ..Params::default() });
        let [a, b] = [&one, &one.flipped()].map(model);
        let pose = Random::new(612).turned_to([0.05, 0.02, 0.01].into());
        let ask = Ask::all_contacts().counted();
        let answer = engine.ask(&a, &b, &pose, &ask).expect("in range");
        let statistics = answer.statistics.expect("counted");
        assert!(statistics.primitive_tests <= 1, "{statistics:?}");
    }
}

#[test]
fn a_crowd_beside_large_triangles_costs_little_more() {
    // Most triangles are in a few pixels of the region, which large triangles span.
    let (ball, plate) = (Shape::Sphere.mesh(20_000, 0), Shape::Cube.mesh(12, 0));
    let [far, near] = [60.0, -60.0].map(|x| {
        let pose = shifted([x, 0.5 * x, 0.3 * x]);
        plate.posed(&pose).expect("in range")
    });
    let crowd = Mesh::union([&ball, &far, &near]).expect("a mesh");
    let (contacts, statistics) = counted(&crowd, &crowd, &shifted([0.03, 0.02, 0.01]));
    let tests = (statistics.volume_tests + statistics.primitive_tests) as f64;
    let each = tests / crowd.triangles().len() as f64;
    println!("{} contacts, {each:.1} tests per triangle", contacts.len());
    assert!(each < 100.0, "{each}");
}

/// A grid of small triangles with corners at these heights, and three large ones, one of them over it.
fn flat_crowd(side: u32, heights: [f64; 3]) -> Mesh {
    let (mut corners, step) = (Vec::new(), 1.0 / f64::from(side));
    let mut triangle = |x: f64, y: f64, side: f64| {
        let [p, q, r] = heights;
        corners.extend([[x, y, p], [x + side, y, q], [x, y + side, r]].map(Point::from));
    };
    for (i, j) in (0..side).flat_map(|i| (0..side).map(move |j| (i, j))) {
        triangle(f64::from(i) * step, f64::from(j) * step, 0.7 * step);
    }
    for (at, side) in [(-4e3, 9e2), (4e3, 9e2), (-2e3, 5e3)] {
        triangle(at, at, side);
    }
    let triangles = (0..corners.len() as u32).step_by(3).map(|k| [k, k + 1, k + 2]).collect();
    Mesh::new(corners, triangles).expect("a mesh")
}

#[test]
fn a_flat_crowd_in_a_pixel_is_not_tested_pair_by_pair() {
    let crowds = |side| [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]].map(|high| flat_crowd(side, high));
    let [a, b] = crowds(24);
    let pose = shifted([0.01, 0.005, 0.1]);
    let (contacts, _) = counted(&a, &b, &pose);
    let expected = oracle::contacts(&a, &b.posed(&pose).expect("in range"));
    assert_eq!(contacts.iter().map(|c| (c.a, c.b)).collect::<Vec<_>>(), expected);
    // All small triangles are in one pixel, and share depths there, in numbers that double.
    for side in [71, 100, 142, 200] {
        let [a, b] = crowds(side);
        let near = 0.1 / f64::from(side);
        let (contacts, statistics) = counted(&a, &b, &shifted([near, 0.5 * near, 0.1]));
        let (tests, triangles) = (statistics.volume_tests, a.triangles().len());
        let each = tests as f64 / triangles as f64;
        println!("{} contacts, {each:.0} tests for each of {triangles} triangles", contacts.len());
        assert!(contacts.len() > triangles && triangles as u32 > side * side);
        assert!(each < 60.0, "{each}");
    }
    let [a, b] = crowds(142);
    let first = ldi().ask(&model(&a), &model(&b), &shifted([0.0; 3]), &Ask::first_contact());
    assert!(first.expect("in range").verdict.is_hit());
}
