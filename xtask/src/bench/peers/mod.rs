//! `cargo xtask bench --peers`: the default engine against other libraries. Compiles shims for the
//! installed libraries, runs `peers`, and prints tables of its records.

mod bars;
mod broad;
mod motion;
mod record;
mod shim;
mod tables;

use std::fs;
use std::path::{Path, PathBuf};

use super::Options;
use crate::Outcome;
use crate::program::Program;
pub(crate) use record::Results;
use shim::LIBRARIES;

const PEERS: Program = Program {
    package: "impinge-peers",
    name: "peers",
    unit: "scene",
    features: &[],
    stdout_is_data: false,
};

/// The library that is always available.
const PARRY: &str = "parry";

/// The libraries chosen by the user.
#[derive(Clone, Debug, Default, PartialEq)]
struct Chosen {
    /// Names of required libraries; if empty, all that are installed.
    required: Vec<String>,
}

impl Chosen {
    /// Parses `fcl,coal,parry`; an empty list stands for all installed libraries.
    ///
    /// # Errors
    /// Names the word that is not a library.
    fn parse(list: &str) -> Result<Self, String> {
        let words = list.split(',').map(str::trim).filter(|word| !word.is_empty());
        let required: Vec<String> = words.map(str::to_owned).collect();
        let known = |word: &str| word == PARRY || LIBRARIES.iter().any(|l| l.word == word);
        match required.iter().find(|word| !known(word)) {
            None => Ok(Self { required }),
            Some(word) => Err(format!("no library \"{word}\"; there are {PARRY}, fcl, coal")),
        }
    }

    fn wants(&self, word: &str) -> bool {
        self.required.is_empty() || self.required.iter().any(|required| required == word)
    }
}

/// The libraries that take part, and why the others do not.
#[derive(Clone, Debug, Default)]
struct Present {
    parry: bool,
    libraries: Vec<(&'static str, PathBuf)>,
    absent: Vec<(&'static str, String)>,
}

impl Present {
    /// Finds the libraries and compiles their shims.
    ///
    /// # Errors
    /// If a named library is missing.
    fn find(chosen: &Chosen) -> Result<Self, String> {
        let mut present = Self { parry: chosen.wants(PARRY), ..Self::default() };
        for library in LIBRARIES {
            let word = library.word;
            if !chosen.wants(word) {
                continue;
            }
            println!("compiling the shim of {word}");
            match library.shim() {
                Ok(file) => present.libraries.push((word, file)),
                Err(why) if !chosen.required.is_empty() => return Err(format!("{word}: {why}")),
                Err(why) => {
                    println!("{word} takes no part; {why}");
                    present.absent.push((word, why));
                }
            }
        }
        Ok(present)
    }
}

/// Runs the comparison and prints its tables.
///
/// # Errors
/// If a named library is missing, measuring fails, or the results cannot be read or written; and,
/// after printing the tables, if `wide` gave a wrong answer.
pub(super) fn run(options: &Options, list: &str) -> Outcome {
    let chosen = Chosen::parse(list)?;
    if options.list {
        return PEERS.list();
    }
    let out = std::path::absolute(&options.out).map_err(|error| error.to_string())?;
    fs::create_dir_all(&out).map_err(|error| format!("{}: {error}", out.display()))?;
    let file = out.join("peers.jsonl");
    let measured =
        if options.report_only { Ok(()) } else { measure(options, &chosen, &out, &file) };
    let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    let results = match (Results::parse(&text), measured) {
        (Ok(results), Ok(())) => results,
        // `peers` also fails after its last line if `wide` was wrong; that is reported below.
        (Ok(results), Err(_)) if results.end.wrong_answers_of_reference > 0 => results,
        (_, Err(why)) => return Err(why),
        (Err(why), Ok(())) => return Err(format!("{}: {why}", file.display())),
    };
    tables::print(&results);
    println!("\nresults  {}", file.display());
    match results.end.wrong_answers_of_reference {
        0 => Ok(()),
        n => Err(format!("{n} answers of {} are wrong", record::REFERENCE)),
    }
}

fn measure(options: &Options, chosen: &Chosen, out: &Path, file: &Path) -> Outcome {
    let present = Present::find(chosen)?;
    PEERS.build()?;
    let mut command = PEERS.command();
    if options.quick {
        command.arg("--quick");
    }
    for scene in &options.scenes {
        command.args(["--scene", scene]);
    }
    for mesh in &options.meshes {
        // `peers` runs in the root; the user's path is relative to their working directory.
        let path = std::path::absolute(mesh).map_err(|error| error.to_string())?;
        command.arg("--mesh").arg(path);
    }
    if !present.parry {
        command.arg("--without-parry");
    }
    for (word, library) in &present.libraries {
        command.arg("--library").arg(format!("{word}={}", library.display()));
    }
    for (word, why) in &present.absent {
        command.arg("--absent").arg(format!("{word}={why}"));
    }
    command.arg("--out").arg(file).arg("--cache").arg(out.join("cache"));
    // All contenders build their models on one thread.
    command.env("RAYON_NUM_THREADS", "1");
    PEERS.run(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_names_who_must_be_there() {
        let all = Chosen::parse("").expect("nothing stands for all");
        assert!(all.wants("fcl") && all.wants(PARRY));
        let two = Chosen::parse("fcl, parry").expect("both are known");
        assert!(two.wants("fcl") && two.wants(PARRY) && !two.wants("coal"));
        let why = Chosen::parse("fcl,bullet").expect_err("there is no shim for it");
        assert!(why.contains("bullet") && why.contains("coal"), "{why}");
    }
}
