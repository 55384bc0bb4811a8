//! `peers`: runs scenes with `wide` and other libraries, and writes one JSON object a line. `cargo
//! xtask bench --peers` calls it and makes tables of the output.

#![forbid(unsafe_code)]

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use impinge_benches::program::{self, Output};
use impinge_benches::progress::{Listener, to_stderr};
use impinge_benches::scene::NamedMesh;
use impinge_peers::broad::contender;
use impinge_peers::broad::scenes::{ALL, parse};
use impinge_peers::entry;
use impinge_peers::motion;
use impinge_peers::native::{self, Kind, Loaded};
use impinge_peers::scenes::{Wishes, usual};
use impinge_peers::session::{self, Plan};
use impinge_records::peers::Absent;

/// Measures `wide` beside parry3d and, if their shims are given, FCL and Coal, and checks every
/// answer. Writes one JSON object per line (see crates/records/src/peers.rs); progress goes to
/// stderr, one JSON object per line.
#[derive(Debug, Parser)]
#[command(name = "peers", max_term_width = 100)]
struct Arguments {
    /// Use few scenes, poses and repetitions: half a minute instead of several.
    #[arg(long)]
    quick: bool,
    /// Run only this scene. torus10k is two copies of one mesh; torus100k+torus1k/100 is a pair,
    /// the second a hundredth as large; the stem of a mesh file also works, as in bunny+torus1k.
    /// uniform10k is a scene of moving boxes for broad phases, and broad stands for all of those.
    /// sweeps1k and depths1k ask for the first contact on a way and for the depth of penetration,
    /// beside parry3d, and motion stands for both.
    /// May be repeated.
    #[arg(long = "scene", value_name = "SCENE")]
    scenes: Vec<String>,
    /// Measure copies of the mesh in this file. May be repeated.
    #[arg(long = "mesh", value_name = "FILE")]
    meshes: Vec<PathBuf>,
    /// The compiled shim of a library, as fcl=FILE or coal=FILE. May be repeated.
    #[arg(long = "library", value_name = "WORD=FILE")]
    libraries: Vec<String>,
    /// Leave out parry3d.
    #[arg(long)]
    without_parry: bool,
    /// Record that a library is missing, and why, as WORD=SENTENCE. May be repeated.
    #[arg(long = "absent", value_name = "WORD=WHY")]
    absent: Vec<String>,
    /// Number of poses per target. Default: depends on the size of the meshes.
    #[arg(long, value_name = "N")]
    poses: Option<usize>,
    /// Number of steps of moving boxes. Default: depends on their number.
    #[arg(long, value_name = "N")]
    steps: Option<usize>,
    /// Seed of all poses.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Folder in which placed poses are kept for later runs.
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
    #[command(flatten)]
    output: Output,
    /// List the usual scenes and exit.
    #[arg(long)]
    list: bool,
}

fn main() -> ExitCode {
    program::exit("peers", run(Arguments::parse()))
}

fn run(arguments: Arguments) -> Result<(), String> {
    if arguments.list {
        let mut out = io::stdout().lock();
        let (quick, full) = (usual(true).join(" "), usual(false).join(" "));
        let boxes = parse(ALL, false).into_iter().flatten();
        let boxes: Vec<String> = boxes.map(|wanted| wanted.word).collect();
        let boxes = boxes.join(" ");
        let motions = motion::parse(motion::ALL).into_iter().flatten();
        let motions: Vec<String> = motions.map(|wanted| wanted.word).collect();
        let (motion, motions) = (motion::ALL, motions.join(" "));
        return writeln!(out, "quick: {quick}\nfull:  {full}\n{ALL}: {boxes}\n{motion}: {motions}")
            .map_err(|error| error.to_string());
    }
    let Loaded { entries, contenders } = participants(&arguments)?;
    let (output, without_parry) = (arguments.output.clone(), arguments.without_parry);
    let plan = plan(arguments)?;
    // Check the words before an older file is overwritten.
    plan.wishes.scenes()?;
    if without_parry && !plan.wishes.motions().is_empty() {
        return Err("sweeps and depths are measured beside parry3d, which is left out".to_owned());
    }
    let mut lines = output.open()?;
    let end =
        session::run(&plan, &entries, &contenders, Listener::new(&to_stderr), &mut |record| {
            lines.write(record)
        })?;
    match end.wrong_answers_of_reference {
        0 => Ok(()),
        n => Err(format!("{n} answers of wide are wrong; the records tell where")),
    }
}

/// `wide` and `box-tree` first, then all other available participants.
fn participants(arguments: &Arguments) -> Result<Loaded, String> {
    let mut all = Loaded { entries: vec![entry::reference()], contenders: contender::ours() };
    if !arguments.without_parry {
        all.entries.extend(entry::parry());
        all.contenders.extend(contender::parry());
    }
    for library in &arguments.libraries {
        let (word, file) = halves(library)?;
        let kind = Kind::ALL.into_iter().find(|kind| kind.word() == word);
        let kind = kind.ok_or_else(|| format!("no library \"{word}\"; there are fcl and coal"))?;
        let Loaded { entries, contenders } = native::open(kind, Path::new(file))?;
        all.entries.extend(entries);
        all.contenders.extend(contenders);
    }
    Ok(all)
}

fn plan(arguments: Arguments) -> Result<Plan, String> {
    let absent = arguments.absent.iter().map(|text| {
        let (word, why) = halves(text)?;
        Ok(Absent { word: word.to_owned(), why: why.to_owned() })
    });
    Ok(Plan {
        absent: absent.collect::<Result<_, String>>()?,
        wishes: Wishes {
            words: arguments.scenes,
            meshes: arguments
                .meshes
                .iter()
                .map(|path| NamedMesh::read(path))
                .collect::<Result<_, _>>()?,
            quick: arguments.quick,
            poses: arguments.poses,
            seed: arguments.seed,
        },
        steps: arguments.steps,
        cache: arguments.cache,
        host: arguments.output.host(),
    })
}

/// The parts of `text` before and after the first `=`.
fn halves(text: &str) -> Result<(&str, &str), String> {
    text.split_once('=').ok_or_else(|| format!("\"{text}\" has no = in it"))
}
