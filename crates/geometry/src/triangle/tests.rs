//! Tests of all filters: where they are undecided, and that their bounds are at most slightly above
//! the proved ones, for triangles of different sizes near and far.

use super::planes::{Planes, alone};
use super::{
    Outcome, RANGE, TINY, TrianglePlane, UNIT, above, below, both_sides, interval, largest,
    meet_with, one_side, permutation, sat, sat17,
};
use crate::adversarial::Random;
use crate::segment::segment_triangle;
use crate::{Point, Triangle};

#[test]
fn a_number_at_its_bound_has_no_certain_sign() {
    for (x, over, under) in
        [(2.0, false, false), (2.5, true, false), (-2.0, false, false), (-2.5, false, true)]
    {
        assert_eq!((above(x, 2.0), below(x, 2.0)), (over, under), "{x}");
    }
    for k in 0..27 {
        let s = [k % 3, k / 3 % 3, k / 9].map(|c| f64::from(c - 1) * 2.0);
        let (up, down) = (s.map(|x| x > 1.0), s.map(|x| x < -1.0));
        assert_eq!(one_side(s, 1.0), up == [true; 3] || down == [true; 3], "{s:?}");
        assert_eq!(both_sides(s, 1.0), up.contains(&true) && down.contains(&true), "{s:?}");
        let certain = !s.contains(&0.0);
        let Some((corner, positive)) = alone(s, 1.0) else {
            assert!(!certain, "{s:?}");
            continue;
        };
        assert!(certain && up[corner] == positive, "{s:?}");
        let others = [up[(corner + 1) % 3], up[(corner + 2) % 3]];
        assert!(others[0] == others[1] && (others[0] != positive || one_side(s, 1.0)), "{s:?}");
    }
    assert_eq!(alone([1.0, 2.0, -2.0], 1.0), None);
}

#[test]
fn the_exact_test_is_asked_where_a_filter_is_silent_only() {
    let t: Triangle = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.]].map(Point::from);
    let far = t.map(|x| x + crate::Vector::repeat(5.0));
    for (q, meets) in [(&t, true), (&far, false)] {
        assert_eq!(meet_with(|_, _| Outcome::Undecided, &t, q), meets);
        assert!(meet_with(|_, _| Outcome::Hit, &t, q));
        assert!(!meet_with(|_, _| Outcome::Miss, &t, q));
    }
}

/// Largest difference of coordinates between two of the points.
fn size(points: &[Point]) -> f64 {
    points.iter().flat_map(|x| points.iter().map(move |y| (x - y).amax())).fold(0.0, f64::max)
}

/// A random pair with sizes from 2⁻²⁰ to 2²⁰.
fn pair(r: &mut Random) -> (Triangle, Triangle) {
    let unit = |r: &mut Random| 2f64.powi(r.below(41) as i32 - 20);
    let point = |r: &mut Random, s: f64| Point::new(r.unit() * s, r.unit() * s, r.unit() * s);
    let (s, t) = (unit(r), unit(r));
    let far = if r.below(2) == 0 { unit(r) } else { 0.5 * s.max(t) };
    let shift = point(r, far).coords;
    let p = [(); 3].map(|()| point(r, s));
    (p, [(); 3].map(|()| point(r, t) + shift))
}

/// Whether the bound is at least the proved one, and at most slightly larger.
fn fits(bound: f64, proved: f64, units: f64) -> bool {
    let share = bound / (proved * UNIT);
    (units..units * 1.09).contains(&share)
}

#[test]
fn bounds_are_what_is_proved_and_hardly_more_for_any_two_sizes() {
    let mut r = Random(141);
    let mut planes_seen = 0;
    for _ in 0..4000 {
        let (p, q) = pair(&mut r);
        let (a, b) = (size(&p), size(&q));
        let reach = largest(&(q[0] - p[0])) + a + b;
        if let Ok(planes) = Planes::new(&p, &q) {
            planes_seen += 1;
            assert_eq!((planes.size_p, planes.size_q, planes.reach), (a, b, reach));
            assert!(fits(planes.bound_s, a * a * reach, 34.1));
            assert!(fits(planes.bound_t, b * b * reach, 34.1));
        }
        assert!(fits(permutation::bound(a, b, reach), a * b * reach, 34.1));
        assert!(fits(sat::edges_bound(a, b, reach), a * b * reach, 67.2));
        assert!(fits(sat::in_plane_bound(a, reach), a * a * a * reach, 88.0));
        // A plane for points between two of q's corners.
        let (low, high) = (q[0].inf(&q[1]), q[0].sup(&q[1]));
        let plane = TrianglePlane::new(&p, &low.into(), &high.into()).expect("in range");
        let side = largest(&(p[1] - p[0])).max(largest(&(p[2] - p[0])));
        let reach = [low, high].iter().map(|x| (x - p[0]).amax()).fold(0.0, f64::max);
        assert!(fits(plane.height(&q[0]).1, side * side * reach, 34.1));
        let edge = largest(&(q[1] - q[0]));
        let bound = plane.coordinates(&q[0], &q[1]).1;
        assert!(fits(bound, side * (2.0 * reach + side) * edge, 42.1));
        assert_eq!(plane.height(&q[1]).0, (p[1] - p[0]).cross(&(p[2] - p[0])).dot(&(q[1] - p[0])));
    }
    assert!(planes_seen > 80, "{planes_seen}");
}

#[test]
fn bounds_keep_what_underflow_takes() {
    let unit = 2f64.powi(-400);
    let t: Triangle = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.]].map(|c| Point::from(c) * unit);
    let planes = Planes::new(&t, &t).unwrap_or_else(|_| panic!("they are the same"));
    assert_eq!((planes.bound_s, planes.bound_t), (TINY, TINY));
    assert_eq!(permutation::bound(unit, unit, unit), TINY);
    assert_eq!(sat::edges_bound(unit, unit, unit), TINY);
    assert_eq!(sat::in_plane_bound(unit, unit), TINY);
    let plane = TrianglePlane::new(&t, &[0.0; 3], &[unit; 3]).expect("in range");
    assert_eq!(plane.height(&t[0]).1, TINY);
    assert_eq!(plane.coordinates(&t[0], &t[1]).1, TINY);
    // Too small to decide: every filter is undecided.
    let above = t.map(|x| Point::new(x.x, x.y, unit));
    for test in [sat17, interval, permutation] {
        assert_eq!(test(&t, &above), Outcome::Undecided);
    }
    assert_eq!(plane.side(&above[0]), (false, false));
    assert_eq!(plane.pierced(&above[0], &t[0]), Outcome::Undecided);
    assert_eq!(segment_triangle(&above[0], &above[1], &t), Outcome::Undecided);
    let through = [[0.25, 0.25, 1.0], [0.25, 0.25, -1.0]].map(|c| Point::from(c) * unit);
    assert_eq!(segment_triangle(&through[0], &through[1], &t), Outcome::Undecided);
    let beside = through.map(|x| x + crate::Vector::x() * (8.0 * unit));
    assert_eq!(segment_triangle(&beside[0], &beside[1], &t), Outcome::Undecided);
}

#[test]
fn filters_are_silent_from_the_end_of_their_range_on() {
    let at = |x: f64| [Point::new(x, 0.0, 0.0); 3];
    assert!(Planes::new(&at(0.0), &at(RANGE.next_down())).is_ok());
    let beyond = [RANGE, RANGE * 2.0, f64::MAX, f64::INFINITY];
    for x in beyond {
        assert!(matches!(Planes::new(&at(0.0), &at(x)), Err(Outcome::Undecided)), "{x:e}");
    }
    let t: Triangle = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.]].map(Point::from);
    let plane = |x: f64| TrianglePlane::new(&t, &[0.0; 3], &[0.0, x, 0.0]).is_some();
    assert!(plane(RANGE.next_down()) && beyond.iter().all(|x| !plane(*x)));
    let flat = |x: f64| t.map(|c| c * x);
    let wide = |x: f64| TrianglePlane::new(&flat(x), &[0.0; 3], &[0.0; 3]).is_some();
    assert!(wide(RANGE.next_down()) && beyond[..2].iter().all(|x| !wide(*x)));
    // A segment over the triangle whose ends are certainly on one side.
    let side = |x: f64| {
        let u = Point::new(0.0, 0.0, x);
        segment_triangle(&u, &u, &t)
    };
    assert_eq!(side(RANGE * 0.99), Outcome::Miss);
    assert!(beyond.iter().all(|x| side(*x) == Outcome::Undecided));
}
