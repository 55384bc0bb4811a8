//! Competitors and workloads.

use std::hint::black_box;
use std::time::{Duration, Instant};

use impinge::query::{Answer, Ask, Control, Detector, PairMemory, Prepared, QuestionKind};
use impinge::{Mesh, Method, Point, Pose, UnknownMethod, Vector};
use impinge_models::{Scene, Shape};

/// One question about two bodies.
#[derive(Clone, Copy, Debug)]
pub struct Query {
    /// Index of A's mesh.
    pub a: usize,
    /// Index of B's mesh.
    pub b: usize,
    /// The pair of bodies; memories are kept per pair.
    pub pair: usize,
    /// Pose of B in A's frame.
    pub pose: Pose,
}

/// All queries of one instant.
pub type Step = Vec<Query>;

/// The question of this kind with default options.
pub const fn plain(kind: QuestionKind) -> Ask {
    match kind {
        QuestionKind::AllContacts => Ask::all_contacts(),
        QuestionKind::Distance => Ask::distance(),
        QuestionKind::FirstContact | QuestionKind::NearerThan | QuestionKind::ContainedIn => {
            Ask::first_contact()
        }
    }
}

/// Meshes and the queries of each step.
#[derive(Clone, Debug)]
pub struct Workload {
    /// The meshes that queries index.
    pub meshes: Vec<Mesh>,
    /// All queries of each step.
    pub steps: Vec<Step>,
    /// Triangles of all bodies together.
    pub triangles: usize,
    /// Pairs of bodies.
    pub pairs: usize,
}

impl Workload {
    /// A workload of these queries, with every mesh as a body.
    pub fn new(meshes: Vec<Mesh>, steps: Vec<Step>) -> Self {
        let pairs = steps.iter().flatten().map(|query| query.pair + 1).max().unwrap_or(0);
        let triangles = meshes.iter().map(|mesh| mesh.triangles().len()).sum();
        Self { meshes, steps, triangles, pairs }
    }

    /// Two meshes at each pose, as one moving pair.
    pub fn motion(meshes: Vec<Mesh>, [a, b]: [usize; 2], poses: &[Pose]) -> Self {
        let step = |pose: &Pose| vec![Query { a, b, pair: 0, pose: *pose }];
        Self::new(meshes, poses.iter().map(step).collect())
    }

    /// B moves about A as in [`Scene::walk`].
    ///
    /// # Errors
    /// If the motion is refused.
    pub fn walk(
        [a, b]: [Shape; 2],
        triangles: usize,
        seed: u64,
        steps: usize,
    ) -> Result<Self, String> {
        let scene = Scene::walk(a, b, triangles, seed, steps);
        scene.map(Self::every_pair).map_err(|error| error.to_string())
    }

    /// Every pair of a scene's bodies at every step, without a broad phase (fan §4.5.2).
    pub fn every_pair(scene: Scene) -> Self {
        let objects = &scene.objects;
        let pairs: Vec<(usize, usize)> =
            (0..objects.len()).flat_map(|i| (i + 1..objects.len()).map(move |j| (i, j))).collect();
        let step = |at: usize| {
            let query = |(pair, &(i, j)): (usize, &(usize, usize))| {
                let (a, b) = (&objects[i], &objects[j]);
                let pose = Pose::relative(a.motion.at(at), b.motion.at(at));
                Query { a: a.mesh, b: b.mesh, pair, pose }
            };
            pairs.iter().enumerate().map(query).collect()
        };
        let steps = (0..scene.steps()).map(step).collect();
        let size = |mesh: usize| scene.meshes[mesh].triangles().len();
        let triangles = objects.iter().map(|object| size(object.mesh)).sum();
        Self { steps, triangles, pairs: pairs.len(), meshes: scene.meshes }
    }
}

/// A method with its parameters and a label.
pub struct Competitor {
    /// Its name in reports.
    pub label: String,
    /// The method.
    pub detector: Box<dyn Detector>,
}

impl std::fmt::Debug for Competitor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Competitor").field("label", &self.label).finish_non_exhaustive()
    }
}

impl AsRef<Self> for Competitor {
    fn as_ref(&self) -> &Self {
        self
    }
}

impl From<Method> for Competitor {
    fn from(method: Method) -> Self {
        Self { label: method.word().to_owned(), detector: method.build() }
    }
}

impl Competitor {
    /// A labelled method.
    pub fn new(label: impl Into<String>, detector: impl Detector + 'static) -> Self {
        Self { label: label.into(), detector: Box::new(detector) }
    }

    /// Methods by their names, which become labels.
    ///
    /// # Errors
    /// Names the first method that is not in this build.
    pub fn named(names: &[&str]) -> Result<Vec<Self>, String> {
        let one = |name: &&str| name.parse().map(|method: Method| method.into());
        names.iter().map(one).collect::<Result<_, UnknownMethod>>().map_err(|e| e.to_string())
    }

    /// Prepares to answer, with an empty memory for each of `pairs` pairs.
    pub fn ready(&self, pairs: usize) -> Ready<'_> {
        Ready::new(&self.label, &*self.detector, pairs)
    }

    /// Prepares models of all meshes.
    ///
    /// # Errors
    /// If it refuses a mesh.
    pub fn prepare(&self, workload: &Workload) -> Result<Vec<Prepared>, String> {
        let prepare = |mesh| self.detector.prepare(mesh, &Control::NONE);
        let models = workload.meshes.iter().map(prepare).collect::<Result<_, _>>();
        models.map_err(|error| format!("{}: {error}", self.label))
    }
}

/// A competitor at work, with a memory per pair and its last answer.
pub struct Ready<'m> {
    label: &'m str,
    /// The method.
    pub detector: &'m dyn Detector,
    memories: Vec<PairMemory>,
    /// A small unrelated model that clears memories, see [`keeping_space`](Self::keeping_space).
    tiny_model: Option<Prepared>,
    /// The last answer.
    pub answer: Answer,
}

impl std::fmt::Debug for Ready<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ready").field("label", &self.label).finish_non_exhaustive()
    }
}

impl<'m> Ready<'m> {
    /// A competitor with an empty memory for each of `pairs` pairs.
    pub fn new(label: &'m str, detector: &'m dyn Detector, pairs: usize) -> Self {
        let memories = (0..pairs).map(|_| detector.memory()).collect();
        Self { label, detector, memories, tiny_model: None, answer: Answer::default() }
    }

    /// Makes [`forget`](Self::forget) keep the memories' allocations. It clears a memory by a query
    /// about other models.
    #[must_use]
    pub fn keeping_space(mut self) -> Self {
        let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(Point::from);
        let tiny_model = Mesh::new(corners.to_vec(), vec![[0, 1, 2]]).ok();
        self.tiny_model =
            tiny_model.and_then(|mesh| self.detector.prepare(&mesh, &Control::NONE).ok());
        self
    }

    /// Clears all memories, as at the start of a simulation.
    pub fn forget(&mut self) {
        let aside = Pose::translation_by(Vector::new(9.0, 0.0, 0.0));
        let (Some(tiny_model), Ok(aside)) = (&self.tiny_model, aside) else {
            self.memories.fill_with(|| self.detector.memory());
            return;
        };
        let (ask, answer) = (Ask::first_contact(), &mut Answer::default());
        for memory in &mut self.memories {
            let none = &Control::NONE;
            let _ = self.detector.query(tiny_model, tiny_model, &aside, memory, &ask, none, answer);
        }
    }

    /// Answers a query into [`answer`](Self::answer). `models` has one model per mesh.
    ///
    /// # Errors
    /// If the method cannot answer.
    pub fn ask(&mut self, models: &[Prepared], query: &Query, ask: &Ask) -> Result<(), String> {
        let [a, b] = [query.a, query.b].map(|mesh| &models[mesh]);
        let memory = &mut self.memories[query.pair];
        self.detector
            .query(a, b, &query.pose, memory, ask, &Control::NONE, &mut self.answer)
            .map_err(|error| format!("{}: {error}", self.label))
    }

    /// Answers all queries of a step and returns the time. A failing query counts with its time;
    /// the error is returned with that of the step.
    pub fn time(
        &mut self,
        models: &[Prepared],
        step: &[Query],
        ask: &Ask,
    ) -> (Duration, Result<(), String>) {
        let mut outcome = Ok(());
        let start = Instant::now();
        for query in step {
            let answered = black_box(self.ask(models, query, ask));
            if answered.is_err() {
                outcome = answered;
            }
        }
        (start.elapsed(), outcome)
    }
    /// Answers all poses of a pair as one batch and returns the time. `each` gets the answers in the
    /// order of the poses.
    pub fn time_batch(
        &mut self,
        [a, b]: [&Prepared; 2],
        poses: &[Pose],
        ask: &Ask,
        each: &mut dyn FnMut(&Answer),
    ) -> (Duration, Result<(), String>) {
        let (memory, none) = (&mut self.memories[0], &Control::NONE);
        let start = Instant::now();
        let mut each = |_: usize, answer: &Answer| each(answer);
        let outcome = self.detector.batch(a, b, poses, memory, ask, none, &mut each);
        let took = start.elapsed();
        (took, outcome.map_err(|error| format!("{}: {error}", self.label)))
    }
}
