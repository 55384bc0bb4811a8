//! Pairs of triangles that 32 bits leave for a pose, and their decision.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use impinge_geometry::Pose;
use impinge_geometry::exact::triangles_meet;
use impinge_query::{Cancelled, Contact, Contacts, Counter, Query};

use super::model::PairsModel;
use crate::pass::Decided;

/// A pair of triangles that is not certain to be apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Left {
    pub(crate) a: u32,
    pub(crate) b: u32,
    /// Whether 32 bits do not decide it.
    pub(crate) open: bool,
}

/// What is known of a pose before the exact tests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// In canonical order. If the first contact is wanted, pairs behind the first that is certain to
    /// meet may be missing.
    pub(crate) left: Vec<Left>,
    /// Pairs of boxes tested.
    pub(crate) boxes: u64,
    /// Pairs of triangles tested.
    pub(crate) triangles: u64,
    /// Submissions that are counted for this pose.
    pub(crate) submissions: u64,
}

impl Outcome {
    /// Decides the pairs in order, until there are enough contacts.
    pub(crate) fn decide<C: Counter>(
        &self,
        query: &Query<'_, PairsModel>,
        counter: &mut C,
        found: &mut Contacts,
    ) -> Result<Decided, Cancelled> {
        counter.volumes(self.boxes);
        counter.primitives(self.triangles);
        counter.submitted(self.submissions);
        let open = self.left.iter().filter(|pair| pair.open).count() as u64;
        let mut decided = Decided { settled: self.triangles - open, resolved: 0 };
        for (index, pair) in self.left.iter().enumerate() {
            if index % 64 == 0 {
                query.control.check()?;
            }
            if take(pair, query, counter, &mut decided, found).is_break() {
                break;
            }
        }
        Ok(decided)
    }
}

/// Adds a pair to the contacts unless the exact test says that it is apart.
pub(super) fn take<C: Counter>(
    &Left { a, b, open }: &Left,
    query: &Query<'_, PairsModel>,
    counter: &mut C,
    decided: &mut Decided,
    found: &mut Contacts,
) -> ControlFlow<()> {
    let contact = Contact { a, b };
    if open {
        counter.exact(1);
        decided.resolved += 1;
        let (p, q) = query.triangles(contact);
        if !triangles_meet(&p, &q) {
            return ControlFlow::Continue(());
        }
    }
    found.take(contact)
}

/// What an adapter knows of a pose.
#[cfg_attr(not(any(test, feature = "wgpu")), expect(dead_code, reason = "there is no adapter"))]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Landing {
    /// All pairs of triangles that may meet.
    Whole(Outcome),
    /// More than its numbers, lists or buffers hold, after so many submissions: the processor has to
    /// answer.
    TooMuch { submissions: u64 },
}

#[cfg(feature = "wgpu")]
impl Landing {
    pub(super) const fn submissions(&mut self) -> &mut u64 {
        match self {
            Self::Whole(outcome) => &mut outcome.submissions,
            Self::TooMuch { submissions } => submissions,
        }
    }

    /// The outcome, if the adapter has it.
    pub(super) const fn outcome(&mut self) -> Option<&mut Outcome> {
        match self {
            Self::Whole(outcome) => Some(outcome),
            Self::TooMuch { .. } => None,
        }
    }
}

/// What is known of the next poses of a batch, in order.
#[derive(Debug, Default)]
pub(crate) struct Ready {
    landings: VecDeque<(Pose, Landing)>,
    /// Whether they were searched for the first contact only.
    first: bool,
}

impl Ready {
    pub(crate) fn clear(&mut self) {
        self.landings.clear();
    }

    /// Replaces the contents.
    pub(crate) fn fill(&mut self, poses: &[Pose], landings: Vec<Landing>, first: bool) {
        self.first = first;
        self.landings = poses.iter().copied().zip(landings).collect();
    }

    /// What is known of this pose if it is the next one; otherwise all is dropped.
    pub(crate) fn take(&mut self, pose: &Pose, first: bool) -> Option<Landing> {
        match self.landings.pop_front() {
            Some((of, landing)) if of == *pose && self.first == first => Some(landing),
            _ => {
                self.clear();
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_are_given_in_order_to_the_question_they_are_for() {
        let poses = [1.0, 2.0, 3.0]
            .map(|x: f64| Pose::translation_by([x, 0.0, 0.0].into()).expect("in range"));
        let outcome = |boxes| Landing::Whole(Outcome { boxes, ..Outcome::default() });
        let fill = |ready: &mut Ready| {
            ready.fill(
                &poses,
                vec![outcome(1), Landing::TooMuch { submissions: 0 }, outcome(3)],
                true,
            );
        };
        let mut ready = Ready::default();
        assert_eq!(ready.take(&poses[0], true), None);
        fill(&mut ready);
        assert_eq!(ready.take(&poses[0], true), Some(outcome(1)));
        assert_eq!(ready.take(&poses[1], true), Some(Landing::TooMuch { submissions: 0 }));
        assert_eq!(ready.take(&poses[2], false), None, "another question");
        fill(&mut ready);
        assert_eq!(ready.take(&poses[1], true), None, "another pose");
        assert_eq!(ready.take(&poses[0], true), None, "dropped");
    }
}
