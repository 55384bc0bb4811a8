//! `edge-steal` on 1, 2, … threads beside the serial trees, and fan's parallel methods beside their
//! serial twins: times, speed-up, idle share, and predictions for more processors.
//!
//! ```sh
//! cargo bench -p impinge-benches --bench parallel -- --scene knots --json out/parallel.jsonl
//! ```
//!
//! 1. [`scenes`]: fan's three scenes, a pair of combs, a pair of large tori.
//! 2. [`harness`]: all methods on all numbers of threads take turns. Per pose the least time of
//!    several passes counts; the mean over poses is reported.
//! 3. [`task_tree`]: the tasks of one thread, and the work-span model on them.
//! 4. [`report`]: tables, JSON lines, and the required speed-ups of `edge-steal`.

mod report;
mod scenes;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use impinge::Method;
use impinge::parallel::Pool;
use impinge::parallel::methods::{
    EdgeBoxParams, EdgeStealParams, SimpleParams, edge_steal, edge_steal_with, epcd, epcd_with,
    spcd, spcd_with,
};
use impinge::query::Ask;
use impinge_benches::harness::{self, Competitor, Rules, Workload, task_tree};
use impinge_benches::machine;
use impinge_benches::progress::Listener;

use report::{Entry, Part, Report};
use scenes::{Extent, Test};

/// Serial trees to compare with.
const TREES: [Method; 4] = [Method::ObbTree, Method::AabbRefit, Method::KDop, Method::EdgeNodes];
/// Words of the questions that are asked.
const QUESTIONS: [&str; 2] = ["first contact", "all contacts"];

/// Times the parallel methods on increasing numbers of threads.
#[derive(Debug, Parser)]
#[command(name = "parallel", max_term_width = 100)]
struct Arguments {
    /// Run only this scene, for example `knots`. May be repeated. Default: all scenes.
    #[arg(long = "scene", value_name = "WORD")]
    scenes: Vec<String>,
    /// The largest number of threads. Default: all cores, but at least 2.
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Number of poses per scene.
    #[arg(long, value_name = "N", default_value_t = 16)]
    poses: usize,
    /// Number of passes; the least time of each pose counts.
    #[arg(long, value_name = "N", default_value_t = 7)]
    passes: usize,
    /// Seed of all scenes.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Write the results to this file, one JSON object per line.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Run small scenes with two poses and one pass, as a check that the program works.
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
    let arguments = Arguments::parse();
    if arguments.list {
        return ExitCode::SUCCESS;
    }
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("parallel: {why}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), String> {
    let small = arguments.test;
    let extent = Extent {
        divisor: if small { 20 } else { 1 },
        poses: if small { 2 } else { arguments.poses.max(1) },
        seed: arguments.seed,
    };
    let passes = if small { 1 } else { arguments.passes.max(1) };
    let host = machine::host(None, None);
    let threads = harness::ladder(arguments.threads.unwrap_or(host.cores).min(1024));
    let tests = scenes::chosen(&arguments.scenes)?;
    let mut report = Report::new(arguments.json.as_deref())?;
    report.begin(&host, passes, &extent)?;
    for test in tests {
        let asked = Workload::every_pair(test.scene(&extent)?);
        let entries = entries(&test, &threads)?;
        report.scene(&test, &asked)?;
        for question in QUESTIONS {
            let part = measure(&entries, &test, &asked, question, passes)?;
            report.part(&test, question, &entries, &part)?;
        }
    }
    report.end()
}

/// All who take part in a scene: the serial trees, and each parallel method's ladder after its
/// serial form.
fn entries(test: &Test, threads: &[usize]) -> Result<Vec<Entry>, String> {
    let mut all = Vec::new();
    let mut add = |family: &'static str, threads, competitor| {
        all.push(Entry { family, threads, competitor });
    };
    for method in TREES {
        add(method.word(), 1, method.into());
    }
    let pools = threads.iter().map(|&n| Pool::of(n)).collect::<Result<Vec<_>, _>>()?;
    let rungs = || threads.iter().copied().zip(pools.iter().cloned());
    for (n, pool) in rungs() {
        let engine = edge_steal_with(EdgeStealParams { pool, ..EdgeStealParams::default() });
        add("edge-steal", n, Competitor::new("edge-steal", engine));
    }
    add("spcd", 1, Method::Sstcd.into());
    for (n, pool) in rungs() {
        let engine = spcd_with(SimpleParams { pool, ..SimpleParams::default() });
        add("spcd", n, Competitor::new("spcd", engine));
    }
    if test.edge_boxes {
        add("epcd", 1, Method::Escd.into());
        for (n, pool) in rungs() {
            let engine = epcd_with(EdgeBoxParams { pool, ..EdgeBoxParams::default() });
            add("epcd", n, Competitor::new("epcd", engine));
        }
    }
    Ok(all)
}

fn measure(
    entries: &[Entry],
    test: &Test,
    asked: &Workload,
    question: &str,
    passes: usize,
) -> Result<Part, String> {
    let ask = if question == QUESTIONS[0] { Ask::first_contact() } else { Ask::all_contacts() };
    let rules = Rules { warm: 3, ..Rules::passes(passes) };
    let timings = harness::compete(entries, asked, &ask, rules, Listener::NONE)?;
    let mut trees = vec![
        ("edge-steal", task_tree::grow(&edge_steal(), asked, &ask, passes)?),
        ("spcd", task_tree::grow(&spcd(), asked, &ask, passes)?),
    ];
    if test.edge_boxes {
        trees.push(("epcd", task_tree::grow(&epcd(), asked, &ask, passes)?));
    }
    Ok(Part { timings, trees })
}
