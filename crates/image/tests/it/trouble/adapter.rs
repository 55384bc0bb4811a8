//! Adapters that are not there, cannot draw, are lost, or refuse a submission.
//! `IMPINGE_GPU=software` keeps the tests to software drivers.

mod gpu;

use impinge_gpu::wgpu::{Backends, Features};
use impinge_gpu::{Gpu, Need, Preference, Request};
use impinge_image::{Params, ibcd_on, ibcd_with};
use impinge_query::{Answer, Ask, Backend, Control};

use crate::trouble::cases::{Query, Set, honest, sets};

fn request() -> Request {
    let software = std::env::var("IMPINGE_GPU").is_ok_and(|word| word == "software");
    let preference = if software { Preference::Software } else { Preference::Any };
    Request { preference, ..Request::default().with_environment() }
}

/// Every answer is right, and every picture was drawn in software; gives the reason.
fn told_why(sets: &[Set], query: &Query<'_>) -> Result<String, String> {
    let mut told = None;
    for set in sets {
        let mut memory = impinge_image::Memory::default();
        for case in &set.cases {
            for ask in [Ask::first_contact().solids(), Ask::all_contacts()] {
                let mut answer = Answer::default();
                query(set, case, (&ask, &mut memory), &Control::NONE, &mut answer)
                    .map_err(|why| why.to_string())?;
                case.check(&ask, &answer)?;
                match answer.backend {
                    Backend::Cpu => {}
                    Backend::Software(why) => told = Some(why),
                    other => return Err(format!("{other:?} drew")),
                }
            }
        }
    }
    told.ok_or_else(|| "nothing was drawn".to_owned())
}

/// The reason why the engines on a request draw in software; both forms answer as software does.
fn falls_back(request: &Request) -> String {
    let engine = ibcd_on(Gpu::open(request), Params::default());
    let cases = sets(&engine, 6);
    let told = told_why(&cases, &*honest(&engine)).unwrap_or_else(|why| panic!("{why}"));
    let sampled =
        [ibcd_with(Params::sampled(32)), ibcd_on(Gpu::open(request), Params::sampled(32))];
    for set in sets(&sampled[0], 6) {
        for case in &set.cases {
            let answers = [0, 1].map(|which| {
                let (mut memory, mut answer) =
                    (impinge_image::Memory::default(), Answer::default());
                let asked = (&Ask::first_contact(), &mut memory);
                honest(&sampled[which])(&set, case, asked, &Control::NONE, &mut answer)
                    .expect("software draws");
                answer
            });
            assert_eq!(answers[0].verdict, answers[1].verdict);
            let Backend::Software(why) = &answers[1].backend else { continue };
            assert_eq!(*why, told);
        }
    }
    told
}

/// No driver is installed, or each adapter lacks what the part says.
fn says(told: &str, part: &str) -> bool {
    told.contains("no graphics adapter was found") || told.contains(part)
}

#[test]
fn without_an_adapter_software_draws_and_says_so() {
    let told = falls_back(&Request { backends: Backends::empty(), ..Request::default() });
    assert!(told.contains("no graphics adapter was found"), "{told}");
}

#[test]
fn a_choice_that_no_adapter_meets_is_told() {
    let name = Some("no adapter has this name".to_owned());
    let told = falls_back(&Request { name, ..Request::default() });
    assert!(says(&told, "its name does not hold `no adapter has this name`"), "{told}");
    let features = Features::all_webgpu_mask() | Features::all_native_mask();
    let need = Need { features, ..Need::image() };
    let told = falls_back(&Request { need, ..Request::default() });
    assert!(says(&told, "it has no "), "{told}");
}

#[test]
fn adapters_without_a_stencil_are_passed_over_and_told() {
    let need = Need { formats: Vec::new(), ..Need::image() };
    let told = falls_back(&Request { need, ..Request::default() });
    assert!(says(&told, "no format with depth and stencil"), "{told}");
}

#[test]
fn a_fallback_that_answers_wrongly_is_noticed() {
    let engine = ibcd_on(
        Gpu::open(&Request { backends: Backends::empty(), ..request() }),
        Params::default(),
    );
    let cases = sets(&engine, 6);
    let forgets: Box<Query<'_>> = Box::new(|set, case, asked, control, answer| {
        let done = honest(&engine)(set, case, asked, control, answer);
        // Says who drew, and nothing of what was found.
        let backend = std::mem::take(&mut answer.backend);
        answer.clear();
        answer.backend = backend;
        done
    });
    assert!(told_why(&cases, &*honest(&engine)).is_ok());
    assert!(told_why(&cases, &*forgets).is_err());
}
