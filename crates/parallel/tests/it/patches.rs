//! What the planes of patches dismiss: no edge is tested of patches that lie beside each other's planes.

use impinge_geometry::{Mesh, Point, Pose, Vector};
use impinge_parallel::edge_steal;
use impinge_query::{Ask, Control, Engine, Statistics};

/// Two triangles with a common ridge, seen from above or turned.
fn roof(turned: bool) -> Mesh {
    let corners = [[0.0, 0.0, 1.0], [0.0, 1.0, 1.0], [-1.0, 0.5, 0.0], [1.0, 0.5, 0.0]];
    let faces = if turned { [[1, 0, 2], [0, 1, 3]] } else { [[0, 1, 2], [1, 0, 3]] };
    Mesh::new(corners.map(Point::from).to_vec(), faces.to_vec()).expect("legal")
}

/// The counts for a roof and another one this much above it.
fn counted([a, b]: [bool; 2], above: f64) -> Statistics {
    let [a, b] = [a, b]
        .map(|turned| edge_steal().prepare(&roof(turned), &Control::NONE).expect("a legal mesh"));
    let pose = Pose::translation_by(Vector::new(0.0, 0.0, above)).expect("in range");
    let answer = edge_steal().ask(&a, &b, &pose, &Ask::all_contacts().counted());
    answer.expect("an answer").statistics.expect("counted")
}

/// The lower roof is on one side of both planes of the upper one, above or below as that is wound.
#[test]
fn no_edge_is_tested_of_roofs_one_above_the_other() {
    for a in [false, true] {
        for b in [false, true] {
            for above in [0.125, -0.125] {
                let counts = counted([a, b], above);
                assert!(counts.volume_tests >= 5, "the patches are compared: {counts:?}");
                assert_eq!((counts.primitive_tests, counts.exact_tests), (0, 0), "{a} {b} {above}");
            }
            assert!(counted([a, b], 0.0).primitive_tests > 0);
        }
    }
}
