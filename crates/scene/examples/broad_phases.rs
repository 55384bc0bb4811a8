//! Measures broad phases on moving boxes, beside the dynamic tree of parry3d (the one of rapier),
//! and prints a table. All take turns in every step and must find the same pairs.
//!
//! ```text
//! cargo run --release -p impinge-scene --example broad_phases -- [OBJECTS…] [scene=WORD] [steps=N]
//!     [only=WORD,WORD]
//! ```
//! A time is that of one step: taking in the boxes and writing down all pairs. Of all steps, one in
//! ten is faster than the time in the column `tenth`, which depends least on other load; `ratio` is
//! the median of the better form of parry3d's tree over that of the row.

use std::error::Error;
use std::time::Instant;

use impinge_geometry::volume::Aabb;
use impinge_geometry::{Point, Vector};
use impinge_models::Random;
use impinge_query::{BroadPhase, Control, Objects};
use impinge_scene::broad::{BoxTree, Grid, OctreeScene, Regions, RegionsParams, Sweep};
use impinge_wide::Width;
use parry3d::bounding_volume::Aabb as ParryAabb;
use parry3d::math::Vector as ParryVector;
use parry3d::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};

/// A kind of moving boxes. Each overlaps two to three others.
#[derive(Clone, Copy, Debug)]
struct Scene {
    word: &'static str,
    /// Least and largest edge.
    sizes: [f64; 2],
    /// Thickness of the space; `None` for a cube.
    thick: Option<f64>,
    /// Share of the boxes that jump anywhere in a step.
    jumps: f64,
    /// Volume of the space for each box.
    room: f64,
}

const SCENES: [Scene; 4] = [
    Scene { word: "uniform", sizes: [0.75, 1.25], thick: None, jumps: 0.0, room: 3.0 },
    Scene { word: "teleports", sizes: [0.75, 1.25], thick: None, jumps: 0.01, room: 3.0 },
    Scene { word: "mixed", sizes: [0.25, 4.0], thick: None, jumps: 0.0, room: 7.5 },
    Scene { word: "flat", sizes: [0.75, 1.25], thick: Some(3.0), jumps: 0.0, room: 2.5 },
];

/// Sweep and prune is measured up to this number of objects.
const SLOW: usize = 10_000;

/// Motion of a step, in edges of the box.
const MOTION: f64 = 0.02;

/// Boxes that move straight on and are thrown back by the walls. Their coordinates are 32-bit
/// numbers, since parry has no others.
struct World {
    scene: Scene,
    side: Vector,
    random: Random,
    centres: Vec<Vector>,
    steps: Vec<Vector>,
    halves: Vec<Vector>,
    boxes: Vec<Option<Aabb>>,
    jumped: Vec<u32>,
}

impl World {
    fn new(scene: Scene, n: usize) -> Self {
        let mut random = Random::new(7);
        let volume = n as f64 * scene.room;
        let side = match scene.thick {
            None => Vector::repeat(volume.cbrt()),
            Some(z) => Vector::new((volume / z).sqrt(), (volume / z).sqrt(), z),
        };
        let [least, most] = scene.sizes;
        let edges = |random: &mut Random| random.vector(least.ln(), most.ln()).map(f64::exp);
        let halves: Vec<Vector> = (0..n).map(|_| 0.5 * edges(&mut random)).collect();
        let steps = halves.iter().map(|half| random.unit_vector() * (2.0 * MOTION * half.mean()));
        let steps = steps.collect();
        let centres = (0..n).map(|_| random.vector(0.0, 1.0).component_mul(&side)).collect();
        let (boxes, jumped) = (vec![None; n], Vec::new());
        let mut world = Self { scene, side, random, centres, steps, halves, boxes, jumped };
        world.place();
        world
    }

    fn place(&mut self) {
        for ((one, centre), half) in self.boxes.iter_mut().zip(&self.centres).zip(&self.halves) {
            let short = |v: Vector| Point::from(v.map(|x| f64::from(x as f32)));
            *one = Some(Aabb { min: short(centre - half), max: short(centre + half) });
        }
    }

    fn advance(&mut self) {
        self.jumped.clear();
        for (i, (centre, step)) in (0..).zip(self.centres.iter_mut().zip(&mut self.steps)) {
            *centre += *step;
            for k in 0..3 {
                if (centre[k] < 0.0 && step[k] < 0.0) || (centre[k] > self.side[k] && step[k] > 0.0)
                {
                    step[k] = -step[k];
                }
            }
            if self.scene.jumps > 0.0 && self.random.chance(self.scene.jumps) {
                *centre = self.random.vector(0.0, 1.0).component_mul(&self.side);
                self.jumped.push(i);
            }
        }
        self.place();
    }
}

/// Something that finds the pairs of a step.
trait Rival {
    fn name(&self) -> String;
    fn step(&mut self, world: &World, into: &mut Vec<[u32; 2]>);
}

struct Ours(String, Box<dyn BroadPhase>);

impl Rival for Ours {
    fn name(&self) -> String {
        self.0.clone()
    }

    fn step(&mut self, world: &World, into: &mut Vec<[u32; 2]>) {
        let objects = Objects::moving(&world.boxes);
        // Never cancelled.
        let _ = self.1.update(&objects, &Control::NONE);
        let _ = self.1.pairs(&Control::NONE, into);
    }
}

/// The tree of parry3d: boxes are updated in place, those that jumped removed and inserted again.
struct Parry {
    optimize: bool,
    tree: Bvh,
    workspace: BvhWorkspace,
}

impl Parry {
    fn new(world: &World, optimize: bool) -> Self {
        let leaves: Vec<ParryAabb> = world.boxes.iter().flatten().map(parry_box).collect();
        let tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &leaves);
        Self { optimize, tree, workspace: BvhWorkspace::default() }
    }
}

fn parry_box(one: &Aabb) -> ParryAabb {
    let to = |p: &Point| ParryVector::new(p.x as f32, p.y as f32, p.z as f32);
    ParryAabb::new(to(&one.min), to(&one.max))
}

impl Rival for Parry {
    fn name(&self) -> String {
        if self.optimize { "parry, optimized".to_owned() } else { "parry".to_owned() }
    }

    fn step(&mut self, world: &World, into: &mut Vec<[u32; 2]>) {
        for &i in &world.jumped {
            self.tree.remove(i);
        }
        let mut jumped = world.jumped.iter().peekable();
        for (i, one) in (0u32..).zip(world.boxes.iter().flatten()) {
            if jumped.next_if_eq(&&i).is_none() {
                self.tree.insert_or_update_partially(parry_box(one), i, 0.0);
            }
        }
        self.tree.refit(&mut self.workspace);
        for &i in &world.jumped {
            if let Some(one) = &world.boxes[i as usize] {
                self.tree.insert(parry_box(one), i);
            }
        }
        if self.optimize {
            self.tree.optimize_incremental(&mut self.workspace);
        }
        let mut report = |a: u32, b: u32| into.push([a.min(b), a.max(b)]);
        self.tree.traverse_bvtt_single_tree::<false>(&mut self.workspace, &mut report);
    }
}

/// A sum over pairs that does not depend on their order.
fn checksum(pairs: &[[u32; 2]]) -> u64 {
    let of = |&[a, b]: &[u32; 2]| {
        let word = (u64::from(a) << 32 | u64::from(b)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (word ^ word >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    };
    pairs.iter().fold(0u64, |sum, pair| sum.wrapping_add(of(pair)))
}

/// Milliseconds of each step of each rival, and the mean number of pairs.
type Times = (Vec<Vec<f64>>, f64);

/// Runs all steps. Rivals take turns.
fn measure(
    world: &mut World,
    rivals: &mut [Box<dyn Rival>],
    steps: usize,
) -> Result<Times, Box<dyn Error>> {
    let mut times = vec![Vec::with_capacity(steps); rivals.len()];
    let (mut pairs, mut sum) = (Vec::new(), 0);
    for step in 0..steps {
        world.advance();
        let mut expected = None;
        for (rival, times) in rivals.iter_mut().zip(&mut times) {
            pairs.clear();
            let start = Instant::now();
            rival.step(world, &mut pairs);
            times.push(start.elapsed().as_secs_f64() * 1e3);
            let found = (pairs.len(), checksum(&pairs));
            let expected = *expected.get_or_insert(found);
            if found != expected {
                let name = rival.name();
                return Err(format!("step {step}: {name}: {found:?}, not {expected:?}").into());
            }
        }
        sum += pairs.len();
    }
    Ok((times, sum as f64 / steps as f64))
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_unstable_by(f64::total_cmp);
    times[times.len() / 2]
}

fn rivals(world: &World, words: Option<&str>) -> Vec<Box<dyn Rival>> {
    let mut all: Vec<Box<dyn Rival>> = Vec::new();
    let parry = words.is_none_or(|words| words.contains("parry"));
    for optimize in [false, true].into_iter().filter(|_| parry) {
        all.push(Box::new(Parry::new(world, optimize)));
    }
    for width in Width::ALL.into_iter().filter(|width| width.is_present()) {
        let phase = Box::new(BoxTree::new(Some(width)));
        all.push(Box::new(Ours(format!("box-tree, {width}"), phase)));
    }
    let ours = |phase: Box<dyn BroadPhase>| Box::new(Ours(phase.word().to_owned(), phase));
    if world.boxes.len() <= SLOW {
        all.push(ours(Box::<Sweep>::default()));
    }
    all.push(ours(Box::<Grid>::default()));
    all.push(ours(Box::<OctreeScene>::default()));
    let split = [8, 8, if world.scene.thick.is_some() { 1 } else { 8 }];
    if let Ok(phase) = Regions::new(RegionsParams { split, ..RegionsParams::default() }) {
        all.push(ours(Box::new(phase)));
    }
    let wanted =
        |name: String| words.is_none_or(|words| words.split(',').any(|w| name.contains(w)));
    all.retain(|one| wanted(one.name()));
    all
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut scenes = SCENES.to_vec();
    let (mut sizes, mut steps, mut words) = (Vec::new(), None, None);
    for argument in std::env::args().skip(1) {
        match argument.split_once('=') {
            Some(("steps", number)) => steps = Some(number.parse()?),
            Some(("scene", word)) => scenes.retain(|scene| scene.word == word),
            Some(("only", list)) => words = Some(list.to_owned()),
            _ => sizes.push(argument.parse()?),
        }
    }
    if sizes.is_empty() {
        sizes = vec![1_000, 10_000, 100_000];
    }
    println!(
        "| scene | objects | pairs | rival | tenth ms | median ms | mean ms | longest ms | ratio |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for scene in scenes {
        for &n in &sizes {
            let mut world = World::new(scene, n);
            let mut rivals = rivals(&world, words.as_deref());
            let steps = steps.unwrap_or(if n > 20_000 { 60 } else { 400 });
            let (mut times, pairs) = measure(&mut world, &mut rivals, steps)?;
            let medians: Vec<f64> = times.iter_mut().map(|times| median(times)).collect();
            let parry = rivals.iter().zip(&medians).filter(|(one, _)| one.name().contains("parry"));
            let parry = parry.fold(f64::INFINITY, |least, (_, &time)| least.min(time));
            for ((rival, times), middle) in rivals.iter().zip(&times).zip(medians) {
                let mean = times.iter().sum::<f64>() / times.len() as f64;
                let most = times.iter().fold(0.0f64, |most, &time| most.max(time));
                let (word, name, ratio) = (scene.word, rival.name(), parry / middle);
                let tenth = times[times.len() / 10];
                print!("| {word} | {n} | {pairs:.0} | {name} | {tenth:.4} | {middle:.4} ");
                println!("| {mean:.4} | {most:.3} | {ratio:.2} |");
            }
        }
    }
    Ok(())
}
