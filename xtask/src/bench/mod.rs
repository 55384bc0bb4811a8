//! `cargo xtask bench`: runs `measure` with progress bars, and makes a table and a report of its
//! records. With `--peers` it runs `peers` instead.

mod against;
mod child;
mod peers;
mod record;
mod report;
mod terminal;

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::Outcome;
pub(crate) use record::Results;

/// What to measure.
#[derive(Clone, Debug, Args)]
pub(crate) struct Options {
    /// Every method on twelve scenes of up to 200,000 triangles in a few minutes. Without it: more
    /// scenes, poses and passes, about an hour.
    #[arg(long)]
    quick: bool,
    /// Measure this scene; may be repeated. `--list` shows the words.
    #[arg(long = "scene", value_name = "SCENE")]
    scenes: Vec<String>,
    /// Measure this method; may be repeated. `--list` shows the words.
    #[arg(long = "method", value_name = "METHOD")]
    methods: Vec<String>,
    /// Measure your own mesh (OBJ, STL, PLY, OFF, glTF): copies of it, or with several files every
    /// two of them.
    #[arg(long = "mesh", value_name = "FILE")]
    meshes: Vec<PathBuf>,
    /// Measure the default engine beside other people's libraries instead.
    ///
    /// parry3d always, FCL and Coal (C++) where they are installed; docs/benchmarking.md says how to
    /// get them. Prints times and ratios, what making ready takes, who was wrong, and which bars are met; the
    /// figures are in DIR/peers.jsonl. With a list, as --peers fcl,parry, only these, and it is an
    /// error if one is not there. Scenes are words like torus10k (two copies of about 10,000
    /// triangles) or torus100k+torus1k/100 (a pair, the second a hundredth as large), with the
    /// stem of a --mesh too, as bunny+torus1k; each --mesh is placed against a copy of itself.
    #[arg(long, value_name = "LIST", num_args = 0..=1, default_missing_value = "")]
    #[arg(conflicts_with_all = ["methods", "threads"])]
    peers: Option<String>,
    /// Threads for methods that use several; all processors if not given.
    #[arg(long)]
    threads: Option<usize>,
    /// Folder for results.jsonl and report.html; placed poses are kept there too.
    #[arg(long, value_name = "DIR", default_value = "out/bench")]
    out: PathBuf,
    /// Make table and report anew from the results in the folder, without measuring.
    #[arg(long)]
    report_only: bool,
    /// List scenes and methods, and do nothing.
    #[arg(long)]
    list: bool,
    /// Measure this tree beside that of a revision, taking turns, and say what became slower.
    ///
    /// Builds the revision in target/against and runs both programs in rounds, the first one in turns.
    /// Prints medians, their ratio with the interval that holds it with 95 %, the spread, peak memory, and
    /// where valgrind is present the instructions of the queries (of the methods that are named, else of
    /// the default one). Exit status 1 if a time, or a count of instructions, has become worse beyond
    /// the noise. The records of all rounds are in DIR/against.
    #[arg(long, value_name = "REV", conflicts_with_all = ["peers", "report_only", "list"])]
    against: Option<String>,
    /// Rounds of --against; an interval takes six or more.
    #[arg(long, value_name = "N", default_value_t = 9, requires = "against")]
    #[arg(value_parser = clap::value_parser!(u32).range(6..=99))]
    rounds: u32,
}

/// Runs the benchmarks and reports them.
///
/// # Errors
/// If measuring fails or the results cannot be read or written; and, after writing the report, if
/// an exact method gave a wrong answer.
pub(crate) fn run(options: &Options) -> Outcome {
    if let Some(list) = &options.peers {
        return peers::run(options, list);
    }
    if let Some(revision) = &options.against {
        return against::run(options, revision);
    }
    if options.list {
        return child::list();
    }
    let out = std::path::absolute(&options.out).map_err(|error| error.to_string())?;
    fs::create_dir_all(&out).map_err(|error| format!("{}: {error}", out.display()))?;
    let file = out.join("results.jsonl");
    let measured = if options.report_only { Ok(()) } else { child::measure(options, &out, &file) };
    let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    let results = match (Results::parse(&text), measured) {
        (Ok(results), Ok(())) => results,
        // `measure` also fails after its last line if exact methods were wrong; that is reported
        // below.
        (Ok(results), Err(_)) if results.end.wrong_answers_of_exact_methods > 0 => results,
        (_, Err(why)) => return Err(why),
        (Err(why), Ok(())) => return Err(format!("{}: {why}", file.display())),
    };
    terminal::print(&results);
    let report = out.join("report.html");
    write_report(&results, &out.join("pictures"), &report)?;
    println!("\nresults  {}\nreport   {}", file.display(), report.display());
    match results.end.wrong_answers_of_exact_methods {
        0 => Ok(()),
        n => Err(format!("{n} answers of exact methods are wrong")),
    }
}

fn write_report(results: &Results, pictures: &Path, report: &Path) -> Outcome {
    let html = report::html(results, &|file| fs::read(pictures.join(file)).ok())?;
    fs::write(report, html).map_err(|error| format!("{}: {error}", report.display()))
}
