//! Failures are errors, never panics or wrong answers.

use std::time::Duration;

use impinge_gpu::image::ImageTest;
use impinge_gpu::wgpu::{BufferDescriptor, BufferUsages, Features};
use impinge_gpu::{Gpu, GpuError, Need, OpenError, Request};
use impinge_shaders::sentinel;

use super::{own, request, shared};

/// A tiny submission that reads four zeros.
fn tiny(gpu: &Gpu) -> Result<Vec<u32>, GpuError> {
    let buffer = gpu.buffer("zeros", BufferUsages::COPY_SRC, 16)?;
    let mut submission = gpu.submission("a tiny submission")?;
    let slot = submission.read_buffer(&buffer, 16);
    submission.run().map(|ran| ran.words(slot))
}

fn is_lost<T>(outcome: Result<T, GpuError>) -> bool {
    outcome.is_err_and(|error| matches!(error, GpuError::Lost { .. }))
}

#[test]
#[ignore = "gpu: needs an adapter"]
fn a_lost_device_is_an_error_from_then_on() {
    let gpu = own();
    assert_eq!(tiny(&gpu), Ok(vec![0; 4]));
    let test = ImageTest::new(&gpu, 8, 8, 4).expect("a small atlas");
    gpu.device().destroy();
    for _ in 0..2 {
        assert!(is_lost(tiny(&gpu)));
    }
    let hulls = super::scenes::Hull::octahedron();
    assert!(is_lost(test.upload(&hulls.borrowed())));
}

#[test]
#[ignore = "gpu: needs an adapter"]
fn a_shared_device_is_opened_once_and_anew_after_it_was_lost() {
    // No other test asks for these.
    let [one, other] =
        [50, 51].map(|limit| Request { timeout: Duration::from_secs(limit), ..request() });
    let shared = |request| Gpu::shared(request).expect("there is an adapter");
    let (first, second) = (shared(&one), shared(&one));
    let before = first.statistics().submissions;
    assert_eq!(tiny(&second), Ok(vec![0; 4]));
    assert_eq!(first.statistics().submissions, before + 1, "it is the same");
    assert_eq!(shared(&other).statistics().submissions, before, "it is another");
    first.device().destroy();
    assert!(is_lost(tiny(&second)));
    let third = shared(&one);
    assert_eq!(third.statistics().submissions, before);
    assert_eq!(tiny(&third), Ok(vec![0; 4]));
    assert_eq!(tiny(&shared(&other)), Ok(vec![0; 4]));
}

#[test]
#[ignore = "gpu: needs an adapter"]
fn a_device_lost_while_work_is_recorded_is_an_error() {
    let gpu = own();
    let buffer = gpu.buffer("zeros", BufferUsages::COPY_SRC, 16).expect("small");
    let mut submission = gpu.submission("work that is lost").expect("the device is there");
    submission.read_buffer(&buffer, 16);
    gpu.device().destroy();
    assert!(is_lost(submission.run()));
}

#[test]
#[ignore = "gpu: needs an adapter"]
fn refused_commands_are_an_error_and_the_next_submission_runs() {
    let gpu = own();
    let small = gpu.buffer("small", BufferUsages::COPY_SRC, 16).expect("small");
    for _ in 0..3 {
        let mut submission = gpu.submission("a copy that goes too far").expect("it is there");
        let slot = submission.read_buffer(&small, 4096);
        let error = submission.run().map(|ran| ran.words(slot)).expect_err("16 bytes only");
        assert!(matches!(error, GpuError::Refused { .. }), "{error}");
        assert!(error.to_string().contains("a copy that goes too far"), "{error}");
        assert_eq!(tiny(&gpu), Ok(vec![0; 4]));
    }
}

#[test]
#[ignore = "gpu: needs an adapter"]
fn wrong_resources_are_refused_with_the_kernels_name() {
    let gpu = shared();
    let kernel = gpu.kernel(&sentinel::SHADER, sentinel::FINISH).expect("it compiles");
    let usage = BufferUsages::STORAGE;
    let buffer = gpu.buffer("no uniform", usage, 4).expect("small");
    let mut submission = gpu.submission("wrong resources").expect("it is there");
    let both = [buffer.as_entire_binding(), buffer.as_entire_binding()];
    for resources in [&both[..], &both[..1], &[]] {
        let error = submission.dispatch(&kernel, resources, [1, 1, 1]).expect_err("wrong");
        assert!(matches!(error, GpuError::Refused { .. }), "{error}");
        assert!(error.to_string().contains(sentinel::FINISH), "{error}");
    }
    assert!(gpu.kernel(&sentinel::SHADER, "no such entry").is_err());
}

#[test]
#[ignore = "gpu: needs an adapter"]
fn a_failure_outside_any_call_is_told_by_the_next_one() {
    let gpu = own();
    let (size, mapped_at_creation) = (u64::MAX / 8 * 4, false);
    let usage = BufferUsages::STORAGE;
    let descriptor = BufferDescriptor { label: None, size, usage, mapped_at_creation };
    let _ = gpu.device().create_buffer(&descriptor);
    let error = tiny(&gpu).expect_err("the buffer was refused");
    assert!(error.to_string().contains("outside any submission"), "{error}");
    assert_eq!(tiny(&gpu), Ok(vec![0; 4]));
}

#[test]
#[ignore = "gpu: needs an adapter"]
fn too_large_buffers_are_refused_before_the_driver_sees_them() {
    let gpu = shared();
    for bytes in [u64::MAX, u64::MAX - 7, 1 << 40] {
        let error = gpu.buffer("a huge one", BufferUsages::STORAGE, bytes).expect_err("too large");
        assert!(matches!(error, GpuError::TooLarge { .. }), "{error}");
    }
    assert!(ImageTest::new(gpu, 1 << 20, 8, 1).is_err());
}

#[test]
#[ignore = "gpu: needs an adapter"]
fn time_that_runs_out_is_an_error() {
    // The first kernel takes longer than the zero timeout, but may have ended before anybody waits.
    let request = Request { timeout: Duration::ZERO, ..request() };
    let errors: Vec<String> =
        (0..20).filter_map(|_| Gpu::open(&request).err()).map(|e| e.to_string()).collect();
    assert!(!errors.is_empty(), "20 times it ended before anybody waited");
    assert!(errors.iter().all(|error| error.contains("did not end within 0ns")), "{errors:?}");
}

#[test]
#[ignore = "gpu: needs an adapter"]
fn a_need_that_is_not_met_is_said() {
    let all = Features::all_webgpu_mask() | Features::all_native_mask();
    let need = Need { features: all, ..Need::image() };
    let error = Gpu::open(&Request { need, ..request() }).expect_err("nothing can do all");
    let OpenError::NoneFits { seen } = &error else { panic!("{error}") };
    assert!(seen.iter().all(|refused| refused.lacks.iter().any(|l| l.contains("it has no"))));
}

#[test]
#[ignore = "gpu: needs an adapter"]
fn an_adapter_without_a_stencil_format_cannot_make_an_image_test() {
    // For compute alone, the feature of 32-bit depth with stencil is off. The other format needs no
    // feature, so the image test still works.
    let need = Need { wanted: Features::empty(), ..Need::default() };
    let gpu = Gpu::open(&Request { need: need.clone(), ..request() }).expect("it computes");
    assert!(!gpu.device().features().contains(Features::DEPTH32FLOAT_STENCIL8));
    let made = ImageTest::new(&gpu, 8, 8, 4);
    assert_eq!(made.is_ok(), gpu.depth_stencil_format().is_some());

    let none = Need { formats: Vec::new(), ..need };
    let gpu = Gpu::open(&Request { need: none, ..request() }).expect("it computes");
    assert_eq!(gpu.depth_stencil_format(), None);
    let error = ImageTest::new(&gpu, 8, 8, 4).expect_err("there is nothing to draw into");
    assert!(matches!(error, GpuError::Refused { .. }), "{error}");
    assert_eq!(tiny(&gpu), Ok(vec![0; 4]));
}
