//! Tables for readers, JSON lines for programs, and the checks of required speed-ups at the end.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use impinge_benches::harness::task_tree::{HANDING, PROCESSORS, TaskTree};
use impinge_benches::harness::{Competitor, Timing, Workload};
use impinge_records::host::Host;
use serde_json::{Value, json};

use super::scenes::{Extent, Test};

/// One method on one number of threads.
pub(crate) struct Entry {
    /// Methods of one family share the baseline of speed-up, which is the family's first entry.
    pub(crate) family: &'static str,
    /// The number of threads that it may use.
    pub(crate) threads: usize,
    /// The method with its parameters.
    pub(crate) competitor: Competitor,
}

impl AsRef<Competitor> for Entry {
    fn as_ref(&self) -> &Competitor {
        &self.competitor
    }
}

/// The measurements of one scene and question.
pub(crate) struct Part {
    /// One timing per entry, in the same order.
    pub(crate) timings: Vec<Timing>,
    /// Task trees by the method's word.
    pub(crate) trees: Vec<(&'static str, TaskTree)>,
}

/// The output of a run: stdout, and a file of JSON lines if one is named.
pub(crate) struct Report {
    json: Option<File>,
    /// Results of the required speed-ups, printed at the end.
    bars: Vec<String>,
}

/// Number of [`TREES`](super::TREES), which are the first entries.
const SERIAL: usize = super::TREES.len();

impl Report {
    /// Creates the file of JSON lines, if one is named.
    ///
    /// # Errors
    /// Names the file that cannot be created.
    pub(crate) fn new(json: Option<&Path>) -> Result<Self, String> {
        let create = |path: &Path| {
            File::create(path).map_err(|error| format!("{}: {error}", path.display()))
        };
        Ok(Self { json: json.map(create).transpose()?, bars: Vec::new() })
    }

    fn line(&mut self, value: &Value) -> Result<(), String> {
        let Some(file) = &mut self.json else { return Ok(()) };
        writeln!(file, "{value}").map_err(|error| error.to_string())
    }

    /// Prints the machine and the settings.
    ///
    /// # Errors
    /// If a line cannot be written. The same holds for the other functions.
    pub(crate) fn begin(
        &mut self,
        host: &Host,
        passes: usize,
        extent: &Extent,
    ) -> Result<(), String> {
        println!("{}, {} cores, {}", host.cpu, host.cores, host.system);
        println!(
            "{} poses a scene, least of {passes} passes, seed {}; handing on a task taken as \
             {HANDING} ns",
            extent.poses, extent.seed
        );
        self.line(&json!({
            "record": "run", "host": host, "poses": extent.poses, "passes": passes,
            "seed": extent.seed, "divisor": extent.divisor, "handing_ns": HANDING,
        }))
    }

    /// Prints the heading of a scene.
    pub(crate) fn scene(&mut self, test: &Test, asked: &Workload) -> Result<(), String> {
        println!("\n## {}: {}, {} triangles in all", test.word, test.about, asked.triangles);
        self.line(&json!({
            "record": "scene", "scene": test.word, "about": test.about,
            "triangles": asked.triangles, "pairs": asked.pairs, "steps": asked.steps.len(),
        }))
    }

    /// Prints the tables of a scene and question.
    pub(crate) fn part(
        &mut self,
        test: &Test,
        question: &str,
        entries: &[Entry],
        part: &Part,
    ) -> Result<(), String> {
        let Part { timings, trees } = part;
        println!(
            "\n### {}, {question}: {} hits, {} contacts",
            test.word,
            timings[0].hits(),
            timings[0].contacts
        );
        let head = ["ms/step", "± %", "× best", "× own", "idle %", "tasks", "B/tri"];
        println!("{:<12}{:>4}{}", "method", "thr", head.map(|name| format!("{name:>10}")).concat());
        let best = timings[..SERIAL].iter().map(Timing::mean).fold(f64::INFINITY, f64::min);
        for (entry, timing) in entries.iter().zip(timings) {
            let own = own_speed_up(entries, timings, entry, timing);
            let over = timing.mean() / best;
            let label = &entry.competitor.label;
            println!(
                "{label:<12}{:>4}{:>10.4}{:>10.1}{over:>10.2}{own:>10.2}{:>10.1}{:>10}{:>10.1}",
                entry.threads,
                timing.mean() / 1e6,
                100.0 * timing.noise(),
                100.0 * timing.idle(),
                timing.tasks,
                timing.bytes
            );
            self.line(&json!({
                "record": "method", "scene": test.word, "question": question, "method": label,
                "threads": entry.threads, "ns": timing.mean(), "noise": timing.noise(),
                "over_best_serial_tree": over, "speed_up": own, "idle": timing.idle(),
                "tasks": timing.tasks, "bytes_per_triangle": timing.bytes, "volume_tests": timing.volume_tests,
                "primitive_tests": timing.primitive_tests, "hits": timing.hits(),
                "contacts": timing.contacts,
            }))?;
        }
        self.trees(test, question, trees)?;
        if test.bars {
            self.held(test, question, entries, part, best);
        }
        Ok(())
    }

    /// Prints the table of the work-span model.
    fn trees(
        &mut self,
        test: &Test,
        question: &str,
        trees: &[(&'static str, TaskTree)],
    ) -> Result<(), String> {
        let head = ["work ms", "path ms", "parallel.", "portions"];
        let on = PROCESSORS.map(|n| format!("{:>10}", format!("{n} proc."))).concat();
        println!("{:<16}{}{on}", "model", head.map(|name| format!("{name:>10}")).concat());
        for (word, tree) in trees {
            let ups = tree.speed_ups();
            println!(
                "{word:<16}{:>10.4}{:>10.4}{:>10.1}{:>10}{}",
                tree.work / 1e6,
                tree.span / 1e6,
                tree.parallelism(),
                tree.portions,
                ups.map(|up| format!("{:>10}", format!("{up:.2} ×"))).concat()
            );
            self.line(&json!({
                "record": "model", "scene": test.word, "question": question, "method": word,
                "work_ns": tree.work, "span_ns": tree.span, "parallelism": tree.parallelism(),
                "portions": tree.portions, "processors": PROCESSORS, "ns_on": tree.on,
                "speed_up_on": ups,
            }))?;
        }
        Ok(())
    }

    /// Notes whether `edge-steal` reaches its required speed-ups.
    fn held(&mut self, test: &Test, question: &str, entries: &[Entry], part: &Part, best: f64) {
        let tree = part.trees.iter().find(|(word, _)| *word == "edge-steal");
        let parallelism = tree.map_or(0.0, |(_, tree)| tree.parallelism());
        let on = |threads| {
            let mut all = entries.iter().zip(&part.timings);
            all.find(|(entry, _)| entry.family == "edge-steal" && entry.threads == threads)
        };
        let mut bar = |what: &str, value: f64, least: bool, bar: f64| {
            let good = if least { value >= bar } else { value <= bar };
            let (sign, mark) = (if least { "≥" } else { "≤" }, if good { "yes" } else { "no" });
            let place = format!("{}, {question}", test.word);
            self.bars.push(format!("{place:<22}{what:<34}{value:>8.2}  {sign} {bar:<6}{mark}"));
        };
        bar("parallelism", parallelism, true, 16.0);
        if let Some((_, alone)) = on(1) {
            bar("1 thread over best serial tree", alone.mean() / best, false, 1.1);
            if let Some((_, two)) = on(2) {
                bar("idle share on 2 threads", two.idle(), false, 0.1);
                bar("speed-up on 2 threads", alone.mean() / two.mean(), true, 1.9);
            }
        }
    }

    /// Prints the results of the required speed-ups.
    pub(crate) fn end(&mut self) -> Result<(), String> {
        if !self.bars.is_empty() {
            println!("\n## Bars of edge-steal");
        }
        self.bars.iter().for_each(|line| println!("{line}"));
        self.line(&json!({ "record": "end" }))
    }
}

/// Speed-up over the first entry of the same family, which runs on one thread.
fn own_speed_up(entries: &[Entry], timings: &[Timing], entry: &Entry, timing: &Timing) -> f64 {
    let first = entries.iter().position(|other| other.family == entry.family).unwrap_or(0);
    timings[first].mean() / timing.mean()
}
