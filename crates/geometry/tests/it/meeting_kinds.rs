//! Whether triangles meet in a point, a segment or a polygon, and the number of its corners,
//! against rational arithmetic; also where several corners round to the same coordinates.

use dashu_ratio::RBig;
use impinge_geometry::exact::{
    Meeting, meeting, point_on_triangle, segment_meets_triangle, triangles_meet,
};
use impinge_geometry::{Point, Triangle, Vector};
use impinge_testkit::cases::{self, Class};

use crate::support::{self, Exact, Random, big, cross, dot, exact, minus};

/// Counts of pairs by the kind of their intersection, and of checked corner orders.
#[derive(Debug, Default)]
struct Tally {
    pairs: u32,
    apart: u32,
    points: u32,
    segments: u32,
    polygons: u32,
    ordered: u32,
    /// Pairs whose kind or number of corners was wrong.
    wrong: u32,
}

fn kind(found: Option<&Meeting>) -> usize {
    match found {
        None => 0,
        Some(Meeting::Point(_)) => 1,
        Some(Meeting::Segment(_)) => 2,
        Some(Meeting::Polygon(corners)) => corners.len().max(3),
    }
}

/// The tolerance per coordinate: twice 2⁻⁴⁴ of the largest coordinate, and a few least numbers.
fn allowed(p: &Triangle, q: &Triangle, axis: usize) -> RBig {
    let size = p.iter().chain(q).fold(0.0f64, |m, x| m.max(x[axis].abs()));
    big(size * 2f64.powi(-43)) + big(f64::from_bits(4))
}

fn is_near(x: &Exact, y: &Exact, by: &[RBig; 3]) -> bool {
    let off = minus(x, y);
    (0..3).all(|k| off[k] <= by[k] && -&off[k] <= by[k])
}

fn check(p: &Triangle, q: &Triangle, tally: &mut Tally) {
    let expected = support::meeting::corners(p, q);
    let found = meeting(p, q);
    if tally.pairs.is_multiple_of(4) {
        verdicts_agree(p, q, !expected.is_empty());
    }
    assert_eq!(triangles_meet(p, q), !expected.is_empty(), "{p:?} {q:?}");
    tally.pairs += 1;
    match expected.len() {
        0 => tally.apart += 1,
        1 => tally.points += 1,
        2 => tally.segments += 1,
        _ => tally.polygons += 1,
    }
    if kind(found.as_ref()) != expected.len() {
        tally.wrong += 1;
        return;
    }
    let Some(found) = found else { return };
    let by = [0, 1, 2].map(|k| allowed(p, q, k));
    let rounded: Vec<Exact> = found.points().iter().map(exact).collect();
    let of = |x: &Exact| -> Vec<usize> {
        (0..expected.len()).filter(|&k| is_near(x, &expected[k], &by)).collect()
    };
    let places: Vec<Vec<usize>> = rounded.iter().map(of).collect();
    let source = || format!("{p:?} {q:?}: {found:?}");
    assert!(places.iter().all(|at| !at.is_empty()), "a corner is off: {}", source());
    let all = (0..expected.len()).all(|k| places.iter().any(|at| at.contains(&k)));
    assert!(all, "a corner is missing: {}", source());
    if expected.len() > 2 && places.iter().all(|at| at.len() == 1) {
        tally.ordered += 1;
        let ring: Vec<&Exact> = places.iter().map(|at| &expected[at[0]]).collect();
        assert!(turns_with(&ring, p), "out of order: {}", source());
    }
}

/// Checks the boolean test in both argument orders, and with the side or corner that a degenerate
/// triangle reduces to.
fn verdicts_agree(p: &Triangle, q: &Triangle, expected: bool) {
    let source = || format!("{p:?} {q:?}");
    assert_eq!(triangles_meet(p, q), expected, "{}", source());
    assert_eq!(triangles_meet(q, p), expected, "{}", source());
    for (t, other) in [(p, q), (q, p)] {
        let side = [t[0], t[1], t[1]];
        let met = !support::meeting::corners(&side, other).is_empty();
        assert_eq!(segment_meets_triangle(&t[0], &t[1], other), met, "{}", source());
        assert_eq!(triangles_meet(&side, other), met, "{}", source());
        let on = !support::meeting::corners(&[t[2]; 3], other).is_empty();
        assert_eq!(point_on_triangle(&t[2], other), on, "{}", source());
        assert!(!on || triangles_meet(t, other));
    }
}

/// Whether the ring of corners turns the same way as the triangle.
fn turns_with(ring: &[&Exact], p: &Triangle) -> bool {
    let p = p.map(|x| exact(&x));
    let n = cross(&minus(&p[1], &p[0]), &minus(&p[2], &p[0]));
    let at = |k: usize| ring[k % ring.len()];
    (0..ring.len()).all(|k| {
        let turn = cross(&minus(at(k + 1), at(k)), &minus(at(k + 2), at(k + 1)));
        dot(&turn, &n) > RBig::ZERO
    })
}

/// Triangles with small integer coordinates, often coplanar, sometimes degenerate.
fn lattice(r: &mut Random, n: u64) -> (Triangle, Triangle) {
    let plane = [None, None, Some(Vector::zeros()), Some(Vector::new(1.0, 2.0, 0.0))];
    let plane = plane[r.below(4) as usize];
    let mut corner = || {
        let mut x = r.lattice_point(n);
        if let Some(slope) = plane {
            x.z = slope.x * x.x + slope.y * x.y;
        }
        x
    };
    let mut three = || [corner(), corner(), corner()];
    (three(), three())
}

fn moved((p, q): (Triangle, Triangle), f: impl Fn(Point) -> Point) -> (Triangle, Triangle) {
    (p.map(&f), q.map(&f))
}

fn run(name: &str, n: u32, mut pair: impl FnMut() -> (Triangle, Triangle)) -> Tally {
    let mut tally = Tally::default();
    for _ in 0..n {
        let (p, q) = pair();
        check(&p, &q, &mut tally);
    }
    println!("{name}: {tally:?}");
    assert_eq!(tally.wrong, 0, "{name}: {tally:?}");
    tally
}

#[test]
fn kinds_are_exact_on_lattices_at_every_scale() {
    let mut r = Random(41);
    for k in [0, -1074, -1070, -600, 300, 900] {
        let scale = 2f64.powi(k / 2) * 2f64.powi(k - k / 2);
        let tally =
            run(&format!("lattice at 2^{k}"), 300, || moved(lattice(&mut r, 4), |x| x * scale));
        for many in [tally.apart, tally.points, tally.segments, tally.polygons] {
            assert!(many >= 10, "{tally:?}");
        }
    }
}

#[test]
fn kinds_are_exact_where_corners_round_together() {
    let mut r = Random(42);
    // Near 2⁵² the unit in the last place is 1, so crossings at fractions are rounded to integers.
    let far = Vector::repeat(2f64.powi(52));
    let tally = run("far", 500, || moved(lattice(&mut r, 4), |x| x + far));
    assert!(tally.polygons > 50 && tally.segments > 30, "{tally:?}");
    let tally = run("mixed", 250, || {
        let k = [0, -1074, -500, 800].map(|k: i32| 2f64.powi(k / 2) * 2f64.powi(k - k / 2));
        let scale = [0, 1, 2].map(|_| k[r.below(4) as usize]);
        moved(lattice(&mut r, 4), |x| Point::new(x.x * scale[0], x.y * scale[1], x.z * scale[2]))
    });
    assert!(tally.polygons > 15 && tally.segments > 15, "{tally:?}");
}

#[test]
fn kinds_are_exact_where_corners_and_edges_are_shared() {
    let mut r = Random(43);
    for (size, far) in [(1e-3, 1.5), (1.0, 1e3), (1e-3, 1e7), (1e-300, 1e-290)] {
        let tally = run(&format!("shared, {size:e} about {far:e}"), 240, || {
            let which = r.below(6) as usize;
            let mut corner = || Point::from(r.vector() * size + Vector::repeat(far));
            let [a, b, c, d, e] = [0; 5].map(|_| corner());
            let mut turned = |t: Triangle| {
                let k = r.below(3) as usize;
                let t = [t[k], t[(k + 1) % 3], t[(k + 2) % 3]];
                if r.below(2) == 0 { t } else { [t[0], t[2], t[1]] }
            };
            let p = turned([a, b, c]);
            let q = [[a, d, e], [a, b, d], [a, b, c], [a, b, b], [a, a, d], [a, b + (c - b), b]];
            (p, turned(q[which]))
        });
        for many in [tally.points, tally.segments, tally.polygons] {
            assert!(many >= 30, "{tally:?}");
        }
    }
}

/// Sizes that differ widely, needles, coordinates of 1e150, contacts after posing. Intersections
/// whose kind hangs on less than a rounding error are most frequent there.
#[test]
fn kinds_are_exact_in_every_class_of_cases() {
    let mut equal_ends = 0;
    for class in Class::ALL {
        let mut wrong = Vec::new();
        for index in 0..400 {
            let (p, q) = cases::generate(class, index);
            let (found, expected) = (meeting(&p, &q), support::meeting::corners(&p, &q).len());
            if kind(found.as_ref()) != expected {
                wrong.push((index, expected, found.clone()));
            }
            let together = |m: &Meeting| matches!(m, Meeting::Segment([x, y]) if x == y);
            equal_ends += u32::from(found.as_ref().is_some_and(together));
        }
        assert!(wrong.is_empty(), "{class:?}: {} wrong: {:?}", wrong.len(), wrong[0]);
    }
    assert!(equal_ends > 10, "only {equal_ends} segments have ends that round to one point");
}

/// Two triangles whose exact intersection is a segment, but whose corners round to one point.
#[test]
fn a_segment_shorter_than_rounding_is_a_segment() {
    let at =
        |c: [[i64; 3]; 3]| c.map(|x| Point::from(x.map(|x| (4_503_599_627_370_496 + x) as f64)));
    let p = at([[3, 2, 1], [2, -1, 3], [-1, -1, 0]]);
    let q = at([[0, 2, 0], [2, 1, -3], [-1, -1, 1]]);
    let expected = support::meeting::corners(&p, &q).len();
    assert_eq!(kind(meeting(&p, &q).as_ref()), expected);
    assert_eq!(expected, 2);
}

/// Corners that touch a side at whole numbers, most of them at a fraction of its length that no f64
/// represents.
#[test]
fn a_corner_on_a_side_keeps_its_bits() {
    let at = |x: u32, y: u32, z: u32| Point::from([x, y, z].map(f64::from));
    for length in 2..100 {
        let t = [at(0, 0, 0), at(length, 0, 0), at(0, length, 0)];
        for x in 1..length {
            let corner = at(x, 0, 0);
            let touching = [corner, at(x, 0, 1), at(x, 1, 1)];
            for k in 0..3 {
                let turned = [0, 1, 2].map(|i| touching[(i + k) % 3]);
                for (p, q) in [(&t, &turned), (&turned, &t)] {
                    assert_eq!(meeting(p, q), Some(Meeting::Point(corner)), "{p:?} {q:?}");
                }
            }
        }
    }
}

#[test]
fn corners_keep_their_order_at_any_scale() {
    let mut r = Random(44);
    let (mut compared, mut together) = (0, 0);
    for _ in 0..4000 {
        let (p, q) = lattice(&mut r, 5);
        let least = f64::from_bits(1);
        let scaled = |t: &Triangle| t.map(|x| x * least);
        let (plain, small) = (meeting(&p, &q), meeting(&scaled(&p), &scaled(&q)));
        assert_eq!(kind(plain.as_ref()), kind(small.as_ref()), "{p:?} {q:?}");
        let (Some(plain), Some(small)) = (plain, small) else { continue };
        for (x, y) in plain.points().iter().zip(small.points()) {
            let back = y / least;
            assert!((x - back).amax() <= 2.0, "{p:?} {q:?}: {plain:?} {small:?}");
        }
        compared += 1;
        let same = |k: usize| small.points()[..k].contains(&small.points()[k]);
        together += u32::from((0..small.points().len()).any(same));
    }
    assert!(compared > 1000 && together > 20, "{compared} compared, {together} rounded together");
}
