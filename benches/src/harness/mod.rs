//! Competitors that take turns: the common loop behind every comparison of times.
//!
//! 1. [`Workload`]: meshes, and the queries of each step.
//! 2. [`Competitor`]: a method with its parameters and a label; [`Ready`] adds its memories.
//! 3. [`take_turns`]: at every step each has a turn; the first one changes.
//! 4. [`compete`]: counts and times all competitors; [`count`] only counts one; [`agree`] compares answers.
//! 5. [`Timing`]: times and counters of a competitor; [`level`]: times of as many passes each.
//! 6. [`task_tree`]: predictions for more processors.

mod competitor;
pub mod task_tree;
#[cfg(test)]
mod tests;
mod timing;

use std::convert::Infallible;
use std::time::Duration;

use impinge::query::{Ask, Question};

use crate::progress::Listener;
pub use competitor::{Competitor, Query, Ready, Step, Workload, plain};
pub use timing::{Timing, level};

/// Ratios of times closer to 1 than this count as no difference.
pub const NOISE: f64 = 0.03;

/// One competitor's turn at one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Index of the competitor.
    pub who: usize,
    /// The pass, from 0.
    pub pass: usize,
    /// Index of the step.
    pub step: usize,
    /// Whether it is the first turn of this step in this pass.
    pub first: bool,
}

/// Calls `turn` for every competitor at every step of every pass. The first competitor changes from
/// step to step and pass to pass, so that none always profits from caches warmed by another.
///
/// # Errors
/// The first error of `turn`.
pub fn take_turns<E>(
    competitors: usize,
    passes: usize,
    steps: usize,
    mut turn: impl FnMut(Turn) -> Result<(), E>,
) -> Result<(), E> {
    for pass in 0..passes {
        for step in 0..steps {
            for k in 0..competitors {
                turn(Turn { who: (pass + step + k) % competitors, pass, step, first: k == 0 })?;
            }
        }
    }
    Ok(())
}

/// [`take_turns`] where no turn can fail.
pub fn take_all_turns(competitors: usize, passes: usize, steps: usize, mut turn: impl FnMut(Turn)) {
    let always = |now| -> Result<(), Infallible> {
        turn(now);
        Ok(())
    };
    let Ok(()) = take_turns(competitors, passes, steps, always);
}

/// How competitors are timed.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// Passes over all steps; the least time of each step counts.
    pub passes: usize,
    /// Untimed repetitions of a step before the timed one. Tasks go to different threads each time,
    /// and a core that runs a task for the first time waits for memory: use 3 for methods on
    /// several threads.
    pub warm: usize,
    /// Whether memories are kept between passes. If not, each pass starts like a new simulation.
    pub remember: bool,
    /// Whether all must find the same. Times of different answers are not comparable; sampled forms
    /// may differ, and the caller checks them.
    pub agree: bool,
    /// A competitor that took this long at a step has no turn at it in later passes: what is slow is
    /// measured well enough by few passes. It is compared by [`level`].
    pub enough: Duration,
}

impl Rules {
    /// Rules with this many passes, no warm-up, memories dropped before each pass, and required
    /// agreement.
    pub const fn passes(passes: usize) -> Self {
        Self { passes, warm: 0, remember: false, agree: true, enough: Duration::MAX }
    }
}

/// Counts and times the competitors over all steps in order. Counters come from a separate pass.
///
/// # Errors
/// If a competitor refuses a mesh, a query fails, or two that must agree differ in a verdict or in
/// the number of contacts.
pub fn compete(
    competitors: &[impl AsRef<Competitor>],
    workload: &Workload,
    ask: &Ask,
    rules: Rules,
    listener: Listener<'_>,
) -> Result<Vec<Timing>, String> {
    let competitors: Vec<&Competitor> = competitors.iter().map(AsRef::as_ref).collect();
    let models = competitors.iter().map(|one| one.prepare(workload));
    let models = models.collect::<Result<Vec<_>, _>>()?;
    let ready = competitors.iter().map(|one| one.ready(workload.pairs));
    let mut ready: Vec<Ready<'_>> = ready.collect();
    let mut found = Vec::new();
    for (k, one) in ready.iter_mut().enumerate() {
        listener.stage("counting", k, competitors.len());
        found.push(Timing::count(one, &models[k], workload, ask, true)?);
    }
    if rules.agree {
        agree(&competitors, &found, ask)?;
    }
    let steps = workload.steps.len();
    let mut halves = vec![[const { Vec::new() }; 2]; ready.len()];
    halves.iter_mut().flatten().for_each(|half| *half = vec![f64::INFINITY; steps]);
    let mut spent = vec![vec![Duration::ZERO; steps]; ready.len()];
    for timing in &mut found {
        timing.passes = vec![Vec::new(); steps];
    }
    take_turns(ready.len(), rules.passes, steps, |turn| {
        if turn.first {
            listener.stage("timing", turn.pass * steps + turn.step, rules.passes * steps);
        }
        if turn.pass > 0 && spent[turn.who][turn.step] >= rules.enough {
            return Ok(());
        }
        let (one, models) = (&mut ready[turn.who], &models[turn.who]);
        let step = &workload.steps[turn.step];
        if turn.step == 0 && !rules.remember {
            one.forget();
        }
        for query in std::iter::repeat_n(step, rules.warm).flatten() {
            one.ask(models, query, ask)?;
        }
        let (took, outcome) = one.time(models, step, ask);
        outcome?;
        found[turn.who].answered_by(&one.answer.backend);
        spent[turn.who][turn.step] += took;
        let took = took.as_nanos() as f64;
        let half: &mut f64 = &mut halves[turn.who][turn.pass % 2][turn.step];
        *half = half.min(took);
        found[turn.who].passes[turn.step].push(took);
        Ok::<_, String>(())
    })?;
    for (timing, halves) in found.iter_mut().zip(halves) {
        timing.timed(halves);
    }
    Ok(found)
}

/// Counters of one competitor over all steps in order. Its memories are kept, or dropped before
/// every step.
///
/// # Errors
/// If it refuses a mesh or a query fails.
pub fn count(
    competitor: &Competitor,
    workload: &Workload,
    ask: &Ask,
    remember: bool,
) -> Result<Timing, String> {
    let models = competitor.prepare(workload)?;
    Timing::count(&mut competitor.ready(workload.pairs), &models, workload, ask, remember)
}

/// Checks that all found the same: the verdict of every query, and the number of all contacts.
///
/// # Errors
/// Names the first that differs from the first competitor.
pub fn agree(
    competitors: &[impl AsRef<Competitor>],
    found: &[Timing],
    ask: &Ask,
) -> Result<(), String> {
    let all = matches!(ask.question, Question::AllContacts);
    let Some((first, _)) = competitors.iter().zip(found).next() else { return Ok(()) };
    for (one, timing) in competitors.iter().zip(found) {
        let unlike = timing.unlike(&found[0]);
        if unlike > 0 || (all && timing.contacts != found[0].contacts) {
            return Err(format!(
                "{} and {} disagree: {unlike} of {} verdicts, {} and {} contacts",
                one.as_ref().label,
                first.as_ref().label,
                timing.hit.len(),
                timing.contacts,
                found[0].contacts
            ));
        }
    }
    Ok(())
}

/// Numbers of threads to try: powers of two up to `most`, and `most` itself; at least 1 and 2.
pub fn ladder(most: usize) -> Vec<usize> {
    let most = most.max(2);
    let mut rungs: Vec<usize> =
        std::iter::successors(Some(1), |n| Some(2 * n)).take_while(|n| *n < most).collect();
    rungs.push(most);
    rungs
}
