//! Error rates of methods that trust their samples, as a function of resolution: false hits and
//! false misses against the rational oracle, on a fixed set of poses of small closed meshes.
//!
//! 1. [`Form`]: the methods with a sampled form, one row each, and how it is made.
//! 2. [`poses`]: the meshes, their poses, and the correct verdicts.
//! 3. [`measure`]: a record per form and resolution.

pub mod poses;

use impinge::Method;
use impinge::image::{Params, ibcd_with, recode_with};
use impinge::query::{Answer, Ask, Prepared};

use crate::harness::{Competitor, Query, Ready, Workload};
use crate::progress::Listener;
use impinge_records::bench::Sampling;
use poses::{Placed, Set};

/// Image sizes, in pixels along a side.
pub const RESOLUTIONS: [u32; 7] = [4, 8, 16, 32, 64, 128, 256];

/// A method's sampled form.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// The method.
    pub method: Method,
    /// Creates the competitor for a resolution.
    pub at: fn(u32) -> Competitor,
}

/// Every method with a sampled form.
pub const FORMS: &[Form] = &[
    Form {
        method: Method::Ibcd,
        at: |pixels| Competitor::new(Method::Ibcd.word(), ibcd_with(Params::sampled(pixels))),
    },
    Form {
        method: Method::Recode,
        at: |pixels| Competitor::new(Method::Recode.word(), recode_with(Params::sampled(pixels))),
    },
];

/// Measures the forms of the given methods at every resolution; one record each.
///
/// # Errors
/// If a mesh is refused. That is a bug, since all are closed.
pub fn measure(
    methods: &[Method],
    quick: bool,
    listener: Listener<'_>,
) -> Result<Vec<Sampling>, String> {
    let forms: Vec<&Form> = FORMS.iter().filter(|form| methods.contains(&form.method)).collect();
    if forms.is_empty() {
        return Ok(Vec::new());
    }
    let sets = poses::sets(quick, &|done, of| listener.stage("expected answers", done, of));
    let mut found = Vec::new();
    for form in &forms {
        for resolution in RESOLUTIONS {
            listener.stage("measuring", found.len(), forms.len() * RESOLUTIONS.len());
            found.push(one(&(form.at)(resolution), resolution, &sets)?);
        }
    }
    Ok(found)
}

/// Measures one form at one resolution.
///
/// # Errors
/// If a mesh is refused.
pub fn one(form: &Competitor, resolution: u32, sets: &[Set]) -> Result<Sampling, String> {
    let mut found = Sampling {
        method: form.label.clone(),
        resolution,
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
        let models = form.prepare(&meshes).map_err(|why| format!("{name}, {why}"))?;
        let mut ready = form.ready(1);
        for placed in poses {
            times.push(ask(&mut ready, &models, placed, &mut found));
        }
    }
    times.sort_unstable_by(f64::total_cmp);
    found.median_ns = times.get(times.len() / 2).copied().unwrap_or(0.0);
    Ok(found)
}

/// Asks one pose and counts the outcome; returns its time in nanoseconds.
fn ask(ready: &mut Ready<'_>, models: &[Prepared], placed: &Placed, found: &mut Sampling) -> f64 {
    ready.answer = Answer::default();
    let query = [Query { a: 0, b: 1, pair: 0, pose: placed.pose }];
    let (took, ended) = ready.time(models, &query, &Ask::first_contact().solids());
    let hit = ready.answer.verdict.is_hit();
    found.poses += 1;
    found.hits += usize::from(placed.hit);
    match (ended, placed.hit) {
        (Err(why), _) => {
            found.errors += 1;
            found.error.get_or_insert(why);
        }
        (Ok(()), true) => found.false_misses += usize::from(!hit),
        (Ok(()), false) => found.false_hits += usize::from(hit),
    }
    took.as_nanos() as f64
}
