//! The line of a batch: which questions nobody has taken, which answers wait for their turn, and who
//! is at work. One lock; nobody holds it while a question is answered or an answer handed over.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::{Answer, QueryError};

/// Time that a run of questions should take, in seconds: long beside a lock, short beside a batch.
const GRAIN: f64 = 1e-4;

/// Questions of a run at most.
const MOST: usize = 256;

/// Runs taken and not handed over, for each thread.
const AHEAD: usize = 4;

/// Contacts that one run may hold before it ends early, and all runs that wait before threads pause.
pub(super) const HEAVY: usize = 1 << 14;
const HEAVY_LINE: usize = 1 << 20;

/// Consecutive questions and their answers so far.
#[derive(Debug, Default)]
pub(super) struct Run {
    /// The questions. Those without an answer go back to the line.
    pub(super) range: Range<usize>,
    /// Space for answers; the first [`Run::filled`] are.
    pub(super) answers: Vec<Answer>,
    pub(super) filled: usize,
    /// Contacts and details held, in contacts.
    pub(super) weight: usize,
    /// Why the question after the last answer has none.
    pub(super) error: Option<QueryError>,
    /// Seconds it took.
    pub(super) seconds: f64,
}

impl Run {
    /// Space for the next answer. What was there before is the engine's to clear.
    pub(super) fn space(&mut self) -> &mut Answer {
        if self.filled == self.answers.len() {
            self.answers.push(Answer::default());
        }
        &mut self.answers[self.filled]
    }

    /// Keeps the answer in [`Run::space`].
    pub(super) fn keep(&mut self) {
        let Answer { contacts, details, .. } = &self.answers[self.filled];
        self.weight += contacts.len() + 16 * details.len();
        self.filled += 1;
    }
}

/// What the calling thread does next.
#[derive(Debug)]
pub(super) enum Step {
    /// Hand these over: it is their turn.
    HandOver(Run),
    /// It is the turn of these, and nobody has taken them: answer and hand over one by one.
    Now(Range<usize>),
    /// Answer these and put them in line.
    Later(Run),
    /// Nothing is left.
    Done,
    /// A thread panicked.
    Lost,
}

#[derive(Debug)]
struct State<M> {
    /// The first question that was not handed over.
    due: usize,
    /// The first that was never taken.
    next: usize,
    /// Earlier ones that were taken and given back.
    back: BTreeMap<usize, usize>,
    /// Answers that wait for their turn, by the first question.
    waiting: BTreeMap<usize, Run>,
    /// Contacts that wait.
    weight: usize,
    /// Runs that somebody is at.
    running: usize,
    /// Threads that were called and have not left.
    hired: usize,
    /// Seconds a question.
    pace: f64,
    lost: bool,
    stopped: bool,
    spare: Vec<Run>,
    memories: Vec<M>,
}

/// The line.
#[derive(Debug)]
pub(super) struct Line<M> {
    end: usize,
    threads: usize,
    state: Mutex<State<M>>,
    changed: Condvar,
}

impl<M> Line<M> {
    pub(super) fn new(questions: Range<usize>, threads: usize, pace: f64) -> Self {
        let state = State {
            due: questions.start,
            next: questions.start,
            back: BTreeMap::new(),
            waiting: BTreeMap::new(),
            weight: 0,
            running: 0,
            hired: 0,
            pace,
            lost: false,
            stopped: false,
            spare: Vec::new(),
            memories: Vec::new(),
        };
        Self { end: questions.end, threads, state: Mutex::new(state), changed: Condvar::new() }
    }

    /// How many more threads to call. They leave when the line is full, so that none of them ever
    /// waits for the caller; once half of it was handed over, they are called again.
    pub(super) fn hire(&self) -> usize {
        let mut state = self.lock();
        let line = state.waiting.len() + state.running;
        if line > self.threads * AHEAD / 2 || state.weight > HEAVY_LINE / 2 {
            return 0;
        }
        // One run is the calling thread's own.
        let runs = state.back.len() + (self.end - state.next).div_ceil(state.size(self));
        let more = (self.threads - 1).min(runs.saturating_sub(1)).saturating_sub(state.hired);
        state.hired += more;
        more
    }

    /// The next run of a called thread, with a memory that another left behind if it has none, if
    /// there is room in the line; else it must [`leave`](Self::leave).
    pub(super) fn take(&self, memory: &mut Option<M>) -> Option<Run> {
        let mut state = self.lock();
        if state.stopped || state.is_full(self) {
            return None;
        }
        let range = state.take(self)?;
        *memory = memory.take().or_else(|| state.memories.pop());
        Some(state.begin(range))
    }

    /// A called thread leaves.
    pub(super) fn leave(&self, memory: Option<M>) {
        let mut state = self.lock();
        state.hired -= 1;
        state.memories.extend(memory);
    }

    /// Puts a run in line, and gives back what it has no answers for.
    pub(super) fn put(&self, mut run: Run) {
        let mut state = self.lock();
        let (start, answered) = (run.range.start, run.range.start + run.filled);
        state.running -= 1;
        state.learn(run.seconds, run.filled);
        if answered < run.range.end && run.error.is_none() {
            state.back.insert(answered, run.range.end);
            run.range.end = answered;
        }
        if run.filled > 0 || run.error.is_some() {
            state.weight += run.weight;
            state.waiting.insert(start, run);
        }
        drop(state);
        self.changed.notify_one();
    }

    /// What the calling thread is to do. Waits only while it is the turn of a run that another thread
    /// is at, and nothing else may be begun.
    pub(super) fn step(&self) -> Step {
        let mut state = self.lock();
        loop {
            if state.lost {
                return Step::Lost;
            }
            if state.due == self.end {
                return Step::Done;
            }
            let due = state.due;
            if let Some(run) = state.waiting.remove(&due) {
                state.weight -= run.weight;
                return Step::HandOver(run);
            }
            if state.first() == due
                && let Some(range) = state.take(self)
            {
                return Step::Now(range);
            }
            if !state.is_full(self)
                && let Some(range) = state.take(self)
            {
                return Step::Later(state.begin(range));
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// A run was handed over: its space is used again.
    pub(super) fn handed_over(&self, run: Run) {
        let mut state = self.lock();
        state.due = run.range.end;
        if run.weight <= HEAVY {
            state.spare.push(run);
        }
    }

    /// The calling thread answered and handed over all before `end`, which took it so many seconds a
    /// question.
    pub(super) fn went_on(&self, range: &Range<usize>, seconds: f64) {
        let mut state = self.lock();
        state.due = range.end;
        state.learn(seconds, range.len());
    }

    /// Nobody begins another run.
    pub(super) fn stop(&self) {
        self.lock().stopped = true;
    }

    /// A called thread panicked: the calling thread must not wait for it.
    pub(super) fn lose(&self) {
        let mut state = self.lock();
        (state.lost, state.stopped) = (true, true);
        drop(state);
        self.changed.notify_one();
    }

    fn lock(&self) -> MutexGuard<'_, State<M>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<M> State<M> {
    /// The first question that nobody is at.
    fn first(&self) -> usize {
        self.back.first_key_value().map_or(self.next, |(&start, _)| start)
    }

    fn is_full(&self, line: &Line<M>) -> bool {
        self.waiting.len() + self.running >= AHEAD * line.threads || self.weight > HEAVY_LINE
    }

    /// How long the next run is: short runs at the end, so that all threads end together.
    fn size(&self, line: &Line<M>) -> usize {
        let left = line.end - self.next;
        let grain = (GRAIN / self.pace.max(1e-9)) as usize;
        grain.min(left / (2 * line.threads)).clamp(1, MOST)
    }

    fn take(&mut self, line: &Line<M>) -> Option<Range<usize>> {
        if let Some((start, end)) = self.back.pop_first() {
            return Some(start..end);
        }
        let start = self.next;
        self.next = line.end.min(start + self.size(line));
        (start < self.next).then_some(start..self.next)
    }

    fn begin(&mut self, range: Range<usize>) -> Run {
        self.running += 1;
        let answers = self.spare.pop().unwrap_or_default().answers;
        Run { range, answers, ..Run::default() }
    }

    /// Follows the pace: later questions may be harder.
    fn learn(&mut self, seconds: f64, answered: usize) {
        if answered > 0 {
            self.pace += (seconds / answered as f64 - self.pace) / 4.0;
        }
    }
}
