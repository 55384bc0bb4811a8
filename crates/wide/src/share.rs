//! One long query on all threads of the pool that it is asked in.
//!
//! A walk stops after some steps and leaves its stack; whoever has one while others wait gives its older
//! half away: those are the larger pairs of boxes.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use impinge_query::{Cancelled, Contact, Contacts, Control, Counter};
use rayon::Scope;

use crate::search::contacts::{PULSE, Stack, Walk};
use crate::search::{Pair, pair};
use crate::simd::Width;

/// A query is worth other threads after so many times 256 steps: some 0.15 ms, of which waking one takes a
/// quarter.
const ALONE: u32 = 6;
/// And one looks whether others wait after so many times 256.
const SLICE: u32 = 1;

/// One query for all contacts.
pub(crate) struct Shared<'q> {
    pub(crate) width: Width,
    pub(crate) pair: Pair<'q>,
    pub(crate) control: &'q Control<'q>,
    pub(crate) cap: usize,
}

/// What all threads put together.
struct Sum<C> {
    all: Mutex<(Contacts, C, Result<(), Cancelled>)>,
    /// Stacks that were given away and that no thread has begun.
    waiting: AtomicUsize,
}

impl Shared<'_> {
    /// All contacts, in no order.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub(crate) fn all<C: Counter>(
        &self,
        stack: &mut Stack,
        space: Vec<Contact>,
        counter: &mut C,
    ) -> Result<Contacts, Cancelled> {
        let mut found = Contacts::new(space, Some(self.cap));
        stack.begin(&self.pair);
        self.walk(ALONE, stack, &mut found, counter)?;
        if stack.is_empty() {
            return Ok(found);
        }
        if rayon::current_num_threads() == 1 {
            self.walk(u32::MAX, stack, &mut found, counter)?;
            return Ok(found);
        }
        let all = Mutex::new((found, counter.fork(), Ok(())));
        let sum = Sum { all, waiting: AtomicUsize::new(0) };
        let own = std::mem::take(stack);
        rayon::in_place_scope(|scope| self.work(scope, own, counter.fork(), &sum));
        let (found, counted, done) = sum.all.into_inner().unwrap_or_else(PoisonError::into_inner);
        done?;
        counter.merge(counted);
        Ok(found)
    }

    /// So many times 256 steps, or fewer; what is left is in the stack.
    fn walk<C: Counter>(
        &self,
        pulses: u32,
        stack: &mut Stack,
        found: &mut Contacts,
        counter: &mut C,
    ) -> Result<(), Cancelled> {
        let hit = |contact| {
            found.push(contact);
            ControlFlow::Continue(())
        };
        let (pair, control, decide) = (self.pair, self.control, pair::meet);
        let pulse = PULSE;
        let walk =
            Walk::<_, _, _, false> { pair, pulses, pulse, stack, counter, control, hit, decide };
        self.width.run(walk)
    }

    /// Walks to the end of a stack, and gives parts of it away.
    fn work<'s, C: Counter + 's>(
        &'s self,
        scope: &Scope<'s>,
        mut stack: Stack,
        mut counter: C,
        sum: &'s Sum<C>,
    ) {
        let mut found = Contacts::new(Vec::new(), Some(self.cap));
        let mut done = Ok(());
        while done.is_ok() && !stack.is_empty() {
            if sum.waiting.load(Ordering::Relaxed) < rayon::current_num_threads()
                && let Some(half) = stack.older_half()
            {
                sum.waiting.fetch_add(1, Ordering::Relaxed);
                let counter = counter.fork();
                scope.spawn(move |scope| {
                    sum.waiting.fetch_sub(1, Ordering::Relaxed);
                    self.work(scope, half, counter, sum);
                });
            }
            done = self.walk(SLICE, &mut stack, &mut found, &mut counter);
        }
        let mut all = sum.all.lock().unwrap_or_else(PoisonError::into_inner);
        // After a cancellation nobody wants what was found, and copying it takes long.
        if done.is_err() {
            all.2 = done;
        } else if all.2.is_ok() {
            all.0.merge(found);
            all.1.merge(counter);
        }
    }
}
