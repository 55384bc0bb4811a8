//! The battery for the parallel methods, on the ambient pool and on one of three threads.

use impinge_parallel::methods::{
    EdgeBoxParams, EdgeStealParams, SimpleParams, edge_steal_with, epcd_with, escd_with, spcd_with,
    sstcd_with,
};
use impinge_parallel::{Balanced, Passed, Pool};

/// Three threads, whatever the machine.
fn three() -> Pool {
    Pool::of(3).expect("three threads")
}

/// Boxes as the thesis describes them.
fn halves() -> Balanced {
    Balanced { shrink: false, ..Balanced::default() }
}

/// `escd` and `epcd` on these boxes, without comparing bounds.
fn thesis(passed: Passed) -> EdgeBoxParams {
    EdgeBoxParams { builder: halves(), passed, bounds_first: false, ..Default::default() }
}

impinge_testkit::conformance!(sstcd, impinge_parallel::sstcd());
impinge_testkit::conformance!(spcd, impinge_parallel::spcd());
impinge_testkit::conformance!(escd, impinge_parallel::escd());
impinge_testkit::conformance!(epcd, impinge_parallel::epcd());
impinge_testkit::conformance!(edge_steal, impinge_parallel::edge_steal());
impinge_testkit::conformance!(
    spcd_32_at_once,
    crate::conformance::spcd_with(crate::conformance::SimpleParams {
        at_once: 32,
        pool: crate::conformance::three(),
        ..Default::default()
    })
);
impinge_testkit::conformance!(
    escd_surviving,
    crate::conformance::escd_with(crate::conformance::EdgeBoxParams {
        passed: crate::conformance::Passed::Surviving,
        ..Default::default()
    })
);
impinge_testkit::conformance!(
    epcd_surviving,
    crate::conformance::epcd_with(crate::conformance::EdgeBoxParams {
        passed: crate::conformance::Passed::Surviving,
        pool: crate::conformance::three(),
        ..Default::default()
    })
);
impinge_testkit::conformance!(
    sstcd_without_bounds,
    crate::conformance::sstcd_with(crate::conformance::SimpleParams {
        bounds_first: false,
        ..Default::default()
    })
);
impinge_testkit::conformance!(
    spcd_thesis,
    crate::conformance::spcd_with(crate::conformance::SimpleParams {
        builder: crate::conformance::halves(),
        bounds_first: false,
        pool: crate::conformance::three(),
        ..Default::default()
    })
);
impinge_testkit::conformance!(
    escd_thesis,
    crate::conformance::escd_with(crate::conformance::thesis(crate::conformance::Passed::All))
);
impinge_testkit::conformance!(
    escd_thesis_surviving,
    crate::conformance::escd_with(crate::conformance::thesis(
        crate::conformance::Passed::Surviving
    ))
);
impinge_testkit::conformance!(
    escd_thesis_by_the_letter,
    crate::conformance::escd_with(crate::conformance::thesis(
        crate::conformance::Passed::AllAtLeaves
    ))
);
impinge_testkit::conformance!(
    epcd_all_at_leaves,
    crate::conformance::epcd_with(crate::conformance::EdgeBoxParams {
        passed: crate::conformance::Passed::AllAtLeaves,
        pool: crate::conformance::three(),
        ..Default::default()
    })
);
impinge_testkit::conformance!(
    edge_steal_in_slices_of_two,
    crate::conformance::edge_steal_with(crate::conformance::EdgeStealParams {
        slice: 2,
        patch: 3,
        pool: crate::conformance::three()
    })
);
