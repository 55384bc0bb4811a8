//! A long search for a distance on all threads of the current pool, in rounds.
//!
//! A round divides the stack into parts. Each is searched for as many steps, knowing only what was found
//! before the round; what is left of the parts is the stack again, sorted. Of pairs that are equally near
//! the one of the least triangles is reported. So the answer depends neither on the number of threads
//! nor on which of them is faster.

use impinge_query::{Cancelled, Control, Counter, Goal, Nearest};

use super::{Best, Bounded, POLL_INTERVAL, Pair, Search, Stack, ends};
use crate::share::{self, PARTS};
use crate::simd::Width;

/// Times [`POLL_INTERVAL`] steps before the first round: 0.3 to 2 ms.
const ALONE: u32 = 64;
/// The same of a part in a round: 0.1 to 0.5 ms. Calling a thread takes 25 to 50 µs. Parts do not hear in a
/// round what others have found.
const ROUND: u32 = 16;

/// Items for which a stack has room from its first search on.
const ROOM: usize = 256;

/// One search: for the goal, among pairs of triangles that are at most `most` apart, if given.
#[derive(Clone, Copy)]
pub(crate) struct Question<'q> {
    pub(crate) width: Width,
    pub(crate) pair: Pair<'q>,
    pub(crate) goal: Goal,
    pub(crate) most: Option<f64>,
    pub(crate) control: &'q Control<'q>,
}

/// Searches for the nearest pair of triangles, or for one that is within the distance of the goal.
///
/// # Errors
/// [`Cancelled`].
pub(crate) fn nearest<C: Counter>(
    question: Question<'_>,
    stack: &mut Stack,
    counter: &mut C,
) -> Result<Option<Nearest>, Cancelled> {
    if question.goal == Goal::Minimum
        && let Some(way) = ends::way(question.pair.placement)
    {
        return ends::nearest(&question.pair, way, question.control, counter).map(Some);
    }
    question.search([ALONE, ROUND], stack, counter)
}

/// A part of the stack.
struct Part<C> {
    stack: Stack,
    best: Best,
    counter: C,
    done: Result<(), Cancelled>,
}

impl Question<'_> {
    fn search<C: Counter>(
        &self,
        [alone, round]: [u32; 2],
        stack: &mut Stack,
        counter: &mut C,
    ) -> Result<Option<Nearest>, Cancelled> {
        let mut best = Best::new(&self.pair, self.most);
        stack.items.clear();
        stack.items.reserve(ROOM);
        stack.items.push(Bounded { item: self.pair.start(), ..Bounded::default() });
        self.walk(alone, stack, &mut best, counter)?;
        while !stack.items.is_empty() {
            let mut parts = Self::parts(stack, &best, counter);
            share::each(&mut parts, |(_, part)| {
                let Part { stack, best, counter, done } = part;
                *done = self.walk(round, stack, best, counter);
            });
            self.join(parts, stack, &mut best, counter)?;
        }
        Ok(best.found)
    }

    fn walk<C: Counter>(
        &self,
        polls: u32,
        stack: &mut Stack,
        best: &mut Best,
        counter: &mut C,
    ) -> Result<(), Cancelled> {
        let Self { pair, goal, control, .. } = *self;
        // Other parts are not begun after a cancellation.
        control.check()?;
        let (poll_interval, ties) = (POLL_INTERVAL, Vec::new());
        let search =
            Search { pair, goal, poll_interval, polls, stack, best, ties, counter, control };
        self.width.run(search)
    }

    /// Deals the items out to the parts one by one, so that each gets promising ones.
    fn parts<C: Counter>(stack: &Stack, best: &Best, counter: &C) -> Vec<Part<C>> {
        let parts = stack.items.len().min(PARTS);
        let of = |part: usize| Part {
            stack: Stack::of(stack.items.iter().skip(part).step_by(parts).copied().collect()),
            best: *best,
            counter: counter.fork(),
            done: Ok(()),
        };
        (0..parts).map(of).collect()
    }

    /// Takes what the parts have found, and stacks what is left of them.
    fn join<C: Counter>(
        &self,
        parts: Vec<Part<C>>,
        stack: &mut Stack,
        best: &mut Best,
        counter: &mut C,
    ) -> Result<(), Cancelled> {
        stack.items.clear();
        for part in parts {
            part.done?;
            if let Some(found) = part.best.found
                && !best.is_beaten(found.distance, found.triangles)
            {
                *best = part.best;
            }
            stack.items.extend(part.stack.items);
            counter.merge(part.counter);
        }
        if matches!(self.goal, Goal::Within(_)) && best.found.is_some() {
            stack.items.clear();
        }
        stack.sort(best.limit);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use impinge_geometry::{Mesh, Pose, Vector};
    use impinge_models::{Random, Shape};
    use impinge_query::{Cancel, Engine, Statistics};

    use super::*;
    use crate::counted::work_of;
    use crate::model::WideModel;
    use crate::placement::Placement;

    fn prepared(mesh: &Mesh) -> WideModel {
        crate::wide().prepare(mesh, &Control::NONE).expect("any mesh")
    }

    /// The answers, and the sums of tests: of a search without rounds, and of others.
    fn searched(
        models: [&WideModel; 2],
        pose: &Pose,
        (goal, most): (Goal, Option<f64>),
    ) -> [(Option<Nearest>, u64); 3] {
        let frames = models.map(|model| &model.tree.frame);
        let placement = &Placement::however_far(pose, frames, models.map(WideModel::max_abs));
        let pair = Pair { models, pose, placement };
        let control = &Control::NONE;
        let question = Question { width: Width::fastest(), pair, goal, most, control };
        [[u32::MAX, 1], [1, 1], [3, 2]].map(|polls| {
            let (mut stack, mut counted) = (Stack::default(), Some(Statistics::default()));
            let found = question.search(polls, &mut stack, &mut counted).expect("not cancelled");
            assert!(stack.items.is_empty());
            let [boxes, pairs, _] = work_of(counted.as_ref());
            (found, boxes + pairs)
        })
    }

    /// Also which of several pairs that are equally near: those of faces in two parallel planes.
    #[test]
    fn rounds_find_what_one_search_finds() {
        let shapes = [(Shape::Torus, 4_000), (Shape::Gear, 3_000), (Shape::Cube, 3_000)];
        let models = shapes.map(|(shape, count)| prepared(&shape.mesh(count, 0)));
        let mut random = Random::new(23);
        let (mut longest, mut ties) = (0, 0);
        for index in 0..150 {
            let [a, b] = [&models[index % 3], &models[(index / 3) % 3]];
            let up = Vector::new(0.0, 0.0, random.range(1.0, 2.0));
            let pose = if index % 2 == 0 {
                random.pose(2.5)
            } else {
                Pose::translation_by(up).expect("finite")
            };
            let [whole, others @ ..] = searched([a, b], &pose, (Goal::Minimum, None));
            let nearest = whole.0.expect("any two meshes have a distance");
            longest = longest.max(others[0].1);
            for other in &others {
                assert_eq!(other.0, whole.0, "{index}");
            }
            // A bound known from the beginning changes nothing, though it changes the rounds.
            let most = Some(nearest.distance * (1.0 + 1e-12));
            for (found, _) in searched([a, b], &pose, (Goal::Minimum, most)) {
                assert_eq!(found, whole.0, "{index}");
            }
            // The question is asked of surfaces that do not meet.
            if nearest.distance < 1e-6 {
                continue;
            }
            ties += index % 2;
            for (d, is_near) in [(1.001, true), (0.999, false)] {
                let d = nearest.distance * d;
                for (found, _) in searched([a, b], &pose, (Goal::Within(d), Some(d))) {
                    assert_eq!(found.is_some(), is_near, "{index} {d:e}");
                }
            }
        }
        assert!(longest > 20_000 && ties > 30, "{longest} {ties}");
    }

    /// After a cancellation no part of a round is begun, and those that are searched stop at their next look. Asked
    /// again with the same stack, a question has the answer of one that was not cancelled.
    #[test]
    #[cfg_attr(target_family = "wasm", ignore = "WebAssembly has no second thread")]
    fn rounds_end_soon_after_a_cancellation() {
        // 64 steps of sixteen lanes or pairs of triangles, and the rest of two leaves.
        let most = 64 * 16 + 16 * 2;
        let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pools = [1, 2, 5].map(|threads| pool(threads).expect("threads"));
        let model = &prepared(&Shape::Torus.mesh(4_000, 0));
        let pose = Pose::translation_by(Vector::new(1e-3, 2e-3, 0.7)).expect("finite");
        let placement = Placement::however_far(&pose, [&model.tree.frame; 2], [model.max_abs(); 2]);
        let pair = Pair { models: [model; 2], pose: &pose, placement: &placement };
        let searched = |look: u64, stack: &mut Stack| {
            let (cancel, mut counted) = (Cancel::at_look(look), Some(Statistics::default()));
            let control = &Control::NONE.cancelled_by(&cancel);
            let (width, goal) = (Width::fastest(), Goal::Minimum);
            let question = Question { width, pair, goal, most: None, control };
            let found = question.search([1, 1], stack, &mut counted);
            (found, work_of(counted.as_ref()), cancel.looks().expect("a flag that counts"))
        };
        let whole = pools[0].install(|| searched(u64::MAX, &mut Stack::default()));
        let all = whole.2.number;
        assert!(whole.0.is_ok() && all > 100, "{whole:?}");
        for pool in &pools {
            pool.install(|| {
                let mut stack = Stack::default();
                for look in [1, 2, 3, 20, 33, all / 2, all - 1, all] {
                    let (found, _, looks) = searched(look, &mut stack);
                    assert_eq!(found, Err(Cancelled), "{look} of {all}");
                    // At most one more part than of equal sizes.
                    assert!(looks.number <= look + PARTS as u64, "{looks:?} after {look}");
                    assert!(looks.longest <= most, "{looks:?} after {look}");
                    assert!(looks.tests <= (look - 1) * most, "{looks:?} after {look}");
                    let again = searched(u64::MAX, &mut stack);
                    assert_eq!((again.0, again.1), (whole.0, whole.1), "{look} of {all}");
                    assert_eq!(again.2.number, all, "{look}");
                }
            });
        }
    }

    /// An evaluated pair counts as a step, of which 64 lie between two looks.
    #[test]
    fn few_pairs_are_evaluated_between_two_looks() {
        let models = [(); 2].map(|()| prepared(&crate::search::pile(200)));
        let pose = Pose::translation_by(Vector::new(0.0, 0.0, 4.0)).expect("finite");
        let models = models.each_ref();
        let frames = models.map(|model| &model.tree.frame);
        let placement = Placement::however_far(&pose, frames, models.map(WideModel::max_abs));
        let pair = Pair { models, pose: &pose, placement: &placement };
        let pairs = |look: u64| {
            let (cancel, mut counted) = (Cancel::at_look(look), Some(Statistics::default()));
            let control = &Control::NONE.cancelled_by(&cancel);
            let (width, goal) = (Width::fastest(), Goal::Minimum);
            let question = Question { width, pair, goal, most: None, control };
            let found = question.search([u32::MAX, 1], &mut Stack::default(), &mut counted);
            assert_eq!(found, Err(Cancelled), "{look}");
            work_of(counted.as_ref())[1]
        };
        let counts: Vec<u64> = (1..150).map(pairs).collect();
        let most = counts.windows(2).map(|two| two[1] - two[0]).max();
        // The rest of a leaf, besides.
        assert!(most.is_some_and(|most| (48..=64 + 16).contains(&most)), "{most:?}");
    }
}
