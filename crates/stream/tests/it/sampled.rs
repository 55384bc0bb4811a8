//! What 32 bits decide wrongly: nothing here on generic bodies as the text describes the tests, and
//! much as they are printed.

use impinge_geometry::{Mesh, Point, Pose, Vector};
use impinge_models::{Random, Shape};
use impinge_query::{Ask, Certainty, Control, Engine};
use impinge_stream::{
    Params, StreamEngine, stream_basic_with, stream_shrink, stream_shrink_with, stream_tree_with,
};

/// False hits and misses against the certified form, of 60 poses; and the number of hits.
fn wrong(engine: &StreamEngine, [a, b]: &[Mesh; 2], reach: f64) -> [usize; 3] {
    let truth = stream_shrink();
    let prepare = |engine: &StreamEngine| {
        [a, b].map(|mesh| engine.prepare(mesh, &Control::NONE).expect("any mesh"))
    };
    let ([p, q], [r, s]) = (prepare(engine), prepare(&truth));
    let mut sums = [0; 3];
    for index in 0..60 {
        let pose = Random::stream(631, index).pose(reach);
        let ask = Ask::first_contact();
        let found = engine.ask(&p, &q, &pose, &ask).expect("an answer");
        assert_eq!(found.certainty, Certainty::Rounded { bits: 24 });
        let hit = truth.ask(&r, &s, &pose, &ask).expect("an answer").verdict.is_hit();
        sums[0] += usize::from(found.verdict.is_hit() && !hit);
        sums[1] += usize::from(!found.verdict.is_hit() && hit);
        sums[2] += usize::from(hit);
    }
    sums
}

const FORMS: [fn(Params) -> StreamEngine; 3] =
    [stream_basic_with, stream_tree_with, stream_shrink_with];

/// Triangles nearer than 32 bits tell are a contact that does not meet: it has no detail.
#[test]
fn contacts_in_32_bits_are_not_described() {
    let mesh = |corners: [[f64; 3]; 3]| {
        Mesh::new(corners.map(Point::from).to_vec(), vec![[0, 1, 2]]).expect("a triangle")
    };
    let a = mesh([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    let b = mesh([[0.25, 0.25, 1.0], [0.25, 0.25, 1e-12], [0.3, 0.25, 1.0]]);
    for form in FORMS {
        for (params, found) in [(Params::sampled(), 1), (Params::default(), 0)] {
            let engine = form(params);
            let [a, b] = [&a, &b].map(|m| engine.prepare(m, &Control::NONE).expect("any mesh"));
            let ask = Ask::all_contacts();
            let answer = engine.ask(&a, &b, &Pose::identity(), &ask).expect("an answer");
            assert_eq!(answer.contacts.len(), found);
            let details = engine.ask(&a, &b, &Pose::identity(), &ask.detailed());
            let refused = details.as_ref().err().map(ToString::to_string).unwrap_or_default();
            assert_eq!(refused.contains("where contacts meet"), found == 1, "{details:?}");
        }
    }
}

#[test]
fn in_32_bits_generic_bodies_are_classified_correctly() {
    let bodies = [Shape::Torus.mesh(400, 1), Shape::Hull.mesh(300, 2)];
    for form in FORMS {
        let [false_hits, false_misses, hits] = wrong(&form(Params::sampled()), &bodies, 1.0);
        assert_eq!([false_hits, false_misses], [0; 2]);
        assert!((18..=42).contains(&hits), "{hits}");
    }
}

#[test]
fn as_printed_separate_bodies_are_hits_and_small_ones_misses() {
    let bodies = [Shape::Torus.mesh(400, 1), Shape::Hull.mesh(300, 2)];
    let small = bodies.clone().map(|mesh| {
        let vertices: Vec<Point> = mesh.vertices().iter().map(|p| p * 1e-3).collect();
        Mesh::new(vertices, mesh.triangles().to_vec()).expect("in range")
    });
    // Where boxes cull, few edges are tested against a triangle behind them, but siblings of an
    // empty node are left out.
    for (form, most) in FORMS.into_iter().zip([[20, 0], [1, 0], [0, 5]]) {
        let engine = form(Params::as_printed());
        let [false_hits, false_misses, hits] = wrong(&engine, &bodies, 1.0);
        println!(
            "{}: {false_hits} false hits, {false_misses} false misses, {hits} hits",
            engine.describe().word
        );
        assert!(false_hits >= most[0] && false_misses >= most[1]);
        let [_, false_misses, hits] = wrong(&engine, &small, 1e-3);
        assert_eq!(false_misses, hits, "all determinants are below 1e-6");
        assert!(hits >= 18, "{hits}");
    }
}

/// The common border of two triangles crosses a side of a third; at each `u + v = 1`.
#[test]
fn in_32_bits_borders_belong_to_both_triangles_unless_as_printed() {
    let square = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
    let flat = Mesh::new(square.map(Point::from).to_vec(), vec![[1, 2, 0], [3, 0, 2]]);
    let spike = [[0.5, 0.5, -0.5], [0.5, 0.5, 0.5], [0.6, 0.5, 0.5]];
    let spike = Mesh::new(spike.map(Point::from).to_vec(), vec![[2, 0, 1]]);
    let bodies = [flat.expect("legal"), spike.expect("legal")];
    let still = Pose::translation_by(Vector::zeros()).expect("in range");
    let hits = |params: Params| {
        let engine = stream_basic_with(params);
        let [a, b] = bodies.clone().map(|m| engine.prepare(&m, &Control::NONE).expect("legal"));
        engine.ask(&a, &b, &still, &Ask::all_contacts()).expect("an answer").contacts.len()
    };
    assert_eq!((hits(Params::default()), hits(Params::sampled())), (2, 2));
    // Another edge of the spike meets one of them beside the border.
    assert_eq!(hits(Params::as_printed()), 1);
}
