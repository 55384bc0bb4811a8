//! A needle through the middle of one large triangle: no edge of the triangle meets the needle, so
//! only the edges of the needle can tell. As printed, the paper never asks them in one order.

use impinge_geometry::{Mesh, Point, Pose};
use impinge_query::{Ask, Control, Engine};
use impinge_stream::{
    Params, StreamEngine, stream_basic_with, stream_shrink_with, stream_tree_with,
};

fn mesh(corners: &[[f64; 3]], triangles: &[[u32; 3]]) -> Mesh {
    Mesh::new(corners.iter().copied().map(Point::from).collect(), triangles.to_vec())
        .expect("legal")
}

/// A large triangle in the plane z = 0.
fn plate() -> Mesh {
    mesh(&[[-9.0, -9.0, 0.0], [9.0, -9.0, 0.0], [0.0, 9.0, 0.0]], &[[0, 1, 2]])
}

/// A thin tetrahedron along z.
fn needle() -> Mesh {
    let corners = [[0.0, 0.0, -1.0], [0.01, 0.0, 1.0], [-0.01, 0.01, 1.0], [0.0, -0.01, 1.0]];
    mesh(&corners, &[[0, 2, 1], [0, 3, 2], [0, 1, 3], [1, 2, 3]])
}

fn hits(engine: &StreamEngine, a: &Mesh, b: &Mesh) -> bool {
    let [a, b] = [a, b].map(|m| engine.prepare(m, &Control::NONE).expect("any mesh"));
    let answer = engine.ask(&a, &b, &Pose::identity(), &Ask::first_contact()).expect("an answer");
    answer.verdict.is_hit()
}

const FORMS: [fn(Params) -> StreamEngine; 3] =
    [stream_basic_with, stream_tree_with, stream_shrink_with];

#[test]
fn a_needle_is_found_in_both_orders() {
    for form in FORMS {
        for params in [Params::default(), Params::sampled()] {
            let engine = form(params);
            assert!(hits(&engine, &plate(), &needle()), "{engine:?}");
            assert!(hits(&engine, &needle(), &plate()), "{engine:?}");
        }
    }
}

#[test]
fn as_printed_a_needle_in_a_plate_is_lost_where_boxes_cull() {
    for (form, lost) in FORMS.into_iter().zip([false, true, true]) {
        let engine = form(Params::as_printed());
        assert!(hits(&engine, &needle(), &plate()), "{engine:?}");
        assert_eq!(!hits(&engine, &plate(), &needle()), lost, "{engine:?}");
    }
}
