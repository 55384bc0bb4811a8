//! Placed poses are at the distances they claim, by the rational oracle, which knows nothing of the
//! tree that searched them.

use impinge_benches::placement::{Plan, TARGETS, Target, place};
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
            // A prong may be passed by, but the ball cannot leave the comb by less than its radius.
            Target::Deep(part) if part < 0.02 => {
                assert!(!oracle::contacts(&comb.mesh, &posed).is_empty(), "{part} deep");
            }
            Target::Deep(_) | Target::Inside => {}
        }
    }
}
