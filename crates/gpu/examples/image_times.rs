//! Times the image test of 1024 pairs of balls in viewports of 64 x 64 texels, on the best adapter
//! there is and by the twin on one thread: `cargo run --release -p impinge-gpu --example image_times`.

use std::time::Instant;

use impinge_gpu::image::ImageTest;
use impinge_gpu::{Gpu, Request};
use impinge_shaders::image::{Atlas, Hulls, PairDraw, Placed, raster, strip, word};

const PAIRS: u32 = 1024;
const SIDE: u32 = 64;
const RINGS: u32 = 12;
const AROUND: u32 = 24;

/// A unit ball: each band between two rings is a strip.
fn ball() -> Result<(Vec<[f32; 3]>, Vec<u32>), strip::StripError> {
    let turn = |part: u32, of: u32| (std::f32::consts::TAU * part as f32 / of as f32).sin_cos();
    let point = |v: u32| {
        let ((sin, cos), (y, x)) = (turn(v / AROUND, 2 * RINGS), turn(v % AROUND, AROUND));
        [sin * x, sin * y, cos]
    };
    let band = |ring: u32| -> Vec<u32> {
        (0..=AROUND).flat_map(|k| [ring, ring + 1].map(|r| r * AROUND + k % AROUND)).collect()
    };
    let bands: Vec<Vec<u32>> = (0..RINGS).map(band).collect();
    let vertices = (0..(RINGS + 1) * AROUND).map(point).collect();
    Ok((vertices, strip::encode(bands.iter().map(Vec::as_slice))?))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (vertices, entries) = ball()?;
    let hulls = Hulls::new(&vertices, &entries)?;
    let at = |x: f32, z: f32| {
        let rows = [[0.5, 0.0, 0.0, x], [0.0, 0.5, 0.0, 0.0], [0.0, 0.0, -0.2, z]];
        Placed::new(rows, 0, entries.len() as u32)
    };
    let pair = |k: u32| {
        let step = k as f32 / PAIRS as f32;
        PairDraw { first: at(-0.3, 0.5), second: at(0.3, 0.2 + 0.6 * step) }
    };
    let pairs: Vec<PairDraw> = (0..PAIRS).map(pair).collect();
    let gpu = Gpu::open(&Request::default().with_environment())?;
    println!("{}", gpu.facts());
    let test = ImageTest::new(&gpu, SIDE, SIDE, PAIRS)?;
    let buffers = test.upload(&hulls)?;
    for _ in 0..5 {
        let start = Instant::now();
        let answer = test.run(&buffers, &pairs)?;
        let overlaps = answer.classes.iter().filter(|class| class.overlap.is_some()).count();
        let (wall, submissions) = (start.elapsed(), answer.submissions);
        println!(
            "{overlaps} overlaps, {submissions} submissions: {wall:.1?}, on the device {:.1?}",
            answer.time.unwrap_or_default()
        );
    }
    let atlas = Atlas::fitting(SIDE, SIDE, PAIRS, 8192)?;
    let start = Instant::now();
    let words = word::classify(&atlas, &raster::draw(&atlas, &hulls, &pairs)?);
    let overlaps = words.iter().filter(|&word| word & word::OVERLAP != 0).count();
    println!("{overlaps} overlaps by the twin: {:.1?}", start.elapsed());
    Ok(())
}
