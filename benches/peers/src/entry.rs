//! Who takes part: `wide`, parry3d, and libraries behind a shim.

use std::time::Instant;

use impinge::outside::parry::{Parry, ParryPairs};
use impinge::query::{Ask, Control, Detector, Prepared, QuestionKind};
use impinge::wide::wide;
use impinge_benches::harness::{Competitor, Ready};
use impinge_benches::scene::NamedMesh;

use crate::native;

/// `parry3d` walks one tree per triangle of the other for a distance: 21 µs a triangle for a torus of 10,000,
/// 41 µs for a scan of 202,000. Unit: seconds a triangle. A larger value leaves out more scenes.
const PARRY_DISTANCE: f64 = 2.5e-5;

/// A competitor, and what is different about it.
#[derive(Debug)]
pub struct Entry {
    /// Its label is its word in tables.
    pub competitor: Competitor,
    /// One line on what it is, with its version.
    pub title: String,
    /// Behind a shim: its own answer is a number or a structure of its own, so that it lists pairs
    /// only to be checked, and it remembers nothing of a pair.
    pub foreign: bool,
    /// About what a distance costs it, if that could be longer than anybody waits: a call cannot be
    /// cancelled. Unit: seconds a triangle.
    pub distance_cost: f64,
}

impl Entry {
    /// Any engine of ours, or behind our interface.
    pub fn new(engine: impl Detector + 'static) -> Self {
        let (word, title) = (engine.describe().word, engine.describe().title.to_owned());
        let competitor = Competitor::new(word, engine);
        Self { competitor, title, foreign: false, distance_cost: 0.0 }
    }

    /// Its word.
    pub fn word(&self) -> &str {
        &self.competitor.label
    }

    /// Does it answer this question?
    pub fn answers(&self, question: QuestionKind) -> bool {
        self.competitor.detector.describe().questions.contains(&question)
    }

    /// About how long this question takes it over meshes with so many triangles. Unit: seconds.
    pub fn expects(&self, question: QuestionKind, triangles: usize) -> f64 {
        if question == QuestionKind::Distance { self.distance_cost * triangles as f64 } else { 0.0 }
    }

    /// Models of all meshes, and the seconds that they took: for contacts (and for distances if the
    /// second is 0), and for distances if they need a model of their own.
    ///
    /// # Errors
    /// A sentence with the mesh that it refuses.
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

    /// At work on one pair. Who remembers it forgets without giving up space.
    pub fn ready(&self) -> Ready<'_> {
        let ready = self.competitor.ready(1);
        if self.foreign { ready } else { ready.keeping_space() }
    }

    /// How it is asked when it is timed.
    pub const fn timed(&self, ask: Ask) -> Ask {
        if self.foreign { ask.capped(0) } else { ask }
    }
}

/// `wide`, which everyone is compared with.
pub fn reference() -> Entry {
    Entry::new(wide())
}

/// parry3d's own mesh queries, and what an expert writes on its tree.
pub fn parry() -> [Entry; 2] {
    let plain = Entry { distance_cost: PARRY_DISTANCE, ..Entry::new(Parry) };
    [plain, Entry::new(ParryPairs)]
}
