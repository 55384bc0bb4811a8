//! The tests of a crate, one by one: how long each takes, which mutants each reaches, and whether
//! one fails with a mutant.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::build::Program;
use super::process::{Ended, limited, run};
use super::report::Fate;
use super::switch;
use crate::gate::Gpu;
use crate::repository::output_of;

/// Total time of the tests that share a process.
const BATCH: Duration = Duration::from_millis(400);
/// Time limit of a process: a constant, plus a multiple of its tests' time without a mutant.
const LIMIT: (Duration, u32) = (Duration::from_secs(8), 10);
/// The limit is multiplied by this when a process has reached it and runs again: other work on the
/// machine may have delayed it.
const PATIENCE: u32 = 3;

/// How tests are run.
#[derive(Clone, Copy, Debug)]
pub(super) struct How {
    /// Number of tests at a time.
    pub(super) jobs: usize,
    /// Whether to run tests that need a graphics adapter, and on which.
    pub(super) gpu: Gpu,
}

#[derive(Clone, Debug)]
struct Test {
    program: usize,
    name: String,
    took: Duration,
    /// The numbers of the mutants that the test reaches.
    reached: BTreeSet<usize>,
}

/// All tests of a crate, by ascending time.
pub(super) struct Suite {
    programs: Vec<Program>,
    tests: Vec<Test>,
    /// The working directory of the tests: the folder of the crate.
    home: PathBuf,
    /// A folder for their output.
    scratch: PathBuf,
    gpu: Gpu,
}

impl Suite {
    /// Runs every test once without a mutant.
    ///
    /// # Errors
    /// If one fails, or there is none.
    pub(super) fn new(
        programs: Vec<Program>,
        home: PathBuf,
        scratch: PathBuf,
        How { jobs, gpu }: How,
    ) -> Result<Self, String> {
        fs::create_dir_all(&scratch).map_err(|e| format!("{}: {e}", scratch.display()))?;
        let mut suite = Self { programs, tests: Vec::new(), home, scratch, gpu };
        let named = suite.named()?;
        if named.is_empty() {
            return Err("the crate has no tests".to_owned());
        }
        let done = Mutex::new(Vec::new());
        parallel(jobs, named.len(), &|n| {
            let (program, name) = &named[n];
            let test = suite.first(*program, name, n)?;
            if let Ok(mut done) = done.lock() {
                done.push(test);
            }
            Ok(())
        })?;
        suite.tests = done.into_inner().unwrap_or_default();
        suite.tests.sort_by(|a, b| (a.took, a.program, &a.name).cmp(&(b.took, b.program, &b.name)));
        Ok(suite)
    }

    /// The number of tests, and their total time.
    pub(super) fn size(&self) -> (usize, Duration) {
        (self.tests.len(), self.tests.iter().map(|test| test.took).sum())
    }

    /// The tests of all programs; ignored ones only if there is an adapter.
    fn named(&self) -> Result<Vec<(usize, String)>, String> {
        let list = |program: &Program, extra: &[&str]| -> Result<BTreeSet<String>, String> {
            let mut command = Command::new(&program.path);
            command.args(["--list", "--format", "terse"]).args(extra).current_dir(&self.home);
            let text = output_of(&mut command)?;
            Ok(text.lines().filter_map(|l| l.strip_suffix(": test")).map(str::to_owned).collect())
        };
        let mut named = Vec::new();
        for (n, program) in self.programs.iter().enumerate() {
            let mut all = list(program, &[])?;
            if self.gpu == Gpu::Off {
                let ignored = list(program, &["--ignored"])?;
                all.retain(|name| !ignored.contains(name));
            }
            named.extend(all.into_iter().map(|name| (n, name)));
        }
        Ok(named)
    }

    /// Runs a test without a mutant and records its time and the mutants it reaches.
    fn first(&self, program: usize, name: &str, n: usize) -> Result<Test, String> {
        let reached = self.scratch.join(format!("reached-{n}"));
        let _ = fs::remove_file(&reached);
        let mut command = self.command(program, &[name])?;
        command.env(switch::REACHED, &reached);
        let start = Instant::now();
        let output = self.scratch.join(format!("first-{n}"));
        let ended = run(&mut command, Duration::from_secs(600), &output)?;
        let took = start.elapsed();
        if ended != Ended::Well {
            let said = fs::read_to_string(&output).unwrap_or_default();
            return Err(format!("`{name}` fails without a mutant:\n{said}"));
        }
        let text = fs::read_to_string(&reached).unwrap_or_default();
        let reached = text.lines().filter_map(|line| line.parse().ok()).collect();
        let _ = fs::remove_file(&output);
        Ok(Test { program, name: name.to_owned(), took, reached })
    }

    fn command(&self, program: usize, names: &[&str]) -> Result<Command, String> {
        let mut command = limited(&self.programs[program].path);
        command.args(["--exact", "--test-threads", "1"]).args(names).current_dir(&self.home);
        command.env("RUST_BACKTRACE", "0").env("INSTA_UPDATE", "no");
        self.gpu.tell(&mut command)?;
        if self.gpu != Gpu::Off {
            command.arg("--include-ignored");
        }
        Ok(command)
    }

    /// Runs the tests that reach mutant `id` with it, until one fails.
    ///
    /// # Errors
    /// If a process cannot be started.
    pub(super) fn judge(&self, id: usize) -> Result<Fate, String> {
        self.judged(&|test| test.reached.contains(&id), &id.to_string())
    }

    /// Replaces programs by rebuilt ones of the same name.
    pub(super) fn rebuilt(&mut self, programs: &[Program]) {
        for program in &mut self.programs {
            if let Some(new) = programs.iter().find(|new| new.name == program.name) {
                program.path.clone_from(&new.path);
            }
        }
    }

    /// Runs the tests that `asked` selects by program and name, where the mutant is compiled in.
    ///
    /// # Errors
    /// If a process cannot be started.
    pub(super) fn judge_built(&self, asked: &dyn Fn(&str, &str) -> bool) -> Result<Fate, String> {
        self.judged(&|test| asked(&self.programs[test.program].name, &test.name), "0")
    }

    fn judged(&self, asked: &dyn Fn(&Test) -> bool, on: &str) -> Result<Fate, String> {
        let tests: Vec<&Test> = self.tests.iter().filter(|test| asked(test)).collect();
        for batch in batches(&tests) {
            let names: Vec<&str> = batch.iter().map(|test| test.name.as_str()).collect();
            let took: Duration = batch.iter().map(|test| test.took).sum();
            let limit = LIMIT.0 + took * LIMIT.1;
            let mut ended = self.run(&batch, &names, on, limit)?;
            if ended.0 == Ended::Late {
                ended = self.run(&batch, &names, on, limit * PATIENCE)?;
            }
            let (ended, said) = ended;
            if ended == Ended::Well {
                continue;
            }
            let name = failed(&said, &names);
            let label = format!("{}::{name}", self.programs[batch[0].program].name);
            if ended == Ended::Late {
                return Ok(Fate::Timeout(label));
            }
            // A test that depends on the machine's load may fail by chance, so it has to fail
            // twice.
            if self.run(&batch, &[name], on, limit * PATIENCE)?.0 != Ended::Well {
                return Ok(Fate::Killed(label));
            }
        }
        Ok(Fate::Survived(tests.len()))
    }

    /// Runs tests of one program with a mutant; how that ended, and what it wrote.
    fn run(
        &self,
        batch: &[&Test],
        names: &[&str],
        on: &str,
        limit: Duration,
    ) -> Result<(Ended, String), String> {
        let output = self.scratch.join(format!("mutant-{:?}", std::thread::current().id()));
        let mut command = self.command(batch[0].program, names)?;
        let ended = run(command.env(switch::ON, on), limit, &output)?;
        Ok((ended, fs::read_to_string(&output).unwrap_or_default()))
    }
}

/// Groups consecutive tests of one program with a small total time.
fn batches<'a>(tests: &[&'a Test]) -> Vec<Vec<&'a Test>> {
    let mut batches: Vec<(Duration, Vec<&Test>)> = Vec::new();
    for test in tests {
        let open = batches
            .iter_mut()
            .find(|(took, batch)| batch[0].program == test.program && *took + test.took <= BATCH);
        match open {
            Some((took, batch)) => {
                *took += test.took;
                batch.push(test);
            }
            None => batches.push((test.took, vec![test])),
        }
    }
    batches.into_iter().map(|(_, batch)| batch).collect()
}

/// The test that failed; if the process died, the test that it was running.
fn failed<'a>(said: &str, names: &[&'a str]) -> &'a str {
    let of = |name: &&str| said.contains(&format!("test {name} ... FAILED"));
    let open = |name: &&str| !said.contains(&format!("test {name} ... ok"));
    let name = names.iter().copied().find(|name| of(name));
    name.or_else(|| names.iter().copied().find(|name| open(name))).unwrap_or(names[0])
}

/// Calls `work` for every number below `count` on `jobs` threads; stops at the first error.
///
/// # Errors
/// The first error of `work`.
pub(super) fn parallel(
    jobs: usize,
    count: usize,
    work: &(dyn Fn(usize) -> Result<(), String> + Sync),
) -> Result<(), String> {
    let (next, error) = (AtomicUsize::new(0), Mutex::new(None));
    std::thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            scope.spawn(|| {
                loop {
                    let n = next.fetch_add(1, Ordering::Relaxed);
                    if n >= count {
                        return;
                    }
                    if let Err(why) = work(n) {
                        next.store(count, Ordering::Relaxed);
                        if let Ok(mut error) = error.lock() {
                            error.get_or_insert(why);
                        }
                    }
                }
            });
        }
    });
    error.into_inner().unwrap_or_default().map_or(Ok(()), Err)
}

/// The working directory for a crate's tests.
pub(super) fn home(tree: &Path, name: &str) -> PathBuf {
    tree.join("crates").join(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(program: usize, name: &str, millis: u64) -> Test {
        let took = Duration::from_millis(millis);
        Test { program, name: name.to_owned(), took, reached: BTreeSet::new() }
    }

    #[test]
    fn quick_tests_share_a_process() {
        let tests = [test(0, "a", 1), test(1, "b", 2), test(0, "c", 3), test(0, "d", 399)];
        let tests: Vec<&Test> = tests.iter().collect();
        let names = |batch: &Vec<&Test>| batch.iter().map(|t| t.name.clone()).collect::<String>();
        assert_eq!(batches(&tests).iter().map(names).collect::<Vec<_>>(), ["ac", "b", "d"]);
    }

    #[test]
    fn the_test_that_failed_is_named() {
        let said = "test a ... ok\ntest b ... FAILED\n";
        assert_eq!(failed(said, &["a", "b", "c"]), "b");
        assert_eq!(failed("test a ... ok\ntest b ... ", &["a", "b", "c"]), "b");
        assert_eq!(failed("", &["a"]), "a");
    }

    #[test]
    fn work_in_parallel_stops_with_the_first_error() {
        let sum = AtomicUsize::new(0);
        let add = |n| {
            sum.fetch_add(n, Ordering::Relaxed);
            if n == 7 { Err("seven".to_owned()) } else { Ok(()) }
        };
        assert_eq!(parallel(3, 5, &add), Ok(()));
        assert_eq!(sum.load(Ordering::Relaxed), 10);
        assert_eq!(parallel(3, 100, &add), Err("seven".to_owned()));
    }
}
