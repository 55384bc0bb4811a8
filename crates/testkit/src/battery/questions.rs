//! All questions in random orders with one memory, by seeded plans: soups with troublesome
//! coordinates, and closed bodies.

use impinge_geometry::{Mesh, Pose};
use impinge_models::{Random, Shape};
use impinge_query::Detector;

use super::plan::Plan;
use super::{Outcome, Tally, soup};

/// Plans of soups, drawn from bytes as in the fuzz target `query`.
pub fn questions_of_soups(detector: &dyn Detector) -> Outcome {
    let mut tally = Tally::default();
    for index in 0..40 {
        let mut random = Random::stream(0x9a11, index);
        let bytes: Vec<u8> = (0..190).map(|_| random.below(256) as u8).collect();
        let Some(plan) = soup::plan(&bytes) else { continue };
        judge(&plan, detector, &mut tally).map_err(|e| format!("soup {index}: {e}"))?;
    }
    tally.balanced()
}

/// Plans of closed bodies, one inside, beside, or across the other.
pub fn questions_of_bodies(detector: &dyn Detector) -> Outcome {
    let mut tally = Tally::default();
    for (index, (a, b, reach)) in (0u64..).zip(bodies()?) {
        for round in 0..2 {
            let mut random = Random::stream(0x9b0d + index, round);
            let first = random.pose(reach);
            let near: Vec<Pose> = (0..3).map(|_| random.pose(reach)).collect();
            let poses = [first, near[0], near[1], near[2]];
            let mut choices = (0..70).map(|_| random.below(256) as u8);
            let plan = Plan::draw([a.clone(), b.clone()], &poses, true, &mut choices);
            judge(&plan, detector, &mut tally)
                .map_err(|e| format!("bodies {index}, round {round}: {e}"))?;
        }
    }
    tally.balanced()
}

fn judge(plan: &Plan, detector: &dyn Detector, tally: &mut Tally) -> Result<(), String> {
    let Tally { cases, hits } = plan.judge(detector)?;
    tally.cases += cases;
    tally.hits += hits;
    Ok(())
}

/// Pairs of closed bodies, with the reach of random poses of the second.
fn bodies() -> Result<Vec<(Mesh, Mesh, f64)>, String> {
    let scaled = |m: Mesh, by: f64| m.scaled(by).map_err(|e| e.to_string());
    let cube = |by: f64| scaled(Shape::Cube.mesh(12, 0), by);
    let shell = Mesh::union([&cube(2.0)?, &cube(1.5)?.flipped()]).map_err(|e| e.to_string())?;
    let hull = |by: f64| scaled(Shape::Hull.mesh(16, 5), by);
    Ok(vec![
        (cube(1.0)?, cube(0.75)?, 1.0),
        (hull(1.0)?, cube(0.5)?, 0.7),
        (shell, cube(0.2)?, 1.0),
        (hull(0.2)?, cube(1.0)?, 0.3),
        (cube(1.0)?.flipped(), hull(0.3)?, 0.9),
        (cube(1e-9)?, hull(1e-9)?, 1.2e-9),
        (hull(1e12)?, hull(2e11)?, 8e11),
    ])
}
