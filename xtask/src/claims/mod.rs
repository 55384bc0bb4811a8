//! `cargo xtask claims`: runs the papers' claims as experiments, and makes a table and a report of
//! the records. A claim that does not hold is a result, not an error.

mod child;
mod figures;
mod plot;
mod record;
mod report;
mod terminal;

use std::fs;
use std::path::PathBuf;

use clap::Args;

use crate::Outcome;
use crate::gate::Gpu;
pub(crate) use record::Results;

/// Options of `cargo xtask claims`.
#[derive(Clone, Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(crate) struct Options {
    /// Run only the claim with this id, for example F1; --list shows all. May be repeated.
    #[arg(long = "claim", value_name = "ID")]
    claims: Vec<String>,
    /// Use smaller scenes and fewer repetitions.
    #[arg(long)]
    quick: bool,
    /// Print one JSON object per claim instead of the table.
    #[arg(long)]
    json: bool,
    /// Seed of all random scenes.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// What draws the pictures that are timed: the rasteriser (off), a software adapter, or the
    /// best adapter there is. Without an adapter, software and required are errors.
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = Gpu::Off)]
    gpu: Gpu,
    /// Folder for claims.jsonl and report.html.
    #[arg(long, value_name = "DIR", default_value = "out/claims")]
    out: PathBuf,
    /// Recreate table and report from the results in the folder, without running the claims.
    #[arg(long)]
    report_only: bool,
    /// Print the figures and reasons of every claim, not only its verdict.
    #[arg(long)]
    all: bool,
    /// List the claims and exit.
    #[arg(long)]
    list: bool,
}

/// Runs the experiments and reports them.
///
/// # Errors
/// If an id is unknown, an experiment breaks, or the results cannot be read or written.
pub(crate) fn run(options: &Options) -> Outcome {
    if options.list {
        return child::list();
    }
    let out = std::path::absolute(&options.out).map_err(|error| error.to_string())?;
    fs::create_dir_all(&out).map_err(|error| format!("{}: {error}", out.display()))?;
    let file = out.join("claims.jsonl");
    if !options.report_only {
        child::experiment(options, &file)?;
    }
    let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    let results = Results::parse(&text).map_err(|why| format!("{}: {why}", file.display()))?;
    let report = out.join("report.html");
    fs::write(&report, report::html(&results)?)
        .map_err(|error| format!("{}: {error}", report.display()))?;
    if options.json {
        results.lines.iter().for_each(|line| println!("{line}"));
    } else {
        print!("{}", terminal::text(&results, options.all));
        println!("\nresults  {}\nreport   {}", file.display(), report.display());
    }
    Ok(())
}

/// The report of a file of records.
///
/// # Errors
/// As [`Results::parse`]; also if the template is invalid.
pub(crate) fn page(text: &str) -> Result<String, String> {
    report::html(&Results::parse(text)?)
}
