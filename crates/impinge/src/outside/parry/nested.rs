//! `parry`: the queries a user of parry calls on two meshes.

use impinge_geometry::parry::point_from_parry;
use impinge_geometry::{Mesh, Point, Pose};
use impinge_query::{
    Answer, Ask, Certainty, Contact, Control, Counter, Description, Engine, Meaning, Nearest,
    Needs, PrepareError, QueryError, Question, QuestionKind, Statistics, Verdict,
};
use parry3d::math::Pose as ParryPose;
use parry3d::query::{self, ClosestPoints, ShapeDistance};

use super::{ParryModel, accept, guarded_query};

/// parry's own `intersection_test`, `distance` and `closest_points` on two `TriMesh`es. A running
/// call cannot be cancelled.
#[derive(Clone, Copy, Debug, Default)]
pub struct Parry;

const WORD: &str = "parry";

const DESCRIPTION: Description = Description {
    word: WORD,
    title: "parry3d 0.31 f32, its own mesh queries",
    paper: "outside library, dimforge/parry",
    needs: Needs { closed: false, gpu: false },
    questions: &[QuestionKind::FirstContact, QuestionKind::Distance, QuestionKind::NearerThan],
    meanings: &[Meaning::Surfaces],
    self_contacts: false,
    exact: false,
};

impl Engine for Parry {
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
        let pair = Pair { a, b, pose };
        let counter = ask.count.then(Statistics::default);
        answer.statistics = pair.answer(ask.question, counter, answer)?;
        if let Some(cap) = ask.cap {
            answer.contacts.truncate(cap);
        }
        answer.certainty = Certainty::Unproven;
        Ok(())
    }
}

/// The inputs of one query.
struct Pair<'q> {
    a: &'q ParryModel,
    b: &'q ParryModel,
    pose: ParryPose,
}

impl Pair<'_> {
    fn answer(
        &self,
        question: Question,
        mut counter: Option<Statistics>,
        answer: &mut Answer,
    ) -> Result<Option<Statistics>, QueryError> {
        match question {
            Question::FirstContact => {
                counter.stage("intersection_test", |_| self.first_contact(answer))?;
            }
            Question::AllContacts => {
                return Err(QueryError::Unanswered { word: WORD, what: "all contacts" });
            }
            Question::Distance => counter.stage("distance", |_| self.distance(answer))?,
            Question::ContainedIn => {
                return Err(QueryError::Unanswered { word: WORD, what: "contained in" });
            }
            Question::NearerThan(d) => {
                counter.stage("closest_points", |_| self.nearer(d, answer))?;
            }
        }
        Ok(counter)
    }

    /// Runs one of parry's shape-shape queries.
    fn call<R>(
        &self,
        query: impl FnOnce(&ParryPose, &ParryPose) -> Result<R, query::Unsupported>,
    ) -> Result<R, QueryError> {
        let result = guarded_query(WORD, || query(&ParryPose::IDENTITY, &self.pose))?;
        result.map_err(|error| QueryError::Backend { word: WORD, reason: error.to_string() })
    }

    fn first_contact(&self, answer: &mut Answer) -> Result<(), QueryError> {
        let found = self
            .call(|at, pose| query::intersection_test(at, self.a.shape(), pose, self.b.shape()))?;
        if found.intersecting {
            answer.verdict = Verdict::Intersecting;
            answer.contacts.push(Contact { a: found.subshape1, b: found.subshape2 });
            answer.contacts_found = 1;
        }
        Ok(())
    }

    fn distance(&self, answer: &mut Answer) -> Result<(), QueryError> {
        let found =
            self.call(|at, pose| query::distance(at, self.a.shape(), pose, self.b.shape()))?;
        let ShapeDistance { distance, subshape1: a, subshape2: b } = found;
        let (on_a, on_b) = self.nearest_points(a, b)?;
        let triangles = Contact { a, b };
        answer.nearest = Some(Nearest { distance: f64::from(distance), on_a, on_b, triangles });
        if distance == 0.0 {
            answer.verdict = Verdict::Intersecting;
        }
        Ok(())
    }

    /// The nearest points of triangle `a` of A and `b` of B; parry's `distance` returns none. For
    /// triangles that parry finds intersecting it returns no point; the centre of A's triangle is
    /// used.
    fn nearest_points(&self, a: u32, b: u32) -> Result<(Point, Point), QueryError> {
        let (s, t) = (self.a.shape().triangle(a), self.b.shape().triangle(b));
        let found = self.call(|at, pose| query::closest_points(at, &s, pose, &t, f32::MAX))?;
        Ok(match found {
            ClosestPoints::WithinMargin(p, q) => (point_from_parry(p), point_from_parry(q)),
            ClosestPoints::Intersecting | ClosestPoints::Disjoint => {
                let center = point_from_parry(s.center());
                (center, center)
            }
        })
    }

    fn nearer(&self, d: f64, answer: &mut Answer) -> Result<(), QueryError> {
        let margin = d.min(f64::from(f32::MAX)) as f32;
        if margin == 0.0 {
            // parry's search accepts only points strictly nearer than the margin.
            self.first_contact(answer)?;
            answer.contacts.clear();
            answer.contacts_found = 0;
            answer.nearer = Some(answer.verdict.is_hit());
            return Ok(());
        }
        let found = self.call(|at, pose| {
            query::closest_points(at, self.a.shape(), pose, self.b.shape(), margin)
        })?;
        if matches!(found, ClosestPoints::Intersecting) {
            answer.verdict = Verdict::Intersecting;
        }
        answer.nearer = Some(!matches!(found, ClosestPoints::Disjoint));
        Ok(())
    }
}
