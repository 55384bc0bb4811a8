//! Methods asked in another way than the competitors that they take turns with.

use impinge::query::{
    Answer, Ask, Control, Description, Engine, PrepareError, QueryError, Question,
};
use impinge::{Mesh, Pose};

/// A method that is always asked the same question.
pub(crate) struct Asking<E> {
    pub(crate) engine: E,
    pub(crate) question: Question,
}

impl<E: Engine> Engine for Asking<E> {
    type Model = E::Model;
    type Memory = E::Memory;

    fn describe(&self) -> &Description {
        self.engine.describe()
    }

    fn prepare(&self, mesh: &Mesh, control: &Control<'_>) -> Result<E::Model, PrepareError> {
        self.engine.prepare(mesh, control)
    }

    fn memory(&self) -> E::Memory {
        self.engine.memory()
    }

    fn query(
        &self,
        a: &E::Model,
        b: &E::Model,
        pose: &Pose,
        memory: &mut E::Memory,
        ask: &Ask,
        control: &Control<'_>,
        answer: &mut Answer,
    ) -> Result<(), QueryError> {
        let ask = Ask { question: self.question, ..*ask };
        self.engine.query(a, b, pose, memory, &ask, control, answer)
    }
}

/// A method that tells of each query before it answers.
#[cfg(test)]
pub(crate) struct Telling<E, F>(pub(crate) E, pub(crate) F);

#[cfg(test)]
impl<E: Engine, F: Fn() + Send + Sync> Engine for Telling<E, F> {
    type Model = E::Model;
    type Memory = E::Memory;

    fn describe(&self) -> &Description {
        self.0.describe()
    }

    fn prepare(&self, mesh: &Mesh, control: &Control<'_>) -> Result<E::Model, PrepareError> {
        self.0.prepare(mesh, control)
    }

    fn memory(&self) -> E::Memory {
        self.0.memory()
    }

    fn query(
        &self,
        a: &E::Model,
        b: &E::Model,
        pose: &Pose,
        memory: &mut E::Memory,
        ask: &Ask,
        control: &Control<'_>,
        answer: &mut Answer,
    ) -> Result<(), QueryError> {
        (self.1)();
        self.0.query(a, b, pose, memory, ask, control, answer)
    }
}

#[cfg(test)]
mod tests {
    use impinge::Vector;
    use impinge::hierarchy::obbtree;
    use impinge_benches::harness::{Competitor, Workload, count};
    use impinge_models::Shape;

    use super::*;

    /// Two balls that overlap.
    fn balls() -> Workload {
        let pose = Pose::translation_by(Vector::new(0.5, 0.1, 0.2)).expect("near");
        Workload::motion(vec![Shape::Sphere.mesh(100, 1)], [0, 0], &[pose])
    }

    #[test]
    fn the_question_of_a_method_is_its_own() {
        let asked = balls();
        let contacts = |one: &Competitor, ask: Ask| {
            count(one, &asked, &ask, true).expect("it answers").contacts
        };
        let plain = Competitor::new("plain", obbtree());
        let all = Asking { engine: obbtree(), question: Question::AllContacts };
        let all = Competitor::new("all", all);
        assert_eq!(contacts(&plain, Ask::first_contact()), 1);
        let expected = contacts(&plain, Ask::all_contacts());
        assert_eq!(contacts(&all, Ask::first_contact()), expected);
        assert!(expected > 1);
    }
}
