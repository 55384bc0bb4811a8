//! Every method of the table: its name, its answers on trivial pairs, its errors.

use std::collections::HashSet;

use impinge::query::{Control, PrepareError, QueryError, QuestionKind};
use impinge::{
    Answer, Ask, Body, Error, Kind, Mesh, Method, Pair, Point, Pose, UnknownMethod, Vector, Verdict,
};
use impinge_models::Shape;

fn shifted(x: f64) -> Pose {
    Pose::translation_by(Vector::new(x, 0.0, 0.0)).expect("finite")
}

/// A torus of about `triangles` triangles, or a convex body if the method refuses the torus.
fn torus_for(method: Method, triangles: usize) -> Mesh {
    let torus = Shape::Torus.mesh(triangles, 0);
    match Body::with(method, &torus, &Control::NONE) {
        Err(PrepareError::Refused { .. }) => Shape::Hull.mesh(triangles, 0),
        _ => torus,
    }
}

#[test]
fn words_are_unique_and_lead_back() {
    let words: HashSet<&str> = Method::all().iter().map(|m| m.word()).collect();
    assert_eq!(words.len(), Method::all().len());
    assert!(!words.is_empty());
    for &method in Method::all() {
        assert_eq!(method.to_string(), method.word());
        assert_eq!(method.word().parse(), Ok(method));
        assert_eq!(method.description().word, method.word());
    }
}

#[test]
fn kinds_say_what_descriptions_say() {
    for &method in Method::all() {
        assert_eq!(method.kind() == Kind::Exact, method.description().exact, "{method}");
    }
    assert_eq!(Method::default().kind(), Kind::Exact);
}

#[test]
fn unknown_words_are_answered_with_the_known_ones() {
    let error = "nosuch".parse::<Method>().unwrap_err().to_string();
    assert!(error.contains("\"nosuch\"") && error.contains("obbtree"), "{error}");
    assert!("OBBTREE".parse::<Method>().is_err());
    assert!("".parse::<Method>().is_err());
}

#[test]
fn a_method_left_out_is_told_from_an_unknown_one() {
    let said = |feature| UnknownMethod { word: "kdop".to_owned(), feature }.to_string();
    let left_out = said(Some("methods"));
    let start =
        "this build leaves out the method \"kdop\": its feature \"methods\" is off; known are";
    assert!(left_out.starts_with(start), "{left_out}");
    assert!(said(None).starts_with("unknown method \"kdop\"; known are"), "{}", said(None));
}

#[test]
fn every_method_is_in_the_build_or_left_out() {
    for (word, feature) in
        [("obbtree", "methods"), ("leaf-faithful", "methods"), ("parry", "parry")]
    {
        match word.parse::<Method>() {
            Ok(method) => assert_eq!(method.word(), word),
            Err(error) => assert_eq!(error.feature, Some(feature), "{word}"),
        }
    }
    assert_eq!("kdopp".parse::<Method>().map_err(|error| error.feature), Err(None));
    assert_eq!("wide".parse(), Ok(Method::Wide));
}

#[test]
fn every_method_tells_apart_from_meeting() {
    let cube = Shape::Cube.mesh(48, 0);
    for &method in Method::all() {
        let mut pair =
            Pair::with(method, &torus_for(method, 600), &cube).expect("an ordinary mesh");
        assert!(pair.intersects(&shifted(0.6)).expect("answers"), "{method}");
        assert!(!pair.intersects(&shifted(3.0)).expect("answers"), "{method}");
    }
}

#[test]
fn every_method_answers_what_it_lists_and_refuses_the_rest() {
    let cube = Shape::Cube.mesh(12, 0);
    let asks = [Ask::first_contact(), Ask::all_contacts(), Ask::distance(), Ask::nearer_than(1.9)];
    for &method in Method::all() {
        let mut pair = Pair::with(method, &cube, &cube).expect("an ordinary mesh");
        let listed = method.description().questions;
        for ask in asks {
            let answered = pair.ask(&shifted(3.0), &ask).cloned();
            if listed.contains(&ask.question.kind()) {
                let answer = answered.expect("listed");
                assert_eq!(answer.verdict, Verdict::Separated, "{method} {ask:?}");
            } else {
                assert!(matches!(answered, Err(Error::Query(QueryError::Unanswered { .. }))));
            }
        }
        assert!(listed.contains(&QuestionKind::FirstContact), "{method}");
    }
}

#[test]
fn counting_counts() {
    let cube = Shape::Cube.mesh(300, 0);
    for &method in Method::all() {
        let mut pair = Pair::with(method, &cube, &cube).expect("an ordinary mesh");
        let plain = pair.ask(&shifted(0.5), &Ask::first_contact()).expect("answers");
        assert_eq!(plain.statistics, None, "{method}");
        let counted = pair.ask(&shifted(0.5), &Ask::first_contact().counted()).expect("answers");
        let statistics = counted.statistics.as_ref().expect("asked for");
        assert!(!statistics.stages.is_empty(), "{method}");
    }
}

#[test]
fn foreign_models_and_memories_are_errors() {
    let cube = Shape::Cube.mesh(12, 0);
    let (own, other) = (Method::ObbTree.build(), foreign::engine());
    let (ours, theirs) = (
        own.prepare(&cube, &Control::NONE).expect("a cube"),
        other.prepare(&cube, &Control::NONE).expect("a cube"),
    );
    let (mut answer, ask, still) = (Answer::default(), Ask::first_contact(), Pose::identity());
    let control = Control::NONE;
    let mut memory = own.memory();
    let error = own.query(&ours, &theirs, &still, &mut memory, &ask, &control, &mut answer);
    assert!(matches!(error, Err(QueryError::ForeignModel { .. })), "{error:?}");
    let mut memory = other.memory();
    let error = own.query(&ours, &ours, &still, &mut memory, &ask, &control, &mut answer);
    assert!(matches!(error, Err(QueryError::ForeignMemory { .. })), "{error:?}");
}

/// A second engine with another name, whose models are foreign to the method.
mod foreign {
    use impinge::Method;
    use impinge::hierarchy::methods::{ObbTree, obbtree};
    use impinge::query::Detector;

    pub(super) fn engine() -> Box<dyn Detector> {
        let mut engine: ObbTree = obbtree();
        assert_eq!(engine.description.word, Method::ObbTree.word());
        engine.description.word = "stranger";
        Box::new(engine)
    }
}

#[test]
fn a_batch_answers_as_one_by_one() {
    let ball = Shape::Sphere.mesh(300, 0);
    let poses: Vec<Pose> = (0..40).map(|i| shifted(0.05 * f64::from(i))).collect();
    for &method in Method::all() {
        let mut pair = Pair::with(method, &torus_for(method, 400), &ball).expect("ordinary meshes");
        let batch = pair.batch(&poses, &Ask::first_contact()).expect("answers");
        let single: Vec<bool> =
            poses.iter().map(|pose| pair.intersects(pose).expect("answers")).collect();
        let hits: Vec<bool> = batch.iter().map(|answer| answer.verdict.is_hit()).collect();
        assert_eq!(hits, single, "{method}");
        assert!(hits.contains(&true) && hits.contains(&false), "{method}");
    }
}

#[test]
fn gjk_refuses_a_torus_and_says_where_it_is_reflex() {
    let error = Body::with(Method::Gjk, &Shape::Torus.mesh(400, 0), &Control::NONE).unwrap_err();
    assert!(error.to_string().contains("is reflex"), "{error}");
}

#[test]
fn a_cancelled_question_is_an_error() {
    let cube = Shape::Cube.mesh(300, 0);
    let cancel = impinge::query::Cancel::new();
    let control = Control::NONE.cancelled_by(&cancel);
    for &method in Method::all() {
        cancel.reset();
        let body = Body::with(method, &cube, &control).expect("not cancelled");
        let mut pair = Pair::of(&body, &body).expect("one method");
        cancel.cancel();
        let error = pair.ask_with(&shifted(9.0), &Ask::first_contact(), &control).unwrap_err();
        assert!(matches!(error, Error::Query(QueryError::Cancelled(_))), "{method}: {error:?}");
        let error = Body::with(method, &cube, &control).unwrap_err();
        assert!(matches!(error, PrepareError::Cancelled(_)), "{method}: {error:?}");
    }
}

#[test]
fn degenerate_meshes_do_not_panic() {
    let p = |x: f64, y: f64, z: f64| Point::new(x, y, z);
    let meshes = [
        vec![p(0.0, 0.0, 0.0), p(0.0, 0.0, 0.0), p(0.0, 0.0, 0.0)],
        vec![p(0.0, 0.0, 0.0), p(1.0, 0.0, 0.0), p(2.0, 0.0, 0.0)],
        vec![p(0.0, 0.0, 0.0), p(1e-300, 0.0, 0.0), p(0.0, 1e-300, 0.0)],
        vec![p(0.0, 0.0, 0.0), p(1e8, 0.0, 0.0), p(0.0, 1e-8, 0.0)],
        vec![p(1e200, 0.0, 0.0), p(0.0, 1e200, 0.0), p(0.0, 0.0, 1e200)],
    ]
    .map(|vertices| Mesh::new(vertices, vec![[0, 1, 2]]).expect("a mesh"));
    let cube = Shape::Cube.mesh(12, 0);
    let mut answers = 0;
    for &method in Method::all() {
        for mesh in &meshes {
            for other in meshes.iter().chain([&cube]) {
                let Ok(mut pair) = Pair::with(method, mesh, other) else {
                    // Exact methods take any mesh, except those that need closed ones.
                    let refuses = method.description().needs.closed;
                    assert!(refuses || method.kind() == Kind::Outside, "{method}");
                    continue;
                };
                for ask in [Ask::first_contact(), Ask::distance(), Ask::nearer_than(0.5)] {
                    answers += usize::from(pair.ask(&Pose::identity(), &ask).is_ok());
                }
            }
        }
    }
    assert!(answers >= 90, "{answers} answers");
}

#[test]
fn streams_run_on_the_processor_or_an_adapter() {
    use impinge::{Device, Form, Mode, Settings, SettingsError};
    let torus = Shape::Torus.mesh(200, 0);
    for method in [Method::StreamBasic, Method::StreamTree, Method::StreamShrink] {
        for mode in [None, Some(Mode::Certified), Some(Mode::Sampled)] {
            let on = |backend| {
                method.build_with(&Settings { mode, backend: Some(backend), ..Settings::default() })
            };
            assert!(on(Device::Cpu).is_ok());
            let error = on(Device::Software).err().expect("it does not draw").to_string();
            assert_eq!(error, format!("the method {method} has no backend software"));
            let refused = on(Device::Adapter).err();
            let expected = (!cfg!(feature = "gpu")).then_some(SettingsError::NoGraphics);
            assert_eq!(refused, expected);
        }
        // Without an adapter the processor answers.
        let gpu = cfg!(feature = "gpu");
        let backend = if gpu { Device::Adapter } else { Device::Cpu };
        for form in [None, Some(Form::Compute), Some(Form::Raster)] {
            let form = form.filter(|_| gpu);
            let settings = Settings { backend: Some(backend), form, ..Settings::default() };
            let body =
                || Body::with_settings(method, &settings, &torus, &Control::NONE).expect("ok");
            let mut pair = Pair::of(&body(), &body()).expect("one method");
            assert!(pair.intersects(&shifted(0.1)).expect("it answers"));
        }
    }
}

#[test]
fn pairs_of_trees_run_on_the_processor_or_an_adapter() {
    use impinge::{Device, Mode, Settings, SettingsError};
    let with = |mode, backend, resolution| {
        let settings = Settings { mode, backend, resolution, ..Settings::default() };
        Method::StreamPairs.build_with(&settings).err()
    };
    let told = |error: Option<SettingsError>| error.expect("refused").to_string();
    for mode in [None, Some(Mode::Certified)] {
        assert_eq!(with(mode, None, None), None);
        assert_eq!(with(mode, Some(Device::Cpu), None), None);
        let refused = (!cfg!(feature = "gpu")).then_some(SettingsError::NoGraphics);
        assert_eq!(with(mode, Some(Device::Adapter), None), refused);
        let error = told(with(mode, Some(Device::Software), None));
        assert_eq!(error, "the method stream-pairs has no backend software");
    }
    let error = told(with(Some(Mode::Sampled), Some(Device::Cpu), None));
    assert_eq!(error, "the method stream-pairs has no mode sampled");
    assert_eq!(told(with(None, None, Some(9))), "the method stream-pairs has no resolution");
}

#[test]
fn a_form_is_of_streams_on_an_adapter() {
    use impinge::{Device, Form, Settings, SettingsError};
    let mut refused = 0;
    for &method in Method::all() {
        for form in [Form::Compute, Form::Raster] {
            let settings = Settings { form: Some(form), ..Settings::default() };
            let error = method.build_with(&settings).err().expect("no adapter is chosen");
            assert!(matches!(&error, SettingsError::NoSuchChoice { .. }), "{error:?}");
            assert!(
                error.to_string().starts_with(&format!("the method {method} has no form {form}"))
            );
            let streams =
                [Method::StreamBasic, Method::StreamTree, Method::StreamShrink].contains(&method);
            let other = Settings { backend: Some(Device::Cpu), ..settings };
            assert!(method.build_with(&other).is_err(), "{method}");
            assert_eq!(error.to_string().ends_with("without backend adapter"), streams, "{error}");
            refused += 1;
        }
    }
    assert!(refused > 2 * 20, "{refused}");
    let names = [Form::Compute, Form::Raster].map(|form| form.to_string().parse());
    assert_eq!(names, [Ok(Form::Compute), Ok(Form::Raster)]);
    assert!("drawn".parse::<Form>().is_err());
}
