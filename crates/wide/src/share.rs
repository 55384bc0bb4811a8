//! One long query on all threads of the current pool.
//!
//! A traversal stops after some steps and leaves its stack. For all contacts, while fewer stacks wait
//! than there are threads, the older half of it, with the larger pairs of boxes, is given away. For a first
//! contact and for a distance the search goes on in rounds: the items of the stack are dealt out to parts, or
//! the stack is divided into them, and each is searched for some steps, whatever the number of threads.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use impinge_query::{Cancelled, Contact, Contacts, Control, Counter};
use impinge_threads::pool;
use rayon::Scope;
use rayon::prelude::*;

use crate::search::contacts::{Stack, Walk};
use crate::search::{Pair, pair};
use crate::simd::Width;

/// Other threads are called after this many times 256 steps: about 0.15 ms. Waking a thread takes a
/// quarter of that.
const ALONE: u32 = 6;
/// Times 256 steps between two checks whether fewer stacks wait than there are threads.
const SLICE: u32 = 1;
/// Times 256 steps before the first round: about 0.15 ms.
const BEFORE_ROUNDS: u32 = 16;
/// The same of a part in a round: about 40 µs.
const ROUND: u32 = 4;
/// The most parts of a round.
pub(crate) const PARTS: usize = 16;

/// Searches all parts of a round, on all threads. Each takes the first part that no other has taken, so that
/// a contact in one of the first is found soon.
pub(crate) fn each<P: Send>(parts: &mut [P], search: impl Fn((usize, &mut P)) + Send + Sync) {
    if parts.len() > 1 && pool::available() > 1 {
        parts.iter_mut().enumerate().par_bridge().for_each(search);
    } else {
        parts.iter_mut().enumerate().for_each(search);
    }
}

/// A part of the stack of a search for a first contact.
struct Part<C> {
    stack: Stack,
    met: Option<Contact>,
    counter: C,
    done: Result<(), Cancelled>,
}

/// One query for contacts.
#[derive(Clone, Copy)]
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

    /// Searches for a contact below the items of the stack. Returns whether there is one.
    ///
    /// # Errors
    /// [`Cancelled`].
    #[inline(always)]
    pub(crate) fn first<C: Counter>(
        self,
        stack: &mut Stack,
        found: &mut Contacts,
        counter: &mut C,
    ) -> Result<bool, Cancelled> {
        let mut met = self.search(BEFORE_ROUNDS, stack, counter)?;
        if met.is_none() && !stack.is_empty() {
            met = self.rounds(ROUND, stack, counter)?;
        }
        Ok(met.map(|contact| found.take(contact)).is_some())
    }

    /// The same for at most `polls` times 256 steps; without a contact the remaining items are in the stack.
    #[inline(always)]
    fn search<C: Counter>(
        self,
        polls: u32,
        stack: &mut Stack,
        counter: &mut C,
    ) -> Result<Option<Contact>, Cancelled> {
        let mut met = None;
        let hit = |contact| {
            met = Some(contact);
            ControlFlow::Break(())
        };
        let (pair, control) = (self.pair, self.control);
        let walk =
            Walk::<_, _, _, _, true>::new(pair, stack, counter, control, hit, pair::meet, ());
        self.width.run(Walk { polls, ..walk })?;
        Ok(met)
    }

    /// The same to the end, in rounds. The contact is that of the first part that has one, and what is
    /// done in later parts is not counted, so neither depends on the threads.
    #[cold]
    fn rounds<C: Counter>(
        self,
        polls: u32,
        stack: &mut Stack,
        counter: &mut C,
    ) -> Result<Option<Contact>, Cancelled> {
        while !stack.is_empty() {
            let part = |stack| Part { stack, met: None, counter: counter.fork(), done: Ok(()) };
            let mut parts: Vec<Part<C>> = stack.parts(PARTS).map(part).collect();
            let first = AtomicUsize::new(usize::MAX);
            each(&mut parts, |(index, part)| {
                if first.load(Ordering::Relaxed) < index {
                    return;
                }
                // Other parts are not begun after a cancellation.
                let searched = (self.control.check())
                    .and_then(|()| self.search(polls, &mut part.stack, &mut part.counter));
                match searched {
                    Ok(met) => part.met = met,
                    Err(cancelled) => part.done = Err(cancelled),
                }
                if part.met.is_some() {
                    first.fetch_min(index, Ordering::Relaxed);
                }
            });
            for part in &mut parts {
                part.done?;
                counter.merge(std::mem::replace(&mut part.counter, counter.fork()));
                if part.met.is_some() {
                    *stack = std::mem::take(&mut part.stack);
                    return Ok(part.met);
                }
            }
            stack.pile_up(parts.into_iter().map(|part| part.stack));
        }
        Ok(None)
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
    use impinge_geometry::{Mesh, Point, Pose, Vector};
    use impinge_models::{Random, Shape};
    use impinge_query::{Answer, Cancel, Engine, Statistics};

    use super::*;
    use crate::counted::work_of;
    use crate::model::WideModel;
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
            let (mut counted, mut slices) = (Some(Statistics::default()), 0);
            stack.begin(&pair);
            while !stack.is_empty() {
                let [boxes, pairs, _] = work_of(counted.as_ref());
                shared.walk(polls, &mut stack, &mut all, &mut counted).expect("not cancelled");
                // Each step tests a node's lanes, and at most all pairs of all its leaves.
                let [more_boxes, more_pairs, _] = work_of(counted.as_ref());
                let done = more_boxes + more_pairs - boxes - pairs;
                let most = u64::from(polls) * 256 * 17 + 16 * 16;
                assert!(polls == u32::MAX || done <= most, "{done} in {polls} times 256 steps");
                slices += 1;
            }
            let mut answer = Answer::default();
            all.finish(&mut answer, &Control::NONE).expect("not cancelled");
            (slices, answer.contacts, work_of(counted.as_ref()))
        };
        let whole = walked(u32::MAX);
        assert!(whole.0 == 1 && whole.1.len() > 100, "{} contacts", whole.1.len());
        for polls in [1, 2] {
            let found = walked(polls);
            assert!(found.0 > 2, "{} slices of {:?}", found.0, whole.2);
            assert_eq!((found.1, found.2), (whole.1.clone(), whole.2));
        }
    }

    /// A square in the plane z = 0, and a small triangle across it, if any is wanted at a place.
    fn square(spike: Option<[f64; 2]>) -> Mesh {
        let n = 60;
        let at = |i: u32| f64::from(i) / f64::from(n);
        let corner = |i: u32, j: u32| i * (n + 1) + j;
        let mut points: Vec<Point> =
            (0..=n).flat_map(|i| (0..=n).map(move |j| Point::new(at(i), at(j), 0.0))).collect();
        let squares = (0..n).flat_map(|i| (0..n).map(move |j| [i, j]));
        let mut triangles: Vec<[u32; 3]> = squares
            .flat_map(|[i, j]| {
                let [a, b] = [corner(i, j), corner(i + 1, j + 1)];
                [[a, corner(i + 1, j), b], [a, b, corner(i, j + 1)]]
            })
            .collect();
        if let Some([x, y]) = spike {
            let first = points.len() as u32;
            points.extend(
                [[0.0, 0.0, -1e-7], [1e-3, 0.0, 1e-9], [0.0, 1e-3, 1e-9]]
                    .map(|by| Point::new(x + by[0], y + by[1], by[2])),
            );
            triangles.push([first, first + 1, first + 2]);
        }
        Mesh::new(points, triangles).expect("legal")
    }

    /// What is found and counted in rounds does not depend on the threads. There is a contact where one search
    /// finds one, and it may be another.
    #[test]
    #[cfg_attr(target_family = "wasm", ignore = "WebAssembly has no second thread")]
    fn rounds_find_a_contact_if_there_is_one() {
        let pools = [1, 2, 5].map(|threads| {
            rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads")
        });
        let prepared = |mesh| crate::wide().prepare(&mesh, &Control::NONE).expect("any mesh");
        let plane = prepared(square(None));
        let mut random = Random::new(24);
        let (mut met, mut late, cases) = (0, 0, 40);
        for index in 0..cases {
            let spike = [(); 2].map(|()| random.range(0.0, 0.99));
            let models = [&plane, &prepared(square((index % 4 > 0).then_some(spike)))];
            let pose = Pose::translation_by(Vector::new(1e-4, 2e-4, 1e-8)).expect("finite");
            let frames = models.map(|model| &model.tree.frame);
            let placement = Placement::new(&pose, frames, models.map(WideModel::max_abs));
            let pair = Pair { models, pose: &pose, placement: &placement.expect("near") };
            let shared = Shared { width: Width::fastest(), pair, control: &Control::NONE };
            let searched = |polls: Option<u32>| {
                let (mut stack, mut counted) = (Stack::default(), Some(Statistics::default()));
                stack.begin(&pair);
                let found = match polls {
                    Some(polls) => shared.rounds(polls, &mut stack, &mut counted),
                    None => shared.search(u32::MAX, &mut stack, &mut counted),
                };
                let found = found.expect("not cancelled");
                assert!(stack.is_empty() || found.is_some());
                (found, work_of(counted.as_ref()))
            };
            let whole = searched(None);
            assert_eq!(whole.0.is_some(), index % 4 > 0);
            met += u32::from(whole.0.is_some());
            for polls in [1, 2] {
                let [one, two, five] =
                    pools.each_ref().map(|pool| pool.install(|| searched(Some(polls))));
                assert_eq!(one.0.is_some(), whole.0.is_some(), "{index}");
                assert_eq!([&two, &five], [&one; 2], "{index}");
                if let Some(contact) = one.0 {
                    assert!(pair::meet(&pair, contact.a, contact.b), "{index}");
                    late += u32::from(one.1[0] > 16 * 256 * u64::from(polls));
                }
            }
        }
        println!("{met} of {cases} meet, {late} after the first steps");
        assert!(met == 30 && late > 10, "{late}");
    }

    /// After a cancellation no part of a round is begun, and those that are searched stop at their next look. A
    /// search that begins again with the same stack finds what it finds otherwise.
    #[test]
    #[cfg_attr(target_family = "wasm", ignore = "WebAssembly has no second thread")]
    fn rounds_end_soon_after_a_cancellation() {
        // 256 steps of sixteen lanes or pairs of triangles, and the rest of a step.
        let most = 256 * 16 + 16 * 17;
        let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pools = [1, 2, 5].map(|threads| pool(threads).expect("threads"));
        let prepared = |mesh| crate::wide().prepare(&mesh, &Control::NONE).expect("any mesh");
        let plane = prepared(square(None));
        for spike in [None, Some([0.9, 0.1])] {
            let models = [&plane, &prepared(square(spike))];
            let pose = Pose::translation_by(Vector::new(1e-4, 2e-4, 1e-8)).expect("finite");
            let frames = models.map(|model| &model.tree.frame);
            let placement = Placement::new(&pose, frames, models.map(WideModel::max_abs));
            let pair = Pair { models, pose: &pose, placement: &placement.expect("near") };
            let searched = |look: u64, stack: &mut Stack| {
                let (cancel, mut counted) = (Cancel::at_look(look), Some(Statistics::default()));
                let control = &Control::NONE.cancelled_by(&cancel);
                stack.begin(&pair);
                let shared = Shared { width: Width::fastest(), pair, control };
                let found = shared.rounds(1, stack, &mut counted);
                (found, work_of(counted.as_ref()), cancel.looks().expect("a flag that counts"))
            };
            let whole = pools[0].install(|| searched(u64::MAX, &mut Stack::default()));
            assert_eq!(whole.0.map(|met| met.is_some()), Ok(spike.is_some()));
            // In the last round it depends on the threads which parts are searched after a contact.
            let last = whole.2.number - 2 * PARTS as u64;
            assert!(last > 60, "{whole:?}");
            for pool in &pools {
                pool.install(|| {
                    let mut stack = Stack::default();
                    for look in [1, 2, 3, 20, 33, last / 2, last] {
                        let (found, _, looks) = searched(look, &mut stack);
                        assert_eq!(found, Err(Cancelled), "{look} of {last}");
                        assert!(looks.number < look + PARTS as u64, "{looks:?} after {look}");
                        assert!(looks.longest <= most, "{looks:?} after {look}");
                        assert!(looks.tests <= (look - 1) * most, "{looks:?} after {look}");
                        let again = searched(u64::MAX, &mut stack);
                        assert_eq!((again.0, again.1), (whole.0, whole.1), "{look} of {last}");
                    }
                });
            }
        }
    }
}
