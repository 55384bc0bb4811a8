//! Shared code of the measuring programs: output of records, build information from the caller,
//! exit status.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use impinge_records::host::Host;
use serde::Serialize;

use crate::machine;

/// Output options of every measuring program.
#[derive(Clone, Debug, Args)]
pub struct Output {
    /// Write the records to this file. Default: stdout.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Compiler version to put into the record.
    #[arg(long, value_name = "TEXT")]
    rustc: Option<String>,
    /// Commit to put into the record.
    #[arg(long, value_name = "TEXT")]
    commit: Option<String>,
}

impl Output {
    /// This machine and build, for the first record.
    pub fn host(&self) -> Host {
        machine::host(self.rustc.as_deref(), self.commit.as_deref())
    }

    /// Creates the output file, or takes stdout. Call it after all other checks, since it truncates
    /// an existing file.
    ///
    /// # Errors
    /// If the file cannot be created.
    pub fn open(&self) -> Result<Lines, String> {
        let out: Box<dyn Write> = match &self.out {
            None => Box::new(io::stdout()),
            Some(path) => Box::new(
                File::create(path).map_err(|error| format!("{}: {error}", path.display()))?,
            ),
        };
        Ok(Lines(BufWriter::new(out)))
    }
}

/// Writes one JSON object a line.
#[expect(missing_debug_implementations, reason = "a writer has nothing to show")]
pub struct Lines(BufWriter<Box<dyn Write>>);

impl Lines {
    /// Writes one record and flushes it.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&mut self, record: &impl Serialize) -> Result<(), String> {
        let line = serde_json::to_string(record).map_err(|error| error.to_string())?;
        writeln!(self.0, "{line}").and_then(|()| self.0.flush()).map_err(|error| error.to_string())
    }
}

/// The exit status. An error is printed to stderr after the program's name.
pub fn exit(program: &str, outcome: Result<(), String>) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{program}: {why}");
            ExitCode::FAILURE
        }
    }
}
