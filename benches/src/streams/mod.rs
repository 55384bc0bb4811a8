//! Streams on the processor and on an adapter. Every verdict is compared.
//!
//! 1. [`Sizes`]: meshes and poses by what is there.
//! 2. [`queries`]: single queries by each method in each form.
//! 3. [`batch`]: a batch of poses by `stream-pairs` and by `wide`.
//! 4. [`adapter`]: the adapter and its peak rate.
//! 5. [`measure`]: the record.

pub mod adapter;
pub mod batch;
pub mod queries;

use impinge::Method;
use impinge::image::Drawing;
use impinge::query::Backend;
use impinge::stream::Device;
use impinge_records::streams::{StreamAdapter, Streams};

use crate::progress::Listener;
use crate::session::Plan;

/// Passes over all poses; the least time counts.
const PASSES: usize = 3;

/// Meshes and poses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// Triangles of each of two meshes of single queries.
    pub triangles: usize,
    /// Poses of single queries.
    pub poses: usize,
    /// Triangles of each of two meshes of a batch.
    pub batch_triangles: usize,
    /// Poses of a batch.
    pub batch_poses: usize,
}

impl Sizes {
    /// Sizes for hardware, or for the processor, which also runs a software driver.
    pub const fn of(hardware: bool, quick: bool) -> Self {
        let [triangles, poses, batch_triangles, batch_poses] = match (quick, hardware) {
            (true, _) => [200, 3, 1_000, 40],
            (false, false) => [2_000, 5, 10_000, 300],
            (false, true) => [20_000, 5, 100_000, 10_000],
        };
        Self { triangles, poses, batch_triangles, batch_poses }
    }
}

/// The adapter that streams run on, if any.
const fn device(drawing: Drawing) -> Option<Device> {
    match drawing {
        Drawing::Software => None,
        Drawing::Adapter => Some(Device::Adapter),
        Drawing::SoftwareAdapter => Some(Device::SoftwareAdapter),
    }
}

/// Measures those of `stream-basic`, `stream-shrink` and `stream-pairs` that the plan names; `None`
/// if it names none.
///
/// # Errors
/// If two answers differ, a query fails, or the processor answers in the place of an adapter.
pub fn measure(plan: &Plan, listener: Listener<'_>) -> Result<Option<Streams>, String> {
    let methods = queries::METHODS.into_iter().filter(|method| plan.methods.contains(method));
    let (methods, pairs) =
        (methods.collect::<Vec<_>>(), plan.methods.contains(&Method::StreamPairs));
    if methods.is_empty() && !pairs {
        return Ok(None);
    }
    let device = device(plan.drawer.drawing);
    listener.stage("peak rate", 0, 1);
    let adapter: Option<StreamAdapter> = device.map(adapter::look).transpose()?;
    let hardware = adapter.as_ref().is_some_and(|adapter| adapter.hardware);
    let sizes = Sizes::of(hardware, plan.wishes.quick);
    let seed = plan.wishes.seed;
    let queries = queries::measure(&methods, device, sizes, seed, listener)?;
    let batch = pairs.then(|| batch::measure(device, sizes, seed, listener)).transpose()?;
    Ok(Some(Streams { adapter, queries, batch }))
}

/// Checks that an adapter answered if one was asked for.
fn answered_by(label: &str, wanted: bool, backend: &Backend) -> Result<(), String> {
    match backend {
        Backend::Gpu(_) if wanted => Ok(()),
        Backend::Cpu | Backend::Threads(_) if !wanted => Ok(()),
        other => Err(format!("{label}: {other:?} answered")),
    }
}

#[cfg(test)]
mod tests {
    use impinge_records::host::Host;

    use super::*;
    use crate::graphics::{Drawer, Gpu};
    use crate::scene::catalogue::Wishes;

    fn measured(drawer: Drawer, methods: &[Method]) -> Option<Streams> {
        let plan = Plan {
            wishes: Wishes { quick: true, seed: 1, ..Wishes::default() },
            once: false,
            methods: methods.to_vec(),
            threads: 2,
            drawer,
            cache: None,
            pictures: None,
            host: Host::default(),
        };
        measure(&plan, Listener::NONE).expect("all agree")
    }

    #[test]
    fn only_named_methods_are_measured() {
        assert_eq!(measured(Drawer::default(), &[Method::Wide, Method::StreamTree]), None);
        let found = measured(Drawer::default(), &[Method::StreamPairs]).expect("it is measured");
        assert!(found.queries.is_empty() && found.adapter.is_none());
        let batch = found.batch.expect("it is measured");
        assert!(0 < batch.hits && batch.hits < batch.poses, "{batch:?}");
        assert!(batch.submissions == 0 && batch.pairs_ns > 0.0 && batch.wide_ns > 0.0);
    }

    #[test]
    fn the_processor_has_one_form_and_stream_basic_tests_most() {
        let found = measured(Drawer::default(), &[Method::StreamBasic, Method::StreamShrink]);
        let queries = found.expect("they are measured").queries;
        let [basic, shrink] = &queries[..] else { panic!("{queries:?}") };
        assert_eq!([&basic.form, &shrink.form], ["processor"; 2]);
        assert!(basic.tests > 10.0 * shrink.tests && shrink.tests > 10.0, "{queries:?}");
        // All edges against all triangles, in both roles.
        let edges = 1.5 * basic.triangles as f64;
        assert_eq!(basic.tests, 2.0 * edges * basic.triangles as f64);
    }

    #[test]
    fn an_answer_from_elsewhere_is_an_error() {
        let software = Backend::Software("none".to_owned());
        assert!(answered_by("x", true, &Backend::Gpu("y".to_owned())).is_ok());
        assert!(answered_by("x", true, &software).is_err_and(|why| why.contains("none")));
        assert!(answered_by("x", true, &Backend::Cpu).is_err());
        assert!(answered_by("x", false, &software).is_err());
    }

    mod gpu {
        use super::*;

        #[test]
        #[ignore = "gpu: needs an adapter"]
        fn an_adapter_runs_all_forms_and_the_batch() {
            let software = std::env::var("IMPINGE_GPU").is_ok_and(|word| word == "software");
            let drawer = if software { Gpu::Software } else { Gpu::Required }.drawer();
            let methods = [Method::StreamBasic, Method::StreamShrink, Method::StreamPairs];
            let found = measured(drawer.expect("an adapter"), &methods).expect("measured");
            let adapter = found.adapter.expect("an adapter");
            assert!(adapter.peak_per_s > 1e7, "{adapter:?}");
            // The best adapter may be a software driver too.
            assert!(!adapter.name.is_empty(), "{adapter:?}");
            assert!(!software || !adapter.hardware, "{adapter:?}");
            let forms: Vec<&str> = found.queries.iter().map(|found| &*found.form).collect();
            assert_eq!(forms, ["processor", "compute", "raster"].repeat(2));
            let tests = |at: usize| found.queries[at].tests;
            assert!(tests(0) == tests(1) && tests(1) == tests(2), "{:?}", found.queries);
            assert!(found.batch.is_some_and(|batch| (1..40).contains(&batch.submissions)));
        }
    }
}
