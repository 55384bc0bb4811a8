//! K: GJK on convex bodies (Gilbert, Johnson, Keerthi 1988; fan §1.3.1.2), certified, with an exact
//! engine behind it. Its page is `docs/methods/gjk.md`.
//!
//! 1. [`prepare`](Engine::prepare) proves that the mesh bounds a convex body
//!    ([`ConvexBody`]), and prepares it for the inner engine as well.
//! 2. A query starts from the direction that separated this pair last, and runs
//!    [`between`](impinge_geometry::gjk::between) until the bodies are proved apart, the question is
//!    answered, or nothing more is gained.
//! 3. Apart by proof: the verdict is `Separated` in both meanings. A distance is that of two
//!    triangles, see `nearest`.
//! 4. Anything else, contact above all, goes to the inner engine.

mod model;
mod nearest;

pub use model::{GjkMemory, GjkModel};

use impinge_geometry::convex::{AtRest, ConvexBody, NotConvex, Posed};
use impinge_geometry::gjk::{Proximity, Until, between};
use impinge_geometry::{MAX_COORDINATE, Mesh, Pose, Vector};
use impinge_query::{
    Answer, Ask, Control, Counter, Description, Engine, Meaning, Needs, PairKey, PrepareError,
    QueryError, Question, QuestionKind, Statistics,
};

/// GJK on convex bodies; what it cannot prove, `inner` answers.
#[derive(Clone, Copy, Debug)]
pub struct Gjk<E> {
    /// The exact engine that answers when the bodies are not proved apart. It must answer every
    /// question in every meaning.
    pub inner: E,
}

/// GJK over the OBB tree.
pub fn gjk() -> Gjk<impl Engine> {
    Gjk { inner: crate::obbtree() }
}

const DESCRIPTION: Description = Description {
    word: "gjk",
    title: "GJK on convex bodies, certified",
    paper: "Gilbert, Johnson, Keerthi 1988; fan §1.3.1.2",
    needs: Needs { closed: true, gpu: false },
    questions: &[
        QuestionKind::FirstContact,
        QuestionKind::AllContacts,
        QuestionKind::Distance,
        QuestionKind::NearerThan,
    ],
    meanings: &[Meaning::Surfaces, Meaning::Solids],
    exact: true,
};

impl<E: Engine> Engine for Gjk<E> {
    type Model = GjkModel<E::Model>;
    type Memory = GjkMemory<E::Memory>;

    fn describe(&self) -> &Description {
        &DESCRIPTION
    }

    fn prepare(&self, mesh: &Mesh, control: &Control<'_>) -> Result<Self::Model, PrepareError> {
        control.check()?;
        let body = ConvexBody::new(mesh).map_err(|why| match why {
            NotConvex::Open(open) => PrepareError::Open(open),
            why => PrepareError::Refused { word: DESCRIPTION.word, reason: why.to_string() },
        })?;
        control.check()?;
        Ok(GjkModel { body, inner: self.inner.prepare(mesh, control)? })
    }

    fn memory(&self) -> Self::Memory {
        GjkMemory { pair: None, direction: None, at: [0, 0], inner: self.inner.memory() }
    }

    fn query(
        &self,
        a: &Self::Model,
        b: &Self::Model,
        b_in_a: &Pose,
        memory: &mut Self::Memory,
        ask: &Ask,
        control: &Control<'_>,
        answer: &mut Answer,
    ) -> Result<(), QueryError> {
        answer.clear();
        control.check()?;
        memory.begin(a, b);
        let pair = Pair { a: &a.body, b: &b.body, pose: b_in_a };
        let settled = if ask.count {
            let mut counted = Statistics::default();
            let settled = pair.settle(ask, memory, &mut counted, answer);
            answer.statistics = Some(counted);
            settled
        } else {
            pair.settle(ask, memory, &mut (), answer)
        };
        if settled {
            return Ok(());
        }
        let ours = answer.statistics.take();
        self.inner.query(&a.inner, &b.inner, b_in_a, &mut memory.inner, ask, control, answer)?;
        let both = ours.zip(answer.statistics.take());
        answer.statistics = both.map(|(ours, inner)| ours.then(inner));
        Ok(())
    }
}

/// Two bodies in their places.
struct Pair<'q> {
    a: &'q ConvexBody,
    b: &'q ConvexBody,
    pose: &'q Pose,
}

impl Pair<'_> {
    /// Answers if the bodies are proved apart; else `false`, and the answer is as it was.
    fn settle<M>(
        &self,
        ask: &Ask,
        memory: &mut GjkMemory<M>,
        counter: &mut impl Counter,
        answer: &mut Answer,
    ) -> bool {
        // Beyond, a posed vertex may leave the range of coordinates: the inner engine says so.
        if 2.0 * self.b.max_abs() + self.pose.translation().amax() > MAX_COORDINATE {
            return false;
        }
        match ask.question {
            Question::FirstContact | Question::AllContacts => {
                self.run(Until::Apart, memory, counter).apart()
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

    /// Is the distance at most `d`? `None` if the bodies are not proved apart or it is not certain.
    ///
    /// "No" is the run's proved bound, "yes" a pair of triangles that is within `d` exactly. A run
    /// that ends as soon as its points are near enough may end inside the bodies, where no such
    /// pair is found: then one to the nearest points follows.
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

impl<M> GjkMemory<M> {
    /// Forgets what another pair, or this one before a deformation, has left.
    fn begin<N: impinge_query::Model>(&mut self, a: &GjkModel<N>, b: &GjkModel<N>) {
        let pair = Some(PairKey { a: a.inner.id(), b: b.inner.id() });
        if self.pair != pair {
            (self.pair, self.direction, self.at) = (pair, None, [0, 0]);
        }
    }
}

#[cfg(test)]
mod tests;
