//! Placed poses have the claimed distances, by the rational oracle, which is independent of the
//! tree used in the search.

use impinge_benches::placement::{Plan, TARGETS, Target, place, place_at, poses};
use impinge_benches::scene::NamedMesh;
use impinge_models::Shape;
use impinge_testkit::oracle;

#[test]
fn the_oracle_finds_the_distances_that_were_wanted() {
    let comb = NamedMesh { name: "comb".to_owned(), mesh: Shape::Comb.mesh(44, 0) };
    let ball = NamedMesh { name: "ball".to_owned(), mesh: Shape::Sphere.mesh(60, 0) };
    let plan = Plan { orientations: 3, seed: 4 };
    let placed = place(&comb, &ball, &plan, &|_| ()).expect("a comb and a ball can be placed");
    assert_eq!(placed.len(), 3 * TARGETS.len());
    let size = comb.mesh.diagonal().min(ball.mesh.diagonal());
    for placed in placed {
        let posed = ball.mesh.posed(&placed.pose).expect("the pose is small");
        match placed.target {
            Target::Apart(part) => {
                let distance = oracle::mesh_distance(&comb.mesh, &posed) / size;
                let off = (distance - part).abs();
                assert!(off <= 2e-6 * part + 1e-15, "{distance:e} instead of {part:e}");
            }
            // A prong may be passed, but the ball cannot leave the comb in less than its radius.
            Target::Deep(part) if part < 0.02 => {
                assert!(!oracle::contacts(&comb.mesh, &posed).is_empty(), "{part} deep");
            }
            Target::Deep(_) | Target::Inside => {}
        }
    }
}

#[test]
fn gaps_and_depths_of_ones_own_are_met() {
    let torus = NamedMesh::shape(Shape::Torus, 300, 1);
    let gaps = [0.05, 0.01];
    let deep = Target::Deep(0.01);
    let targets = [Target::Apart(gaps[0]), Target::Apart(gaps[1]), deep];
    let plan = Plan { orientations: 2, seed: 1 };
    let placed = place_at([&torus, &torus], &targets, &plan, &|_| ()).expect("lines hit");
    assert_eq!(placed.len(), 2 * 3);
    let mesh = &torus.mesh;
    for gap in gaps {
        for pose in poses(&placed, Target::Apart(gap)) {
            let found = impinge::distance(mesh, mesh, &pose).expect("a distance").distance;
            assert!((found / mesh.diagonal() - gap).abs() < 1e-6, "{found}");
        }
    }
    for pose in poses(&placed, deep) {
        assert!(impinge::intersects(mesh, mesh, &pose).expect("an answer"));
    }
}
