//! The command line as its users meet it: the binary is run on meshes that the test writes.

mod answers;
mod errors;
mod files;
mod harness;
mod oracle;
mod others;
mod poses;
