//! A long coherent motion with one memory, compared at every step, with jumps in between.

use impinge_geometry::Pose;
use impinge_models::Random;
use impinge_query::Detector;

use super::examiner::Examiner;
use super::pairs::{pairs, pose};
use super::{Outcome, Tally};

/// 240 steps of a random walk with a jump every 40, one memory throughout. Then the same memory is
/// used for another pair, and must not answer for the first.
pub fn random_walk(detector: &dyn Detector) -> Outcome {
    let mut tally = Tally::default();
    let all = pairs();
    let mut examiner = Examiner::new(detector, all[0].a.clone(), all[0].b.clone())?;
    let mut random = Random::new(3);
    let mut place = pose(&all[0], 3, 0);
    for step in 0..240u64 {
        place = if step % 40 == 39 {
            pose(&all[0], 3, step)
        } else {
            let small = random.vector(-0.02, 0.02) * all[0].reach;
            let turn =
                Pose::from_quaternion([0.0; 3], nudge(&mut random)).map_err(|e| e.to_string())?;
            let turned = place.then_inner(&turn);
            Pose::new(*turned.rotation(), place.translation() + small).map_err(|e| e.to_string())?
        };
        let hit = examiner.judge(&place).map_err(|e| format!("step {step}: {e}"))?;
        tally.count(hit);
    }
    other_pair(examiner, detector)?;
    tally.balanced()
}

/// A rotation by at most about four degrees.
fn nudge(random: &mut Random) -> [f64; 4] {
    let v = random.vector(-0.02, 0.02);
    [v.x, v.y, v.z, (1.0 - v.norm_squared()).sqrt()]
}

fn other_pair(old: Examiner<'_>, detector: &dyn Detector) -> Result<(), String> {
    let other = &pairs()[1];
    let mut examiner = Examiner::new(detector, other.a.clone(), other.b.clone())?;
    examiner.memory = old.memory;
    for index in 0..20 {
        examiner
            .judge(&pose(other, 4, index))
            .map_err(|e| format!("stale memory, pose {index}: {e}"))?;
    }
    Ok(())
}
