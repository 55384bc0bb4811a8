//! What is written: one JSON object a line, `run` first, then one `claim` each, then `end`. A file
//! without `end` was cut off.

use std::time::Duration;

use serde::Serialize;

use super::catalogue::Row;
use super::outcome::{Effort, Figure, Outcome, Plot, Scene, Verdict};

/// Version of these structures; it changes whenever a field does.
pub(crate) const SCHEMA: u32 = 2;

/// One line.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "record", rename_all = "kebab-case")]
pub(crate) enum Record {
    /// First line: where and how.
    Run(Run),
    /// One claim and its verdict.
    Claim(Box<Claim>),
    /// Last line.
    End(End),
}

/// Where and how the run was made.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Run {
    /// [`SCHEMA`].
    pub(crate) schema: u32,
    /// Seconds since 1970 in UTC at the start.
    pub(crate) started_unix_s: u64,
    /// Model of the processor, as the system names it.
    pub(crate) cpu: String,
    /// Logical processors this process may use.
    pub(crate) cores: usize,
    /// Operating system and architecture.
    pub(crate) system: String,
    /// Compiler, if the caller named it.
    pub(crate) rustc: Option<String>,
    /// Commit of the working tree, if the caller named it.
    pub(crate) commit: Option<String>,
    /// `"release"`, or `"debug"` whose times mean nothing.
    pub(crate) profile: String,
    /// Smaller scenes, fewer repetitions.
    pub(crate) quick: bool,
    /// Seed of all scenes.
    pub(crate) seed: u64,
}

/// One claim and its verdict.
#[derive(Clone, Debug, Serialize)]
#[expect(clippy::struct_field_names, reason = "the field is the sentence of the claim")]
pub(crate) struct Claim {
    /// Its id.
    pub(crate) id: &'static str,
    /// The claim in one sentence.
    pub(crate) claim: &'static str,
    /// Paper and section, in short.
    pub(crate) source: &'static str,
    /// The paper's authors, title and year.
    pub(crate) paper: &'static str,
    /// What the paper prints, as text.
    pub(crate) paper_figures: &'static str,
    /// What we measured.
    pub(crate) ours: Vec<Figure>,
    /// `"holds"`, `"does not hold"` or `"cannot be run here"`.
    pub(crate) verdict: Verdict,
    /// What decided it.
    pub(crate) reason: String,
    /// What was measured.
    pub(crate) scene: Scene,
    /// Curves for the report; often none.
    pub(crate) plots: Vec<Plot>,
    /// Seed of the scene.
    pub(crate) seed: u64,
    /// Time of the experiment in seconds.
    pub(crate) seconds: f64,
}

/// The last line.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct End {
    /// Seconds the whole run took.
    pub(crate) seconds: f64,
    /// `claim` lines above.
    pub(crate) claims: usize,
}

/// The line of a claim.
pub(crate) fn claim(row: &Row, outcome: Outcome, effort: &Effort, took: Duration) -> Claim {
    Claim {
        id: row.id,
        claim: row.sentence,
        source: row.source.place,
        paper: row.source.paper.title(),
        paper_figures: row.paper_figures,
        ours: outcome.ours,
        verdict: outcome.verdict,
        reason: outcome.reason,
        scene: outcome.scene,
        plots: outcome.plots,
        seed: effort.seed,
        seconds: took.as_secs_f64(),
    }
}
