//! Meshes that have triangles several times: a search for one contact takes little longer than without the
//! repeats.

use impinge_geometry::{Mesh, Point, Pose};
use impinge_parallel::methods::{
    EdgeBoxParams, EdgeStealParams, SimpleParams, edge_steal_with, epcd_with, escd_with, spcd_with,
};
use impinge_parallel::{Form, ParallelEngine, Passed, Pool};
use impinge_query::{Answer, Ask, Control, Engine, Verdict};

/// `n` times the same triangle, each with vertices of its own.
fn pile(corners: [[f64; 3]; 3], n: u32) -> Mesh {
    let vertices = corners.repeat(n as usize).into_iter().map(Point::from).collect();
    let triangles = (0..n).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
    Mesh::new(vertices, triangles).expect("indices are in range")
}

/// `most(n)` bounds the tests in two piles that are in each other's boxes, and apart.
fn check<F: Form>(engine: &ParallelEngine<F>, most: fn(u64) -> u64) {
    let a = [[0.0, 0.0, 0.0], [3.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let b = [[1.4, 0.6, 0.01], [1.6, 0.5, 0.0], [1.5, 0.7, 0.0]];
    let (ask, still) = (Ask::first_contact().counted(), Pose::identity());
    for n in [500, 1_000, 2_000] {
        let [p, q] = [a, b].map(|t| engine.prepare(&pile(t, n), &Control::NONE).expect("any mesh"));
        let (mut memory, mut answer) = (engine.memory(), Answer::default());
        engine
            .query(&p, &q, &still, &mut memory, &ask, &Control::NONE, &mut answer)
            .expect("an answer");
        assert_eq!(answer.verdict, Verdict::Separated);
        let tests = answer.statistics.map_or(0, |s| s.volume_tests + s.primitive_tests);
        let word = engine.description.word;
        assert!(tests <= most(n.into()), "{word}, {n}: {tests} tests");
    }
    let [p, q] = [a, a].map(|t| engine.prepare(&pile(t, 30), &Control::NONE).expect("any mesh"));
    for (ask, contacts) in [(Ask::first_contact(), 1), (Ask::all_contacts(), 900)] {
        let (mut memory, mut answer) = (engine.memory(), Answer::default());
        engine
            .query(&p, &q, &still, &mut memory, &ask, &Control::NONE, &mut answer)
            .expect("an answer");
        assert_eq!(answer.contacts_found, contacts);
    }
}

#[test]
fn a_first_contact_in_piles_is_near_linear() {
    for threads in [1, 3] {
        let pool = || Pool::of(threads).expect("threads");
        check(&edge_steal_with(EdgeStealParams { pool: pool(), ..Default::default() }), |_| 1_000);
        check(&spcd_with(SimpleParams { pool: pool(), ..Default::default() }), |_| 1_000);
        // All edges of a mesh against each box on the way down.
        check(&epcd_with(EdgeBoxParams { pool: pool(), ..Default::default() }), |n| 200 * n);
    }
    for passed in [Passed::Surviving, Passed::AllAtLeaves] {
        check(&escd_with(EdgeBoxParams { passed, ..Default::default() }), |n| 200 * n);
    }
}
