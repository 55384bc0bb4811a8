//! How many times as fast a batch is on all threads as one query after the other, in one process, and a
//! parallel map by rayon that collects every answer, for comparison:
//! `cargo run --release -p impinge-wide --example batch`.
//!
//! Least times of many rounds: on a machine that does other things too, those say most.

use std::time::{Duration, Instant};

use impinge_geometry::{Pose, Vector};
use impinge_models::{Random, Shape};
use impinge_query::{Answer, Ask, Control, Engine};
use impinge_wide::{Wide, WideModel, wide};
use rayon::ThreadPool;
use rayon::prelude::*;

/// Of each row.
const TIME: Duration = Duration::from_secs(4);

/// A torus against itself.
struct Scene {
    engine: Wide,
    model: WideModel,
    poses: Vec<Pose>,
    ask: Ask,
}

impl Scene {
    fn in_order(&self) {
        let (mut memory, mut answer) = (self.engine.memory(), Answer::default());
        for pose in &self.poses {
            self.query(pose, &mut memory, &mut answer);
        }
    }

    fn batch(&self) {
        let Self { engine, model, poses, ask } = self;
        let (memory, control) = (&mut engine.memory(), &Control::NONE);
        engine.batch(model, model, poses, memory, ask, control, &mut |_, _| ()).expect("in range");
    }

    fn map(&self) -> Vec<Answer> {
        let each = |memory: &mut _, pose: &Pose| {
            let mut answer = Answer::default();
            self.query(pose, memory, &mut answer);
            answer
        };
        self.poses.par_iter().map_init(|| self.engine.memory(), each).collect()
    }

    fn query(&self, pose: &Pose, memory: &mut impinge_wide::Memory, answer: &mut Answer) {
        let Self { engine, model, ask, .. } = self;
        engine.query(model, model, pose, memory, ask, &Control::NONE, answer).expect("in range");
    }
}

/// Least times: in order, as a batch of one thread, of all, and as a map.
fn measure(scene: &Scene, one: &ThreadPool, all: &ThreadPool) -> [Duration; 4] {
    let (mut least, begin) = ([Duration::MAX; 4], Instant::now());
    while begin.elapsed() < TIME {
        let runs: [&(dyn Fn() + Sync); 4] = [
            &|| one.install(|| scene.in_order()),
            &|| one.install(|| scene.batch()),
            &|| all.install(|| scene.batch()),
            &|| drop(all.install(|| scene.map())),
        ];
        for (run, least) in runs.into_iter().zip(&mut least) {
            let start = Instant::now();
            run();
            *least = start.elapsed().min(*least);
        }
    }
    least
}

fn main() {
    let (engine, mesh) = (wide(), Shape::Torus.mesh(10_000, 0));
    let model = engine.prepare(&mesh, &Control::NONE).expect("a torus");
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    let pool = |n| rayon::ThreadPoolBuilder::new().num_threads(n).build().expect("threads");
    let (one, all) = (pool(1), pool(threads));
    let near = |i: usize| Random::stream(1, i as u64).pose(0.5 * mesh.diagonal());
    let far = |_| Pose::translation_by(Vector::new(9.0, 0.0, 0.0)).expect("finite");
    let poses = |n: usize, pose: &dyn Fn(usize) -> Pose| (0..n).map(pose).collect::<Vec<_>>();
    println!("a torus of 10,000 triangles against itself; {threads} threads; µs a pose");
    let title = ["in order", "one", "all", "ratio", "map", "ratio"];
    println!("{:31}{}", "", title.map(|title| format!("{title:>9}")).concat());
    for (name, poses, ask) in [
        ("first contact, 10,000 poses", poses(10_000, &near), Ask::first_contact()),
        ("first contact, 1,000 poses", poses(1_000, &near), Ask::first_contact()),
        ("all contacts, 100 poses", poses(100, &near), Ask::all_contacts()),
        ("distance, 100 poses", poses(100, &near), Ask::distance()),
        ("far apart, 10,000 poses", poses(10_000, &far), Ask::first_contact()),
    ] {
        let count = poses.len() as f64;
        let scene = Scene { engine, model: model.clone(), poses, ask };
        let times = measure(&scene, &one, &all).map(|least| least.as_secs_f64() * 1e6 / count);
        let [alone, batch, many, map] = times;
        let row = [alone, batch, many, alone / many, map, alone / map];
        println!("{name:31}{}", row.map(|x| format!("{x:9.2}")).concat());
    }
}
