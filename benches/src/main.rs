//! `measure`: runs scenes and methods, and writes one JSON object a line. `cargo xtask bench` calls
//! it and makes tables, plots and a report of the output.

#![forbid(unsafe_code)]

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use impinge::Method;
use impinge_benches::graphics::{Drawer, Gpu};
use impinge_benches::program::{self, Output};
use impinge_benches::progress::{Listener, to_stderr};
use impinge_benches::scene::catalogue::{self, Wishes};
use impinge_benches::session::{self, Plan};

/// Measures every method on the same scenes and checks every answer. Writes one JSON object per
/// line (see crates/records/src/bench.rs); progress goes to stderr, one JSON object per line.
#[derive(Debug, Parser)]
#[command(name = "measure", max_term_width = 100)]
struct Arguments {
    /// Use few poses and passes: a few minutes on two cores instead of an hour.
    #[arg(long)]
    quick: bool,
    /// Run only this scene, for example torus10k. May be repeated. Default: all scenes of the run.
    #[arg(long = "scene", value_name = "SCENE")]
    scenes: Vec<String>,
    /// Measure only this method, for example wide. May be repeated. Default: all methods.
    #[arg(long = "method", value_name = "METHOD")]
    methods: Vec<Method>,
    /// Measure copies of the mesh in this file; with several files, every pair of them.
    #[arg(long = "mesh", value_name = "FILE")]
    meshes: Vec<PathBuf>,
    /// Run one pass without a time budget, so that the work does not depend on the clock. Used for
    /// counting instructions.
    #[arg(long)]
    once: bool,
    /// Number of threads for parallel methods. Default: all processors.
    #[arg(long)]
    threads: Option<usize>,
    /// What draws the pictures of ibcd, recode and ldi, and runs the streams of the scene stream.
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = Gpu::Off)]
    gpu: Gpu,
    /// Seed of all placements and motions.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Folder in which placed poses are kept for later runs.
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
    /// Write pictures of the scenes to this folder.
    #[arg(long, value_name = "DIR")]
    pictures: Option<PathBuf>,
    #[command(flatten)]
    output: Output,
    /// List scenes and methods and exit.
    #[arg(long)]
    list: bool,
}

fn main() -> ExitCode {
    program::exit("measure", run(Arguments::parse()))
}

fn run(arguments: Arguments) -> Result<(), String> {
    if arguments.list {
        return list().map_err(|error| error.to_string());
    }
    if let Some(folder) = &arguments.pictures {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    let output = arguments.output.clone();
    let drawer = arguments.gpu.drawer()?;
    let plan = plan(arguments, drawer);
    catalogue::wanted(&plan.wishes)?;
    let mut lines = output.open()?;
    let end = session::run(&plan, Listener::new(&to_stderr), &mut |record| lines.write(record))?;
    match end.wrong_answers_of_exact_methods {
        0 => Ok(()),
        n => Err(format!("{n} answers of exact methods are wrong; the records tell where")),
    }
}

fn plan(arguments: Arguments, drawer: Drawer) -> Plan {
    let Arguments { quick, scenes, methods, meshes, threads, seed, once, .. } = arguments;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    Plan {
        wishes: Wishes { scenes, files: meshes, quick, seed },
        once,
        methods: if methods.is_empty() { Method::all().to_vec() } else { methods },
        threads: threads.unwrap_or(cores),
        drawer,
        cache: arguments.cache,
        pictures: arguments.pictures,
        host: arguments.output.host(),
    }
}

fn list() -> io::Result<()> {
    let mut out = io::stdout().lock();
    let scenes: Vec<&str> = catalogue::words().collect();
    writeln!(out, "scenes:  {}", scenes.join(" "))?;
    let methods: Vec<&str> = Method::all().iter().map(|method| method.word()).collect();
    writeln!(out, "methods: {}", methods.join(" "))
}
