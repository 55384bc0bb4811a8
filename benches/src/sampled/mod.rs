//! How often methods that believe their samples are wrong, as a function of resolution: false hits and
//! false misses against the rational oracle, in a fixed set of poses of small closed meshes.
//!
//! 1. [`Form`]: which methods have a sampled form, and how it is made. One row each.
//! 2. [`poses`]: the meshes, their poses, and what is true of them.
//! 3. [`measure`]: a record per form and resolution.

pub mod poses;

use std::time::Instant;

use impinge::image::{Params, ibcd_with, recode_with};
use impinge::query::{Answer, Ask, Control, Detector, PairMemory};
use impinge::{Method, query};

use crate::progress::Listener;
use impinge_records::bench::Sampling;
use poses::{Placed, Set};

/// Pixels along a side, of what a method samples.
pub const RESOLUTIONS: [u32; 7] = [4, 8, 16, 32, 64, 128, 256];

/// A method's sampled form.
#[derive(Clone, Copy)]
pub struct Form {
    /// The method.
    pub method: Method,
    /// Makes it for a resolution.
    pub at: fn(u32) -> Box<dyn Detector>,
}

impl std::fmt::Debug for Form {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Form").field("method", &self.method).finish_non_exhaustive()
    }
}

/// Every method that has one.
pub const FORMS: &[Form] = &[
    Form { method: Method::Ibcd, at: |pixels| Box::new(ibcd_with(Params::sampled(pixels))) },
    Form { method: Method::Recode, at: |pixels| Box::new(recode_with(Params::sampled(pixels))) },
];

/// The forms of the given methods at every resolution, one record each.
///
/// # Errors
/// A sentence if a mesh is refused; that is a bug, since all are closed.
pub fn measure(
    methods: &[Method],
    quick: bool,
    listener: Listener<'_>,
) -> Result<Vec<Sampling>, String> {
    let forms: Vec<&Form> = FORMS.iter().filter(|form| methods.contains(&form.method)).collect();
    if forms.is_empty() {
        return Ok(Vec::new());
    }
    let sets = poses::sets(quick, &|done, of| listener.stage("judging", done, of));
    let mut found = Vec::new();
    for form in &forms {
        for resolution in RESOLUTIONS {
            listener.stage("measuring", found.len(), forms.len() * RESOLUTIONS.len());
            let detector = (form.at)(resolution);
            found.push(one(form.method, &*detector, resolution, &sets)?);
        }
    }
    Ok(found)
}

/// One form at one resolution.
///
/// # Errors
/// A sentence if a mesh is refused.
pub fn one(
    method: Method,
    detector: &dyn Detector,
    resolution: u32,
    sets: &[Set],
) -> Result<Sampling, String> {
    let mut found = Sampling {
        method: method.word().to_owned(),
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
    for set in sets {
        let prepare = |mesh| {
            let refused = |why| format!("{method}, {}: {why}", set.name);
            detector.prepare(mesh, &Control::NONE).map_err(refused)
        };
        let models = [prepare(&set.a)?, prepare(&set.b)?];
        let mut memory = detector.memory();
        for placed in &set.poses {
            times.push(ask(detector, &models, &mut memory, placed, &mut found));
        }
    }
    times.sort_unstable_by(f64::total_cmp);
    found.median_ns = times.get(times.len() / 2).copied().unwrap_or(0.0);
    Ok(found)
}

/// Asks one pose and counts what became of it; gives its time in nanoseconds.
fn ask(
    detector: &dyn Detector,
    [a, b]: &[query::Prepared; 2],
    memory: &mut PairMemory,
    placed: &Placed,
    found: &mut Sampling,
) -> f64 {
    let mut answer = Answer::default();
    let first = Ask::first_contact().solids();
    let start = Instant::now();
    let ended = detector.query(a, b, &placed.pose, memory, &first, &Control::NONE, &mut answer);
    let time = start.elapsed().as_nanos() as f64;
    found.poses += 1;
    found.hits += usize::from(placed.hit);
    match (ended, placed.hit) {
        (Err(why), _) => {
            found.errors += 1;
            found.error.get_or_insert_with(|| why.to_string());
        }
        (Ok(()), true) => found.false_misses += usize::from(!answer.verdict.is_hit()),
        (Ok(()), false) => found.false_hits += usize::from(answer.verdict.is_hit()),
    }
    time
}
