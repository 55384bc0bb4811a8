//! If only the verdict on solids is wanted, a witness in the picture settles a hit.

use impinge_geometry::{Mesh, Pose};
use impinge_image::{Ibcd, Params, ibcd, ibcd_with, recode};
use impinge_models::{Random, Shape};
use impinge_query::{Answer, Ask, Certainty, Control, Engine, Inner, Verdict};
use impinge_testkit::oracle;

use crate::bodies::{model, pairs};

fn ask<E: Engine>(engine: &E, models: &[E::Model; 2], pose: &Pose, ask: &Ask) -> Answer {
    engine.ask(&models[0], &models[1], pose, ask).expect("an answer")
}

const ONLY: Ask = Ask::first_contact().solids().verdict_only();

/// Whether a picture settled the verdict, without a test of triangles.
fn settled(answer: &Answer) -> bool {
    let by_picture = matches!(answer.certainty, Certainty::Certified { resolved: 0, settled: 1.. });
    by_picture && answer.verdict.is_hit() && answer.contacts.is_empty()
}

#[test]
fn a_witness_settles_most_hits_and_is_right() {
    let (ibcd, recode) = (ibcd(), recode());
    let (mut hits, mut by_picture) = (0, [0; 2]);
    for pair in pairs() {
        let of_ibcd = [&pair.a, &pair.b].map(|mesh| model(&ibcd, mesh));
        let of_recode =
            [&pair.a, &pair.b].map(|m| recode.prepare(m, &Control::NONE).expect("closed"));
        for index in 0..12 {
            let pose = pair.pose(181, index);
            let posed = pair.b.posed(&pose).expect("in range");
            let truth = oracle::solids(&pair.a, &posed);
            let answers =
                [ask(&ibcd, &of_ibcd, &pose, &ONLY), ask(&recode, &of_recode, &pose, &ONLY)];
            for (answer, by_picture) in answers.iter().zip(&mut by_picture) {
                assert_eq!(answer.verdict.word(), truth.word(), "{} {index}", pair.name);
                *by_picture += usize::from(settled(answer));
            }
            hits += usize::from(truth != oracle::Verdict::Separated);
        }
    }
    println!("ibcd, recode: {by_picture:?} of {hits} hits settled by a picture");
    assert!((30..=70).contains(&(hits * 100 / 96)), "{hits} of 96");
    assert!(by_picture.iter().all(|settled| settled * 10 > hits * 8), "{by_picture:?} of {hits}");
}

/// A body inside another has a witness too, and their surfaces do not meet.
#[test]
fn a_witness_in_nested_bodies_settles_nothing() {
    let engine: Ibcd = ibcd_with(Params { drawn: 64, ..Params::default() });
    let (large, small) = (Shape::Hull.mesh(60, 5), Shape::Sphere.mesh(40, 5));
    let small = small.scaled(0.3).expect("in range");
    // A second component that reaches out does not help the first.
    let beside = Mesh::new(
        small.vertices().iter().map(|p| p + impinge_geometry::Vector::x() * 3.0).collect(),
        small.triangles().to_vec(),
    );
    let two = Mesh::union([&small, &beside.expect("in range")]).expect("two");
    let mut witnessed = 0;
    for inner in [&small, &two] {
        let models = [&large, inner].map(|mesh| model(&engine, mesh));
        for index in 0..20 {
            let pose = Pose::new(
                *Random::stream(182, index).pose(0.0).rotation(),
                Random::stream(183, index).vector(-0.02, 0.02),
            );
            let pose = pose.expect("a rotation");
            let found =
                engine.survey(&models[0], &models[1], &pose, &Control::NONE).expect("draws");
            witnessed += usize::from(found.iter().any(|pair| pair.collide));
            let answer = ask(&engine, &models, &pose, &ONLY);
            assert_eq!(answer.verdict, Verdict::Contained(Inner::B), "{index}");
        }
    }
    assert!(witnessed > 30, "{witnessed} of 40: nothing is tested");
}

#[test]
fn a_contact_is_there_unless_only_the_verdict_is_wanted() {
    let engine = ibcd();
    let mesh = Shape::Torus.mesh(100, 5);
    let models = [&mesh, &mesh].map(|mesh| model(&engine, mesh));
    let pose = Random::new(184).pose(0.2);
    assert!(settled(&ask(&engine, &models, &pose, &ONLY)));
    let surfaces = Ask::first_contact().verdict_only();
    for asked in [Ask::first_contact().solids(), surfaces] {
        assert_eq!(ask(&engine, &models, &pose, &asked).contacts.len(), 1, "{asked:?}");
    }
    let both = Ask::contained_in().verdict_only();
    assert_eq!(ask(&engine, &models, &pose, &both).contained, Some(false));
}
