//! Objects in one world answer as in each other's frames, and update as often as they say.

use impinge_geometry::{Mesh, Point, Pose, Vector};
use impinge_models::{Random, Shape};
use impinge_query::{Answer, Ask, Control, Engine, Question, Verdict};

use super::{Aligned, UpdatedModel, Updating};
use crate::build::Builder;
use crate::leaf::LeafTest;
use crate::methods::{aabb_obb_updated, obbtree, sphere_aabb_updated};
use crate::traverse::Traversal;

fn prepared<E: Engine>(engine: &E, mesh: &Mesh) -> E::Model {
    engine.prepare(mesh, &Control::NONE).expect("a mesh")
}

fn updated(answer: &Answer) -> u64 {
    answer.statistics.as_ref().expect("counted").volumes_updated
}

fn distance(answer: &Answer) -> Option<f64> {
    answer.nearest.as_ref().map(|nearest| nearest.distance)
}

/// Contacts and distances of objects in one world are those of the OBB tree, and a query updates
/// nothing; at any other pose it updates B once.
fn check_world<W: Aligned, B: Builder<Volume = W::Own>, T: Traversal, L: LeafTest>(
    engine: &Updating<W, B, T, L>,
) {
    let meshes = [Shape::Teapot, Shape::Gear].map(|shape| shape.mesh(300, 1));
    let judge = obbtree();
    let exact = meshes.each_ref().map(|mesh| prepared(&judge, mesh));
    let own = meshes.each_ref().map(|mesh| prepared(engine, mesh));
    let size = meshes[0].diagonal();
    let mut moved = own.clone();
    let (mut hits, mut memory, mut answer) = (0, engine.memory(), Answer::default());
    for index in 0..60 {
        let mut random = Random::stream(31, index);
        let poses = [(); 2].map(|()| {
            let at = random.vector(-0.4, 0.4) * size + Vector::new(100.0, -20.0, 3.0);
            random.turned_to(at)
        });
        let relative = Pose::relative(&poses[0], &poses[1]);
        for (model, pose) in moved.iter_mut().zip(&poses) {
            assert_eq!(model.update(pose), model.updates());
            assert_eq!(model.pose(), pose);
        }
        for ask in [Ask::all_contacts(), Ask::first_contact(), Ask::distance()].map(Ask::counted) {
            let wanted = judge.ask(&exact[0], &exact[1], &relative, &ask).expect("an answer");
            let mut ask_them = |a: &UpdatedModel<W>, b: &UpdatedModel<W>| {
                let none = &Control::NONE;
                engine.query(a, b, &relative, &mut memory, &ask, none, &mut answer).expect("fine");
                assert_eq!(answer.verdict, wanted.verdict, "{index}");
                assert!(ask != Ask::all_contacts().counted() || answer.contacts == wanted.contacts);
                assert_eq!(distance(&answer), distance(&wanted));
                updated(&answer)
            };
            assert_eq!(ask_them(&moved[0], &moved[1]), 0, "both are where they are asked");
            let fresh = own[0].at(&poses[0]);
            assert_eq!(ask_them(&fresh, &moved[1]), 0);
            // A distance that is zero or not is found by two searches, each in one world.
            let times = ask_them(&own[0], &own[1]) / own[1].updates();
            assert!((1..=2).contains(&times) && (times == 1 || ask.question == Question::Distance));
            hits += u32::from(wanted.verdict == Verdict::Intersecting);
        }
    }
    assert!((30..150).contains(&hits), "{hits} of 180");
}

#[test]
fn objects_in_one_world_answer_as_in_each_others_frames() {
    check_world(&sphere_aabb_updated());
    check_world(&aabb_obb_updated());
}

/// The traditional hybrid updates all nodes, li's only its upper layer.
#[test]
fn updates_are_those_of_the_layers_that_li_updates() {
    let mesh = Shape::Teapot.mesh(300, 1);
    let traditional = prepared(&sphere_aabb_updated(), &mesh);
    assert_eq!(traditional.updates(), traditional.tree().nodes().len() as u64);
    let hybrid = prepared(&aabb_obb_updated(), &mesh);
    let upper = hybrid.updates();
    assert!((1..40).contains(&upper), "{upper}");
    // Each object's update is counted for itself, and none is made twice.
    let mut other = hybrid.at(&Pose::identity());
    assert_eq!(other.update(&Pose::identity()), upper);
    assert_eq!(other.tree().nodes()[0].volume, hybrid.tree().nodes()[0].volume);
}

/// Two fans of triangles on either side of a plane that share one posed corner.
fn fans(random: &mut Random, poses: [&Pose; 2]) -> [Mesh; 2] {
    let relative = Pose::relative(poses[0], poses[1]);
    let size = 10f64.powf(random.range(-9.0, 0.0));
    let shared_b = Point::from(random.vector(-1.0, 1.0));
    let shared_a = relative.apply(&shared_b);
    // A box of A ends where one of B begins, along an axis of the world or any other.
    let world = random.unit_vector();
    let world = if random.chance(0.5) { Vector::ith(random.below(3) as usize, 1.0) } else { world };
    let mut fan = |corner: Point, pose: &Pose, sign: f64| {
        let normal = pose.inverse().rotate(&world) * sign;
        let mut vertices = vec![corner];
        for _ in 0..12 {
            let v = random.vector(-size, size);
            let height = v.dot(&normal);
            vertices.push(corner + if height < 0.0 { v - normal * (2.0 * height) } else { v });
        }
        let triangles = (0..6).map(|k| [0, 2 * k + 1, 2 * k + 2]).collect();
        Mesh::new(vertices, triangles).expect("legal")
    };
    [fan(shared_a, poses[0], -1.0), fan(shared_b, poses[1], 1.0)]
}

/// A mesh of A and one of B that share a corner are never told apart, however far from the origin
/// of the world.
fn check_touching<W: Aligned, B: Builder<Volume = W::Own>, T: Traversal, L: LeafTest>(
    engine: &Updating<W, B, T, L>,
) -> [u32; 2] {
    let mut apart = [0, 0];
    for index in 0..3_000 {
        let mut random = Random::stream(32, index);
        let far = 10f64.powf(random.range(-2.0, 6.0));
        let at = random.vector(-far, far);
        let poses = [(); 2].map(|()| {
            let near = random.vector(-1.0, 1.0);
            random.turned_to(at + near)
        });
        let [a, b] = fans(&mut random, [&poses[0], &poses[1]]);
        let (a, b) = (prepared(engine, &a).at(&poses[0]), prepared(engine, &b).at(&poses[1]));
        let relative = Pose::relative(&poses[0], &poses[1]);
        let answer = engine.ask(&a, &b, &relative, &Ask::first_contact()).expect("an answer");
        apart[0] += u32::from(answer.verdict != Verdict::Intersecting);
        // The same without what covers rounding.
        let (mut a, mut b) = (a, b);
        for UpdatedModel { own, plan, world } in [&mut a, &mut b] {
            (world.place.pad, world.place.placement.pad) = (0.0, 0.0);
            world.remake(own, plan);
        }
        let answer = engine.ask(&a, &b, &relative, &Ask::first_contact()).expect("an answer");
        apart[1] += u32::from(answer.verdict != Verdict::Intersecting);
    }
    apart
}

#[test]
fn meshes_that_share_a_corner_are_never_apart_in_the_world() {
    let [wrong, without] = check_touching(&sphere_aabb_updated());
    assert_eq!(wrong, 0);
    assert!(without > 100, "only {without} of 3,000 are apart without the pad");
    // The bounds of an oriented box have a slack of their own.
    assert_eq!(check_touching(&aabb_obb_updated())[0], 0);
}
