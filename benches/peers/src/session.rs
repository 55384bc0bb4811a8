//! A whole run: all requested scenes, written as records.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use impinge::query::Prepared;
use impinge_benches::progress::Listener;
use impinge_benches::scene::{self, NamedMesh};
use impinge_records::host::Host;
use impinge_records::peers::{Absent, End, PeerInfo, Preparation, Record, Run, SCHEMA, Scene};

use crate::broad;
use crate::broad::contender::Contender;
use crate::entry::Entry;
use crate::expected;
use crate::measure::{self, Effort, Taken};
use crate::motion;
use crate::scenes::{Wanted, Wishes};

/// Scenes with fewer triangles are prepared several times; the least time counts.
const TRY_AGAIN_BELOW: usize = 250_000;
/// The number of preparations of such a scene.
const TRIES: usize = 3;

/// The options of a run.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The requested scenes.
    pub wishes: Wishes,
    /// Steps of a scene of boxes; `None` for the default.
    pub steps: Option<usize>,
    /// Missing participants, for the record.
    pub absent: Vec<Absent>,
    /// Folder of placed poses; `None` keeps nothing.
    pub cache: Option<PathBuf>,
    /// The machine and the build, for the record.
    pub host: Host,
}

impl Plan {
    const fn effort(&self) -> Effort {
        if self.wishes.quick {
            let enough = Duration::from_millis(2);
            Effort { repeats: 5, enough, budget: Duration::from_millis(500) }
        } else {
            let enough = Duration::from_millis(10);
            Effort { repeats: 9, enough, budget: Duration::from_secs(5) }
        }
    }

    fn run_record(&self, entries: &[Entry], contenders: &[Contender]) -> Run {
        let effort = self.effort();
        let asked = !self.wishes.boxes().is_empty();
        let info = |word: &str, title: &str| PeerInfo { word: word.into(), title: title.into() };
        Run {
            peers_schema: SCHEMA,
            host: self.host.clone(),
            threads: std::env::var("RAYON_NUM_THREADS").ok(),
            quick: self.wishes.quick,
            seed: self.wishes.seed,
            repeats: effort.repeats,
            budget_s: effort.budget.as_secs_f64(),
            peers: entries.iter().map(|entry| info(entry.word(), &entry.title)).collect(),
            broad: (contenders.iter().filter(|_| asked))
                .map(|one| info(&one.word, &one.title))
                .collect(),
            absent: self.absent.clone(),
        }
    }
}

/// Takes each record.
pub type Write<'w> = &'w mut dyn FnMut(&Record) -> Result<(), String>;

/// Runs the plan and passes every record to `write` as soon as it exists. The first of the `entries`
/// is the reference; the `contenders` are for boxes.
///
/// # Errors
/// The first scene that cannot be generated or checked, record that cannot be written, or step for
/// which two contenders find different pairs of boxes.
pub fn run(
    plan: &Plan,
    entries: &[Entry],
    contenders: &[Contender],
    listener: Listener<'_>,
    write: Write<'_>,
) -> Result<End, String> {
    let start = Instant::now();
    let (wanted, boxes) = (plan.wishes.scenes()?, plan.wishes.boxes());
    let motions = plan.wishes.motions();
    let scenes = wanted.len() + boxes.len() + motions.len();
    write(&Record::Run(plan.run_record(entries, contenders)))?;
    let mut end = End { seconds: 0.0, measurements: 0, wrong_answers_of_reference: 0 };
    for (index, scene) in wanted.iter().enumerate() {
        listener.scene(scene.word, index, scenes);
        one_scene(plan, scene, entries, listener, write, &mut end)?;
    }
    let Effort { budget, .. } = plan.effort();
    let effort = broad::measure::Effort { steps: plan.steps, quick: plan.wishes.quick, budget };
    for (index, scene) in boxes.iter().enumerate() {
        listener.scene(&scene.word, wanted.len() + index, scenes);
        write(&Record::Boxes(broad::measure::run(scene, contenders, effort, listener)?))?;
    }
    for (index, scene) in motions.iter().enumerate() {
        listener.scene(&scene.word, wanted.len() + boxes.len() + index, scenes);
        write(&in_motion(plan, scene, listener, &mut end)?)?;
    }
    end.seconds = start.elapsed().as_secs_f64();
    write(&Record::End(end.clone()))?;
    Ok(end)
}

/// Measures sweeps or depths beside parry3d.
fn in_motion(
    plan: &Plan,
    scene: &motion::Wanted,
    listener: Listener<'_>,
    end: &mut End,
) -> Result<Record, String> {
    let Wishes { quick, poses, seed, .. } = plan.wishes;
    let queries = poses.unwrap_or(if quick { 20 } else { 50 });
    let effort = motion::Effort { queries, seed };
    let (record, wrong, rows) = match scene.kind {
        motion::Kind::Sweeps => {
            let found = motion::sweeps::run(scene, effort, listener)?;
            let wrong: usize = found.rows.iter().map(|row| row.wrong).sum();
            let rows = found.rows.len();
            (Record::Sweeps(found), wrong, rows)
        }
        motion::Kind::Depths => {
            let found = motion::depths::run(scene, effort, listener)?;
            let wrong: usize = found.rows.iter().map(|row| row.wrong).sum();
            let rows = found.rows.len();
            (Record::Depths(found), wrong, rows)
        }
    };
    end.wrong_answers_of_reference += wrong as u64;
    end.measurements += rows;
    Ok(record)
}

fn one_scene(
    plan: &Plan,
    wanted: &Wanted<'_>,
    entries: &[Entry],
    listener: Listener<'_>,
    write: Write<'_>,
    end: &mut End,
) -> Result<(), String> {
    let mut scene = wanted.make(&plan.wishes, plan.cache.as_deref(), listener)?;
    let expected = expected::find(&scene, listener)?;
    let (mut taken, mut preparations) = (Vec::new(), Vec::new());
    for (done, entry) in entries.iter().enumerate() {
        listener.stage("preparing", done, entries.len());
        match prepare(entry, &scene) {
            Ok((models, preparation)) => {
                taken.push(Taken { entry, models });
                preparations.push(preparation);
            }
            Err(why) if done == 0 => return Err(format!("{}: {why}", entry.word())),
            Err(why) => scene.notes.push(format!("{} refuses: {why}", entry.word())),
        }
    }
    write(&Record::Scene(Scene {
        scene: scene.name.clone(),
        about: scene.about.clone(),
        meshes: scene.meshes.iter().map(NamedMesh::info).collect(),
        poses: scene.labels().iter().map(|label| label.steps).max().unwrap_or(0),
        judge: expected.judge.clone(),
        notes: scene.notes.clone(),
    }))?;
    for preparation in preparations {
        write(&Record::Preparation(preparation))?;
    }
    for row in measure::run(&scene, &expected, &taken, plan.effort(), listener) {
        if entries.first().is_some_and(|reference| row.peer == reference.word()) {
            end.wrong_answers_of_reference += measure::wrong_answers(&row, &scene, &expected);
        }
        end.measurements += 1;
        write(&Record::Measurement(row))?;
    }
    Ok(())
}

/// Prepares models of all meshes, several times if they are small. The least time counts. Large
/// meshes take longer than any disturbance and are prepared once.
fn prepare(entry: &Entry, scene: &scene::Scene) -> Result<(Vec<Prepared>, Preparation), String> {
    let tries = if scene.triangles() < TRY_AGAIN_BELOW { TRIES } else { 1 };
    let (mut models, [mut least, mut for_distance]) = entry.prepare(&scene.meshes)?;
    for _ in 1..tries {
        models.clear();
        let took;
        (models, took) = entry.prepare(&scene.meshes)?;
        (least, for_distance) = (least.min(took[0]), for_distance.min(took[1]));
    }
    let triangles: usize = models.iter().map(Prepared::triangles).sum();
    let bytes: usize = models.iter().map(Prepared::bytes).sum();
    let preparation = Preparation {
        scene: scene.name.clone(),
        peer: entry.word().to_owned(),
        triangles,
        build_ns: least * 1e9,
        distance_build_ns: (for_distance > 0.0).then_some(for_distance * 1e9),
        bytes_per_triangle: Some(bytes as f64 / triangles.max(1) as f64),
    };
    Ok((models, preparation))
}
