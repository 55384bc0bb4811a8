//! `wide` on every instruction set of this machine beside `obbtree`: time of a query, steps, time of
//! a box pair, at the distances and depths of the static benchmark.
//!
//! ```sh
//! cargo bench -p impinge-benches --bench wide -- --mesh dragon.stl --scene torus100k
//! ```
//!
//! At each pose all engines take turns, another one first each time; in its turn an engine answers
//! several times in a row. The least time counts, and the median over poses is printed.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;
use impinge::hierarchy::obbtree;
use impinge::query::{Answer, Ask, Control, Engine, Model};
use impinge::wide::{WideParams, Width, wide_with};
use impinge::{Pose, Vector};
use impinge_benches::harness::take_turns;
use impinge_benches::machine;
use impinge_benches::placement::{Plan, TARGETS, Target, place};
use impinge_benches::scene::NamedMesh;
use impinge_models::{Shape, files};

/// The fast engine by instruction set.
#[derive(Debug, Parser)]
#[command(name = "wide", max_term_width = 100)]
struct Arguments {
    /// A shape and its thousands of triangles, as `torus100k`; may be repeated. `torus10k` if none
    /// and no mesh.
    #[arg(long = "scene", value_name = "WORD")]
    scenes: Vec<String>,
    /// A mesh file; may be repeated.
    #[arg(long = "mesh", value_name = "FILE")]
    meshes: Vec<PathBuf>,
    /// Only this engine, `obbtree` or an instruction set; may be repeated.
    #[arg(long = "engine", value_name = "WORD")]
    engines: Vec<String>,
    /// Only this target, as "0.1 % apart"; may be repeated.
    #[arg(long = "target", value_name = "LABEL")]
    targets: Vec<String>,
    /// Only this question: first, all or distance.
    #[arg(long, value_name = "WORD")]
    question: Option<String>,
    /// Poses of each target.
    #[arg(long, value_name = "N", default_value_t = 24)]
    poses: usize,
    /// How often a pose is repeated at once.
    #[arg(long, value_name = "N", default_value_t = 9)]
    repeats: usize,
    /// Seed of the poses.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Two poses, one repeat: shows that it runs.
    #[arg(long, visible_alias = "quick")]
    test: bool,
    /// Passed by cargo.
    #[arg(long, hide = true)]
    bench: bool,
    /// Passed by test runners, which find no tests here.
    #[arg(long, hide = true)]
    list: bool,
}

fn main() -> ExitCode {
    let mut arguments = Arguments::parse();
    if arguments.list {
        return ExitCode::SUCCESS;
    }
    if arguments.test {
        (arguments.poses, arguments.repeats) = (2, 1);
    }
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), String> {
    let host = machine::host(None, None);
    println!("{}, {} cores", host.cpu, host.cores);
    let mut meshes = Vec::new();
    for word in &arguments.scenes {
        meshes.push(shape(word)?);
    }
    for path in &arguments.meshes {
        let mesh = files::read(path).map_err(|error| error.to_string())?.mesh;
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        meshes.push(NamedMesh { name, mesh });
    }
    if meshes.is_empty() {
        meshes.push(shape("torus10k")?);
    }
    meshes.iter().try_for_each(|mesh| measure(arguments, mesh))
}

/// `torus10k`: a shape and its triangles.
fn shape(word: &str) -> Result<NamedMesh, String> {
    let refuse =
        || format!("\"{word}\" is not a shape and its thousands of triangles, as torus10k");
    let digits = word.find(|c: char| c.is_ascii_digit()).ok_or_else(refuse)?;
    let (name, size) = word.split_at(digits);
    let size = size.replace('k', "000").replace('M', "000000");
    let shape: Shape = name.parse().map_err(|_| refuse())?;
    let mesh = shape.mesh(size.parse().map_err(|_| refuse())?, 0);
    Ok(NamedMesh { name: word.to_owned(), mesh })
}

/// Answers a pose and says how long that took.
type Queried<'e> = dyn FnMut(&Pose, &Ask, &mut Answer) -> Result<Duration, String> + 'e;

/// One engine on one pair and question.
struct Lane<'e> {
    label: &'static str,
    /// With a memory that knows nothing of the pose; the time is that of the query alone.
    query: Box<Queried<'e>>,
    /// Least time of each pose.
    microseconds: Vec<f64>,
    volumes: u64,
    primitives: u64,
    hits: usize,
    contacts: u64,
}

impl<'e> Lane<'e> {
    fn new<E: Engine>(
        label: &'static str,
        engine: &'e E,
        model: &'e E::Model,
    ) -> Result<Self, String> {
        let said = |error: &dyn std::error::Error| error.to_string();
        // A memory that has seen other models knows nothing of these, but keeps its space.
        let speck = engine.prepare(&Shape::Cube.mesh(12, 0), &Control::NONE);
        let speck = speck.map_err(|error| said(&error))?;
        let far = Pose::translation_by(Vector::new(9.0, 0.0, 0.0)).map_err(|error| said(&error))?;
        let (mut memory, mut other) = (engine.memory(), Answer::default());
        let query = move |pose: &Pose, ask: &Ask, answer: &mut Answer| {
            let (first, none) = (Ask::first_contact(), Control::NONE);
            engine
                .query(&speck, &speck, &far, &mut memory, &first, &none, &mut other)
                .map_err(|error| said(&error))?;
            let start = Instant::now();
            let done = engine.query(model, model, pose, &mut memory, ask, &none, answer);
            let took = start.elapsed();
            done.map_err(|error| said(&error))?;
            Ok(took)
        };
        let microseconds = Vec::new();
        let query = Box::new(query);
        Ok(Self { label, query, microseconds, volumes: 0, primitives: 0, hits: 0, contacts: 0 })
    }

    /// A pose: timed several times in a row, then counted.
    fn turn(&mut self, pose: &Pose, ask: &Ask, repeats: usize) -> Result<(), String> {
        let (mut answer, mut least) = (Answer::default(), Duration::MAX);
        for _ in 0..repeats {
            least = least.min((self.query)(pose, ask, &mut answer)?);
        }
        self.microseconds.push(least.as_secs_f64() * 1e6);
        self.hits += usize::from(answer.verdict.is_hit());
        self.contacts += answer.contacts_found;
        (self.query)(pose, &ask.counted(), &mut answer)?;
        let statistics = answer.statistics.unwrap_or_default();
        self.volumes += statistics.volume_tests;
        self.primitives += statistics.primitive_tests;
        Ok(())
    }
}

fn measure(arguments: &Arguments, mesh: &NamedMesh) -> Result<(), String> {
    let plan = Plan { orientations: arguments.poses, seed: arguments.seed };
    let placed = place(mesh, mesh, &plan, &|_| ()).map_err(|error| error.clone())?;
    println!("\n## {}: {} triangles", mesh.name, mesh.mesh.triangles().len());
    let widths: Vec<Width> = Width::ALL.into_iter().filter(|width| width.is_present()).collect();
    let wides: Vec<_> = widths
        .iter()
        .map(|&width| wide_with(WideParams { width: Some(width), ..WideParams::default() }))
        .collect();
    let said = |error: impinge::query::PrepareError| error.to_string();
    let start = Instant::now();
    let model = Engine::prepare(&wides[0], &mesh.mesh, &Control::NONE).map_err(said)?;
    let built = start.elapsed().as_secs_f64();
    println!(
        "wide: built in {:.1} ms, {:.1} bytes a triangle, {} nodes of {:.1} lanes",
        built * 1e3,
        (model.bytes() - model.mesh_bytes()) as f64 / model.triangles() as f64,
        model.nodes(),
        (model.nodes() + model.leaves()) as f64 / model.nodes() as f64
    );
    let tree = obbtree();
    let other = Engine::prepare(&tree, &mesh.mesh, &Control::NONE).map_err(said)?;
    println!(
        "{:<12} {:<9} {:<9} {:>9} {:>8} {:>9} {:>9} {:>8} {:>9}",
        "target", "question", "engine", "us", "x tree", "boxes", "ns/box", "leaves", "contacts"
    );
    let wanted = |list: &[String], word: &str| list.is_empty() || list.iter().any(|w| w == word);
    for target in TARGETS.into_iter().filter(|t| wanted(&arguments.targets, &t.label())) {
        let poses: Vec<Pose> =
            placed.iter().filter(|p| p.target == target).map(|p| p.pose).collect();
        for (question, ask) in questions(target) {
            if arguments.question.as_ref().is_some_and(|only| only != question) {
                continue;
            }
            let mut lanes = Vec::new();
            if wanted(&arguments.engines, "obbtree") {
                lanes.push(Lane::new("obbtree", &tree, &other)?);
            }
            for (engine, width) in wides.iter().zip(&widths) {
                if wanted(&arguments.engines, width.word()) {
                    lanes.push(Lane::new(width.word(), engine, &model)?);
                }
            }
            take_turns(lanes.len(), 1, poses.len(), |turn| {
                lanes[turn.who].turn(&poses[turn.step], &ask, arguments.repeats)
            })?;
            print(&target.label(), question, &mut lanes);
        }
    }
    Ok(())
}

fn questions(target: Target) -> Vec<(&'static str, Ask)> {
    match target {
        Target::Apart(gap) if gap > 2e-4 => {
            vec![("first", Ask::first_contact()), ("distance", Ask::distance())]
        }
        Target::Apart(_) => vec![("first", Ask::first_contact())],
        _ => vec![("first", Ask::first_contact()), ("all", Ask::all_contacts())],
    }
}

fn print(target: &str, question: &str, lanes: &mut [Lane<'_>]) {
    for lane in lanes.iter_mut() {
        lane.microseconds.sort_by(f64::total_cmp);
    }
    let median = |lane: &Lane<'_>| lane.microseconds.get(lane.microseconds.len() / 2).copied();
    let tree = lanes.first().and_then(median).unwrap_or(f64::NAN);
    for lane in lanes.iter() {
        let us = median(lane).unwrap_or(f64::NAN);
        let poses = lane.microseconds.len().max(1) as f64;
        let (mean, boxes) = (lane.microseconds.iter().sum::<f64>() / poses, lane.volumes as f64);
        println!(
            "{target:<12} {question:<9} {:<9} {us:>9.2} {:>8.2} {:>9.0} {:>9.2} {:>8.1} {:>9}",
            lane.label,
            tree / us,
            boxes / poses,
            mean * 1e3 * poses / boxes,
            lane.primitives as f64 / poses,
            lane.contacts
        );
        if lane.hits != lanes[0].hits || lane.contacts != lanes[0].contacts {
            let (hits, contacts) = (lane.hits, lane.contacts);
            println!("!! {} differs: {hits} hits, {contacts} contacts", lane.label);
        }
    }
}
