//! `claims`: runs the papers' measured statements as experiments and writes one JSON object a line.
//! `cargo xtask claims` calls it and makes a table and a report of the output.
//!
//! 1. [`catalogue`]: every claim of the papers, with its figures and its experiment, if it exists.
//! 2. [`outcome`]: input and result of an experiment.
//! 3. [`impinge_records::claims`]: the written records.
//! 4. [`impinge_benches::harness`]: times methods against each other in one run.
//! 5. [`fan_image`]: shared parts of the claims on image-based detection.
//! 6. One file per claim, named after its id: `a8_operation_count` and so on.
//!
//! `docs/claims.md` explains the rules and the choices made where a paper is silent.

#![forbid(unsafe_code)]

mod a1_octree_and_rapid;
mod a2_front;
mod a3_octree_depth;
mod a4_ordered_axes;
mod a5_tip_first;
mod a6_octree_scene;
mod a7_edge_nodes;
mod a8_operation_count;
mod a9_assignment;
mod box_pairs;
mod box_tree;
mod catalogue;
mod drawer;
mod f1_images_and_rapid;
mod f1_report;
mod f2_steadiness;
mod f3_strips;
mod f4_culled_streams;
mod f5_streams_on_an_adapter;
mod f6_streams_and_rapid;
mod f7_streams_and_images;
mod f8_parallel_speed_up;
mod f9_edges_serially;
mod fan_image;
mod fan_parallel;
mod fan_stream;
mod fifteen_axes;
mod funnel;
mod hall;
mod l1_many_teapots;
mod l2_centroid_fit;
mod l3_growth;
mod lasting;
mod leaf_figures;
mod leaf_forms;
mod leaf_survey;
mod leaf_walks;
mod li_forms;
mod li_scene;
mod outcome;
mod over_seeds;
mod sbv_pairs;
mod teapots;
mod v1_few_samples;
mod v2_convergence;
mod v3_deforming_hand;
mod v4_one_step;
mod wrapped;
mod x1_five_axes;
mod x2_regions;
mod x3_restart;

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use impinge_benches::graphics::{Drawer, Gpu};
use impinge_benches::program::{self, Output};
use impinge_benches::progress::{Listener, to_stderr};
use impinge_records::claims::{End, Record, Run, SCHEMA};

use catalogue::CLAIMS;
use outcome::{Effort, Extent};

/// Runs measured claims of the papers as experiments. Writes one JSON object per line (see
/// crates/records/src/claims.rs); progress goes to stderr, one JSON object per line.
#[derive(Debug, Parser)]
#[command(name = "claims", max_term_width = 100)]
struct Arguments {
    /// Run only the claim with this id, for example `F1`. May be repeated. Default: all claims.
    #[arg(long = "claim", value_name = "ID")]
    claims: Vec<String>,
    /// Use smaller scenes and fewer repetitions.
    #[arg(long)]
    quick: bool,
    /// Seed of all scenes.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// What draws the pictures that are timed. Pictures are counted as the rasteriser draws them.
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = Gpu::Off)]
    gpu: Gpu,
    #[command(flatten)]
    output: Output,
    /// List the claims and exit.
    #[arg(long)]
    list: bool,
}

fn main() -> ExitCode {
    program::exit("claims", run(&Arguments::parse()))
}

fn run(arguments: &Arguments) -> Result<(), String> {
    if arguments.list {
        return list().map_err(|error| error.to_string());
    }
    // Before anything is created: a wrong id must not truncate an existing file of records.
    let rows = catalogue::chosen(&arguments.claims)?;
    let Drawer { drawing, adapter } = arguments.gpu.drawer()?;
    let mut lines = arguments.output.open()?;
    let start = Instant::now();
    lines.write(&Record::Run(Run {
        schema: SCHEMA,
        host: arguments.output.host(),
        adapter,
        quick: arguments.quick,
        seed: arguments.seed,
    }))?;
    let extent = if arguments.quick { Extent::Quick } else { Extent::Full };
    let effort = Effort { extent, seed: arguments.seed, drawing };
    let listener = Listener::new(&to_stderr);
    for (index, row) in rows.iter().enumerate() {
        listener.scene(row.id, index, rows.len());
        let begun = Instant::now();
        let outcome = row.run(&effort, listener).map_err(|why| format!("{}: {why}", row.id))?;
        let claim = row.record(outcome, &effort, begun.elapsed());
        lines.write(&Record::Claim(Box::new(claim)))?;
    }
    lines.write(&Record::End(End { seconds: start.elapsed().as_secs_f64(), claims: rows.len() }))
}

fn list() -> io::Result<()> {
    let mut out = io::stdout().lock();
    for row in CLAIMS {
        writeln!(out, "{:3} {}", row.id, row.sentence)?;
    }
    Ok(())
}
