//! Times how a model is prepared, stored, loaded, and viewed where it lies.
//!
//! ```sh
//! cargo run --release -p impinge-wide --example stored -- [TRIANGLES]
//! ```
//!
//! A torus of a million triangles without the option. Prints bytes, and of each step the least time of
//! several; on all threads.

use std::time::{Duration, Instant};

use impinge_models::Shape;
use impinge_wide::query::{Control, Engine};
use impinge_wide::{WideModel, wide};

/// Times of each step.
const TIMES: usize = 5;

fn timed<T>(what: &str, mut run: impl FnMut() -> T) -> T {
    let mut least = Duration::MAX;
    let mut once = || {
        let start = Instant::now();
        let result = run();
        least = least.min(start.elapsed());
        result
    };
    for _ in 1..TIMES {
        once();
    }
    let result = once();
    println!("{what:<12} {:10.3} ms", least.as_secs_f64() * 1e3);
    result
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let count = std::env::args().nth(1).map_or(Ok(1_000_000), |word| word.parse())?;
    let mesh = Shape::Torus.mesh(count, 0);
    println!("{} triangles", mesh.triangles().len());
    let model = timed("prepare", || wide().prepare(&mesh, &Control::NONE))?;
    let bytes = timed("to_bytes", || model.to_bytes());
    timed("from_bytes", || WideModel::from_bytes(&bytes, &Control::NONE))?;
    let image = timed("to_image", || model.to_image()).shared();
    timed("view", || WideModel::view(&image, &Control::NONE))?;
    let again = timed("view_again", || WideModel::view_again(&image))?;
    let length = image.as_ref().as_ref().len();
    println!("{} bytes stored, {length} bytes of image", bytes.len());
    assert!(again.mesh() == &mesh, "another mesh");
    Ok(())
}
