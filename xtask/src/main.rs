//! The project's commands: `cargo xtask bench`, `claims`, `test`, `tidy`, `fuzz`, `mutants`,
//! `sanitize`.
//!
//! **This package must not depend on** any crate of the workspace but `records`: it starts
//! processes and reads their output, so that it builds even when they do not.

#![forbid(unsafe_code)]

mod bench;
mod changes;
mod chart;
mod claims;
mod fuzz;
mod gate;
mod mutants;
mod numbers;
mod program;
mod repository;
mod results;
mod sanitize;
mod tidy;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// The result of a command; an error is a sentence for the terminal.
type Outcome = Result<(), String>;

/// The commands of the impinge workspace.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Measure every method on the same scenes: a table here, a report with plots and pictures.
    Bench(bench::Options),
    /// Run what the papers claim as experiments: the paper's figures, ours, and a verdict each.
    Claims(claims::Options),
    /// Run everything CI runs: format, lints, house rules, tests, documentation, smoke runs.
    Test(gate::Options),
    /// Check the house rules and print every finding with its file and line.
    Tidy,
    /// Run fuzz targets for a while; a crash leaves its input in fuzz/artifacts.
    Fuzz(fuzz::Options),
    /// Change the code in small ways and see whether a test notices.
    Mutants(mutants::Options),
    /// Run tests under the thread sanitizer and Miri, where a nightly compiler has them.
    Sanitize(sanitize::Options),
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Bench(options) => bench::run(&options),
        Command::Claims(options) => claims::run(&options),
        Command::Test(options) => gate::run(options),
        Command::Tidy => tidy::run(),
        Command::Fuzz(options) => fuzz::run(&options),
        Command::Mutants(options) => mutants::run(&options),
        Command::Sanitize(options) => sanitize::run(&options),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("xtask: {why}");
            ExitCode::FAILURE
        }
    }
}
