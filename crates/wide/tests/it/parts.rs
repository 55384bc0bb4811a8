//! Coarse bodies against fine ones: leaves that are opened, triangle by triangle.

use impinge_geometry::{Mesh, Point, Pose};
use impinge_models::{Random, Shape};
use impinge_query::{Answer, Ask, Contact, Control, Engine, Verdict};
use impinge_wide::{WideModel, wide};

use crate::brute::{Truth, ask, engines};

/// A cube, and four needles, slivers and points from one end of the scene to the other.
fn coarse(random: &mut Random) -> Mesh {
    if random.chance(0.5) {
        return Shape::Cube.mesh(12, 0).scaled(random.range(0.3, 1.5)).expect("in range");
    }
    let corners = (0..4).flat_map(|_| {
        let p = random.in_ball();
        let q = random.in_ball();
        let r = [p, q + random.in_ball() * 0.1, random.in_ball()][random.below(3) as usize];
        [p, q, r].map(Point::from)
    });
    let corners: Vec<Point> = corners.collect();
    Mesh::new(corners, (0..4).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect()).expect("legal")
}

/// Either body as A, all instruction sets.
#[test]
fn coarse_bodies_meet_what_all_pairs_meet() {
    let fine = Shape::Torus.mesh(6_000, 0);
    let (mut hits, cases) = (0, 40);
    for index in 0..cases {
        let mut random = Random::stream(17, index);
        let (coarse, pose) = (coarse(&mut random), random.pose(0.8));
        for [a, b] in [[&coarse, &fine], [&fine, &coarse]] {
            let truth = Truth::of(a, b, &pose).contacts;
            hits += u32::from(!truth.is_empty());
            for engine in engines() {
                let prepare = |mesh| engine.prepare(mesh, &Control::NONE).expect("any mesh");
                let (a, b) = (prepare(a), prepare(b));
                let all = ask(engine, &a, &b, &pose, &Ask::all_contacts());
                assert_eq!(all.contacts, truth, "{index} {}", engine.width());
                let first = ask(engine, &a, &b, &pose, &Ask::first_contact());
                assert!(first.contacts.iter().all(|contact| truth.contains(contact)), "{index}");
                assert_eq!(first.verdict == Verdict::Intersecting, !truth.is_empty(), "{index}");
            }
        }
    }
    assert!((24..=56).contains(&hits), "{hits} of {} hit", 2 * cases);
}

/// The cube's leaves are opened, so that of its volume only what is at its faces is searched.
#[test]
fn a_cube_deep_in_a_fine_torus_meets_it_after_a_few_pairs() {
    let [torus, cube] = [Shape::Torus.mesh(100_000, 0), Shape::Cube.mesh(12, 0)];
    let engine = wide();
    let [torus, cube] = [torus, cube].map(|mesh| engine.prepare(&mesh, &Control::NONE));
    let (torus, cube) = (torus.expect("any mesh"), cube.expect("any mesh"));
    let mut random = Random::new(18);
    let mut pairs: Vec<u64> = (0..41)
        .map(|_| {
            let pose = random.pose(0.4);
            let found = ask(engine, &cube, &torus, &pose, &Ask::first_contact().counted());
            assert_eq!(found.verdict, Verdict::Intersecting);
            found.statistics.expect("counted").primitive_tests
        })
        .collect();
    pairs.sort_unstable();
    assert!(pairs[20] <= 60, "{} pairs in the median", pairs[20]);
}

/// Distances of coarse bodies, and which triangles are nearest: either body as A, all instruction sets.
#[test]
fn coarse_bodies_are_as_far_as_all_pairs_say() {
    let fine = Shape::Torus.mesh(6_000, 0);
    let (mut apart, cases) = (0, 40);
    for index in 0..cases {
        let mut random = Random::stream(21, index);
        let (coarse, pose) = (coarse(&mut random), random.pose(1.6));
        for [a, b] in [[&coarse, &fine], [&fine, &coarse]] {
            let truth = Truth::of(a, b, &pose);
            if !truth.contacts.is_empty() {
                continue;
            }
            apart += 1;
            for engine in engines() {
                let prepare = |mesh| engine.prepare(mesh, &Control::NONE).expect("any mesh");
                let (a, b) = (prepare(a), prepare(b));
                let found =
                    ask(engine, &a, &b, &pose, &Ask::distance()).nearest.expect("asked for");
                assert_eq!(Some(found.triangles), truth.nearest, "{index} {}", engine.width());
                let off = (found.distance - truth.distance).abs();
                assert!(off <= f64::EPSILON * truth.distance, "{index}: {off:e}");
                for (times, is_near) in [(1.0 + 1e-9, true), (1.0 - 1e-9, false)] {
                    let nearer = Ask::nearer_than(truth.distance * times);
                    let found = ask(engine, &a, &b, &pose, &nearer).nearer;
                    assert_eq!(found, Some(is_near), "{index} {}", engine.width());
                }
            }
        }
    }
    assert!(apart > 30, "{apart} of {} apart", 2 * cases);
}

/// The cube's leaves are opened where it is near the torus, so that what lies in their boxes is not searched.
#[test]
fn a_cube_beside_a_fine_torus_takes_few_boxes() {
    let [torus, cube] = [Shape::Torus.mesh(100_000, 0), Shape::Cube.mesh(12, 0)];
    let engine = wide();
    let [torus, cube] = [torus, cube].map(|mesh| engine.prepare(&mesh, &Control::NONE));
    let (torus, cube) = (torus.expect("any mesh"), cube.expect("any mesh"));
    let mut random = Random::new(22);
    let (mut boxes, cases) = (0, 30);
    for _ in 0..cases {
        let way = random.unit_vector();
        let place = random.turned_to(way * 3.0);
        let asked = |pose: &Pose| {
            let found = ask(engine, &torus, &cube, pose, &Ask::distance().counted());
            let distance = found.nearest.expect("asked for").distance;
            (distance, found.statistics.expect("counted").volume_tests)
        };
        // Until they are a hundredth apart.
        let (mut pose, mut found) = (place, asked(&place));
        while found.0 > 0.01 {
            pose = Pose::translation_by(way * -(found.0 - 0.009)).expect("near").then_inner(&pose);
            found = asked(&pose);
        }
        assert!(found.0 > 0.0);
        boxes += found.1;
    }
    println!("{} boxes in the mean", boxes / cases);
    assert!(boxes < 1_200 * cases, "{} boxes in the mean", boxes / cases);
}

/// What a memory keeps of opened leaves is of one pair: other bodies, the same the other way round,
/// refitted ones and copies of a body that are refitted have others.
#[test]
fn opened_leaves_are_those_of_the_models_asked() {
    let (engine, mut memory) = (wide(), wide().memory());
    let mut random = Random::new(19);
    let prepare = |mesh: &Mesh| engine.prepare(mesh, &Control::NONE).expect("any mesh");
    let fine = prepare(&Shape::Torus.mesh(6_000, 0));
    let mut bodies: Vec<WideModel> = (0..2).map(|_| prepare(&coarse(&mut random))).collect();
    bodies.push(bodies[0].clone());
    let (mut hits, cases) = (0, 120);
    for index in 0..cases {
        let (body, pose) = (random.below(3) as usize, random.pose(0.6));
        if random.chance(0.2) {
            let turn = random.pose(0.2);
            let vertices: Vec<Point> =
                bodies[body].mesh().vertices().iter().map(|p| turn.apply(p)).collect();
            engine.refit(&mut bodies[body], &vertices, &Control::NONE).expect("as many vertices");
        }
        let [a, b] =
            if random.chance(0.5) { [&fine, &bodies[body]] } else { [&bodies[body], &fine] };
        let contacts = |[a, b]: [&WideModel; 2], pose: &Pose, memory: &mut _| -> Vec<Contact> {
            let (mut answer, all) = (Answer::default(), Ask::all_contacts());
            engine.query(a, b, pose, memory, &all, &Control::NONE, &mut answer).expect("in range");
            answer.contacts
        };
        let found = contacts([a, b], &pose, &mut memory);
        assert_eq!(found, contacts([a, b], &pose, &mut engine.memory()), "{index}");
        let nearest = |memory: &mut _| {
            let (mut answer, ask) = (Answer::default(), Ask::distance());
            engine.query(a, b, &pose, memory, &ask, &Control::NONE, &mut answer).expect("in range");
            answer.nearest.filter(|nearest| nearest.distance > 0.0)
        };
        assert_eq!(nearest(&mut memory), nearest(&mut engine.memory()), "{index}");
        hits += u32::from(!found.is_empty());
    }
    assert!((36..=84).contains(&hits), "{hits} of {cases} hit");
}

/// As one mesh with itself, where lanes are tested against those after them only.
#[test]
fn coarse_bodies_meet_fine_ones_of_the_same_mesh() {
    let fine = Shape::Torus.mesh(4_000, 0);
    let (mut opened, mut random) = (0, Random::new(20));
    for index in 0..12 {
        let (coarse, pose) = (coarse(&mut random), random.pose(0.6));
        let posed = coarse.posed(&pose).expect("in range");
        let first = fine.vertices().len() as u32;
        let mut vertices = fine.vertices().to_vec();
        vertices.extend_from_slice(posed.vertices());
        let mut triangles = fine.triangles().to_vec();
        triangles.extend(posed.triangles().iter().map(|t| t.map(|v| v + first)));
        let both = Mesh::new(vertices, triangles).expect("legal");
        let end = fine.triangles().len() as u32;
        let truth = Truth::of(&fine, &posed, &Pose::identity()).contacts;
        for engine in engines() {
            let own = |mesh: &Mesh| -> Vec<Contact> {
                let model = engine.prepare(mesh, &Control::NONE).expect("any mesh");
                let (mut memory, mut answer) = (engine.memory(), Answer::default());
                let (all, control) = (Ask::all_contacts(), Control::NONE);
                engine.query_self(&model, &mut memory, &all, &control, &mut answer).expect("all");
                answer.contacts
            };
            assert_eq!(own(&fine), []);
            let mut expected: Vec<Contact> =
                truth.iter().map(|c| Contact { b: c.b + end, ..*c }).collect();
            expected.extend(own(&posed).iter().map(|c| Contact { a: c.a + end, b: c.b + end }));
            expected.sort_unstable();
            assert_eq!(own(&both), expected, "{index} {}", engine.width());
            opened += usize::from(truth.len() > 20);
        }
    }
    assert!(opened > 6, "{opened}");
}
