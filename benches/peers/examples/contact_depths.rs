//! Depths of penetration beside parry3d's `contact`.
//!
//! ```text
//! cargo run --release -p impinge-peers --example contact_depths -- [TRIANGLES] [POSES]
//! ```
//! Two bodies about 1 long, B turned at random, some 5 % of its diagonal beyond its last contact with A along
//! a random direction, as solids. Ours is [`Pair::penetration_with`], an interval of 10 %. parry3d tells a
//! depth and a normal of two triangles; B is moved that far along the normal, and a thousandth farther for
//! its 32 bits, and the exact test tells whether they are then apart. Prints medians and 90th percentiles of
//! times in µs, how often parry3d's translation parts the bodies, and the median of its depth over our upper
//! bound.

use std::error::Error;
use std::time::Instant;

use impinge::geometry::parry::{mesh_to_parry, pose_to_parry};
use impinge::models::Shape;
use impinge::query::{Control, Meaning};
use impinge::{Pair, PenetrationOptions, Pose, Vector, Way};
use impinge_models::Random;
use parry3d::query::contact;

const PAIRS: [[Shape; 2]; 4] = [
    [Shape::Teapot; 2],
    [Shape::Hand, Shape::Gear],
    [Shape::Torus, Shape::Trefoil],
    [Shape::Sphere, Shape::Cube],
];

fn percentile(values: &mut [f64], share: f64) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values.get(((values.len().max(1) - 1) as f64 * share) as usize).copied().unwrap_or(f64::NAN)
}

/// What some poses took, and how depths compare.
#[derive(Default)]
struct Row {
    ours: Vec<f64>,
    theirs: Vec<f64>,
    /// Depths of parry3d over upper bounds.
    shares: Vec<f64>,
    /// Translations of parry3d that part the bodies.
    parted: usize,
    none: usize,
}

impl Row {
    fn of(shapes: [Shape; 2], triangles: usize, poses: usize) -> Result<Self, Box<dyn Error>> {
        let mut row = Self::default();
        let meshes = shapes.map(|shape| shape.mesh(triangles, 0));
        let mut pair = Pair::new(&meshes[0], &meshes[1])?;
        let [p, q] = meshes.each_ref().map(mesh_to_parry);
        let others = [p?, q?];
        let meaning = if meshes.iter().all(|m| impinge::geometry::Topology::new(m).closed().is_ok())
        {
            Meaning::Solids
        } else {
            Meaning::Surfaces
        };
        let options = PenetrationOptions { width: 0.1, ..PenetrationOptions::default() };
        let options = PenetrationOptions { meaning, ..options };
        let depth = 0.05 * meshes[1].diagonal();
        let mut random = Random::stream(0xdee9, 1);
        for _ in 0..poses {
            let (direction, turned) = (random.unit_vector(), random.turned_to(Vector::zeros()));
            let (way, none) = (Way::LastContact, &Control::NONE);
            let exit = pair.exit_with(&turned, &direction, way, Meaning::Surfaces, none)?;
            let at = direction * (exit.by - depth);
            let pose = Pose::new(*turned.rotation(), at)?;
            let clock = Instant::now();
            let own = pair.penetration_with(&pose, &options, none)?;
            row.ours.push(clock.elapsed().as_secs_f64() * 1e6);
            let (still, placed) = (pose_to_parry(&Pose::identity())?, pose_to_parry(&pose)?);
            let clock = Instant::now();
            let found = contact(&still, &others[0], &placed, &others[1], 0.0)?;
            row.theirs.push(clock.elapsed().as_secs_f64() * 1e6);
            let Some(found) = found else {
                row.none += 1;
                continue;
            };
            row.shares.push((-f64::from(found.dist)).max(0.0) / own.upper);
            let n = found.normal1;
            let out = Vector::new(n.x.into(), n.y.into(), n.z.into());
            let moved = at + out * (-f64::from(found.dist) * 1.001);
            let after = Pose::new(*turned.rotation(), moved)?;
            let apart = if meaning == Meaning::Solids {
                !pair.collide_solids(&after)?.is_hit()
            } else {
                !pair.intersects(&after)?
            };
            row.parted += usize::from(apart);
        }
        Ok(row)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut numbers = std::env::args().skip(1).map(|word| word.parse::<usize>());
    let triangles = numbers.next().transpose()?.unwrap_or(1_000);
    let poses = numbers.next().transpose()?.unwrap_or(50).max(1);
    println!("{triangles} triangles a body, {poses} poses; times in µs, p50 and p90");
    println!(
        "bodies                     impinge             parry3d  parted  no contact  depth over ours"
    );
    for shapes in PAIRS {
        let mut row = Row::of(shapes, triangles, poses)?;
        let [p, q] = [0.5, 0.9].map(|share| percentile(&mut row.ours, share));
        let [r, s] = [0.5, 0.9].map(|share| percentile(&mut row.theirs, share));
        let share = percentile(&mut row.shares, 0.5);
        let Row { parted, none, .. } = row;
        println!(
            "{:<16} {p:>8.0} {q:>8.0} {r:>10.0} {s:>8.0} {parted:>7} {none:>11} {share:>16.4}",
            format!("{}, {}", shapes[0], shapes[1]),
        );
    }
    Ok(())
}
