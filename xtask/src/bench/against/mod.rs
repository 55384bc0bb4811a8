//! `cargo xtask bench --against REV`: whether this tree is slower than a revision.
//!
//! 1. [`Trees`]: builds `measure` from this tree and, in a git work tree, from the revision.
//! 2. In each round both run once, in alternating order, so that a temporary slowdown of the
//!    machine affects both.
//! 3. [`compare`]: for each row (scene, method, question), the ratio head / base of each round, its
//!    median, and a 95 % confidence interval of the true median.
//! 4. [`instructions`]: the instruction counts of the queries by valgrind, if it is installed.

mod compare;
mod instructions;
mod trees;

use std::fs;
use std::path::Path;

use super::{Options, Results, child};
use crate::Outcome;
use compare::{Comparison, Round};
use trees::{Tree, Trees};

/// Compares this tree with `revision`.
///
/// # Errors
/// If a tree cannot be built or measured, the revision's records have another schema version, or
/// something has become slower.
pub(super) fn run(options: &Options, revision: &str) -> Outcome {
    let trees = Trees::build(revision)?;
    let folder = std::path::absolute(&options.out).map_err(|e| e.to_string())?.join("against");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut rounds = Vec::new();
    for number in 0..options.rounds {
        println!("round {} of {}", number + 1, options.rounds);
        let measure = |tree| measured(tree, options, &folder, number);
        let (base, head) = if number % 2 == 0 {
            let base = measure(&trees.base)?;
            (base, measure(&trees.head)?)
        } else {
            let head = measure(&trees.head)?;
            (measure(&trees.base)?, head)
        };
        rounds.push(Round { base: base.0, head: head.0, memory: [base.1, head.1] });
    }
    let compared = Comparison::of(&rounds)?;
    println!("\nbase {} ({revision}), head {}\n", trees.base.commit, trees.head.commit);
    println!("{}", compared.table());
    println!("peak memory: {}", compared.memory());
    let counted = instructions::count(&trees, options, &folder)?;
    for line in &counted.lines {
        println!("{line}");
    }
    println!("records  {}", folder.display());
    match compared.slower().chain(counted.more).collect::<Vec<_>>() {
        none if none.is_empty() => Ok(()),
        worse => Err(format!("slower than {revision}: {}", worse.join("; "))),
    }
}

/// Runs one program once; returns its measurements and its peak memory.
fn measured(
    tree: &Tree,
    options: &Options,
    folder: &Path,
    round: u32,
) -> Result<(Results, Option<u64>), String> {
    let file = folder.join(format!("{}-{round}.jsonl", tree.name));
    let mut command = tree.command();
    child::pass_on(options, &mut command)?;
    command.arg("--out").arg(&file).arg("--cache").arg(folder.join("cache"));
    let memory = child::MEASURE.run_of(&tree.root, command)?;
    let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    let results = Results::parse(&text).map_err(|why| format!("{}: {why}", file.display()))?;
    Ok((results, memory))
}
