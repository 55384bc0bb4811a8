//! The battery for broad phases: brute force passes, and every kind of fault is noticed.

use impinge_geometry::volume::Aabb;
use impinge_query::broad::{BroadPhase, EveryPair, Objects};
use impinge_query::{Cancelled, Control};
use impinge_testkit::battery::pairs_of_boxes;

#[test]
fn all_against_all_passes() {
    let tally = pairs_of_boxes(&mut EveryPair::default()).expect("right");
    assert!(tally.cases > 20_000, "{tally:?}");
}

/// A deliberate fault.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    /// Drops the first pair of a step with many pairs.
    Loses,
    /// Reports a pair twice.
    Repeats,
    /// Reports a pair with its indices swapped.
    Swaps,
    /// Assumes that nothing moved if the number of boxes is unchanged.
    Stays,
    /// Assumes that a box whose least corner is where it was has its old size.
    Rigid,
    /// Separates boxes that only touch.
    Opens,
    /// Continues after the caller has cancelled a search.
    GoesOn,
    /// Continues after the caller has cancelled an update.
    TakesIn,
    /// Keeps the objects of a cancelled update.
    Keeps,
    /// Reports pairs of fixed objects.
    MovesAll,
    /// Empties the caller's list.
    Empties,
    /// Does not see the last object as a neighbour.
    Forgets,
}

struct Faulty {
    fault: Fault,
    boxes: Vec<Option<Aabb>>,
    within: EveryPair,
}

impl BroadPhase for Faulty {
    fn word(&self) -> &'static str {
        "faulty"
    }

    fn clear(&mut self) {
        self.within.clear();
    }

    fn take_in(&mut self, objects: &Objects<'_>, control: &Control<'_>) -> Result<(), Cancelled> {
        let before = self.boxes.clone();
        if self.boxes.len() != objects.boxes.len() || self.fault != Fault::Stays {
            self.boxes = objects.boxes.to_vec();
        }
        if self.fault == Fault::Rigid {
            for (one, before) in self.boxes.iter_mut().zip(before) {
                match (one, before) {
                    (Some(one), Some(before)) if one.min == before.min => *one = before,
                    _ => {}
                }
            }
        }
        if self.fault == Fault::Opens {
            for one in self.boxes.iter_mut().flatten() {
                one.max = one.max.map(f64::next_down);
            }
        }
        let control = if self.fault == Fault::TakesIn { &Control::NONE } else { control };
        let fixed = if self.fault == Fault::MovesAll { &[] } else { objects.fixed };
        let objects = Objects { boxes: &self.boxes, fixed };
        let kept = self.within.clone();
        let outcome = self.within.update(&objects, control);
        if outcome.is_err() && self.fault == Fault::Keeps {
            self.within = kept;
        }
        outcome
    }

    fn update(&mut self, objects: &Objects<'_>, control: &Control<'_>) -> Result<(), Cancelled> {
        self.take_in(objects, control)
    }

    fn pairs(&mut self, control: &Control<'_>, into: &mut Vec<[u32; 2]>) -> Result<(), Cancelled> {
        let control = if self.fault == Fault::GoesOn { &Control::NONE } else { control };
        if self.fault == Fault::Empties {
            into.clear();
        }
        let start = into.len();
        self.within.pairs(control, into)?;
        match self.fault {
            Fault::Loses if into.len() > start + 20 => drop(into.remove(start)),
            Fault::Repeats => into.extend_from_within(start..into.len().min(start + 1)),
            Fault::Swaps => into[start..].iter_mut().take(1).for_each(|pair| pair.reverse()),
            _ => {}
        }
        Ok(())
    }

    fn overlapping(&self, one: &Aabb, into: &mut Vec<u32>) {
        self.within.overlapping(one, into);
        if self.fault == Fault::Forgets {
            into.retain(|&i| i as usize + 1 < self.boxes.len());
        }
    }
}

#[test]
fn every_fault_is_noticed() {
    for fault in [
        Fault::Loses,
        Fault::Repeats,
        Fault::Swaps,
        Fault::Stays,
        Fault::Rigid,
        Fault::Opens,
        Fault::GoesOn,
        Fault::TakesIn,
        Fault::Keeps,
        Fault::MovesAll,
        Fault::Empties,
        Fault::Forgets,
    ] {
        let mut faulty = Faulty { fault, boxes: Vec::new(), within: EveryPair::default() };
        let why = pairs_of_boxes(&mut faulty).expect_err("noticed");
        assert!(why.starts_with("faulty"), "{fault:?}: {why}");
    }
}
