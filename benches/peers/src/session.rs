//! A whole run: scene after scene, from wishes to records.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use impinge_benches::progress::Listener;
use impinge_records::host::Host;
use impinge_records::peers::{
    Absent, End, Measurement, PeerInfo, Preparation, Record, Run, SCHEMA, Scene,
};

use crate::peer::{Peer, Prepared};
use crate::race::{self, Effort};
use crate::scenes::{Wanted, Wishes};
use crate::truth;

/// Scenes of fewer triangles are made ready several times, and the least time counts.
const TRY_AGAIN_BELOW: usize = 250_000;
/// How often then.
const TRIES: usize = 3;

/// What a run is to do.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Which scenes.
    pub wishes: Wishes,
    /// Who does not take part, for the record.
    pub absent: Vec<Absent>,
    /// Where placed poses are kept; nowhere if `None`.
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

    fn run_record(&self, peers: &[Box<dyn Peer>]) -> Run {
        let effort = self.effort();
        Run {
            peers_schema: SCHEMA,
            host: self.host.clone(),
            threads: std::env::var("RAYON_NUM_THREADS").ok(),
            quick: self.wishes.quick,
            seed: self.wishes.seed,
            repeats: effort.repeats,
            budget_s: effort.budget.as_secs_f64(),
            peers: peers.iter().map(|peer| info(&**peer)).collect(),
            absent: self.absent.clone(),
        }
    }
}

fn info(peer: &dyn Peer) -> PeerInfo {
    PeerInfo { word: peer.word().to_owned(), title: peer.title() }
}

/// Where records go.
pub type Write<'w> = &'w mut dyn FnMut(&Record) -> Result<(), String>;

/// Runs the plan with `peers`, the first of which is the reference, and hands every record to `write` as
/// it comes.
///
/// # Errors
/// The first scene that cannot be made or judged, or record that cannot be written.
pub fn run(
    plan: &Plan,
    peers: &mut Vec<Box<dyn Peer>>,
    listener: Listener<'_>,
    write: Write<'_>,
) -> Result<End, String> {
    let start = Instant::now();
    let wanted = plan.wishes.scenes()?;
    write(&Record::Run(plan.run_record(peers)))?;
    let mut end = End { seconds: 0.0, measurements: 0, wrong_answers_of_reference: 0 };
    for (index, scene) in wanted.iter().enumerate() {
        listener.scene(scene.word, index, wanted.len());
        one_scene(plan, scene, peers, listener, write, &mut end)?;
    }
    end.seconds = start.elapsed().as_secs_f64();
    write(&Record::End(end.clone()))?;
    Ok(end)
}

fn one_scene(
    plan: &Plan,
    wanted: &Wanted<'_>,
    peers: &mut Vec<Box<dyn Peer>>,
    listener: Listener<'_>,
    write: Write<'_>,
    end: &mut End,
) -> Result<(), String> {
    let mut scene = wanted.make(&plan.wishes, plan.cache.as_deref(), listener)?;
    let truth = truth::find(&scene, listener)?;
    let (mut ready, mut refused) = (Vec::new(), Vec::new());
    let mut preparations = Vec::new();
    for (done, mut peer) in peers.drain(..).enumerate() {
        listener.stage("preparing", done, done + 1);
        match prepare(&mut *peer, &scene) {
            Ok(prepared) => {
                preparations.push(preparation(&scene.name, &*peer, &prepared));
                ready.push(peer);
            }
            Err(why) if done == 0 => return Err(format!("{}: {why}", peer.word())),
            Err(why) => {
                scene.notes.push(format!("{} refuses: {why}", peer.word()));
                refused.push((done, peer));
            }
        }
    }
    write(&Record::Scene(Scene {
        scene: scene.name.clone(),
        about: scene.about.clone(),
        meshes: scene.meshes.iter().map(impinge_benches::scene::NamedMesh::info).collect(),
        poses: scene.labels().iter().map(|label| label.steps).max().unwrap_or(0),
        judge: truth.judge.clone(),
        notes: scene.notes.clone(),
    }))?;
    for preparation in preparations {
        write(&Record::Preparation(preparation))?;
    }
    let rows = race::run(&scene, &truth, &mut ready, plan.effort(), listener);
    // Back in the order in which they came.
    for (at, peer) in refused {
        ready.insert(at, peer);
    }
    let reference = ready.first().map(|peer| peer.word().to_owned());
    for row in rows {
        if Some(&row.peer) == reference.as_ref() {
            end.wrong_answers_of_reference += race::wrong_answers(&row, &scene, &truth);
        }
        end.measurements += 1;
        write(&Record::Measurement(Measurement { ..row }))?;
    }
    for peer in &mut ready {
        peer.release();
    }
    *peers = ready;
    Ok(())
}

/// The least of several tries, but of large meshes, which take longer than anything that disturbs.
fn prepare(peer: &mut dyn Peer, scene: &impinge_benches::scene::Scene) -> Result<Prepared, String> {
    let mut least = peer.prepare(&scene.meshes)?;
    let tries = if scene.triangles() < TRY_AGAIN_BELOW { TRIES } else { 1 };
    for _ in 1..tries {
        let again = peer.prepare(&scene.meshes)?;
        least.seconds = least.seconds.min(again.seconds);
        let both = [least.distance_seconds, again.distance_seconds];
        least.distance_seconds = both.into_iter().flatten().reduce(f64::min);
    }
    Ok(least)
}

fn preparation(scene: &str, peer: &dyn Peer, prepared: &Prepared) -> Preparation {
    let triangles = prepared.triangles;
    Preparation {
        scene: scene.to_owned(),
        peer: peer.word().to_owned(),
        triangles,
        build_ns: prepared.seconds * 1e9,
        distance_build_ns: prepared.distance_seconds.map(|seconds| seconds * 1e9),
        bytes_per_triangle: prepared.bytes.map(|bytes| bytes as f64 / triangles.max(1) as f64),
    }
}
