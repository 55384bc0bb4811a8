//! One contender: what it is told and asked.

use impinge::Pose;
use impinge::query::{Answer, Ask, QuestionKind};
use impinge_benches::scene::NamedMesh;

/// One query: mesh 0 against mesh `b`, placed in its frame.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    /// Index of the second mesh among those prepared; 0 for a copy of the first.
    pub b: usize,
    /// The second mesh in the first one's frame.
    pub pose: Pose,
    /// The question.
    pub ask: Ask,
    /// Whether pairs of triangles are to be listed, to judge them. A contender whose own answer is
    /// no list but a number or a library's own structure does that extra work only if this is set.
    pub listed: bool,
}

/// What making all meshes of a scene ready took.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Prepared {
    /// For contacts (and for distances if `distance_seconds` is `None`). Unit: seconds.
    pub seconds: f64,
    /// For distances, if they need a model of their own. Unit: seconds.
    pub distance_seconds: Option<f64>,
    /// Triangles of all meshes.
    pub triangles: usize,
    /// Bytes of the models for contacts, the meshes' own arrays among them.
    pub bytes: Option<u64>,
}

/// A contender, with the meshes of one scene.
pub trait Peer {
    /// Its word in tables.
    fn word(&self) -> &'static str;

    /// One line on what it is, with its version.
    fn title(&self) -> String;

    /// Does it answer this question?
    fn answers(&self, question: QuestionKind) -> bool;

    /// About how long this question takes it over meshes with so many triangles, if that could be
    /// longer than anybody waits: a call cannot be cancelled. Unit: seconds.
    fn expects(&self, question: QuestionKind, triangles: usize) -> f64 {
        let _ = (question, triangles);
        0.0
    }

    /// Makes meshes ready, in place of those before.
    ///
    /// # Errors
    /// A sentence if it refuses one.
    fn prepare(&mut self, meshes: &[NamedMesh]) -> Result<Prepared, String>;

    /// Lets go of all meshes.
    fn release(&mut self);

    /// Forgets what it learnt from the last task, but keeps its space: a pose that is repeated is to be
    /// answered anew each time.
    fn forget(&mut self) {}

    /// Answers a task. Contacts are in canonical order if they were to be listed;
    /// [`Answer::contacts_found`] is their number in any case.
    ///
    /// # Errors
    /// A sentence if it has no answer.
    fn ask(&mut self, task: &Task, answer: &mut Answer) -> Result<(), String>;
}
