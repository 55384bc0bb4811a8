//! The participants: `wide`, parry3d, and libraries behind a shim.

use std::time::Instant;

use impinge::outside::parry::{Parry, ParryPairs};
use impinge::query::{Ask, Control, Detector, Prepared, QuestionKind};
use impinge::wide::wide;
use impinge_benches::harness::{Competitor, Ready};
use impinge_benches::scene::NamedMesh;

use crate::native;

/// For a distance, `parry3d` queries a tree once per triangle of the other mesh: 21 µs a triangle
/// for a torus of 10,000, 41 µs for a scan of 202,000. Unit: seconds per triangle. A larger value
/// leaves out more scenes.
const PARRY_DISTANCE: f64 = 2.5e-5;

/// A competitor, and how it differs from the others.
#[derive(Debug)]
pub struct Entry {
    /// The competitor; its label is the word in tables.
    pub competitor: Competitor,
    /// One line of description with the version.
    pub title: String,
    /// Whether it is behind a shim. Then pairs are listed only for checking, since its own answer
    /// has another form, and it has no memory of a pair.
    pub foreign: bool,
    /// The approximate cost of a distance, if it could take too long: a call cannot be cancelled.
    /// Unit: seconds per triangle; 0 means unlimited use.
    pub distance_cost: f64,
}

impl Entry {
    /// An entry for an engine that implements our interface.
    pub fn new(engine: impl Detector + 'static) -> Self {
        let (word, title) = (engine.describe().word, engine.describe().title.to_owned());
        let competitor = Competitor::new(word, engine);
        Self { competitor, title, foreign: false, distance_cost: 0.0 }
    }

    /// Its word in tables and records.
    pub fn word(&self) -> &str {
        &self.competitor.label
    }

    /// Whether it answers this question.
    pub fn answers(&self, question: QuestionKind) -> bool {
        self.competitor.detector.describe().questions.contains(&question)
    }

    /// The expected time of this question on meshes of `triangles`. Unit: seconds.
    pub fn expects(&self, question: QuestionKind, triangles: usize) -> f64 {
        if question == QuestionKind::Distance { self.distance_cost * triangles as f64 } else { 0.0 }
    }

    /// Prepares models of all meshes. Also returns two times in seconds: for contact models (which
    /// serve distances too if the second time is 0), and for separate distance models.
    ///
    /// # Errors
    /// If it refuses a mesh; the error names the mesh.
    pub fn prepare(&self, meshes: &[NamedMesh]) -> Result<(Vec<Prepared>, [f64; 2]), String> {
        let (mut models, mut seconds) = (Vec::new(), 0.0);
        for NamedMesh { name, mesh } in meshes {
            let start = Instant::now();
            let model = self.competitor.detector.prepare(mesh, &Control::NONE);
            seconds += start.elapsed().as_secs_f64();
            models.push(model.map_err(|error| format!("{name}: {error}"))?);
        }
        let for_distance: f64 = models.iter().map(native::distance_seconds).sum();
        Ok((models, [seconds - for_distance, for_distance]))
    }

    /// Ready for one pair. Its memory can be emptied without freeing space, unless it is foreign.
    pub fn ready(&self) -> Ready<'_> {
        let ready = self.competitor.ready(1);
        if self.foreign { ready } else { ready.keeping_space() }
    }

    /// The options for timed queries.
    pub const fn timed(&self, ask: Ask) -> Ask {
        if self.foreign { ask.capped(0) } else { ask }
    }
}

/// `wide`, the reference for all comparisons.
pub fn reference() -> Entry {
    Entry::new(wide())
}

/// parry3d's own mesh queries, and an expert's code on top of parry3d's tree.
pub fn parry() -> [Entry; 2] {
    let plain = Entry { distance_cost: PARRY_DISTANCE, ..Entry::new(Parry) };
    [plain, Entry::new(ParryPairs)]
}
