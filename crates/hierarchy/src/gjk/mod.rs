//! GJK on convex bodies (Gilbert, Johnson, Keerthi 1988; fan §1.3.1.2), with certified results and
//! an exact search as fallback. Method K, documented in `docs/methods/gjk.md`.
//!
//! 1. [`prepare`](Search::prepare) proves that the mesh bounds a convex body ([`ConvexBody`]), and
//!    prepares it for the inner search too.
//! 2. A query starts from the last separating direction of this pair and runs
//!    [`between`](impinge_geometry::gjk::between) until the bodies are proved apart, the question
//!    is answered, or no progress is made.
//! 3. If they are proved apart, the verdict is `Separated` in both meanings. The distance is that
//!    of two triangles, see `nearest`.
//! 4. Everything else, in particular contact, goes to the inner search.

mod nearest;

use impinge_geometry::convex::{AtRest, ConvexBody, NotConvex, Posed};
use impinge_geometry::gjk::{Proximity, Until, between};
use impinge_geometry::{MAX_COORDINATE, Mesh, Point, Pose, Vector};
use impinge_query::{
    Answer, Cancelled, Control, Counter, Description, Found, Goal, Meaning, MeshModel, Nearest,
    Needs, PrepareError, Query, QueryError, Question, QuestionKind, Search, Side, Subject,
};

/// GJK on convex bodies, with `inner` for what it cannot prove.
#[derive(Clone, Copy, Debug)]
pub struct Gjk<S> {
    /// The exact search used when the bodies are not proved apart. It must answer every question in
    /// every meaning.
    pub inner: S,
}

/// GJK with the OBB tree as inner search.
pub fn gjk() -> Gjk<crate::methods::ObbTree> {
    Gjk { inner: crate::obbtree() }
}

/// A convex body, and the inner search's model of the same mesh.
#[derive(Debug)]
pub struct GjkModel<M> {
    body: ConvexBody,
    inner: M,
}

impl<M> GjkModel<M> {
    /// The convex body.
    pub const fn body(&self) -> &ConvexBody {
        &self.body
    }
}

impl<M: MeshModel> MeshModel for GjkModel<M> {
    fn subject(&self) -> &Subject {
        self.inner.subject()
    }

    fn own_bytes(&self) -> usize {
        self.inner.own_bytes() + self.body.bytes() + size_of::<ConvexBody>()
    }
}

/// Memory of a pair: the last separating direction, the support vertices at which the last run
/// ended, and the inner search's memory.
#[derive(Debug)]
pub struct GjkMemory<M> {
    direction: Option<Vector>,
    at: [u32; 2],
    inner: M,
}

const DESCRIPTION: Description = Description {
    word: "gjk",
    title: "GJK on convex bodies, certified",
    paper: "Gilbert, Johnson, Keerthi 1988; fan §1.3.1.2",
    needs: Needs { closed: true, gpu: false },
    questions: QuestionKind::ALL,
    meanings: &[Meaning::Surfaces, Meaning::Solids],
    self_contacts: false,
    exact: true,
};

impl<S: Search> Search for Gjk<S> {
    type Model = GjkModel<S::Model>;
    type Memory = GjkMemory<S::Memory>;

    const REMEMBERS: bool = S::REMEMBERS;

    fn describe(&self) -> &Description {
        &DESCRIPTION
    }

    fn prepare(&self, mesh: &Mesh, control: &Control<'_>) -> Result<Self::Model, PrepareError> {
        let body =
            ConvexBody::watched(mesh, &mut || control.check())?.map_err(|why| match why {
                NotConvex::Open(open) => PrepareError::Open(open),
                why => PrepareError::Refused { word: DESCRIPTION.word, reason: why.to_string() },
            })?;
        control.check()?;
        Ok(GjkModel { body, inner: self.inner.prepare(mesh, control)? })
    }

    fn memory(&self) -> Self::Memory {
        GjkMemory { direction: None, at: [0, 0], inner: self.inner.memory() }
    }

    fn forget(&self, memory: &mut Self::Memory) {
        (memory.direction, memory.at) = (None, [0, 0]);
        self.inner.forget(&mut memory.inner);
    }

    fn settle<C: Counter>(
        &self,
        query: &Query<'_, Self::Model>,
        memory: &mut Self::Memory,
        counter: &mut C,
        answer: &mut Answer,
    ) -> Result<bool, QueryError> {
        let pair = Pair { a: &query.a.body, b: &query.b.body, pose: query.pose };
        if pair.settle(query.ask.question, memory, counter, answer) {
            return Ok(true);
        }
        self.inner.settle(&inner(query), &mut memory.inner, counter, answer)
    }

    fn contacts<C: Counter>(
        &self,
        query: &Query<'_, Self::Model>,
        memory: &mut Self::Memory,
        counter: &mut C,
        found: &mut Found<'_>,
    ) -> Result<(), QueryError> {
        self.inner.contacts(&inner(query), &mut memory.inner, counter, found)
    }

    fn nearest<C: Counter>(
        &self,
        query: &Query<'_, Self::Model>,
        goal: Goal,
        most: Option<f64>,
        memory: &mut Self::Memory,
        counter: &mut C,
    ) -> Result<Option<Nearest>, QueryError> {
        self.inner.nearest(&inner(query), goal, most, &mut memory.inner, counter)
    }

    fn winding<'q, C: Counter>(
        &'q self,
        query: Query<'q, Self::Model>,
        solid: Side,
    ) -> impl FnMut(&Point, &mut C) -> Result<i32, Cancelled> {
        self.inner.winding(inner(&query), solid)
    }
}

/// The query on the inner search's models.
fn inner<'q, M>(query: &Query<'q, GjkModel<M>>) -> Query<'q, M> {
    query.of(&query.a.inner, &query.b.inner)
}

/// Two bodies and B's pose.
struct Pair<'q> {
    a: &'q ConvexBody,
    b: &'q ConvexBody,
    pose: &'q Pose,
}

impl Pair<'_> {
    /// Answers and returns `true` if the bodies are proved apart; else returns `false`.
    fn settle<M>(
        &self,
        question: Question,
        memory: &mut GjkMemory<M>,
        counter: &mut impl Counter,
        answer: &mut Answer,
    ) -> bool {
        // Beyond this, sums of coordinates may overflow.
        if 2.0 * self.b.max_abs() + self.pose.translation().amax() > MAX_COORDINATE {
            return false;
        }
        match question {
            Question::FirstContact | Question::AllContacts => {
                self.run(Until::Apart, memory, counter).apart()
            }
            Question::ContainedIn => {
                let apart = self.run(Until::Apart, memory, counter).apart();
                answer.contained = apart.then_some(false);
                apart
            }
            Question::Distance => {
                let found = self.run(Until::Nearest, memory, counter);
                answer.nearest = counter.stage("triangles", |c| self.nearest(&found, c));
                answer.nearest.is_some()
            }
            Question::NearerThan(d) => {
                answer.nearer = self.nearer(d, memory, counter);
                answer.nearer.is_some()
            }
        }
    }

    /// Whether the distance is at most `d`. `None` if the bodies are not proved apart or it is not
    /// certain.
    ///
    /// "No" is proved by the run's lower bound, "yes" by a pair of triangles that is exactly within
    /// `d`. A run that stops as soon as its points are near enough may stop inside the bodies,
    /// where no such pair is found: then a run to the nearest points follows.
    fn nearer<M>(
        &self,
        d: f64,
        memory: &mut GjkMemory<M>,
        counter: &mut impl Counter,
    ) -> Option<bool> {
        for until in [Until::Outside { near: d, far: d }, Until::Nearest] {
            let found = self.run(until, memory, counter);
            if found.lower > d {
                return Some(false);
            }
            if !found.apart() && !self.run(Until::Apart, memory, counter).apart() {
                return None;
            }
            if counter.stage("triangles", |c| self.within(&found, d, c)) {
                return Some(true);
            }
            if found.upper > d {
                return None;
            }
        }
        None
    }

    fn run<M>(
        &self,
        until: Until,
        memory: &mut GjkMemory<M>,
        counter: &mut impl Counter,
    ) -> Proximity {
        counter.stage("gjk", |counter| {
            let mut a = AtRest::new(self.a, memory.at[0]);
            let mut b = Posed::new(self.b, self.pose, memory.at[1]);
            let start = memory.direction.unwrap_or_else(|| self.between_centers());
            let found = between(&mut a, &mut b, &start, until);
            counter.volumes(found.iterations.into());
            memory.at = [a.last(), b.last()];
            if found.apart() {
                memory.direction = Some(found.direction);
            }
            found
        })
    }

    fn between_centers(&self) -> Vector {
        self.pose.apply(&self.b.center()) - self.a.center()
    }
}

#[cfg(test)]
mod tests;
