//! Sweeps beside parry3d's shape casts, on the same motions: bodies that turn by [`Pair::sweep_with`] and
//! `cast_shapes_nonlinear`, those that do not by [`Translations`] and `cast_shapes`.
//!
//! Bodies about 1 long come from 2 away, turn by any angle about their origin, which runs straight, or not
//! at all, and pass each other or meet. parry3d calculates in 32 bits, and a motion is rounded to them for it. Where
//! verdicts differ, the exact test judges at 4,000 poses of the motion, and, if that finds nothing, at
//! 4,000 more around the least distance.

use std::error::Error;

use impinge::continuous::translation::{TranslationBody, Translations};
use impinge::geometry::parry::{mesh_to_parry, pose_to_parry};
use impinge::query::Control;
use impinge::{Mesh, Pair, Pose, RigidMotion, Sweep, SweepOptions};
use impinge_benches::progress::Listener;
use impinge_models::Random;
use impinge_records::motions::{SweepRow, Sweeps};
use parry3d::math::Vector as Vec3;
use parry3d::query::{NonlinearRigidMotion, ShapeCastOptions, cast_shapes, cast_shapes_nonlinear};
use parry3d::shape::TriMesh;

use super::{Effort, PAIRS, Wanted, in_turns, named, spread};

/// Measures every pair of bodies, turning and straight.
///
/// # Errors
/// If a mesh or a motion is refused.
pub fn run(wanted: &Wanted, effort: Effort, listener: Listener<'_>) -> Result<Sweeps, String> {
    let mut rows = Vec::new();
    for (shapes, turning) in PAIRS.iter().flat_map(|pair| [(*pair, true), (*pair, false)]) {
        listener.stage("sweeps", rows.len(), 2 * PAIRS.len());
        let meshes = shapes.map(|shape| shape.mesh(wanted.triangles, 0));
        let row = Ours::new(&meshes, turning)
            .and_then(|ours| row(&meshes, turning, effort, named(shapes), ours));
        rows.push(row.map_err(|error| format!("{}: {error}", named(shapes)))?);
    }
    let about = "a body comes from two lengths away and passes another or meets it".to_owned();
    let Wanted { word: scene, triangles, .. } = wanted.clone();
    Ok(Sweeps { scene, about, triangles, motions: effort.queries, rows })
}

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
    /// Says the opposite.
    #[cfg(test)]
    Liar(Box<Self>),
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
            #[cfg(test)]
            Self::Liar(ours) => Ok(ours.touches(motion)?.map(|touches| !touches)),
        }
    }
}

fn row(
    meshes: &[Mesh; 2],
    turning: bool,
    effort: Effort,
    bodies: String,
    mut ours: Ours,
) -> Result<SweepRow, Box<dyn Error>> {
    let mut pair = Pair::new(&meshes[0], &meshes[1])?;
    let [p, q] = meshes.each_ref().map(mesh_to_parry);
    let others = [p?, q?];
    let cast = if turning { cast } else { cast_straight };
    let mut random = Random::stream(0x5cec, effort.seed);
    let motions = (0..effort.queries).map(|_| motion(&mut random, turning));
    let motions = motions.collect::<Result<Vec<_>, _>>()?;
    let (mut own, mut other) = in_turns(
        motions.len(),
        |query| ours.touches(&motions[query]),
        |query| cast(&others, &motions[query]),
    )?;
    let [mut hits, mut wrong, mut undecided, mut missed, mut invented] = [0; 5];
    for (motion, (&own, &other)) in motions.iter().zip(own.answers.iter().zip(&other.answers)) {
        hits += usize::from(own == Some(true));
        undecided += usize::from(own.is_none());
        if own.is_some() && other == own {
            continue;
        }
        let truth = judged(&mut pair, motion)?;
        wrong += usize::from(own.is_some_and(|own| own != truth));
        missed += usize::from(truth && other == Some(false));
        invented += usize::from(!truth && other == Some(true));
    }
    let (ours, theirs) = (spread(&mut own.times_us), spread(&mut other.times_us));
    Ok(SweepRow { bodies, turning, hits, ours, theirs, wrong, undecided, missed, invented })
}

/// A way past the origin, from 2 away to 2 away; its middle is up to 1.8 beside it.
fn motion(random: &mut Random, turning: bool) -> Result<RigidMotion, Box<dyn Error>> {
    let ahead = random.unit_vector();
    let beside = ahead.cross(&random.unit_vector()).normalize() * random.range(0.0, 1.8);
    let (from, to) = (beside - ahead * 2.0, beside + ahead * 2.0);
    let [start, mut end] = [from, to].map(|at| random.turned_to(at));
    if !turning {
        end = Pose::new(*start.rotation(), *end.translation())?;
    }
    Ok(RigidMotion::new(&start, &end)?)
}

#[cfg(test)]
mod tests {
    use impinge::models::Shape;

    use super::*;

    /// Each wrong answer is counted, and of the motions some hit and some miss.
    #[test]
    fn an_answer_that_is_not_true_is_counted() {
        let effort = Effort { queries: 30, seed: 3 };
        for turning in [false, true] {
            let meshes = [Shape::Sphere, Shape::Cube].map(|shape| shape.mesh(60, 0));
            let ours = || Ours::new(&meshes, turning).expect("prepared");
            let told = |ours| row(&meshes, turning, effort, String::new(), ours).expect("measured");
            let (right, wrong) = (told(ours()), told(Ours::Liar(Box::new(ours()))));
            assert_eq!((right.wrong, wrong.wrong), (0, 30 - wrong.undecided));
            assert!((6..=24).contains(&right.hits), "{right:?}");
        }
    }
}
