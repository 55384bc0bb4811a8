//! Distances compared with exact rational ones.

use impinge_query::{Ask, Detector, QuestionKind};

use super::examiner::Examiner;
use super::pairs::{pairs, pose};
use super::{Outcome, Tally};
use crate::oracle;

/// The bound of `docs/conventions.md`: 16 units of rounding of the largest coordinate
/// difference; here of the whole posed pair's extent, which is never smaller.
const UNITS: f64 = 16.0 * f64::EPSILON / 2.0;

/// The distance of posed meshes and its witness points, and "nearer than" on both sides of it.
/// Engines that do not answer `Distance` pass.
pub fn distances(detector: &dyn Detector) -> Outcome {
    let mut tally = Tally::default();
    for pair in pairs().iter().take(2) {
        let mut examiner = Examiner::new(detector, pair.a.clone(), pair.b.clone())?;
        if !examiner.answers(QuestionKind::Distance) {
            return Ok(tally);
        }
        for index in 0..16 {
            let pose = pose(pair, 6, index);
            let posed = pair.b.posed(&pose).map_err(|e| e.to_string())?;
            let truth = oracle::mesh_distance(&pair.a, &posed);
            let hit = judge(&mut examiner, &pose, truth, pair.reach)
                .map_err(|e| format!("{} pose {index}: {e}", pair.name))?;
            tally.count(hit);
        }
    }
    tally.balanced()
}

fn judge(
    examiner: &mut Examiner<'_>,
    pose: &impinge_geometry::Pose,
    truth: f64,
    reach: f64,
) -> Result<bool, String> {
    // A cap concerns contacts and must not matter here.
    let answer = examiner.ask(pose, &Ask::distance().capped(0))?;
    let nearest = answer.nearest.ok_or("no distance in the answer")?;
    let allowed = UNITS * 4.0 * reach;
    if (nearest.distance - truth).abs() > allowed || (truth == 0.0) != (nearest.distance == 0.0) {
        return Err(format!("distance {:e}, not {truth:e}", nearest.distance));
    }
    let apart = (nearest.on_a - nearest.on_b).norm();
    if (apart - nearest.distance).abs() > allowed {
        return Err(format!("witness points {apart:e} apart at distance {truth:e}"));
    }
    if (truth == 0.0) != answer.verdict.is_hit() {
        return Err(format!("distance {truth:e} with verdict {:?}", answer.verdict));
    }
    if examiner.answers(QuestionKind::NearerThan) {
        for (d, expected) in [(truth + 2.0 * allowed, true), (truth - 2.0 * allowed, false)] {
            if d < 0.0 {
                continue;
            }
            let nearer = examiner.ask(pose, &Ask::nearer_than(d))?.nearer;
            if nearer != Some(expected) {
                return Err(format!("nearer than {d:e} is {nearer:?} at distance {truth:e}"));
            }
        }
    }
    Ok(truth == 0.0)
}
