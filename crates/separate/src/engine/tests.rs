//! The steps of a task, against what follows from their definitions.

use impinge_models::{Random, Shape};
use impinge_query::{Answer, Ask, Engine, Statistics};

use super::*;

fn model(mesh: &Mesh) -> SbvModel {
    SbvModel::new(mesh, &Control::NONE).expect("nobody cancels")
}

fn survey<M: Default>(
    engine: &SbvEngine<impl Detailed<Memory = M>>,
    [a, b]: [&SbvModel; 2],
    pose: &Pose,
    memory: &mut SbvMemory<M>,
) -> Survey {
    engine.survey(a, b, pose, memory, &Control::NONE).expect("nobody cancels")
}

fn shift(v: Vector) -> Pose {
    Pose::translation_by(v).expect("finite")
}

fn moved(mesh: &Mesh, by: Vector) -> Mesh {
    mesh.with_vertices(mesh.vertices().iter().map(|p| p + by).collect()).expect("as many")
}

/// A cube of side 1, ten times as long along an axis, and moved.
fn bar(axis: usize, by: Vector) -> Mesh {
    let cube = Shape::Cube.mesh(12, 0);
    let long = cube.vertices().iter().map(|p| {
        let mut p = p.coords;
        p[axis] *= 10.0;
        Point::from(p + by)
    });
    cube.with_vertices(long.collect()).expect("as many")
}

/// Two flat triangles over each other. Their heights are exact, but a plane is taken only if the gap
/// exceeds both doubts: 4 u each, and 3 times as much for a normal 3 times as long.
#[test]
fn a_plane_is_accepted_only_beyond_both_doubts() {
    let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(Point::from);
    let flat = model(&Mesh::new(corners.to_vec(), vec![[0, 1, 2]]).expect("finite"));
    let doubts = 8.0 * 2f64.powi(-53);
    for (share, apart) in [(0.5, false), (1.0, false), (1.0 + f64::EPSILON, true), (3.0, true)] {
        for (side, length) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, 3.0)] {
            let pose = shift(Vector::z() * (side * share * doubts));
            let mut placed = Points::default();
            flat.place(&pose, &mut placed, &Control::NONE).expect("nobody cancels");
            let (params, control) = (Params::new(), Control::NONE);
            let task = Task { a: &flat, b: &flat, pose: &pose, params: &params, control: &control };
            let found = task.apart(&(Vector::z() * length), &placed).expect("nobody cancels");
            assert_eq!(found, apart, "{share} {side} {length}");
        }
    }
}

/// The survey has the figures of the training; the next query of the pair needs none.
#[test]
fn a_survey_reports_the_training_that_ended_it() {
    let ball = moved(&Shape::Sphere.mesh(400, 0), Vector::new(3.0, -2.0, 1.0));
    let (a, b) = (model(&ball), model(&Shape::Sphere.mesh(400, 0)));
    let pose = shift(Vector::new(3.62, -1.38, 1.62));
    let mut memory = SbvMemory::default();
    let first = survey(&sbv(), [&a, &b], &pose, &mut memory);
    let mut placed = Points::default();
    b.place(&pose, &mut placed, &Control::NONE).expect("nobody cancels");
    let start = Vector::new(0.62, 0.62, 0.62);
    let training = twin::train(&mut a.points(), &mut &placed, &start, Until::Apart);
    let plane = training.plane().expect("apart");
    let n = ball.vertices().len();
    let expected = Survey {
        ended: Ended::Training,
        common: first.common,
        trainings: 1,
        steps: training.steps(),
        samples: [n, n],
        vectors: plane.vectors.iter().map(Vec::len).sum(),
        separable: true,
        ..Survey::default()
    };
    assert!(!first.common.is_empty() && training.steps() > 0 && expected.vectors > 1);
    assert_eq!(first, expected);
    assert!((memory.hints.normal.expect("kept") - plane.normal).norm() < 1e-9);
    let again = survey(&sbv(), [&a, &b], &pose, &mut memory);
    let expected = Survey { ended: Ended::Remembered, common: first.common, ..Survey::default() };
    assert_eq!(again, expected);
}

/// Half the way from middle to middle, without overflow.
#[test]
fn the_way_between_volumes_is_half_that_of_their_middles() {
    let volume = |low: f64, high: f64| Volume([Slab { low, high }; 3]);
    let way = between(&volume(0.0, 2.0), &volume(4.0, 8.0));
    assert_eq!(way, Vector::from([2.5; 3]));
    let far = between(&volume(-f64::MAX, -f64::MAX), &volume(f64::MAX, f64::MAX));
    assert_eq!(far, Vector::from([f64::MAX; 3]));
}

/// Crossed bars: no plane separates their samples, and the directions are about the way between
/// their middles, or those of the frame if these are one point.
#[test]
fn without_a_normal_the_directions_are_about_the_way_between_the_bounds() {
    let at = Vector::new(7.0, -3.0, 2.0);
    let (a, b) = (model(&bar(0, at)), model(&bar(1, Vector::zeros())));
    let most = usize::MAX;
    let support = sbv_with(Params { samples: Samples::Support { most }, ..Params::new() });
    for engine in [sbv(), support] {
        let way = Vector::new(0.3, 0.1, 0.2);
        let fresh = &mut SbvMemory::default();
        let crossed = survey(&engine, [&a, &b], &shift(at + way), fresh);
        assert!(!crossed.separable && crossed.samples == [8, 8], "{crossed:?}");
        // The samples alone, or all vertices first.
        let trainings = if engine.params.samples == Samples::All { 2 } else { 1 };
        assert_eq!(crossed.trainings, trainings);
        assert!((crossed.axes.expect("a region").0[0] - way.normalize()).norm() < 1e-12);
        let fresh = &mut SbvMemory::default();
        let centred = survey(&engine, [&a, &b], &shift(at), fresh);
        assert_eq!(centred.axes, Some(Axes::of_frame()));
    }
}

/// Only the detailed test's triangles are reported.
#[test]
fn triangles_are_those_of_the_detailed_test() {
    let (a, b) = (model(&bar(0, Vector::zeros())), model(&bar(1, Vector::zeros())));
    let mut memory = SbvMemory::default();
    let met = survey(&sbv(), [&a, &b], &Pose::identity(), &mut memory);
    assert!(met.ended == Ended::Detail && met.triangles.iter().all(|&n| n > 0), "{met:?}");
    assert_eq!(met.triangles, memory.parts.count());
    // Nested boxes: the surfaces are apart, and the region of the inner one holds no outer triangle.
    let small = moved(&Shape::Cube.mesh(12, 0), Vector::zeros());
    let tiny: Vec<Point> = small.vertices().iter().map(|p| p * 0.1).collect();
    let tiny = model(&small.with_vertices(tiny).expect("as many"));
    let nested = survey(&sbv(), [&model(&small), &tiny], &Pose::identity(), &mut memory);
    assert_eq!((nested.ended, nested.triangles), (Ended::Region, [0, 0]), "{nested:?}");
}

/// Support vectors of the query before join the samples. If no plane separates both, the samples
/// alone are tried, as in a query without hints.
#[test]
fn hints_that_no_plane_separates_are_left_out() {
    let (a, b) = (model(&Shape::Trefoil.mesh(300, 0)), model(&Shape::Sphere.mesh(200, 0)));
    let engine =
        sbv_with(Params { samples: Samples::Support { most: usize::MAX }, ..Params::new() });
    let mut random = Random::new(3);
    let mut memory = SbvMemory::default();
    let (mut twice, mut joined) = (0, 0);
    for _ in 0..300 {
        let pose = shift(random.unit_vector() * random.range(0.2, 0.8));
        let remembered = memory.hints.normal.is_some();
        let fresh = survey(&engine, [&a, &b], &pose, &mut SbvMemory::default());
        let found = survey(&engine, [&a, &b], &pose, &mut memory);
        assert!(fresh.trainings <= 1);
        if found.trainings == 2 {
            assert_eq!(found.samples, fresh.samples);
            assert_eq!(found.separable, fresh.separable);
            // Both trainings are counted.
            assert!(remembered || found.steps > fresh.steps, "{found:?} {fresh:?}");
            twice += 1;
        } else if found.trainings == 1 {
            let more = [0, 1].map(|side| found.samples[side].checked_sub(fresh.samples[side]));
            assert!(more.iter().all(|more| more.is_some_and(|more| more <= HINTS)));
            joined += usize::from(more != [Some(0); 2]);
        }
        // The support vectors are among the samples of the same pose.
        if found.trainings > 0 && found.ended != Ended::Training {
            let again = survey(&engine, [&a, &b], &pose, &mut memory);
            let within = [0, 1].map(|side| again.samples[side] <= found.samples[side]);
            assert_eq!(within, [true; 2], "{again:?} {found:?}");
        }
    }
    assert!(twice > 3 && joined > 3, "{twice} {joined}");
}

/// A detailed test that counts its calls in its memory.
#[derive(Clone, Copy, Debug)]
struct Counting;

impl Detailed for Counting {
    type Memory = u32;

    fn contacts<C: Counter>(
        &self,
        _: &Query<'_, SbvModel>,
        region: &Region<'_>,
        calls: &mut u32,
        _: &mut C,
        _: &mut Found<'_>,
    ) -> Result<(), QueryError> {
        assert!([region.of_a, region.of_b].iter().all(|list| list.is_sorted() && !list.is_empty()));
        *calls += 1;
        Ok(())
    }
}

#[test]
fn the_memory_of_a_detailed_test_is_that_of_one_pair() {
    let engine = SbvEngine::composed(SBV, Params::new(), Counting);
    let prepare = |mesh: &Mesh| Engine::prepare(&engine, mesh, &Control::NONE).expect("any mesh");
    let (a, b) = (prepare(&bar(0, Vector::zeros())), prepare(&bar(1, Vector::zeros())));
    let mut memory = Engine::memory(&engine);
    let mut calls = |b: &SbvModel| {
        let (mut answer, ask) = (Answer::default(), Ask::first_contact());
        engine
            .query(&a, b, &Pose::identity(), &mut memory, &ask, &Control::NONE, &mut answer)
            .expect("an answer");
        memory.own().detail
    };
    assert_eq!([calls(&b), calls(&b), calls(&a), calls(&b)], [1, 2, 1, 1]);
}

/// Every triangle is looked at once for the region, and once in each round.
#[test]
fn statistics_count_scans_and_triangles() {
    let (a, b) = (model(&bar(0, Vector::zeros())), model(&bar(1, Vector::zeros())));
    let mut counter = Statistics::default();
    let (params, control) = (Params::new(), Control::NONE);
    let pose = Pose::identity();
    let task = Task { a: &a, b: &b, pose: &pose, params: &params, control: &control };
    let mut memory = SbvMemory::<()>::default();
    task.run(&mut memory, &mut counter).expect("nobody cancels");
    let rounds = u64::from(memory.survey.rounds);
    // B's bounds, two volumes about new axes, and two in each round.
    assert_eq!(counter.volumes_updated, 1 + 2 + 2 * rounds);
    let triangles = counter.volume_tests - 1 - u64::from(memory.survey.trainings);
    assert!((24..=24 + 24 * rounds).contains(&triangles), "{triangles}");
}
