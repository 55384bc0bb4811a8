//! The work of a query after it is cancelled is bounded, whatever the meshes.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use impinge_geometry::{Mesh, Point, Pose, Vector};
use impinge_query::{
    Answer, Ask, Cancel, Contacts, Control, Counter, Engine, Pictures, Query, QueryError, Spread,
    Statistics, driver,
};

use crate::engine::wide;
use crate::search::contacts::{POLL_INTERVAL, Stack};
use crate::self_collision;
use crate::simd::Width;

/// Counts the work, raises the flag at a given count, and counts the work after it.
#[derive(Clone)]
struct Watch<'c> {
    cancel: &'c Cancel,
    when: u64,
    /// Whether lanes count, and not only pairs of triangles.
    lanes: bool,
    done: Arc<AtomicU64>,
}

impl Watch<'_> {
    fn add(&self, n: u64) {
        if self.done.fetch_add(n, Ordering::Relaxed) + n >= self.when {
            self.cancel.cancel();
        }
    }
}

impl Counter for Watch<'_> {
    const COUNTS: bool = false;
    fn fork(&self) -> Self {
        self.clone()
    }
    fn merge(&mut self, _: Self) {}
    fn spread(&mut self, _: impl FnOnce() -> Spread) {}
    fn volumes(&mut self, n: u64) {
        self.add(if self.lanes { n } else { 0 });
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

/// Tetrahedra that coincide except for their last digits.
fn pile(n: u32) -> Mesh {
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.1, 0.1, 1.0]];
    let of = |k: u32| corners.map(|x| Point::from(x) * (1.0 + f64::from(k) * 1e-14));
    let faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    let triangles = (0..n).flat_map(|k| faces.map(|t| t.map(|v| 4 * k + v)));
    Mesh::new((0..n).flat_map(of).collect(), triangles.collect()).expect("finite")
}

/// The work done after the flag was raised at `when`, in pairs of triangles, or in lanes too.
fn after(meshes: [&Mesh; 2], pose: &Pose, ask: &Ask, when: u64, lanes: bool) -> u64 {
    let engine = &wide();
    let [a, b] = meshes.map(|mesh| engine.prepare(mesh, &Control::NONE).expect("finite"));
    let (cancel, done) = (Cancel::new(), Arc::new(AtomicU64::new(0)));
    let watch = Watch { cancel: &cancel, when, lanes, done: done.clone() };
    let control = &Control::NONE.cancelled_by(&cancel);
    let query = Query { a: &a, b: &b, pose, ask, control };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let (mut memory, mut answer) = (engine.memory(), Answer::default());
    let end = pool.install(|| driver::answer(engine, &query, watch, &mut memory, &mut answer));
    assert!(matches!(end, Err(QueryError::Cancelled(_))), "{ask:?}: {end:?}");
    done.load(Ordering::Relaxed) - when
}

#[test]
#[cfg_attr(target_family = "wasm", ignore = "WebAssembly has no second thread")]
fn little_is_done_after_a_cancellation() {
    let pile = pile(500);
    let still = Pose::identity();
    let aside = Pose::translation_by(Vector::new(0.0, 0.0, 4.0)).expect("finite");
    // 256 steps of sixteen lanes, where uncertain pairs count as one, and the rest of a step.
    let contacts = 256 * 16 + 16 * 16 * 2;
    // 64 steps; or as many pairs, and the rest of two leaves.
    let distance = [64 + 16, 64 * 16 + 16 * 2];
    for when in [1_000, 5_000, 20_000, 50_000] {
        let found = after([&pile, &pile], &still, &Ask::all_contacts(), when, true);
        assert!(found <= contacts, "contacts: {found} after {when}");
        for ask in [Ask::distance(), Ask::nearer_than(2.999_999_999)] {
            for (lanes, most) in [false, true].into_iter().zip(distance) {
                let found = after([&pile, &pile], &aside, &ask, when, lanes);
                assert!(found <= most, "{ask:?}: {found} after {when}");
            }
        }
    }
}

/// One ray through a large pile: a node's lanes or a leaf's triangles.
#[test]
#[cfg_attr(target_family = "wasm", ignore = "WebAssembly has no second thread")]
fn little_of_a_ray_is_done_after_a_cancellation() {
    let (pile, inside) = (pile(2_000), pile(1).scaled(0.01).expect("in range"));
    let pose = Pose::translation_by(Vector::new(0.2, 0.2, 0.1)).expect("finite");
    for when in [300, 1_000, 2_000] {
        let found = after([&pile, &inside], &pose, &Ask::first_contact().solids(), when, true);
        assert!(found <= 16, "{found} after {when}");
    }
}

/// Narrow triangles from one corner, all across each other: directions are tested, and pairs decided.
#[test]
fn little_is_done_at_a_hub_after_a_cancellation() {
    let n = 600;
    let at = |k: u32| 1.0 + 1e-3 * f64::from(k);
    let ends = |k: u32| [Point::new(at(k), -9.0, 1.0), Point::new(2.0 - at(k), 9.0, at(k))];
    let vertices = std::iter::once(Point::origin()).chain((0..n).flat_map(ends)).collect();
    let fan = Mesh::new(vertices, (0..n).map(|k| [0, 2 * k + 1, 2 * k + 2]).collect());
    let model = wide().prepare(&fan.expect("legal"), &Control::NONE).expect("finite");
    for when in [1_000, 5_000, 20_000] {
        let (cancel, done) = (Cancel::new(), Arc::new(AtomicU64::new(0)));
        let mut watch = Watch { cancel: &cancel, when, lanes: true, done: done.clone() };
        let (pose, ask) = (Pose::identity(), Ask::all_contacts());
        let control = &Control::NONE.cancelled_by(&cancel);
        let query = Query { a: &model, b: &model, pose: &pose, ask: &ask, control };
        let (stack, mut found) = (&mut Stack::default(), Contacts::new(Vec::new(), None));
        let width = Width::fastest();
        let end = self_collision::contacts(width, &query, stack, &mut watch, &mut found);
        assert!(matches!(end, Err(QueryError::Cancelled(_))), "{when}");
        let after = done.load(Ordering::Relaxed) - when;
        assert!(after <= u64::from(POLL_INTERVAL), "{after} after {when}");
    }
}
