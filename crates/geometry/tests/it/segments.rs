//! Segments against triangles within rounding of contact, and against boxes by their slabs.

use dashu_ratio::RBig;
use impinge_geometry::segment::{segment_in_aabb, segment_in_obb, segment_triangle};
use impinge_geometry::triangle::Outcome;
use impinge_geometry::volume::{Aabb, Obb};
use impinge_geometry::{Point, Triangle, Vector, exact};
use nalgebra::Matrix3;

use crate::support::{Random, big};

const UNIT: f64 = f64::EPSILON / 2.0;

/// Segments that end a few units of rounding before or behind the triangle's plane, or pass its
/// border that closely. Every certain outcome is correct, for both windings.
#[test]
fn what_is_said_near_the_plane_and_the_border_is_true() {
    let mut r = Random(201);
    let (mut silent, mut hits, mut misses) = (0, 0, 0);
    for k in 0..40_000 {
        let scale = 2f64.powi([0, -300, 150, -40][k % 4]);
        let t = r.triangle();
        let (a, b) = (r.unit().abs() * 0.5, r.unit().abs() * 0.5);
        let inside = t[0] + (t[1] - t[0]) * a + (t[2] - t[0]) * b;
        let border = t[0] + (t[1] - t[0]) * a;
        let n = (t[1] - t[0]).cross(&(t[2] - t[0]));
        let little = f64::from(r.below(33) as i32 - 16) * [1.0, 4.0, 64.0][k % 3] * UNIT;
        let from = inside + n * [1.0, -1.0][k / 2 % 2] + r.vector() * 0.1;
        let (u, v) = match k / 4 % 3 {
            // One end nearly in the plane; both ends; through a point of the border.
            0 => (from, inside + n * little),
            1 => (inside + n * little, border + r.vector() * little),
            _ => {
                let on = border + (t[2] - t[0]) * little;
                (from, on + (on - from) * r.unit().abs())
            }
        };
        let (u, v) = if k % 5 == 0 { (v, u) } else { (u, v) };
        let (t, u, v) = (t.map(|x| x * scale), u * scale, v * scale);
        let truth = exact::segment_meets_triangle(&u, &v, &t);
        let turned: Triangle = [t[1], t[0], t[2]];
        for t in [&t, &turned] {
            match segment_triangle(&u, &v, t) {
                Outcome::Undecided => silent += 1,
                said => assert_eq!(said == Outcome::Hit, truth, "{u:?} {v:?} {t:?}"),
            }
        }
        hits += u32::from(truth);
        misses += u32::from(!truth);
    }
    println!("{silent} silent of 80000, {hits} hits, {misses} misses");
    assert!(hits > 8000 && misses > 8000 && silent > 8000, "{hits} {misses} {silent}");
}

/// Just beyond the documented error bounds the outcome is certain, for any sizes of triangle and
/// segment.
#[test]
fn the_bounds_are_hardly_more_than_what_is_proved() {
    let tiny = 2f64.powi(-30);
    for (size, length, far) in [
        (1.0, 1.0, 0.0),
        (64.0, 0.25, 0.0),
        (0.25, 64.0, 0.0),
        (tiny, tiny, 0.0),
        (1.0, 2.0, 256.0),
    ] {
        // The triangle x, y ≥ 0, x + y ≤ size in the plane z = 0, moved `far` from the crossing
        // point.
        let at = |x: f64, y: f64| Point::new(x * size - far, y * size, 0.0);
        let t = [at(0.0, 0.0), at(1.0, 0.0), at(0.0, 1.0)];
        let over = |z: f64| {
            let u = Point::new(0.25 * size, 0.25 * size, z);
            segment_triangle(&u, &Point::new(u.x, u.y, z + length), &t)
        };
        let reach = 0.25 * size + far + length + size;
        // The height times size² is compared with 36 u · size² · reach.
        assert_eq!(over(44.0 * UNIT * reach), Outcome::Miss);
        assert!(far > 0.0 || over(28.0 * UNIT * reach) == Outcome::Undecided);
        // Beside the side x = 0: the coordinate times size · length is compared with 80 u of all
        // terms.
        let beside = |x: f64| {
            let u = Point::new(x - far, 0.25 * size, 0.5 * length);
            segment_triangle(&u, &Point::new(u.x, u.y, -0.5 * length), &t)
        };
        let reach = 0.25 * size + length + size;
        if far == 0.0 {
            let near = 80.0 * UNIT * (reach.max(0.5 * length + length + size));
            assert_eq!((beside(-1.3 * near), beside(1.3 * near)), (Outcome::Miss, Outcome::Hit));
            let near = 80.0 * UNIT * (length + size);
            for x in [-0.7 * near, 0.0, 0.7 * near] {
                assert_eq!(beside(x), Outcome::Undecided, "{size} {length} {x:e}");
            }
        }
        // Nearly parallel to the plane: the determinant is certain from 36 u on.
        let along = |slope: f64| {
            let u = Point::new(-0.25 * length - far, 0.25 * size, -0.25 * slope * length);
            let v = Point::new(u.x + length, u.y, u.z + slope * length);
            segment_triangle(&u, &v, &t)
        };
        if far == 0.0 && size <= length {
            assert_eq!(along(36.0 * 0.7 * UNIT), Outcome::Undecided);
            assert_eq!(along(0.25), Outcome::Undecided, "through the border");
        }
    }
}

/// The exact parameter interval of a segment within a box; `None` if it misses.
fn exact_interval(u: &Point, v: &Point, b: &Aabb) -> Option<[RBig; 2]> {
    let (mut from, mut to) = (RBig::ZERO, RBig::ONE);
    for k in 0..3 {
        let (start, d) = (big(u[k]), big(v[k]) - big(u[k]));
        let [low, high] = [b.min[k], b.max[k]].map(|x| big(x) - &start);
        if d == RBig::ZERO {
            if low > RBig::ZERO || high < RBig::ZERO {
                return None;
            }
            continue;
        }
        let [enter, leave] =
            if d > RBig::ZERO { [low / &d, high / &d] } else { [high / &d, low / &d] };
        (from, to) = (from.max(enter), to.min(leave));
    }
    (from <= to).then_some([from, to])
}

#[test]
fn slabs_give_the_exact_interval_rounded_outward() {
    let mut r = Random(202);
    let (mut some, mut none) = (0, 0);
    for k in 0..6000 {
        let lattice = k % 2 == 0;
        let scale = [1.0, 1.0, 2f64.powi(-700), 2f64.powi(700)][k / 2 % 4];
        let mut point = || if lattice { r.lattice_point(2) } else { r.point() };
        let (x, y, u, v) = (point(), point(), point(), point());
        let b = Aabb { min: x.inf(&y) * scale, max: x.sup(&y) * scale };
        let (u, v) = (u * scale, v * scale);
        let truth = exact_interval(&u, &v, &b);
        let found = segment_in_aabb(&u, &v, &b);
        let Some([from, to]) = truth else {
            // Outward rounding keeps some segments that miss by less than rounding; none on a
            // lattice.
            assert!(!lattice || found.is_none(), "{u:?} {v:?} {b:?}");
            none += u32::from(found.is_none());
            continue;
        };
        some += 1;
        let [low, high] = found.expect("they share a point");
        assert!((0.0..=1.0).contains(&low) && (0.0..=1.0).contains(&high));
        // Parameters are moved outward by 8 u, of which rounding consumes at most four.
        let room = |t: &RBig, units: f64| big(units * UNIT) * t;
        let least = big(f64::MIN_POSITIVE);
        assert!(big(low) <= (&from - room(&from, 3.0)).max(RBig::ZERO));
        assert!(big(low) >= &from - room(&from, 14.0) - &least - &least);
        assert!(big(high) >= (&to + room(&to, 3.0)).min(RBig::ONE));
        assert!(big(high) <= &to + room(&to, 14.0) + &least + &least);
    }
    assert!(some > 1000 && none > 1000, "{some} {none}");
}

#[test]
fn a_segment_along_a_side_is_in_the_closed_box_only() {
    let b = Aabb { min: Point::new(-1.0, -2.0, -3.0), max: Point::new(1.0, 2.0, 3.0) };
    for k in 0..3 {
        for (x, held) in [(b.min[k], true), (b.max[k], true), (0.0, true)]
            .into_iter()
            .chain([(b.min[k].next_down(), false), (b.max[k].next_up(), false)])
        {
            let (mut u, mut v) = (Point::new(0.5, 0.5, 0.5), Point::new(-0.5, -0.5, 0.0));
            (u[k], v[k]) = (x, x);
            assert_eq!(segment_in_aabb(&u, &v, &b).is_some(), held, "{k} {x}");
            assert_eq!(segment_in_aabb(&u, &u, &b).is_some(), held, "{k} {x}");
        }
    }
    // A segment from the border outward has only its start in the box.
    let out = segment_in_aabb(&Point::new(1.0, 0.0, 0.0), &Point::new(3.0, 0.0, 0.0), &b);
    assert!(out.is_some_and(|[from, to]| from == 0.0 && to <= 2.0 * f64::MIN_POSITIVE));
    let into = segment_in_aabb(&Point::new(5.0, 0.0, 0.0), &Point::new(1.0, 0.0, 0.0), &b);
    assert!(into.is_some_and(|[from, to]| from < 1.0 && from > 1.0 - 10.0 * UNIT && to == 1.0));
}

/// In an oriented box, parameters are computed in its frame, and the box is enlarged by 256 u of
/// the distances.
#[test]
fn a_turned_box_is_enlarged_by_256_roundings_of_the_distances() {
    let mut r = Random(203);
    for k in 0..400 {
        let axes = if k % 4 == 0 { Matrix3::identity() } else { r.rotation() };
        let center = Point::from(r.vector() * [0.0, 2.0][k % 2]);
        let b = Obb { center, axes, half: r.vector().abs() + Vector::repeat(0.1) };
        let at = |v: Vector| center + axes * v;
        // Through the box, given in its frame.
        let (u, v) = (Vector::new(-4.0, 0.05, -0.05), Vector::new(4.0, -0.05, 0.05));
        let [from, to] = segment_in_obb(&at(u), &at(v), &b).expect("through it");
        let near = |x: f64, y: f64| (x - y).abs() < 1e-12;
        assert!(near(from, 0.5 - b.half.x / 8.0) && near(to, 0.5 + b.half.x / 8.0));
        // Beside a face of an axis-aligned box, at fractions of the slack.
        let b = Obb { center: Point::origin(), axes: Matrix3::identity(), ..b };
        for i in 0..3 {
            let beside = |share: f64| {
                let mut ends = [Point::new(0.02, 0.03, 0.04), Point::new(-0.07, 0.05, 0.01)];
                for end in &mut ends {
                    end[i] = b.half[i];
                }
                let size: f64 = ends.iter().map(|p| p.coords.abs().sum()).sum();
                for end in &mut ends {
                    end[i] += share * 256.0 * UNIT * size;
                }
                segment_in_obb(&ends[0], &ends[1], &b).is_some()
            };
            assert!(beside(0.0) && beside(0.8) && !beside(1.2), "{b:?}");
        }
    }
    let point = Obb { center: Point::origin(), axes: Matrix3::identity(), half: Vector::zeros() };
    assert!(segment_in_obb(&point.center, &point.center, &point).is_some());
}
