//! Ways out along a direction, asked of a pair.

use impinge::query::{Control, Meaning, Side};
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
