//! Tests of the command line: the binary runs on meshes written by the tests.

mod answers;
mod bcf;
mod clash;
mod errors;
mod exit;
mod files;
mod golden;
mod harness;
#[cfg(target_os = "linux")]
mod memory;
mod oracle;
mod others;
mod overlap;
mod page;
mod penetration;
mod plant;
mod poses;
mod schema;
mod settings;
mod shown;
mod stored;
mod sweep;
mod written;
