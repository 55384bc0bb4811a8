//! First contacts of meshes: the brute force passes the examination, and each way to be wrong is
//! noticed.

use impinge_continuous::EveryFeature;
use impinge_query::continuous::{Continuous, Features, Impact, Interval, Moving};
use impinge_query::{Cancelled, Contact, Control};
use impinge_testkit::battery::impacts;

#[test]
fn every_feature_against_every_other_passes() {
    let tally = impacts(&EveryFeature).expect("right");
    assert!(tally.cases == 1_500, "{tally:?}");
}

/// A way to be wrong.
#[derive(Clone, Copy, Debug)]
enum Fault {
    /// Reports contacts 2⁻³⁰ too late.
    Late,
    /// Reports them 2⁻²⁰ too early.
    Early,
    /// Reports an interval 2⁻³⁰ wide.
    Wide,
    /// Loses contacts of edges.
    NoEdges,
    /// Loses contacts at the start.
    OpenStart,
    /// Loses contacts at the end.
    OpenEnd,
    /// Takes triangles that have met at the start for those that meet later.
    StartsLater,
    /// Takes meshes for touching in the middle that never do.
    Invents,
    /// Names the first triangles, whichever meet.
    FirstTriangles,
    /// Goes on when the caller has cancelled.
    GoesOn,
}

const FAULTS: [Fault; 10] = [
    Fault::Late,
    Fault::Early,
    Fault::Wide,
    Fault::NoEdges,
    Fault::OpenStart,
    Fault::OpenEnd,
    Fault::StartsLater,
    Fault::Invents,
    Fault::FirstTriangles,
    Fault::GoesOn,
];

struct Faulty(Fault);

impl Faulty {
    fn spoil(&self, mut found: Impact) -> Option<Impact> {
        let time = &mut found.time;
        match self.0 {
            Fault::Late => *time = at((time.high + 2f64.powi(-30)).min(1.0)),
            Fault::Early => *time = at((time.low - 2f64.powi(-20)).max(0.0)),
            Fault::Wide => time.high = (time.low + 2f64.powi(-30)).min(1.0),
            Fault::NoEdges if matches!(found.features, Features::Edges(..)) => return None,
            Fault::OpenStart if time.high == 0.0 => return None,
            Fault::OpenEnd if time.low == 1.0 => return None,
            Fault::StartsLater if found.features == Features::Start => {
                found.features = Features::VertexOfA(0);
            }
            Fault::FirstTriangles => found.triangles = Contact { a: 0, b: 0 },
            _ => {}
        }
        Some(found)
    }
}

const fn at(time: f64) -> Interval {
    Interval { low: time, high: time }
}

impl Continuous for Faulty {
    fn word(&self) -> &'static str {
        "faulty"
    }

    fn first_contact(
        &self,
        a: &Moving<'_>,
        b: &Moving<'_>,
        control: &Control<'_>,
    ) -> Result<Option<Impact>, Cancelled> {
        let control = if matches!(self.0, Fault::GoesOn) { &Control::NONE } else { control };
        let found = EveryFeature.first_contact(a, b, control)?;
        let invented = Impact {
            time: at(0.5),
            triangles: Contact { a: 0, b: 0 },
            features: Features::VertexOfA(0),
        };
        Ok(match found {
            None if matches!(self.0, Fault::Invents) => Some(invented),
            None => None,
            Some(found) => self.spoil(found),
        })
    }
}

#[test]
fn every_fault_is_noticed() {
    for fault in FAULTS {
        let why = impacts(&Faulty(fault)).expect_err("noticed");
        assert!(why.starts_with("faulty"), "{fault:?}: {why}");
    }
}
