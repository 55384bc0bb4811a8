//! Ways out along a direction, asked of a pair.

use impinge::query::{Cancel, Control, Meaning, Side};
use impinge::{Error, Pair, Pose, Vector, Way, models::Shape};

/// The place is free for the pair's own method, and the pair follows its meshes.
#[test]
fn a_pair_knows_its_way_out() {
    let (a, b) = (Shape::Torus.mesh(600, 0), Shape::Gear.mesh(600, 0));
    let mut pair = Pair::new(&a, &b).expect("prepared");
    let pose = Pose::translation_by(Vector::new(0.2, 0.1, 0.0)).expect("small");
    let d = Vector::new(0.5, -0.25, 1.0);
    assert!(pair.intersects(&pose).expect("answered"));
    let exit = pair.exit(&pose, &d).expect("a way out");
    assert!(exit.by > 0.0 && exit.end.high <= exit.by && exit.triangles.is_some());
    assert!(!pair.intersects(&exit.pose).expect("answered"));
    let (way, meaning) = (Way::FirstFree, Meaning::Solids);
    let first = pair.exit_with(&pose, &d, way, meaning, &Control::NONE).expect("a way out");
    assert!(first.by > 0.0 && first.by <= exit.by);
    assert!(!pair.collide_solids(&first.pose).expect("answered").is_hit());
    // Twice as large, and so farther out.
    pair.refit(Side::B, &b.scaled(2.0).expect("in range")).expect("the same triangles");
    let larger = pair.exit(&pose, &d).expect("a way out");
    assert!(larger.by > 1.2 * exit.by, "{} {}", larger.by, exit.by);
    assert!(!pair.intersects(&larger.pose).expect("answered"));
}

#[test]
fn a_direction_that_is_none_is_refused() {
    let cube = Shape::Cube.mesh(12, 0);
    let pair = Pair::new(&cube, &cube).expect("prepared");
    for d in [Vector::zeros(), Vector::new(0.0, f64::NAN, 1.0)] {
        let found = pair.exit(&Pose::identity(), &d);
        assert!(matches!(found, Err(Error::Exit(_))), "{found:?}");
    }
}

/// The same bits on any number of threads; a direction that is none ends the list there.
#[test]
fn many_ways_out_are_those_of_single_questions() {
    let (a, b) = (Shape::Torus.mesh(300, 0), Shape::Gear.mesh(300, 0));
    let pair = Pair::new(&a, &b).expect("prepared");
    let way = |k: usize| {
        let along = Vector::new(0.5, (k as f64).cos(), (k as f64).sin());
        (Pose::translation_by(Vector::new(0.01 * k as f64, 0.1, 0.0)).expect("small"), along)
    };
    let mut ways: Vec<_> = (0..60).map(way).collect();
    let single: Vec<_> = ways.iter().map(|(pose, d)| pair.exit(pose, d).expect("out")).collect();
    let (out, meaning) = (Way::LastContact, Meaning::Surfaces);
    let all = |ways: &[_], threads: usize, control: &Control<'_>| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let mut found = Vec::new();
        let mut keep = |index: usize, exit: &_| {
            assert_eq!(index, found.len());
            found.push(*exit);
        };
        let done = pool.install(|| pair.exits(ways, out, meaning, control, &mut keep));
        (done, found)
    };
    for threads in [1, 3] {
        assert_eq!(all(&ways, threads, &Control::NONE), (Ok(()), single.clone()));
    }
    let cancel = Cancel::new();
    cancel.cancel();
    let (done, found) = all(&ways, 2, &Control::NONE.cancelled_by(&cancel));
    assert!(matches!(done, Err(Error::Batch(error)) if error.index == 0) && found.is_empty());
    ways[40].1 = Vector::zeros();
    let (done, found) = all(&ways, 3, &Control::NONE);
    assert!(matches!(done, Err(Error::Exit(_))), "{done:?}");
    assert_eq!(found, single[..40]);
}
