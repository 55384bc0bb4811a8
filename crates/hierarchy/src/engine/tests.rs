//! The work between two polls of the caller's flag is bounded, for every method and question.

use std::sync::atomic::{AtomicU64, Ordering};

use impinge_geometry::{Mesh, Point, Pose};
use impinge_query::{
    Answer, Ask, Cancel, Control, Counter, Engine, Pictures, Query, QueryError, Spread, Statistics,
    driver,
};

use super::TreeEngine;
use crate::build::Builder;
use crate::leaf::LeafTest;
use crate::methods as by;
use crate::model::TreeModel;
use crate::traverse::Traversal;

/// Raises the flag at a given count, and continues to count.
struct Fuse<'f> {
    cancel: &'f Cancel,
    after: u64,
    counted: &'f AtomicU64,
}

impl Fuse<'_> {
    fn add(&self, n: u64) {
        if self.counted.fetch_add(n, Ordering::Relaxed) + n >= self.after {
            self.cancel.cancel();
        }
    }
}

impl Counter for Fuse<'_> {
    fn counts(&self) -> bool {
        true
    }
    fn fork(&self) -> Self {
        Self { ..*self }
    }
    fn merge(&mut self, _: Self) {}
    fn spread(&mut self, _: impl FnOnce() -> Spread) {}
    fn volumes(&mut self, n: u64) {
        self.add(n);
    }
    fn primitives(&mut self, n: u64) {
        self.add(n);
    }
    fn updated(&mut self, _: u64) {}
    fn exact(&mut self, _: u64) {}
    fn submitted(&mut self, _: u64) {}
    fn drawn(&mut self, _: Pictures) {}
    fn stage<R>(&mut self, _: &'static str, work: impl FnOnce(&mut Self) -> R) -> R {
        work(self)
    }
    fn finish(self) -> Option<Statistics> {
        None
    }
}

/// Most tests after the flag is raised: opened pairs or pairs of triangles, each up to four boxes,
/// in the traversal and again within a pair of leaves.
const MOST: u64 = 2 * 4 * crate::traverse::CHECK_EVERY as u64;

/// Triangles, each shifted by `step` from the one before.
fn pile(corners: [[f64; 2]; 3], step: f64) -> Mesh {
    let n = 800;
    let at = |k: u32| corners.map(|[x, y]| Point::new(x + f64::from(k) * step, y, 0.0));
    let triangles = (0..n).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
    Mesh::new((0..n).flat_map(at).collect(), triangles).expect("indices are in range")
}

/// Copies of a triangle that fills half of its box, and of one in the other half: most boxes meet,
/// and no triangles do.
fn piles(step: f64) -> [Mesh; 2] {
    let a = [[0.0, 0.0], [3.0, 0.0], [0.0, 1.0]];
    [pile(a, step), pile([[1.4, 0.6], [1.6, 0.5], [1.5, 0.7]], step)]
}

/// Cancels a query after some work, and returns how much more was done. `long` counts the queries
/// that were not finished by then.
fn more<B: Builder, T: Traversal, L: LeafTest>(
    engine: &TreeEngine<B, T, L>,
    [a, b]: [&TreeModel<B::Volume>; 2],
    ask: &Ask,
    after: u64,
    long: &mut u32,
) -> u64 {
    let (cancel, counted) = (Cancel::new(), AtomicU64::new(0));
    let control = &Control::NONE.cancelled_by(&cancel);
    let query = Query { a, b, pose: &Pose::identity(), ask, control };
    let fuse = Fuse { cancel: &cancel, after, counted: &counted };
    let (mut memory, mut answer) = (engine.memory(), Answer::default());
    let ended = driver::answer(engine, &query, fuse, &mut memory, &mut answer);
    match ended {
        Err(QueryError::Cancelled(_)) => *long += 1,
        Ok(()) => {}
        Err(other) => panic!("{}: {other}", engine.description.word),
    }
    counted.into_inner().saturating_sub(after)
}

fn check<B: Builder, T: Traversal, L: LeafTest>(engine: &TreeEngine<B, T, L>) {
    let (word, mut long) = (engine.description.word, [0; 2]);
    let prepare = |mesh: Mesh| engine.prepare(&mesh, &Control::NONE).expect("any mesh");
    let (near, [same, _]) = (piles(1e-9).map(prepare), piles(0.0).map(prepare));
    for after in [1, 1_000, 20_000] {
        for ask in [Ask::first_contact(), Ask::all_contacts(), Ask::distance()] {
            let more = more(engine, [&near[0], &near[1]], &ask, after, &mut long[0]);
            assert!(more <= MOST, "{word} {ask:?} after {after}: {more}");
        }
        for pile in [&near[0], &same] {
            let more = more(engine, [pile, pile], &Ask::all_contacts(), after, &mut long[1]);
            assert!(more <= MOST, "{word} after {after}: {more}");
        }
    }
    println!("{word}: {long:?}");
    assert!(long[0] >= 3 && long[1] == 6, "{word}: {long:?} took long");
}

#[test]
fn what_is_done_after_a_cancellation_is_bounded_by_a_count() {
    check(&by::leaf());
    check(&by::leaf_block());
    check(&by::three_layer());
    check(&by::obbtree());
    check(&by::aabb_refit());
    check(&by::aabb_obb());
    check(&by::kdop());
    check(&by::sphere());
    check(&by::sphere_aabb());
    check(&by::swept_sphere());
    check(&by::reduced_axes());
    check(&by::edge_nodes());
}

/// Generous, because machines are busy: it once took 40 s and more.
#[test]
fn a_cancellation_within_large_groups_is_heard_soon() {
    use std::time::{Duration, Instant};
    let [mesh, _] = piles(0.0);
    let mesh = Mesh::new(mesh.vertices().to_vec(), mesh.triangles().repeat(50));
    let engine = by::leaf();
    let model = engine.prepare(&mesh.expect("legal"), &Control::NONE).expect("any mesh");
    let (cancel, mut memory) = (Cancel::new(), engine.memory());
    let control = Control::NONE.cancelled_by(&cancel);
    let (ask, still) = (Ask::all_contacts().capped(10), Pose::identity());
    let waited = std::thread::scope(|scope| {
        let raise = scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(30));
            cancel.cancel();
            Instant::now()
        });
        let mut answer = Answer::default();
        let ended = engine.query(&model, &model, &still, &mut memory, &ask, &control, &mut answer);
        assert!(matches!(ended, Err(QueryError::Cancelled(_))), "{ended:?}");
        Instant::now().saturating_duration_since(raise.join().expect("it only sleeps"))
    });
    assert!(waited < Duration::from_secs(2), "{waited:?}");
}

#[test]
fn more_triangles_than_a_tree_can_hold_are_refused() {
    let check_count = impinge_query::PrepareError::check_count;
    assert!(check_count("obbtree", 7, 7).is_ok() && check_count("obbtree", 6, 7).is_ok());
    let why = check_count("obbtree", 8, 7).expect_err("too many").to_string();
    assert!(why.contains("8 triangles, at most 7"), "{why}");
}
