//! The battery for three forms of the method.

use impinge_separate::{Params, Samples, SbvEngine, Solver, sbv, sbv_with};

fn of_paper() -> SbvEngine {
    sbv_with(Params::of_paper())
}

fn few_samples() -> SbvEngine {
    sbv_with(Params {
        solver: Solver::Twin,
        samples: Samples::Support { most: 16 },
        rounds: 1,
        ..Params::new()
    })
}

impinge_testkit::conformance!(sbv, super::sbv());
impinge_testkit::conformance!(sbv_of_paper, super::of_paper());
impinge_testkit::conformance!(sbv_of_few_samples, super::few_samples());
