//! Tests that need an adapter are in `gpu`, ignored with a reason; `cargo xtask test --gpu` runs
//! them. This file tests what needs none.

use impinge_gpu::wgpu::Backends;
use impinge_gpu::{Gpu, OpenError, Request};

#[test]
fn an_absent_adapter_is_an_error_that_says_what_was_asked() {
    let request = Request { backends: Backends::empty(), ..Request::default() };
    let error = Gpu::open(&request).expect_err("no interface was asked");
    assert!(matches!(error, OpenError::NoneSeen { .. }));
    assert!(error.to_string().contains("no graphics adapter was found"), "{error}");
    assert!(Gpu::look(&request).is_empty());
}

#[test]
fn an_adapter_of_another_name_is_not_taken() {
    // With a driver installed, its adapter is seen and refused; without one, none is seen.
    let name = "no adapter has this name";
    let request = Request { name: Some(name.to_owned()), ..Request::default() };
    match Gpu::open(&request).expect_err("nothing has that name") {
        OpenError::NoneFits { seen } => {
            assert!(!seen.is_empty());
            for refused in seen {
                let said = refused.lacks.join("\n");
                assert!(said.contains(name), "{}: {said}", refused.adapter);
            }
        }
        other => assert!(matches!(other, OpenError::NoneSeen { .. }), "{other}"),
    }
}

#[test]
fn a_gpu_and_its_image_test_can_be_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Gpu>();
    shared::<impinge_gpu::image::ImageTest>();
    shared::<impinge_gpu::image::HullBuffers>();
}
