//! The battery for broad phases: brute force passes, and every kind of fault is noticed.

use impinge_geometry::volume::Aabb;
use impinge_query::broad::{BroadPhase, EveryPair};
use impinge_query::{Cancelled, Control};
use impinge_testkit::battery::pairs_of_boxes;

#[test]
fn all_against_all_passes() {
    let tally = pairs_of_boxes(&mut EveryPair).expect("right");
    assert!(tally.cases > 20_000, "{tally:?}");
}

/// A deliberate fault.
#[derive(Clone, Copy, Debug)]
enum Fault {
    /// Drops the first pair of a step with many pairs.
    Loses,
    /// Reports a pair twice.
    Repeats,
    /// Reports a pair with its indices swapped.
    Swaps,
    /// Assumes that nothing moved if the number of boxes is unchanged.
    Stays,
    /// Separates boxes that only touch.
    Opens,
    /// Continues after the caller has cancelled.
    GoesOn,
}

struct Faulty(Fault, Vec<Option<Aabb>>);

impl BroadPhase for Faulty {
    fn word(&self) -> &'static str {
        "faulty"
    }

    fn pairs(
        &mut self,
        boxes: &[Option<Aabb>],
        control: &Control<'_>,
        each: &mut dyn FnMut(u32, u32),
    ) -> Result<(), Cancelled> {
        if self.1.len() != boxes.len() || !matches!(self.0, Fault::Stays) {
            self.1 = boxes.to_vec();
        }
        if matches!(self.0, Fault::Opens) {
            for one in self.1.iter_mut().flatten() {
                one.max = one.max.map(f64::next_down);
            }
        }
        let mut pairs = Vec::new();
        let control = if matches!(self.0, Fault::GoesOn) { &Control::NONE } else { control };
        EveryPair.pairs(&self.1, control, &mut |a, b| pairs.push((a, b)))?;
        match self.0 {
            Fault::Loses if pairs.len() > 20 => drop(pairs.remove(0)),
            Fault::Repeats => pairs.extend_from_within(..pairs.len().min(1)),
            Fault::Swaps => pairs.iter_mut().take(1).for_each(|pair| *pair = (pair.1, pair.0)),
            _ => {}
        }
        for (a, b) in pairs {
            each(a, b);
        }
        Ok(())
    }
}

#[test]
fn every_fault_is_noticed() {
    for fault in
        [Fault::Loses, Fault::Repeats, Fault::Swaps, Fault::Stays, Fault::Opens, Fault::GoesOn]
    {
        let why = pairs_of_boxes(&mut Faulty(fault, Vec::new())).expect_err("noticed");
        assert!(why.starts_with("faulty"), "{fault:?}: {why}");
    }
}
