//! Forks a process that has used threads: the child, which has none of them, must give the same
//! answers.
//!
//! A program of its own: a fork copies whatever other tests were doing.

#![cfg(all(unix, feature = "methods"))]
#![allow(unsafe_code, reason = "the standard library cannot fork")]

use std::panic::catch_unwind;

use impinge::query::Control;
use impinge::{Answer, Ask, Body, Method, Pair, Pose, Vector};
use impinge_models::{Random, Shape};

/// Seconds after which `alarm` kills a child that hangs.
const PATIENCE: u32 = 120;

/// Answers of methods that use threads, for every use of them: preparation, one long query, a mesh
/// against itself, and a batch.
fn answers() -> Vec<Answer> {
    let mesh = Shape::Torus.mesh(40_000, 0);
    let pose = Pose::translation_by(Vector::new(0.1, 0.05, 0.02)).expect("in range");
    let poses: Vec<Pose> = (0..600).map(|seed| Random::new(seed).pose(0.75)).collect();
    let mut all = Vec::new();
    for method in [Method::Wide, Method::Spcd, Method::Epcd, Method::EdgeSteal] {
        let body = Body::with(method, &mesh, &Control::NONE).expect("any mesh");
        let mut pair = Pair::of(&body, &body).expect("of one method");
        all.push(pair.ask(&pose, &Ask::all_contacts()).expect("in range").clone());
        if method == Method::Wide {
            all.push(body.ask_self(&Ask::all_contacts(), &Control::NONE).expect("any mesh"));
            all.extend(pair.batch(&poses, &Ask::distance()).expect("in range"));
        }
    }
    for answer in &mut all {
        answer.backend = impinge::query::Backend::Cpu; // reports the number of threads
    }
    all
}

#[test]
fn a_forked_process_gives_the_same_answers() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build_global();
    pool.expect("the first use of the pool");
    let before = answers();
    let hits = before.iter().filter(|answer| answer.verdict.is_hit()).count();
    assert!(hits > 180 && hits < 420, "{hits} of {} hit", before.len());
    // SAFETY: this is the only test of its process, and the child leaves by `_exit` without
    // unwinding into what the parent's other threads had locked.
    let child = unsafe { libc::fork() };
    assert!(child >= 0, "no second process");
    if child == 0 {
        // SAFETY: plain system calls; `alarm` ends a child that waits for ever.
        unsafe { libc::alarm(PATIENCE) };
        let same = catch_unwind(|| answers() == before);
        let status = i32::from(!matches!(same, Ok(true)));
        // SAFETY: as above.
        unsafe { libc::_exit(status) };
    }
    let mut status = 0;
    // SAFETY: `status` outlives the call, and the child is this process's own.
    let ended = unsafe { libc::waitpid(child, &raw mut status, 0) };
    assert_eq!(ended, child);
    assert!(libc::WIFEXITED(status), "the child hung and was ended: status {status}");
    assert_eq!(libc::WEXITSTATUS(status), 0, "the child's answers differ");
}
