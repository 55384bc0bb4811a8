//! Opens and closes graphics devices, one after another, until the driver refuses.
//!
//! ```sh
//! cargo run --release -p impinge-gpu --example many_devices -- [shared|open|device|instance|hold] [N]
//! ```
//!
//! `shared`: by `Gpu::shared`; `open`: by `Gpu::open`; `device`: bare devices of one instance; `instance`: bare
//! instances, of which only the adapters are listed; `hold`: by `Gpu::open`, and all are kept. Prints when one
//! is refused, and why.

use std::time::Instant;

use impinge_gpu::wgpu::{self, Backends, Instance, InstanceDescriptor};
use impinge_gpu::{Gpu, Request};

/// Files, mappings and kilobytes of the process, where the system tells.
fn held() -> String {
    let files = std::fs::read_dir("/proc/self/fd").map_or(0, Iterator::count);
    let maps = std::fs::read_to_string("/proc/self/maps").map_or(0, |text| text.lines().count());
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let size = status.lines().find(|line| line.starts_with("VmRSS")).unwrap_or_default();
    format!("{files} files, {maps} mappings, {}", size.replace('\t', " "))
}

fn instance() -> Instance {
    let backends = Backends::VULKAN;
    Instance::new(InstanceDescriptor {
        backends,
        ..InstanceDescriptor::new_without_display_handle()
    })
}

fn adapters(instance: &Instance) -> Result<Vec<wgpu::Adapter>, String> {
    let all = pollster::block_on(instance.enumerate_adapters(Backends::VULKAN));
    if all.is_empty() { Err("no adapter".to_owned()) } else { Ok(all) }
}

fn main() {
    let mut words = std::env::args().skip(1);
    let how = words.next().unwrap_or_else(|| "open".to_owned());
    let many = words.next().and_then(|word| word.parse().ok()).unwrap_or(100);
    let (one, start) = (instance(), Instant::now());
    let mut kept = Vec::new();
    for round in 0..many {
        let request = Request::default().with_environment();
        let outcome = match how.as_str() {
            "shared" => Gpu::shared(&request).map(drop).map_err(|why| why.to_string()),
            "hold" => Gpu::open(&request).map(|gpu| kept.push(gpu)).map_err(|why| why.to_string()),
            "device" => adapters(&one).and_then(|all| {
                let opened =
                    pollster::block_on(all[0].request_device(&wgpu::DeviceDescriptor::default()));
                opened.map(drop).map_err(|why| why.to_string())
            }),
            "instance" => adapters(&instance()).map(drop),
            _ => Gpu::open(&request).map(drop).map_err(|why| why.to_string()),
        };
        if round % 16 == 0 || outcome.is_err() || round + 1 == many {
            println!("{how} {round}: {:?}, {}, {outcome:?}", start.elapsed(), held());
        }
        if outcome.is_err() {
            break;
        }
    }
}
