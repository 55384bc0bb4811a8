//! The public contract: boxed engines, refusals and their texts, defaults, batches of bodies, broad
//! phases.

use std::sync::atomic::{AtomicU32, Ordering};

use impinge_geometry::volume::Aabb;
use impinge_geometry::{MAX_COORDINATE, Mesh, Point, Pose, Vector};
use impinge_query::batch::PairAt;
use impinge_query::broad::{BroadPhase, EveryPair, Objects};
use impinge_query::{
    Answer, Ask, BatchError, Cancel, Cancelled, Contact, Control, Description, Detector, Engine,
    Meaning, PrepareError, Prepared, QueryError, QuestionKind, RefitError, Side, Verdict, batch,
};

use crate::all_pairs::{ALL_PAIRS, AllPairs, Model, at, tetrahedron};

/// An engine with only the required methods and a configurable description.
struct Least {
    description: Description,
    queries: AtomicU32,
}

impl Least {
    const fn new(description: Description) -> Self {
        Self { description, queries: AtomicU32::new(0) }
    }
}

impl Engine for Least {
    type Model = Model;
    type Memory = ();

    fn describe(&self) -> &Description {
        &self.description
    }

    fn prepare(&self, mesh: &Mesh, control: &Control<'_>) -> Result<Model, PrepareError> {
        Engine::prepare(&AllPairs::<false>, mesh, control)
    }

    fn memory(&self) {}

    fn query(
        &self,
        _: &Model,
        _: &Model,
        _: &Pose,
        (): &mut (),
        _: &Ask,
        _: &Control<'_>,
        answer: &mut Answer,
    ) -> Result<(), QueryError> {
        answer.clear();
        answer.contacts_found = u64::from(self.queries.fetch_add(1, Ordering::Relaxed));
        Ok(())
    }
}

const LEAST: Description = Description { word: "least", ..ALL_PAIRS };

#[test]
fn what_an_engine_does_not_implement_is_refused_and_a_batch_is_a_loop() {
    let engine = Least::new(LEAST);
    let detector: &dyn Detector = &engine;
    let mut model = detector.prepare(&tetrahedron(1.0), &Control::NONE).expect("any");
    let vertices = tetrahedron(2.0).vertices().to_vec();
    let refit = detector.refit(&mut model, &vertices, &Control::NONE);
    assert_eq!(refit, Err(RefitError::Unsupported { word: "least" }));
    let (ask, mut memory) = (Ask::first_contact(), detector.memory());
    let mut answer = Answer::default();
    let of_itself = detector.query_self(&model, &mut memory, &ask, &Control::NONE, &mut answer);
    assert!(matches!(of_itself, Err(QueryError::Backend { word: "least", .. })));
    let mut came = Vec::new();
    let mut each = |index: usize, answer: &Answer| came.push((index, answer.contacts_found));
    let poses = [at(0.0, 0.0), at(1.0, 0.0), at(2.0, 0.0)];
    detector
        .batch(&model, &model, &poses, &mut memory, &ask, &Control::NONE, &mut each)
        .expect("no error");
    assert_eq!(came, [(0, 0), (1, 1), (2, 2)]);
}

/// Each refusal names the question in the user's terms.
#[test]
fn refusals_name_the_question() {
    let asks = [
        (Ask::first_contact(), "first contact"),
        (Ask::all_contacts(), "all contacts"),
        (Ask::distance(), "distance"),
        (Ask::nearer_than(1.0), "nearer than"),
        (Ask::contained_in(), "contained in"),
    ];
    let nothing = Description { questions: &[], ..LEAST };
    for (ask, named) in asks {
        for refused in [nothing.check(&ask), nothing.check_self(&ask)] {
            assert_eq!(refused, Err(QueryError::Unanswered { word: "least", what: named }));
        }
    }
    let surfaces = Description { meanings: &[Meaning::Surfaces], ..LEAST };
    let refused = surfaces.check(&Ask::first_contact().solids());
    assert_eq!(refused, Err(QueryError::Unanswered { word: "least", what: "solids" }));
    let solids = Description { meanings: &[Meaning::Solids], ..LEAST };
    let refused = solids.check(&Ask::first_contact());
    assert_eq!(refused, Err(QueryError::Unanswered { word: "least", what: "surfaces" }));
    let pairs_only = Description { self_contacts: false, ..LEAST };
    let refused = pairs_only.check_self(&Ask::first_contact());
    let what = "contacts of a mesh with itself";
    assert_eq!(refused, Err(QueryError::Unanswered { word: "least", what }));
    assert_eq!(LEAST.questions, QuestionKind::ALL);
}

#[test]
fn a_boxed_model_is_refitted_by_its_own_engine_only() {
    let (engine, other) = (AllPairs::<false>, Least::new(LEAST));
    let (engine, other): (&dyn Detector, &dyn Detector) = (&engine, &other);
    let mut model = engine.prepare(&tetrahedron(1.0), &Control::NONE).expect("any");
    assert_eq!(
        (model.word(), Side::A.to_string(), Side::B.to_string()),
        ("all-pairs", "A".to_owned(), "B".to_owned())
    );
    assert!(model.model::<Model>().is_some_and(|own| own.0.mesh().triangles().len() == 4));
    let vertices = tetrahedron(0.5).vertices().to_vec();
    // Both models have the same type; the method's word tells them apart.
    let foreign = RefitError::ForeignModel { word: "least", found: "all-pairs" };
    assert_eq!(other.refit(&mut model, &vertices, &Control::NONE), Err(foreign));
    engine.refit(&mut model, &vertices, &Control::NONE).expect("as many vertices");
    let far = at(0.7, 0.0);
    let (mut memory, mut answer) = (engine.memory(), Answer::default());
    let ask = Ask::first_contact();
    engine
        .query(&model, &model, &far, &mut memory, &ask, &Control::NONE, &mut answer)
        .expect("in range");
    assert_eq!(answer.verdict, Verdict::Separated, "after the refit");
}

#[test]
fn a_question_asked_once_needs_no_memory_of_the_caller() {
    let engine = AllPairs::<false>;
    let model = Engine::prepare(&engine, &tetrahedron(1.0), &Control::NONE).expect("any");
    let ask = Ask::all_contacts();
    let near = engine.ask(&model, &model, &at(0.1, 0.0), &ask).expect("in range");
    let far = engine.ask(&model, &model, &at(5.0, 0.0), &ask).expect("in range");
    assert!(!near.contacts.is_empty() && near.verdict.is_hit() && !far.verdict.is_hit());
    let error = engine.ask(&model, &model, &at(0.1, 0.0), &Ask::nearer_than(-1.0));
    assert_eq!(error, Err(QueryError::BadDistance { value: -1.0 }));
}

#[test]
fn a_boxed_model_shows_its_mesh_and_may_come_from_outside() {
    let (engine, other) = (AllPairs::<false>, Least::new(LEAST));
    let own = Engine::prepare(&engine, &tetrahedron(1.0), &Control::NONE).expect("any");
    let mut model = Prepared::new(&engine, own);
    assert_eq!((model.word(), model.triangles()), ("all-pairs", 4));
    assert_eq!(model.mesh(), Some(&tetrahedron(1.0)));
    let vertices = tetrahedron(0.5).vertices().to_vec();
    Detector::refit(&engine, &mut model, &vertices, &Control::NONE).expect("as many vertices");
    assert_eq!(model.mesh(), Some(&tetrahedron(0.5)));
    let foreign = Detector::refit(&other, &mut model, &vertices, &Control::NONE);
    assert!(matches!(foreign, Err(RefitError::ForeignModel { found: "all-pairs", .. })));
}

/// For a mesh with several self-intersections, the first contact is the first of all contacts.
#[test]
fn bodies_are_asked_about_themselves_in_order() {
    let detector: &dyn Detector = &AllPairs::<true>;
    let crossing = Mesh::union([&tetrahedron(0.5), &tetrahedron(1.0)]).expect("in range");
    let [whole, crossing] = [&tetrahedron(1.0), &crossing]
        .map(|mesh| detector.prepare(mesh, &Control::NONE).expect("any"));
    let models: Vec<_> = (0..40).map(|k| if k % 3 == 1 { &crossing } else { &whole }).collect();
    let mut all: Vec<Vec<Contact>> = Vec::new();
    for ask in [Ask::all_contacts(), Ask::first_contact()] {
        let mut came = 0;
        let mut each = |index: usize, answer: &Answer| {
            assert_eq!(index, came);
            assert_eq!(answer.verdict.is_hit(), index % 3 == 1);
            if ask == Ask::all_contacts() {
                all.push(answer.contacts.clone());
            } else {
                assert_eq!(answer.contacts.first(), all[index].first(), "body {index}");
            }
            came += 1;
        };
        batch::bodies(detector, &models, &ask, &Control::NONE, &mut each).expect("any mesh");
        assert_eq!(came, models.len());
    }
    assert!(all[1].len() > 1, "one contact is always the first");
    let error = batch::bodies(detector, &models, &Ask::distance(), &Control::NONE, &mut |_, _| {});
    assert!(matches!(error, Err(BatchError { index: 0, source: QueryError::Unanswered { .. } })));
}

/// Pairs of bodies in one batch are answered in order, each with its own models and pose.
#[test]
fn pairs_of_bodies_are_answered_in_order() {
    let detector: &dyn Detector = &AllPairs::<true>;
    let [large, small] =
        [1.0, 0.2].map(|size| detector.prepare(&tetrahedron(size), &Control::NONE).expect("any"));
    let poses: Vec<Pose> = (0..60).map(|k| at(f64::from(k % 20) * 0.1 - 0.9, 0.1)).collect();
    let pair = |(k, b_in_a)| {
        let (a, b) = if k % 2 == 0 { (&large, &small) } else { (&small, &large) };
        PairAt { a, b, b_in_a }
    };
    let pairs: Vec<PairAt<'_>> =
        poses.iter().enumerate().map(|(k, pose)| pair((k, *pose))).collect();
    let (ask, mut came, mut hits) = (Ask::first_contact(), 0, 0);
    let mut each = |index: usize, answer: &Answer| {
        assert_eq!(index, came);
        let (PairAt { a, b, b_in_a }, mut alone) = (&pairs[index], Answer::default());
        let memory = &mut detector.memory();
        detector.query(a, b, b_in_a, memory, &ask, &Control::NONE, &mut alone).expect("in range");
        assert_eq!(answer.verdict, alone.verdict, "pair {index}");
        hits += usize::from(answer.verdict.is_hit());
        came += 1;
    };
    batch::pairs(detector, &pairs, &ask, &Control::NONE, &mut each).expect("in range");
    assert!(came == 60 && (15..45).contains(&hits), "{hits} of {came}");
}

/// A vertex may be placed at the largest allowed coordinate, but not beyond.
#[test]
fn the_range_of_places_is_closed() {
    let engine = AllPairs::<false>;
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(Point::from);
    let mesh = Mesh::new(corners.to_vec(), vec![[0, 1, 2]]).expect("legal");
    let model = Engine::prepare(&engine, &mesh, &Control::NONE).expect("any");
    for (x, inside) in [(MAX_COORDINATE, true), (MAX_COORDINATE.next_up(), false)] {
        let place = Vector::new(x, 0.0, 0.0);
        let placed = Pose::translation_by(place).map(|pose| model.0.check_range(&pose).is_ok());
        assert_eq!(placed.unwrap_or(false), inside, "{x:e}");
    }
    // A rotation alone can move a vertex out of range.
    let corners = corners.map(|corner| Point::from(corner.coords * 0.9e300));
    let far = corners.map(|corner| corner + Vector::new(0.0, 0.0, 0.9e300));
    let mesh = Mesh::new(far.to_vec(), vec![[0, 1, 2]]).expect("legal");
    let model = Engine::prepare(&engine, &mesh, &Control::NONE).expect("any");
    let (sin, cos) = std::f64::consts::FRAC_PI_8.sin_cos();
    let pose = Pose::from_quaternion([0.0; 3], [0.0, sin, 0.0, cos]).expect("a rotation");
    assert!(model.0.check_range(&Pose::identity()).is_ok());
    assert!(model.0.check_range(&pose).is_err());
}

#[test]
fn every_two_boxes_that_meet_are_a_pair_once() {
    let cube = |x: f64| {
        let (min, max) = (Point::new(x, 0.0, 0.0), Point::new(x + 1.0, 1.0, 1.0));
        Some(Aabb { min, max })
    };
    // The second and the fourth box touch; the third is absent; the last is alone.
    let boxes = [cube(0.5), cube(1.0), None, cube(2.0), cube(1.5), cube(7.0)];
    let mut phase = EveryPair::default();
    let pairs = |phase: &mut EveryPair, fixed: &[bool], control: &Control<'_>| {
        let mut pairs = Vec::new();
        phase.update(&Objects { boxes: &boxes, fixed }, control)?;
        phase.pairs(control, &mut pairs).map(|()| pairs)
    };
    let moving = pairs(&mut phase, &[], &Control::NONE).expect("not cancelled");
    assert_eq!(moving, [[0, 1], [0, 4], [1, 3], [1, 4], [3, 4]]);
    // Flags beyond the boxes are of no object; objects beyond the flags move.
    let fixed = pairs(&mut phase, &[true, true, true, true], &Control::NONE);
    assert_eq!(fixed.expect("not cancelled"), [[0, 4], [1, 4], [3, 4]]);
    let mut near = Vec::new();
    phase.overlapping(&cube(1.75).expect("a box"), &mut near);
    assert_eq!((near.as_slice(), phase.word()), ([1, 3, 4].as_slice(), "every-pair"));
    let cancel = Cancel::new();
    cancel.cancel();
    let control = Control::NONE.cancelled_by(&cancel);
    assert_eq!(pairs(&mut phase, &[], &control), Err(Cancelled));
    assert_eq!(phase.pairs(&control, &mut Vec::new()), Err(Cancelled));
}

#[test]
fn verdicts_have_words() {
    use impinge_query::Inner;
    let words = [Verdict::Separated, Verdict::Intersecting, Verdict::Contained(Inner::A)]
        .map(Verdict::word);
    assert_eq!(words, ["separated", "intersecting", "contained"]);
}
