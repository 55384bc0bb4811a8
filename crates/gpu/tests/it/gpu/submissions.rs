//! Submissions: uploaded bytes come back unchanged, kernels run, and all work is counted.

use std::time::Duration;

use impinge_gpu::wgpu::{BufferUsages, TextureAspect};
use impinge_gpu::{Gpu, GpuError, Preference, Request};
use impinge_shaders::sentinel;

use super::{own, request, shared};

#[test]
#[ignore = "gpu: needs an adapter"]
fn the_preference_is_kept() {
    let gpu = shared();
    if request().preference == Preference::Software {
        assert!(gpu.facts().is_software(), "{}", gpu.facts());
    }
    let seen = Gpu::look(&request());
    assert!(seen.iter().any(|(facts, lacks)| facts == gpu.facts() && lacks.is_empty()));
    // A request for the other kind is refused where only one kind exists.
    let other = if gpu.facts().is_software() { Preference::Hardware } else { Preference::Software };
    match Gpu::open(&Request { preference: other, ..request() }) {
        Ok(second) => assert_ne!(second.facts().is_software(), gpu.facts().is_software()),
        Err(error) => assert!(error.to_string().contains("was asked for"), "{error}"),
    }
}

/// Beyond the 128 MiB that every adapter grants, if it can; other limits are those that were needed.
#[test]
#[ignore = "gpu: needs an adapter"]
fn buffers_may_be_as_large_as_the_adapter_allows() {
    let (device, facts) = (shared().device().limits(), &shared().facts().limits);
    assert_eq!(device.max_buffer_size, facts.max_buffer_size);
    assert_eq!(device.max_storage_buffer_binding_size, facts.max_storage_buffer_binding_size);
    let need = request().need.limits;
    assert_eq!(device.max_bind_groups, need.max_bind_groups);
    assert_eq!(device.max_texture_dimension_2d, need.max_texture_dimension_2d);
}

#[test]
#[ignore = "gpu: needs an adapter"]
fn bytes_come_back_as_they_were_sent_and_are_counted() {
    let gpu = own();
    let before = gpu.statistics();
    let lengths = [0, 1, 3, 4, 5, 255, 256, 257, 100_003];
    let made = |length: usize| (0..length).map(|k| (k * 7 + 1) as u8).collect::<Vec<u8>>();
    let mut submission = gpu.submission("a round trip").expect("the device is there");
    let slots = lengths.map(|length| {
        let buffer = gpu.upload("bytes", BufferUsages::COPY_SRC, &made(length)).expect("small");
        submission.read_buffer(&buffer, length as u64)
    });
    let ran = submission.run().expect("it runs");
    for (slot, length) in slots.into_iter().zip(lengths) {
        assert_eq!(ran.bytes(slot), made(length), "{length} bytes");
    }
    let after = gpu.statistics();
    let total: u64 = lengths.iter().sum::<usize>() as u64;
    assert_eq!(after.submissions - before.submissions, 1);
    assert_eq!(after.uploaded - before.uploaded, total);
    assert!(after.downloaded - before.downloaded >= total);
}

#[test]
#[ignore = "gpu: needs an adapter"]
fn a_kernel_computes_what_its_twin_computes() {
    let gpu = shared();
    let kernel = gpu.kernel(&sentinel::SHADER, sentinel::FINISH).expect("it compiles");
    for token in [1_u32, 77, u32::MAX] {
        let bytes = token.to_ne_bytes();
        let sent = gpu.upload("token", BufferUsages::UNIFORM, &bytes).expect("small");
        let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC;
        let mark = gpu.buffer("mark", usage, 4).expect("small");
        let mut submission = gpu.submission("a kernel").expect("the device is there");
        let resources = [sent.as_entire_binding(), mark.as_entire_binding()];
        submission.dispatch(&kernel, &resources, [1, 1, 1]).expect("they fit");
        let slot = submission.read_buffer(&mark, 4);
        let ran = submission.run().expect("it runs");
        let mut twin = 0;
        sentinel::finish(token, &mut twin);
        assert_eq!(ran.words(slot), [twin]);
    }
}

#[test]
#[ignore = "gpu: needs an adapter"]
fn time_is_kept_where_the_device_keeps_it() {
    use impinge_gpu::wgpu::Features;
    let gpu = shared();
    let mut submission = gpu.submission("some copies").expect("the device is there");
    let usage = BufferUsages::COPY_SRC | BufferUsages::COPY_DST;
    let [from, to] = ["from", "to"].map(|what| gpu.buffer(what, usage, 1 << 22).expect("4 MB"));
    submission.encoder().copy_buffer_to_buffer(&from, 0, &to, 0, 1 << 22);
    let ran = submission.run().expect("it runs");
    let needed = Features::TIMESTAMP_QUERY | Features::TIMESTAMP_QUERY_INSIDE_ENCODERS;
    assert_eq!(ran.time.is_some(), gpu.device().features().contains(needed));
    if let Some(time) = ran.time {
        assert!(time > Duration::ZERO && time < Duration::from_secs(30), "{time:?}");
    }
}

#[test]
#[ignore = "gpu: needs an adapter"]
fn threads_share_one_device() {
    let gpu = shared();
    std::thread::scope(|scope| {
        for thread in 0..4_u8 {
            scope.spawn(move || {
                for round in 0..10 {
                    let bytes = vec![thread * 10 + round; 1000];
                    let buffer = gpu.upload("bytes", BufferUsages::COPY_SRC, &bytes);
                    let buffer = buffer.expect("small");
                    let mut submission = gpu.submission("one of many").expect("it is there");
                    let slot = submission.read_buffer(&buffer, 1000);
                    assert_eq!(submission.run().expect("it runs").bytes(slot), bytes);
                }
            });
        }
    });
}

#[test]
#[ignore = "gpu: needs an adapter"]
fn an_image_without_texels_of_a_size_is_not_read() {
    use impinge_gpu::image::ImageTest;
    let gpu = shared();
    // A copy of both aspects of a depth-stencil image has no texel format.
    let format = gpu.depth_stencil_format().expect("the request asked for one");
    assert_eq!(format.block_copy_size(Some(TextureAspect::All)), None);
    assert!(ImageTest::new(gpu, 0, 4, 1).is_err_and(|e| matches!(e, GpuError::Atlas(_))));
}
