//! Predictions for more processors: task trees of all queries of a scene, traced on one thread, and
//! the work-span model on them.

use impinge::parallel::{Form, ParallelEngine, Trace};
use impinge::query::{Ask, Control, Engine};

use super::Workload;

/// Numbers of processors in predictions: the paper's four, and those of current machines.
pub const PROCESSORS: [usize; 3] = [4, 16, 64];

/// Assumed mean overhead of a task in nanoseconds. Most tasks are taken by the thread that left
/// them, in some tens of nanoseconds; a few are stolen, in up to a microsecond.
pub const HANDING: u64 = 200;

/// Summed task trees of all queries, which run one after the other.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TaskTree {
    /// `T_1`: mean over steps of all work, in nanoseconds.
    pub work: f64,
    /// `T_∞`: mean over steps of the critical paths, in nanoseconds.
    pub span: f64,
    /// Predicted time of a step for each number of [`PROCESSORS`], in nanoseconds.
    pub on: [f64; 3],
    /// Sequential portions of work over all steps.
    pub portions: usize,
}

impl TaskTree {
    /// `T_1 / T_∞`: the largest useful number of processors.
    pub fn parallelism(&self) -> f64 {
        self.work / self.span.max(1.0)
    }

    /// Speed-up (work over predicted time) for each number of processors.
    pub fn speed_ups(&self) -> [f64; 3] {
        self.on.map(|time| self.work / time.max(1.0))
    }
}

/// Traces every query several times and keeps the trace with the least work.
///
/// # Errors
/// If a query fails.
pub fn grow<F: Form>(
    engine: &ParallelEngine<F>,
    workload: &Workload,
    ask: &Ask,
    passes: usize,
) -> Result<TaskTree, String> {
    let word = engine.description.word;
    let prepare = |mesh| engine.prepare(mesh, &Control::NONE);
    let models = workload.meshes.iter().map(prepare).collect::<Result<Vec<_>, _>>();
    let models = models.map_err(|error| format!("{word}: {error}"))?;
    let steps = workload.steps.len().max(1) as f64;
    let mut tree = TaskTree::default();
    for query in workload.steps.iter().flatten() {
        let [a, b] = [query.a, query.b].map(|mesh| &models[mesh]);
        let mut best: Option<Trace> = None;
        for _ in 0..passes.max(1) {
            let trace = engine.trace(a, b, &query.pose, ask);
            let trace = trace.map_err(|error| format!("{word}: {error}"))?;
            if best.as_ref().is_none_or(|best| trace.work() < best.work()) {
                best = Some(trace);
            }
        }
        let trace = best.unwrap_or_default();
        tree.work += trace.work() as f64 / steps;
        tree.span += trace.span() as f64 / steps;
        for (sum, processors) in tree.on.iter_mut().zip(PROCESSORS) {
            *sum += trace.on(processors, HANDING) as f64 / steps;
        }
        tree.portions += trace.tasks.len();
    }
    Ok(tree)
}
