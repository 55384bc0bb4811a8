//! Depths of penetration beside parry3d's `contact`.
//!
//! Two bodies about 1 long, B turned at random, some 5 % of its diagonal beyond its last contact with A along
//! a random direction, as solids. Ours is [`Pair::penetration_with`], an interval of 10 %. parry3d tells a
//! depth and a normal of two triangles; B is moved that far along the normal, and a thousandth farther for
//! its 32 bits, and the exact test tells whether they are then apart.

use std::error::Error;

use impinge::geometry::Topology;
use impinge::geometry::parry::{mesh_to_parry, pose_to_parry};
use impinge::models::Shape;
use impinge::query::{Control, Meaning};
use impinge::{Pair, Penetration, PenetrationOptions, Pose, Vector, Way};
use impinge_benches::progress::Listener;
use impinge_benches::timing::summary::percentile;
use impinge_models::Random;
use impinge_records::motions::{DepthRow, Depths};
use parry3d::query::contact;

use super::{Effort, PAIRS, Wanted, in_turns, named, spread};

/// The width of our intervals, relative to the upper bound.
const WIDTH: f64 = 0.1;
/// How deep B is in A along a direction, relative to its diagonal.
const DEPTH: f64 = 0.05;

/// Measures every pair of bodies.
///
/// # Errors
/// If a mesh or a pose is refused.
pub fn run(wanted: &Wanted, effort: Effort, listener: Listener<'_>) -> Result<Depths, String> {
    let mut rows = Vec::new();
    for shapes in PAIRS {
        listener.stage("depths", rows.len(), PAIRS.len());
        let row = row(shapes, wanted.triangles, effort, &ours);
        rows.push(row.map_err(|error| format!("{}: {error}", named(shapes)))?);
    }
    let about =
        "a body is moved back into another, by 5 % of its diagonal from where they last touch";
    let Wanted { word: scene, triangles, .. } = wanted.clone();
    Ok(Depths { scene, about: about.to_owned(), triangles, poses: effort.queries, rows })
}

/// What we say about a pair.
type Ours<'o> = &'o dyn Fn(&mut Pair, &Pose, Meaning) -> Result<Penetration, impinge::Error>;

fn ours(pair: &mut Pair, pose: &Pose, meaning: Meaning) -> Result<Penetration, impinge::Error> {
    let options = PenetrationOptions { width: WIDTH, meaning, ..PenetrationOptions::default() };
    pair.penetration_with(pose, &options, &Control::NONE)
}

fn row(
    shapes: [Shape; 2],
    triangles: usize,
    effort: Effort,
    ours: Ours<'_>,
) -> Result<DepthRow, Box<dyn Error>> {
    let meshes = shapes.map(|shape| shape.mesh(triangles, 0));
    let mut pair = Pair::new(&meshes[0], &meshes[1])?;
    let [p, q] = meshes.each_ref().map(mesh_to_parry);
    let others = [p?, q?];
    let closed = meshes.iter().all(|mesh| Topology::new(mesh).closed().is_ok());
    let meaning = if closed { Meaning::Solids } else { Meaning::Surfaces };
    let depth = DEPTH * meshes[1].diagonal();
    let mut random = Random::stream(0xdee9, effort.seed);
    let poses = (0..effort.queries).map(|_| placed(&mut pair, depth, &mut random));
    let poses = poses.collect::<Result<Vec<Pose>, _>>()?;
    let still = pose_to_parry(&Pose::identity())?;
    let placed = poses.iter().map(pose_to_parry).collect::<Result<Vec<_>, _>>()?;
    let (mut own, mut other) = in_turns(
        poses.len(),
        |query| Ok::<_, Box<dyn Error>>(ours(&mut pair, &poses[query], meaning)?),
        |query| Ok(contact(&still, &others[0], &placed[query], &others[1], 0.0)?),
    )?;
    let (mut widths, mut shares) = (Vec::new(), Vec::new());
    let [mut wrong, mut parted, mut none] = [0; 3];
    for (pose, (own, found)) in poses.iter().zip(own.answers.iter().zip(&other.answers)) {
        let moved = |by: Vector| Pose::new(*pose.rotation(), pose.translation() + by);
        wrong += usize::from(!are_apart(&mut pair, &moved(own.translation)?, meaning)?);
        widths.push((own.upper - own.lower) / own.upper);
        let Some(found) = found else {
            none += 1;
            continue;
        };
        let deep = -f64::from(found.dist);
        shares.push(deep.max(0.0) / own.upper);
        let n = found.normal1;
        let out = Vector::new(n.x.into(), n.y.into(), n.z.into());
        parted += usize::from(are_apart(&mut pair, &moved(out * (deep * 1.001))?, meaning)?);
    }
    widths.sort_unstable_by(f64::total_cmp);
    shares.sort_unstable_by(f64::total_cmp);
    Ok(DepthRow {
        bodies: named(shapes),
        ours: spread(&mut own.times_us),
        theirs: spread(&mut other.times_us),
        width: percentile(&widths, 0.5),
        wrong,
        parted,
        none,
        share: (!shares.is_empty()).then(|| percentile(&shares, 0.5)),
    })
}

/// B turned at random, so deep in A along a random direction from where they last touch.
fn placed(pair: &mut Pair, depth: f64, random: &mut Random) -> Result<Pose, Box<dyn Error>> {
    let (direction, turned) = (random.unit_vector(), random.turned_to(Vector::zeros()));
    let (way, surfaces) = (Way::LastContact, Meaning::Surfaces);
    let exit = pair.exit_with(&turned, &direction, way, surfaces, &Control::NONE)?;
    Ok(Pose::new(*turned.rotation(), direction * (exit.by - depth))?)
}

/// The exact test.
fn are_apart(pair: &mut Pair, pose: &Pose, meaning: Meaning) -> Result<bool, impinge::Error> {
    Ok(!match meaning {
        Meaning::Solids => pair.collide_solids(pose)?.is_hit(),
        Meaning::Surfaces => pair.intersects(pose)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A translation that does not part the bodies is counted.
    #[test]
    fn a_way_out_that_is_too_short_is_counted() {
        let effort = Effort { queries: 5, seed: 2 };
        let told = |ours: Ours<'_>| {
            row([Shape::Sphere, Shape::Cube], 60, effort, ours).expect("measured").wrong
        };
        let short = |pair: &mut Pair, pose: &Pose, meaning: Meaning| {
            let mut own = ours(pair, pose, meaning)?;
            own.translation *= 0.5;
            Ok(own)
        };
        assert_eq!((told(&ours), told(&short)), (0, 5));
    }
}
