//! `impinge` on the command line: whether two meshes touch, and where.
//!
//! Standard output carries answers only; progress and errors go to standard error. Exit status:
//! 0 nothing in contact, 1 something in contact, 2 an error.

mod arguments;
mod check;
mod clash;
mod failure;
mod info;
mod input;
mod interrupt;
mod make;
mod mapped;
mod meter;
mod methods;
mod output;
mod overlap;
mod schema;
mod stored;

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;

use arguments::{Arguments, Command};
use failure::Failure;

/// Exit status of errors. clap ends with the same number on usage errors.
const ERROR: u8 = 2;

fn main() -> ExitCode {
    let arguments = Arguments::try_parse().unwrap_or_else(|error| {
        // The arguments are not known, so this looks for the word itself.
        if error.use_stderr() && std::env::args_os().any(|word| word == "--json") {
            failure::print_usage(error.to_string().trim_end());
        }
        error.exit()
    });
    interrupt::install(arguments.command.prints_json());
    let outcome = match &arguments.command {
        Command::Check(check) => check::run(check),
        Command::Overlap(overlap) => overlap::run(overlap),
        Command::Clash(clash) => clash::run(clash),
        Command::Info(info) => info::run(info).map(|()| ExitCode::SUCCESS),
        Command::Methods(methods) => methods::run(methods).map(|()| ExitCode::SUCCESS),
        Command::Prepare(prepare) => stored::run(prepare).map(|()| ExitCode::SUCCESS),
        Command::Make(make) => make::run(make).map(|()| ExitCode::SUCCESS),
        Command::Schema(schema) => schema::run(schema).map(|()| ExitCode::SUCCESS),
    };
    outcome.unwrap_or_else(|failure| {
        if !matches!(failure, Failure::NobodyReads) {
            // If standard error is closed too, the message is lost.
            let _ = writeln!(std::io::stderr(), "impinge: {failure}");
            if arguments.command.prints_json() {
                failure.print();
            }
        }
        ExitCode::from(ERROR)
    })
}
