//! Times builds and refits.
//!
//! ```sh
//! cargo run --release -p impinge-wide --example builds
//! ```
//!
//! Tori of so many triangles, on one thread and on all; `RAYON_NUM_THREADS` says how many these are. Prints the least time of
//! ten rounds.

mod timing;

use std::error::Error;

use impinge_models::Shape;
use impinge_query::{Control, Engine};
use impinge_wide::wide;
use timing::timed;

fn main() -> Result<(), Box<dyn Error>> {
    let engine = wide();
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let all = rayon::ThreadPoolBuilder::new().build()?;
    for triangles in [100_000, 1_000_000] {
        let mesh = Shape::Torus.mesh(triangles, 0);
        for (threads, pool) in [("one thread", &one), ("all threads", &all)] {
            let (mut build, mut refit) = (f64::INFINITY, f64::INFINITY);
            for _ in 0..2 {
                let (time, built) =
                    timed(|| pool.install(|| engine.prepare(&mesh, &Control::NONE)));
                build = build.min(time.as_secs_f64());
                let mut model = built?;
                let mut again = || engine.refit(&mut model, mesh.vertices(), &Control::NONE);
                let (time, done) = timed(|| pool.install(&mut again));
                done?;
                refit = refit.min(time.as_secs_f64());
            }
            let [build, refit] = [build, refit].map(|seconds| seconds * 1e3);
            println!("{triangles} triangles, {threads}: build {build:.1} ms, refit {refit:.1} ms");
        }
    }
    Ok(())
}
