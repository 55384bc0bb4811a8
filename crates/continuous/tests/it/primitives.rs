//! Vertex against face and edge against edge: known times, symmetries, degenerate features, extreme
//! scales.

use impinge_continuous::{Interval, NotFinite, edge_edge, vertex_face};
use impinge_geometry::{Point, Vector};
use impinge_models::Random;

type Four = [Point; 4];

fn points(x: [[f64; 3]; 4]) -> Four {
    x.map(Point::from)
}

type First = fn(&Four, &Four) -> Result<Option<Interval>, NotFinite>;

/// Both primitives, by name.
const BOTH: [(&str, First); 2] = [("vertex and face", vertex_face), ("edges", edge_edge)];

/// The interval holds a time and is narrow.
#[track_caller]
fn assert_held(time: Interval, expected: f64) {
    assert!(time.low <= expected && expected <= time.high, "{time:?} for {expected}");
    assert!(time.high - time.low <= 2f64.powi(-40), "{time:?}");
}

#[test]
fn edges_cross_at_the_time_that_they_should() {
    // One edge along x, the other along y, which falls from 3 to −1 and turns on its way.
    let start = points([[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, -1.0, 3.0], [0.0, 1.0, 3.0]]);
    let end = points([[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, -1.0, -1.0], [0.0, 1.0, -1.0]]);
    let time = edge_edge(&start, &end).expect("finite").expect("they cross");
    assert_held(time, 0.75);
    let beside = end.map(|p| if p.z < 0.0 { p + Vector::new(9.0, 0.0, 0.0) } else { p });
    assert_eq!(edge_edge(&start, &beside), Ok(None));
}

/// The time is √2 − 1, a root of t² + 2 t − 1.
#[test]
fn irrational_times_are_held_by_narrow_intervals() {
    let start = points([[1.0, 0.25, 1.0], [0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]]);
    let end = points([[2.0, 0.25, 0.0], [0.0, 0.0, 0.0], [4.0, 0.0, 4.0], [0.0, 4.0, 0.0]]);
    // At t the vertex is at (1 + t, 1/4, 1 − t) and the face has z = x t: 1 − t = t + t².
    let time = vertex_face(&start, &end).expect("finite").expect("it touches");
    let expected = 2f64.sqrt() - 1.0;
    assert_held(time, expected);
    assert!(time.low < time.high);
}

/// At the end of time, and in the middle, where motions may touch and go back (double roots).
#[test]
fn a_grazing_contact_is_found() {
    // One edge falls onto the other, and arrives at the end.
    let start = points([[-1.0, 0.0, 1.0], [1.0, 0.0, 1.0], [0.0, -1.0, 0.0], [0.0, 1.0, 0.0]]);
    let end = points([[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 1.0, 0.0]]);
    let time = edge_edge(&start, &end).expect("finite").expect("contact at the end counts");
    assert_eq!((time.low, time.high), (1.0, 1.0));
    let mut found = 0;
    for index in 0..200 {
        let mut random = Random::stream(11, index);
        // Points that are coplanar at 1/2 of the whole motion.
        let at = |random: &mut Random| (random.below(9) as f64) - 4.0;
        let a = [0; 4].map(|_| [at(&mut random), at(&mut random), 0.0]);
        let v = [0; 4].map(|_| [at(&mut random), at(&mut random), at(&mut random)]);
        let place = |t: f64| points([0, 1, 2, 3].map(|i| [0, 1, 2].map(|k| a[i][k] + v[i][k] * t)));
        for (name, first) in BOTH {
            let whole = first(&place(-0.5), &place(0.5)).expect("finite");
            let half = first(&place(0.0), &place(0.5)).expect("finite");
            // What meets in the middle is met by then.
            if half.is_some_and(|time| time.high == 0.0) {
                let whole = whole.unwrap_or_else(|| panic!("{name} {index}: missed"));
                assert!(whole.low <= 0.5, "{name} {index}: {whole:?}");
                found += 1;
            }
        }
    }
    assert!(found > 40, "{found} touch in the middle");
}

/// The verdict does not depend on the order of the points, the axes, the direction of time, or the
/// scale of an axis; the interval overlaps where time runs the same way.
#[test]
fn symmetries_change_no_answer() {
    let mut hits = 0;
    for index in 0..400 {
        let mut random = Random::stream(12, index);
        let mut four = || -> Four {
            [0; 4].map(|_| {
                let lattice = random.chance(0.5);
                let v = random.vector(-2.0, 2.0);
                Point::from(if lattice { v.map(f64::round) } else { v })
            })
        };
        let (start, other) = (four(), four());
        // Most points pass the middle, so that half of the features meet.
        let end = [0, 1, 2, 3].map(|i| Point::from(other[i].coords * 0.25 - start[i].coords));
        for (name, first) in BOTH {
            let ask = |start: &Four, end: &Four| first(start, end).expect("finite");
            let found = ask(&start, &end);
            hits += u32::from(found.is_some());
            let same = |changed: Option<Interval>, what: &str| match (found, changed) {
                (None, None) => {}
                (Some(x), Some(y)) => {
                    assert!(
                        x.low <= y.high && y.low <= x.high,
                        "{name} {index}, {what}: {x:?} {y:?}"
                    );
                }
                _ => panic!("{name} {index}, {what}: {found:?} and {changed:?}"),
            };
            let each =
                |f: &dyn Fn(&Point) -> Point| ask(&start.each_ref().map(f), &end.each_ref().map(f));
            same(each(&|p| Point::new(p.z, p.x, p.y)), "axes permuted");
            same(each(&|p| Point::new(-p.x, p.y, p.z)), "mirrored");
            same(each(&|p| Point::new(p.x * 2f64.powi(600), p.y, p.z * 2f64.powi(-500))), "scaled");
            let order = |p: &Four, i: [usize; 4]| i.map(|i| p[i]);
            let swapped = if name == "edges" { [2, 3, 1, 0] } else { [0, 2, 3, 1] };
            same(ask(&order(&start, swapped), &order(&end, swapped)), "features in another order");
            let back = ask(&end, &start);
            assert_eq!(back.is_some(), found.is_some(), "{name} {index}: time reversed");
        }
    }
    assert!((200..600).contains(&hits), "{hits} of 800");
}

/// Needles, points, parallel and collinear edges, at rest or moving within one line.
#[test]
fn degenerate_features_are_decided() {
    let at = |x: f64| [x, 0.0, 0.0];
    // Two edges on the x axis that approach, and touch at the end.
    let start = points([at(0.0), at(1.0), at(3.0), at(4.0)]);
    let end = points([at(2.0), at(3.0), at(3.0), at(4.0)]);
    let time = edge_edge(&start, &end).expect("finite").expect("they touch at the end");
    assert_eq!((time.low, time.high), (1.0, 1.0));
    assert_eq!(edge_edge(&start, &start), Ok(None));
    // A vertex runs through a triangle that is a point, and through one that is a segment.
    let [from, to] = [-1.0, 3.0].map(|x| Point::from(at(x)));
    for face in [[at(1.0); 3], [at(0.0), at(1.0), at(2.0)]] {
        let [a, b, c] = face.map(Point::from);
        let time = vertex_face(&[from, a, b, c], &[to, a, b, c]).expect("finite").expect("through");
        assert_held(time, (face[0][0] + 1.0) / 4.0);
        let aside = Vector::new(0.0, 1e-300, 0.0);
        assert_eq!(vertex_face(&[from + aside, a, b, c], &[to + aside, a, b, c]), Ok(None));
    }
    // A point within a triangle, at rest.
    let rest = points([[0.25, 0.25, 0.0], at(0.0), at(1.0), [0.0, 1.0, 0.0]]);
    let time = vertex_face(&rest, &rest).expect("finite").expect("it lies on it");
    assert_eq!((time.low, time.high), (0.0, 0.0));
}

#[test]
fn numbers_that_are_none_are_refused() {
    let good = points([[0.0; 3]; 4]);
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for point in 0..4 {
            let mut bad = good;
            bad[point].y = value;
            for (name, first) in BOTH {
                for outcome in [first(&bad, &good), first(&good, &bad)] {
                    let error = outcome.expect_err(name);
                    assert_eq!((error.point, error.value.to_bits()), (point, value.to_bits()));
                }
            }
        }
    }
    // All finite numbers are taken, subnormal and largest ones in one query.
    let wild = points([[f64::MAX, 5e-324, -1.0], [-f64::MAX, 0.0, 1e-300], [1.0; 3], [0.0; 3]]);
    for (name, first) in BOTH {
        let time = first(&wild, &good).expect(name).expect("all points come together at the end");
        assert_held(time, 1.0);
    }
}
