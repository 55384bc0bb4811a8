//! `impinge schema`: the JSON schemas of the output of other commands.

use clap::ValueEnum;

use crate::arguments::Schema;
use crate::failure::Failure;
use crate::output;

/// A command that prints JSON.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Of {
    Check,
    Clash,
    Info,
    Methods,
    Overlap,
}

impl Of {
    const fn text(self) -> &'static str {
        match self {
            Self::Check => include_str!("../schema/check.json"),
            Self::Clash => include_str!("../schema/clash.json"),
            Self::Info => include_str!("../schema/info.json"),
            Self::Methods => include_str!("../schema/methods.json"),
            Self::Overlap => include_str!("../schema/overlap.json"),
        }
    }
}

/// Prints the schema.
pub(crate) fn run(arguments: &Schema) -> Result<(), Failure> {
    output::line(arguments.of.text().trim_end())
}
