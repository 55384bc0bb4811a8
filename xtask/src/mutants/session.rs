//! The mutants of one crate: built together as far as possible, the rest one by one; then run.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::time::Instant;

use super::build::{Fault, First, What, build};
use super::constants::Constant;
use super::operators::Shape;
use super::report::{Crate, Fate, Row};
use super::suite::{self, How, Suite, parallel};
use super::switch;
use super::tree::Tree;
use super::{Drawn, Mutant, Wanted};

/// After this many builds, all mutants of a function that does not compile are removed.
const PATIENCE: usize = 12;

/// Mutants with their numbers.
type Numbered<'m> = Vec<(usize, &'m Mutant)>;

/// The run of one crate.
struct Session<'a> {
    tree: &'a Tree,
    drawn: &'a Drawn,
    how: How,
    /// The results so far, by the number of the mutant.
    rows: Mutex<BTreeMap<usize, Row>>,
}

/// Runs the mutants of a crate.
///
/// # Errors
/// If the crate does not compile or a test fails without any mutant.
pub(super) fn run(tree: &Tree, drawn: Drawn, how: How, sampled: bool) -> Result<Crate, String> {
    let start = Instant::now();
    let session = Session { tree, drawn: &drawn, how, rows: Mutex::default() };
    if !(drawn.chosen.is_empty() && drawn.constants.is_empty()) {
        println!("\n── {} ──", drawn.wanted.name);
        let outcome = session.run();
        for file in session.files() {
            tree.restore(&file)?;
        }
        outcome?;
    }
    let rows = session.rows.into_inner().unwrap_or_default().into_values().collect();
    Ok(Crate {
        name: drawn.wanted.name.to_owned(),
        all: drawn.all,
        seconds: start.elapsed().as_secs_f64(),
        rows,
        stale: drawn.stale,
        sampled,
    })
}

impl Session<'_> {
    fn wanted(&self) -> Wanted {
        self.drawn.wanted
    }

    /// The file that the switch module is appended to.
    fn library(&self) -> String {
        format!("crates/{}/src/lib.rs", self.wanted().name)
    }

    /// All files that are modified.
    fn files(&self) -> BTreeSet<String> {
        let mutants = self.drawn.chosen.iter().map(|mutant| mutant.file.clone());
        let constants = self.drawn.constants.iter().map(|constant| constant.file.clone());
        mutants.chain(constants).chain([self.library()]).collect()
    }

    fn run(&self) -> Result<(), String> {
        let name = self.wanted().name;
        let mutants: Numbered<'_> =
            self.drawn.chosen.iter().enumerate().map(|(n, mutant)| (n + 1, mutant)).collect();
        let (constant, switched) =
            mutants.into_iter().partition::<Vec<_>, _>(|(_, mutant)| mutant.site.constant);
        let (switched, mut single) = self.compiling(switched)?;
        single.extend(constant);
        let programs = build(self.tree, self.wanted(), What::Tests)?
            .map_err(|faults| format!("{name} does not compile: {}", told(&faults)))?;
        let home = suite::home(&self.tree.folder, name);
        let scratch = self.tree.folder.with_file_name("scratch").join(name);
        let mut suite = Suite::new(programs, home, scratch, self.how)?;
        let (tests, took) = suite.size();
        println!(
            "{tests} tests, {:.1} s; {} mutants in one build",
            took.as_secs_f64(),
            switched.len()
        );
        parallel(self.how.jobs, switched.len(), &|n| {
            let (id, mutant) = switched[n];
            let fate = suite.judge(id)?;
            self.tell(id, mutant, fate);
            Ok(())
        })?;
        for file in self.files() {
            self.tree.restore(&file)?;
        }
        for (id, mutant) in single {
            let text = self.plain(mutant)?;
            let fate = self.alone(&mut suite, &mutant.file, &text, &[])?;
            self.tell(id, mutant, fate);
        }
        for (n, constant) in self.drawn.constants.iter().enumerate() {
            let fate = self.alone(
                &mut suite,
                &constant.file,
                &constant.changed(self.tree.original(&constant.file)?)?,
                &constant.tests,
            )?;
            self.tell_constant(self.drawn.chosen.len() + 1 + n, constant, fate);
        }
        Ok(())
    }

    /// Writes the mutants beside the original and removes those that do not compile there: values
    /// of functions do not compile in any form, others get a build of their own.
    fn compiling<'m>(
        &self,
        mut mutants: Numbered<'m>,
    ) -> Result<(Numbered<'m>, Numbered<'m>), String> {
        let mut single = Vec::new();
        for attempt in 0.. {
            let written = self.write(&mutants)?;
            let Err(faults) = build(self.tree, self.wanted(), What::Check)? else { break };
            let mut out = BTreeSet::new();
            for fault in &faults {
                out.extend(culprits(fault, &written, &mutants, attempt >= PATIENCE));
            }
            if out.is_empty() {
                let name = self.wanted().name;
                return Err(format!("{name} does not compile: {}", told(&faults)));
            }
            let (gone, left) = mutants.into_iter().partition(|(id, _)| out.contains(id));
            mutants = left;
            for (id, mutant) in gone {
                if mutant.site.shape == Shape::Body {
                    self.tell(id, mutant, Fate::Unviable);
                } else {
                    single.push((id, mutant));
                }
            }
        }
        Ok((mutants, single))
    }

    /// Writes every file with its mutants; returns the texts.
    fn write(&self, mutants: &[(usize, &Mutant)]) -> Result<BTreeMap<String, String>, String> {
        let mut written = BTreeMap::new();
        for file in self.files() {
            let of: Numbered<'_> =
                mutants.iter().copied().filter(|(_, mutant)| mutant.file == file).collect();
            let mut text = switch::written(self.tree.original(&file)?, &of);
            if file == self.library() {
                text += &switch::module(self.drawn.chosen.len());
            }
            self.tree.write(&file, text.as_bytes())?;
            written.insert(file, text);
        }
        Ok(written)
    }

    /// The file with the direct replacement.
    fn plain(&self, mutant: &Mutant) -> Result<String, String> {
        let mut text = self.tree.original(&mutant.file)?.to_owned();
        let (range, by) = &mutant.site.plain;
        text.replace_range(range.clone(), by);
        Ok(text)
    }

    /// Builds and runs a single change, first with the tests that are likely to detect it.
    fn alone(
        &self,
        suite: &mut Suite,
        file: &str,
        text: &str,
        first: &[String],
    ) -> Result<Fate, String> {
        let wanted = self.wanted();
        let mut first: Vec<First> = first.iter().map(|name| First::new(name, wanted)).collect();
        if first.is_empty() {
            first.push(First::Library);
        }
        self.tree.write(file, text.as_bytes())?;
        let mut fate = Fate::Unviable;
        for what in [What::Only(&first), What::Tests] {
            let Ok(programs) = build(self.tree, self.wanted(), what)? else { break };
            suite.rebuilt(&programs);
            let early = |program: &str, test: &str| {
                first.iter().any(|first| first.holds(program, test, wanted))
            };
            fate = match what {
                What::Tests => suite.judge_built(&|program, test| !early(program, test))?,
                _ => suite.judge_built(&early)?,
            };
            if !matches!(fate, Fate::Survived(_)) {
                break;
            }
        }
        self.tree.restore(file)?;
        Ok(fate)
    }

    fn tell(&self, id: usize, mutant: &Mutant, fate: Fate) {
        self.keep(
            id,
            Row {
                file: mutant.file.clone(),
                line: mutant.line,
                function: mutant.function.clone(),
                change: mutant.change.clone(),
                fate,
                listed: self.drawn.list.of(mutant).map(|survivor| survivor.kind),
                constant: false,
            },
        );
    }

    fn tell_constant(&self, id: usize, constant: &Constant, fate: Fate) {
        self.keep(
            id,
            Row {
                file: constant.file.clone(),
                line: constant.line(),
                function: "constant".to_owned(),
                change: constant.name.clone(),
                fate,
                listed: constant.kind,
                constant: true,
            },
        );
    }

    fn keep(&self, id: usize, row: Row) {
        let word = match &row.fate {
            Fate::Killed(test) => format!("killed by {test}"),
            Fate::Timeout(test) => format!("without end in {test}"),
            Fate::Survived(tests) => match row.listed {
                Some(_) => format!("survives {tests} tests, as listed"),
                None => format!("SURVIVES {tests} tests"),
            },
            Fate::Unviable => "does not compile".to_owned(),
        };
        println!("{}: {word}", row.text());
        if let Ok(mut rows) = self.rows.lock() {
            rows.insert(id, row);
        }
    }
}

fn told(faults: &[Fault]) -> String {
    let tell = |fault: &Fault| format!("{}:{}: {}", fault.file, fault.lines.0, fault.message);
    faults.iter().take(5).map(tell).collect::<Vec<_>>().join("; ")
}

/// The mutants responsible for a compiler error: the one whose switch precedes it on its line;
/// otherwise all on its lines, or in its function if `whole` or if there are none.
fn culprits(
    fault: &Fault,
    written: &BTreeMap<String, String>,
    mutants: &[(usize, &Mutant)],
    whole: bool,
) -> Vec<usize> {
    if !whole && let Some(id) = written.get(&fault.file).and_then(|text| switch_before(fault, text))
    {
        return vec![id];
    }
    let of_file = || mutants.iter().filter(|(_, mutant)| mutant.file == fault.file);
    let near = |from: usize, to: usize| from <= fault.lines.1 && fault.lines.0 <= to;
    let on_line = of_file().filter(|(_, mutant)| near(mutant.line, mutant.line));
    let on_line: Vec<usize> = on_line.map(|(id, _)| *id).collect();
    if !whole && !on_line.is_empty() {
        return on_line;
    }
    let of_function = of_file().filter(|(_, m)| near(m.lines.start, m.lines.end));
    let of_function: Vec<usize> = of_function.map(|(id, _)| *id).collect();
    if of_function.is_empty() { of_file().map(|(id, _)| *id).collect() } else { of_function }
}

/// The number in the last switch before the error on its line.
fn switch_before(fault: &Fault, text: &str) -> Option<usize> {
    let line = text.lines().nth(fault.lines.0.checked_sub(1)?)?;
    let before: String = line.chars().take(fault.column).collect();
    let (_, number) = before.rsplit_once("mutant_switch::on(")?;
    number.split(')').next()?.parse().ok()
}
