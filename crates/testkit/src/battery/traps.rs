//! The traps of [`meshes`]: cases in which collision libraries are known to fail.

use impinge_query::{Ask, Detector, Meaning};

use super::examiner::Examiner;
use super::{Outcome, Tally};
use crate::cases::meshes;
use crate::oracle;

/// Every trap, as surfaces and, if both meshes are closed, as solids.
pub fn traps(detector: &dyn Detector) -> Outcome {
    let mut tally = Tally::default();
    for trap in meshes::traps() {
        let named = |e: String| format!("trap \"{}\": {e}", trap.name);
        let mut examiner =
            Examiner::new(detector, trap.a.clone(), trap.b.clone()).map_err(named)?;
        let hit = examiner.judge(&trap.pose).map_err(named)?;
        tally.count(hit);
        let asks_solids = detector.describe().meanings.contains(&Meaning::Solids);
        if trap.solids_ok && asks_solids {
            let posed = trap.b.posed(&trap.pose).map_err(|e| named(e.to_string()))?;
            let expected = oracle::solids(&trap.a, &posed);
            let answer = examiner.ask(&trap.pose, &Ask::first_contact().solids()).map_err(named)?;
            if answer.verdict.word() != expected.word() {
                return Err(named(format!("{:?} as solids, not {expected:?}", answer.verdict)));
            }
        }
    }
    Ok(tally)
}
