//! The lines of `peers`: `run`, then per scene one `scene`, its `preparation`s and its
//! `measurement`s, then `end`.

use serde::{Deserialize, Serialize};

use crate::bench::MeshInfo;
use crate::host::Host;

/// Version of these structures; it changes whenever a field does.
pub const SCHEMA: u32 = 2;

/// One line.
#[derive(Clone, Debug, Serialize, Deserialize)]
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
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// [`SCHEMA`].
    pub peers_schema: u32,
    /// The machine and the build.
    pub host: Host,
    /// Threads that models are built with, if the environment says (`RAYON_NUM_THREADS`).
    pub threads: Option<String>,
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
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PeerInfo {
    /// Its word.
    pub word: String,
    /// One line on what it is.
    pub title: String,
}

/// Who does not take part.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Absent {
    /// Its word.
    pub word: String,
    /// What is missing and how to get it.
    pub why: String,
}

/// A scene.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
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
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
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
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
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

impl Measurement {
    /// Queries judged.
    pub fn judged(&self) -> usize {
        self.times_ns.len() + self.errors
    }

    /// Everything the judge objects to, distances aside: verdicts, pairs and errors.
    pub fn wrong(&self) -> u64 {
        let verdicts = self.false_hits + self.missed_hits + self.errors;
        verdicts as u64 + self.extra_pairs + self.missing_pairs
    }
}

/// Last line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct End {
    /// Time of the whole run.
    pub seconds: f64,
    /// Lines of measurements.
    pub measurements: usize,
    /// Wrong answers of the reference; more than 0 and the program fails.
    pub wrong_answers_of_reference: u64,
}
