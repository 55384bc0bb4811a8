//! The tests that need an adapter. `IMPINGE_GPU=software` keeps them to software.

mod counted;
mod drawings;
mod failures;
mod image;
mod layers;
mod scenes;
mod submissions;

use std::sync::OnceLock;

use impinge_gpu::{Gpu, Preference, Request};

/// The request for an adapter that all tests use.
fn request() -> Request {
    let software = std::env::var("IMPINGE_GPU").is_ok_and(|word| word == "software");
    let preference = if software { Preference::Software } else { Preference::Any };
    Request { preference, ..Request::default().with_environment() }
}

/// A separate device, for tests that break it.
fn own() -> Gpu {
    Gpu::open(&request()).unwrap_or_else(|error| panic!("{error}"))
}

/// The device that all other tests share.
fn shared() -> &'static Gpu {
    static GPU: OnceLock<Gpu> = OnceLock::new();
    GPU.get_or_init(|| {
        let gpu = own();
        println!("{}, {:?}", gpu.facts(), gpu.depth_stencil_format());
        gpu
    })
}
