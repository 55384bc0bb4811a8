//! Where triangles meet: known answers to the bit. On random lattice pairs, the oracle confirms
//! that the reported intersection is correct and complete.

use impinge_geometry::exact::{Meeting, meeting};
use impinge_geometry::{Point, Triangle};
use impinge_models::Random;
use impinge_testkit::oracle;

fn triangle(corners: [[f64; 3]; 3]) -> Triangle {
    corners.map(Point::from)
}

fn sorted(meeting: &Meeting) -> Vec<[f64; 3]> {
    let mut points: Vec<[f64; 3]> = meeting.points().iter().map(|p| [p.x, p.y, p.z]).collect();
    points.sort_by(|a, b| a.partial_cmp(b).expect("finite"));
    points
}

/// The meeting of two triangles, after checking that both argument orders give the same corners.
fn met(p: &Triangle, q: &Triangle) -> Meeting {
    let one = meeting(p, q).expect("they meet");
    let other = meeting(q, p).expect("they meet, asked the other way");
    assert!(same_corners(&one, &other, 10.0), "{one:?} {other:?}");
    one
}

/// Whether kind and corners agree up to rounding: the crossing of two sides is computed along the
/// side of the first triangle.
fn same_corners(one: &Meeting, other: &Meeting, size: f64) -> bool {
    let near = |p: &Point, m: &Meeting| m.points().iter().any(|q| (p - q).amax() <= 1e-12 * size);
    std::mem::discriminant(one) == std::mem::discriminant(other)
        && one.points().len() == other.points().len()
        && one.points().iter().all(|p| near(p, other))
        && other.points().iter().all(|p| near(p, one))
}

const FLOOR: [[f64; 3]; 3] = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];

#[test]
fn a_corner_on_a_face_is_a_point() {
    let q = triangle([[1.0, 1.0, 0.0], [1.0, 2.0, 3.0], [2.0, 1.0, 3.0]]);
    assert_eq!(met(&triangle(FLOOR), &q), Meeting::Point(Point::new(1.0, 1.0, 0.0)));
}

#[test]
fn a_shared_corner_is_a_point_and_a_shared_side_a_segment() {
    let floor = triangle(FLOOR);
    let corner = triangle([[4.0, 0.0, 0.0], [5.0, 1.0, 2.0], [6.0, -1.0, 3.0]]);
    assert_eq!(met(&floor, &corner), Meeting::Point(Point::new(4.0, 0.0, 0.0)));
    let side = triangle([[4.0, 0.0, 0.0], [0.0, 0.0, 0.0], [1.0, -2.0, 3.0]]);
    let Meeting::Segment(_) = met(&floor, &side) else { panic!("not a segment") };
    assert_eq!(sorted(&met(&floor, &side)), [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0]]);
}

#[test]
fn a_segment_is_found_at_any_scale() {
    for scale in [1e-150, 1e-100, 1e100, 1e150, 1e300 / 8.0] {
        let at = |corners: [[f64; 3]; 3]| triangle(corners.map(|p| p.map(|x| x * scale)));
        let wall = at([[1.0, 1.0, -1.0], [1.0, 1.0, 3.0], [2.0, 0.5, -1.0]]);
        let Meeting::Segment(ends) = met(&at(FLOOR), &wall) else { panic!("{scale:e}") };
        for end in ends {
            let near = [[1.0, 1.0], [1.75, 0.625]]
                .map(|[x, y]| ((end.x / scale - x).abs() + (end.y / scale - y).abs()) < 1e-12);
            assert!(near[0] || near[1], "{scale:e}: {end}");
        }
    }
}

#[test]
fn crossing_sides_are_one_point() {
    let q = triangle([[2.0, -1.0, -1.0], [2.0, 1.0, 1.0], [9.0, -1.0, 5.0]]);
    assert_eq!(met(&triangle(FLOOR), &q), Meeting::Point(Point::new(2.0, 0.0, 0.0)));
}

#[test]
fn walls_through_the_floor_are_segments() {
    let q = triangle([[1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [1.0, 9.0, 0.0]]);
    assert_eq!(sorted(&met(&triangle(FLOOR), &q)), [[1.0, 1.0, 0.0], [1.0, 3.0, 0.0]]);
}

#[test]
fn coplanar_triangles_share_a_polygon() {
    let q = triangle([[1.0, 1.0, 0.0], [-3.0, 1.0, 0.0], [1.0, -3.0, 0.0]]);
    let expected = [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0]];
    let Meeting::Polygon(corners) = met(&triangle(FLOOR), &q) else { panic!("not a polygon") };
    assert_eq!(sorted(&Meeting::Polygon(corners.clone())), expected);
    // Counter-clockwise seen from the outside of the first triangle, which is +z.
    let n = corners.len();
    for i in 0..n {
        let (a, b, c) = (corners[i], corners[(i + 1) % n], corners[(i + 2) % n]);
        assert!((b - a).cross(&(c - b)).z > 0.0);
    }
    let star = triangle([[3.0, 3.0, 0.0], [-1.0, 1.5, 0.0], [1.5, -1.0, 0.0]]);
    let Meeting::Polygon(six) = met(&triangle(FLOOR), &star) else { panic!("not a polygon") };
    assert_eq!(six.len(), 6);
    let beside = triangle([[4.0, 0.0, 0.0], [8.0, 0.0, 0.0], [4.0, -4.0, 0.0]]);
    assert_eq!(met(&triangle(FLOOR), &beside), Meeting::Point(Point::new(4.0, 0.0, 0.0)));
    let apart = triangle([[5.0, 0.0, 0.0], [8.0, 0.0, 0.0], [5.0, -4.0, 0.0]]);
    assert_eq!(meeting(&triangle(FLOOR), &apart), None);
}

#[test]
fn degenerate_triangles_meet_as_what_they_are() {
    let floor = triangle(FLOOR);
    let needle = triangle([[1.0, 1.0, -2.0], [1.0, 1.0, 2.0], [1.0, 1.0, 0.5]]);
    assert_eq!(met(&floor, &needle), Meeting::Point(Point::new(1.0, 1.0, 0.0)));
    let lying = triangle([[1.0, 1.0, 0.0], [9.0, 1.0, 0.0], [2.0, 1.0, 0.0]]);
    assert_eq!(sorted(&met(&floor, &lying)), [[1.0, 1.0, 0.0], [3.0, 1.0, 0.0]]);
    let dot = triangle([[1.0, 1.0, 0.0]; 3]);
    assert_eq!(met(&floor, &dot), Meeting::Point(Point::new(1.0, 1.0, 0.0)));
    assert_eq!(met(&dot, &dot), Meeting::Point(Point::new(1.0, 1.0, 0.0)));
    let skew = triangle([[0.0, 1.0, 1.0], [2.0, 1.0, 1.0], [1.0, 1.0, 1.0]]);
    assert_eq!(met(&needle, &skew), Meeting::Point(Point::new(1.0, 1.0, 1.0)));
    let same = triangle([[0.0, 0.0, 1.0], [3.0, 3.0, 1.0], [1.0, 1.0, 1.0]]);
    let along = triangle([[2.0, 2.0, 1.0], [5.0, 5.0, 1.0], [2.0, 2.0, 1.0]]);
    assert_eq!(sorted(&met(&same, &along)), [[2.0, 2.0, 1.0], [3.0, 3.0, 1.0]]);
}

/// Pairs on a small lattice, not rotated, scaled by a power of two. Most are degenerate in some
/// way.
fn lattice_pair(index: u64) -> (Triangle, Triangle) {
    let mut random = Random::stream(21, index);
    let flat = random.chance(0.2);
    let scale = 2f64.powi(random.below(60) as i32 - 30);
    let mut corner = || {
        let mut c = || (random.below(5) as f64 - 2.0) * scale;
        let (x, y, z) = (c(), c(), c());
        Point::new(x, y, if flat { 0.0 } else { z })
    };
    ([corner(), corner(), corner()], [corner(), corner(), corner()])
}

#[test]
fn meetings_are_on_both_triangles_and_whole() {
    let (mut hits, cases) = (0, 20_000);
    for index in 0..cases {
        let (p, q) = lattice_pair(index);
        let found = meeting(&p, &q);
        let source = || impinge_testkit::cases::as_source(&p, &q);
        assert_eq!(found.is_some(), oracle::triangles_meet(&p, &q), "{}", source());
        let Some(found) = found else { continue };
        hits += 1;
        let size = p.iter().chain(&q).fold(0.0f64, |m, x| m.max(x.coords.amax()));
        let other = meeting(&q, &p).expect("asked the other way round");
        assert!(same_corners(&found, &other, size), "{found:?} {other:?}\n{}", source());
        for x in found.points() {
            let dot = [*x; 3];
            let off = oracle::distance(&dot, &p).max(oracle::distance(&dot, &q));
            assert!(off <= 1e-12 * size, "{off:e} off\n{}", source());
        }
        for corner in p.iter().filter(|x| oracle::triangles_meet(&[**x; 3], &q)) {
            assert!(covers(&found, corner, size), "{corner} is left out\n{}", source());
        }
        for corner in q.iter().filter(|x| oracle::triangles_meet(&[**x; 3], &p)) {
            assert!(covers(&found, corner, size), "{corner} is left out\n{}", source());
        }
    }
    let share = f64::from(hits) / cases as f64;
    assert!((0.3..=0.7).contains(&share), "{share} meet");
}

/// Whether the point is within rounding of the meeting's convex hull, taken as a fan of triangles.
fn covers(meeting: &Meeting, x: &Point, size: f64) -> bool {
    let points = meeting.points();
    let dot = [*x; 3];
    (1..points.len().max(2)).any(|i| {
        let part =
            [points[0], points[(i).min(points.len() - 1)], points[(i + 1).min(points.len() - 1)]];
        oracle::distance(&dot, &part) <= 1e-12 * size
    })
}
