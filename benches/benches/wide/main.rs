//! `wide` on every instruction set of this machine beside `obbtree`: time of a query, steps, and
//! time of a box pair, at the distances and depths of the static benchmark.
//!
//! ```sh
//! cargo bench -p impinge-benches --bench wide -- --mesh dragon.stl --scene torus100k
//! ```
//!
//! At each pose all engines take turns, each time starting with another one. In its turn an engine
//! answers several times in a row, and the least time counts. The median over poses is printed.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;
use impinge::query::{Ask, Control, Model, Prepared};
use impinge::wide::{WideModel, WideParams, Width, wide_with};
use impinge::{Method, Pose};
use impinge_benches::harness::{Competitor, Query, Ready, Timing, take_turns};
use impinge_benches::machine;
use impinge_benches::placement::{Plan, TARGETS, Target, place, poses};
use impinge_benches::scene::{NamedMesh, shape_word};

/// Times the engine `wide` on every instruction set.
#[derive(Debug, Parser)]
#[command(name = "wide", max_term_width = 100)]
struct Arguments {
    /// A shape with its thousands of triangles, for example `torus100k`. May be repeated. Default:
    /// `torus10k` unless a mesh is given.
    #[arg(long = "scene", value_name = "WORD")]
    scenes: Vec<String>,
    /// A mesh file to measure copies of. May be repeated.
    #[arg(long = "mesh", value_name = "FILE")]
    meshes: Vec<PathBuf>,
    /// Measure only this engine: `obbtree` or an instruction set. May be repeated.
    #[arg(long = "engine", value_name = "WORD")]
    engines: Vec<String>,
    /// Measure only this target, for example "0.1 % apart". May be repeated.
    #[arg(long = "target", value_name = "LABEL")]
    targets: Vec<String>,
    /// Ask only this question: first, all or distance.
    #[arg(long, value_name = "WORD")]
    question: Option<String>,
    /// Number of poses per target.
    #[arg(long, value_name = "N", default_value_t = 24)]
    poses: usize,
    /// How often each pose is repeated in a row; the least time counts.
    #[arg(long, value_name = "N", default_value_t = 9)]
    repeats: usize,
    /// Seed of the poses.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Run two poses with one repetition, as a check that the program works.
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
        meshes.push(NamedMesh::read(path)?);
    }
    if meshes.is_empty() {
        meshes.push(shape("torus10k")?);
    }
    meshes.iter().try_for_each(|mesh| measure(arguments, mesh))
}

/// Generates the mesh of a word such as `torus10k`.
fn shape(word: &str) -> Result<NamedMesh, String> {
    let (shape, size) = shape_word(word).ok_or_else(|| {
        format!("\"{word}\" is not a shape and its thousands of triangles, as torus10k")
    })?;
    Ok(NamedMesh { name: word.to_owned(), mesh: shape.mesh(size, 0) })
}

/// One engine on one pair and question.
struct Lane<'e> {
    label: &'e str,
    ready: Ready<'e>,
    models: &'e [Prepared],
    timing: Timing,
}

impl<'e> Lane<'e> {
    fn new(one: &'e Competitor, models: &'e [Prepared]) -> Self {
        let ready = one.ready(1).keeping_space();
        Self { label: &one.label, ready, models, timing: Timing::default() }
    }

    /// Runs one pose: timed several times in a row, each time with a memory that has not seen it,
    /// then once with counters.
    fn turn(&mut self, pose: Pose, ask: &Ask, repeats: usize) -> Result<(), String> {
        let step = [Query { a: 0, b: 0, pair: 0, pose }];
        let mut least = Duration::MAX;
        for _ in 0..repeats {
            self.ready.forget();
            let (took, outcome) = self.ready.time(self.models, &step, ask);
            outcome?;
            least = least.min(took);
        }
        self.timing.least.push(least.as_nanos() as f64);
        self.ready.forget();
        self.ready.ask(self.models, &step[0], &ask.counted())?;
        self.timing.add(&self.ready.answer);
        Ok(())
    }
}

fn measure(arguments: &Arguments, mesh: &NamedMesh) -> Result<(), String> {
    let plan = Plan { orientations: arguments.poses, seed: arguments.seed };
    let placed = place(mesh, mesh, &plan, &|_| ()).map_err(|error| error.clone())?;
    println!("\n## {}: {} triangles", mesh.name, mesh.mesh.triangles().len());
    let widths: Vec<Width> = Width::ALL.into_iter().filter(|width| width.is_present()).collect();
    let engine = |width| wide_with(WideParams { width: Some(width), ..WideParams::default() });
    let wides = widths.iter().map(|&width| Competitor::new(width.word(), engine(width)));
    let wides: Vec<Competitor> = wides.collect();
    let said = |error: impinge::query::PrepareError| error.to_string();
    let start = Instant::now();
    let models = [wides[0].detector.prepare(&mesh.mesh, &Control::NONE).map_err(said)?];
    let built = start.elapsed().as_secs_f64();
    let model = models[0].model::<WideModel>().ok_or("a model of another engine")?;
    println!(
        "wide: built in {:.1} ms, {:.1} bytes a triangle, {} nodes of {:.1} lanes",
        built * 1e3,
        (model.bytes() - model.mesh_bytes()) as f64 / model.triangles() as f64,
        model.nodes(),
        (model.nodes() + model.leaves()) as f64 / model.nodes() as f64
    );
    let tree = Competitor::from(Method::ObbTree);
    let other = [tree.detector.prepare(&mesh.mesh, &Control::NONE).map_err(said)?];
    println!(
        "{:<12} {:<9} {:<9} {:>9} {:>8} {:>9} {:>9} {:>8} {:>9}",
        "target", "question", "engine", "us", "x tree", "boxes", "ns/box", "leaves", "contacts"
    );
    let wanted = |list: &[String], word: &str| list.is_empty() || list.iter().any(|w| w == word);
    for target in TARGETS.into_iter().filter(|t| wanted(&arguments.targets, &t.label())) {
        let poses = poses(&placed, target);
        for (question, ask) in questions(target) {
            if arguments.question.as_ref().is_some_and(|only| only != question) {
                continue;
            }
            let trees = [(&tree, &other)];
            let all = trees.into_iter().chain(wides.iter().map(|wide| (wide, &models)));
            let mut lanes: Vec<Lane<'_>> = all
                .filter(|(one, _)| wanted(&arguments.engines, &one.label))
                .map(|(one, models)| Lane::new(one, models))
                .collect();
            take_turns(lanes.len(), 1, poses.len(), |turn| {
                lanes[turn.who].turn(poses[turn.step], &ask, arguments.repeats)
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
        lane.timing.least.sort_by(f64::total_cmp);
    }
    let median = |lane: &Lane<'_>| {
        let list = &lane.timing.least;
        list.get(list.len() / 2).map_or(f64::NAN, |ns| ns / 1e3)
    };
    let tree = lanes.first().map_or(f64::NAN, median);
    for lane in lanes.iter() {
        let (Lane { label, timing, .. }, us) = (lane, median(lane));
        let poses = timing.least.len().max(1) as f64;
        let boxes = timing.volume_tests as f64;
        println!(
            "{target:<12} {question:<9} {label:<9} {us:>9.2} {:>8.2} {:>9.0} {:>9.2} {:>8.1} {:>9}",
            tree / us,
            boxes / poses,
            timing.total() / boxes,
            timing.primitive_tests as f64 / poses,
            timing.contacts
        );
        let (hits, contacts) = (timing.hits(), timing.contacts);
        if (hits, contacts) != (lanes[0].timing.hits(), lanes[0].timing.contacts) {
            println!("!! {label} differs: {hits} hits, {contacts} contacts");
        }
    }
}
