//! Times how a model is prepared, stored, loaded, and viewed where it lies.
//!
//! ```sh
//! cargo run --release -p impinge-wide --example stored -- [TRIANGLES]
//! ```
//!
//! A torus of a million triangles without the option. Prints bytes, and of each step the least time of
//! several; on all threads.

mod timing;

use impinge_models::Shape;
use impinge_wide::query::{Control, Engine};
use impinge_wide::{WideModel, wide};

fn told<T>(what: &str, run: impl FnMut() -> T) -> T {
    let (least, result) = timing::timed(run);
    println!("{what:<12} {:10.3} ms", least.as_secs_f64() * 1e3);
    result
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let count = std::env::args().nth(1).map_or(Ok(1_000_000), |word| word.parse())?;
    let mesh = Shape::Torus.mesh(count, 0);
    println!("{} triangles", mesh.triangles().len());
    let model = told("prepare", || wide().prepare(&mesh, &Control::NONE))?;
    let bytes = told("to_bytes", || model.to_bytes());
    told("from_bytes", || WideModel::from_bytes(&bytes, &Control::NONE))?;
    let image = told("to_image", || model.to_image()).shared();
    told("view", || WideModel::view(&image, &Control::NONE))?;
    let again = told("view_again", || WideModel::view_again(&image))?;
    let length = image.as_ref().as_ref().len();
    println!("{} bytes stored, {length} bytes of image", bytes.len());
    assert!(again.mesh() == &mesh, "another mesh");
    Ok(())
}
