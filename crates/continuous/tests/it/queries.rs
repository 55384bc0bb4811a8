//! Generated queries: the oracle judges every answer, of the filter and of integers; symmetries
//! change none; and a wrong answer is noticed. More queries:
//! `cargo run --release -p impinge-continuous --example queries -- 1000000`.

use impinge_continuous::{Interval, Means, Question};
use impinge_geometry::Point;
use impinge_testkit::cases::moving::{Family, Kind, Query};

const fn question(kind: Kind) -> Question {
    match kind {
        Kind::VertexFace => Question::VertexFace,
        Kind::EdgeEdge => Question::EdgeEdge,
    }
}

/// Queries of a family; fewer where the oracle takes long.
const fn queries(family: Family) -> u64 {
    match family {
        Family::Exponents | Family::Extremes => 15,
        _ => 150,
    }
}

fn first(query: &Query) -> Option<Interval> {
    question(query.kind).decide(&query.start, &query.end).expect("finite").first
}

#[test]
fn answers_are_those_of_the_oracle() {
    let (mut all, mut hits, mut means) = (0, 0, [0; 3]);
    for family in Family::ALL {
        let mut of_family = [0, 0];
        for number in 0..queries(family) {
            let query = family.query(number);
            let ask = question(query.kind);
            let decision = ask.decide(&query.start, &query.end).expect("finite");
            let exact = ask.by_integers(&query.start, &query.end).expect("finite");
            for found in [decision.first, exact] {
                query.check(found).unwrap_or_else(|why| panic!("{family:?} {number}: {why}"));
            }
            means[decision.by as usize] += 1;
            of_family[usize::from(decision.first.is_some())] += 1;
            if family == Family::Random || family == Family::Sheets {
                assert_ne!(decision.by, Means::Integers, "{family:?} {number}");
            }
        }
        let always = [Family::Start, Family::End, Family::Border, Family::Triple];
        assert!(of_family[1] > 0 && (of_family[0] > 0 || always.contains(&family)), "{family:?}");
        all += of_family[0] + of_family[1];
        hits += of_family[1];
    }
    assert!((all / 3..all * 2 / 3).contains(&hits), "{hits} of {all} meet");
    assert!(means.iter().all(|&n| n > all / 100), "by {means:?}");
}

/// A query in another form, of which the answer is the same.
fn forms(query: &Query) -> Vec<(&'static str, Query)> {
    let each = |f: &dyn Fn(&Point) -> Point| Query {
        start: query.start.each_ref().map(f),
        end: query.end.each_ref().map(f),
        ..*query
    };
    let order = |i: [usize; 4]| Query {
        start: i.map(|i| query.start[i]),
        end: i.map(|i| query.end[i]),
        ..*query
    };
    let mut all = vec![
        ("axes permuted", each(&|p| Point::new(p.y, p.z, p.x))),
        ("axes exchanged", each(&|p| Point::new(p.y, p.x, p.z))),
        ("mirrored", each(&|p| Point::new(p.x, -p.y, p.z))),
        ("negated", each(&|p| -*p)),
    ];
    // Powers of two that lose no bit of these numbers.
    let extreme = |x: &f64| *x != 0.0 && !(1e-150..1e150).contains(&x.abs());
    if !query.start.iter().chain(&query.end).any(|p| p.iter().any(extreme)) {
        let scaled = |p: &Point| Point::new(p.x * 2f64.powi(300), p.y, p.z * 2f64.powi(-301));
        all.push(("scaled", each(&scaled)));
    }
    match query.kind {
        Kind::VertexFace => {
            all.push(("corners turned", order([0, 2, 3, 1])));
            all.push(("corners exchanged", order([0, 1, 3, 2])));
        }
        Kind::EdgeEdge => {
            all.push(("edges exchanged", order([2, 3, 0, 1])));
            all.push(("ends exchanged", order([1, 0, 2, 3])));
            all.push(("polygon turned", order([2, 3, 1, 0])));
        }
    }
    all
}

#[test]
fn symmetries_change_no_answer() {
    for family in Family::ALL {
        for number in 0..queries(family) / 2 {
            let query = family.query(number);
            let found = first(&query);
            for (what, form) in forms(&query) {
                let same = match (found, first(&form)) {
                    (None, None) => true,
                    (Some(x), Some(y)) => x.low <= y.high && y.low <= x.high,
                    _ => false,
                };
                assert!(same, "{family:?} {number}, {what}: {found:?} of {query:?}");
            }
            let back = Query { start: query.end, end: query.start, ..query };
            assert_eq!(first(&back).is_some(), found.is_some(), "{family:?} {number}, reversed");
        }
    }
}

/// Every way to be wrong is noticed, on most of the queries on which it shows.
#[test]
fn wrong_answers_are_noticed() {
    let at = |low: f64, high: f64| Some(Interval { low, high });
    let (mut spoiled, mut noticed) = ([0; 5], [0; 5]);
    for family in [Family::Aimed, Family::Flat, Family::Border, Family::Grazing, Family::Double] {
        for number in 0..60 {
            let query = family.query(number);
            let wrong = match first(&query) {
                None => [at(0.5, 0.5), None, None, None, None],
                Some(Interval { low, high }) => [
                    None,
                    at(0.0, 0.0).filter(|_| low > 0.0),
                    at(low - 1e-9, high - 1e-9).filter(|_| low > 1e-9),
                    at(low + 1e-9, high + 1e-9).filter(|_| high < 1.0 - 1e-9),
                    at(low, low + 1e-9).filter(|_| low < 1.0 - 1e-9),
                ],
            };
            let lost = first(&query).is_some().then_some(None);
            for (kind, answer) in wrong.into_iter().enumerate().skip(1) {
                let Some(answer) = answer else { continue };
                spoiled[kind] += 1;
                noticed[kind] += u32::from(query.check(Some(answer)).is_err());
            }
            for answer in lost.into_iter().chain(wrong[0].map(Some)) {
                spoiled[0] += 1;
                noticed[0] += u32::from(query.check(answer).is_err());
            }
        }
    }
    for kind in 0..5 {
        let (all, found) = (spoiled[kind], noticed[kind]);
        assert!(all > 50 && found * 20 >= all * 19, "fault {kind}: {found} of {all}");
    }
}
