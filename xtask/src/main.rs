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
mod page;
mod program;
mod repository;
mod results;
mod sanitize;
mod tidy;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// The result of a command; an error is a sentence for the terminal.
type Outcome = Result<(), String>;

/// Development commands of the impinge workspace.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Measure all methods on the same scenes; prints a table and writes a report with plots.
    Bench(bench::Options),
    /// Repeat measurements that the papers claim; prints the paper's figures, ours, and a verdict.
    Claims(claims::Options),
    /// Run all checks of CI: format, lints, house rules, tests, documentation, smoke runs.
    Test(gate::Options),
    /// Check the project's house rules; prints every violation with its file and line.
    Tidy,
    /// Run fuzz targets for a given time; crashing inputs are kept in fuzz/artifacts.
    Fuzz(fuzz::Options),
    /// Mutation testing: change the code in small ways and check that some test fails.
    Mutants(mutants::Options),
    /// Run tests under the thread sanitizer and Miri; both need a nightly compiler.
    Sanitize(sanitize::Options),
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Bench(options) => bench::run(&options),
        Command::Claims(options) => claims::run(&options),
        Command::Test(options) => gate::run(&options),
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
