//! How many times as fast a batch is on all threads as on one, in one process, and a parallel map by
//! rayon that collects every answer, for comparison:
//! `cargo run --release -p impinge-wide --example batch`.

use std::time::{Duration, Instant};

use impinge_geometry::{Pose, Vector};
use impinge_models::{Random, Shape};
use impinge_query::{Answer, Ask, Control, Engine};
use impinge_wide::wide;
use rayon::prelude::*;

const POSES: usize = 10_000;
/// On a busy machine the least time of many says most.
const ROUNDS: usize = 100;

fn main() {
    let (engine, mesh) = (wide(), Shape::Torus.mesh(10_000, 0));
    let model = engine.prepare(&mesh, &Control::NONE).expect("a torus");
    let pool = |n| rayon::ThreadPoolBuilder::new().num_threads(n).build().expect("threads");
    let all = std::thread::available_parallelism().map_or(2, usize::from);
    let (one, many) = (pool(1), pool(all));
    let random = |i: usize| Random::stream(1, i as u64).pose(0.5 * mesh.diagonal());
    let poses: Vec<Pose> = (0..POSES).map(random).collect();
    let far = Pose::translation_by(Vector::new(9.0, 0.0, 0.0)).expect("finite");
    let asks = [
        ("first contact", poses.clone(), Ask::first_contact()),
        ("all contacts, 1,000 poses", poses[..1_000].to_vec(), Ask::all_contacts()),
        ("distance, 300 poses", poses[..300].to_vec(), Ask::distance()),
        ("first contact, far apart", vec![far; POSES], Ask::first_contact()),
    ];
    println!("torus of 10,000 triangles, {POSES} poses; µs a pose, least of {ROUNDS}");
    let title =
        ["in order", "1 thread", "threads", "ratio", "map", "ratio"].map(|s| format!("{s:>9}"));
    println!("{:26}{}   {all} threads", "", title.concat());
    for (name, poses, ask) in asks {
        let (mut memory, mut answer) = (engine.memory(), Answer::default());
        let mut times = [const { Vec::new() }; 4];
        for _ in 0..ROUNDS {
            let start = Instant::now();
            for pose in &poses {
                let control = &Control::NONE;
                engine
                    .query(&model, &model, pose, &mut memory, &ask, control, &mut answer)
                    .expect("in range");
            }
            times[0].push(start.elapsed());
            for (pool, times) in [&one, &many].into_iter().zip(&mut times[1..3]) {
                let start = Instant::now();
                pool.install(|| {
                    let (memory, control) = (&mut engine.memory(), &Control::NONE);
                    engine.batch(&model, &model, &poses, memory, &ask, control, &mut |_, _| ())
                })
                .expect("in range");
                times.push(start.elapsed());
            }
            let start = Instant::now();
            let answers: Vec<Answer> = many.install(|| {
                let map = poses.par_iter().map_init(
                    || engine.memory(),
                    |memory, pose| {
                        let (mut answer, control) = (Answer::default(), &Control::NONE);
                        engine
                            .query(&model, &model, pose, memory, &ask, control, &mut answer)
                            .expect("in range");
                        answer
                    },
                );
                map.collect()
            });
            times[3].push(start.elapsed());
            drop(answers);
        }
        let [alone, one, many, map] = times.map(|times| {
            let least = times.iter().min().map_or(0.0, Duration::as_secs_f64);
            least * 1e6 / poses.len() as f64
        });
        let row = [alone, one, many, alone / many, map, alone / map].map(|x| format!("{x:9.2}"));
        println!("{name:26}{}", row.concat());
    }
}
