//! `cargo xtask bench`: runs `measure` with progress bars, and makes a table and a report of its
//! records. With `--peers` it runs `peers` instead.

mod against;
mod child;
mod peers;
mod ratios;
mod record;
mod report;
mod streams;
mod terminal;

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::Outcome;
use crate::gate::{Gpu, python};
pub(crate) use record::{BASELINE, Results};

/// Options of `cargo xtask bench`.
#[derive(Clone, Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(crate) struct Options {
    /// Measure twelve scenes of up to 200,000 triangles with few poses and passes, in a few
    /// minutes. A full run takes about an hour.
    #[arg(long)]
    quick: bool,
    /// Measure only this scene, for example torus10k; --list shows all. May be repeated.
    #[arg(long = "scene", value_name = "SCENE")]
    scenes: Vec<String>,
    /// Measure only this method, for example wide; --list shows all. May be repeated.
    #[arg(long = "method", value_name = "METHOD")]
    methods: Vec<String>,
    /// Measure two copies of your own mesh (OBJ, STL, PLY, OFF or glTF); with several files, every
    /// pair of them. May be repeated.
    #[arg(long = "mesh", value_name = "FILE")]
    meshes: Vec<PathBuf>,
    /// Compare the default engine with other libraries instead.
    ///
    /// parry3d always takes part; the C++ libraries FCL and Coal do if they are installed (see
    /// docs/benchmarking.md). With a list, for example --peers fcl,parry, only these take part, and
    /// a missing one is an error. Prints times and ratios, preparation times, wrong answers, and
    /// whether the required speed-ups are reached; all figures are written to DIR/peers.jsonl.
    ///
    /// A --scene is a word such as torus10k (two copies of about 10,000 triangles) or
    /// torus100k+torus1k/100 (a pair, the second a hundredth as large). The stem of a --mesh file
    /// also works, as in bunny+torus1k. Each --mesh is also placed against a copy of itself.
    ///
    /// --scene broad compares the broad phases on moving boxes instead: 1,000 to 100,000 of the kinds
    /// uniform, teleports, mixed and flat. A word such as uniform10k is one of these scenes. All must
    /// find the same pairs in every step, or the run fails. --scene motion asks for sweeps and depths of
    /// penetration beside parry3d; sweeps1k and depths1k are one of both, with bodies of any size.
    #[arg(long, value_name = "LIST", num_args = 0..=1, default_missing_value = "")]
    #[arg(conflicts_with_all = ["methods", "threads"])]
    peers: Option<String>,
    /// Measure the Python package instead, beside python-fcl and trimesh, and on Ray: what calls cost,
    /// the cluster by its workers, 100 workers killed at random moments, and the required figures beside the
    /// measured ones. With --quick smaller, so that not all are judged. Needs Python and pip.
    #[arg(long, conflicts_with_all = ["peers", "against", "methods", "scenes", "meshes", "threads"])]
    python: bool,
    /// Number of threads for parallel methods [default: all processors].
    #[arg(long)]
    threads: Option<usize>,
    /// What draws the pictures of ibcd, recode and ldi, and runs the streams of --scene stream: the
    /// processor (off), a software adapter, or the best adapter there is. Without an adapter,
    /// software and required are errors.
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = Gpu::Off, conflicts_with_all = ["peers", "against"])]
    gpu: Gpu,
    /// Folder for results.jsonl, report.html and the cache of placed poses.
    #[arg(long, value_name = "DIR", default_value = "out/bench")]
    out: PathBuf,
    /// Recreate table and report from the results in the folder, without measuring.
    #[arg(long)]
    report_only: bool,
    /// Print the tables of all scenes instead of one table of all methods.
    #[arg(long, conflicts_with_all = ["peers", "against"])]
    all: bool,
    /// List scenes and methods and exit.
    #[arg(long)]
    list: bool,
    /// Compare this tree with a git revision, for example HEAD~1, and report what became slower.
    ///
    /// Builds the revision in target/against and runs both programs once per round, in alternating
    /// order. Prints median times, their ratio with its 95 % confidence interval, the spread and
    /// the peak memory. If valgrind is installed, also prints the instruction counts of queries by
    /// the named methods, or by the default method. The exit status is 1 if a time or an
    /// instruction count increased beyond the noise. The records of all rounds are written to
    /// DIR/against.
    #[arg(long, value_name = "REV", conflicts_with_all = ["peers", "report_only", "list"])]
    against: Option<String>,
    /// Number of rounds of --against; at least 6, for a confidence interval.
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
    if options.python {
        return python::measure(options.quick);
    }
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
    print!("{}", terminal::text(&results, options.all));
    let report = out.join("report.html");
    write_report(&results, &out.join("pictures"), &report)?;
    println!("\nresults  {}\nreport   {}", file.display(), report.display());
    match results.end.wrong_answers_of_exact_methods {
        0 => Ok(()),
        n => Err(format!("{n} answers of exact methods are wrong")),
    }
}

/// The report of a file of records, and the methods that it measures.
///
/// # Errors
/// As [`Results::parse`]; also if the template is invalid.
pub(crate) fn page(text: &str) -> Result<(Vec<String>, String), String> {
    let results = Results::parse(text)?;
    let is_measured = |word: &String| results.measurements.iter().any(|row| row.method == *word);
    let words = results.run.methods.iter().map(|method| method.word.clone());
    Ok((words.filter(is_measured).collect(), report::html(&results, &|_| None)?))
}

fn write_report(results: &Results, pictures: &Path, report: &Path) -> Outcome {
    let html = report::html(results, &|file| fs::read(pictures.join(file)).ok())?;
    fs::write(report, html).map_err(|error| format!("{}: {error}", report.display()))
}
