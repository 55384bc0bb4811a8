//! Placed vertices and their heights, against linear searches and integers.

use impinge_geometry::gjk::Cloud;
use impinge_models::{Shape, random::Random};
use impinge_query::Cancel;

use super::*;

fn placed(vertices: &[Point]) -> Points {
    let mut points = Points::default();
    points.place(vertices, (None, 0), &Pose::identity(), &Control::NONE).expect("nobody cancels");
    points
}

#[test]
fn lanes_find_what_a_linear_search_finds() {
    let mut random = Random::new(7);
    for triangles in [2, 12, 40, 1000] {
        let mesh = Shape::Sphere.mesh(triangles, 3);
        let points = placed(mesh.vertices());
        assert_eq!(points.len(), mesh.vertices().len());
        assert!(!points.is_empty() && points.padded() == points.len().next_multiple_of(LANES));
        assert_eq!(points.bytes(), 24 * points.padded());
        let mut cloud = Cloud::new(mesh.vertices()).expect("in range");
        for _ in 0..100 {
            let d = Vector::from_fn(|_, _| random.range(-1.0, 1.0));
            assert_eq!((&points).farthest(&d), cloud.farthest(&d));
            let heights = mesh.vertices().iter().map(|p| height(p.coords.into(), &d));
            let low = heights.clone().fold(f64::INFINITY, f64::min);
            let high = heights.fold(f64::NEG_INFINITY, f64::max);
            assert_eq!(points.slab(&d), Slab { low, high });
            let mut all = vec![9.0; 3];
            assert_eq!(points.measure(&d, &mut all), Slab { low, high });
            assert_eq!(all.len(), points.padded());
            assert!(mesh.vertices().iter().zip(&all).all(|(p, &h)| h == d.dot(&p.coords)));
        }
    }
}

/// Heights of points with the error computed in integers. The search reaches more than a quarter
/// of what is needed, and never what is granted.
#[test]
fn heights_are_off_by_less_than_their_doubt() {
    let mut random = Random::new(11);
    let one = f64::from_bits(0x3ff0_0000_0000_0000 - (53 << 52)); // 2⁻⁵³
    let mut worst = 0.0f64;
    for _ in 0..200_000 {
        // Multiples of 2⁻⁵³ below 1, near the largest or near half of it.
        let whole = |random: &mut Random| {
            let x = (random.bits() >> 11) as i64;
            let near = [1 << 53, 1 << 52, x.max(1)][random.below(3) as usize];
            let off = (random.bits() >> 54) as i64;
            (near - off).abs().min((1 << 53) - 1) * [1, -1][random.below(2) as usize]
        };
        let (p, d) = ([0; 3].map(|_| whole(&mut random)), [0; 3].map(|_| whole(&mut random)));
        let computed = height(p.map(|x| x as f64 * one), &Vector::from(d.map(|x| x as f64 * one)));
        let exact: i128 = (0..3).map(|k| i128::from(p[k]) * i128::from(d[k])).sum();
        // In units of 2⁻¹⁰⁶, all that f64 computes here is an integer.
        let off = (computed / one / one) as i128 - exact;
        let sizes = d.iter().map(|x| x.abs() as f64).sum::<f64>() * one;
        let most = p.iter().map(|x| x.abs() as f64).fold(0.0, f64::max) * one;
        worst = worst.max(off.abs() as f64 * one * one / (sizes * most * UNIT));
    }
    assert!(worst > 0.75 && worst <= 3.0 && HEIGHT >= 3.0, "{worst}");
}

#[test]
fn the_first_of_equally_far_points_is_found() {
    let height = |i: u32| if [18, 33, 34, 35].contains(&i) { 2.0 } else { 1.0 };
    let points = placed(&(0..40).map(|i| Point::new(0.0, height(i), 0.0)).collect::<Vec<_>>());
    assert_eq!((&points).farthest(&Vector::y()).index, 18);
    assert_eq!((&points).farthest(&-Vector::y()).index, 0);
}

/// 4 u of the sum of the direction's components times the largest coordinate, whichever axis it is
/// along; more than nothing of the origin alone, whose products may underflow.
#[test]
fn doubts_and_excesses_are_those_stated() {
    let u = 2f64.powi(-53);
    let d = Vector::new(1.0, -2.0, 0.5);
    for k in 0..3 {
        let far = Point::from(Vector::ith(k, -3.0));
        let mut points = placed(&[Point::origin(), far, Point::new(1.0, 1.0, 1.0)]);
        assert_eq!(points.doubt(&d), 4.0 * 3.5 * 3.0 * u);
        assert_eq!((&points).excess(), 8.0 * 3.0 * u);
        assert_eq!(Watched::new(&points, &Control::NONE).excess(), 8.0 * 3.0 * u);
        points = placed(&[Point::origin()]);
        assert_eq!(points.doubt(&d), 8.0 * 2f64.powi(-1074));
        assert_eq!((&points).excess(), f64::MIN_POSITIVE);
    }
}

/// Bits of earlier marks stay, and a height on a plane is not beyond it.
#[test]
fn marks_are_set_of_heights_beyond_a_slab() {
    let heights: Vec<f64> = (0..32).map(|i| f64::from(i % 7)).collect();
    let mut codes = vec![1u16 << 3; 32];
    let slabs = [Slab { low: 2.0, high: 4.0 }, Slab { low: 1.0, high: 5.0 }];
    for bit in [0, 5, 0] {
        mark(&heights, slabs[bit.min(1)], bit, &mut codes);
    }
    for (h, code) in heights.iter().zip(codes) {
        let set = [(*h < 2.0, 0), (*h > 4.0, 1), (*h < 1.0, 10), (*h > 5.0, 11), (true, 3)];
        assert_eq!(code, set.iter().map(|&(is, bit)| u16::from(is) << bit).sum::<u16>(), "{h}");
    }
}

/// One look for 8,192 vertices, and one more.
#[test]
fn placing_looks_at_the_flag() {
    let vertices = vec![Point::origin(); 20_000];
    let cancel = Cancel::at_look(u64::MAX);
    let control = Control::NONE.cancelled_by(&cancel);
    let placed = Points::default().place(&vertices, (None, 0), &Pose::identity(), &control);
    assert!(placed.is_ok() && cancel.looks().expect("counted").number == 4);
}

/// Once the flag is up, searches return one point, and the end tells.
#[test]
fn a_watched_search_looks_once() {
    let points = placed(&[1.0, 2.0, 3.0].map(|x| Point::new(x, 0.0, 0.0)));
    let cancel = Cancel::at_look(2);
    let control = Control::NONE.cancelled_by(&cancel);
    let mut watched = Watched::new(&points, &control);
    assert_eq!([0; 3].map(|_| watched.farthest(&Vector::x()).index), [2, 0, 0]);
    assert!(watched.end().is_err());
    assert!(Watched::new(&points, &Control::NONE).end().is_ok());
}
