//! The kernels against the processor's tests, and lists that are too short. These tests need an
//! adapter; `IMPINGE_GPU=software` keeps them to software drivers.

use std::sync::OnceLock;

use impinge_geometry::{Mesh, Point, Pose};
use impinge_gpu::{Gpu, Need, Preference, Request};
use impinge_models::{Random, Shape};
use impinge_query::{Answer, Ask, Backend, Certainty, Control, Engine, Side};
use impinge_shaders::stream::OPEN;

use super::adapter::{Adapter, Direction, Sizes, records};
use super::found::Listed;
use super::kept::Rooms;
use super::runner::Family;
use super::sent::Sent;
use crate::kernel::{Class, classify};
use crate::methods::Mode;
use crate::model::StreamModel;
use crate::stream::{EdgeStream, Stage};
use crate::{Form, Params, StreamEngine, stream_basic_with, stream_shrink_with, stream_tree_with};

/// All three methods.
const METHODS: [fn(Params) -> StreamEngine; 3] =
    [stream_basic_with, stream_tree_with, stream_shrink_with];

/// The forms on an adapter.
const FORMS: [Form; 2] = [Form::Compute, Form::Raster];

/// Each method in each form on an adapter, and on the processor.
pub(super) fn pairs() -> impl Iterator<Item = (Form, StreamEngine, StreamEngine)> {
    METHODS.into_iter().flat_map(|method| {
        FORMS.map(|form| {
            (form, method(Params { form, ..Params::default() }), method(Params::default()))
        })
    })
}

pub(super) fn gpu() -> &'static Gpu {
    static GPU: OnceLock<Gpu> = OnceLock::new();
    GPU.get_or_init(open)
}

pub(super) fn open() -> Gpu {
    let software = std::env::var("IMPINGE_GPU").is_ok_and(|word| word == "software");
    let preference = if software { Preference::Software } else { Preference::Any };
    let need = Need::default();
    let request = Request { preference, need, ..Request::default().with_environment() };
    Gpu::open(&request).unwrap_or_else(|error| panic!("{error}"))
}

/// An adapter for the methods of a family, with these sizes.
pub(crate) fn adapter(family: Family, sizes: Sizes) -> Adapter {
    Adapter { sizes, ..Adapter::on(gpu(), family) }
}

pub(super) fn ask(engine: &impl Engine, meshes: &[Mesh; 2], pose: &Pose, ask: &Ask) -> Answer {
    let [a, b] = meshes.each_ref().map(|m| engine.prepare(m, &Control::NONE).expect("any mesh"));
    engine.ask(&a, &b, pose, ask).expect("an answer")
}

/// With a first length of 1 every list is too short; with 64 places at most, passes are cut too.
#[test]
#[ignore = "gpu: needs an adapter"]
fn lists_that_are_too_short_are_made_longer_or_cut_and_nothing_is_lost() {
    let meshes = [Shape::Torus.mesh(800, 1), Shape::Torus.mesh(600, 2)];
    let mut hits = 0;
    for (form, engine, cpu) in pairs() {
        let usual = engine.clone().on(Ok(gpu().clone()));
        let short = [(1, 1 << 22), (1, 64)].map(|(room, most)| {
            let sizes = Sizes { room, most, ..Sizes::default() };
            engine.clone().on_adapter(Ok(adapter(Family::of(form), sizes)))
        });
        for index in 0..2 {
            let pose = Random::stream(641, index).pose(0.4);
            let all = Ask::all_contacts().counted();
            let whole = ask(&cpu, &meshes, &pose, &all);
            hits += usize::from(whole.contacts.len() > 64);
            let counted = ask(&usual, &meshes, &pose, &all).statistics.expect("counted");
            for (place, short) in short.iter().enumerate() {
                let found = ask(short, &meshes, &pose, &all);
                assert!(matches!(found.backend, Backend::Gpu(_)), "{:?}", found.backend);
                assert_eq!(found.contacts, whole.contacts, "{index}");
                // Pieces no larger than a list begin below some boxes: more pairs are tested, and none less.
                let pieces = place == 1 && engine.describe().word != "stream-basic";
                match (found.certainty, whole.certainty) {
                    (
                        Certainty::Certified { settled, resolved },
                        Certainty::Certified { settled: least, resolved: open },
                    ) if pieces => assert!(settled >= least && resolved >= open, "{index}"),
                    (found, whole) => assert_eq!(found, whole, "{index}"),
                }
                let redone = found.statistics.expect("counted").submissions;
                let enough = whole.contacts.len() <= 64 || redone > counted.submissions;
                assert!(enough, "{redone} submissions, else {}", counted.submissions);
            }
        }
    }
    assert!(hits >= 6, "{hits} with more contacts than a list had places");
}

/// Work that is split over several dispatches and submissions, as that of large meshes is.
#[test]
#[ignore = "gpu: needs an adapter"]
fn work_that_is_split_gives_the_same() {
    let meshes = [Shape::Torus.mesh(300, 1), Shape::Gear.mesh(250, 2)];
    for (form, engine, cpu) in pairs() {
        // In images of 16² texels, edges take several textures.
        let work = if form == Form::Raster { 1 << 8 } else { 1 << 12 };
        let sizes = Sizes { work, ..Sizes::default() };
        let split = engine.clone().on_adapter(Ok(adapter(Family::of(form), sizes)));
        let usual = engine.clone().on(Ok(gpu().clone()));
        for index in 0..2 {
            let pose = Random::stream(643, index).pose(0.7);
            let all = Ask::all_contacts().counted();
            let [whole, usual, found] =
                [&cpu, &usual, &split].map(|e| ask(e, &meshes, &pose, &all));
            assert_eq!((&found.contacts, found.certainty), (&whole.contacts, whole.certainty));
            let [whole, usual, found] =
                [whole, usual, found].map(|x| x.statistics.expect("counted"));
            assert_eq!(
                [found.volume_tests, found.primitive_tests],
                [whole.volume_tests, whole.primitive_tests]
            );
            let more = engine.describe().word == "stream-shrink"
                || found.submissions > 4 * usual.submissions;
            assert!(more, "{} submissions, else {}", found.submissions, usual.submissions);
        }
    }
}

/// A tree whose depths have together as much work as one submission may have, in several dispatches
/// each: one submission a direction, and no triangle is left for another.
#[test]
#[ignore = "gpu: needs an adapter"]
fn work_that_fits_is_not_split() {
    let meshes = [Shape::Torus.mesh(300, 1), Shape::Gear.mesh(250, 2)];
    let sizes = Sizes { work: 1 << 16, ..Sizes::default() };
    let [a, b] =
        meshes.each_ref().map(|m| StreamModel::new(m, true, &Control::NONE).expect("any mesh"));
    for (edges, still) in [(&a, &b), (&b, &a)] {
        let nodes = still.culled().expect("it culls").boxes.len();
        let tests = (edges.edges().len() * nodes) as u64;
        assert!((3 * sizes.work..4 * sizes.work).contains(&tests), "{tests}");
    }
    let adapter = Ok(adapter(Family::Streams, sizes));
    let apart = Pose::translation_by([5.0, 0.0, 0.0].into()).expect("in range");
    let all = Ask::all_contacts().counted();
    let found =
        ask(&stream_tree_with(Params::default()).on_adapter(adapter), &meshes, &apart, &all);
    assert!(matches!(found.backend, Backend::Gpu(_)), "{:?}", found.backend);
    assert_eq!(found.statistics.expect("counted").submissions, 2);
}

/// A driver that does not end what holds more than a few dispatches: smaller ones give the same,
/// and the next query begins with them.
#[test]
#[ignore = "gpu: needs an adapter"]
fn what_does_not_end_in_time_is_done_in_smaller_submissions() {
    let meshes = [Shape::Torus.mesh(800, 1), Shape::Gear.mesh(600, 2)];
    let all = Ask::all_contacts().counted();
    let pose = Random::stream(645, 0).pose(0.4);
    for (form, engine, cpu) in pairs() {
        let whole = ask(&cpu, &meshes, &pose, &all);
        assert!(whole.verdict.is_hit());
        // Edges, or tests.
        let in_time = if engine.describe().word == "stream-shrink" { 200 } else { 1 << 16 };
        let late = |in_time| {
            let sizes = Sizes { in_time, ..Sizes::default() };
            engine.clone().on_adapter(Ok(adapter(Family::of(form), sizes)))
        };
        let slow = late(in_time);
        let [a, b] = meshes.each_ref().map(|m| slow.prepare(m, &Control::NONE).expect("any mesh"));
        let mut memory = slow.memory();
        let [first, second] = [(); 2].map(|()| {
            let mut found = Answer::default();
            slow.query(&a, &b, &pose, &mut memory, &all, &Control::NONE, &mut found)
                .expect("an answer");
            assert!(matches!(found.backend, Backend::Gpu(_)), "{:?}", found.backend);
            assert_eq!((&found.contacts, found.certainty), (&whole.contacts, whole.certainty));
            found.statistics.expect("counted").submissions
        });
        let usual = ask(&engine.clone().on(Ok(gpu().clone())), &meshes, &pose, &all);
        let usual = usual.statistics.expect("counted").submissions;
        assert!(usual < second && second < first, "{usual}, {second}, {first}");
        // Not even the least ends in time.
        let error = late(0).ask(&a, &b, &pose, &all).expect_err("too slow").to_string();
        assert!(error.contains("did not end within"), "{error}");
    }
}

/// Textures of 17² edges, and submissions that end in time with half of one: no submission has
/// edges of two textures.
#[test]
#[ignore = "gpu: needs an adapter"]
fn smaller_submissions_have_edges_of_one_texture() {
    let meshes = [Shape::Torus.mesh(800, 1), Shape::Gear.mesh(600, 2)];
    let pose = Random::stream(645, 0).pose(0.4);
    let params = Params { form: Form::Raster, ..Params::default() };
    let sizes = Sizes { work: 17 * 17, in_time: 200, ..Sizes::default() };
    let adapter = Ok(adapter(Family::of(Form::Raster), sizes));
    let [late, cpu] =
        [stream_shrink_with(params).on_adapter(adapter), stream_shrink_with(Params::default())];
    let [found, whole] =
        [&late, &cpu].map(|engine| ask(engine, &meshes, &pose, &Ask::all_contacts()));
    assert!(matches!(found.backend, Backend::Gpu(_)), "{:?}", found.backend);
    assert!(whole.verdict.is_hit());
    assert_eq!(found.contacts, whole.contacts);
}

/// An edge so long that it meets every box, of which a depth has more than a list has places.
#[test]
#[ignore = "gpu: needs an adapter"]
fn an_edge_that_meets_every_box_takes_pieces() {
    let long = [[-1e16, 0.01, 0.02], [1e16, 0.01, 0.02], [0.0, 1e16, 0.03]].map(Point::from);
    let long = Mesh::new(long.to_vec(), vec![[0, 1, 2]]).expect("a triangle");
    let meshes = [long, Shape::Torus.mesh(800, 1)];
    for (form, engine, cpu) in pairs() {
        let sizes = Sizes { room: 1, most: 64, ..Sizes::default() };
        let short = engine.on_adapter(Ok(adapter(Family::of(form), sizes)));
        let [found, whole] =
            [&short, &cpu].map(|e| ask(e, &meshes, &Pose::identity(), &Ask::all_contacts()));
        assert!(matches!(found.backend, Backend::Gpu(_)), "{:?}", found.backend);
        assert!(whole.contacts.len() > 10, "{}", whole.contacts.len());
        assert_eq!(found.contacts, whole.contacts, "{form:?}");
    }
}

/// Edges of one model against the triangles of another, on the adapter and on the processor.
struct Kernels<'m> {
    stage: Stage<'m>,
    mode: Mode,
    edges: EdgeStream,
    adapter: Adapter,
}

impl<'m> Kernels<'m> {
    fn new(models: &'m [StreamModel; 2], pose: &'m Pose, mode: Mode, form: Form) -> Self {
        let stage = Stage::new(Side::A, &models[0], &models[1], pose);
        let mut edges = EdgeStream::default();
        edges.load(&stage, mode, &Control::NONE).expect("not cancelled");
        let adapter = adapter(Family::of(form), Sizes::default());
        Self { stage, mode, edges, adapter }
    }

    /// What is listed if the bounds, or lengths, of all edges are multiplied by `share`.
    fn listed(&self, share: f32) -> Vec<Listed> {
        let mut rooms = Rooms::new(1 << 20, 1 << 20);
        let sent = Sent::new(&self.adapter, self.stage.still).expect("small");
        let piece = &sent.pieces[0];
        let mut edges = records(&self.edges);
        for edge in &mut edges {
            edge.head[3] *= share;
        }
        let loaded = Direction::load(&self.adapter, (0, &edges), self.mode, piece, &mut rooms);
        let mut pairs = loaded.expect("small").all_listed(piece.count()).expect("it runs");
        pairs.sort_unstable();
        pairs
    }

    /// What the processor's test would list.
    fn expected(&self) -> Vec<Listed> {
        let mut pairs = Vec::new();
        for block in self.edges.blocks() {
            for (i, &edge) in block.edges.iter().enumerate() {
                let record = block.record(i);
                for (t, face) in (0..).zip(self.stage.still.faces()) {
                    let class = classify(record.from, record.to, record.last, face);
                    match class {
                        _ if class == Class::Hit as u32 => pairs.push([edge, t]),
                        _ if class == Class::Unknown as u32 => pairs.push([edge, t | OPEN]),
                        _ => {}
                    }
                }
            }
        }
        pairs.sort_unstable();
        pairs
    }
}

/// Pairs in one list only.
fn differences(p: &[Listed], q: &[Listed]) -> usize {
    let only =
        |p: &[Listed], q: &[Listed]| p.iter().filter(|x| q.binary_search(x).is_err()).count();
    only(p, q) + only(q, p)
}

/// Bodies near their own copies, so that many pairs are near each border. Other adapters may round
/// the other way; then a few classes differ, and both are certain.
#[test]
#[ignore = "gpu: needs an adapter"]
fn classes_are_those_of_the_processor_and_another_bound_shows() {
    for form in FORMS {
        let (mut pairs, mut unknown, mut different, mut broken) = (0, 0, 0, 0);
        for (index, shape) in [Shape::Torus, Shape::Gear, Shape::Sphere].into_iter().enumerate() {
            let mesh = shape.mesh(300, 3);
            let models =
                [(); 2].map(|()| StreamModel::new(&mesh, false, &Control::NONE).expect("any mesh"));
            for reach in [0.0, 1e-7, 1e-3, 0.5] {
                let turned = Random::stream(642, index as u64).pose(reach);
                let pose = if reach < 0.1 {
                    Pose::translation_by(*turned.translation()).expect("in range")
                } else {
                    turned
                };
                let kernels = Kernels::new(&models, &pose, Mode::Certified, form);
                let expected = kernels.expected();
                pairs += expected.len();
                unknown += expected.iter().filter(|pair| pair[1] & OPEN != 0).count();
                different += differences(&expected, &kernels.listed(1.0));
                broken += differences(&expected, &kernels.listed(0.125));
            }
        }
        println!("{pairs} listed, {unknown} unknown; {different} differ, broken: {broken}");
        assert!(unknown > 5_000 && different * 1000 <= pairs, "{different} of {pairs}");
        assert!(broken > 200 && broken > 20 * different, "{broken}: nothing is compared");
    }
}

/// In bodies that touch, where many parameters are equal to lengths.
#[test]
#[ignore = "gpu: needs an adapter"]
fn the_depth_test_passes_what_the_comparison_passes() {
    let (mut pairs, mut broken) = (0, 0);
    for (shape, size) in [(Shape::Gear, 300), (Shape::Cube, 12), (Shape::Sphere, 300)] {
        // Lengths above 1 are scaled.
        for scale in [1.0, 10.0] {
            let still = shape.mesh(size, 3);
            let moving = still.scaled(scale).expect("in range");
            let models =
                [moving, still].map(|m| StreamModel::new(&m, false, &Control::NONE).expect("any"));
            let pose = Pose::identity();
            let [compute, raster] =
                FORMS.map(|form| Kernels::new(&models, &pose, Mode::Sampled, form));
            let expected = compute.listed(1.0);
            assert_eq!(raster.listed(1.0), expected);
            pairs += expected.len();
            broken += differences(&expected, &raster.listed(0.999));
        }
    }
    println!("{pairs} listed; broken: {broken}");
    assert!(pairs > 1_000 && broken > 100, "{pairs} listed, broken: {broken}");
}

/// Without the draw of lengths, texels of misses have no word.
#[test]
#[ignore = "gpu: needs an adapter"]
fn a_pair_that_was_not_drawn_is_an_error() {
    let mesh = Shape::Torus.mesh(200, 1);
    for method in METHODS {
        let asked = |breaks: bool| {
            let mut adapter = adapter(Family::Drawn, Sizes::default());
            adapter.ready().expect("it compiles");
            let raster = adapter.kernels.raster.get_mut().expect("it draws");
            if breaks {
                raster.lengths = raster.sampled.clone();
            }
            let params = Params { form: Form::Raster, ..Params::sampled() };
            let engine = method(params).on_adapter(Ok(adapter));
            let model = engine.prepare(&mesh, &Control::NONE).expect("any mesh");
            let pose = Random::new(644).pose(0.3);
            engine.ask(&model, &model, &pose, &Ask::first_contact())
        };
        assert!(asked(false).expect("it draws").verdict.is_hit());
        let error = asked(true).expect_err("words are missing").to_string();
        assert!(error.contains("pairs were not drawn"), "{error}");
    }
}

/// Nothing is known of an edge with an infinite bound: each pair is left to the exact test, also
/// through a tree.
#[test]
#[ignore = "gpu: needs an adapter"]
fn edges_of_which_nothing_is_known_are_left_to_the_exact_test() {
    let small = Shape::Hull.mesh(30, 1).scaled(1e-14).expect("in range");
    let meshes = [Shape::Hull.mesh(40, 2), small];
    for (form, engine, cpu) in pairs() {
        let whole = ask(&cpu, &meshes, &Pose::identity(), &Ask::all_contacts().counted());
        let engine = engine.on(Ok(gpu().clone()));
        assert_eq!(engine.params().form, form);
        let found = ask(&engine, &meshes, &Pose::identity(), &Ask::all_contacts().counted());
        assert_eq!((found.verdict, found.certainty), (whole.verdict, whole.certainty));
        let [found, whole] = [found, whole].map(|x| x.statistics.expect("counted"));
        assert_eq!(found.exact_tests, whole.exact_tests);
        assert!(found.exact_tests >= 60 * 30, "{}", found.exact_tests);
    }
}

/// Buffers that hold a few of the triangles, boxes and edges each: the contacts are those of whole
/// models.
#[test]
#[ignore = "gpu: needs an adapter"]
fn models_in_pieces_give_the_same() {
    let meshes = [Shape::Torus.mesh(300, 1), Shape::Gear.mesh(250, 2)];
    for (form, engine, cpu) in pairs() {
        for (bytes, times) in [(1 << 8, 10), (1 << 12, 2), (1 << 14, 1)] {
            // Pieces of two triangles take many submissions: such models are small.
            let meshes = if bytes == 1 << 8 {
                [Shape::Cube.mesh(12, 1), Shape::Hull.mesh(20, 2)]
            } else {
                meshes.clone()
            };
            let sizes = Sizes { bytes, ..Sizes::default() };
            let pieces = engine.clone().on_adapter(Ok(adapter(Family::of(form), sizes)));
            let usual = engine.clone().on(Ok(gpu().clone()));
            let pose = Random::stream(646, 0).pose(0.5);
            let all = Ask::all_contacts().counted();
            let [whole, usual, found] =
                [&cpu, &usual, &pieces].map(|e| ask(e, &meshes, &pose, &all));
            assert!(matches!(found.backend, Backend::Gpu(_)), "{:?}", found.backend);
            assert!(whole.verdict.is_hit(), "{form:?} {bytes}");
            assert_eq!(found.contacts, whole.contacts, "{form:?} {bytes}");
            let first = ask(&pieces, &meshes, &pose, &Ask::first_contact());
            assert!(first.contacts.iter().all(|contact| whole.contacts.contains(contact)));
            let [usual, found] = [usual, found].map(|x| x.statistics.expect("counted"));
            assert!(
                found.submissions > times * usual.submissions,
                "{form:?} {bytes}: {} submissions, else {}",
                found.submissions,
                usual.submissions
            );
        }
    }
}

/// More triangles than have room, with their boxes, in the 128 MiB that every adapter grants a buffer.
#[test]
#[ignore = "gpu: needs an adapter"]
fn a_mesh_of_more_than_a_million_triangles_has_room() {
    let [cube, torus] = [Shape::Cube.mesh(12, 0), Shape::Torus.mesh(1_150_000, 0)]
        .map(|mesh| StreamModel::new(&mesh, true, &Control::NONE).expect("any mesh"));
    let boxes = size_of_val(torus.culled().expect("it culls").boxes.as_slice()) as u64;
    assert!(boxes > 1 << 27, "{boxes} bytes are not much");
    for method in [stream_tree_with, stream_shrink_with] {
        for form in FORMS {
            let engine = method(Params { form, ..Params::default() }).on(Ok(gpu().clone()));
            for (reach, hit) in [(0.9, true), (3.0, false)] {
                let pose = Pose::translation_by([reach, 0.1, 0.2].into()).expect("in range");
                let found = engine.ask(&cube, &torus, &pose, &Ask::first_contact());
                let found = found.expect("an answer");
                assert!(matches!(found.backend, Backend::Gpu(_)), "{:?}", found.backend);
                assert_eq!(found.verdict.is_hit(), hit, "{form:?} {reach}");
            }
        }
    }
}
