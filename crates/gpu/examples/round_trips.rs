//! Times what a submission costs beside its work.
//!
//! ```sh
//! cargo run --release -p impinge-gpu --example round_trips
//! ```
//!
//! Median and least time of a hundred, and the median on the device: of a buffer that is made, of one that is made
//! and filled, of a submission that reads all of it back, and of one that reads four words.

use std::time::{Duration, Instant};

use impinge_gpu::wgpu::BufferUsages;
use impinge_gpu::{Gpu, GpuError, Request};

const ROUNDS: usize = 100;

fn report(
    what: &str,
    mut work: impl FnMut() -> Result<Option<Duration>, GpuError>,
) -> Result<(), GpuError> {
    let (mut walls, mut devices) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let device = work()?;
        walls.push(start.elapsed());
        devices.extend(device);
    }
    walls.sort_unstable();
    devices.sort_unstable();
    let device = devices.get(devices.len() / 2);
    println!(
        "{what}: median {:?}, least {:?}, on the device {device:?}",
        walls[ROUNDS / 2],
        walls[0]
    );
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let gpu = Gpu::open(&Request::default().with_environment())?;
    println!("{}", gpu.facts());
    let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST;
    let few = gpu.buffer("a few words", usage, 16)?;
    for (name, bytes) in
        [("16 bytes", 16), ("64 KiB", 1 << 16), ("1 MiB", 1 << 20), ("48 MiB", 48 << 20)]
    {
        report(&format!("a buffer of {name}"), || gpu.buffer("room", usage, bytes).map(|_| None))?;
        let content = vec![1; bytes as usize];
        report("the same, filled", || gpu.upload("room", usage, &content).map(|_| None))?;
        report("the same, and a submission that reads all", || {
            let buffer = gpu.buffer("room", usage, bytes)?;
            let mut submission = gpu.submission("a read-back")?;
            let _ = submission.read_buffer(&buffer, bytes);
            submission.run().map(|ran| ran.time)
        })?;
    }
    report("a submission that reads 16 bytes", || {
        let mut submission = gpu.submission("a read-back")?;
        let _ = submission.read_buffer(&few, 16);
        submission.run().map(|ran| ran.time)
    })?;
    report("a submission that is recorded and dropped", || gpu.submission("none").map(|_| None))?;
    Ok(())
}
