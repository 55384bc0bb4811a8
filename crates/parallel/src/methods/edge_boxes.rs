//! P3 and P4, edges against boxes (fan §4.4). Documented in `docs/methods/escd.md` and
//! `docs/methods/epcd.md`.

use impinge_geometry::{Mesh, Pose};
use impinge_query::{Control, PrepareError};

use crate::balanced::Balanced;
use crate::edge_boxes::{EdgeScratch, EdgesAgainstBoxes, Passed};
use crate::engine::{Form, ParallelEngine};
use crate::model::BalancedModel;
use crate::pool::Pool;
use crate::schedule::Schedule;

/// Parameters of `escd` and `epcd`.
///
/// | field | default | effect |
/// | --- | --- | --- |
/// | `builder` | see [`Balanced`] | how boxes are cut |
/// | `passed` | all | which edges a task passes to its children |
/// | `bounds_first` | yes | whether bounds are compared before an edge and a triangle |
/// | `at_once` | 32 | `epcd`: `K`, most tasks between two barriers (§4.5.1) |
/// | `pool` | ambient | `epcd`: its threads |
#[derive(Clone, Debug)]
pub struct EdgeBoxParams {
    /// How boxes are cut.
    pub builder: Balanced,
    /// Which edges a task passes to its children.
    pub passed: Passed,
    /// Whether an edge is tested against a triangle only if their bounds overlap. The paper tests
    /// every one.
    pub bounds_first: bool,
    /// Most tasks between two barriers. Not used by `escd`.
    pub at_once: usize,
    /// Where the threads come from. Not used by `escd`.
    pub pool: Pool,
}

impl Default for EdgeBoxParams {
    fn default() -> Self {
        let EdgeBoxes { builder, passed, bounds_first } = EdgeBoxes::default();
        Self { builder, passed, bounds_first, at_once: 32, pool: Pool::default() }
    }
}

/// The [`Form`] of `escd` and `epcd`: the edges of one mesh against the boxes of the other, then
/// swapped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EdgeBoxes {
    /// How boxes are cut.
    pub builder: Balanced,
    /// Which edges a task passes to its children.
    pub passed: Passed,
    /// Whether an edge is tested against a triangle only if their bounds overlap.
    pub bounds_first: bool,
}

impl Default for EdgeBoxes {
    fn default() -> Self {
        Self { builder: Balanced::default(), passed: Passed::All, bounds_first: true }
    }
}

impl Form for EdgeBoxes {
    type Model = BalancedModel;
    type Scratch = EdgeScratch;
    type Tasks<'q> = EdgesAgainstBoxes<'q>;
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
        scratch: &mut EdgeScratch,
    ) -> EdgesAgainstBoxes<'q> {
        EdgesAgainstBoxes::new(a, b, pose, (self.passed, self.bounds_first), scratch)
    }

    fn give_back(&self, tasks: EdgesAgainstBoxes<'_>, scratch: &mut EdgeScratch) {
        tasks.give_back(scratch);
    }
}

/// The serial edge-box algorithm with its defaults (ESCD).
pub fn escd() -> ParallelEngine<EdgeBoxes> {
    escd_with(EdgeBoxParams::default())
}

/// The serial edge-box algorithm with chosen parameters.
pub fn escd_with(params: EdgeBoxParams) -> ParallelEngine<EdgeBoxes> {
    let title = "balanced box trees, edges against boxes, one queue";
    let description = super::describe("escd", title, "fan §4.4");
    let EdgeBoxParams { builder, passed, bounds_first, .. } = params;
    let form = EdgeBoxes { builder, passed, bounds_first };
    ParallelEngine { description, form, schedule: Schedule::Queue, pool: params.pool }
}

/// The parallel edge-box algorithm with its defaults (EPCD).
pub fn epcd() -> ParallelEngine<EdgeBoxes> {
    epcd_with(EdgeBoxParams::default())
}

/// The parallel edge-box algorithm with chosen parameters.
pub fn epcd_with(params: EdgeBoxParams) -> ParallelEngine<EdgeBoxes> {
    let title = "balanced box trees, edges against boxes, 32 tasks at once";
    let description = super::describe("epcd", title, "fan §4.4");
    let schedule = Schedule::Levels(params.at_once);
    ParallelEngine { description, schedule, ..escd_with(params) }
}
