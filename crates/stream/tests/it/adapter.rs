//! The form on a graphics adapter, and what answers in its place.

#[cfg(feature = "wgpu")]
mod gpu;
#[cfg(feature = "wgpu")]
mod gpu_pairs;

use impinge_geometry::Pose;
use impinge_models::Shape;
use impinge_query::{Answer, Ask, Backend, Control, Engine};
use impinge_stream::{
    Form, Params, StreamEngine, stream_basic_with, stream_shrink_with, stream_tree_with,
};

/// All three methods.
const WORDS: [fn(Params) -> StreamEngine; 3] =
    [stream_basic_with, stream_tree_with, stream_shrink_with];

/// The forms on an adapter.
const FORMS: [Form; 2] = [Form::Compute, Form::Raster];

/// Each method in each form on an adapter.
fn in_all_forms() -> impl Iterator<Item = (fn(Params) -> StreamEngine, Form)> {
    WORDS.into_iter().flat_map(|word| FORMS.map(|form| (word, form)))
}

fn answer(engine: &StreamEngine) -> Answer {
    let mesh = Shape::Hull.mesh(40, 1);
    let model = engine.prepare(&mesh, &Control::NONE).expect("any mesh");
    engine.ask(&model, &model, &Pose::identity(), &Ask::all_contacts()).expect("an answer")
}

/// The reason why the processor answers for an engine.
fn told_why(engine: &StreamEngine, params: Params, word: fn(Params) -> StreamEngine) -> String {
    let (found, whole) = (answer(engine), answer(&word(params)));
    assert_eq!(whole.backend, Backend::Cpu);
    assert!(found.verdict.is_hit());
    assert_eq!((found.contacts, found.certainty), (whole.contacts, whole.certainty));
    match found.backend {
        Backend::Software(why) => why,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_tests_as_printed_run_on_the_processor_and_the_answer_says_so() {
    for (word, form) in in_all_forms() {
        let params = Params::as_printed();
        let engine = word(Params { form, ..params });
        let why = told_why(&engine, params, word);
        assert!(why.contains("as printed"), "{why}");
    }
}

#[cfg(not(feature = "wgpu"))]
#[test]
fn a_build_without_graphics_answers_on_the_processor_and_says_so() {
    for (word, form) in in_all_forms() {
        for params in [Params::default(), Params::sampled()] {
            let engine = word(Params { form, ..params });
            assert_eq!(told_why(&engine, params, word), "built without the feature wgpu");
        }
    }
}

#[cfg(feature = "wgpu")]
#[test]
fn without_an_adapter_the_processor_answers_and_says_so() {
    use impinge_gpu::{Gpu, Request, wgpu::Backends};
    let request = Request { backends: Backends::empty(), ..Request::default() };
    for (word, form) in in_all_forms() {
        for params in [Params::default(), Params::sampled()] {
            let engine = word(Params { form, ..params }).on(Gpu::open(&request));
            assert_eq!(engine.params().form, form);
            let why = told_why(&engine, params, word);
            assert!(why.contains("no graphics adapter was found"), "{why}");
        }
    }
}
