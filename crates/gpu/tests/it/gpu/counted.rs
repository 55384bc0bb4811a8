//! Indirect dispatches: the device runs as many invocations as the buffer counts, also over several
//! rows of workgroups.

use impinge_gpu::wgpu::BufferUsages;
use impinge_gpu::{CountedDispatch, GpuError};
use impinge_shaders::{dispatch, sentinel};

use super::shared;

#[test]
#[ignore = "gpu: needs an adapter"]
fn workgroups_are_what_the_twin_plans() {
    let gpu = shared();
    let plan = gpu.kernel(&dispatch::COUNTED, dispatch::PLAN).expect("it compiles");
    let mut submission = gpu.submission("plans").expect("the device is there");
    let mut expected = Vec::new();
    let mut slots = Vec::new();
    for size in [2_u32, 64, 256] {
        for count in [0, 1, size, size + 1, 65_535 * size, 65_535 * size + 1, u32::MAX] {
            let [given, size_of_group] =
                [(count, BufferUsages::STORAGE), (size, BufferUsages::UNIFORM)].map(
                    |(word, usage)| {
                        gpu.upload("a word", usage, &word.to_ne_bytes()).expect("small")
                    },
                );
            let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC;
            let groups = gpu.buffer("groups", usage, 12).expect("small");
            let resources = [&given, &size_of_group, &groups].map(|one| one.as_entire_binding());
            submission.dispatch(&plan, &resources, [1, 1, 1]).expect("they fit");
            slots.push(submission.read_buffer(&groups, 12));
            expected.push(dispatch::plan(count, size));
        }
    }
    let ran = submission.run().expect("it runs");
    for (slot, expected) in slots.into_iter().zip(expected) {
        assert_eq!(ran.words(slot), expected);
    }
}

/// The host knows the count here, but the calls that record the work do not.
#[test]
#[ignore = "gpu: needs an adapter"]
fn a_kernel_runs_as_often_as_is_counted() {
    let gpu = shared();
    let counted = CountedDispatch::new(gpu).expect("it compiles");
    let kernel = gpu.kernel(&dispatch::NUMBERS, dispatch::NUMBER_ALL).expect("it compiles");
    // The last count needs more than one row of workgroups of 64.
    for count in [0_u32, 1, 64, 65, 1000, 65_535 * 64 + 700] {
        let usage = BufferUsages::STORAGE;
        let given = gpu.upload("count", usage, &count.to_ne_bytes()).expect("small");
        let (room, usage) = (count + 100, BufferUsages::STORAGE | BufferUsages::COPY_SRC);
        let list = gpu.buffer("numbers", usage, 4 * u64::from(room)).expect("17 MB at most");
        let mut submission = gpu.submission("numbers").expect("the device is there");
        let resources = [&given, &list].map(|one| one.as_entire_binding());
        counted.record(&mut submission, &kernel, &resources, &given).expect("they fit");
        let slot = submission.read_buffer(&list, 4 * u64::from(room));
        let ran = submission.run().expect("it runs");
        let expected = (0..count).chain([0; 100]);
        assert!(ran.words(slot).into_iter().eq(expected), "{count}");
    }
}

#[test]
#[ignore = "gpu: needs an adapter"]
fn workgroups_of_one_invocation_are_refused() {
    let gpu = shared();
    let counted = CountedDispatch::new(gpu).expect("it compiles");
    let kernel = gpu.kernel(&sentinel::SHADER, sentinel::FINISH).expect("it compiles");
    let count = gpu.buffer("count", BufferUsages::STORAGE, 4).expect("small");
    let mut submission = gpu.submission("refused").expect("the device is there");
    let error = counted.record(&mut submission, &kernel, &[], &count).expect_err("too small");
    assert!(matches!(error, GpuError::Refused { .. }), "{error}");
}
