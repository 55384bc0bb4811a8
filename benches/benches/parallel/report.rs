//! Tables for people, lines for programs, and the bars at the end.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use impinge_benches::machine::Machine;
use serde_json::{Value, json};

use super::contest::{Asked, Entrant, Lap};
use super::scenes::{Extent, Test};
use super::task_tree::{HANDING, PROCESSORS, TaskTree};

/// One method on one number of threads.
pub(crate) struct Racer {
    /// Speed-up is over the first of the same family.
    pub(crate) family: &'static str,
    /// Threads it may use.
    pub(crate) threads: usize,
    /// The method.
    pub(crate) entrant: Entrant,
}

impl AsRef<Entrant> for Racer {
    fn as_ref(&self) -> &Entrant {
        &self.entrant
    }
}

/// What was measured of one scene and question.
pub(crate) struct Part {
    /// One for each racer.
    pub(crate) laps: Vec<Lap>,
    /// Task trees, by word.
    pub(crate) trees: Vec<(&'static str, TaskTree)>,
}

/// Where results go.
pub(crate) struct Report {
    json: Option<File>,
    /// Lines about bars, for the end.
    bars: Vec<String>,
}

/// How many of [`TREES`](super::TREES) stand first among the racers.
const SERIAL: usize = super::TREES.len();

impl Report {
    /// Creates the file of JSON lines, if one is named.
    ///
    /// # Errors
    /// Names the file that cannot be made.
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

    /// Where and how.
    ///
    /// # Errors
    /// If the line cannot be written; so do the others.
    pub(crate) fn begin(
        &mut self,
        machine: &Machine,
        passes: usize,
        extent: &Extent,
    ) -> Result<(), String> {
        println!("{}, {} cores, {}", machine.cpu, machine.cores, machine.system);
        println!(
            "{} poses a scene, least of {passes} passes, seed {}; handing on a task taken as \
             {HANDING} ns",
            extent.poses, extent.seed
        );
        self.line(&json!({
            "record": "run", "cpu": machine.cpu, "cores": machine.cores,
            "system": machine.system, "poses": extent.poses, "passes": passes,
            "seed": extent.seed, "divisor": extent.divisor, "handing_ns": HANDING,
            "profile": if cfg!(debug_assertions) { "debug" } else { "release" },
        }))
    }

    /// A scene begins.
    pub(crate) fn scene(&mut self, test: &Test, asked: &Asked) -> Result<(), String> {
        println!("\n## {}: {}, {} triangles in all", test.word, test.about, asked.triangles);
        self.line(&json!({
            "record": "scene", "scene": test.word, "about": test.about,
            "triangles": asked.triangles, "pairs": asked.pairs, "steps": asked.steps.len(),
        }))
    }

    /// The tables of a scene and question.
    pub(crate) fn part(
        &mut self,
        test: &Test,
        question: &str,
        racers: &[Racer],
        part: &Part,
    ) -> Result<(), String> {
        let Part { laps, trees } = part;
        println!(
            "\n### {}, {question}: {} hits, {} contacts",
            test.word, laps[0].hits, laps[0].contacts
        );
        let head = ["ms/step", "± %", "× best", "× own", "idle %", "tasks", "B/tri"];
        println!("{:<12}{:>4}{}", "method", "thr", head.map(|name| format!("{name:>10}")).concat());
        let best = laps[..SERIAL].iter().map(|lap| lap.nanoseconds).fold(f64::INFINITY, f64::min);
        for (racer, lap) in racers.iter().zip(laps) {
            let own = own_speed_up(racers, laps, racer, lap);
            let over = lap.nanoseconds / best;
            let label = &racer.entrant.label;
            println!(
                "{label:<12}{:>4}{:>10.4}{:>10.1}{over:>10.2}{own:>10.2}{:>10.1}{:>10}{:>10.1}",
                racer.threads,
                lap.nanoseconds / 1e6,
                100.0 * lap.noise(),
                100.0 * lap.idle,
                lap.tasks,
                lap.bytes
            );
            self.line(&json!({
                "record": "method", "scene": test.word, "question": question, "method": label,
                "threads": racer.threads, "ns": lap.nanoseconds, "noise": lap.noise(),
                "over_best_serial_tree": over, "speed_up": own, "idle": lap.idle,
                "tasks": lap.tasks, "bytes_per_triangle": lap.bytes, "volume_tests": lap.volume_tests,
                "primitive_tests": lap.primitive_tests, "hits": lap.hits,
                "contacts": lap.contacts,
            }))?;
        }
        self.trees(test, question, trees)?;
        if test.bars {
            self.held(test, question, racers, part, best);
        }
        Ok(())
    }

    /// The table of the work-span model.
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

    /// Notes how `edge-steal` stands against its bars.
    fn held(&mut self, test: &Test, question: &str, racers: &[Racer], part: &Part, best: f64) {
        let tree = part.trees.iter().find(|(word, _)| *word == "edge-steal");
        let parallelism = tree.map_or(0.0, |(_, tree)| tree.parallelism());
        let on = |threads| {
            let mut all = racers.iter().zip(&part.laps);
            all.find(|(racer, _)| racer.family == "edge-steal" && racer.threads == threads)
        };
        let mut bar = |what: &str, value: f64, least: bool, bar: f64| {
            let good = if least { value >= bar } else { value <= bar };
            let (sign, mark) = (if least { "≥" } else { "≤" }, if good { "yes" } else { "no" });
            let place = format!("{}, {question}", test.word);
            self.bars.push(format!("{place:<22}{what:<34}{value:>8.2}  {sign} {bar:<6}{mark}"));
        };
        bar("parallelism", parallelism, true, 16.0);
        if let Some((_, alone)) = on(1) {
            bar("1 thread over best serial tree", alone.nanoseconds / best, false, 1.1);
            if let Some((_, two)) = on(2) {
                bar("idle share on 2 threads", two.idle, false, 0.1);
                bar("speed-up on 2 threads", alone.nanoseconds / two.nanoseconds, true, 1.9);
            }
        }
    }

    /// The bars.
    pub(crate) fn end(&mut self) -> Result<(), String> {
        if !self.bars.is_empty() {
            println!("\n## Bars of edge-steal");
        }
        self.bars.iter().for_each(|line| println!("{line}"));
        self.line(&json!({ "record": "end" }))
    }
}

/// Over the first of its family, which runs on one thread.
fn own_speed_up(racers: &[Racer], laps: &[Lap], racer: &Racer, lap: &Lap) -> f64 {
    let first = racers.iter().position(|other| other.family == racer.family).unwrap_or(0);
    laps[first].nanoseconds / lap.nanoseconds
}
