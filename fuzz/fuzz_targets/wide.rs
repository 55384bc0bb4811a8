//! Arbitrary meshes of several nodes to the fast engine: after building, and after refits.
#![no_main]

use impinge::Point;
use impinge::query::{Control, Engine};
use impinge_fuzz::wide::{engines, judge, scene};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let [copies, step, flags, rest @ ..] = bytes else { return };
    let Some((a, b, pose)) = scene(rest, *copies, *step) else { return };
    let morton = flags & 1 != 0;
    let Some(engine) = engines(morton).last() else { return };
    let prepare = |mesh| engine.prepare(mesh, &Control::NONE).expect("any mesh will do");
    let (mut model, other) = (prepare(&a), prepare(&b));
    judge(&model, &other, &pose, morton);
    judge(&other, &model, &pose, morton);
    // Permute the vertices, so that the tree's axes and order no longer fit.
    let mut vertices: Vec<Point> = a.vertices().to_vec();
    vertices.rotate_left(usize::from(flags >> 1) % a.vertices().len());
    for _ in 0..2 {
        engine.refit(&mut model, &vertices, &Control::NONE).expect("as many vertices");
        judge(&model, &other, &pose, morton);
    }
});
