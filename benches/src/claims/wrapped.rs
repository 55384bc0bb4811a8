//! Methods asked in another way than the competitors that they take turns with.

use std::sync::{Mutex, PoisonError};

use impinge::query::{
    Answer, Ask, Control, Description, Engine, PrepareError, QueryError, Question,
};
use impinge::{Mesh, Pose};
use rayon::{ThreadPool, ThreadPoolBuilder};

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

/// A method on several threads, which wait for a query and all answer it at once, each with a memory of
/// its own. The answer and the counters are those of one of them.
pub(crate) struct AtOnce<E> {
    engine: E,
    pool: ThreadPool,
}

impl<E> AtOnce<E> {
    /// So many threads.
    ///
    /// # Errors
    /// If they cannot be started.
    pub(crate) fn new(engine: E, threads: usize) -> Result<Self, String> {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        Ok(Self { engine, pool: pool.map_err(|error| error.to_string())? })
    }
}

impl<E: Engine> Engine for AtOnce<E> {
    type Model = E::Model;
    /// One for each thread.
    type Memory = Vec<Mutex<(E::Memory, Answer)>>;

    fn describe(&self) -> &Description {
        self.engine.describe()
    }

    fn prepare(&self, mesh: &Mesh, control: &Control<'_>) -> Result<E::Model, PrepareError> {
        self.engine.prepare(mesh, control)
    }

    fn memory(&self) -> Self::Memory {
        let one = |_| Mutex::new((self.engine.memory(), Answer::default()));
        (0..self.pool.current_num_threads()).map(one).collect()
    }

    fn query(
        &self,
        a: &E::Model,
        b: &E::Model,
        pose: &Pose,
        memory: &mut Self::Memory,
        ask: &Ask,
        control: &Control<'_>,
        answer: &mut Answer,
    ) -> Result<(), QueryError> {
        let told = self.pool.broadcast(|thread| {
            let mut own = memory[thread.index()].lock().unwrap_or_else(PoisonError::into_inner);
            let (memory, answer) = &mut *own;
            self.engine.query(a, b, pose, memory, ask, control, answer)
        });
        let own = memory[0].get_mut().unwrap_or_else(PoisonError::into_inner);
        answer.clone_from(&own.1);
        told.into_iter().collect()
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
    use std::collections::HashSet;
    use std::thread::current;

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

    #[test]
    fn every_thread_answers_the_whole_query() {
        let asked = balls();
        let threads = Mutex::new(HashSet::new());
        let note = || {
            threads.lock().expect("no panic").insert(current().id());
        };
        let at_once = AtOnce::new(Telling(obbtree(), note), 3).expect("threads");
        let models = Engine::prepare(&at_once, &asked.meshes[0], &Control::NONE).expect("taken");
        let (mut memory, mut answer) = (at_once.memory(), Answer::default());
        let (pose, ask) = (asked.steps[0][0].pose, Ask::all_contacts());
        at_once
            .query(&models, &models, &pose, &mut memory, &ask, &Control::NONE, &mut answer)
            .expect("it answers");
        assert_eq!(threads.lock().expect("no panic").len(), 3);
        assert!(answer.contacts.len() > 1);
        let found = |own: &Mutex<(_, Answer)>| own.lock().expect("no panic").1.contacts.clone();
        assert!(memory.iter().all(|own| found(own) == answer.contacts));
    }
}
