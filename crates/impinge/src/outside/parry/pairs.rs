//! `parry-pairs`: parry's simultaneous descent of two hierarchies, with its triangle test at the
//! leaves: the code a user of parry writes to get all pairs.

use std::cell::Cell;

use impinge_geometry::{Mesh, Pose};
use impinge_query::{
    Answer, Ask, Cancelled, Certainty, Contact, Control, Description, Engine, Meaning, Moment,
    Needs, PrepareError, QueryError, Question, QuestionKind, Stage, Statistics, Verdict,
};
use parry3d::math::{Matrix, Pose as ParryPose, Vector};
use parry3d::partitioning::BvhNode;
use parry3d::query::details::intersection_test_support_map_support_map;

use super::{ParryModel, accept, guarded_query};

/// `Bvh::leaf_pairs` with a box test of the posed nodes, then GJK of the two triangles.
#[derive(Clone, Copy, Debug, Default)]
pub struct ParryPairs;

const WORD: &str = "parry-pairs";

const DESCRIPTION: Description = Description {
    word: WORD,
    title: "parry3d 0.31 f32, simultaneous descent",
    paper: "outside library, dimforge/parry",
    needs: Needs { closed: false, gpu: false },
    questions: &[QuestionKind::FirstContact, QuestionKind::AllContacts],
    meanings: &[Meaning::Surfaces],
    self_contacts: false,
    exact: false,
};

impl Engine for ParryPairs {
    type Model = ParryModel;
    type Memory = ();

    fn describe(&self) -> &Description {
        &DESCRIPTION
    }

    fn prepare(&self, mesh: &Mesh, control: &Control<'_>) -> Result<ParryModel, PrepareError> {
        ParryModel::new(WORD, mesh, control)
    }

    fn memory(&self) {}

    fn query(
        &self,
        a: &ParryModel,
        b: &ParryModel,
        b_in_a: &Pose,
        _memory: &mut (),
        ask: &Ask,
        control: &Control<'_>,
        answer: &mut Answer,
    ) -> Result<(), QueryError> {
        answer.clear();
        control.check()?;
        self.describe().check(ask)?;
        let pose = accept(WORD, b, b_in_a, ask)?;
        let first = match ask.question {
            Question::FirstContact => true,
            Question::AllContacts => false,
            Question::Distance => {
                return Err(QueryError::Unanswered { word: WORD, what: "distance" });
            }
            Question::NearerThan(_) => {
                return Err(QueryError::Unanswered { word: WORD, what: "nearer than" });
            }
            Question::ContainedIn => {
                return Err(QueryError::Unanswered { word: WORD, what: "contained in" });
            }
        };
        let descent = Descent { a, b, pose, first, control };
        let contacts = &mut answer.contacts;
        if ask.count {
            answer.statistics = Some(descent.counted(contacts)?);
        } else {
            guarded_query(WORD, || descent.run::<false>(contacts))??;
        }
        answer.contacts_found = contacts.len() as u64;
        contacts.sort_unstable();
        contacts.truncate(ask.cap.unwrap_or(usize::MAX));
        if answer.contacts_found > 0 {
            answer.verdict = Verdict::Intersecting;
        }
        answer.certainty = Certainty::Unproven;
        Ok(())
    }
}

/// Node pair tests between two checks of the caller's cancellation flag.
const CHECK_EVERY: u64 = 4096;

/// The inputs of one query.
struct Descent<'q> {
    a: &'q ParryModel,
    b: &'q ParryModel,
    pose: ParryPose,
    first: bool,
    control: &'q Control<'q>,
}

impl Descent<'_> {
    fn counted(&self, contacts: &mut Vec<Contact>) -> Result<Statistics, QueryError> {
        let start = Moment::now();
        let [volume_tests, primitive_tests] = guarded_query(WORD, || self.run::<true>(contacts))??;
        let nanoseconds = start.nanoseconds();
        let stages = vec![Stage { name: "descent".to_owned(), nanoseconds }];
        Ok(Statistics { volume_tests, primitive_tests, stages, ..Statistics::default() })
    }

    /// Collects all pairs (or the first) in parry's order. Returns the numbers of node and triangle
    /// tests; the latter is counted only if `COUNT`.
    fn run<const COUNT: bool>(&self, contacts: &mut Vec<Contact>) -> Result<[u64; 2], Cancelled> {
        let (a, b) = (self.a.shape(), self.b.shape());
        let boxes = PosedBoxes::new(&self.pose);
        let (tests, cancelled) = (Cell::new(0_u64), Cell::new(false));
        let check = |s: &BvhNode, t: &BvhNode| {
            tests.set(tests.get() + 1);
            if tests.get() % CHECK_EVERY == 0 && self.control.check().is_err() {
                cancelled.set(true);
            }
            // Once cancelled, no node is opened and the descent ends.
            !cancelled.get() && boxes.meet(s, t)
        };
        let mut triangle_tests = 0;
        for (s, t) in a.bvh().leaf_pairs(b.bvh(), check) {
            if COUNT {
                triangle_tests += 1;
            }
            let (p, q) = (a.triangle(s), b.triangle(t));
            if intersection_test_support_map_support_map(&self.pose, &p, &q) {
                contacts.push(Contact { a: s, b: t });
                if self.first {
                    break;
                }
            }
        }
        if cancelled.get() { Err(Cancelled) } else { Ok([tests.get(), triangle_tests]) }
    }
}

/// The axis-aligned box of a posed node, with centre `R c + t` and half extents `|R| h`.
struct PosedBoxes {
    rotation: Matrix,
    absolute: Matrix,
    translation: Vector,
}

impl PosedBoxes {
    fn new(pose: &ParryPose) -> Self {
        let rotation = Matrix::from_quat(pose.rotation);
        Self { rotation, absolute: rotation.abs(), translation: pose.translation }
    }

    #[inline]
    fn meet(&self, s: &BvhNode, t: &BvhNode) -> bool {
        let (lo, hi) = (t.mins(), t.maxs());
        let center = self.rotation * ((lo + hi) * 0.5) + self.translation;
        let half = self.absolute * ((hi - lo) * 0.5);
        (center - half).cmple(s.maxs()).all() && (center + half).cmpge(s.mins()).all()
    }
}
