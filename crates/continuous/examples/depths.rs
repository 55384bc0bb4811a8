//! Penetration depths of pairs of bodies, over many poses.
//!
//! ```text
//! cargo run --release -p impinge-continuous --example depths -- [SHAPE] [TRIANGLES] [POSES] [WIDTH]
//! ```
//! At each pose B, turned at random, has come from far away along a random direction, and 5 % of its
//! diagonal farther than to its first contact. Prints the median and the largest width of the interval
//! relative to its upper end, and the median and the largest time of the upper bound alone and of the
//! whole answer. Times are of the processor where Linux tells them, else of the clock.

use std::error::Error;
use std::time::Instant;

use impinge_continuous::geometry::{Pose, Vector};
use impinge_continuous::penetration::{PenetrationBody, PenetrationOptions, penetration};
use impinge_continuous::query::{Ask, Control, Engine as _};
use impinge_hierarchy::obbtree;
use impinge_models::{Random, Shape};

/// Times a piece of work of this thread, in milliseconds.
struct Timer {
    processor: Option<u64>,
    clock: Instant,
}

impl Timer {
    fn start() -> Self {
        Self { processor: Self::processor(), clock: Instant::now() }
    }

    /// Nanoseconds that this thread has run for.
    fn processor() -> Option<u64> {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        text.split(' ').next()?.parse().ok()
    }

    fn milliseconds(&self) -> f64 {
        let ran =
            Self::processor().zip(self.processor).map(|(now, then)| (now - then) as f64 * 1e-6);
        ran.unwrap_or_else(|| self.clock.elapsed().as_secs_f64() * 1e3)
    }
}

/// A random pose at which B is `depth` farther than at its first contact along a random direction.
fn pose(random: &mut Random, meets: &dyn Fn(&Pose) -> bool, size: f64, depth: f64) -> Pose {
    let turned = random.turned_to(Vector::zeros());
    let way = random.unit_vector();
    let at = |t: f64| Pose::new(*turned.rotation(), way * t).unwrap_or_default();
    let mut far = 1.5 * size;
    while far > 0.0 && !meets(&at(far)) {
        far -= 0.01 * size;
    }
    let (mut low, mut high) = (far, far + 0.01 * size);
    for _ in 0..30 {
        let middle = 0.5 * (low + high);
        *(if meets(&at(middle)) { &mut low } else { &mut high }) = middle;
    }
    at(low - depth)
}

/// The median and the largest.
fn spread(mut all: Vec<f64>) -> [f64; 2] {
    all.sort_by(f64::total_cmp);
    [all[all.len() / 2], all[all.len() - 1]]
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |k: usize, or: f64| arguments.get(k).and_then(|x| x.parse().ok()).unwrap_or(or);
    let word = arguments.first().map_or("torus", String::as_str);
    let shape = Shape::ALL.into_iter().find(|s| s.word() == word).ok_or("no such shape")?;
    let (triangles, poses, width) = (number(1, 1e4), number(2, 100.0), number(3, 0.1));
    let mesh = shape.mesh(triangles as usize, 0);
    let timer = Timer::start();
    let body = PenetrationBody::new(&mesh, &Control::NONE)?;
    let count = mesh.triangles().len();
    println!("{word}, {count} triangles, prepared in {:.0} ms", timer.milliseconds());
    let model = obbtree().prepare(&mesh, &Control::NONE)?;
    let meets = |pose: &Pose| {
        let answer = obbtree().ask(&model, &model, pose, &Ask::first_contact());
        answer.is_ok_and(|answer| answer.verdict.is_hit())
    };
    let mut random = Random::new(5);
    let options = PenetrationOptions { width, ..PenetrationOptions::default() };
    let [mut widths, mut uppers, mut times, mut local, mut cells] = [(); 5].map(|()| Vec::new());
    for _ in 0..poses as usize {
        let pose = pose(&mut random, &meets, mesh.diagonal(), 0.05 * mesh.diagonal());
        let answer = |options: &PenetrationOptions| {
            let timer = Timer::start();
            let found = penetration(&body, &body, &pose, options, &Control::NONE)?;
            Ok::<_, Box<dyn Error>>((timer.milliseconds(), found))
        };
        let (time, first) = answer(&PenetrationOptions { budget: 0, ..options })?;
        uppers.push(time);
        let (time, found) = answer(&options)?;
        times.push(time);
        widths.push(100.0 * found.width());
        local.push(100.0 * (first.upper / found.upper - 1.0));
        cells.push(found.cells as f64);
    }
    for (name, all) in [
        ("width of the interval, %", widths),
        ("first upper bound above the last, %", local),
        ("upper bound alone, ms", uppers),
        ("both bounds, ms", times),
        ("cubes", cells),
    ] {
        let [median, largest] = spread(all);
        println!("{name}: median {median:.2}, largest {largest:.2}");
    }
    Ok(())
}
