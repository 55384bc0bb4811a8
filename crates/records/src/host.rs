//! The machine and the build of a run, and its time.

use serde::{Deserialize, Serialize};

/// The machine and the build of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Host {
    /// Start of the run, in seconds since 1970 UTC.
    pub started_unix_s: u64,
    /// Model of the processor, as the system names it; `"unknown"` if it does not.
    pub cpu: String,
    /// Logical processors the process may use.
    pub cores: usize,
    /// Vector extensions of the processor that a method may use, e.g. `"avx2"`.
    pub extensions: Vec<String>,
    /// Main memory in bytes; 0 if unknown.
    pub memory_bytes: u64,
    /// Load average (running or waiting processes) of the minute before the start, if the system
    /// reports it.
    pub load: Option<f64>,
    /// Operating system and architecture.
    pub system: String,
    /// Compiler, if the caller named it.
    pub rustc: Option<String>,
    /// Commit of the working tree, if the caller named it.
    pub commit: Option<String>,
    /// Whether it was built without optimisation; its times are then meaningless.
    pub debug: bool,
}
