//! Decomposes shapes of growing size and prints time, patches and faces per patch:
//! `cargo run --release -p impinge-decompose --example measure [shape] [triangles] [whole]`.
//! With a third argument also the hierarchy, the strips, and the proofs. Times are processor time
//! where the system tells it (Linux), else of the clock.

use std::time::Instant;

use impinge_decompose::{Decomposition, Options, PatchTree, Strips};
use impinge_geometry::Mesh;
use impinge_models::Shape;
use impinge_threads::Control;

type Failure = Box<dyn std::error::Error>;

/// A stopwatch.
struct Timer {
    clock: Instant,
    processor: Option<f64>,
}

impl Timer {
    fn start() -> Self {
        Self { clock: Instant::now(), processor: processor_seconds() }
    }

    fn seconds(&self) -> f64 {
        let spent = self.processor.and_then(|then| Some(processor_seconds()? - then));
        spent.unwrap_or_else(|| self.clock.elapsed().as_secs_f64())
    }
}

/// What this thread has had so far; the first number of `schedstat` is in nanoseconds.
fn processor_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(text.split_whitespace().next()?.parse::<f64>().ok()? * 1e-9)
}

fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let shape: Shape = arguments.next().as_deref().unwrap_or("torus").parse()?;
    let sizes: Vec<usize> = match arguments.next() {
        Some(n) => vec![n.parse()?],
        None => vec![1_000, 3_000, 10_000, 30_000, 100_000],
    };
    let whole = arguments.next().is_some();
    for n in sizes {
        let mesh = shape.mesh(n, 1);
        let start = Timer::start();
        let d = Decomposition::new(&mesh, &Options::default(), &Control::NONE)?;
        let seconds = start.seconds();
        let largest = d.patches().iter().map(|p| p.faces().len()).max().unwrap_or(0);
        let flat = d.patches().iter().filter(|p| p.is_flat()).count();
        println!(
            "{shape:8} {:7} triangles {seconds:8.3} s, {:6.2} us each, {:6} patches ({flat} flat), largest {largest}",
            mesh.triangles().len(),
            seconds * 1e6 / mesh.triangles().len() as f64,
            d.patches().len(),
        );
        if whole {
            pieces(&mesh, &d)?;
        }
    }
    Ok(())
}

fn pieces(mesh: &Mesh, d: &Decomposition) -> Result<(), Failure> {
    let start = Timer::start();
    let tree = PatchTree::new(mesh, d, &Control::NONE)?;
    let built = start.seconds();
    let start = Timer::start();
    let strips: Vec<Strips> = tree.nodes().iter().map(|node| Strips::of(&node.hull)).collect();
    let encoded = start.seconds();
    println!(
        "         hierarchy {built:.3} s, {} nodes, depth {}",
        tree.nodes().len(),
        tree.depth()
    );
    let large: Vec<&Strips> = strips.iter().filter(|s| s.decode().len() > 50).collect();
    let count = large.len().max(1) as f64;
    println!(
        "         strips {encoded:.3} s, {} hulls of more than 50 triangles: mean length {:.1}, mean share {:.3}, worst {:.3}, above 0.45: {}",
        large.len(),
        large.iter().map(|s| s.mean_length()).sum::<f64>() / count,
        large.iter().map(|s| s.share()).sum::<f64>() / count,
        large.iter().map(|s| s.share()).fold(0.0, f64::max),
        large.iter().filter(|s| s.share() > 0.45).count(),
    );
    let start = Timer::start();
    tree.validate(mesh, d)?;
    println!("         hierarchy proved in {:.3} s", start.seconds());
    let start = Timer::start();
    let report = d.validate(mesh)?;
    println!("         {report:?} in {:.3} s", start.seconds());
    Ok(())
}
