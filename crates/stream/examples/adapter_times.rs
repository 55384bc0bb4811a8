//! Times queries on the adapter, stage by stage.
//!
//! ```sh
//! cargo run --release -p impinge-stream --features wgpu --example adapter_times -- [TRIANGLES]
//! ```
//!
//! Two tori of so many triangles (20,000), apart, each method in both forms on an adapter: median over twenty
//! queries of the time and of its stages, submissions, and bytes sent and read a query.

use std::time::Instant;

use impinge_geometry::{Pose, Vector};
use impinge_gpu::{Gpu, Request};
use impinge_models::Shape;
use impinge_query::{Answer, Ask, Control, Detector};
use impinge_stream::{Form, Params, stream_basic_with, stream_shrink_with, stream_tree_with};

const ROUNDS: usize = 20;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let triangles = std::env::args().nth(1).map_or(Ok(20_000), |word| word.parse())?;
    let gpu = Gpu::open(&Request::default().with_environment())?;
    println!("{}", gpu.facts());
    let mesh = Shape::Torus.mesh(triangles, 0);
    let pose = Pose::translation_by(Vector::new(0.05, 0.03, 0.4 * mesh.diagonal()))?;
    for form in [Form::Compute, Form::Raster] {
        let params = Params { form, ..Params::default() };
        let engines: [(&str, Box<dyn Detector>); 3] = [
            ("stream-basic", Box::new(stream_basic_with(params).on(Ok(gpu.clone())))),
            ("stream-tree", Box::new(stream_tree_with(params).on(Ok(gpu.clone())))),
            ("stream-shrink", Box::new(stream_shrink_with(params).on(Ok(gpu.clone())))),
        ];
        for (word, engine) in engines {
            let model = engine.prepare(&mesh, &Control::NONE)?;
            let (mut memory, mut answer) = (engine.memory(), Answer::default());
            let ask = Ask::first_contact().counted();
            let (mut times, mut before) = (Vec::new(), gpu.statistics());
            for round in 0..=ROUNDS {
                let start = Instant::now();
                engine.query(
                    &model,
                    &model,
                    &pose,
                    &mut memory,
                    &ask,
                    &Control::NONE,
                    &mut answer,
                )?;
                if round == 0 {
                    before = gpu.statistics();
                } else {
                    times.push(start.elapsed());
                }
            }
            times.sort_unstable();
            let now = gpu.statistics();
            let each = |now: u64, before: u64| (now - before) / ROUNDS as u64;
            println!(
                "{word}, {form:?}: {:?}, first {:?}; {} submissions, {} bytes sent, {} read; {:?}, {:?}",
                times[ROUNDS / 2],
                times[0],
                each(now.submissions, before.submissions),
                each(now.uploaded, before.uploaded),
                each(now.downloaded, before.downloaded),
                answer.verdict,
                answer.statistics.as_ref().map(|counted| &counted.stages),
            );
        }
    }
    Ok(())
}
