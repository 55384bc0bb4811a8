//! Batches of a search that looks ahead.

use std::collections::VecDeque;

use impinge_geometry::{Mesh, Point, Pose, Vector};
use impinge_query::driver::{Batching, Found, Query};
use impinge_query::{
    Answer, Ask, Cancel, Control, Counter, Description, Engine, PrepareError, QueryError, Search,
};

use crate::all_pairs::{AllPairs, Model, at, tetrahedron};

/// As [`AllPairs`], with batches that see at most `step` poses ahead.
struct Ahead {
    step: usize,
}

/// Poses that were seen and not asked about yet, and how often some were.
#[derive(Default)]
struct Seen {
    own: u32,
    poses: VecDeque<Pose>,
    looks: Vec<(usize, bool)>,
    unseen: usize,
}

const INNER: AllPairs<false> = AllPairs;

impl Search for Ahead {
    type Model = Model;
    type Memory = Seen;

    fn describe(&self) -> &Description {
        Search::describe(&INNER)
    }

    fn batching(&self) -> Batching {
        Batching::Ahead
    }

    fn look_ahead(
        &self,
        query: &Query<'_, Model>,
        poses: &[Pose],
        first: bool,
        memory: &mut Seen,
    ) -> Result<usize, QueryError> {
        assert_eq!(query.pose, &poses[0]);
        let poses = &poses[..self.step.min(poses.len())];
        memory.poses = poses.iter().copied().collect();
        memory.looks.push((poses.len(), first));
        Ok(poses.len())
    }

    fn prepare(&self, mesh: &Mesh, control: &Control<'_>) -> Result<Model, PrepareError> {
        Search::prepare(&INNER, mesh, control)
    }

    fn memory(&self) -> Seen {
        Seen::default()
    }

    fn forget(&self, memory: &mut Seen) {
        memory.poses.clear();
    }

    fn contacts<C: Counter>(
        &self,
        query: &Query<'_, Model>,
        memory: &mut Seen,
        counter: &mut C,
        found: &mut Found<'_>,
    ) -> Result<(), QueryError> {
        if memory.poses.pop_front() != Some(*query.pose) {
            memory.unseen += 1;
        }
        INNER.contacts(query, &mut memory.own, counter, found)
    }
}

fn poses(count: usize) -> Vec<Pose> {
    (0..count).map(|index| at(0.3 * (index % 7) as f64, 0.1)).collect()
}

#[test]
fn each_pose_is_seen_once_before_it_is_asked_about() {
    let inner = Engine::prepare(&INNER, &tetrahedron(1.0), &Control::NONE).expect("any mesh");
    for (step, looks) in [(1, 9_000), (4, 2_250), (1 << 20, 3)] {
        let engine = Ahead { step };
        let poses = poses(9_000);
        for (ask, first) in [(Ask::first_contact(), true), (Ask::all_contacts(), false)] {
            let mut memory = Engine::memory(&engine);
            let (mut next, mut hits) = (0, 0);
            let mut each = |index: usize, answer: &Answer| {
                assert_eq!(index, next);
                next += 1;
                hits += usize::from(answer.verdict.is_hit());
            };
            engine
                .batch(&inner, &inner, &poses, &mut memory, &ask, &Control::NONE, &mut each)
                .expect("answers");
            assert_eq!(next, poses.len());
            assert!(hits * 10 > 3 * next && hits < next, "{hits}");
            let seen = memory.own();
            assert_eq!((seen.looks.len(), seen.unseen, seen.poses.len()), (looks, 0, 0));
            assert_eq!(seen.looks.iter().map(|(count, _)| count).sum::<usize>(), poses.len());
            assert!(seen.looks.iter().all(|(count, of)| *count <= 4_096 && *of == first));
        }
    }
}

/// The first pose without an answer, and the number of answers before it, are those of single
/// queries.
#[test]
fn errors_are_those_of_the_pose() {
    let engine = Ahead { step: 100 };
    let solid = Engine::prepare(&engine, &tetrahedron(1.0), &Control::NONE).expect("any mesh");
    let points = vec![Point::origin(), Point::new(1.0, 0.0, 0.0), Point::new(0.0, 1.0, 0.0)];
    let sheet = Mesh::new(points, vec![[0, 1, 2]]).expect("legal");
    let sheet = Engine::prepare(&engine, &sheet, &Control::NONE).expect("any mesh");
    let given = |model: &Model, poses: &[Pose], ask: &Ask, control: &Control<'_>| {
        let (mut memory, mut given) = (Engine::memory(&engine), 0);
        let mut each = |_: usize, _: &Answer| given += 1;
        let ended = engine.batch(model, model, poses, &mut memory, ask, control, &mut each);
        (ended.map_err(|error| (error.index, error.source)), given, memory.own().looks.len())
    };
    let mut poses = poses(10);
    let none = Control::NONE;
    let far = Pose::translation_by(Vector::new(9.9e299, 0.0, 0.0)).expect("a pose");
    let big = Engine::prepare(&engine, &tetrahedron(9e299), &none).expect("any mesh");
    poses[7] = far;
    let (ended, answers, looks) = given(&big, &poses, &Ask::first_contact(), &none);
    assert!(matches!(ended, Err((7, QueryError::OutOfRange { .. }))), "{ended:?}");
    assert_eq!((answers, looks), (7, 1));
    let solids = Ask::first_contact().solids();
    let (ended, answers, looks) = given(&sheet, &poses[..7], &solids, &none);
    assert!(matches!(ended, Err((0, QueryError::NotClosed { .. }))), "{ended:?}");
    assert_eq!((answers, looks), (0, 0), "nothing is searched for an error");
    let cancel = Cancel::new();
    cancel.cancel();
    let control = none.cancelled_by(&cancel);
    let (ended, answers, looks) = given(&solid, &poses[..7], &solids, &control);
    assert!(matches!(ended, Err((0, QueryError::Cancelled(_)))), "{ended:?}");
    assert_eq!((answers, looks), (0, 0));
}
