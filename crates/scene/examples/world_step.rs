//! Times the steps of a world of movers: broad phase and exact contacts.
//!
//! ```sh
//! cargo run --release -p impinge-scene --example world_step -- [--movers N] [--steps N] [--near X]
//!     [--turn X] [--all] [--memories]
//! ```
//!
//! `N` movers (10,000 without the option), instances of five shapes of some 1,000 triangles and
//! size 1, move by 2 % of that a step in a box that gets smaller with `X`: with 1.1, the default, 10,000
//! movers have 15,016 candidates a step, with 2.2 29,700. With `--turn X` each also turns about an axis of its own by
//! X radians a step. With `--memories` each pair keeps all that the
//! method remembers. On one thread; `RAYON_NUM_THREADS` has no effect. Prints the median, the 99th
//! percentile and the longest step after a tenth of the steps, and the candidates of a step.

use std::time::Instant;

use impinge_models::{Random, Shape as Model};
use impinge_query::{Ask, Control};
use impinge_scene::geometry::{Pose, Vector};
use impinge_scene::{Keep, Object, ObjectId, World};
use nalgebra::UnitQuaternion;

struct Options {
    movers: usize,
    steps: usize,
    near: f64,
    turn: f64,
    all: bool,
    memories: bool,
}

fn options() -> Result<Options, String> {
    let mut options =
        Options { movers: 10_000, steps: 200, near: 1.1, turn: 0.0, all: false, memories: false };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--all" => options.all = true,
            "--memories" => options.memories = true,
            _ => {}
        }
        if matches!(word.as_str(), "--all" | "--memories") {
            continue;
        }
        let value = words.next().ok_or_else(|| format!("{word} needs a value"))?;
        let bad = || format!("{word} {value}: not a number");
        match word.as_str() {
            "--movers" => options.movers = value.parse().map_err(|_| bad())?,
            "--steps" => options.steps = value.parse().map_err(|_| bad())?,
            "--near" => options.near = value.parse().map_err(|_| bad())?,
            "--turn" => options.turn = value.parse().map_err(|_| bad())?,
            _ => return Err(format!("unknown option {word}")),
        }
    }
    Ok(options)
}

struct Mover {
    id: ObjectId,
    place: Vector,
    turn: UnitQuaternion<f64>,
    step: Vector,
    spin: UnitQuaternion<f64>,
}

impl Mover {
    /// Moves a step, inside a cube from the origin to `side`.
    fn advance(&mut self, side: f64, world: &mut World) -> Result<(), Box<dyn std::error::Error>> {
        self.place += self.step;
        for k in 0..3 {
            if !(0.0..=side).contains(&self.place[k]) {
                self.step[k] = -self.step[k];
            }
        }
        if self.spin != UnitQuaternion::identity() {
            self.turn = self.spin * self.turn;
            self.turn.renormalize_fast();
        }
        let turn = self.turn.coords.into();
        Ok(world.set_pose(self.id, Pose::from_quaternion(self.place.into(), turn)?)?)
    }
}

/// The movers, of five shapes, in a cube.
fn movers(
    options: &Options,
    side: f64,
    world: &mut World,
) -> Result<Vec<Mover>, Box<dyn std::error::Error>> {
    let (mut random, mut spins) = (Random::stream(0x57e9, 0), Random::stream(0x57e9, 1));
    let mut shapes = Vec::new();
    for model in [Model::Sphere, Model::Gear, Model::Torus, Model::Hull, Model::Trefoil] {
        shapes.push(world.shape(&model.mesh(1_000, 0))?);
    }
    let mut movers = Vec::new();
    for number in 0..options.movers {
        let place = random.vector(0.0, side);
        let turn = random.quaternion();
        let pose = Pose::from_quaternion(place.into(), turn)?;
        let id = world.add(Object::new(shapes[number % shapes.len()].clone(), pose))?;
        let step = random.unit_vector() * 0.02;
        let turn = UnitQuaternion::from_quaternion(turn.into());
        let spin = UnitQuaternion::new(spins.unit_vector() * options.turn);
        movers.push(Mover { id, place, turn, step, spin });
    }
    Ok(movers)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let options = options()?;
    let keep = if options.memories { Keep::Memories } else { Keep::Hints };
    let mut world = World::new().keeping(keep);
    // Boxes of edge e overlap if their centres are nearer than 2 e along all axes: 8 e³ of space.
    let side = (options.movers as f64 * 8.0 * 0.55 / (2.0 * options.near)).cbrt();
    let mut movers = movers(&options, side, &mut world)?;
    let ask = if options.all { Ask::all_contacts() } else { Ask::first_contact() };
    let (mut times, mut candidates, mut found, mut contacts) = (Vec::new(), 0, 0, 0);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    for step in 0..options.steps {
        let start = Instant::now();
        for mover in &mut movers {
            mover.advance(side, &mut world)?;
        }
        let mut listed = 0;
        let summary = pool.install(|| {
            world.ask(&ask, &Control::NONE, &mut |found| listed += found.answer.contacts.len())
        })?;
        if step >= options.steps / 10 {
            times.push(start.elapsed().as_secs_f64() * 1e3);
            candidates += summary.candidates;
            found += summary.found;
            contacts += listed;
        }
    }
    times.sort_by(f64::total_cmp);
    let count = times.len().max(1);
    let at = |share: f64| times[((count - 1) as f64 * share) as usize];
    println!(
        "{} movers, {} candidates, {} hits, {} contacts a step: median {:.2} ms, p99 {:.2}, longest {:.2}",
        options.movers,
        candidates / count as u64,
        found / count as u64,
        contacts / count,
        at(0.5),
        at(0.99),
        at(1.0),
    );
    Ok(())
}
