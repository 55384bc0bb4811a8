//! The steps of a query: how traps end, and what is remembered.

use impinge_geometry::{Mesh, Point, Pose, Vector};
use impinge_hierarchy::obbtree;
use impinge_models::Shape;
use impinge_query::{Ask, Cancel, Control, Engine, Inner, Verdict};
use impinge_separate::{
    Ended, Params, Samples, SbvEngine, SbvMemory, Solver, Survey, sbv, sbv_with,
};

/// The default, the paper's form, and the twin with the paper's samples.
fn forms() -> [SbvEngine; 3] {
    let support = Samples::Support { most: usize::MAX };
    [
        sbv(),
        sbv_with(Params::of_paper()),
        sbv_with(Params { solver: Solver::Twin, samples: support, ..Params::new() }),
    ]
}

fn shifted(x: f64, y: f64, z: f64) -> Pose {
    Pose::translation_by(Vector::new(x, y, z)).expect("finite")
}

/// The verdict of each form, and how it ended.
fn end(a: &Mesh, b: &Mesh, pose: &Pose) -> [(bool, Survey); 3] {
    forms().map(|engine| {
        let prepare = |mesh| Engine::prepare(&engine, mesh, &Control::NONE).expect("any mesh");
        let (a, b) = (prepare(a), prepare(b));
        let answer = engine.ask(&a, &b, pose, &Ask::all_contacts()).expect("an answer");
        let mut memory = SbvMemory::default();
        let survey = engine.survey(&a, &b, pose, &mut memory, &Control::NONE);
        let survey = survey.expect("to the end");
        (answer.verdict != Verdict::Separated, survey)
    })
}

/// Whether the surfaces meet, by another method.
fn hits(a: &Mesh, b: &Mesh, pose: &Pose) -> bool {
    let prepare = |mesh| obbtree().prepare(mesh, &Control::NONE).expect("any mesh");
    let answer = obbtree().ask(&prepare(a), &prepare(b), pose, &Ask::first_contact());
    answer.expect("an answer").verdict.is_hit()
}

fn bar(axis: usize) -> Mesh {
    let cube = Shape::Cube.mesh(12, 0);
    let long = cube.vertices().iter().map(|p| {
        let mut p = p.coords;
        p[axis] *= 10.0;
        Point::from(p)
    });
    cube.with_vertices(long.collect()).expect("as many")
}

#[test]
fn crossed_bars_meet_though_no_corner_of_either_is_in_the_region() {
    for (hit, survey) in end(&bar(0), &bar(1), &Pose::identity()) {
        assert!(hit && survey.ended == Ended::Detail, "{survey:?}");
        assert!(survey.triangles.iter().all(|&n| n >= 4), "{survey:?}");
    }
    // One above the other: a plane separates them.
    for (hit, survey) in end(&bar(0), &bar(1), &shifted(0.0, 0.0, 1.0 + 1e-9)) {
        assert!(!hit, "{survey:?}");
    }
}

/// Linked rings share hulls and no point: only the region or the triangles tell.
#[test]
fn linked_rings_end_without_a_plane() {
    let ring = Shape::Torus.mesh(2_000, 0);
    let quarter = |t: Vector| {
        Pose::from_quaternion(t.into(), [0.5f64.sqrt(), 0.0, 0.0, 0.5f64.sqrt()]).expect("a turn")
    };
    let reach = ring.bounds().1.x;
    let (mut linked, mut met) = (0, 0);
    for k in 0..20 {
        let pose = quarter(Vector::new(reach * f64::from(k) / 20.0, 0.0, 0.0));
        let truth = hits(&ring, &ring, &pose);
        for (hit, survey) in end(&ring, &ring, &pose) {
            assert_eq!(hit, truth, "{k}: {survey:?}");
            assert!(matches!(survey.ended, Ended::Region | Ended::Detail));
        }
        (linked, met) = (linked + i32::from(!truth), met + i32::from(truth));
    }
    assert!(linked > 2 && met > 2, "{linked} {met}");
}

/// Spheres inside each other: surfaces apart in one hull, and solids contained.
#[test]
fn nested_shells_are_apart_as_surfaces_and_contained_as_solids() {
    let outer = Shape::Sphere.mesh(2_000, 0);
    let small = outer.vertices().iter().map(|p| Point::from(p.coords * 0.9)).collect();
    let inner = outer.with_vertices(small).expect("as many");
    for (hit, survey) in end(&outer, &inner, &Pose::identity()) {
        assert!(!hit && survey.ended == Ended::Detail, "{survey:?}");
    }
    for engine in forms() {
        let prepare = |mesh| Engine::prepare(&engine, mesh, &Control::NONE).expect("any mesh");
        let ask = Ask::first_contact().solids();
        let answer = engine.ask(&prepare(&outer), &prepare(&inner), &Pose::identity(), &ask);
        assert_eq!(answer.expect("closed").verdict, Verdict::Contained(Inner::B));
    }
}

#[test]
fn single_triangles_and_points_end_and_end_right() {
    let triangle = |points: [[f64; 3]; 3]| {
        Mesh::new(points.map(Point::from).to_vec(), vec![[0, 1, 2]]).expect("finite")
    };
    let flat = triangle([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    let needle = triangle([[0.2, 0.2, -1.0], [0.2, 0.2, 1.0], [0.2, 0.3, 1.0]]);
    let point = triangle([[0.25, 0.25, 0.0]; 3]);
    for (a, b, z, hit) in [
        (&flat, &needle, 0.0, true),
        (&flat, &needle, 1.0, true),
        (&flat, &needle, 1.0 + 1e-15, false),
        (&flat, &point, 0.0, true),
        (&flat, &point, 5e-324, false),
        (&point, &point, 0.0, true),
        (&flat, &flat, 0.0, true),
        (&flat, &flat, 1e-300, false),
    ] {
        for (found, survey) in end(a, b, &shifted(0.0, 0.0, z)) {
            assert_eq!(found, hit, "{z:e} {survey:?}");
        }
    }
}

/// Vertices of no triangle are not in the hull: without them a plane separates the meshes.
#[test]
fn vertices_of_no_triangle_do_not_count() {
    let cube = Shape::Cube.mesh(12, 0);
    let mut vertices = cube.vertices().to_vec();
    vertices.extend([Point::new(50.0, 0.3, 0.2), Point::new(-50.0, 0.1, -0.4)]);
    let stray = Mesh::new(vertices, cube.triangles().to_vec()).expect("finite");
    for (hit, survey) in end(&stray, &stray, &shifted(1.5, 1.5, 1.5)) {
        assert!(!hit && survey.ended == Ended::Bounds, "{survey:?}");
    }
    // Wherever they are in the list.
    let mut vertices = vec![Point::new(50.0, 0.3, 0.2), Point::new(-50.0, 0.1, -0.4)];
    vertices.extend_from_slice(cube.vertices());
    let triangles = cube.triangles().iter().map(|t| t.map(|v| v + 2)).collect();
    let stray = Mesh::new(vertices, triangles).expect("finite");
    for (hit, survey) in end(&stray, &stray, &shifted(1.5, 1.5, 1.5)) {
        assert!(!hit && survey.ended == Ended::Bounds, "{survey:?}");
    }
    for (hit, _) in end(&stray, &cube, &shifted(0.5, 0.5, 0.5)) {
        assert!(hit);
    }
}

/// A plane is remembered across refits and poses, and dropped for another pair. What is remembered
/// changes no verdict: the walk teleports, and another pair has fewer vertices.
#[test]
fn what_is_remembered_changes_no_verdict() {
    let (ball, small) = (Shape::Sphere.mesh(400, 0), Shape::Sphere.mesh(60, 0));
    for engine in forms() {
        let prepare = |mesh| Engine::prepare(&engine, mesh, &Control::NONE).expect("any mesh");
        let (mut a, b, other) = (prepare(&ball), prepare(&ball), prepare(&small));
        let mut memory = Engine::memory(&engine);
        let (mut verdicts, mut remembered) = ([0; 2], 0);
        for step in 0..60u32 {
            let grown = 1.0 + 0.5 * f64::from(step / 2 % 3);
            let vertices: Vec<Point> =
                ball.vertices().iter().map(|p| Point::from(p.coords * grown)).collect();
            engine.refit(&mut a, &vertices, &Control::NONE).expect("as many");
            let side = if step % 7 == 0 { -1.0 } else { 1.0 };
            let pose = shifted(side * 0.55, 0.6 + 0.01 * f64::from(step % 40), 0.58);
            let (second, mesh) = if step % 11 == 10 { (&other, &small) } else { (&b, &ball) };
            let mut answer = impinge_query::Answer::default();
            let ask = Ask::first_contact();
            engine
                .query(&a, second, &pose, &mut memory, &ask, &Control::NONE, &mut answer)
                .expect("an answer");
            let fresh = ball.with_vertices(vertices).expect("as many");
            assert_eq!(answer.verdict.is_hit(), hits(&fresh, mesh, &pose), "{step}");
            verdicts[usize::from(answer.verdict.is_hit())] += 1;
            let known = memory.own().survey().ended == Ended::Remembered;
            // The other pair begins without hints.
            assert!(!known || step % 11 != 10, "{step}");
            remembered += u32::from(known);
        }
        assert!(verdicts.iter().all(|&n| n > 10) && remembered > 3, "{verdicts:?} {remembered}");
    }
}

/// Samples of a machine that keeps most of them as support vectors do not pile up.
#[test]
fn hints_do_not_pile_up() {
    let (ball, knot) = (Shape::Sphere.mesh(2_000, 0), Shape::Trefoil.mesh(2_000, 0));
    let samples = Samples::Support { most: 16 };
    let engine = sbv_with(Params { samples, ..Params::of_paper() });
    let prepare = |mesh| Engine::prepare(&engine, mesh, &Control::NONE).expect("any mesh");
    let (a, b) = (prepare(&ball), prepare(&knot));
    let mut memory = SbvMemory::default();
    let mut most = 0;
    for step in 0..100 {
        let turn = f64::from(step) * 0.06;
        let pose = shifted(0.7 * turn.cos(), 0.7 * turn.sin(), 0.1);
        let survey = engine.survey(&a, &b, &pose, &mut memory, &Control::NONE);
        most = survey.expect("to the end").samples.into_iter().fold(most, usize::max);
    }
    assert!((1..=24).contains(&most), "{most}");
}

/// The twin's scans of all vertices look at the flag one by one.
#[test]
fn the_default_training_hears_a_cancellation() {
    let ring = Shape::Torus.mesh(2_000, 0);
    let engine = sbv();
    let model = Engine::prepare(&engine, &ring, &Control::NONE).expect("any mesh");
    let pose = shifted(0.3, 0.2, 0.1);
    let looks = |at: u64| {
        let cancel = Cancel::at_look(at);
        let control = Control::NONE.cancelled_by(&cancel);
        let survey = engine.survey(&model, &model, &pose, &mut SbvMemory::default(), &control);
        (survey.is_err(), cancel.looks().expect("it counts"))
    };
    assert!(!looks(u64::MAX).0);
    // The first look is before the bounds, the next ones are those of the twin.
    assert!((1..12).all(|at| looks(at).0));
}

/// Hulls that overlapped are known to overlap again by a few vertices; those that do not any more are
/// told apart as ever.
#[test]
fn a_pair_in_contact_looks_for_a_plane_of_all_vertices_once() {
    let ring = Shape::Torus.mesh(2_000, 0);
    let engine = sbv();
    let model = Engine::prepare(&engine, &ring, &Control::NONE).expect("any mesh");
    let mut memory = SbvMemory::default();
    let mut survey = |x: f64| {
        let survey =
            engine.survey(&model, &model, &shifted(x, 0.0, 0.0), &mut memory, &Control::NONE);
        survey.expect("to the end")
    };
    let width = 2.0 * ring.bounds().1.x;
    let (first, again) = (survey(0.9 * width), survey(0.91 * width));
    assert_eq!((first.ended, again.ended), (Ended::Detail, Ended::Detail));
    assert_eq!(first.trainings, again.trainings + 1, "{first:?} {again:?}");
    // The boxes overlap, and a plane separates the rings.
    let turned = Pose::from_quaternion([0.75 * width, 0.75 * width, 0.0], [0.0, 0.0, 0.0, 1.0]);
    let apart =
        engine.survey(&model, &model, &turned.expect("finite"), &mut memory, &Control::NONE);
    assert_eq!(apart.expect("to the end").ended, Ended::Training);
}

#[test]
fn a_cancelled_refit_changes_nothing() {
    let ball = Shape::Sphere.mesh(60_000, 0);
    let far = ball.vertices().iter().map(|p| p + Vector::x() * 9.0).collect::<Vec<_>>();
    let (engine, ask) = (sbv(), Ask::first_contact());
    let mut model = Engine::prepare(&engine, &ball, &Control::NONE).expect("any mesh");
    let other = model.clone();
    let mut cancelled = 0;
    for look in 1.. {
        let cancel = Cancel::at_look(look);
        let refitted = engine.refit(&mut model, &far, &Control::NONE.cancelled_by(&cancel));
        let answer = engine.ask(&model, &other, &Pose::identity(), &ask).expect("an answer");
        assert_eq!(answer.verdict.is_hit(), refitted.is_err(), "look {look}");
        assert_eq!(model.mesh().vertices()[0] == far[0], refitted.is_ok(), "look {look}");
        if refitted.is_ok() {
            break;
        }
        cancelled += 1;
    }
    // One look for each 8,192 vertices.
    assert!(cancelled > 5, "{cancelled}");
}
