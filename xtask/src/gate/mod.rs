//! `cargo xtask test`: everything CI runs, in stages, with a summary line per stage. All stages run
//! even if an earlier one failed, so that one run shows every problem.

mod gpu;
mod packages;
mod pages;
pub(crate) mod python;
mod quick;
mod smoke;
mod stages;
mod wasm;

use std::time::{Duration, Instant};

use clap::Args;

use crate::Outcome;
pub(crate) use gpu::{Gpu, silence_mesa};
use python::Python;

/// Options of `cargo xtask test`.
#[derive(Clone, Debug, Args)]
pub(crate) struct Options {
    /// How to treat tests that need a graphics adapter. With software or required, it is a failure
    /// if one of them does not run.
    #[arg(long, value_enum, default_value_t = Gpu::Off)]
    gpu: Gpu,
    /// How to treat the Python package. With required, it is a failure if its tests do not run.
    #[arg(long, value_enum, default_value_t = Python::Auto)]
    python: Python,
    /// Skip the stage that builds the documentation.
    #[arg(long)]
    no_doc: bool,
    /// Run only format, house rules, and the lints and shorter tests of the crates that decide
    /// collisions: a few minutes on two cores. The summary names what is left out.
    #[arg(long, conflicts_with = "gpu")]
    quick: bool,
    /// Run only the stage of this name, as the summary has it; may be repeated.
    #[arg(long, value_name = "STAGE")]
    only: Vec<String>,
}

/// A stage: its name and its work, which returns a remark for the summary.
struct Stage {
    name: &'static str,
    work: Box<dyn Fn() -> Result<String, String>>,
}

/// The result of a stage.
struct Done {
    name: &'static str,
    outcome: Result<String, String>,
    took: Duration,
}

/// What `--quick` leaves out, for the summary.
const LEFT_OUT: &str = "left out: lints, tests and features of the other crates (gpu, shaders, \
    models, cli, benches) unless they were changed, the longer tests (.config/nextest.toml), documentation and its tests, \
    command line, bench, claims, pages, fuzz targets, Python, default facade, wasm, packages, deny, GPU tests";

fn quick_stages() -> Vec<Stage> {
    vec![
        stage("format", stages::format),
        stage("house rules", stages::tidy),
        stage("lints", quick::lints),
        stage("tests", quick::tests),
    ]
}

fn stages(options: &Options) -> Vec<Stage> {
    if options.quick {
        return quick_stages();
    }
    let (gpu, python) = (options.gpu, options.python);
    let mut list = vec![
        stage("format", stages::format),
        stage("house rules", stages::tidy),
        stage("lints", stages::lints),
        stage("tests", move || stages::tests(gpu)),
        stage("documentation tests", stages::doc_tests),
        stage("command line", smoke::command_line),
        stage("bench", smoke::bench),
        stage("claims", smoke::claims),
        stage("pages", pages::run),
        stage("fuzz targets", stages::fuzz_targets),
        stage("Python", move || python::run(python)),
        stage("default facade", packages::default_facade),
        stage("wasm", wasm::run),
        stage("packages", packages::packages),
        stage("deny", packages::deny),
        stage("GPU tests", move || gpu::run(gpu)),
    ];
    if !options.no_doc {
        list.insert(5, stage("documentation", stages::documentation));
    }
    list
}

/// The stages that were asked for.
///
/// # Errors
/// If there is no stage of a name; tells which there are.
fn asked(options: &Options) -> Result<Vec<Stage>, String> {
    let mut list = stages(options);
    for name in &options.only {
        if !list.iter().any(|stage| stage.name == name) {
            let names: Vec<&str> = list.iter().map(|stage| stage.name).collect();
            return Err(format!("no stage {name:?}; there are: {}", names.join(", ")));
        }
    }
    if !options.only.is_empty() {
        list.retain(|stage| options.only.iter().any(|name| name == stage.name));
    }
    Ok(list)
}

fn stage(name: &'static str, work: impl Fn() -> Result<String, String> + 'static) -> Stage {
    Stage { name, work: Box::new(work) }
}

/// Runs the stages.
///
/// # Errors
/// Names the stages that failed, or one that was asked for and is none.
pub(crate) fn run(options: &Options) -> Outcome {
    let mut done = Vec::new();
    for Stage { name, work } in asked(options)? {
        println!("\n── {name} ──");
        let start = Instant::now();
        let outcome = work();
        if let Err(why) = &outcome {
            eprintln!("{name}: {why}");
        }
        done.push(Done { name, outcome, took: start.elapsed() });
    }
    let outcome = summary(&done);
    if options.quick {
        println!("{LEFT_OUT}");
    }
    outcome
}

fn summary(done: &[Done]) -> Outcome {
    println!("\n── summary ──");
    for Done { name, outcome, took } in done {
        let (mark, remark) = match outcome {
            Ok(remark) => ("ok", remark),
            Err(why) => ("FAILED", why),
        };
        println!("{mark:>6}  {name:<20} {:>6.1} s  {remark}", took.as_secs_f64());
    }
    let total: Duration = done.iter().map(|stage| stage.took).sum();
    println!("        {:<20} {:>6.1} s", "all", total.as_secs_f64());
    let failed: Vec<&str> = done.iter().filter(|s| s.outcome.is_err()).map(|s| s.name).collect();
    if failed.is_empty() { Ok(()) } else { Err(format!("failed: {}", failed.join(", "))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quick_gate_is_a_part_of_the_whole() {
        let names = |quick| -> Vec<&'static str> {
            let (gpu, python) = (Gpu::Off, Python::Auto);
            let options = Options { gpu, python, no_doc: false, quick, only: Vec::new() };
            stages(&options).iter().map(|stage| stage.name).collect()
        };
        let (quick, whole) = (names(true), names(false));
        assert!(quick.iter().all(|name| whole.contains(name)), "{quick:?} of {whole:?}");
        let left = whole.iter().filter(|name| !quick.contains(name));
        for name in left {
            let said = LEFT_OUT.contains(name.trim_end_matches(" tests"));
            assert!(said, "{name} is left out in silence");
        }
    }

    #[test]
    fn only_what_is_asked_for_runs() {
        let asked = |only: &[&str]| {
            let (gpu, python) = (Gpu::Off, Python::Auto);
            let only = only.iter().map(|&name| name.to_owned()).collect();
            let options = Options { gpu, python, no_doc: false, quick: false, only };
            let list = asked(&options)?;
            Ok::<_, String>(list.iter().map(|stage| stage.name).collect::<Vec<_>>())
        };
        assert_eq!(asked(&["wasm", "pages"]), Ok(vec!["pages", "wasm"]));
        assert!(asked(&[]).is_ok_and(|all| all.len() > 10));
        assert!(
            asked(&["page"]).is_err_and(|why| why.contains("\"page\"") && why.contains("pages"))
        );
    }

    #[test]
    fn one_failed_stage_fails_the_whole() {
        let done = |outcome| Done { name: "x", outcome, took: Duration::ZERO };
        assert!(summary(&[done(Ok(String::new()))]).is_ok());
        let outcome = summary(&[done(Ok(String::new())), done(Err("broken".to_owned()))]);
        assert_eq!(outcome, Err("failed: x".to_owned()));
    }
}
