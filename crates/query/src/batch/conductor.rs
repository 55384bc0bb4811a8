//! Who works on a batch: the calling thread, which alone hands answers over and answers questions
//! while none is due, and threads that come when there is room in the line and leave when there is none.
//!
//! Nobody waits but the calling thread, and only for a run that another thread has begun. A thread
//! that took up another batch while it waited within a question began that batch later than the question, so
//! waiting never goes in a circle, however batches are nested.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::Delivery;
use super::line::{HEAVY, Line, Run, Step};
use crate::{Answer, BatchError, QueryError};

/// A batch over threads.
pub(super) struct Conductor<'b, M, F, Q> {
    line: Line<M>,
    /// Ends runs early: nobody wants their answers any more.
    stop: AtomicBool,
    fresh: &'b F,
    query: &'b Q,
}

impl<'b, M, F, Q> Conductor<'b, M, F, Q>
where
    M: Send,
    F: Fn() -> M + Sync,
    Q: Fn(usize, &mut M, &mut Answer) -> Result<(), QueryError> + Sync,
{
    /// `pace` is what a question took so far, in seconds.
    pub(super) fn new(
        questions: Range<usize>,
        threads: usize,
        pace: f64,
        fresh: &'b F,
        query: &'b Q,
    ) -> Self {
        let line = Line::new(questions, threads, pace);
        Self { line, stop: AtomicBool::new(false), fresh, query }
    }

    pub(super) fn run(
        &self,
        memory: &mut M,
        delivery: &mut Delivery<'_>,
    ) -> Result<(), BatchError> {
        // A panic, here or in a called thread, goes on when all of them have left.
        rayon::in_place_scope(|scope| {
            let _whistle = Whistle(self);
            let mut one = Answer::default();
            loop {
                for _ in 0..self.line.hire() {
                    scope.spawn(|_| self.help());
                }
                match self.line.step() {
                    Step::HandOver(run) => self.hand_over(run, delivery)?,
                    Step::Now(range) => self.go_on(range, memory, &mut one, delivery)?,
                    Step::Later(mut run) => {
                        self.answer(&mut run, memory);
                        self.line.put(run);
                    }
                    Step::Done | Step::Lost => return Ok(()),
                }
            }
        })
    }

    /// What a called thread does.
    fn help(&self) {
        let mut alarm = Alarm { line: &self.line, armed: true };
        let mut memory = None;
        while let Some(mut run) = self.line.take(&mut memory) {
            self.answer(&mut run, memory.get_or_insert_with(self.fresh));
            self.line.put(run);
        }
        self.line.leave(memory);
        alarm.armed = false;
    }

    /// Answers a run, or the first part of one whose answers take much space.
    fn answer(&self, run: &mut Run, memory: &mut M) {
        let start = Instant::now();
        for index in run.range.clone() {
            if self.stop.load(Ordering::Relaxed) || run.weight > HEAVY {
                break;
            }
            if let Err(source) = (self.query)(index, memory, run.space()) {
                run.error = Some(source);
                break;
            }
            run.keep();
        }
        run.seconds = start.elapsed().as_secs_f64();
    }

    fn hand_over(&self, run: Run, delivery: &mut Delivery<'_>) -> Result<(), BatchError> {
        let mut index = run.range.start;
        for answer in &run.answers[..run.filled] {
            delivery.check(index)?;
            delivery.hand_over(index, answer);
            index += 1;
        }
        if let Some(source) = run.error {
            return Err(BatchError { index, source });
        }
        self.line.handed_over(run);
        Ok(())
    }

    /// Questions that are due are answered and handed over one by one, without being kept.
    fn go_on(
        &self,
        range: Range<usize>,
        memory: &mut M,
        answer: &mut Answer,
        delivery: &mut Delivery<'_>,
    ) -> Result<(), BatchError> {
        let mut seconds = 0.0;
        for index in range.clone() {
            let start = Instant::now();
            (self.query)(index, memory, answer).map_err(|source| BatchError { index, source })?;
            seconds += start.elapsed().as_secs_f64();
            delivery.check(index)?;
            delivery.hand_over(index, answer);
        }
        self.line.went_on(&range, seconds);
        Ok(())
    }
}

/// However the calling thread leaves, the others are to leave too.
struct Whistle<'c, 'b, M, F, Q>(&'c Conductor<'b, M, F, Q>);

impl<M, F, Q> Drop for Whistle<'_, '_, M, F, Q> {
    fn drop(&mut self) {
        self.0.stop.store(true, Ordering::Relaxed);
        self.0.line.stop();
    }
}

/// Tells the calling thread if this one panics.
struct Alarm<'l, M> {
    line: &'l Line<M>,
    armed: bool,
}

impl<M> Drop for Alarm<'_, M> {
    fn drop(&mut self) {
        if self.armed {
            self.line.lose();
        }
    }
}
