//! Sweeps beside parry3d's shape casts, on the same motions: bodies that turn by [`Pair::sweep_with`] and
//! `cast_shapes_nonlinear`, those that do not by [`Translations`] and `cast_shapes`.
//!
//! ```text
//! cargo run --release -p impinge-peers --example casts -- [TRIANGLES] [MOTIONS]
//! ```
//! Bodies about 1 long come from 1.2 away, turn by any angle about their origin, which runs straight, or not
//! at all, and pass each other or meet. parry3d calculates in 32 bits, and a motion is rounded to them for it. Where
//! verdicts differ, the exact test judges at 4,000 poses of the motion, and, if that finds nothing, at
//! 4,000 more around the least distance. Prints the share of contacts, medians and 90th percentiles of
//! times, and wrong verdicts.

use std::error::Error;
use std::time::Instant;

use impinge::continuous::translation::{TranslationBody, Translations};
use impinge::geometry::parry::{mesh_to_parry, pose_to_parry};
use impinge::models::Shape;
use impinge::query::Control;
use impinge::{Mesh, Pair, Pose, RigidMotion, Sweep, SweepOptions};
use impinge_models::Random;
use parry3d::math::Vector as Vec3;
use parry3d::query::{NonlinearRigidMotion, ShapeCastOptions, cast_shapes, cast_shapes_nonlinear};
use parry3d::shape::TriMesh;

const PAIRS: [[Shape; 2]; 4] = [
    [Shape::Teapot; 2],
    [Shape::Hand, Shape::Gear],
    [Shape::Torus, Shape::Trefoil],
    [Shape::Sphere, Shape::Cube],
];

/// Whether the bodies meet on the way, by the exact test at many poses.
fn judged(pair: &mut Pair, motion: &RigidMotion) -> Result<bool, impinge::Error> {
    const SAMPLES: u32 = 4_000;
    let (mut nearest, mut at) = (f64::INFINITY, 0.0);
    for k in 0..=SAMPLES {
        let t = f64::from(k) / f64::from(SAMPLES);
        let distance = pair.distance(&motion.pose_at(t))?.distance;
        if distance == 0.0 {
            return Ok(true);
        }
        if distance < nearest {
            (nearest, at) = (distance, t);
        }
    }
    let width = 1.0 / f64::from(SAMPLES);
    for k in 0..=SAMPLES {
        let t = at + width * (2.0 * f64::from(k) / f64::from(SAMPLES) - 1.0);
        if pair.intersects(&motion.pose_at(t))? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// parry3d's verdict, `None` if it has none.
fn cast(meshes: &[TriMesh; 2], motion: &RigidMotion) -> Result<Option<bool>, Box<dyn Error>> {
    let narrow = |v: impinge::Vector| Vec3::new(v.x as f32, v.y as f32, v.z as f32);
    let way = motion.end().translation() - motion.start().translation();
    let moving = NonlinearRigidMotion::new(
        pose_to_parry(motion.start())?,
        Vec3::ZERO,
        narrow(way),
        narrow(motion.axis() * motion.angle()),
    );
    let still = NonlinearRigidMotion::identity();
    let [a, b] = meshes;
    let hit = cast_shapes_nonlinear(&still, a, &moving, b, 0.0, 1.0, true);
    Ok(hit.ok().map(|hit| hit.is_some()))
}

/// The same for a motion without a turn.
fn cast_straight(
    meshes: &[TriMesh; 2],
    motion: &RigidMotion,
) -> Result<Option<bool>, Box<dyn Error>> {
    let way = motion.end().translation() - motion.start().translation();
    let velocity = Vec3::new(way.x as f32, way.y as f32, way.z as f32);
    let (still, start) = (pose_to_parry(&Pose::identity())?, pose_to_parry(motion.start())?);
    let [a, b] = meshes;
    let options = ShapeCastOptions::with_max_time_of_impact(1.0);
    let hit = cast_shapes(&still, Vec3::ZERO, a, &start, velocity, b, options);
    Ok(hit.ok().map(|hit| hit.is_some()))
}

/// Our answer: whether they touch, `None` if that is undecided.
enum Ours {
    Turning(Box<Pair>),
    Straight(Box<[TranslationBody; 2]>),
}

impl Ours {
    fn new(meshes: &[Mesh; 2], turning: bool) -> Result<Self, Box<dyn Error>> {
        let [a, b] = meshes;
        let straight = |mesh| TranslationBody::new(mesh, &Control::NONE);
        Ok(if turning {
            Self::Turning(Box::new(Pair::new(a, b)?))
        } else {
            Self::Straight(Box::new([straight(a)?, straight(b)?]))
        })
    }

    fn touches(&mut self, motion: &RigidMotion) -> Result<Option<bool>, Box<dyn Error>> {
        match self {
            Self::Turning(pair) => {
                let swept = pair.sweep_with(motion, &SweepOptions::default(), &Control::NONE)?;
                let decided = !matches!(swept.outcome, Sweep::Undecided { .. });
                Ok(decided.then_some(swept.outcome.is_touching()))
            }
            Self::Straight(bodies) => {
                let [a, b] = &**bodies;
                let way = motion.end().translation() - motion.start().translation();
                let pair = Translations::new(a, b, motion.start());
                Ok(Some(pair.first_contact(&way, [0.0, 1.0], &Control::NONE)?.is_some()))
            }
        }
    }
}

fn percentile(values: &mut [f64], share: f64) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values[((values.len() - 1) as f64 * share) as usize]
}

/// What some motions took, and how verdicts compare.
#[derive(Default)]
struct Row {
    ours: Vec<f64>,
    theirs: Vec<f64>,
    hits: usize,
    wrong: usize,
    missed: usize,
    invented: usize,
}

impl Row {
    fn of(
        shapes: [Shape; 2],
        turning: bool,
        [triangles, motions]: [usize; 2],
    ) -> Result<Self, Box<dyn Error>> {
        let mut row = Self::default();
        let meshes = shapes.map(|shape| shape.mesh(triangles, 0));
        let mut pair = Pair::new(&meshes[0], &meshes[1])?;
        let mut ours = Ours::new(&meshes, turning)?;
        let [p, q] = meshes.each_ref().map(mesh_to_parry);
        let others = [p?, q?];
        let mut random = Random::stream(0x5cec, 1);
        for _ in 0..motions {
            let from = random.unit_vector() * 1.2;
            let to = random.in_ball() * 1.6 - from;
            let [start, mut end] = [from, to].map(|at| random.turned_to(at));
            if !turning {
                end = Pose::new(*start.rotation(), *end.translation())?;
            }
            let motion = RigidMotion::new(&start, &end)?;
            let clock = Instant::now();
            let own = ours.touches(&motion)?;
            row.ours.push(clock.elapsed().as_secs_f64() * 1e6);
            let clock = Instant::now();
            let cast = if turning { cast } else { cast_straight };
            let other = cast(&others, &motion)?;
            row.theirs.push(clock.elapsed().as_secs_f64() * 1e6);
            row.hits += usize::from(own == Some(true));
            if own.is_some() && other == own {
                continue;
            }
            let truth = judged(&mut pair, &motion)?;
            row.wrong += usize::from(own.is_some_and(|own| own != truth));
            row.missed += usize::from(truth && other == Some(false));
            row.invented += usize::from(!truth && other == Some(true));
        }
        Ok(row)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut numbers = std::env::args().skip(1).map(|word| word.parse::<usize>());
    let triangles = numbers.next().transpose()?.unwrap_or(1_000);
    let motions = numbers.next().transpose()?.unwrap_or(50).max(1);
    println!("{triangles} triangles a body, {motions} motions; times in µs, p50 and p90");
    println!(
        "bodies            course    hits%           impinge             parry3d  wrong  parry missed  invented"
    );
    for (shapes, turning) in PAIRS.iter().flat_map(|pair| [(*pair, true), (*pair, false)]) {
        let mut row = Row::of(shapes, turning, [triangles, motions])?;
        let share = 100.0 * row.hits as f64 / motions as f64;
        let [p, q] = [0.5, 0.9].map(|share| percentile(&mut row.ours, share));
        let [r, s] = [0.5, 0.9].map(|share| percentile(&mut row.theirs, share));
        let Row { wrong, missed, invented, .. } = row;
        println!(
            "{:<16} {:<9} {share:>5.0} {p:>8.0} {q:>8.0} {r:>10.0} {s:>8.0} {wrong:>6} {missed:>13} {invented:>9}",
            format!("{}, {}", shapes[0], shapes[1]),
            if turning { "turning" } else { "straight" },
        );
    }
    Ok(())
}
