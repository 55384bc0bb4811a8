//! How long a tree takes to build and to refit: `cargo run --release -p impinge-wide --example build
//! -- torus 1000000`. The least of five, for one thread and two.

use std::time::Instant;

use impinge_models::Shape;
use impinge_query::{Control, Engine, Model};
use impinge_wide::{Quality, WideParams, wide_with};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let shape: Shape = words.next().unwrap_or_else(|| "torus".to_owned()).parse()?;
    let mesh = shape.mesh(words.next().unwrap_or_else(|| "1000000".to_owned()).parse()?, 0);
    let n = mesh.triangles().len() as f64;
    println!("{shape:?}: {n} triangles");
    for quality in [Quality::SurfaceArea, Quality::Morton] {
        let engine = wide_with(WideParams { quality, ..WideParams::default() });
        for threads in [1, 2] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
            let (mut built, mut refitted, mut copied) =
                (f64::INFINITY, f64::INFINITY, f64::INFINITY);
            let mut said = String::new();
            for _ in 0..5 {
                let start = Instant::now();
                let mut model = pool.install(|| engine.prepare(&mesh, &Control::NONE))?;
                built = built.min(start.elapsed().as_secs_f64());
                let start = Instant::now();
                pool.install(|| engine.refit(&mut model, mesh.vertices(), &Control::NONE))?;
                refitted = refitted.min(start.elapsed().as_secs_f64());
                let bytes = vec![1u8; model.bytes()];
                let mut to = vec![0u8; model.bytes()];
                let start = Instant::now();
                to.copy_from_slice(std::hint::black_box(&bytes));
                copied = copied.min(start.elapsed().as_secs_f64());
                std::hint::black_box(to);
                said = format!(
                    "{:.1} bytes a triangle, {} nodes of {:.1} lanes, {:.2} triangles a leaf",
                    (model.bytes() - model.mesh_bytes()) as f64 / n,
                    model.nodes(),
                    (model.nodes() + model.leaves() - 1) as f64 / model.nodes() as f64,
                    n / model.leaves() as f64,
                );
            }
            println!(
                "{quality:?}, {threads} threads: built in {:.1} ms, refitted in {:.1} ms, copied in {:.1} ms; {said}",
                built * 1e3,
                refitted * 1e3,
                copied * 1e3
            );
        }
    }
    Ok(())
}
