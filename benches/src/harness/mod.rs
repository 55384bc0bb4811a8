//! Competitors that take turns: the one loop behind every comparison of times.
//!
//! 1. [`Workload`]: meshes, and the queries of each step.
//! 2. [`Competitor`]: a method with its parameters and a label; [`Ready`] has what it remembers.
//! 3. [`take_turns`]: at every step each has its turn, another one first each time.
//! 4. [`compete`]: counts and times all competitors; [`count`] only counts one.
//! 5. [`Timing`]: what a competitor took and counted.
//! 6. [`task_tree`]: what more processors would give.

mod competitor;
pub mod task_tree;
#[cfg(test)]
mod tests;
mod timing;

use std::convert::Infallible;

use impinge::query::{Ask, Question};

use crate::progress::Listener;
pub use competitor::{Competitor, Query, Ready, Step, Workload, plain};
pub use timing::Timing;

/// Ratios of times nearer to 1 than this are no difference.
pub const NOISE: f64 = 0.03;

/// One competitor's turn at one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Whose turn it is.
    pub who: usize,
    /// The pass, from 0.
    pub pass: usize,
    /// The step.
    pub step: usize,
    /// Is it the first turn of this step in this pass?
    pub first: bool,
}

/// Calls `turn` for every competitor at every step of every pass. The competitor that is first
/// changes from step to step and from pass to pass, so that none always finds warm what another
/// has left.
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
    /// How often a step is done before it is timed. Which thread gets which task differs from time
    /// to time, and a core that meets a task for the first time waits for memory: 3 for methods on
    /// several threads.
    pub warm: usize,
    /// Is what a pair remembers kept from pass to pass? If not, each pass begins as a simulation.
    pub remember: bool,
    /// Must all find the same? Times of different answers compare nothing; sampled forms answer
    /// differently and are judged by the caller.
    pub agree: bool,
}

impl Rules {
    /// So many passes, nothing warm, memories dropped before each pass, and all must agree.
    pub const fn passes(passes: usize) -> Self {
        Self { passes, warm: 0, remember: false, agree: true }
    }
}

/// Counts and times the competitors over all steps, in the order given. Counters come from a pass
/// of their own.
///
/// # Errors
/// If a competitor refuses a mesh, a query fails, or two that must agree disagree about hits or
/// contacts.
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
    take_turns(ready.len(), rules.passes, steps, |turn| {
        if turn.first {
            listener.stage("timing", turn.pass * steps + turn.step, rules.passes * steps);
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
        let half: &mut f64 = &mut halves[turn.who][turn.pass % 2][turn.step];
        *half = half.min(took.as_nanos() as f64);
        Ok::<_, String>(())
    })?;
    for (timing, halves) in found.iter_mut().zip(halves) {
        timing.timed(halves);
    }
    Ok(found)
}

/// The counters of one competitor over all steps in order, with its memories kept or dropped
/// before every step.
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

/// Did all find the same?
fn agree(competitors: &[&Competitor], found: &[Timing], ask: &Ask) -> Result<(), String> {
    let all = matches!(ask.question, Question::AllContacts);
    for (one, timing) in competitors.iter().zip(found) {
        let (hits, first) = (timing.hits(), found[0].hits());
        if hits != first || (all && timing.contacts != found[0].contacts) {
            return Err(format!(
                "{} and {} disagree: {hits} and {first} hits, {} and {} contacts",
                one.label, competitors[0].label, timing.contacts, found[0].contacts
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
