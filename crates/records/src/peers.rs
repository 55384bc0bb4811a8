//! The records of `peers`: `run`, then per scene of two meshes one `scene`, its `preparation`s and
//! its `measurement`s, then per scene of moving boxes one `boxes`, per scene of motion one
//! `sweeps` or `depths`, then `end`.

use serde::{Deserialize, Serialize};

use crate::bench::MeshInfo;
use crate::broad::Boxes;
use crate::host::Host;
use crate::motions::{Depths, Sweeps};

/// Version of these structures; it changes whenever a field does.
pub const SCHEMA: u32 = 4;

/// One line of the file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "record", rename_all = "kebab-case")]
pub enum Record {
    /// First line: machine, build, settings and contenders.
    Run(Run),
    /// A scene, before its preparations and measurements.
    Scene(Scene),
    /// The time and memory one contender needs to prepare a scene's meshes.
    Preparation(Preparation),
    /// The answers and times of one contender for one scene, question and target.
    Measurement(Measurement),
    /// The times of all broad phases on one scene of moving boxes.
    Boxes(Boxes),
    /// Sweeps of pairs of bodies.
    Sweeps(Sweeps),
    /// Depths of penetration of pairs of bodies.
    Depths(Depths),
    /// Last line; its absence shows that the file was cut off.
    End(End),
}

/// Machine, build, settings and contenders of the run.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// Version of the records, [`SCHEMA`].
    pub peers_schema: u32,
    /// The machine and the build.
    pub host: Host,
    /// Threads for building models, if set in the environment (`RAYON_NUM_THREADS`).
    pub threads: Option<String>,
    /// Whether scenes and poses were few.
    pub quick: bool,
    /// Seed of all poses.
    pub seed: u64,
    /// Consecutive repetitions of each pose; the least time counts.
    pub repeats: usize,
    /// Time in seconds after which a contender is dropped from a scene's question.
    pub budget_s: f64,
    /// The contenders, the reference first.
    pub peers: Vec<PeerInfo>,
    /// The broad phases, the reference first; none unless boxes were asked for.
    pub broad: Vec<PeerInfo>,
    /// The contenders that could not take part.
    pub absent: Vec<Absent>,
}

/// A contender.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PeerInfo {
    /// Its name in records and options.
    pub word: String,
    /// One line about the library.
    pub title: String,
}

/// A contender that could not take part.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Absent {
    /// Its name in records and options.
    pub word: String,
    /// What is missing and how to get it.
    pub why: String,
}

/// A scene of two posed meshes.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// Its name in records and options.
    pub scene: String,
    /// How the scene was made.
    pub about: String,
    /// One mesh if both bodies are copies of it, else two.
    pub meshes: Vec<MeshInfo>,
    /// Number of poses per target.
    pub poses: usize,
    /// The source of the true answers.
    pub judge: String,
    /// Deviations from what was requested.
    pub notes: Vec<String>,
}

/// The time and memory one contender needs to prepare a scene's meshes.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Preparation {
    /// The scene's name.
    pub scene: String,
    /// The contender's name.
    pub peer: String,
    /// Total triangles of the meshes.
    pub triangles: usize,
    /// Time to prepare contact queries, and distance queries too if they share the model.
    pub build_ns: f64,
    /// Time to prepare distance queries, if they need a model of their own.
    pub distance_build_ns: Option<f64>,
    /// Bytes of the model for contacts, including the mesh's own arrays; `None` if the library does
    /// not report them.
    pub bytes_per_triangle: Option<f64>,
}

/// The answers and times of one contender for one scene, question and target.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measurement {
    /// The scene's name.
    pub scene: String,
    /// `"first"`, `"all"` or `"distance"`.
    pub question: String,
    /// The relative position of the meshes, e.g. `"0.1 % apart"`.
    pub target: String,
    /// The contender's name.
    pub peer: String,
    /// Number of poses of this target.
    pub of: usize,
    /// Least time of each pose measured, in pose order; of a query that ended in an error, the time
    /// until then.
    pub times_ns: Vec<f64>,
    /// Indices, from 0, of the measured poses with a wrong verdict or an error; their times are not
    /// comparable.
    pub wrong_poses: Vec<usize>,
    /// Number of "they meet" answers.
    pub hits: usize,
    /// Pairs of triangles reported, summed over the measured poses.
    pub pairs: u64,
    /// Number of "they meet" answers for meshes that do not meet.
    pub false_hits: usize,
    /// Number of "apart" answers for meshes that meet.
    pub missed_hits: usize,
    /// Pairs reported that do not meet.
    pub extra_pairs: u64,
    /// Pairs that meet and were not reported.
    pub missing_pairs: u64,
    /// Number of queries that ended in an error.
    pub errors: usize,
    /// Largest relative error of a distance.
    pub distance_deviation: Option<f64>,
    /// The first error message, or why nothing was measured.
    pub why: Option<String>,
}

impl Measurement {
    /// Number of queries checked against the truth.
    pub fn judged(&self) -> usize {
        self.times_ns.len()
    }

    /// Number of wrong answers, distances aside: verdicts, pairs and errors.
    pub fn wrong(&self) -> u64 {
        let verdicts = self.false_hits + self.missed_hits + self.errors;
        verdicts as u64 + self.extra_pairs + self.missing_pairs
    }
}

/// The last line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct End {
    /// Duration of the whole run in seconds.
    pub seconds: f64,
    /// Number of `measurement` lines above.
    pub measurements: usize,
    /// Wrong answers of the reference; the program fails unless it is 0.
    pub wrong_answers_of_reference: u64,
}
