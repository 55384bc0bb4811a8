//! `wide` in slow motions: queries for a first contact with the memory of the last one, and each with
//! an empty one.
//!
//! ```sh
//! cargo bench -p impinge-benches --bench walks -- --scene torus10k --scene trefoil20k
//! ```
//!
//! Two copies of a shape: one stands, one moves by a share of its size and turns by as many radians a
//! step, straight and evenly, or at random, in a box of its size; or it moves to and fro by half a
//! percent of its diagonal at places where it is one percent away. The least time of each step over
//! several passes counts; medians and means over steps that are apart, and over all.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use impinge::geometry::MeshError;
use impinge::query::Ask;
use impinge::{Mesh, Point, Pose};
use impinge_benches::harness::{Competitor, Timing, Workload, take_turns};
use impinge_benches::machine;
use impinge_benches::placement::{Placed, Plan, Target, place_at};
use impinge_benches::program;
use impinge_benches::scene::{NamedMesh, shape_word};
use impinge_models::motion::{Bounce, MotionError, Walk};
use impinge_models::{Motion, Random, Shape};

/// Times the engine `wide` in slow motions.
#[derive(Debug, Parser)]
#[command(name = "walks", max_term_width = 100)]
struct Arguments {
    /// A shape with its thousands of triangles, for example `torus100k`. May be repeated. Default:
    /// `torus10k`.
    #[arg(long = "scene", value_name = "WORD")]
    scenes: Vec<String>,
    /// A mesh of your own (OBJ, STL, PLY, OFF or glTF), moved and scaled to the place and the diagonal
    /// of a torus. May be repeated.
    #[arg(long = "mesh", value_name = "FILE")]
    meshes: Vec<PathBuf>,
    /// The way of a step, in sizes of the body. May be repeated.
    #[arg(long = "speed", value_name = "X")]
    speeds: Vec<f64>,
    /// Number of steps of a motion.
    #[arg(long, value_name = "N", default_value_t = 2_000)]
    steps: usize,
    /// Passes; the least time of a step counts.
    #[arg(long, value_name = "N", default_value_t = 5)]
    passes: usize,
    /// Seed of the motions.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Run a few steps, as a check that the program works.
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
        (arguments.steps, arguments.passes) = (20, 1);
    }
    if arguments.scenes.is_empty() && arguments.meshes.is_empty() {
        arguments.scenes.push("torus10k".to_owned());
    }
    if arguments.speeds.is_empty() {
        arguments.speeds = vec![1e-4, 1e-3, 3e-3, 1e-2];
    }
    program::exit("walks", run(&arguments))
}

fn run(arguments: &Arguments) -> Result<(), String> {
    let host = machine::host(None, None);
    println!("{}, {} cores", host.cpu, host.cores);
    println!(
        "{:<12} {:<9} {:>7} {:>6} {:>23} {:>23} {:>23}",
        "shape", "motion", "speed", "hits", "apart: median us", "apart: mean us", "all: mean us"
    );
    for body in bodies(arguments)? {
        let NamedMesh { name: word, mesh } = &body;
        for &speed in &arguments.speeds {
            let (reach, steps) = (0.7, arguments.steps);
            let bounce = Bounce { reach, speed, spin: speed };
            let walk = Walk { reach, shift: speed, turn: speed };
            let of = |motion: Result<Motion, MotionError>| {
                let motion = motion.map_err(|error| error.to_string())?;
                Ok::<_, String>((0..steps).map(|step| *motion.at(step)).collect::<Vec<_>>())
            };
            for (name, poses) in [
                ("straight", of(Motion::bounce(&bounce, arguments.seed, steps))?),
                ("random", of(Motion::walk(&walk, arguments.seed, steps))?),
                ("near", hovering(&body, speed, arguments)?),
            ] {
                let work = Workload::motion(vec![mesh.clone()], [0, 0], &poses);
                print!("{word:<12} {name:<9} {speed:>7}");
                compare(&work, arguments.passes)?;
            }
        }
    }
    Ok(())
}

/// The bodies that were asked for.
fn bodies(arguments: &Arguments) -> Result<Vec<NamedMesh>, String> {
    let shapes = arguments.scenes.iter().map(|word| {
        let (shape, size) = shape_word(word).ok_or_else(|| {
            format!("\"{word}\" is not a shape and its thousands of triangles, as torus10k")
        })?;
        Ok(NamedMesh { name: word.clone(), mesh: shape.mesh(size, 0) })
    });
    let files = arguments.meshes.iter().map(|path| {
        let NamedMesh { name, mesh } = NamedMesh::read(path)?;
        let mesh = as_large_as(&Shape::Torus.mesh(1_000, 0), &mesh).map_err(|e| e.to_string())?;
        Ok(NamedMesh { name, mesh })
    });
    shapes.chain(files).collect()
}

/// The second mesh around the origin, with the diagonal of the first.
fn as_large_as(one: &Mesh, mesh: &Mesh) -> Result<Mesh, MeshError> {
    let (low, high) = mesh.bounds();
    let (middle, scale) = (low + (high - low) / 2.0, one.diagonal() / mesh.diagonal());
    let moved = mesh.vertices().iter().map(|p| Point::from((p - middle) * scale));
    mesh.with_vertices(moved.collect())
}

/// To and fro at two dozen places one percent of the diagonal apart.
fn hovering(one: &NamedMesh, speed: f64, arguments: &Arguments) -> Result<Vec<Pose>, String> {
    const PLACES: usize = 24;
    let plan = Plan { orientations: PLACES, seed: arguments.seed };
    let placed = place_at([one, one], &[Target::Apart(0.01)], &plan, &|_| ())?;
    let reach = 0.005 * one.mesh.diagonal();
    let mut random = Random::new(arguments.seed);
    let mut poses = Vec::new();
    for Placed { pose, .. } in placed {
        let (way, axis) = (random.unit_vector(), random.unit_vector());
        for step in 0..arguments.steps.div_ceil(PLACES) {
            let gone = speed * step as f64 % (2.0 * reach);
            let gone = gone.min(2.0 * reach - gone);
            let half = 0.5 * gone;
            let [x, y, z] = (axis * half.sin()).into();
            let turn = Pose::from_quaternion([0.0; 3], [x, y, z, half.cos()]);
            let rotation = turn.map_err(|error| error.to_string())?.rotation() * pose.rotation();
            let moved = Pose::new(rotation, pose.translation() + way * gone);
            poses.push(moved.map_err(|error| error.to_string())?);
        }
    }
    Ok(poses)
}

/// Times a motion with and without memory, and prints the rest of its line.
fn compare(work: &Workload, passes: usize) -> Result<(), String> {
    let wide = Competitor::from(impinge::Method::Wide);
    let (models, ask) = (wide.prepare(work)?, Ask::first_contact());
    let mut ready = [wide.ready(1).keeping_space(), wide.ready(1).keeping_space()];
    let mut timing = [Timing::default(), Timing::default()];
    for of in &mut timing {
        of.least = vec![f64::INFINITY; work.steps.len()];
        of.hit = vec![false; work.steps.len()];
    }
    take_turns(2, passes, work.steps.len(), |turn| {
        let (one, of) = (&mut ready[turn.who], &mut timing[turn.who]);
        // The first remembers within a pass, the other nothing.
        if turn.who == 1 || turn.step == 0 {
            one.forget();
        }
        let (took, outcome) = one.time(&models, &work.steps[turn.step], &ask);
        outcome?;
        of.least[turn.step] = of.least[turn.step].min(took.as_nanos() as f64);
        of.hit[turn.step] = one.answer.verdict.is_hit();
        Ok::<_, String>(())
    })?;
    if timing[0].hit != timing[1].hit {
        return Err("verdicts differ".to_owned());
    }
    let apart = |of: &Timing| Timing {
        least: of.least.iter().zip(&of.hit).filter(|(_, hit)| !**hit).map(|(t, _)| *t).collect(),
        ..Timing::default()
    };
    let both = |of: &dyn Fn(&Timing) -> f64| {
        let [with, without] = timing.each_ref().map(of);
        format!("{:.3} / {:.3} = {:.2}", with / 1e3, without / 1e3, with / without)
    };
    println!(
        " {:>5.1}% {:>23} {:>23} {:>23}",
        100.0 * timing[0].hits() as f64 / work.steps.len() as f64,
        both(&|of| apart(of).median()),
        both(&|of| apart(of).mean()),
        both(&|of| of.mean()),
    );
    Ok(())
}
