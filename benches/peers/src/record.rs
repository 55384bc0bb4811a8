//! What is written: one JSON object a line. Field names end in their unit; times are nanoseconds of wall
//! clock. The order is `run`, then per scene one `scene`, `preparation`s and `measurement`s, then `end`; a
//! file without `end` was cut off.

use impinge_benches::record::MeshInfo;
use serde::Serialize;

/// Version of these structures; it changes whenever a field does.
pub const SCHEMA: u32 = 1;

/// One line.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "record", rename_all = "kebab-case")]
pub enum Record {
    /// First line: where, how and who.
    Run(Run),
    /// A scene.
    Scene(Scene),
    /// One contender made the meshes of a scene ready.
    Preparation(Preparation),
    /// One contender, scene, question and target.
    Measurement(Measurement),
    /// Last line.
    End(End),
}

/// Where and how the run was made, and who takes part.
#[derive(Clone, Debug, Serialize)]
pub struct Run {
    /// [`SCHEMA`].
    pub peers_schema: u32,
    /// Seconds since 1970 in UTC at the start.
    pub started_unix_s: u64,
    /// Model of the processor, as the system names it.
    pub cpu: String,
    /// Logical processors this process may use.
    pub cores: usize,
    /// Vector extensions the processor has, e.g. `"avx2"`.
    pub extensions: Vec<String>,
    /// Operating system and architecture.
    pub system: String,
    /// Processes that ran or waited, mean of the last minute before the start, if the system tells.
    pub load: Option<f64>,
    /// Threads that models are built with, if the environment says (`RAYON_NUM_THREADS`).
    pub threads: Option<String>,
    /// Compiler, if the caller named it.
    pub rustc: Option<String>,
    /// Commit of the working tree, if the caller named it.
    pub commit: Option<String>,
    /// `"release"`, or `"debug"` whose times mean nothing.
    pub profile: String,
    /// Few scenes and poses.
    pub quick: bool,
    /// Seed of all poses.
    pub seed: u64,
    /// How often a pose is repeated at once; the least time counts.
    pub repeats: usize,
    /// Time after which a contender is taken out of a scene's question, in seconds.
    pub budget_s: f64,
    /// Who takes part, the reference first.
    pub peers: Vec<PeerInfo>,
    /// Who does not, and why.
    pub absent: Vec<Absent>,
}

/// Who takes part.
#[derive(Clone, Debug, Serialize)]
pub struct PeerInfo {
    /// Its word.
    pub word: String,
    /// One line on what it is.
    pub title: String,
}

/// Who does not take part.
#[derive(Clone, Debug, Serialize)]
pub struct Absent {
    /// Its word.
    pub word: String,
    /// What is missing and how to get it.
    pub why: String,
}

/// A scene.
#[derive(Clone, Debug, Serialize)]
pub struct Scene {
    /// Its word.
    pub scene: String,
    /// How it was made.
    pub about: String,
    /// One mesh if it is two copies, else two.
    pub meshes: Vec<MeshInfo>,
    /// Poses of each target.
    pub poses: usize,
    /// Who decided what is right.
    pub judge: String,
    /// What went differently from what was asked.
    pub notes: Vec<String>,
}

/// One contender made the meshes of a scene ready.
#[derive(Clone, Debug, Serialize)]
pub struct Preparation {
    /// The scene.
    pub scene: String,
    /// The contender.
    pub peer: String,
    /// Triangles of all meshes.
    pub triangles: usize,
    /// Time for contacts, and for all if distances need no model of their own.
    pub build_ns: f64,
    /// Time for distances, if they need a model of their own.
    pub distance_build_ns: Option<f64>,
    /// Of the model for contacts, the mesh's own arrays among them; `None` if it does not tell.
    pub bytes_per_triangle: Option<f64>,
}

/// One contender, scene, question and target.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Measurement {
    /// The scene.
    pub scene: String,
    /// `"first"`, `"all"` or `"distance"`.
    pub question: String,
    /// Where the meshes are, as `"0.1 % apart"`.
    pub target: String,
    /// The contender.
    pub peer: String,
    /// Poses of this target.
    pub of: usize,
    /// Least time of each pose reached, in their order.
    pub times_ns: Vec<f64>,
    /// Numbers of the poses reached, from 0, whose verdict is wrong: their times compare with nothing.
    pub wrong_poses: Vec<usize>,
    /// Answers "they meet".
    pub hits: usize,
    /// Pairs of triangles reported, over all poses reached.
    pub pairs: u64,
    /// "They meet" where they do not.
    pub false_hits: usize,
    /// "Apart" where they meet.
    pub missed_hits: usize,
    /// Pairs reported that do not meet.
    pub extra_pairs: u64,
    /// Pairs that meet and were not reported.
    pub missing_pairs: u64,
    /// Queries without an answer.
    pub errors: usize,
    /// Largest relative deviation of a distance.
    pub distance_deviation: Option<f64>,
    /// What it said of the first query without an answer, or why it was not asked.
    pub why: Option<String>,
}

/// Last line.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct End {
    /// Time of the whole run.
    pub seconds: f64,
    /// Lines of measurements.
    pub measurements: usize,
    /// Wrong answers of the reference; more than 0 and the program fails.
    pub wrong_answers_of_reference: u64,
}
