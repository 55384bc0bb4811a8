//! A whole run: all requested scenes, written as records.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use impinge::{Kind, Method};
use impinge_records::bench::{self, End, Measurement, MethodInfo, Record, Run, SCHEMA};
use impinge_records::host::Host;

use crate::graphics::Drawer;
use crate::progress::Listener;
use crate::scene::catalogue::{self, Wanted, Wishes};
use crate::timing::{self, Effort};
use crate::{expected, picture, sampled, streams};

/// The options of a run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The requested scenes.
    pub wishes: Wishes,
    /// One pass without a budget, for counting instructions: the work does not depend on the clock.
    pub once: bool,
    /// The methods to measure.
    pub methods: Vec<Method>,
    /// Number of threads for parallel methods.
    pub threads: usize,
    /// What draws the pictures of image-based methods.
    pub drawer: Drawer,
    /// Folder of placed poses; `None` keeps nothing.
    pub cache: Option<PathBuf>,
    /// Folder of pictures; `None` draws none.
    pub pictures: Option<PathBuf>,
    /// The machine and the build, for the record.
    pub host: Host,
}

impl Plan {
    fn effort(&self) -> Effort {
        let (passes, budget) = match (self.once, self.wishes.quick) {
            (true, _) => (1, Duration::MAX),
            (false, true) => (3, Duration::from_millis(300)),
            (false, false) => (7, Duration::from_secs(20)),
        };
        Effort { passes, budget, repeat: !self.once }
    }

    fn run_record(&self) -> Run {
        let effort = self.effort();
        Run {
            schema: SCHEMA,
            host: self.host.clone(),
            threads: self.threads,
            adapter: self.drawer.adapter.clone(),
            quick: self.wishes.quick,
            seed: self.wishes.seed,
            passes: effort.passes,
            budget_s: effort.budget.as_secs_f64(),
            methods: self.methods.iter().map(|&method| info(method)).collect(),
        }
    }
}

fn info(method: Method) -> MethodInfo {
    let description = method.description();
    MethodInfo {
        word: method.word().to_owned(),
        kind: method.kind().word().to_owned(),
        title: description.title.to_owned(),
        paper: description.paper.to_owned(),
    }
}

/// Runs the plan and passes every record to `write` as soon as it exists.
///
/// # Errors
/// The first scene that cannot be generated or checked, or the first record that cannot be written.
pub fn run(
    plan: &Plan,
    listener: Listener<'_>,
    write: &mut dyn FnMut(&Record) -> Result<(), String>,
) -> Result<End, String> {
    let start = Instant::now();
    let wanted = catalogue::wanted(&plan.wishes)?;
    write(&Record::Run(plan.run_record()))?;
    let (mut measurements, mut wrong) = (0, 0);
    let samples = catalogue::wants_sampled(&plan.wishes);
    let streams = catalogue::wants_streams(&plan.wishes);
    let parts = wanted.len() + usize::from(samples) + usize::from(streams);
    for (index, scene) in wanted.iter().enumerate() {
        listener.scene(&scene.name(), index, parts);
        for measurement in one_scene(plan, scene, listener, write)? {
            measurements += 1;
            let exact = plan
                .methods
                .iter()
                .any(|m| m.word() == measurement.method && m.kind() == Kind::Exact);
            wrong += if exact { measurement.all.wrong() } else { 0 };
            write(&Record::Measurement(Box::new(measurement)))?;
        }
    }
    let mut samplings = 0;
    if samples {
        listener.scene(catalogue::SAMPLED, wanted.len(), parts);
        for sampling in sampled::measure(&plan.methods, plan.wishes.quick, listener)? {
            samplings += 1;
            write(&Record::Sampling(sampling))?;
        }
    }
    if streams {
        listener.scene(catalogue::STREAM, parts - 1, parts);
        if let Some(found) = streams::measure(plan, listener)? {
            write(&Record::Streams(found))?;
        }
    }
    let end = End {
        seconds: start.elapsed().as_secs_f64(),
        measurements,
        samplings,
        wrong_answers_of_exact_methods: wrong,
    };
    write(&Record::End(end.clone()))?;
    Ok(end)
}

fn one_scene(
    plan: &Plan,
    wanted: &Wanted,
    listener: Listener<'_>,
    write: &mut dyn FnMut(&Record) -> Result<(), String>,
) -> Result<Vec<Measurement>, String> {
    let mut scene = catalogue::make(wanted, &plan.wishes, plan.cache.as_deref(), listener)?;
    let expected = expected::find(&scene, listener)?;
    listener.stage("picture", 0, 1);
    let pictures = match &plan.pictures {
        Some(folder) => picture::draw(&scene, &expected, folder)?,
        None => Vec::new(),
    };
    let mut prepared = Vec::new();
    for (done, &method) in plan.methods.iter().enumerate() {
        listener.stage("preparing", done, plan.methods.len());
        match timing::prepare(&scene, method, plan.drawer.drawing) {
            Ok(ready) => prepared.push((method, ready)),
            Err(why) => scene.notes.push(why),
        }
    }
    write(&Record::Scene(bench::Scene {
        scene: scene.name.clone(),
        group: scene.group.word().to_owned(),
        title: scene.title.clone(),
        about: scene.about.clone(),
        meshes: scene.meshes.iter().map(crate::scene::NamedMesh::info).collect(),
        bodies: scene.steps.first().map_or(0, |step| step.bodies.len()),
        triangles: scene.triangles(),
        labels: scene.labels(),
        judge: expected.record.clone(),
        pictures,
        notes: scene.notes.clone(),
    }))?;
    Ok(timing::measure(&scene, &expected, &mut prepared, plan.effort(), listener))
}
