//! Tests of the climb: exact at every scale, and along the steepest way.

use super::*;
use crate::adversarial::Random;
use crate::volume::{ConvexHull, HullShape};

#[test]
fn a_point_inside_a_facet_is_not_mistaken_for_the_farthest() {
    // A tetrahedron with a point inside one face.
    let p = |x: f64, y: f64, z: f64| Point::new(x, y, z);
    let points = vec![p(0., 0., 0.), p(4., 0., 0.), p(0., 4., 0.), p(0., 0., 4.), p(1., 1., 0.)];
    let triangles = [[0, 4, 1], [1, 4, 2], [2, 4, 0], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    let graph = Graph::new(points, &triangles, [0, 1, 2, 3]);
    assert_eq!(graph.climb(&Vector::z(), 4), 3);
    assert_eq!(graph.points[graph.climb(&-Vector::z(), 4) as usize].z, 0.0);
    assert_eq!(graph.climb(&Vector::x(), 4), 1);
}

#[test]
fn rises_are_exact_at_every_scale() {
    let d = Vector::new(1.0, 0.5, -0.75);
    for k in [-1000, -300, 0, 300, 990] {
        let s = 2f64.powi(k);
        let (v, level) = (Point::origin(), Point::new(1.0, 1.0, 2.0) * s);
        assert_eq!(rise(&d, &v, &level), Sign::Zero);
        let up = Point::new(level.x.next_up(), level.y, level.z);
        assert_eq!(rise(&d, &v, &up), Sign::Positive);
        assert_eq!(rise(&d, &up, &v), Sign::Negative);
        assert_eq!(rise(&d, &up, &level), Sign::Negative);
    }
}

fn ball(r: &mut Random, n: usize) -> Graph {
    let mut point = || loop {
        let v = Vector::new(r.unit(), r.unit(), r.unit());
        if v.norm() > 0.1 {
            break Point::from(v.normalize());
        }
    };
    let points: Vec<Point> = (0..n).map(|_| point()).collect();
    let hull = ConvexHull::fit_points(&points).expect("points");
    let HullShape::Solid { vertices, faces } = hull.shape() else { panic!("a solid") };
    Graph::new(vertices.clone(), faces, [0, 1, 2, 3])
}

#[test]
fn the_error_of_a_rise_is_five_roundings_of_its_terms() {
    let mut r = Random(171);
    for k in 0..500 {
        let unit = 2f64.powi([0, 300, -300][k % 3]);
        let mut v = || Vector::new(r.unit(), r.unit() * 16.0, r.unit());
        let (d, a, b) = (v(), Point::from(v() * unit), Point::from(v() * unit));
        let (value, error) = estimate(&d, &a, &b);
        let terms: Vec<f64> = (0..3).map(|k| d[k] * (b[k] - a[k])).collect();
        let size: f64 = terms.iter().map(|x| x.abs()).sum();
        assert!((value - terms.iter().sum::<f64>()).abs() <= 4.0 * UNIT * size);
        assert!((error / (5.0 * UNIT * size) - 1.0).abs() < 1e-14);
        assert_eq!(certain_rise(&d, &a, &b), Some(Sign::of(value)));
        assert_eq!(exact_rise(&d, &a, &b), Sign::of(value));
    }
    assert_eq!(estimate(&Vector::x(), &Point::origin(), &Point::origin()).1, f64::MIN_POSITIVE);
}

/// Sides along an axis orthogonal to the direction are common, and must not need big integers.
#[test]
fn what_is_level_in_every_term_is_certainly_level() {
    let (a, b) = (Point::new(1.0, 2.0, 3.0), Point::new(1.0, 2.0, 5.0));
    for (d, expected) in [
        (Vector::new(0.3, 0.7, 0.0), Some(Sign::Zero)),
        (Vector::new(0.0, 0.0, -1.0), Some(Sign::Negative)),
        (Vector::new(0.3, 0.7, 0.1), Some(Sign::Positive)),
    ] {
        assert_eq!(certain_rise(&d, &a, &b), expected);
    }
    let level = Point::new(2.0, 1.0, 3.0);
    assert_eq!(certain_rise(&Vector::new(1.0, 1.0, 0.0), &a, &level), None);
}

#[test]
fn a_step_goes_to_the_neighbour_that_rises_most() {
    let mut r = Random(172);
    let graph = ball(&mut r, 300);
    let mut steps = 0;
    for _ in 0..300 {
        let d = Vector::new(r.unit(), r.unit(), r.unit());
        let at = r.below(graph.points.len()) as u32;
        let height = |p: u32| d.dot(&graph.points[p as usize].coords);
        let all = graph.neighbours.at(at).iter().copied();
        let highest = all.max_by(|&p, &q| height(p).total_cmp(&height(q))).expect("neighbours");
        let expected = (height(highest) > height(at)).then_some(highest);
        assert_eq!(graph.higher_neighbour(&d, at), expected);
        steps += u32::from(expected.is_some());
    }
    assert!(steps > 250, "{steps}");
}

/// A rise by a few roundings counts and a level step does not, also where only exact signs decide.
#[test]
fn a_doubtful_step_is_taken_only_if_it_rises() {
    let tilt = |x: f64, last: [f64; 3]| {
        let p = |x: f64, y: f64, z: f64| Point::new(x, y, z);
        let points = vec![p(0., 0., 0.), p(1., -1., x), p(-1., 1., 0.), Point::from(last)];
        let triangles = [[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]];
        Graph::new(points, &triangles, [0, 1, 2, 3])
    };
    let d = Vector::new(1.0, 1.0, 1.0);
    for (x, step) in [(0.0, None), (f64::EPSILON, Some(1)), (-f64::EPSILON, None)] {
        // The last neighbour falls, or is level.
        for last in [[0.0, 0.0, -1.0], [1.0, 0.0, -1.0]] {
            assert_eq!(tilt(x, last).higher_neighbour(&d, 0), step, "{x:e}");
        }
    }
}

#[test]
fn landmarks_are_spread_evenly_and_the_highest_is_taken() {
    let mut r = Random(173);
    for n in [24, 60, 700, 1500] {
        let graph = ball(&mut r, n);
        let count = LANDMARKS.min(n / 8);
        let mut sorted = graph.landmarks.clone();
        sorted.sort_unstable();
        assert_eq!((sorted.len(), graph.points.len()), (count, n));
        let wide = (2.7 * n as f64 / count as f64) as u32;
        let gaps = sorted.windows(2).map(|w| w[1] - w[0]);
        assert!(gaps.clone().all(|g| g <= wide) && gaps.min() > Some(n as u32 / 400), "{n}");
        assert!(sorted[0] <= wide && n as u32 - sorted[count - 1] <= wide);
        let d = Vector::new(r.unit(), r.unit(), r.unit());
        let height = |p: u32| d.dot(&graph.points[p as usize].coords);
        let higher = |p: &u32, q: &u32| height(*p).total_cmp(&height(*q));
        for at in 0..n as u32 {
            let all = graph.landmarks.iter().copied().chain([at]);
            let expected = all.max_by(|p, q| higher(p, q)).expect("some");
            assert_eq!(graph.highest_landmark(&d, at), expected);
        }
    }
}
