//! Checks that exact tests are counted. No filter is certain that coplanar faces share a point, so
//! every exact method must report that it fell back to exact arithmetic.

use impinge_query::{Ask, Detector};

use super::examiner::Examiner;
use super::{Outcome, Tally};
use crate::cases::meshes;

/// Queries the coplanar traps with counting: some tests are exact, and at most all of them. Meshes
/// that the method refuses are skipped.
pub fn exact_tests_are_counted(detector: &dyn Detector) -> Outcome {
    let mut tally = Tally::default();
    let mut exact = 0;
    for trap in meshes::coplanar() {
        let named = |e: String| format!("trap \"{}\": {e}", trap.name);
        let examiner = Examiner::if_taken(detector, trap.a.clone(), trap.b.clone());
        let Some(mut examiner) = examiner.map_err(named)? else { continue };
        for ask in [Ask::first_contact(), Ask::all_contacts()].map(Ask::counted) {
            if detector.describe().check(&ask).is_err() {
                continue;
            }
            let answer = examiner.ask(&trap.pose, &ask).map_err(named)?;
            let s = answer.statistics.ok_or("no statistics").map_err(|e| named(e.to_owned()))?;
            if s.exact_tests > s.primitive_tests {
                return Err(named(format!("{} of {}", s.exact_tests, s.primitive_tests)));
            }
            exact += s.exact_tests;
            tally.count(answer.verdict.is_hit());
        }
    }
    if exact == 0 { Err("no exact test was counted".to_owned()) } else { Ok(tally) }
}
