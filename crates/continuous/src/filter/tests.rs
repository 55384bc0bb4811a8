//! The filter beside integers: with its bounds it is never wrong, and with a hundredth of them it is.

use impinge_query::continuous::Interval;
use impinge_testkit::cases::moving::{Family, Kind};

use super::{Proven, Share, Verdict};
use crate::features::Question;

/// No bounds at all.
struct None;

impl Share for None {
    const OF_BOUNDS: f64 = 0.0;
}

/// A hundredth of the bounds.
struct Hundredth;

impl Share for Hundredth {
    const OF_BOUNDS: f64 = 0.01;
}

/// Verdicts that the filter gives on queries of a family, and how many of them are wrong.
fn tally<S: Share>(family: Family, queries: u64) -> [usize; 2] {
    let (mut given, mut wrong) = (0, 0);
    for number in 0..queries {
        let query = family.query(number);
        let question = match query.kind {
            Kind::VertexFace => Question::VertexFace,
            Kind::EdgeEdge => Question::EdgeEdge,
        };
        let verdict = question.filtered::<S>(&query.start, &query.end);
        let truth = question.by_integers(&query.start, &query.end).expect("finite");
        let overlap = |x: Interval| truth.is_some_and(|y| x.low <= y.high && y.low <= x.high);
        let right = match verdict {
            Verdict::Unknown => continue,
            Verdict::Apart => truth.is_none(),
            Verdict::Meet(interval) | Verdict::MeetWithin(interval) => overlap(interval),
        };
        given += 1;
        wrong += usize::from(!right);
    }
    [given, wrong]
}

/// Families in which rounding decides signs.
const ROUNDED: [Family; 3] = [Family::Tilted, Family::Grazing, Family::Sliding];

#[test]
fn the_filter_is_never_wrong() {
    for family in Family::ALL {
        let [given, wrong] = tally::<Proven>(family, 400);
        assert_eq!(wrong, 0, "{family:?}: {given} verdicts");
    }
}

#[test]
fn smaller_bounds_are_noticed() {
    let sum = |tally: fn(Family, u64) -> [usize; 2]| -> usize {
        ROUNDED.iter().map(|family| tally(*family, 4_000)[1]).sum()
    };
    let (none, hundredth) = (sum(tally::<None>), sum(tally::<Hundredth>));
    assert!(none > 500, "{none} wrong without bounds");
    assert!(hundredth > 10, "{hundredth} wrong with a hundredth of the bounds");
    assert_eq!(sum(tally::<Proven>), 0);
}
