//! Worst cases for the pad of edges against boxes, and the limits of its range.

use impinge_geometry::{Point, Pose, Vector};
use impinge_models::Random;

use super::{EdgeSegment, PRODUCTS, PaddedBox};
use crate::placement::{Placement, SLACK};

/// Unit of rounding.
const U: f64 = f64::EPSILON / 2.0;

/// Proved bound, in units of rounding: see `docs/methods/escd.md`, "Error bound".
const NEED: f64 = 23.0;

/// An edge of A that ends at a corner of a box of B, and the scale of the query.
struct Touching {
    low: [f64; 3],
    high: [f64; 3],
    segment: EdgeSegment,
    scale: f64,
}

impl Touching {
    /// The edge runs from the posed corner `v` along `n`; the box lies on the other side.
    fn new(pose: &Pose, v: Point, n: Vector) -> Self {
        let w = pose.apply(&v);
        let ends = [w, w + n];
        let turned_back =
            ends.map(|p| Point::from(pose.rotation().tr_mul(&(p.coords - pose.translation()))));
        let far = v - pose.rotation().tr_mul(&n);
        let scale = w.coords.amax() + 2.0 * v.coords.amax() + pose.translation().amax();
        Self {
            low: v.coords.inf(&far.coords).into(),
            high: v.coords.sup(&far.coords).into(),
            segment: EdgeSegment::new(&turned_back[0], &turned_back[1], 0),
            scale,
        }
    }

    fn meets(&self, pad: f64) -> bool {
        PaddedBox::new(self.low, self.high, pad).meets(&self.segment)
    }

    /// The least pad that suffices, in units of rounding of the scale.
    fn needed(&self) -> f64 {
        let (mut few, mut enough) = (0.0, 1024.0);
        for _ in 0..40 {
            let middle = 0.5 * (few + enough);
            let side = if self.meets(middle * U * self.scale) { &mut enough } else { &mut few };
            *side = middle;
        }
        enough
    }
}

/// Rotations as far from orthonormal as a pose may be, 8 units in each entry of `RᵀR − I`: rotated
/// forth and back, a point on the diagonal is off by 24 units of a coordinate.
#[test]
fn edges_against_boxes_need_their_pad() {
    let skew = Pose::identity().rotation().add_scalar(3.99 * U);
    let mut most = 0.0f64;
    for index in 0..2000 {
        let mut random = Random::stream(51, index);
        let sign = Vector::from_fn(|_, _| if random.chance(0.5) { 1.0 } else { -1.0 });
        let turned = skew.component_mul(&(sign * sign.transpose()));
        let t = random.vector(-1.0, 1.0) * if random.chance(0.5) { 1.0 } else { 1e-3 };
        let pose = Pose::new(turned, t).expect("a rotation");
        assert_eq!(*pose.rotation(), turned, "kept as it is");
        let v = Point::from(sign * random.range(0.5, 1.0));
        let away = if random.chance(0.5) { sign } else { -sign };
        let touching = Touching::new(&pose, v, away * 1e-7);
        let pad = Placement::new(&pose, pose.apply(&v).coords.amax(), v.coords.amax()).pad;
        assert!(touching.meets(pad), "{index}");
        most = most.max(touching.needed());
    }
    println!("edges against boxes: {most:.2} u found, {NEED} u proved, {} u granted", SLACK / U);
    assert!(most <= NEED && NEED * U <= SLACK, "{most} u");
    assert!(most > NEED / 4.0, "only {most} u of {NEED} u are found to be needed");
}

/// Edges that touch a box are never dismissed. Edges that pass it are: on six axes while products
/// are in range, on three beyond.
#[test]
fn far_from_one_edges_are_dismissed_on_three_axes() {
    let beside = |unit: f64| {
        // Passes the edge x = y = 1 of the box at a distance.
        let [p, q] = [[3.0, -0.5, 0.0], [-0.5, 3.0, 0.0]].map(|p| Vector::from(p) * unit);
        let pad = SLACK * unit;
        let target = PaddedBox::new([-unit; 3], [unit; 3], pad);
        target.meets(&EdgeSegment::new(&Point::from(p), &Point::from(q), 0))
    };
    assert!(!beside(1.0) && !beside(1e-100) && !beside(0.99 * PRODUCTS));
    assert!(beside(1.01 * PRODUCTS) && beside(1e300));
    assert!((1e149..1e152).contains(&PRODUCTS), "products of two and their sums stay in range");
    for exponent in [-1074, -1060, -1022, -600, 0, 498, 510, 700, 990] {
        let unit = 2f64.powi(exponent.max(-1022)) * 2f64.powi((exponent + 1022).min(0));
        for index in 0..200 {
            let mut random = Random::stream(52, index);
            let low = [0; 3].map(|_| random.range(-8.0, 0.0).round() * unit);
            let high = [0; 3].map(|_| random.range(0.0, 8.0).round() * unit);
            // Through a corner of the box.
            let corner = Point::from([0, 1, 2].map(|k| [low, high][random.below(2) as usize][k]));
            let n = random.vector(-8.0, 8.0).map(f64::round) * unit;
            let pose = Pose::identity();
            let size = corner.coords.amax().max(n.amax());
            let pad = Placement::new(&pose, 2.0 * size, 8.0 * unit).pad;
            let segment = EdgeSegment::new(&(corner - n), &(corner + n), 0);
            assert!(PaddedBox::new(low, high, pad).meets(&segment), "2^{exponent}, {index}");
        }
    }
}
