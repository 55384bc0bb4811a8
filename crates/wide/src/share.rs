//! One long query on all threads of the current pool.
//!
//! A traversal stops after some steps and leaves its stack. While fewer stacks wait than there are
//! threads, the older half of it, with the larger pairs of boxes, is given away.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use impinge_query::{Cancelled, Contacts, Control, Counter};
use impinge_threads::pool;
use rayon::Scope;

use crate::search::contacts::{Stack, Walk};
use crate::search::{Pair, pair};
use crate::simd::Width;

/// Other threads are called after this many times 256 steps: about 0.15 ms. Waking a thread takes a
/// quarter of that.
const ALONE: u32 = 6;
/// Times 256 steps between two checks whether fewer stacks wait than there are threads.
const SLICE: u32 = 1;

/// One query for all contacts.
pub(crate) struct Shared<'q> {
    pub(crate) width: Width,
    pub(crate) pair: Pair<'q>,
    pub(crate) control: &'q Control<'q>,
}

/// The combined results of all threads.
struct Sum<'f, C> {
    all: Mutex<(&'f mut Contacts, C, Result<(), Cancelled>)>,
    /// Stacks given away that no thread has taken yet.
    waiting: AtomicUsize,
}

impl Shared<'_> {
    /// Finds all contacts.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub(crate) fn all<C: Counter>(
        &self,
        stack: &mut Stack,
        found: &mut Contacts,
        counter: &mut C,
    ) -> Result<(), Cancelled> {
        stack.begin(&self.pair);
        self.walk(ALONE, stack, found, counter)?;
        if stack.is_empty() {
            return Ok(());
        }
        if pool::available() == 1 {
            return self.walk(u32::MAX, stack, found, counter);
        }
        let none = found.fork();
        let all = Mutex::new((found, counter.fork(), Ok(())));
        let sum = Sum { all, waiting: AtomicUsize::new(0) };
        let own = std::mem::take(stack);
        rayon::in_place_scope(|scope| self.work(scope, own, (none, counter.fork()), &sum));
        let (_, counted, done) = sum.all.into_inner().unwrap_or_else(PoisonError::into_inner);
        done?;
        counter.merge(counted);
        Ok(())
    }

    /// Traverses for at most `polls` times 256 steps; the remaining items are in the stack.
    fn walk<C: Counter>(
        &self,
        polls: u32,
        stack: &mut Stack,
        found: &mut Contacts,
        counter: &mut C,
    ) -> Result<(), Cancelled> {
        let hit = |contact| found.take(contact);
        let (pair, control) = (self.pair, self.control);
        let walk =
            Walk::<_, _, _, _, false>::new(pair, stack, counter, control, hit, pair::meet, ());
        self.width.run(Walk { polls, mirrored: pair.is_one_twice(), ..walk })
    }

    /// Traverses a stack to its end, and gives parts of it away.
    fn work<'s, C: Counter + 's>(
        &'s self,
        scope: &Scope<'s>,
        mut stack: Stack,
        (mut found, mut counter): (Contacts, C),
        sum: &'s Sum<'_, C>,
    ) {
        let mut done = Ok(());
        while done.is_ok() && !stack.is_empty() {
            if sum.waiting.load(Ordering::Relaxed) < rayon::current_num_threads()
                && let Some(half) = stack.older_half()
            {
                sum.waiting.fetch_add(1, Ordering::Relaxed);
                let empty = (found.fork(), counter.fork());
                scope.spawn(move |scope| {
                    sum.waiting.fetch_sub(1, Ordering::Relaxed);
                    self.work(scope, half, empty, sum);
                });
            }
            done = self.walk(SLICE, &mut stack, &mut found, &mut counter);
        }
        let mut all = sum.all.lock().unwrap_or_else(PoisonError::into_inner);
        // After a cancellation the contacts are not needed, and copying them takes long.
        if done.is_err() {
            all.2 = done;
        } else if all.2.is_ok() {
            all.0.merge(found);
            all.1.merge(counter);
        }
    }
}

#[cfg(test)]
mod tests {
    use impinge_geometry::Pose;
    use impinge_models::Shape;
    use impinge_query::{Answer, Engine, Statistics};

    use super::*;
    use crate::placement::Placement;

    /// A traversal stops after its steps, and resumes where it stopped.
    #[test]
    fn a_walk_in_slices_is_a_whole_walk() {
        let model = crate::wide().prepare(&Shape::Torus.mesh(6_000, 0), &Control::NONE);
        let model = model.expect("not cancelled");
        let pose = Pose::from_quaternion([0.1, 0.02, 0.0], [0.6, 0.0, 0.0, 0.8]).expect("unit");
        let frame = [&model.tree.frame; 2];
        let placement = &Placement::new(&pose, frame, [model.max_abs(); 2]).expect("near");
        let pair = Pair { models: [&model; 2], pose: &pose, placement };
        let shared = Shared { width: Width::fastest(), pair, control: &Control::NONE };
        let walked = |polls: u32| {
            let (mut stack, mut all) = (Stack::default(), Contacts::new(Vec::new(), None));
            let (mut counted, mut slices) = (Statistics::default(), 0);
            stack.begin(&pair);
            while !stack.is_empty() {
                let before = counted.volume_tests + counted.primitive_tests;
                shared.walk(polls, &mut stack, &mut all, &mut counted).expect("not cancelled");
                // Each step tests a node's lanes, and at most all pairs of all its leaves.
                let done = counted.volume_tests + counted.primitive_tests - before;
                let most = u64::from(polls) * 256 * 17 + 16 * 16;
                assert!(polls == u32::MAX || done <= most, "{done} in {polls} times 256 steps");
                slices += 1;
            }
            let mut answer = Answer::default();
            all.finish(&mut answer, &Control::NONE).expect("not cancelled");
            (slices, answer.contacts, counted.volume_tests, counted.primitive_tests)
        };
        let whole = walked(u32::MAX);
        assert!(whole.0 == 1 && whole.1.len() > 100, "{} contacts", whole.1.len());
        for polls in [1, 2] {
            let found = walked(polls);
            assert!(found.0 > 2, "{} slices of {} boxes", found.0, whole.2);
            assert_eq!((found.1, found.2, found.3), (whole.1.clone(), whole.2, whole.3));
        }
    }
}
