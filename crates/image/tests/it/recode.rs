//! `recode`: the certified form against rational arithmetic, proof that these tests can fail, and
//! what the baseline does otherwise than `ibcd`.

use impinge_geometry::Mesh;
use impinge_image::{Params, Recode, RecodeModel, ibcd_with, recode, recode_with};
use impinge_models::Shape;
use impinge_query::{
    Answer, Ask, Backend, Cancel, Cancelled, Certainty, Control, Engine, Model, PrepareError,
    QueryError,
};
use impinge_testkit::battery::faults::{Fault, Faulty};

use crate::bodies::{self, pairs, shifted};
use crate::checks::{CHECKS, Check, scaled, shallow, traps, turns, verdicts};

fn passes(check: Check) {
    println!("{:?}", check(&recode()).unwrap_or_else(|why| panic!("{why}")));
}

#[test]
fn verdicts_and_contacts_are_the_oracles() {
    passes(verdicts);
}

#[test]
fn units_do_not_matter() {
    passes(scaled);
}

#[test]
fn traps_are_passed() {
    passes(traps);
}

#[test]
fn shallow_penetration_is_found() {
    passes(shallow);
}

#[test]
fn memories_do_not_answer_for_other_pairs() {
    passes(turns);
}

#[test]
fn no_picture_and_a_coarse_one_answer_alike() {
    for params in [
        Params { drawn: 0, ..Params::default() },
        Params { resolution: 1, ..Params::default() },
        Params { resolution: 7, drawn: usize::MAX, ..Params::default() },
        Params { pixels_per_unit: Some(20.0), ..Params::default() },
    ] {
        verdicts(&recode_with(params)).unwrap_or_else(|why| panic!("{params:?}: {why}"));
    }
}

#[test]
fn faults_are_noticed() {
    for (name, check) in CHECKS {
        for fault in [Fault::MissesHits, Fault::LosesAContact] {
            let liar = Faulty::new(Box::new(recode()), fault);
            assert!(check(&liar).is_err(), "{name} let {fault:?} pass");
        }
    }
    assert!(traps(&Faulty::new(Box::new(recode()), Fault::MissesContainment)).is_err());
}

#[test]
fn believing_the_image_is_noticed() {
    for resolution in [4, 64, 256] {
        let believer = recode_with(Params::sampled(resolution));
        for (name, check) in CHECKS {
            assert!(check(&believer).is_err(), "{name} let {resolution} pixels pass");
        }
    }
}

fn prepared(engine: &Recode, mesh: &Mesh) -> RecodeModel {
    engine.prepare(mesh, &Control::NONE).unwrap_or_else(|why| panic!("{why}"))
}

fn ask(
    engine: &Recode,
    models: &[RecodeModel; 2],
    pose: &impinge_geometry::Pose,
    ask: &Ask,
) -> Answer {
    let ([a, b], mut memory, mut answer) = (models, engine.memory(), Answer::default());
    engine
        .query(a, b, pose, &mut memory, ask, &Control::NONE, &mut answer)
        .expect("software draws");
    answer
}

#[test]
fn every_part_meets_every_part_in_its_box_and_no_strip_is_sent() {
    let engine = recode();
    let gear = prepared(&engine, &Shape::Gear.mesh(96, 0));
    let parts = gear.decomposition().patches().len() as u64;
    let sent = gear.sent();
    assert_eq!((sent.strips, sent.vertices), (sent.triangles, 3 * sent.triangles));
    assert!(sent.hulls > 0 && sent.hulls <= parts);
    let models = [gear, prepared(&engine, &Shape::Gear.mesh(96, 0))];
    let far = ask(&engine, &models, &shifted([5.0, 0.0, 0.0]), &Ask::all_contacts().counted());
    let counted = far.statistics.expect("asked for");
    assert_eq!((counted.volume_tests, counted.volumes_updated), (parts * parts, parts));
    assert_eq!((counted.primitive_tests, counted.submissions), (0, 0));
}

#[test]
fn the_certified_form_draws_once_and_tells_what_it_proved() {
    let engine = recode();
    let (mut drawn, mut settled_in_all) = (0, 0);
    for pair in pairs() {
        let models = [&pair.a, &pair.b].map(|mesh| prepared(&engine, mesh));
        for index in 0..6 {
            let first = Ask::first_contact().counted();
            let answer = ask(&engine, &models, &pair.pose(141, index), &first);
            let counted = answer.statistics.expect("asked for");
            assert!(counted.submissions <= 1, "{} {index}: {counted:?}", pair.name);
            assert_eq!(counted.submissions == 1, answer.backend != Backend::Cpu);
            let Certainty::Certified { settled, .. } = answer.certainty else {
                panic!("{:?}", answer.certainty)
            };
            drawn += counted.submissions;
            settled_in_all += settled;
        }
    }
    println!("{drawn} queries drew, {settled_in_all} pairs settled");
    assert!(drawn > 10 && settled_in_all > 10, "{drawn} {settled_in_all}");
}

#[test]
fn sampled_it_errs_less_with_more_pixels_and_seldom_otherwise_than_ibcd() {
    let certain = recode();
    let mut errors = Vec::new();
    for resolution in [2, 8, 32, 128] {
        let (engine, other) =
            (recode_with(Params::sampled(resolution)), ibcd_with(Params::sampled(resolution)));
        let (mut poses, mut wrong, mut unlike) = (0, 0, 0);
        for pair in pairs() {
            let models = [&pair.a, &pair.b].map(|mesh| prepared(&certain, mesh));
            let own = [&pair.a, &pair.b].map(|mesh| bodies::model(&other, mesh));
            for index in 0..12 {
                let (pose, solids) = (pair.pose(113, index), Ask::first_contact().solids());
                let truth = ask(&certain, &models, &pose, &solids).verdict.is_hit();
                let seen = ask(&engine, &models, &pose, &solids);
                assert_eq!(seen.certainty, Certainty::Sampled { resolution });
                let (mut memory, mut answer) = (other.memory(), Answer::default());
                let none = &Control::NONE;
                other
                    .query(&own[0], &own[1], &pose, &mut memory, &solids, none, &mut answer)
                    .expect("ok");
                poses += 1;
                wrong += usize::from(seen.verdict.is_hit() != truth);
                unlike += usize::from(seen.verdict.is_hit() != answer.verdict.is_hit());
            }
        }
        println!("{resolution} pixels: {wrong} wrong of {poses}, {unlike} unlike ibcd");
        errors.push(wrong);
    }
    assert!(errors[0] > 0, "two pixels must not do");
    assert!(errors[0] > errors[3] && errors[3] <= 5, "{errors:?}");
}

#[test]
fn refusals_name_the_place_and_the_method() {
    let engine = recode();
    let refusal = |mesh: &Mesh| {
        engine.prepare(mesh, &Control::NONE).map(drop).expect_err("it must be refused")
    };
    assert!(matches!(refusal(&Shape::Leaf.mesh(40, 0)), PrepareError::Open(_)));
    let inside_out = refusal(&Shape::Cube.mesh(12, 0).flipped()).to_string();
    assert!(inside_out.contains("recode") && inside_out.contains("inside out"), "{inside_out}");
    let small = recode_with(Params { largest: 10, ..Params::default() });
    let cube = Shape::Cube.mesh(12, 0);
    let large = small.prepare(&cube, &Control::NONE).map(drop).expect_err("too large");
    assert!(large.to_string().contains("12 triangles"), "{large}");
    let huge = prepared(&engine, &cube.scaled(1e299).expect("in range"));
    assert!(huge.bytes() > huge.mesh_bytes());
    let (mut memory, mut answer) = (engine.memory(), Answer::default());
    let far = shifted([1e300, 0.0, 0.0]);
    let (first, none) = (Ask::first_contact(), &Control::NONE);
    let done = engine.query(&huge, &huge, &far, &mut memory, &first, none, &mut answer);
    assert!(matches!(done, Err(QueryError::OutOfRange(_))));
}

#[test]
fn cancelled_is_an_error_and_the_engine_stays_usable() {
    let cancel = Cancel::new();
    cancel.cancel();
    let control = Control::NONE.cancelled_by(&cancel);
    for params in [Params::default(), Params::sampled(32)] {
        let engine = recode_with(params);
        let mesh = Shape::Gear.mesh(96, 0);
        let cancelled = engine.prepare(&mesh, &control).map(drop);
        assert_eq!(cancelled, Err(PrepareError::Cancelled(Cancelled)));
        let (model, mut memory) = (prepared(&engine, &mesh), engine.memory());
        let (pose, first, mut answer) =
            (shifted([0.1; 3]), Ask::first_contact(), Answer::default());
        let done = engine.query(&model, &model, &pose, &mut memory, &first, &control, &mut answer);
        assert_eq!(done, Err(QueryError::Cancelled(Cancelled)));
        let none = &Control::NONE;
        engine
            .query(&model, &model, &pose, &mut memory, &first, none, &mut answer)
            .expect("answers");
        assert!(answer.verdict.is_hit());
    }
}

/// Tests that need an adapter have this in their path.
#[cfg(feature = "wgpu")]
mod gpu {
    use super::*;
    use impinge_image::Drawing;

    fn adapter() -> Drawing {
        let software = std::env::var("IMPINGE_GPU").is_ok_and(|word| word == "software");
        if software { Drawing::SoftwareAdapter } else { Drawing::Adapter }
    }

    #[test]
    #[ignore = "gpu: needs an adapter"]
    fn it_answers_alike_on_an_adapter_and_sampled_differs_only_at_silhouettes() {
        let certain = [recode(), recode_with(Params { drawing: adapter(), ..Params::default() })];
        let sampled = [
            recode_with(Params::sampled(64)),
            recode_with(Params { drawing: adapter(), ..Params::sampled(64) }),
        ];
        let (mut poses, mut drawn, mut different) = (0, 0, 0);
        for pair in pairs() {
            let models = [&pair.a, &pair.b].map(|mesh| prepared(&certain[0], mesh));
            for index in 0..6 {
                let pose = pair.pose(142, index);
                let first = Ask::first_contact().solids();
                let [here, there] = [0, 1].map(|k| ask(&certain[k], &models, &pose, &first));
                assert_eq!(here.verdict, there.verdict, "{} {index}", pair.name);
                if here.backend != Backend::Cpu {
                    assert!(matches!(there.backend, Backend::Gpu(_)), "{:?}", there.backend);
                    drawn += 1;
                }
                let [here, there] =
                    [0, 1].map(|k| ask(&sampled[k], &models, &pose, &first).verdict.is_hit());
                poses += 1;
                different += usize::from(here != there);
            }
        }
        println!("{drawn} queries drawn, {different} of {poses} sampled verdicts differ");
        assert!(drawn > 10 && different * 20 <= poses);
    }
}
