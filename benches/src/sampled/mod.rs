//! Error rates of methods that trust their samples, as a function of resolution, or 32-bit numbers:
//! false hits and false misses against the rational oracle, on a fixed set of poses of small closed
//! meshes.
//!
//! 1. [`forms`]: the sampled forms of the methods that have one.
//! 2. [`poses`]: the meshes, their poses, and the correct verdicts.
//! 3. [`measure`]: a record per form.

pub mod poses;

use impinge::Method;
use impinge::image::{self, ibcd_with, recode_with};
use impinge::query::{Answer, Ask, Detector, Prepared};
use impinge::stream::{self, stream_basic_with, stream_shrink_with, stream_tree_with};

use crate::harness::{Competitor, Query, Ready, Workload};
use crate::progress::Listener;
use impinge_records::bench::Sampling;
use poses::{Placed, Set};

/// Image sizes, in pixels along a side.
pub const RESOLUTIONS: [u32; 7] = [4, 8, 16, 32, 64, 128, 256];

/// A sampled form of a method.
#[derive(Debug)]
pub struct Form {
    /// The method with its parameters, labelled with its name.
    pub competitor: Competitor,
    /// The form in words.
    pub text: String,
    /// Pixels along a side of its images; a form with images is asked about solids, others about
    /// surfaces. In 32 bits solids would be right too often: the driver tests containment exactly.
    pub resolution: Option<u32>,
}

/// The sampled forms of a method; none if it has no such form.
pub fn forms(method: Method) -> Vec<Form> {
    let drawn = |engine: fn(u32) -> Box<dyn Detector>| -> Vec<Form> {
        let form = |pixels: u32| Form {
            competitor: Competitor { label: method.word().to_owned(), detector: engine(pixels) },
            text: format!("{pixels} pixels"),
            resolution: Some(pixels),
        };
        RESOLUTIONS.map(form).into()
    };
    let streamed = |engine: fn(stream::Params) -> stream::StreamEngine| -> Vec<Form> {
        let params = [stream::Params::sampled(), stream::Params::as_printed()];
        let forms = params.into_iter().zip(["32 bits", "32 bits, as printed"]);
        let form = |(params, text): (stream::Params, &str)| Form {
            competitor: Competitor::new(method.word(), engine(params)),
            text: text.to_owned(),
            resolution: None,
        };
        forms.map(form).collect()
    };
    match method {
        Method::Ibcd => drawn(|n| Box::new(ibcd_with(image::Params::sampled(n)))),
        Method::Recode => drawn(|n| Box::new(recode_with(image::Params::sampled(n)))),
        Method::StreamBasic => streamed(stream_basic_with),
        Method::StreamTree => streamed(stream_tree_with),
        Method::StreamShrink => streamed(stream_shrink_with),
        _ => Vec::new(),
    }
}

/// Measures all forms of the given methods; one record each.
///
/// # Errors
/// If a mesh is refused. That is a bug, since all are closed.
pub fn measure(
    methods: &[Method],
    quick: bool,
    listener: Listener<'_>,
) -> Result<Vec<Sampling>, String> {
    let forms: Vec<Form> = methods.iter().flat_map(|method| forms(*method)).collect();
    if forms.is_empty() {
        return Ok(Vec::new());
    }
    let sets = poses::sets(quick, &|done, of| listener.stage("expected answers", done, of));
    let mut found = Vec::new();
    for form in &forms {
        listener.stage("measuring", found.len(), forms.len());
        found.push(one(form, &sets)?);
    }
    Ok(found)
}

/// Measures one form.
///
/// # Errors
/// If a mesh is refused.
pub fn one(form: &Form, sets: &[Set]) -> Result<Sampling, String> {
    let mut found = Sampling {
        method: form.competitor.label.clone(),
        form: form.text.clone(),
        resolution: form.resolution,
        poses: 0,
        hits: 0,
        false_hits: 0,
        false_misses: 0,
        errors: 0,
        median_ns: 0.0,
        error: None,
    };
    let mut times = Vec::new();
    for Set { name, a, b, poses } in sets {
        let meshes = Workload::new(vec![a.clone(), b.clone()], Vec::new());
        let models = form.competitor.prepare(&meshes).map_err(|why| format!("{name}, {why}"))?;
        let mut ready = form.competitor.ready(1);
        for placed in poses {
            times.push(ask(&mut ready, &models, (placed, form.resolution.is_some()), &mut found));
        }
    }
    times.sort_unstable_by(f64::total_cmp);
    found.median_ns = times.get(times.len() / 2).copied().unwrap_or(0.0);
    Ok(found)
}

/// Asks one pose and counts the outcome; returns its time in nanoseconds.
fn ask(
    ready: &mut Ready<'_>,
    models: &[Prepared],
    (placed, solids): (&Placed, bool),
    found: &mut Sampling,
) -> f64 {
    ready.answer = Answer::default();
    let query = [Query { a: 0, b: 1, pair: 0, pose: placed.pose }];
    let first = Ask::first_contact();
    let (ask, truth) = if solids { (first.solids(), placed.hit) } else { (first, placed.meet) };
    let (took, ended) = ready.time(models, &query, &ask);
    let hit = ready.answer.verdict.is_hit();
    found.poses += 1;
    found.hits += usize::from(truth);
    match (ended, truth) {
        (Err(why), _) => {
            found.errors += 1;
            found.error.get_or_insert(why);
        }
        (Ok(()), true) => found.false_misses += usize::from(!hit),
        (Ok(()), false) => found.false_hits += usize::from(hit),
    }
    took.as_nanos() as f64
}
