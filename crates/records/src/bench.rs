//! The lines of `measure`: `run`, then per scene one `scene` and its `measurement`s, then the
//! `sampling`s, then `end`.

use serde::{Deserialize, Serialize};

use crate::host::Host;

/// Version of these structures; it changes whenever a field does.
pub const SCHEMA: u32 = 5;

/// One line.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "record", rename_all = "kebab-case")]
pub enum Record {
    /// First line: where and how.
    Run(Run),
    /// A scene and what its judge found.
    Scene(Scene),
    /// One method, one scene, one question.
    Measurement(Box<Measurement>),
    /// A method's sampled form at one resolution.
    Sampling(Sampling),
    /// Last line.
    End(End),
}

/// Where and how the run was made.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The machine and the build.
    pub host: Host,
    /// Threads given to methods that use several.
    pub threads: usize,
    /// Few poses and passes.
    pub quick: bool,
    /// Seed of all placements and motions.
    pub seed: u64,
    /// Passes over all poses; the least time of each pose counts.
    pub passes: usize,
    /// Time after which a method is taken out of a scene's question, in seconds.
    pub budget_s: f64,
    /// Every method measured.
    pub methods: Vec<MethodInfo>,
}

/// A method, by what it says of itself.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MethodInfo {
    /// Its word.
    pub word: String,
    /// `"exact"`, `"faithful"` or `"outside"`.
    pub kind: String,
    /// One line on what it is.
    pub title: String,
    /// Where it was published.
    pub paper: String,
}

/// A scene and what its judge found.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// The scene's word.
    pub scene: String,
    /// `"placed"`, `"moving"`, `"deforming"` or `"files"`: scenes of one kind share a table.
    pub group: String,
    /// One line.
    pub title: String,
    /// How it was made, in a sentence or two.
    pub about: String,
    /// Meshes in use.
    pub meshes: Vec<MeshInfo>,
    /// Bodies at each step.
    pub bodies: usize,
    /// Triangles of all bodies together.
    pub triangles: usize,
    /// Labels of the steps in order, with their numbers of steps.
    pub labels: Vec<LabelCount>,
    /// Who decided what is right.
    pub judge: Judge,
    /// Pictures, if a folder for them was given.
    pub pictures: Vec<Picture>,
    /// What went differently from what was asked, one sentence each.
    pub notes: Vec<String>,
}

/// A mesh of a scene.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeshInfo {
    /// Its word or file name.
    pub name: String,
    /// Triangles.
    pub triangles: usize,
    /// Vertices.
    pub vertices: usize,
    /// Length of the bounding box's diagonal, in the mesh's unit.
    pub diagonal: f64,
    /// Closed and consistently wound.
    pub closed: bool,
}

/// How many steps have a label.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LabelCount {
    /// The label.
    pub label: String,
    /// Steps.
    pub steps: usize,
}

/// Who decided what is right, and what it found.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Judge {
    /// `"rational oracle"` or `"exact brute force"`.
    pub name: String,
    /// Pairs of meshes judged.
    pub queries: usize,
    /// Of these, true hits.
    pub hits: usize,
    /// True pairs of triangles over all queries.
    pub pairs: u64,
    /// Its time in seconds.
    pub seconds: f64,
}

/// A picture of a scene.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Picture {
    /// File name within the folder for pictures.
    pub file: String,
    /// What it shows.
    pub caption: String,
}

/// One method, one scene, one question.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measurement {
    /// The scene's word.
    pub scene: String,
    /// The method's word.
    pub method: String,
    /// `"first-contact"`, `"all-contacts"` or `"distance"`.
    pub question: String,
    /// Making the meshes ready.
    pub preparation: Preparation,
    /// All steps together.
    pub all: Group,
    /// Per label, in the scene's order; labels without this question are left out.
    pub groups: Vec<Group>,
    /// Least time of each measured step, in order. Steps after the budget are missing.
    pub times_ns: Vec<f64>,
    /// How the method followed the deformation: `"refit"`, or `"rebuild"` if it has no refit and
    /// prepared anew. Absent where nothing deforms.
    pub update: Option<String>,
    /// Least time of each measured step's update, in order; not part of `times_ns`.
    pub updates_ns: Option<Vec<f64>>,
    /// `η_i = (t_i − t̄) / t̄` of each step (fan eq. 2-12); only where steps follow each other.
    pub eta: Option<Vec<f64>>,
    /// `distance` only: largest difference from the first exact method's answer, as a part of the
    /// smaller diagonal.
    pub distance_error: Option<f64>,
    /// The first error message, if a query failed.
    pub error: Option<String>,
}

/// What it costs to make the meshes ready. Each mesh is prepared once, however many bodies share
/// it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Preparation {
    /// Time for all meshes of the scene, in seconds: the least of the tries.
    pub seconds: f64,
    /// Triangles prepared.
    pub triangles: usize,
    /// Time per triangle.
    pub ns_per_triangle: f64,
    /// Bytes held per triangle, the mesh's own arrays included.
    pub bytes_per_triangle: f64,
    /// Bytes held per triangle, without the mesh's own arrays.
    pub own_bytes_per_triangle: f64,
}

/// Figures over a group of steps. A step is one query in a scene of two bodies, and all queries
/// that the broad phase left in a scene of many.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// The label; `"all"` for all steps.
    pub label: String,
    /// Steps measured.
    pub steps: usize,
    /// Steps there are. More than `steps` if the budget ran out.
    pub of: usize,
    /// Median over steps.
    pub median_ns: f64,
    /// Mean over steps.
    pub mean_ns: f64,
    /// 99th percentile over steps.
    pub p99_ns: f64,
    /// Least.
    pub min_ns: f64,
    /// Largest.
    pub max_ns: f64,
    /// Steps with a hit, as the method answered.
    pub hits: usize,
    /// Contacts reported, over all steps.
    pub contacts: u64,
    /// Median over steps of the time to follow the deformation, the query not included; absent where
    /// nothing deforms.
    pub update_ns: Option<f64>,
    /// Volume tests per step (`N_v`); absent if the method does not count them.
    pub volume_tests: Option<f64>,
    /// Triangle tests per step (`N_p`).
    pub primitive_tests: Option<f64>,
    /// Volumes updated per step (`N_u`).
    pub volumes_updated: Option<f64>,
    /// Triangle pairs per step that went to exact arithmetic.
    pub exact_tests: Option<f64>,
    /// Time of the steps over their number of volume tests, triangle tests included.
    pub ns_per_volume_test: Option<f64>,
    /// Mean over steps of the least time when a step is repeated at once, so with warm caches and
    /// without the step before in memory; `first-contact` in unrelated poses only.
    pub repeated_ns: Option<f64>,
    /// That time over the number of volume tests, triangle tests included.
    pub repeated_ns_per_volume_test: Option<f64>,
    /// Queries judged.
    pub judged: usize,
    /// Queries answered "hit" that are none.
    pub false_hits: usize,
    /// Queries answered "apart" that are hits.
    pub false_misses: usize,
    /// Reported pairs of triangles that do not meet.
    pub extra_pairs: u64,
    /// Pairs that meet and were not reported (`all-contacts` only).
    pub missing_pairs: u64,
    /// Queries that ended in an error.
    pub errors: usize,
}

impl Group {
    /// Everything the judge objects to: verdicts, pairs and errors.
    pub fn wrong(&self) -> u64 {
        let verdicts = self.false_hits + self.false_misses + self.errors;
        verdicts as u64 + self.extra_pairs + self.missing_pairs
    }
}

/// How often a method that believes its samples was wrong at one resolution, judged by the rational
/// oracle: do two solids share a point? The poses are those of `benches/src/sampled/poses.rs`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sampling {
    /// The method's word.
    pub method: String,
    /// Pixels along a side of what it samples.
    pub resolution: u32,
    /// Poses asked.
    pub poses: usize,
    /// Of these, true hits.
    pub hits: usize,
    /// Poses answered "hit" that are none.
    pub false_hits: usize,
    /// Poses answered "apart" that are hits.
    pub false_misses: usize,
    /// Poses that ended in an error.
    pub errors: usize,
    /// Median over poses, each asked once.
    pub median_ns: f64,
    /// The first error message, if a query failed.
    pub error: Option<String>,
}

impl Sampling {
    /// Wrong verdicts and errors.
    pub fn wrong(&self) -> usize {
        self.false_hits + self.false_misses + self.errors
    }

    /// Their share of the answers. Unit: per cent.
    pub fn wrong_percent(&self) -> f64 {
        100.0 * self.wrong() as f64 / self.poses.max(1) as f64
    }
}

/// The last line.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct End {
    /// Seconds the whole run took.
    pub seconds: f64,
    /// `measurement` lines above.
    pub measurements: usize,
    /// `sampling` lines above.
    pub samplings: usize,
    /// Verdicts and pairs of exact methods that were wrong. Anything but 0 is a bug.
    pub wrong_answers_of_exact_methods: u64,
}
