//! P1 and P2, the simple serial and parallel algorithms (fan §4.3). Documented in
//! `docs/methods/sstcd.md` and `docs/methods/spcd.md`.

use impinge_geometry::{Mesh, Pose};
use impinge_query::{Control, PrepareError};

use crate::balanced::Balanced;
use crate::boxes::BoxPairs;
use crate::engine::{Form, ParallelEngine};
use crate::model::BalancedModel;
use crate::pool::Pool;
use crate::schedule::Schedule;

/// Parameters of `sstcd` and `spcd`.
///
/// | field | default | effect |
/// | --- | --- | --- |
/// | `builder` | see [`Balanced`] | how boxes are cut |
/// | `bounds_first` | yes | whether bounds are compared before an edge and a triangle |
/// | `at_once` | all | `spcd`: most tasks of a level between two barriers |
/// | `pool` | ambient | `spcd`: its threads |
#[derive(Clone, Debug)]
pub struct SimpleParams {
    /// How boxes are cut.
    pub builder: Balanced,
    /// Whether an edge is tested against a triangle only if their bounds overlap. The paper tests
    /// every one.
    pub bounds_first: bool,
    /// Most tasks between two barriers. Not used by `sstcd`.
    pub at_once: usize,
    /// Where the threads come from. Not used by `sstcd`.
    pub pool: Pool,
}

impl Default for SimpleParams {
    fn default() -> Self {
        let SimpleBoxes { builder, bounds_first } = SimpleBoxes::default();
        Self { builder, bounds_first, at_once: usize::MAX, pool: Pool::default() }
    }
}

/// The [`Form`] of `sstcd` and `spcd`: box against box on balanced trees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SimpleBoxes {
    /// How boxes are cut.
    pub builder: Balanced,
    /// Whether an edge is tested against a triangle only if their bounds overlap.
    pub bounds_first: bool,
}

impl Default for SimpleBoxes {
    fn default() -> Self {
        Self { builder: Balanced::default(), bounds_first: true }
    }
}

impl Form for SimpleBoxes {
    type Model = BalancedModel;
    type Scratch = ();
    type Tasks<'q> = BoxPairs<'q>;
    const REPEATS: bool = true;

    fn prepare(
        &self,
        word: &'static str,
        mesh: &Mesh,
        control: &Control<'_>,
    ) -> Result<BalancedModel, PrepareError> {
        BalancedModel::new(word, mesh, self.builder, control)
    }

    fn tasks<'q>(
        &self,
        a: &'q BalancedModel,
        b: &'q BalancedModel,
        pose: &'q Pose,
        _: bool,
        (): &mut (),
    ) -> BoxPairs<'q> {
        BoxPairs::new(a, b, pose, self.bounds_first)
    }
}

/// The simple serial algorithm with its defaults (SSTCD).
pub fn sstcd() -> ParallelEngine<SimpleBoxes> {
    sstcd_with(SimpleParams::default())
}

/// The simple serial algorithm with chosen parameters.
pub fn sstcd_with(params: SimpleParams) -> ParallelEngine<SimpleBoxes> {
    let title = "balanced box trees, box against box, one queue";
    let description = super::describe("sstcd", title, "fan §4.3.3");
    let form = SimpleBoxes { builder: params.builder, bounds_first: params.bounds_first };
    ParallelEngine { description, form, schedule: Schedule::Queue, pool: params.pool }
}

/// The simple parallel algorithm with its defaults (SPCD).
pub fn spcd() -> ParallelEngine<SimpleBoxes> {
    spcd_with(SimpleParams::default())
}

/// The simple parallel algorithm with chosen parameters.
pub fn spcd_with(params: SimpleParams) -> ParallelEngine<SimpleBoxes> {
    let title = "balanced box trees, box against box, each level in parallel";
    let description = super::describe("spcd", title, "fan §4.3.4");
    let schedule = Schedule::Levels(params.at_once);
    ParallelEngine { description, schedule, ..sstcd_with(params) }
}
