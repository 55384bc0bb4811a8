//! The same answers for every number of threads, wherever the query is asked from.

use std::time::{Duration, Instant};

use impinge_geometry::{Mesh, Pose};
use impinge_hierarchy::obbtree;
use impinge_models::{Random, Shape};
use impinge_parallel::methods::{
    EdgeBoxParams, EdgeStealParams, SimpleParams, edge_steal_with, epcd_with, escd_with, spcd_with,
    sstcd,
};
use impinge_parallel::{Balanced, Passed, Pool};
use impinge_query::{Answer, Ask, Backend, Contact, Control, Detector, Verdict};
use rayon::prelude::*;

/// Every method that uses threads, on this pool.
fn engines(pool: &Pool) -> Vec<(&'static str, Box<dyn Detector>)> {
    let pool = || pool.clone();
    let edges = |passed| EdgeBoxParams { passed, pool: pool(), ..Default::default() };
    let steal = |slice| EdgeStealParams { slice, pool: pool(), ..Default::default() };
    let builder = Balanced { shrink: false, ..Balanced::default() };
    let boxes = SimpleParams { builder, bounds_first: false, pool: pool(), ..Default::default() };
    vec![
        ("spcd", Box::new(spcd_with(SimpleParams { pool: pool(), ..Default::default() }))),
        ("epcd", Box::new(epcd_with(edges(Passed::All)))),
        ("epcd, surviving", Box::new(epcd_with(edges(Passed::Surviving)))),
        ("epcd, all at leaves", Box::new(epcd_with(edges(Passed::AllAtLeaves)))),
        ("spcd, the thesis's boxes", Box::new(spcd_with(boxes))),
        ("edge-steal", Box::new(edge_steal_with(steal(256)))),
        ("edge-steal, short slices", Box::new(edge_steal_with(steal(16)))),
    ]
}

fn trefoil() -> Mesh {
    Shape::Trefoil.mesh(800, 3)
}

fn poses(n: u64) -> Vec<Pose> {
    let reach = 0.5 * trefoil().diagonal();
    (0..n).map(|i| Random::stream(11, i).pose(reach)).collect()
}

type Asked = (Verdict, Vec<Contact>, u64);

fn ask(detector: &dyn Detector, poses: &[Pose], asked: &Ask) -> Vec<Asked> {
    ask_about(&trefoil(), detector, poses, asked)
}

fn ask_about(mesh: &Mesh, detector: &dyn Detector, poses: &[Pose], ask: &Ask) -> Vec<Asked> {
    let model = detector.prepare(mesh, &Control::NONE).expect("a legal mesh");
    let (mut memory, mut answer) = (detector.memory(), Answer::default());
    let one = |pose: &Pose| {
        detector
            .query(&model, &model, pose, &mut memory, ask, &Control::NONE, &mut answer)
            .expect("an answer");
        (answer.verdict, answer.contacts.clone(), answer.contacts_found)
    };
    poses.iter().map(one).collect()
}

#[test]
fn every_number_of_threads_gives_the_same_contacts() {
    let poses = poses(40);
    let all = Ask::all_contacts();
    let truth = ask(&sstcd(), &poses, &all);
    let hits = truth.iter().filter(|(verdict, ..)| verdict.is_hit()).count();
    assert!((12..=28).contains(&hits), "{hits} of 40 hit: lopsided");
    for threads in [1, 2, 3, 8] {
        let pool = Pool::of(threads).expect("threads");
        for (name, engine) in engines(&pool) {
            for cap in [None, Some(7)] {
                let asked = Ask { cap, ..all };
                for (got, truth) in ask(engine.as_ref(), &poses, &asked).iter().zip(&truth) {
                    let kept = cap.unwrap_or(usize::MAX).min(truth.1.len());
                    assert_eq!(got.1, truth.1[..kept], "{name} on {threads} threads");
                    assert_eq!((got.0, got.2), (truth.0, truth.2), "{name} on {threads} threads");
                }
            }
            for (got, truth) in
                ask(engine.as_ref(), &poses, &Ask::first_contact()).iter().zip(&truth)
            {
                assert_eq!(got.0, truth.0, "{name} on {threads} threads, first contact");
                assert!(got.1.iter().all(|contact| truth.1.contains(contact)));
            }
        }
    }
}

/// Queries from inside a parallel loop, whose pool may have one thread: they share it, and nobody
/// waits for a thread that will never be free.
#[test]
fn queries_inside_a_callers_pool_do_not_deadlock() {
    let poses = poses(60);
    let truth = ask(&escd_with(EdgeBoxParams::default()), &poses, &Ask::all_contacts());
    for threads in [1, 2, 4] {
        let callers =
            rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        for pool in [Pool::Ambient, Pool::of(2).expect("threads"), Pool::Caller] {
            for (name, engine) in engines(&pool) {
                let engine = engine.as_ref();
                let answers: Vec<Asked> = callers.install(|| {
                    let chunks = poses.par_chunks(3);
                    chunks.flat_map_iter(|poses| ask(engine, poses, &Ask::all_contacts())).collect()
                });
                assert!(answers == truth, "{name} inside a pool of {threads}, on {pool:?}");
            }
        }
    }
}

/// Work is in fact spread, and the statistics say how. On a busy machine a second thread may wake when the
/// first has done it all: it is asked again, for long.
#[test]
fn tasks_are_counted_by_thread() {
    let mesh = Shape::Trefoil.mesh(16_000, 3);
    let pose = Random::stream(5, 1).pose(0.2 * mesh.diagonal());
    let pool = Pool::of(2).expect("threads");
    for (name, engine) in engines(&pool) {
        let model = engine.prepare(&mesh, &Control::NONE).expect("a legal mesh");
        let (mut memory, mut answer) = (engine.memory(), Answer::default());
        let (mut both, asked) = (false, Ask::all_contacts().counted());
        let since = Instant::now();
        while !both && since.elapsed() < Duration::from_secs(60) {
            engine
                .query(&model, &model, &pose, &mut memory, &asked, &Control::NONE, &mut answer)
                .expect("an answer");
            let statistics = answer.statistics.as_ref().expect("counted");
            let spread = statistics.spread.as_ref().expect("a parallel method");
            assert_eq!((spread.threads, spread.shares.len()), (2, 3), "{name}");
            assert!((0.0..=1.0).contains(&spread.idle()), "{name}");
            assert!(spread.tasks() > 2, "{name}: one task");
            let working = spread.shares.iter().filter(|share| share.tasks > 0).count();
            both = working >= 2;
        }
        assert!(both, "{name}: one thread did it all");
    }
}

/// The calling thread alone: one share, and its tasks take more than a microsecond.
#[test]
fn one_thread_has_one_share() {
    let model = trefoil();
    for (name, engine) in engines(&Pool::Caller) {
        let model = engine.prepare(&model, &Control::NONE).expect("a legal mesh");
        let (mut memory, mut answer) = (engine.memory(), Answer::default());
        let (asked, none) = (Ask::all_contacts().counted(), &Control::NONE);
        engine
            .query(&model, &model, &Pose::identity(), &mut memory, &asked, none, &mut answer)
            .expect("an answer");
        let statistics = answer.statistics.as_ref().expect("counted");
        let spread = statistics.spread.as_ref().expect("a parallel method");
        assert_eq!((spread.threads, spread.shares.len()), (1, 1), "{name}");
        let busy = spread.shares[0].busy_nanoseconds;
        assert!(spread.tasks() > 0 && busy > 1_000, "{name}: {spread:?}");
        assert!(busy <= spread.nanoseconds, "{name}: {spread:?}");
        assert_eq!(answer.backend, Backend::Cpu, "{name}");
    }
}

/// Needles whose sizes double from one to the next: a mean split takes them off one by one, and the
/// task tree is as deep as the mesh is large. Threads with small stacks must do.
#[test]
fn deep_task_trees_need_no_deep_stacks() {
    let n = 900;
    let needle = |i: u32| {
        let at = 2_f64.powi(i as i32 - 450);
        [[at, 0.0, 0.0], [1.5 * at, 0.1 * at, 0.0], [1.5 * at, 0.0, 0.1 * at]].map(Into::into)
    };
    let vertices = (0..n).flat_map(needle).collect();
    let triangles = (0..n).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    let mesh = Mesh::new(vertices, triangles).expect("a mesh");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).stack_size(64 << 10).build();
    let pool = Pool::Own(std::sync::Arc::new(pool.expect("threads")));
    let engine = edge_steal_with(EdgeStealParams { patch: 2, slice: 1, pool });
    let here = [Pose::identity()];
    let all = Ask::all_contacts();
    let found = ask_about(&mesh, &engine, &here, &all);
    assert!(found[0].2 >= u64::from(n), "each needle meets itself");
    assert_eq!(found, ask_about(&mesh, &obbtree(), &here, &all));
}
