//! Contenders in Rust, asked through their [`Engine`], as [`impinge::query`] has it.

use std::time::Instant;

use impinge::outside::parry::{Parry, ParryPairs};
use impinge::query::{Answer, Ask, Control, Engine, Model, QuestionKind};
use impinge::wide::wide;
use impinge::{Mesh, Point, Pose, Vector};
use impinge_benches::scene::NamedMesh;

use crate::peer::{Peer, Prepared, Task};

/// `parry3d` walks one tree per triangle of the other for a distance: 21 µs a triangle for a torus of 10,000,
/// 41 µs for a scan of 202,000. Unit: seconds a triangle. A larger value leaves out more scenes.
const PARRY_DISTANCE: f64 = 2.5e-5;

/// Any engine of ours, or behind our interface.
pub struct Ours<E: Engine> {
    engine: E,
    models: Vec<E::Model>,
    memory: E::Memory,
    /// A triangle to ask about in between.
    speck: Option<E::Model>,
    distance_cost: f64,
}

impl<E: Engine> std::fmt::Debug for Ours<E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ours").field("word", &self.engine.describe().word).finish_non_exhaustive()
    }
}

impl<E: Engine> Ours<E> {
    /// The engine, without meshes.
    pub fn new(engine: E) -> Self {
        let memory = engine.memory();
        let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(Point::from);
        let speck = Mesh::new(corners.to_vec(), vec![[0, 1, 2]]).ok();
        let speck = speck.and_then(|mesh| engine.prepare(&mesh, &Control::NONE).ok());
        Self { engine, models: Vec::new(), memory, speck, distance_cost: 0.0 }
    }
}

/// `wide`, which everyone is compared with.
pub fn reference() -> Box<dyn Peer> {
    Box::new(Ours::new(wide()))
}

/// parry3d's own mesh queries, and what an expert writes on its tree.
pub fn parry() -> [Box<dyn Peer>; 2] {
    let plain = Ours { distance_cost: PARRY_DISTANCE, ..Ours::new(Parry) };
    [Box::new(plain), Box::new(Ours::new(ParryPairs))]
}

impl<E: Engine> Peer for Ours<E> {
    fn word(&self) -> &'static str {
        self.engine.describe().word
    }

    fn title(&self) -> String {
        self.engine.describe().title.to_owned()
    }

    fn answers(&self, question: QuestionKind) -> bool {
        self.engine.describe().questions.contains(&question)
    }

    fn expects(&self, question: QuestionKind, triangles: usize) -> f64 {
        if question == QuestionKind::Distance { self.distance_cost * triangles as f64 } else { 0.0 }
    }

    fn prepare(&mut self, meshes: &[NamedMesh]) -> Result<Prepared, String> {
        self.release();
        let mut prepared = Prepared::default();
        let mut bytes = 0;
        for named in meshes {
            let start = Instant::now();
            let model = self.engine.prepare(&named.mesh, &Control::NONE);
            prepared.seconds += start.elapsed().as_secs_f64();
            let model = model.map_err(|error| format!("{}: {error}", named.name))?;
            prepared.triangles += model.triangles();
            bytes += model.bytes() as u64;
            self.models.push(model);
        }
        prepared.bytes = Some(bytes);
        Ok(prepared)
    }

    fn release(&mut self) {
        self.models.clear();
        self.memory = self.engine.memory();
    }

    /// A memory that has seen other models knows nothing of these.
    fn forget(&mut self) {
        let Some(speck) = &self.speck else { return };
        let (ask, mut answer) = (Ask::first_contact(), Answer::default());
        let Ok(aside) = Pose::translation_by(Vector::new(9.0, 0.0, 0.0)) else { return };
        let memory = &mut self.memory;
        let _ = self.engine.query(speck, speck, &aside, memory, &ask, &Control::NONE, &mut answer);
    }

    fn ask(&mut self, task: &Task, answer: &mut Answer) -> Result<(), String> {
        let (Some(a), Some(b)) = (self.models.first(), self.models.get(task.b)) else {
            return Err("asked about a mesh that was not prepared".to_owned());
        };
        self.engine
            .query(a, b, &task.pose, &mut self.memory, &task.ask, &Control::NONE, answer)
            .map_err(|error| error.to_string())
    }
}
