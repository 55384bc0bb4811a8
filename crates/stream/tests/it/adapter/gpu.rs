//! Tests that need an adapter. `IMPINGE_GPU=software` keeps them to software drivers.

use impinge_geometry::{Mesh, Point, Pose, Vector};
use impinge_gpu::{Gpu, Need, Preference, Request};
use impinge_models::{Random, Shape};
use impinge_query::{
    Answer, Ask, Backend, Cancel, Certainty, Control, Engine, QueryError, Statistics,
};
use impinge_stream::{
    Device, Form, Params, StreamEngine, stream_basic_with, stream_shrink_with, stream_tree_with,
};
use impinge_testkit::battery;

use super::{FORMS, in_all_forms};

fn software() -> bool {
    std::env::var("IMPINGE_GPU").is_ok_and(|word| word == "software")
}

fn in_form(form: Form, params: Params) -> Params {
    let device = if software() { Device::SoftwareAdapter } else { Device::Adapter };
    Params { form, device, ..params }
}

pub(super) fn open() -> Gpu {
    let preference = if software() { Preference::Software } else { Preference::Any };
    let need = Need::default();
    let request = Request { preference, need, ..Request::default().with_environment() };
    Gpu::open(&request).unwrap_or_else(|error| panic!("{error}"))
}

/// The engine, if it is the adapter that answers.
pub(super) fn answering<E: Engine>(engine: E) -> E {
    let model = engine.prepare(&Shape::Cube.mesh(12, 1), &Control::NONE).expect("any mesh");
    let answer = engine.ask(&model, &model, &Pose::identity(), &Ask::first_contact());
    let backend = answer.expect("an answer").backend;
    assert!(matches!(backend, Backend::Gpu(_)), "{backend:?}");
    engine
}

/// Two meshes, and how far random poses bring the second.
pub(super) fn bodies() -> Vec<([Mesh; 2], f64)> {
    vec![
        ([Shape::Torus.mesh(200, 1), Shape::Hull.mesh(120, 2)], 0.8),
        ([Shape::Gear.mesh(200, 1), Shape::Trefoil.mesh(300, 2)], 0.7),
        ([Shape::Sphere.mesh(300, 1), Shape::Cube.mesh(12, 2)], 0.9),
        ([Shape::Comb.mesh(60, 1), Shape::Chain.mesh(150, 2)], 0.4),
    ]
}

/// Two engines of one method and a pair of models for each.
struct Both<'m> {
    engines: &'m [StreamEngine; 2],
    models: [[impinge_stream::StreamModel; 2]; 2],
}

impl<'m> Both<'m> {
    fn new(engines: &'m [StreamEngine; 2], meshes: &[Mesh; 2]) -> Self {
        let models = engines.each_ref().map(|engine| {
            meshes.each_ref().map(|mesh| engine.prepare(mesh, &Control::NONE).expect("any mesh"))
        });
        Self { engines, models }
    }

    /// The answers of both.
    fn ask(&self, pose: &Pose, ask: &Ask) -> [Answer; 2] {
        [0, 1].map(|which| {
            let [a, b] = &self.models[which];
            self.engines[which].ask(a, b, pose, ask).expect("an answer")
        })
    }

    /// What differs between the answers about one pose, and whether it is a hit.
    fn compare(&self, pose: &Pose) -> Result<bool, String> {
        let [cpu, gpu] = self.ask(pose, &Ask::all_contacts().counted());
        if !matches!(gpu.backend, Backend::Gpu(_)) {
            return Err(format!("{:?} answered", gpu.backend));
        }
        if (cpu.verdict, &cpu.contacts) != (gpu.verdict, &gpu.contacts) {
            return Err(format!(
                "{:?} with {}, on the adapter {:?} with {}",
                cpu.verdict,
                cpu.contacts.len(),
                gpu.verdict,
                gpu.contacts.len()
            ));
        }
        let counts = |answer: &Answer| {
            let counted: &Statistics = answer.statistics.as_ref().expect("counted");
            [counted.volume_tests, counted.primitive_tests]
        };
        let near = |p: u64, q: u64| p.abs_diff(q) * 100 <= p.max(q);
        if counts(&cpu).into_iter().zip(counts(&gpu)).any(|(p, q)| !near(p, q)) {
            return Err(format!("{:?} tests, on the adapter {:?}", counts(&cpu), counts(&gpu)));
        }
        if let (Certainty::Certified { settled, resolved }, [_, tests]) =
            (gpu.certainty, counts(&gpu))
            && settled + resolved != tests
        {
            return Err(format!("{settled} + {resolved} of {tests}"));
        }
        for solids in [false, true] {
            let ask = if solids { Ask::first_contact().solids() } else { Ask::first_contact() };
            let [cpu, gpu] = self.ask(pose, &ask);
            if cpu.verdict.is_hit() != gpu.verdict.is_hit() {
                return Err(format!("{:?}, on the adapter {:?}", cpu.verdict, gpu.verdict));
            }
        }
        Ok(cpu.verdict.is_hit())
    }
}

fn alike(params: Params) {
    let (mut hits, mut poses) = (0, 0);
    for (word, form) in in_all_forms() {
        let engines = [word(params), word(in_form(form, params))];
        let mut of_word = 0;
        for (meshes, reach) in bodies() {
            let both = Both::new(&engines, &meshes);
            for index in 0..8 {
                let pose = Random::stream(651, index).pose(reach);
                let hit = both.compare(&pose).unwrap_or_else(|why| panic!("{engines:?}: {why}"));
                of_word += usize::from(hit);
                poses += 1;
            }
        }
        hits += of_word;
    }
    println!("{hits} of {poses} hit");
    assert!((poses * 3..=poses * 7).contains(&(10 * hits)), "{hits} of {poses}");
}

#[test]
#[ignore = "gpu: needs an adapter"]
fn the_certified_form_answers_as_on_the_processor() {
    alike(Params::default());
}

#[test]
#[ignore = "gpu: needs an adapter"]
fn the_sampled_form_answers_as_on_the_processor() {
    alike(Params::sampled());
}

/// A twin that swaps the poses, or believes 32 bits, must be found by the same comparison.
#[test]
#[ignore = "gpu: needs an adapter"]
fn a_form_that_answers_otherwise_is_found() {
    FORMS.into_iter().for_each(otherwise);
}

fn otherwise(form: Form) {
    let sampled = in_form(form, Params::sampled());
    let engines = [stream_basic_with(Params::default()), stream_basic_with(sampled)];
    let grid = |n: u32| {
        let points: Vec<Point> = (0..=n)
            .flat_map(|i| {
                (0..=n).map(move |k| Point::new(0.1 * f64::from(i), 0.3 * f64::from(k), 0.0))
            })
            .collect();
        let at = |i, k| i * (n + 1) + k;
        let cells = (0..n).flat_map(|i| (0..n).map(move |k| (i, k)));
        let triangles = cells.flat_map(|(i, k)| {
            [[at(i, k), at(i + 1, k), at(i, k + 1)], [at(i + 1, k + 1), at(i, k + 1), at(i + 1, k)]]
        });
        Mesh::new(points, triangles.collect()).expect("legal")
    };
    let both = Both::new(&engines, &[grid(4), grid(3)]);
    let touching = Pose::translation_by(Vector::new(0.1, 0.3, 0.0)).expect("in range");
    assert!(both.compare(&touching).is_err(), "in one plane");
    let other = Both {
        engines: &engines,
        models: {
            let [[a, b], [c, d]] = Both::new(&engines, &bodies()[0].0).models;
            [[a, b], [d, c]]
        },
    };
    let wrong = (0..6).filter(|&i| other.compare(&Random::stream(652, i).pose(0.6)).is_err());
    assert!(wrong.count() > 2);
}

pub(super) fn mesh(corners: &[[f64; 3]], triangles: &[[u32; 3]]) -> Mesh {
    Mesh::new(corners.iter().copied().map(Point::from).collect(), triangles.to_vec())
        .expect("legal")
}

/// Meshes that touch, are degenerate, pierce each other, or differ in size by 1e12.
#[test]
#[ignore = "gpu: needs an adapter"]
fn hard_pairs_are_answered_as_on_the_processor() {
    let cube = Shape::Cube.mesh(12, 1);
    let tiny = |mesh: &Mesh| mesh.scaled(1e-12).expect("in range");
    let plate = mesh(&[[-9.0, -9.0, 0.0], [9.0, -9.0, 0.0], [0.0, 9.0, 0.0]], &[[0, 1, 2]]);
    let corners = [[0.0, 0.0, -1.0], [0.01, 0.0, 1.0], [-0.01, 0.01, 1.0], [0.0, -0.01, 1.0]];
    let needle = mesh(&corners, &[[0, 2, 1], [0, 3, 2], [0, 1, 3], [1, 2, 3]]);
    let line = mesh(&[[-1.0, 0.1, 0.0], [1.0, 0.1, 0.0], [0.0, 0.1, 0.0]], &[[0, 1, 2], [0, 0, 1]]);
    let (torus, hull) = (Shape::Torus.mesh(60, 1), Shape::Hull.mesh(40, 2));
    let width = {
        let (min, max) = cube.bounds();
        max[0] - min[0]
    };
    let shift = |x: f64| Pose::translation_by(Vector::new(x, 0.0, 0.0)).expect("in range");
    let pairs = [
        ("a needle in a plate", [&needle, &plate], shift(0.0)),
        ("a plate on a needle", [&plate, &needle], shift(0.0)),
        ("cubes side to side", [&cube, &cube], shift(width)),
        ("cubes hardly apart", [&cube, &cube], shift(width * (1.0 + 1e-15))),
        ("a cube in its place", [&cube, &cube], shift(0.0)),
        ("a line and a plate", [&line, &plate], shift(0.0)),
        ("a line and itself", [&line, &line], shift(0.5)),
        (
            "a small hull at a corner",
            [&torus, &tiny(&hull)],
            Pose::translation_by(torus.vertices()[7].coords).expect("in range"),
        ),
        (
            "a large hull about a small torus",
            [&tiny(&torus), &hull],
            Pose::translation_by(-hull.vertices()[3].coords).expect("in range"),
        ),
        ("a small torus far off", [&tiny(&torus), &hull], shift(7.0)),
    ];
    let closed =
        |mesh: &Mesh| ![&plate, &line].iter().any(|open| open.vertices() == mesh.vertices());
    let (mut hits, mut all) = (0, 0);
    for (word, form) in in_all_forms() {
        let engines = [word(Params::default()), word(in_form(form, Params::default()))];
        for (name, [a, b], pose) in &pairs {
            let both = Both::new(&engines, &[(*a).clone(), (*b).clone()]);
            let hit = if closed(a) && closed(b) {
                both.compare(pose).unwrap_or_else(|why| panic!("{name}: {why}"))
            } else {
                let [cpu, gpu] = both.ask(pose, &Ask::all_contacts());
                assert_eq!((cpu.verdict, &cpu.contacts), (gpu.verdict, &gpu.contacts), "{name}");
                cpu.verdict.is_hit()
            };
            hits += usize::from(hit);
            all += 1;
        }
    }
    println!("{hits} of {all} hit");
    assert!(hits * 10 > all * 3 && hits < all, "{hits} of {all}");
}

type Check = fn(&dyn impinge_query::Detector) -> Result<battery::Tally, String>;

/// Checks against the rational oracle, the first ones for all forms.
const CHECKS: [(&str, Check); 5] = [
    ("traps", battery::traps),
    ("cancelled_is_an_error", battery::cancelled_is_an_error),
    ("inverted_solids", battery::inverted_solids),
    ("smallest_scales", battery::smallest_scales),
    ("shared_corners", battery::shared_corners),
];

fn battery_holds(form: Form, word: fn(Params) -> StreamEngine) {
    let engine = answering(word(in_form(form, Params::default())));
    for (name, check) in CHECKS {
        let tally = check(&engine).unwrap_or_else(|why| panic!("{name}: {why}"));
        println!("{name}: {} cases, {} hits", tally.cases, tally.hits);
    }
}

#[test]
#[ignore = "gpu: needs an adapter"]
fn the_battery_holds_on_an_adapter_by_basic() {
    battery_holds(Form::Compute, stream_basic_with);
}

#[test]
#[ignore = "gpu: needs an adapter"]
fn the_battery_holds_on_an_adapter_by_tree() {
    battery_holds(Form::Compute, stream_tree_with);
}

#[test]
#[ignore = "gpu: needs an adapter"]
fn the_battery_holds_on_an_adapter_by_shrink() {
    battery_holds(Form::Compute, stream_shrink_with);
}

#[test]
#[ignore = "gpu: needs an adapter"]
fn the_battery_holds_for_drawings_by_basic() {
    battery_holds(Form::Raster, stream_basic_with);
}

#[test]
#[ignore = "gpu: needs an adapter"]
fn the_battery_holds_for_drawings_by_tree() {
    battery_holds(Form::Raster, stream_tree_with);
}

#[test]
#[ignore = "gpu: needs an adapter"]
fn the_battery_holds_for_drawings_by_shrink() {
    battery_holds(Form::Raster, stream_shrink_with);
}

/// All contacts of two tori: pictures, vertices and pixels of each method and form.
#[test]
#[ignore = "gpu: needs an adapter"]
fn quads_are_counted_as_the_paper_draws() {
    let meshes = [Shape::Torus.mesh(200, 1), Shape::Torus.mesh(300, 2)];
    let pose = Random::new(654).pose(0.3);
    for (word, form) in in_all_forms() {
        let engines = [word(Params::default()), word(in_form(form, Params::default()))];
        let all = Ask::all_contacts().counted();
        let [cpu, gpu] =
            Both::new(&engines, &meshes).ask(&pose, &all).map(|x| x.statistics.expect("counted"));
        let counted = [gpu.pictures, gpu.vertices_sent, gpu.pixels];
        let expected = match (form, engines[0].describe().word) {
            // All pairs of a depth are one quad.
            (Form::Raster, "stream-shrink") => [counted[0], 4 * counted[0], cpu.pixels],
            (Form::Raster, _) => [cpu.pictures, cpu.vertices_sent, cpu.pixels],
            (Form::Compute | Form::Cpu, _) => [0; 3],
        };
        assert_eq!(counted, expected, "{form:?}");
        let few = form == Form::Compute || engines[0].describe().word != "stream-shrink";
        assert!(few || (20..60).contains(&counted[0]), "{counted:?}");
    }
}

fn query(
    engine: &StreamEngine,
    [a, b]: [&impinge_stream::StreamModel; 2],
    memory: &mut <StreamEngine as Engine>::Memory,
    control: &Control<'_>,
) -> Result<Answer, QueryError> {
    let (mut answer, ask) = (Answer::default(), Ask::all_contacts());
    let pose = Random::new(653).pose(0.5);
    engine.query(a, b, &pose, memory, &ask, control, &mut answer)?;
    Ok(answer)
}

#[test]
#[ignore = "gpu: needs an adapter"]
fn a_lost_device_is_an_error_and_another_engine_goes_on_with_the_same_models() {
    for (word, form) in in_all_forms() {
        let gpu = open();
        let engine = word(in_form(form, Params::default())).on(Ok(gpu.clone()));
        assert_eq!(engine.params().form, form);
        let (meshes, _) = &bodies()[0];
        let [a, b] = meshes.each_ref().map(|m| engine.prepare(m, &Control::NONE).expect("any"));
        let mut memory = engine.memory();
        let none = Control::NONE;
        let whole = query(&engine, [&a, &b], &mut memory, &none).expect("it runs");
        assert!(whole.verdict.is_hit());
        gpu.device().destroy();
        for _ in 0..2 {
            let error = query(&engine, [&a, &b], &mut memory, &none).expect_err("it is lost");
            let QueryError::Backend { word, .. } = error else { panic!("{error}") };
            assert_eq!(word, engine.describe().word);
        }
        let other = word(in_form(form, Params::default())).on(Ok(open()));
        let again = query(&other, [&a, &b], &mut memory, &none).expect("another device");
        assert_eq!((again.verdict, again.contacts), (whole.verdict, whole.contacts));
    }
}

#[test]
#[ignore = "gpu: needs an adapter"]
fn models_are_sent_once_and_cancelling_ends_a_query() {
    for (word, form) in in_all_forms() {
        let gpu = open();
        let engine = word(in_form(form, Params::default())).on(Ok(gpu.clone()));
        assert_eq!(engine.params().form, form);
        let meshes = [Shape::Torus.mesh(4_000, 1), Shape::Hull.mesh(10, 1)];
        let [a, b] = meshes.each_ref().map(|m| engine.prepare(m, &Control::NONE).expect("any"));
        let (mut memory, none) = (engine.memory(), Control::NONE);
        let mut sent = || {
            let before = gpu.statistics().uploaded;
            query(&engine, [&a, &b], &mut memory, &none).expect("it runs");
            gpu.statistics().uploaded - before
        };
        let [first, second, third] = [sent(), sent(), sent()];
        let models = 64 * (4_000 + 10);
        assert_eq!(second, third);
        assert!(first >= second + models, "{first} bytes, then {second}");
        // Another pair's models are sent anew.
        query(&engine, [&b, &a], &mut memory, &none).expect("it runs");
        let before = gpu.statistics().uploaded;
        query(&engine, [&a, &b], &mut memory, &none).expect("it runs");
        assert_eq!(gpu.statistics().uploaded - before, first);
        let cancel = Cancel::new();
        cancel.cancel();
        let control = none.cancelled_by(&cancel);
        let ended = query(&engine, [&a, &b], &mut memory, &control);
        assert!(matches!(ended, Err(QueryError::Cancelled(_))), "{ended:?}");
    }
}

#[test]
#[ignore = "gpu: needs an adapter"]
fn threads_share_an_engine() {
    FORMS.into_iter().for_each(shared_by_threads);
}

fn shared_by_threads(form: Form) {
    let engine = answering(stream_basic_with(in_form(form, Params::default())));
    let (meshes, _) = &bodies()[2];
    let [a, b] = meshes.each_ref().map(|m| engine.prepare(m, &Control::NONE).expect("any mesh"));
    let expected = query(&engine, [&a, &b], &mut engine.memory(), &Control::NONE).expect("ok");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            let engine = engine.clone();
            let (a, b, expected) = (&a, &b, &expected);
            scope.spawn(move || {
                let mut memory = engine.memory();
                for _ in 0..4 {
                    let found = query(&engine, [a, b], &mut memory, &Control::NONE).expect("ok");
                    assert_eq!(found.contacts, expected.contacts);
                }
            });
        }
    });
}
