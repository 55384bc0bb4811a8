//! The parameters of `sbv`.

use crate::train::Machine;

/// What finds the plane of largest margin.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Solver {
    /// The nearest points of the two hulls.
    #[default]
    Twin,
    /// The paper's support vector machine.
    Machine(Machine),
}

/// The samples of a training.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Samples {
    /// First all vertices, until a plane separates them; if none does, the support points outside
    /// the other model's bounds, for the directions of the region. One training then decides every
    /// pair of meshes whose hulls are apart by more than rounding. Only the twin is fast enough.
    #[default]
    All,
    /// As in the paper: the support points outside the other model's bounds.
    Support {
        /// The most samples of a model; more are thinned out evenly. At most eight support vectors
        /// of the query before join them.
        most: usize,
    },
}

/// The parameters of `sbv`. No choice changes a verdict.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Params {
    /// What finds the plane.
    pub solver: Solver,
    /// Which samples it gets.
    pub samples: Samples,
    /// The most rounds of shrinking the region.
    pub rounds: u32,
    /// A round that drops less than this share of the triangles is the last.
    pub least_drop: f64,
}

impl Default for Params {
    fn default() -> Self {
        Self::new()
    }
}

impl Params {
    /// The default: the twin, all vertices, at most eight rounds that drop a quarter each.
    pub const fn new() -> Self {
        Self { solver: Solver::Twin, samples: Samples::All, rounds: 8, least_drop: 0.25 }
    }

    /// The paper's form: its machine with LIBSVM's parameters, its samples, and rounds until nothing
    /// changes. The faults of its listing that make it stall or give wrong answers are mended:
    /// `docs/methods/sbv.md`.
    pub const fn of_paper() -> Self {
        Self {
            solver: Solver::Machine(Machine::as_printed()),
            samples: Samples::Support { most: usize::MAX },
            rounds: 64,
            least_drop: 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No verdict tells the forms apart: the paper's has all support points, the machine as it comes,
    /// and rounds while any triangle is dropped.
    #[test]
    fn the_papers_form_has_its_parameters() {
        let paper = Params {
            solver: Solver::Machine(Machine::as_printed()),
            samples: Samples::Support { most: usize::MAX },
            rounds: 64,
            least_drop: 0.0,
        };
        assert_eq!(Params::of_paper(), paper);
        let ours =
            Params { solver: Solver::Twin, samples: Samples::All, rounds: 8, least_drop: 0.25 };
        assert_eq!(Params::default(), ours);
    }
}
