//! The deforming scenes at some of their steps: methods that follow the vertices find the contacts
//! that brute force finds in the deformed meshes.

use impinge::query::{Control, Detector};
use impinge::{Answer, Ask, Method, Pose};
use impinge_models::DeformingScene;
use impinge_testkit::oracle;

/// All contacts of a scene at each of these steps.
fn oracles(scene: &DeformingScene, steps: &[usize]) -> Vec<Vec<(u32, u32)>> {
    let pose = Pose::relative(&scene.poses[0], &scene.poses[1]);
    let [a, b] = [&scene.meshes[0], &scene.meshes[1]];
    let contacts = |&step: &usize| {
        let posed = b.mesh(step).posed(&pose).expect("in range");
        oracle::contacts(&a.mesh(step), &posed)
    };
    steps.iter().map(contacts).collect()
}

/// What a method finds at each of these steps, refitted from one to the next.
fn followed(method: Method, scene: &DeformingScene, steps: &[usize]) -> Vec<Vec<(u32, u32)>> {
    let engine: Box<dyn Detector> = method.build();
    let pose = Pose::relative(&scene.poses[0], &scene.poses[1]);
    let laws = [&scene.meshes[0], &scene.meshes[1]];
    let mut models =
        laws.map(|law| engine.prepare(&law.mesh(0), &Control::NONE).expect("any mesh"));
    let mut memory = engine.memory();
    let mut contacts = Vec::new();
    for &step in steps {
        for (law, model) in laws.iter().zip(&mut models) {
            engine.refit(model, &law.vertices(step), &Control::NONE).expect("as many vertices");
        }
        let [a, b] = &models;
        let (ask, mut answer) = (Ask::all_contacts(), Answer::default());
        let found = engine.query(a, b, &pose, &mut memory, &ask, &Control::NONE, &mut answer);
        found.expect("an answer");
        contacts.push(answer.contacts.iter().map(|contact| (contact.a, contact.b)).collect());
    }
    contacts
}

#[test]
fn methods_that_follow_find_the_contacts_of_the_oracle() {
    let steps = [0, 40, 60, 75, 99];
    for (scene, hits) in [
        (DeformingScene::hand_on_ball(1_000, 300, 100), 2),
        (DeformingScene::pressed_bodies(0.3, 1_200, 100), 3),
    ] {
        let scene = scene.expect("legal");
        let expected = oracles(&scene, &steps);
        let counts: Vec<usize> = expected.iter().map(Vec::len).collect();
        println!("{}: {counts:?}", scene.name);
        assert_eq!(counts.iter().filter(|&&n| n > 0).count(), hits, "{}: {counts:?}", scene.name);
        for method in [Method::AabbRefit, Method::Wide] {
            assert_eq!(followed(method, &scene, &steps), expected, "{method}: {}", scene.name);
        }
    }
    // Without the deformation nothing is found.
    let scene = DeformingScene::pressed_bodies(0.3, 1_200, 100).expect("legal");
    assert_ne!(followed(Method::Wide, &scene, &[0]), oracles(&scene, &[99]));
}
