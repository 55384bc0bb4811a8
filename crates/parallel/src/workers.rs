//! The threads of one query: the results of each, and stopping all of them.
//!
//! Each thread has a slot behind a mutex that no other thread locks before the end, and one flag
//! stops all of them.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use impinge_query::{Cancelled, Contact, Contacts, Control, Counter, Moment, Spread, ThreadShare};

use crate::pool::Pool;
use crate::shared_queue::SharedQueue;
use crate::task::Tasks;

/// Results of one thread. Aligned to separate cache lines, so that threads that record contacts do
/// not contend for one.
#[repr(align(128))]
struct Slot<C> {
    contacts: Contacts,
    counter: C,
    tasks: u64,
    busy: Duration,
}

/// What a running task has access to.
#[expect(missing_debug_implementations, reason = "holds a closure")]
pub struct Work<'w, C> {
    /// Counts the tests of this thread.
    pub counter: &'w mut C,
    contacts: &'w mut Contacts,
    flags: &'w Flags<'w>,
    saturated: &'w dyn Fn() -> bool,
    until_poll: u32,
}

/// Number of volume or primitive tests between two checks whether to stop.
const POLL_INTERVAL: u32 = 64;

impl<C: Counter> Work<'_, C> {
    /// Reports a contact. Breaks off once no more are wanted.
    #[inline]
    pub fn hit(&mut self, contact: Contact) -> ControlFlow<()> {
        let flow = self.contacts.take(contact);
        if flow.is_break() {
            self.flags.stop.store(true, Ordering::Relaxed);
        }
        flow
    }

    /// Whether the first contact is enough.
    pub const fn first(&self) -> bool {
        self.contacts.wants_first()
    }

    /// Whether the queue can feed every thread. If so, a task goes on and does not split.
    #[inline]
    pub fn saturated(&self) -> bool {
        (self.saturated)()
    }

    /// To be called every few tests: breaks off if another thread has found the answer, or the
    /// caller has cancelled.
    #[inline(always)]
    pub fn poll(&mut self) -> ControlFlow<()> {
        self.until_poll -= 1;
        if self.until_poll > 0 {
            return ControlFlow::Continue(());
        }
        self.until_poll = POLL_INTERVAL;
        self.flags.look()
    }
}

/// Flags shared by all threads.
#[derive(Debug)]
struct Flags<'q> {
    stop: AtomicBool,
    cancelled: AtomicBool,
    control: &'q Control<'q>,
}

impl Flags<'_> {
    fn look(&self) -> ControlFlow<()> {
        if self.control.check().is_err() {
            self.cancelled.store(true, Ordering::Relaxed);
            self.stop.store(true, Ordering::Relaxed);
        }
        if self.stop.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// Stops the other threads if a task panics.
struct StopOnPanic<'f>(&'f AtomicBool);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

/// The threads of one query.
pub(crate) struct Workers<'q, T: Tasks, C> {
    tasks: &'q T,
    pool: &'q Pool,
    /// The pool's number of threads; cached, because asking takes a system call.
    threads: usize,
    /// Slot of the calling thread.
    own: Mutex<Slot<C>>,
    /// A slot for each thread of the pool, unless the calling thread is alone.
    others: Vec<Mutex<Slot<C>>>,
    flags: Flags<'q>,
    /// Tasks waiting for a thread, for schedules in which threads share tasks.
    queue: SharedQueue<T::Task>,
    /// When the query started, if the counter counts: reading a clock takes a hundredth of a small query.
    start: Option<Moment>,
}

impl<'q, T: Tasks, C: Counter> Workers<'q, T, C> {
    /// The threads of `pool`, with a fork of `counter` and of `contacts` each.
    pub(crate) fn new(
        tasks: &'q T,
        pool: &'q Pool,
        control: &'q Control<'q>,
        (counter, contacts): (&C, Contacts),
    ) -> Self {
        let start = counter.counts().then(Moment::now);
        let slot = |contacts| {
            let (tasks, busy) = (0, Duration::ZERO);
            Mutex::new(Slot { contacts, counter: counter.fork(), tasks, busy })
        };
        let threads = pool.threads();
        let others =
            (0..if threads > 1 { threads } else { 0 }).map(|_| slot(contacts.fork())).collect();
        let own = slot(contacts);
        let (stop, cancelled) = (AtomicBool::new(false), AtomicBool::new(false));
        let flags = Flags { stop, cancelled, control };
        let queue = SharedQueue::new();
        Self { tasks, pool, threads, own, others, flags, queue, start }
    }

    pub(crate) const fn tasks(&self) -> &'q T {
        self.tasks
    }

    pub(crate) const fn pool(&self) -> &'q Pool {
        self.pool
    }

    pub(crate) const fn threads(&self) -> usize {
        self.threads
    }

    pub(crate) const fn queue(&self) -> &SharedQueue<T::Task> {
        &self.queue
    }

    /// Runs a task on this thread.
    pub(crate) fn run(&self, task: T::Task, next: &mut Vec<T::Task>) -> ControlFlow<()> {
        self.run_all(std::iter::once(task), next)
    }

    /// Runs tasks on this thread, in order.
    pub(crate) fn run_all(
        &self,
        tasks: impl IntoIterator<Item = T::Task>,
        next: &mut Vec<T::Task>,
    ) -> ControlFlow<()> {
        self.flags.look()?;
        let start = self.start.is_some().then(Moment::now);
        let _stop_on_panic = StopOnPanic(&self.flags.stop);
        let mut slot = self.slot();
        let Slot { contacts, counter, tasks: number, .. } = &mut *slot;
        let flags = &self.flags;
        let saturated = || self.queue.saturates(self.threads);
        let mut work =
            Work { counter, contacts, flags, saturated: &saturated, until_poll: POLL_INTERVAL };
        let flow = tasks.into_iter().try_for_each(|task| {
            *number += 1;
            self.tasks.run(task, &mut work, next)
        });
        if let Some(start) = start {
            slot.busy += start.elapsed();
        }
        flow
    }

    fn slot(&self) -> MutexGuard<'_, Slot<C>> {
        let other = self.pool.current_thread().and_then(|index| self.others.get(index));
        let slot = other.unwrap_or(&self.own);
        slot.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether no more tasks are to be started.
    pub(crate) fn stopped(&self) -> bool {
        self.flags.stop.load(Ordering::Relaxed)
    }

    /// The combined contacts and counts of all threads.
    ///
    /// # Errors
    /// [`Cancelled`] if a task was not run because the caller cancelled.
    pub(crate) fn finish(self) -> Result<(Contacts, C), Cancelled> {
        if self.flags.cancelled.load(Ordering::Relaxed) {
            return Err(Cancelled);
        }
        let threads = self.threads as u32;
        let open = |slot: Mutex<Slot<C>>| slot.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut all = open(self.own);
        let mut shares = Vec::new();
        let mut share = |slot: &Slot<C>| {
            if slot.counter.counts() {
                let busy_nanoseconds = nanoseconds(slot.busy);
                shares.push(ThreadShare { tasks: slot.tasks, busy_nanoseconds });
            }
        };
        share(&all);
        for slot in self.others.into_iter().map(open) {
            share(&slot);
            all.contacts.merge(slot.contacts);
            all.counter.merge(slot.counter);
        }
        if let Some(start) = self.start {
            let nanoseconds = nanoseconds(start.elapsed());
            all.counter.spread(|| Spread { threads, nanoseconds, shares });
        }
        Ok((all.contacts, all.counter))
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use impinge_query::Statistics;

    use super::*;

    /// One task without work.
    struct Nothing;

    impl Tasks for Nothing {
        type Task = ();
        const GRAIN: usize = 1;
        fn root(&self, _: u32) -> Option<()> {
            Some(())
        }
        fn run<C: Counter>(&self, (): (), _: &mut Work<'_, C>, _: &mut Vec<()>) -> ControlFlow<()> {
            ControlFlow::Continue(())
        }
    }

    /// Two readings of a clock a task would make queries that are not counted slower.
    #[test]
    fn tasks_are_timed_only_if_work_is_counted() {
        for counted in [false, true] {
            let counter = counted.then(Statistics::default);
            let contacts = Contacts::new(Vec::new(), None);
            let start = (&counter, contacts);
            let workers = Workers::new(&Nothing, &Pool::Caller, &Control::NONE, start);
            assert_eq!(workers.start.is_some(), counted);
            assert_eq!(workers.run((), &mut Vec::new()), ControlFlow::Continue(()));
            let busy = workers.slot().busy;
            assert!(counted || busy == Duration::ZERO, "{busy:?}");
            let (_, all) = workers.finish().expect("nobody cancelled");
            let spread = all.and_then(|all| all.spread);
            assert_eq!(spread.map(|spread| spread.tasks()), counted.then_some(1));
        }
    }
}
