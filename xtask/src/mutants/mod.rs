//! `cargo xtask mutants`: mutation tests. Each mutant is the code with one small change; the tests
//! of its crate must fail with it, or a committed list gives the reason why they need not.
//!
//! The page is `docs/mutants.md`.

mod build;
mod changes;
mod choose;
mod constants;
mod crate_source;
mod list;
mod operators;
mod process;
mod report;
mod session;
mod suite;
mod switch;
mod tree;
mod values;

use std::ops::Range;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;

use self::choose::Changed;
use self::constants::Constant;
use self::list::List;
use self::report::Report;
use self::suite::How;
use self::tree::Tree;
use crate::Outcome;
use crate::gate::Gpu;

/// A crate and how it is built.
#[derive(Clone, Copy, Debug)]
struct Wanted {
    /// The name of its folder.
    name: &'static str,
    /// Whether to build with all features without `--gpu`; false where a feature brings a graphics
    /// library, which takes minutes to compile and needs an adapter to test.
    all_features: bool,
}

/// The crates that mutants are made of.
const CRATES: &[Wanted] = &[
    Wanted { name: "geometry", all_features: true },
    Wanted { name: "hierarchy", all_features: true },
    Wanted { name: "wide", all_features: true },
    Wanted { name: "image", all_features: false },
    Wanted { name: "parallel", all_features: true },
    Wanted { name: "stream", all_features: false },
    Wanted { name: "separate", all_features: true },
    Wanted { name: "scene", all_features: true },
    Wanted { name: "continuous", all_features: true },
    Wanted { name: "query", all_features: true },
    Wanted { name: "decompose", all_features: true },
];

/// Options of `cargo xtask mutants`.
#[derive(Clone, Debug, Args)]
pub(crate) struct Options {
    /// Mutate this crate, for example wide. May be repeated [default: all crates].
    #[arg(long = "crate", value_name = "NAME")]
    crates: Vec<String>,
    /// Run only mutants in changed functions and constants.
    #[arg(long)]
    changed: bool,
    /// Git revision that --changed compares with [default: where this branch left main; on main,
    /// the last commit, or the one before if nothing is uncommitted].
    #[arg(long, value_name = "REVISION", requires = "changed")]
    base: Option<String>,
    /// Run a random sample of N mutants per crate.
    #[arg(long, value_name = "N")]
    sample: Option<usize>,
    /// Seed of the sample; it is printed [default: from the clock].
    #[arg(long, requires = "sample")]
    seed: Option<u64>,
    /// Run only the changed constants listed in xtask/mutants/constants.toml.
    #[arg(long, conflicts_with = "sample")]
    constants: bool,
    /// Run only mutants whose name or file contains this text, for example `Obb::` or `touching/`.
    /// May be repeated.
    #[arg(long, value_name = "TEXT")]
    only: Vec<String>,
    /// Also mutate the code for a graphics adapter, and also run the tests that need one.
    #[arg(long, value_enum, default_value_t = Gpu::Off)]
    gpu: Gpu,
    /// List the mutants without running them.
    #[arg(long)]
    list: bool,
    /// Number of tests to run in parallel [default: number of processors].
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
}

/// A mutant: one change of the code.
#[derive(Clone, Debug)]
struct Mutant {
    /// Path from the root.
    file: String,
    /// The function, as `Type::function`.
    function: String,
    /// The change, as reports print it.
    change: String,
    /// The lines of the function, end exclusive.
    lines: Range<usize>,
    /// The line of the change, for the report; not part of the name.
    line: usize,
    /// The change as text ranges.
    site: operators::Site,
}

impl Mutant {
    /// Function and change: independent of file and line.
    fn name(&self) -> String {
        format!("{}: {}", self.function, self.change)
    }
}

/// The mutants selected in a crate.
struct Drawn {
    wanted: Wanted,
    list: List,
    chosen: Vec<Mutant>,
    constants: Vec<Constant>,
    /// Entries of the list that match no mutant.
    stale: Vec<String>,
    /// Number of mutants of the crate before selection.
    all: usize,
}

/// Makes and runs the mutants.
///
/// # Errors
/// If a survivor is not listed, a listed one is killed or gone, a sample of at least a hundred
/// misses the bars, or the tests fail without any mutant.
pub(crate) fn run(options: &Options) -> Outcome {
    let seed = options.seed.unwrap_or_else(|| {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        since.map_or(1, |time| time.as_millis() as u64)
    });
    let base = options.base.as_deref();
    let changed = options.changed.then(|| choose::changed(base)).transpose()?;
    if let Some((base, _)) = &changed {
        println!("changed since {base}");
    }
    if let Some(count) = options.sample {
        println!("a sample of {count} a crate, seed {seed}");
    }
    let changed = changed.map(|(_, lines)| lines);
    let tree = if options.list { None } else { Some(Tree::new()?) };
    let mut drawn = Vec::new();
    for wanted in wanted(&options.crates, options.gpu)? {
        drawn.push(draw(wanted, options, seed, changed.as_ref())?);
    }
    let Some(tree) = tree else {
        print_list(&drawn);
        return Ok(());
    };
    options.gpu.install_driver();
    let jobs = options.jobs.or_else(|| std::thread::available_parallelism().ok().map(Into::into));
    let mut report = Report { seed: options.sample.map(|_| seed), crates: Vec::new() };
    for drawn in drawn {
        let sampled = options.sample.is_some();
        let how = How { jobs: jobs.unwrap_or(1), gpu: options.gpu };
        report.crates.push(session::run(&tree, drawn, how, sampled)?);
        report.write()?;
    }
    report.end()
}

/// The crates with these names, in the table's order; with all features if there is an adapter.
fn wanted(names: &[String], gpu: Gpu) -> Result<Vec<Wanted>, String> {
    let known: Vec<&str> = CRATES.iter().map(|wanted| wanted.name).collect();
    let short = |name: &String| name.strip_prefix("impinge-").unwrap_or(name).to_owned();
    let names: Vec<String> = names.iter().map(short).collect();
    if let Some(unknown) = names.iter().find(|name| !known.contains(&name.as_str())) {
        return Err(format!("unknown crate \"{unknown}\"; known are {}", known.join(", ")));
    }
    let is_wanted = |wanted: &&Wanted| names.is_empty() || names.contains(&wanted.name.to_owned());
    let featured = |wanted: &Wanted| {
        let all_features = wanted.all_features || gpu != Gpu::Off;
        Wanted { all_features, ..*wanted }
    };
    Ok(CRATES.iter().filter(is_wanted).map(featured).collect())
}

/// All mutants of a crate, except in files that its list leaves out.
fn all(wanted: Wanted, list: &List) -> Result<(Vec<Mutant>, Vec<String>), String> {
    let files = crate_source::files(wanted)?;
    let paths: Vec<String> = files.iter().map(|file| file.path.clone()).collect();
    let left = |path: &str| list.left.iter().any(|left| path.ends_with(&left.file));
    let files = files.iter().filter(|file| !left(&file.path));
    Ok((files.flat_map(|file| operators::mutants(file, wanted)).collect(), paths))
}

fn draw(
    wanted: Wanted,
    options: &Options,
    seed: u64,
    changed: Option<&Changed>,
) -> Result<Drawn, String> {
    let list = list::read(wanted.name)?;
    let (mut chosen, paths) = all(wanted, &list)?;
    let stale = list.stale(&chosen, &paths);
    let all = chosen.len();
    let mut constants = constants::of(wanted.name)?;
    if let Some(changed) = changed {
        chosen.retain(|m| choose::meets(changed, &m.file, &(m.lines.start..=m.lines.end - 1)));
        constants.retain(|c| choose::meets(changed, &c.file, &c.lines()));
    }
    if !options.only.is_empty() {
        let is_asked = |name: &str, file: &str| {
            options.only.iter().any(|text| name.contains(text) || file.contains(text))
        };
        chosen.retain(|mutant| is_asked(&mutant.name(), &mutant.file));
        constants.retain(|constant| is_asked(&constant.name, &constant.file));
    }
    if options.constants {
        chosen.clear();
    }
    if let Some(count) = options.sample {
        chosen = choose::sample(chosen, count, seed);
        constants.clear();
    }
    Ok(Drawn { wanted, list, chosen, constants, stale, all })
}

fn print_list(drawn: &[Drawn]) {
    for Drawn { wanted, list, chosen, constants, all, .. } in drawn {
        println!(
            "\n{}: {} of {all} mutants, {} constants",
            wanted.name,
            chosen.len(),
            constants.len()
        );
        for mutant in chosen {
            let mark = list.of(mutant).map_or("", |_| " [listed]");
            println!("{}:{}: {}{mark}", mutant.file, mutant.line, mutant.name());
        }
        for constant in constants {
            println!("{}: {}", constant.file, constant.name);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_listed_survivor_is_there() {
        for wanted in CRATES {
            let list = list::read(wanted.name).expect("the list can be read");
            let (all, files) = all(*wanted, &list).expect("the crate can be parsed");
            let stale = list.stale(&all, &files);
            assert!(stale.is_empty(), "{}: {stale:#?}", wanted.name);
        }
    }

    #[test]
    fn names_are_one_mutant_each_within_a_file() {
        for wanted in CRATES {
            let (all, _) = all(*wanted, &List::default()).expect("the crate can be parsed");
            let mut names = BTreeSet::new();
            for mutant in &all {
                assert!(names.insert((&mutant.file, mutant.name())), "{}", mutant.name());
            }
            assert!(all.len() > 300, "{}: {}", wanted.name, all.len());
        }
    }

    #[test]
    fn an_unknown_crate_is_refused() {
        assert!(wanted(&["nonsense".to_owned()], Gpu::Off).is_err());
        assert_eq!(wanted(&["impinge-wide".to_owned()], Gpu::Off).expect("there is one").len(), 1);
        assert_eq!(wanted(&[], Gpu::Off).expect("all").len(), CRATES.len());
    }

    #[test]
    fn code_for_an_adapter_is_mutated_only_with_one() {
        let count = |gpu| {
            let stream = wanted(&["stream".to_owned()], gpu).expect("there is one")[0];
            let (all, _) = all(stream, &List::default()).expect("the crate can be parsed");
            all.iter().filter(|mutant| mutant.file.ends_with("compute/adapter.rs")).count()
        };
        assert_eq!(count(Gpu::Off), 0);
        assert!(count(Gpu::Software) > 0);
    }
}
