//! A file of [`impinge_records::peers`] and accessors.

pub(super) use impinge_records::bench::MeshInfo;
pub(super) use impinge_records::broad::Boxes;
pub(super) use impinge_records::motions::{Depths, Spread, Sweeps};
pub(super) use impinge_records::peers::{
    End, Measurement, Preparation, Record, Run, SCHEMA, Scene,
};

use crate::numbers::median;
use crate::results;

/// The contender that the others are compared with.
pub(super) const REFERENCE: &str = "wide";

/// Names of questions in records, and in tables.
pub(super) const QUESTIONS: [(&str, &str); 3] =
    [("first", "first contact"), ("all", "all contacts"), ("distance", "distance")];

/// A complete file.
#[derive(Clone, Debug)]
pub(crate) struct Results {
    pub(super) run: Run,
    pub(super) scenes: Vec<Scene>,
    pub(super) preparations: Vec<Preparation>,
    pub(super) measurements: Vec<Measurement>,
    pub(super) boxes: Vec<Boxes>,
    pub(super) sweeps: Vec<Sweeps>,
    pub(super) depths: Vec<Depths>,
    pub(super) end: End,
}

impl Results {
    /// Parses a file.
    ///
    /// # Errors
    /// Names the first invalid line, or what is missing.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let (mut run, mut end) = (None, None);
        let (mut scenes, mut preparations, mut measurements) = (Vec::new(), Vec::new(), Vec::new());
        let (mut boxes, mut sweeps, mut depths) = (Vec::new(), Vec::new(), Vec::new());
        for record in results::records(text)? {
            match record {
                Record::Run(it) => run = Some(it),
                Record::Scene(it) => scenes.push(it),
                Record::Preparation(it) => preparations.push(it),
                Record::Measurement(it) => measurements.push(it),
                Record::Boxes(it) => boxes.push(it),
                Record::Sweeps(it) => sweeps.push(it),
                Record::Depths(it) => depths.push(it),
                Record::End(it) => end = Some(it),
            }
        }
        let (run, end): (Run, End) = results::whole(run, end)?;
        results::same_version(run.peers_schema, SCHEMA)?;
        Ok(Self { run, scenes, preparations, measurements, boxes, sweeps, depths, end })
    }

    /// The measurement of `peer` at `target` of `question` in `scene`.
    pub(super) fn of(
        &self,
        scene: &str,
        question: &str,
        target: &str,
        peer: &str,
    ) -> Option<&Measurement> {
        self.measurements.iter().find(|row| {
            row.scene == scene
                && row.question == question
                && row.target == target
                && row.peer == peer
        })
    }

    /// Targets of a question in a scene, in the order of records.
    pub(super) fn targets(&self, scene: &str, question: &str) -> Vec<&str> {
        let rows = self.measurements.iter();
        let asked = rows
            .filter(|row| row.scene == scene && row.question == question && row.peer == REFERENCE);
        asked.map(|row| row.target.as_str()).collect()
    }

    /// Time of `row` relative to the reference, over poses that both reached and where the verdict
    /// of `row` is right; `None` if there is no such pose.
    pub(super) fn ratio(&self, row: &Measurement) -> Option<f64> {
        let base = self.of(&row.scene, &row.question, &row.target, REFERENCE)?;
        let both = base.times_ns.iter().zip(&row.times_ns).enumerate();
        let right = both.filter(|(k, _)| !row.wrong_poses.contains(k));
        let (ours, theirs): (Vec<f64>, Vec<f64>) = right.map(|(_, (a, b))| (*a, *b)).unzip();
        Some(median(theirs)? / median(ours)?)
    }
}

/// The median over the measured poses.
pub(super) fn median_ns(row: &Measurement) -> Option<f64> {
    median(row.times_ns.clone())
}
