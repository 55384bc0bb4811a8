//! The work of a query after it is cancelled is bounded, whatever the meshes, and the same question asked again
//! with the same memory has the answer of a query that was never cancelled.

use impinge_geometry::{Mesh, Point, Pose, Vector};
use impinge_query::{Answer, Ask, Cancel, Control, Engine, Looks, QueryError};
use impinge_wide::{Memory, WideModel, wide};

/// A question about two models, or about one with itself.
struct Asked<'m> {
    models: [&'m WideModel; 2],
    of_itself: bool,
    pose: Pose,
    ask: Ask,
}

impl Asked<'_> {
    /// Asks on one thread, with a flag that is raised at a look.
    fn until(&self, look: u64, memory: &mut Memory) -> (Result<(), QueryError>, Answer, Looks) {
        let Self { models: [a, b], of_itself, pose, ask } = self;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
        pool.install(|| {
            let (cancel, mut answer) = (Cancel::at_look(look), Answer::default());
            let (control, ask) = (Control::NONE.cancelled_by(&cancel), ask.counted());
            let end = if *of_itself {
                wide().query_self(a, memory, &ask, &control, &mut answer)
            } else {
                wide().query(a, b, pose, memory, &ask, &control, &mut answer)
            };
            (end, answer, cancel.looks().expect("a flag that counts"))
        })
    }

    /// Cancels at several looks, and asks again. Between two looks, and after the last, at most so many boxes and
    /// pairs of triangles are tested. Returns the number of looks without a cancellation.
    #[track_caller]
    fn hold(&self, most: u64) -> u64 {
        let ask = &self.ask;
        // The first question about a model may find out whether it is closed.
        let (end, ..) = self.until(u64::MAX, &mut Memory::default());
        end.expect("not cancelled");
        let (_, mut whole, all) = self.until(u64::MAX, &mut Memory::default());
        whole.statistics = None;
        assert!(all.longest <= most, "{ask:?}: {all:?}");
        assert!(all.number > 30, "{ask:?}: {all:?}");
        for look in [1, 2, 5, all.number / 3, all.number / 2, all.number - 1, all.number] {
            let mut memory = Memory::default();
            let (end, _, looks) = self.until(look, &mut memory);
            assert!(matches!(end, Err(QueryError::Cancelled(_))), "{ask:?}, {look}: {end:?}");
            // In a round sixteen parts that are not begun look once.
            assert!(looks.number <= look + 16, "{ask:?}, {look}: {looks:?} of {all:?}");
            assert!(looks.longest <= most, "{ask:?}, {look}: {looks:?}");
            let (end, mut again, _) = self.until(u64::MAX, &mut memory);
            end.expect("not cancelled");
            again.statistics = None;
            assert_eq!(again, whole, "{ask:?}: after {look} of {}", all.number);
        }
        all.number
    }
}

fn prepare(mesh: &Mesh) -> WideModel {
    wide().prepare(mesh, &Control::NONE).expect("any mesh")
}

/// Tetrahedra that coincide except for their last digits.
fn pile(n: u32) -> Mesh {
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.1, 0.1, 1.0]];
    let of = |k: u32| corners.map(|x| Point::from(x) * (1.0 + f64::from(k) * 1e-14));
    let faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    let triangles = (0..n).flat_map(|k| faces.map(|t| t.map(|v| 4 * k + v)));
    Mesh::new((0..n).flat_map(of).collect(), triangles.collect()).expect("finite")
}

#[test]
#[cfg_attr(target_family = "wasm", ignore = "WebAssembly has no second thread")]
fn little_is_done_after_a_cancellation() {
    let (still, aside) = (Pose::identity(), Pose::translation_by(Vector::new(0.0, 0.0, 4.0)));
    // 256 steps of sixteen lanes, where uncertain pairs count as one, and the rest of a step.
    let models = [(); 2].map(|()| prepare(&pile(150)));
    let models = models.each_ref();
    let asked = Asked { models, of_itself: false, pose: still, ask: Ask::all_contacts() };
    asked.hold(256 * 16 + 16 * 16 * 2);
    // 64 steps of sixteen lanes, where evaluated pairs count as one, and the rest of two leaves.
    let models = [(); 2].map(|()| prepare(&pile(250)));
    let (models, pose) = (models.each_ref(), aside.expect("finite"));
    for ask in [Ask::distance(), Ask::nearer_than(2.999_999_999)] {
        Asked { models, of_itself: false, pose, ask }.hold(64 * 16 + 16 * 2);
    }
}

/// One ray through a large pile: a node's lanes or a leaf's triangles, and before it a search for a contact.
#[test]
#[cfg_attr(target_family = "wasm", ignore = "WebAssembly has no second thread")]
fn little_of_a_ray_is_done_after_a_cancellation() {
    let models = [pile(2_000), pile(1).scaled(0.01).expect("in range")].map(|mesh| prepare(&mesh));
    let pose = Pose::translation_by(Vector::new(0.2, 0.2, 0.1)).expect("finite");
    let ask = Ask::first_contact().solids();
    let asked = Asked { models: models.each_ref(), of_itself: false, pose, ask };
    let looks = asked.hold(300);
    for look in [looks / 8, looks / 4, looks / 2, looks - 1] {
        let tests = |look| asked.until(look, &mut Memory::default()).2.tests;
        let between = tests(look + 1) - tests(look);
        assert!(between <= 16, "{between} after look {look} of {looks}");
    }
}

/// Narrow triangles from one corner, all across each other: directions are tested, and pairs decided.
#[test]
#[cfg_attr(target_family = "wasm", ignore = "WebAssembly has no second thread")]
fn little_is_done_at_a_hub_after_a_cancellation() {
    let n = 600;
    let at = |k: u32| 1.0 + 1e-3 * f64::from(k);
    let ends = |k: u32| [Point::new(at(k), -9.0, 1.0), Point::new(2.0 - at(k), 9.0, at(k))];
    let vertices = std::iter::once(Point::origin()).chain((0..n).flat_map(ends)).collect();
    let fan = Mesh::new(vertices, (0..n).map(|k| [0, 2 * k + 1, 2 * k + 2]).collect());
    let model = prepare(&fan.expect("legal"));
    let (pose, ask) = (Pose::identity(), Ask::all_contacts());
    // A box is counted before its poll, a pair after it.
    Asked { models: [&model; 2], of_itself: true, pose, ask }.hold(256 + 1);
}
