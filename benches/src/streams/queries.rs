//! Single queries by each method in each form, in poses where the meshes do not meet.

use impinge::query::Ask;
use impinge::stream::{Device, Form, Params, stream_basic_with, stream_shrink_with};
use impinge::{Method, Pose};
use impinge_models::{Random, Shape};
use impinge_records::streams::StreamQueries;

use super::{PASSES, Sizes, answered_by};
use crate::harness::{Competitor, Query, Rules, Timing, Workload, compete};
use crate::progress::Listener;

/// The methods, in the order of tables.
pub const METHODS: [Method; 2] = [Method::StreamBasic, Method::StreamShrink];

/// Poses tried for one that is a miss.
const TRIES: usize = 100;

/// A method in a form.
struct Streaming {
    method: Method,
    form: Form,
    competitor: Competitor,
}

impl AsRef<Competitor> for Streaming {
    fn as_ref(&self) -> &Competitor {
        &self.competitor
    }
}

impl Streaming {
    fn new(method: Method, form: Form, device: Option<Device>, largest: usize) -> Self {
        let device = device.unwrap_or_default();
        let params = Params { form, device, largest, ..Params::default() };
        let engine = match method {
            Method::StreamBasic => stream_basic_with(params),
            _ => stream_shrink_with(params),
        };
        let label = format!("{} ({})", method.word(), word(form));
        Self { method, form, competitor: Competitor::new(label, engine) }
    }
}

/// The form in records.
const fn word(form: Form) -> &'static str {
    match form {
        Form::Cpu => "processor",
        Form::Compute => "compute",
        Form::Raster => "raster",
    }
}

/// Measures the methods, on the processor and in both forms on the adapter if there is one.
///
/// # Errors
/// If a form finds a hit, a query fails, or the processor answers in the place of an adapter.
pub fn measure(
    methods: &[Method],
    device: Option<Device>,
    sizes: Sizes,
    seed: u64,
    listener: Listener<'_>,
) -> Result<Vec<StreamQueries>, String> {
    if methods.is_empty() {
        return Ok(Vec::new());
    }
    let mesh = Shape::Torus.mesh(sizes.triangles, 0);
    let triangles = mesh.triangles().len();
    let forms =
        if device.is_some() { &[Form::Cpu, Form::Compute, Form::Raster][..] } else { &[Form::Cpu] };
    let each =
        |method| forms.iter().map(move |form| Streaming::new(method, *form, device, triangles));
    let all: Vec<Streaming> = methods.iter().copied().flat_map(each).collect();
    let mut workload = Workload::motion(vec![mesh], [0, 0], &[]);
    let misses = misses(&workload, sizes.poses, seed)?;
    workload = Workload::motion(workload.meshes, [0, 0], &misses);
    for streaming in &all {
        check_backend(streaming, &workload)?;
    }
    let rules = Rules { remember: true, ..Rules::passes(PASSES) };
    let found = compete(&all, &workload, &Ask::first_contact(), rules, listener)?;
    all.iter().zip(found).map(|(streaming, timing)| record(streaming, triangles, &timing)).collect()
}

/// Seeded poses in which a mesh does not meet its copy, by `wide`.
fn misses(workload: &Workload, count: usize, seed: u64) -> Result<Vec<Pose>, String> {
    let judge = Competitor::from(Method::Wide);
    let models = judge.prepare(workload)?;
    let reach = workload.meshes.first().map_or(1.0, |mesh| 0.4 * mesh.diagonal());
    let mut ready = judge.ready(1);
    let mut misses = Vec::new();
    for index in 0..count * TRIES {
        let pose = Random::stream(seed, index as u64).pose(reach);
        ready.ask(&models, &Query { a: 0, b: 0, pair: 0, pose }, &Ask::first_contact())?;
        if !ready.answer.verdict.is_hit() {
            misses.push(pose);
        }
        if misses.len() == count {
            return Ok(misses);
        }
    }
    Err(format!("only {} of {count} poses without a hit", misses.len()))
}

/// Asks the first pose, to learn who answers.
fn check_backend(streaming: &Streaming, workload: &Workload) -> Result<(), String> {
    let Streaming { form, competitor, .. } = streaming;
    let models = competitor.prepare(workload)?;
    let mut ready = competitor.ready(1);
    for query in workload.steps.iter().flatten().take(1) {
        ready.ask(&models, query, &Ask::first_contact())?;
    }
    answered_by(&competitor.label, *form != Form::Cpu, &ready.answer.backend)
}

fn record(
    Streaming { method, form, competitor }: &Streaming,
    triangles: usize,
    timing: &Timing,
) -> Result<StreamQueries, String> {
    let (hits, poses) = (timing.hits(), timing.hit.len());
    if hits > 0 {
        return Err(format!("{}: {hits} hits in poses without any", competitor.label));
    }
    let each = |count: u64| count as f64 / poses.max(1) as f64;
    Ok(StreamQueries {
        method: method.word().to_owned(),
        form: word(*form).to_owned(),
        triangles,
        poses,
        median_ns: timing.median(),
        tests: each(timing.volume_tests + timing.primitive_tests),
        submissions: each(timing.submissions),
    })
}
