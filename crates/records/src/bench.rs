//! The records of `measure`: `run`, then per scene one `scene` and its `measurement`s, then the
//! `sampling`s, then `streams` if it was asked for, then `end`.

use serde::{Deserialize, Serialize};

use crate::host::Host;
use crate::streams::Streams;

/// Version of these structures; it changes whenever a field does.
pub const SCHEMA: u32 = 7;

/// One line of the file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "record", rename_all = "kebab-case")]
pub enum Record {
    /// First line: machine, build and settings of the run.
    Run(Run),
    /// A scene, with the true answers found by its judge.
    Scene(Scene),
    /// The answers and times of one method for one scene and question.
    Measurement(Box<Measurement>),
    /// The error rate of one of a method's sampled forms.
    Sampling(Sampling),
    /// The times of streams on the processor and on an adapter.
    Streams(Streams),
    /// Last line; its absence shows that the file was cut off.
    End(End),
}

/// Machine, build and settings of the run.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// Version of the records, [`SCHEMA`].
    pub schema: u32,
    /// The machine and the build.
    pub host: Host,
    /// Threads given to methods that use several.
    pub threads: usize,
    /// The graphics adapter that drew; absent if none was asked for.
    pub adapter: Option<String>,
    /// Whether poses and passes were few.
    pub quick: bool,
    /// Seed of all placements and motions.
    pub seed: u64,
    /// Passes over all poses; the least time of each pose counts.
    pub passes: usize,
    /// Time in seconds after which a method is dropped from a scene's question.
    pub budget_s: f64,
    /// The methods measured.
    pub methods: Vec<MethodInfo>,
}

/// A method, by its own description.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MethodInfo {
    /// Its name on the command line.
    pub word: String,
    /// `"exact"`, `"faithful"` or `"outside"`.
    pub kind: String,
    /// One line about the method.
    pub title: String,
    /// The publication it comes from.
    pub paper: String,
}

/// A scene, with the true answers found by its judge.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// The scene's name in records and options.
    pub scene: String,
    /// `"placed"`, `"moving"`, `"deforming"` or `"files"`: scenes of one kind share a table.
    pub group: String,
    /// One line for headings.
    pub title: String,
    /// How the scene was made, in a sentence or two.
    pub about: String,
    /// The distinct meshes of the scene.
    pub meshes: Vec<MeshInfo>,
    /// Number of bodies at each step.
    pub bodies: usize,
    /// Triangles of all bodies at a step, summed.
    pub triangles: usize,
    /// Labels of the steps, in order, with their numbers of steps.
    pub labels: Vec<LabelCount>,
    /// The source of the true answers.
    pub judge: Judge,
    /// Pictures, if a folder for them was given.
    pub pictures: Vec<Picture>,
    /// Deviations from what was requested, one sentence each.
    pub notes: Vec<String>,
}

/// A mesh of a scene.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeshInfo {
    /// The name of its shape, or its file name.
    pub name: String,
    /// Number of triangles.
    pub triangles: usize,
    /// Number of vertices.
    pub vertices: usize,
    /// Length of the bounding box's diagonal, in the mesh's unit.
    pub diagonal: f64,
    /// Whether it is closed and consistently wound.
    pub closed: bool,
}

/// The number of steps with a label.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LabelCount {
    /// The label, as in [`Group::label`].
    pub label: String,
    /// Number of steps with this label.
    pub steps: usize,
}

/// The source of the true answers, and their totals.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Judge {
    /// `"rational oracle"` or `"exact brute force"`.
    pub name: String,
    /// Number of pairs of meshes judged.
    pub queries: usize,
    /// Number of these that are true hits.
    pub hits: usize,
    /// True pairs of triangles, summed over all queries.
    pub pairs: u64,
    /// Time of judging in seconds.
    pub seconds: f64,
}

/// A picture of a scene.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Picture {
    /// File name within the folder for pictures.
    pub file: String,
    /// What the picture shows.
    pub caption: String,
}

/// The answers and times of one method for one scene and question.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measurement {
    /// The scene's name.
    pub scene: String,
    /// The method's name.
    pub method: String,
    /// `"first-contact"`, `"all-contacts"` or `"distance"`.
    pub question: String,
    /// Cost of preparing the meshes.
    pub preparation: Preparation,
    /// Figures over all steps.
    pub all: Group,
    /// Figures per label, in the scene's order, without labels that this question skips.
    pub groups: Vec<Group>,
    /// Least time of each measured step, in order. Steps after the budget ran out are missing.
    pub times_ns: Vec<f64>,
    /// How the method followed the deformation: `"refit"`, or `"rebuild"` if it has no refit.
    /// Absent where nothing deforms.
    pub update: Option<String>,
    /// Least time of each measured step's update, in order; not part of `times_ns`.
    pub updates_ns: Option<Vec<f64>>,
    /// `η_i = (t_i − t̄) / t̄` of each step (fan eq. 2-12); only where steps are consecutive in
    /// time.
    pub eta: Option<Vec<f64>>,
    /// `distance` only: largest difference from the answer of the first exact method, relative to
    /// the smaller diagonal.
    pub distance_error: Option<f64>,
    /// The unit costs of the papers' cost function, fitted to the steps. Absent with fewer than 8
    /// steps, and for a method that counts nothing.
    pub costs: Option<Costs>,
    /// The first error message, if a query failed.
    pub error: Option<String>,
}

/// Unit costs of `T = N_v C_v + N_p C_p + N_u C_u + C_o` (li eq. 1), in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Costs {
    /// `C_v`: a test of two bounding volumes.
    pub volume_ns: f64,
    /// `C_p`: a test of two primitives.
    pub primitive_ns: f64,
    /// `C_u`: an update of a volume.
    pub update_ns: f64,
    /// `C_o`: what every query pays.
    pub query_ns: f64,
    /// Median over the steps of `|T − t| / t`, `t` being the measured time.
    pub off: f64,
}

/// The cost of preparing the meshes. Each mesh is prepared once, even if several bodies share it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Preparation {
    /// Least time, over the tries, for all meshes of the scene, in seconds.
    pub seconds: f64,
    /// Triangles of the meshes prepared.
    pub triangles: usize,
    /// Preparation time per triangle.
    pub ns_per_triangle: f64,
    /// Bytes of the model per triangle, including the mesh's own arrays.
    pub bytes_per_triangle: f64,
    /// Bytes of the model per triangle, without the mesh's own arrays.
    pub own_bytes_per_triangle: f64,
}

/// Figures over a group of steps. A step is one query in a scene of two bodies; in a scene of many
/// it is all queries left by the broad phase.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// The label; `"all"` for all steps.
    pub label: String,
    /// Number of steps measured.
    pub steps: usize,
    /// Number of steps in the scene; more than `steps` if the budget ran out.
    pub of: usize,
    /// Median time of a step.
    pub median_ns: f64,
    /// Mean time of a step.
    pub mean_ns: f64,
    /// 99th percentile of a step's time.
    pub p99_ns: f64,
    /// Least time of a step.
    pub min_ns: f64,
    /// Largest time of a step.
    pub max_ns: f64,
    /// Steps with a hit, as the method answered.
    pub hits: usize,
    /// Contacts reported, summed over all steps.
    pub contacts: u64,
    /// Median time per step to follow the deformation, without the query; absent where nothing
    /// deforms.
    pub update_ns: Option<f64>,
    /// Volume tests per step (`N_v`); absent if the method does not count them.
    pub volume_tests: Option<f64>,
    /// Triangle tests per step (`N_p`).
    pub primitive_tests: Option<f64>,
    /// Volumes updated per step (`N_u`).
    pub volumes_updated: Option<f64>,
    /// Triangle pairs per step decided by exact arithmetic.
    pub exact_tests: Option<f64>,
    /// Total step time, triangle tests included, divided by the number of volume tests.
    pub ns_per_volume_test: Option<f64>,
    /// Mean over steps of the least time when the step is repeated at once, with warm caches and
    /// without the preceding step in the query memory; only for `first-contact` in unrelated poses.
    pub repeated_ns: Option<f64>,
    /// The same for `repeated_ns`.
    pub repeated_ns_per_volume_test: Option<f64>,
    /// Number of queries checked against the truth.
    pub judged: usize,
    /// Number of "hit" answers for pairs that do not meet.
    pub false_hits: usize,
    /// Number of "apart" answers for pairs that meet.
    pub false_misses: usize,
    /// Reported pairs of triangles that do not meet.
    pub extra_pairs: u64,
    /// Pairs that meet and were not reported (`all-contacts` only).
    pub missing_pairs: u64,
    /// Number of queries that ended in an error.
    pub errors: usize,
}

impl Group {
    /// Number of wrong answers: verdicts, pairs and errors.
    pub fn wrong(&self) -> u64 {
        let verdicts = self.false_hits + self.false_misses + self.errors;
        verdicts as u64 + self.extra_pairs + self.missing_pairs
    }
}

/// Errors of a method that trusts its samples, or 32-bit numbers, judged by the rational oracle.
/// The question is whether two solids share a point; without images, whether surfaces do. The poses are those of
/// `benches/src/sampled/poses.rs`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sampling {
    /// The method's name.
    pub method: String,
    /// The form in words, for example `"64 pixels"`.
    pub form: String,
    /// Pixels along one side of the sampled image; absent for a method without images.
    pub resolution: Option<u32>,
    /// Number of poses asked.
    pub poses: usize,
    /// Number of these that are true hits.
    pub hits: usize,
    /// Number of "hit" answers for solids that do not meet.
    pub false_hits: usize,
    /// Number of "apart" answers for solids that meet.
    pub false_misses: usize,
    /// Number of poses that ended in an error.
    pub errors: usize,
    /// Median time over poses, each asked once.
    pub median_ns: f64,
    /// The first error message, if a query failed.
    pub error: Option<String>,
}

impl Sampling {
    /// Number of wrong verdicts and errors.
    pub fn wrong(&self) -> usize {
        self.false_hits + self.false_misses + self.errors
    }

    /// Wrong verdicts and errors as a share of all poses. Unit: per cent.
    pub fn wrong_percent(&self) -> f64 {
        100.0 * self.wrong() as f64 / self.poses.max(1) as f64
    }
}

/// The last line.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct End {
    /// Duration of the whole run in seconds.
    pub seconds: f64,
    /// Number of `measurement` lines above.
    pub measurements: usize,
    /// Number of `sampling` lines above.
    pub samplings: usize,
    /// Wrong verdicts and pairs of exact methods. Anything but 0 is a bug.
    pub wrong_answers_of_exact_methods: u64,
}
