//! `geometry::exact` against the oracle on 130,000 pairs of triangles. The same comparison must
//! fail for deliberately wrong tests.

use impinge_geometry::exact::{self, Meeting};
use impinge_geometry::{Point, Triangle};
use impinge_testkit::cases::{self, Class};
use impinge_testkit::oracle;

/// Cases per class; a multiple of the two threads.
const CASES: u64 = 10_000;

/// The result of comparing one class.
#[derive(Default)]
struct Comparison {
    hits: u64,
    wrong: Vec<u64>,
}

/// Compares `test` with the oracle on the first `cases` of every class.
fn compare(
    classes: &[Class],
    cases: u64,
    test: impl Fn(&Triangle, &Triangle) -> bool + Sync,
) -> Vec<Comparison> {
    classes.iter().map(|&class| compare_class(class, cases, &test)).collect()
}

fn compare_class(
    class: Class,
    cases: u64,
    test: &(impl Fn(&Triangle, &Triangle) -> bool + Sync),
) -> Comparison {
    let part = |first: u64| {
        let mut found = Comparison::default();
        for index in (first..cases).step_by(2) {
            let (a, b) = cases::generate(class, index);
            let truth = oracle::triangles_meet(&a, &b);
            found.hits += u64::from(truth);
            if test(&a, &b) != truth {
                found.wrong.push(index);
            }
        }
        found
    };
    std::thread::scope(|scope| {
        let odd = scope.spawn(|| part(1));
        let mut all = part(0);
        let odd = odd.join().expect("the test must not panic");
        all.hits += odd.hits;
        all.wrong.extend(odd.wrong);
        all
    })
}

#[test]
fn the_exact_test_is_never_wrong() {
    let comparisons = compare(&Class::ALL, CASES, exact::triangles_meet);
    let mut failures = Vec::new();
    for (class, comparison) in Class::ALL.into_iter().zip(&comparisons) {
        let share = comparison.hits as f64 / CASES as f64;
        assert!((0.3..=0.7).contains(&share), "{class:?}: {share} of cases hit");
        if let Some(&index) = comparison.wrong.first() {
            let (a, b) = cases::generate(class, index);
            let (n, source) = (comparison.wrong.len(), cases::as_source(&a, &b));
            failures.push(format!("{class:?}: {n} wrong, first {index}\n{source}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(CASES * Class::ALL.len() as u64 >= 100_000);
}

/// A meeting is found exactly where the triangles meet. `geometry` tests its kind.
#[test]
fn the_meeting_exists_when_they_meet() {
    for class in Class::ALL {
        for index in 0..1000 {
            let (a, b) = cases::generate(class, index);
            let found = exact::meeting(&a, &b);
            let show = || format!("{class:?} {index}: {found:?}\n{}", cases::as_source(&a, &b));
            assert_eq!(found.is_some(), oracle::triangles_meet(&a, &b), "{}", show());
            if let Some(Meeting::Polygon(corners)) = &found {
                assert!((3..=6).contains(&corners.len()), "{}", show());
            }
        }
    }
}

/// Deliberately wrong: shrinks both triangles slightly and so misses mere contact.
fn open_sets(a: &Triangle, b: &Triangle) -> bool {
    let middle = |t: &Triangle| (t[0].coords + t[1].coords + t[2].coords) / 3.0;
    let shrunk = |t: &Triangle| t.map(|p| p + (Point::from(middle(t)) - p) * 1e-9);
    exact::triangles_meet(&shrunk(a), &shrunk(b))
}

/// Deliberately wrong: plane-side tests in plain f64 only.
fn plain_planes(a: &Triangle, b: &Triangle) -> bool {
    let apart = |p: &Triangle, q: &Triangle| {
        let normal = (p[1] - p[0]).cross(&(p[2] - p[0]));
        let heights = q.map(|x| normal.dot(&(x - p[0])));
        heights.iter().all(|h| *h > 0.0) || heights.iter().all(|h| *h < 0.0)
    };
    exact::triangles_meet(a, b) && !apart(a, b) && !apart(b, a)
}

/// Deliberately wrong: rounds coordinates to 32 bits.
fn in_32_bits(a: &Triangle, b: &Triangle) -> bool {
    let short = |t: &Triangle| t.map(|p| p.map(|x| f64::from(x as f32).clamp(-1e300, 1e300)));
    exact::triangles_meet(&short(a), &short(b))
}

/// The comparison can fail: it detects each wrong test in the classes made for it.
#[test]
fn wrong_tests_are_found_out() {
    let wrong = |classes: &[Class], test: fn(&Triangle, &Triangle) -> bool| {
        compare(classes, 400, test).iter().map(|j| j.wrong.len()).collect::<Vec<_>>()
    };
    let touching =
        [Class::SharedVertex, Class::SharedEdge, Class::EdgeCrossing, Class::VertexOnFace];
    let caught = wrong(&touching, open_sets);
    assert!(caught.iter().all(|&n| n >= 20), "open sets: {caught:?}");
    let caught = wrong(&[Class::Ulp, Class::Posed], plain_planes);
    assert!(caught.iter().all(|&n| n >= 1), "plain planes: {caught:?}");
    let caught = wrong(&[Class::Ulp, Class::Extreme, Class::SharedVertex], in_32_bits);
    assert!(caught.iter().all(|&n| n >= 20), "32 bits: {caught:?}");
    let caught = wrong(&Class::ALL, |_, _| true);
    assert!(caught.iter().all(|&n| n >= 100), "always yes: {caught:?}");
}
