//! The caller cancels while several threads work on a query.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use impinge_geometry::Pose;
use impinge_models::{Random, Shape};
use impinge_parallel::Pool;
use impinge_parallel::methods::{
    EdgeBoxParams, EdgeStealParams, SimpleParams, edge_steal_with, epcd_with, spcd_with,
};
use impinge_query::{Answer, Ask, Cancel, Contact, Control, Detector, QueryError};

fn engines() -> Vec<Box<dyn Detector>> {
    let pool = || Pool::of(3).expect("threads");
    vec![
        Box::new(edge_steal_with(EdgeStealParams {
            pool: pool(),
            slice: 32,
            ..Default::default()
        })),
        Box::new(epcd_with(EdgeBoxParams { pool: pool(), ..Default::default() })),
        Box::new(spcd_with(SimpleParams { pool: pool(), ..Default::default() })),
    ]
}

/// Another thread cancels 10,000 queries at random moments. Each ends, as an answer or as an error;
/// every answer is right; and nothing is left behind that would make the next one wrong.
#[test]
fn ten_thousand_queries_under_random_cancellation() {
    let mesh = Shape::Trefoil.mesh(400, 3);
    let poses: Vec<Pose> =
        (0..25).map(|i| Random::stream(11, i).pose(0.4 * mesh.diagonal())).collect();
    for (engine, queries) in engines().into_iter().zip([4_000, 3_000, 3_000]) {
        let model = engine.prepare(&mesh, &Control::NONE).expect("a legal mesh");
        let (mut memory, mut answer) = (engine.memory(), Answer::default());
        let mut ask = |pose: &Pose, control: &Control<'_>| -> Result<Vec<Contact>, QueryError> {
            let ask = Ask::all_contacts();
            engine.query(&model, &model, pose, &mut memory, &ask, control, &mut answer)?;
            Ok(answer.contacts.clone())
        };
        let start = std::time::Instant::now();
        let truth: Vec<Vec<Contact>> =
            poses.iter().map(|pose| ask(pose, &Control::NONE).expect("an answer")).collect();
        let each = start.elapsed().as_nanos() as u64 / poses.len() as u64;
        let (cancel, turn, over) = (Cancel::new(), AtomicU64::new(0), AtomicBool::new(false));
        let (mut cancelled, mut answered) = (0, 0);
        let mut held = None;
        std::thread::scope(|scope| {
            scope.spawn(|| cancel_at_random(&cancel, &turn, &over, each));
            for query in 0..queries {
                if query == queries / 4 {
                    held = resident();
                }
                cancel.reset();
                turn.fetch_add(1, Ordering::SeqCst);
                let pose = query % poses.len();
                match ask(&poses[pose], &Control::NONE.cancelled_by(&cancel)) {
                    Ok(contacts) => {
                        assert_eq!(contacts, truth[pose]);
                        answered += 1;
                    }
                    Err(QueryError::Cancelled(_)) => cancelled += 1,
                    Err(other) => panic!("{other}"),
                }
            }
            over.store(true, Ordering::SeqCst);
        });
        println!("{}: {cancelled} cancelled, {answered} answered", engine.describe().word);
        if let (Some(before), Some(after)) = (held, resident()) {
            let grown = after.saturating_sub(before);
            assert!(grown < 8 << 20, "{grown} bytes more after {} queries", 3 * queries / 4);
        }
        assert!(cancelled > 100 && answered > 100, "{cancelled} cancelled, {answered} answered");
        for (pose, truth) in poses.iter().zip(&truth) {
            assert_eq!(&ask(pose, &Control::NONE).expect("an answer"), truth);
        }
    }
}

/// Bytes of memory this process has, where the system tells.
fn resident() -> Option<u64> {
    let pages = std::fs::read_to_string("/proc/self/statm").ok()?;
    Some(4096 * pages.split(' ').nth(1)?.parse::<u64>().ok()?)
}

/// Raises the flag once a turn, after a random part of twice a query's time.
fn cancel_at_random(cancel: &Cancel, turn: &AtomicU64, over: &AtomicBool, each: u64) {
    let (mut random, mut seen) = (Random::new(9), 0);
    while !over.load(Ordering::SeqCst) {
        let now = turn.load(Ordering::SeqCst);
        if now == seen {
            std::thread::yield_now();
            continue;
        }
        seen = now;
        let wait = std::time::Duration::from_nanos(random.below(2 * each + 1));
        let start = std::time::Instant::now();
        while start.elapsed() < wait {
            std::hint::spin_loop();
        }
        cancel.cancel();
    }
}
