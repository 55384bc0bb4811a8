//! Instruction counts of the timed queries by valgrind, which are free of the machine's noise.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use super::super::Options;
use super::super::child::{self, MEASURE};
use super::super::record::DEFAULT;
use super::trees::{Tree, Trees};

/// The function of `measure` whose instructions are counted, with all that it calls.
const COUNTED: &str = "--toggle-collect=*time_step*";

/// Relative increase of instructions above which a regression is reported.
const MARGIN: f64 = 0.01;

/// The result of counting.
#[derive(Debug, Default)]
pub(super) struct Counted {
    /// The lines of the report.
    pub(super) lines: Vec<String>,
    /// The methods that need more instructions.
    pub(super) more: Vec<String>,
}

/// Counts each named method on the first of the named scenes, or on `smoke`, with one thread and
/// one pass. Valgrind has no AVX-512, so `wide` uses AVX2.
///
/// # Errors
/// If a program fails.
pub(super) fn count(trees: &Trees, options: &Options, folder: &Path) -> Result<Counted, String> {
    let mut counted = Counted::default();
    let valgrind = Command::new("valgrind").arg("--version").stdout(Stdio::null()).status();
    if !valgrind.is_ok_and(|status| status.success()) {
        counted.lines.push("instructions: not counted, valgrind is not installed".to_owned());
        return Ok(counted);
    }
    let scene = options.scenes.first().map_or("smoke", String::as_str);
    let default = [DEFAULT.to_owned()];
    let methods = if options.methods.is_empty() { &default[..] } else { &options.methods[..] };
    for method in methods {
        let of = |tree: &Tree| instructions(tree, scene, method, options, folder);
        let name = format!("instructions of {method} in {scene}");
        let (base, head) = (of(&trees.base), of(&trees.head)?);
        let base = match base {
            Ok(base) if base > 0 => base,
            // The revision has no option for a single pass.
            _ => {
                counted.lines.push(format!("{name}: head {head}, the base cannot be counted"));
                continue;
            }
        };
        let ratio = head as f64 / base as f64;
        let line = format!("{name}: base {base}, head {head}, ratio {ratio:.4}");
        if ratio > 1.0 + MARGIN {
            counted.more.push(format!("{name} {ratio:.4}"));
        }
        counted.lines.push(line);
    }
    Ok(counted)
}

fn instructions(
    tree: &Tree,
    scene: &str,
    method: &str,
    options: &Options,
    folder: &Path,
) -> Result<u64, String> {
    println!("counting instructions of {method}, {}", tree.name);
    let counts = folder.join(format!("{}-{method}.callgrind", tree.name));
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--quiet", "--collect-atstart=no", COUNTED]);
    command.arg(format!("--callgrind-out-file={}", counts.display())).arg(tree.program());
    let one = Options {
        quick: true,
        scenes: vec![scene.to_owned()],
        methods: vec![method.to_owned()],
        threads: Some(1),
        ..options.clone()
    };
    child::pass_on(&one, &mut command)?;
    command.arg("--once").arg("--out").arg(folder.join("counted.jsonl"));
    command.arg("--cache").arg(folder.join("cache")).current_dir(&tree.root);
    MEASURE.run_of(&tree.root, command)?;
    let text = fs::read_to_string(&counts).map_err(|error| error.to_string())?;
    total(&text).ok_or_else(|| format!("{}: no sum of instructions", counts.display()))
}

/// The total in callgrind's output file.
fn total(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| {
        line.strip_prefix("summary: ").or_else(|| line.strip_prefix("totals: "))
    })?;
    line.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::total;

    #[test]
    fn the_sum_is_found() {
        assert_eq!(total("version: 1\nevents: Ir\nsummary: 12345\nfn=(1) f\n"), Some(12_345));
        assert_eq!(total("events: Ir\nfn=(1) f\n1 7\ntotals: 7\n"), Some(7));
        assert_eq!(total("events: Ir\n"), None);
    }
}
