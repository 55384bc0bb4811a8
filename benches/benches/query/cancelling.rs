//! How soon a call ends once its flag is raised, by the clock: for every method, each question of
//! two piles of coincident triangles, of stacks, of tori and of a body in a pile, the same of a mesh
//! with itself, and preparation.
//!
//! ```sh
//! cargo bench -p impinge-benches --bench cancelling -- --method wide --trials 50
//! ```
//!
//! Another thread raises the flag after a random part of the time that the call takes without one,
//! at most [`LONGEST`]. Printed are the median and the longest time from there to the call's end: by
//! the processor time of the process, which does not depend on other work of the machine and on an
//! idle one is no less than the time of the clock, and by the clock. The bars are held against the
//! former. Calls that take less than [`SHORT`] are left out.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use clap::Parser;
use impinge::query::{Answer, Ask, Cancel, Control, Detector, Prepared, Question};
use impinge::{Kind, Mesh, Method, Point, Pose, Vector};
use impinge_models::{Random, Shape};

/// The most time before the flag is raised.
const LONGEST: Duration = Duration::from_millis(40);
/// A call that takes less is not worth cancelling.
const SHORT: Duration = Duration::from_millis(5);
/// The bars of the median and of the longest time.
const BARS: [Duration; 2] = [Duration::from_millis(10), Duration::from_millis(100)];

/// Times how soon cancelled calls end.
#[derive(Debug, Parser)]
#[command(name = "cancelling", max_term_width = 100)]
struct Arguments {
    /// Measure only this method, for example `wide`. May be repeated. Default: all exact ones.
    #[arg(long = "method", value_name = "WORD")]
    methods: Vec<Method>,
    /// Measure only scenes whose name contains this text.
    #[arg(long, value_name = "TEXT", default_value = "")]
    scene: String,
    /// Calls of each kind to cancel.
    #[arg(long, value_name = "N", default_value_t = 50)]
    trials: u64,
    /// Seed of the moments at which the flag is raised.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print every kind of call, not only the slowest of each method and those above the bars.
    #[arg(long)]
    all: bool,
    /// `cargo bench` passes this.
    #[arg(long, hide = true)]
    bench: bool,
}

struct Scene {
    name: &'static str,
    a: Mesh,
    b: Mesh,
    pose: Pose,
}

fn main() {
    let arguments = Arguments::parse();
    let exact = Method::all().iter().copied().filter(|method| method.kind() == Kind::Exact);
    let methods =
        if arguments.methods.is_empty() { exact.collect() } else { arguments.methods.clone() };
    let scenes: Vec<Scene> =
        scenes().into_iter().filter(|scene| scene.name.contains(&arguments.scene)).collect();
    let mut above = 0;
    for method in methods {
        let mut rows = Vec::new();
        for scene in &scenes {
            measure(&arguments, &*method.build(), scene, &mut rows);
        }
        rows.sort_by_key(|row: &Row| (row.is_above(), row.processor));
        for (n, row) in rows.iter().enumerate() {
            above += usize::from(row.is_above());
            if row.is_above() || arguments.all || n + 1 == rows.len() {
                println!("{:13} {}", method.word(), row.text());
            }
        }
        let median = rows.iter().map(|row| row.processor[0]).max().unwrap_or_default();
        let longest = rows.iter().map(|row| row.processor[1]).max().unwrap_or_default();
        let calls = rows.len();
        println!(
            "{:13} {calls} calls: medians to {median:.2?}, longest {longest:.2?}\n",
            method.word()
        );
    }
    println!("{above} calls above the bars");
}

/// The times of one kind of call.
struct Row {
    call: String,
    /// The time of the call without a flag, if it ended within [`LONGEST`].
    full: Option<Duration>,
    /// Median and longest.
    processor: [Duration; 2],
    clock: [Duration; 2],
    cancelled: usize,
}

impl Row {
    fn is_above(&self) -> bool {
        self.processor[0] > BARS[0] || self.processor[1] > BARS[1]
    }

    fn text(&self) -> String {
        let Self { call, full, processor, clock, cancelled } = self;
        let full = full.map_or_else(|| "more".to_owned(), |full| format!("{full:.1?}"));
        let times = |[median, longest]: [Duration; 2]| format!("{median:9.2?} {longest:9.2?}");
        let (processor, clock) = (times(*processor), times(*clock));
        let mark = if self.is_above() { "  ABOVE" } else { "" };
        format!("{processor}  (clock {clock})  of {cancelled:3}, {call} ({full}){mark}")
    }
}

fn measure(arguments: &Arguments, detector: &dyn Detector, scene: &Scene, rows: &mut Vec<Row>) {
    let mut add = |call: &str, work: &mut dyn FnMut(&Control<'_>) -> bool| {
        rows.extend(times(arguments, format!("{}, {call}", scene.name), work));
    };
    for (name, mesh) in [("preparation of A", &scene.a), ("preparation of B", &scene.b)] {
        add(name, &mut |control| detector.prepare(mesh, control).is_ok());
    }
    let prepare = |mesh| detector.prepare(mesh, &Control::NONE);
    let (Ok(mut a), Ok(b)) = (prepare(&scene.a), prepare(&scene.b)) else { return };
    for (name, ask) in asks() {
        let mut answer = Answer::default();
        if detector.describe().check(&ask).is_ok() {
            add(name, &mut |control| {
                let mut memory = detector.memory();
                let pose = &scene.pose;
                detector.query(&a, &b, pose, &mut memory, &ask, control, &mut answer).is_ok()
            });
        }
        if detector.describe().check_self(&ask).is_ok() {
            add(&format!("{name}, A with itself"), &mut |control| {
                let mut memory = detector.memory();
                detector.query_self(&a, &mut memory, &ask, control, &mut answer).is_ok()
            });
        }
    }
    add("refit of A", &mut |control| refit(detector, &mut a, scene.a.vertices(), control));
}

fn refit(detector: &dyn Detector, a: &mut Prepared, to: &[Point], control: &Control<'_>) -> bool {
    detector.refit(a, to, control).is_ok()
}

fn asks() -> Vec<(&'static str, Ask)> {
    vec![
        ("first contact", Ask::first_contact()),
        ("all contacts", Ask::all_contacts()),
        ("all contacts with details", Ask::all_contacts().detailed()),
        ("number of contacts", Ask::new(Question::AllContacts).capped(0)),
        ("distance", Ask::distance()),
        ("nearer than", Ask::nearer_than(1e-3)),
        ("solids", Ask::first_contact().solids()),
        ("contained in", Ask::contained_in()),
    ]
}

/// Calls `work` once with a late flag, then with flags that are raised while it runs.
fn times(
    arguments: &Arguments,
    call: String,
    work: &mut dyn FnMut(&Control<'_>) -> bool,
) -> Option<Row> {
    let (took, late) = raised_after(LONGEST, work);
    if late.is_none() && took < SHORT {
        return None;
    }
    let full = late.is_none().then_some(took);
    let part = full.unwrap_or(LONGEST);
    let late: Vec<Late> = (0..arguments.trials)
        .filter_map(|trial| {
            let random = Random::stream(arguments.seed, trial).unit();
            raised_after(part.mul_f64(0.9 * random), work).1
        })
        .collect();
    let cancelled = late.len();
    let (processor, clock) = late.into_iter().map(|late| (late.processor, late.clock)).unzip();
    Some(Row { call, full, processor: ends(processor)?, clock: ends(clock)?, cancelled })
}

/// The median and the largest.
fn ends(mut all: Vec<Duration>) -> Option<[Duration; 2]> {
    all.sort();
    Some([*all.get(all.len() / 2)?, *all.last()?])
}

/// How long after the flag a call ended.
struct Late {
    processor: Duration,
    clock: Duration,
}

/// Calls `work` with a flag that another thread raises after `wait`. Returns how long the call took,
/// and how long after the flag it ended if it was cancelled.
fn raised_after(
    wait: Duration,
    work: &mut dyn FnMut(&Control<'_>) -> bool,
) -> (Duration, Option<Late>) {
    let cancel = &Cancel::new();
    let (sender, receiver): (Sender<()>, Receiver<()>) = channel();
    std::thread::scope(|scope| {
        let start = Instant::now();
        let raised = scope.spawn(move || {
            let ended = receiver.recv_timeout(wait);
            let now = (processor_time(), Instant::now());
            cancel.cancel();
            ended.is_err().then_some(now)
        });
        let answered = work(&Control::NONE.cancelled_by(cancel));
        let (processor, clock) = (processor_time(), Instant::now());
        let _ = sender.send(());
        let raised = raised.join().ok().flatten().filter(|_| !answered);
        let late = raised.map(|(before, at)| Late {
            processor: processor.saturating_sub(before),
            clock: clock.saturating_duration_since(at),
        });
        (clock - start, late)
    })
}

/// Processor time of all threads of this process.
#[cfg(unix)]
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Time of the clock, where processor time is not to be had.
#[cfg(not(unix))]
fn processor_time() -> Duration {
    std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default()
}

fn scenes() -> Vec<Scene> {
    let shift = |x, y, z| Pose::translation_by(Vector::new(x, y, z)).expect("finite");
    let one = [[0.0, 0.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.5]];
    let across = [[0.2, 0.2, -1.0], [0.3, 0.2, 1.0], [0.2, 0.4, 2.0]];
    let face = [[0, 1, 2]];
    let corners = [[-1.0, -1.0, -3.0], [5.0, -1.0, -3.0], [-1.0, 5.0, 2.0], [-1.0, -1.0, 5.0]];
    let faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    let pile_of_one = || pile(&one, &face, 100_000);
    let stack = |lift| nearly(&pile(&one, &face, 20_000), lift);
    let body = || Shape::Cube.mesh(12, 0).scaled(0.2).expect("finite");
    let around = || pile(&corners, &faces, 25_000);
    let torus = || Shape::Torus.mesh(100_000, 0);
    // Methods by images refuse more than 8,192 triangles, and piles.
    let smaller = || Shape::Torus.mesh(8_000, 0);
    let scene = |name, a, b, pose| Scene { name, a, b, pose };
    vec![
        scene("piles that meet", pile_of_one(), pile(&across, &face, 100_000), Pose::identity()),
        scene("piles that pass", pile_of_one(), pile_of_one(), shift(0.0, 0.0, 0.25)),
        scene("piles apart", pile_of_one(), pile_of_one(), shift(0.3, 2.0, 0.1)),
        scene("stacks that pass", stack(1e-12), stack(-1e-12), shift(0.0, 0.0, 0.25)),
        scene("stacks apart", stack(1e-12), stack(-1e-12), shift(0.3, 2.0, 0.1)),
        scene("a pile around", body(), around(), Pose::identity()),
        scene("in a pile", around(), body(), Pose::identity()),
        scene("tori", torus(), torus(), shift(0.01, 0.0, 0.003)),
        scene("smaller tori", smaller(), smaller(), shift(0.01, 0.0, 0.003)),
        scene("tori linked", torus(), torus(), shift(0.9, 0.2, 0.1)),
    ]
}

/// The same triangles repeated `n` times over the same vertices.
fn pile(corners: &[[f64; 3]], triangles: &[[u32; 3]], n: usize) -> Mesh {
    let vertices = corners.iter().map(|&p| Point::from(p)).collect();
    Mesh::new(vertices, triangles.repeat(n)).expect("finite")
}

/// The triangles of a pile, each with its own vertices, lifted by multiples of `lift`.
fn nearly(pile: &Mesh, lift: f64) -> Mesh {
    let lifted =
        |(k, t): (usize, [Point; 3])| t.map(|p| p + Vector::new(0.0, 0.0, lift * k as f64));
    let vertices: Vec<Point> = pile.corners().enumerate().flat_map(lifted).collect();
    let triangles = (0..pile.triangles().len() as u32).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]);
    Mesh::new(vertices, triangles.collect()).expect("finite")
}
