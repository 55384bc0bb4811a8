//! Times builds and queries with every instruction set that the processor has, and checks that their
//! answers are the same.
//!
//! ```sh
//! cargo run --release -p impinge-wide --example widths -- [TRIANGLES]
//! ```
//!
//! A torus of 20,000 triangles beside itself in 200 poses, without the option. Each time is the least of
//! several, for queries over the number of poses. In WebAssembly: `docs/wasm.md`.

mod timing;

use impinge_models::{Random, Shape};
use impinge_wide::query::{Answer, Ask, Control, Engine, QueryError};
use impinge_wide::{Wide, WideModel, WideParams, Width, geometry::Pose, wide_with};
use timing::timed;

const POSES: u32 = 200;
fn answers(
    engine: Wide,
    model: &WideModel,
    poses: &[Pose],
    ask: &Ask,
) -> Result<Vec<Answer>, QueryError> {
    poses.iter().map(|pose| engine.ask(model, model, pose, ask)).collect()
}

/// Of several pairs of triangles that are equally near, any may be reported.
fn same(wanted: &[Answer], found: &[Answer]) -> bool {
    let distance = |answer: &Answer| answer.nearest.map(|nearest| nearest.distance);
    wanted.iter().zip(found).all(|(wanted, found)| {
        wanted.verdict == found.verdict
            && wanted.contacts == found.contacts
            && distance(wanted) == distance(found)
    })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let count = std::env::args().nth(1).map_or(Ok(20_000), |word| word.parse())?;
    let mesh = Shape::Torus.mesh(count, 0);
    let mut random = Random::new(1);
    let poses: Vec<Pose> = (0..POSES).map(|_| random.pose(2.0)).collect();
    let asks = [Ask::first_contact(), Ask::all_contacts(), Ask::distance()];
    println!(
        "{} triangles\nwidth     build ms  first µs    all µs  distance µs",
        mesh.triangles().len()
    );
    let mut wanted: [Vec<Answer>; 3] = Default::default();
    for width in Width::ALL.into_iter().filter(|width| width.is_present()) {
        let engine = wide_with(WideParams { width: Some(width), ..WideParams::default() });
        let (built, model) = timed(|| engine.prepare(&mesh, &Control::NONE));
        let model = model?;
        print!("{width:<9} {:8.2}", built.as_secs_f64() * 1e3);
        for (ask, wanted) in asks.iter().zip(&mut wanted) {
            let (took, found) = timed(|| answers(engine, &model, &poses, ask));
            let found = found?;
            print!("  {:8.3}", took.as_secs_f64() * 1e6 / f64::from(POSES));
            if wanted.is_empty() {
                *wanted = found;
            } else if !same(wanted, &found) {
                return Err(format!("{width} answers {ask:?} otherwise").into());
            }
        }
        println!();
    }
    Ok(())
}
