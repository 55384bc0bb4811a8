//! Pairs in general position, at ordinary and at extreme sizes.

use impinge_geometry::{Point, Triangle, Vector};
use impinge_models::Random;

use super::draw::{brought_near, integer, triangle};
use super::{lattice, touching};

pub(super) fn random(r: &mut Random) -> (Triangle, Triangle) {
    let (a, b) = (triangle(r), triangle(r));
    let b = brought_near(r, &a, &b, 0.5);
    (a, b)
}

pub(super) fn huge_tiny(r: &mut Random) -> (Triangle, Triangle) {
    if r.chance(0.4) {
        // Both away from the origin; the tiny one still spans a thousand units of rounding.
        let (huge, tiny) = (10f64.powf(r.range(3.0, 6.0)), 10f64.powf(r.range(-6.0, -3.0)));
        let a = triangle(r).map(|p| p * huge);
        let b = triangle(r).map(|p| p * tiny);
        let b = brought_near(r, &a, &b, 0.9 * tiny);
        return (a, b);
    }
    let (huge, tiny) = (integer(r, 20, 330) as i32, integer(r, -330, -10) as i32);
    around_origin(r, huge, tiny)
}

/// A triangle of size `2^huge` whose plane contains the origin exactly, or with a corner near the
/// origin, and one of size `2^tiny` around the origin.
fn around_origin(r: &mut Random, huge: i32, tiny: i32) -> (Triangle, Triangle) {
    let (huge, tiny) = (2f64.powi(huge - 30), 2f64.powi(tiny));
    let whole = |r: &mut Random| r.vector(-1e9, 1e9).map(f64::round) * huge;
    let (u, v) = (whole(r), whole(r));
    let corner_there = r.chance(0.3);
    let (first, reach) = if corner_there {
        (r.vector(-1.0, 1.0) * tiny, 0.2)
    } else {
        // Integers below 2⁵³, so the sum is exact.
        (-(u + v), 0.9)
    };
    let miss = r.in_ball() * reach;
    let b = triangle(r);
    let middle = (b[0].coords + b[1].coords + b[2].coords) / 3.0;
    let b = b.map(|p| (p - middle + miss) * tiny);
    ([first, u, v].map(Point::from), b)
}

pub(super) fn needles(r: &mut Random) -> (Triangle, Triangle) {
    const WIDTH: f64 = 1e-8;
    let a = needle(r, WIDTH);
    if r.chance(0.5) {
        let b = triangle(r);
        let b = brought_near(r, &a, &b, 0.7);
        return (a, b);
    }
    let b = needle(r, WIDTH);
    let b = brought_near(r, &a, &b, 0.35 * WIDTH);
    (a, b)
}

fn needle(r: &mut Random, width: f64) -> Triangle {
    let start = Point::from(r.vector(-1.0, 1.0));
    let along = r.unit_vector();
    let aside = along.cross(&r.unit_vector()).normalize();
    [start, start + along, start + along * r.unit() + aside * width]
}

/// The exponent of about 1e150; multiplying by a power of two is exact.
const LARGE: i32 = 498;

pub(super) fn extreme(r: &mut Random) -> (Triangle, Triangle) {
    match r.below(4) {
        0 => {
            let (a, b) = ordinary(r);
            let factor = 2f64.powi(if r.chance(0.5) { LARGE } else { -LARGE });
            (a.map(|p| p * factor), b.map(|p| p * factor))
        }
        1 => {
            // A different unit on every axis: an affine map, so the verdict is unchanged.
            let (a, b) = ordinary(r);
            let factors = Vector::from_fn(|_, _| 2f64.powi(LARGE * (r.below(3) as i32 - 1)));
            let map = |p: Point| Point::from(p.coords.component_mul(&factors));
            (a.map(map), b.map(map))
        }
        2 => around_origin(r, LARGE, -LARGE),
        _ => (mixed(r), mixed(r)),
    }
}

fn ordinary(r: &mut Random) -> (Triangle, Triangle) {
    match r.below(5) {
        0 => random(r),
        1 => lattice::lattice(r),
        2 => lattice::coplanar(r),
        3 => touching::ulp(r),
        _ => lattice::vertex_on_face(r),
    }
}

/// One corner near 1e-150, one near 1e150, one of either; in the half-space in which most meet.
fn mixed(r: &mut Random) -> Triangle {
    let factor = |large: bool| 2f64.powi(if large { LARGE } else { -LARGE });
    let third = r.chance(0.7);
    [false, true, third].map(|large| {
        let mut v = r.unit_vector() * factor(large);
        if large {
            v.z = v.z.abs();
        }
        Point::from(v)
    })
}
