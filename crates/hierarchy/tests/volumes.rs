//! Oriented boxes attacked at their bound: two point sets that share one posed vertex and lie on
//! opposite sides of a plane through it, so that their boxes touch to within rounding. No box test
//! may call them apart, at any scale and any distance from the origin.

use impinge_geometry::volume::Obb;
use impinge_geometry::{Point, Pose, Vector};
use impinge_hierarchy::Placement;
use impinge_hierarchy::volume::{ObbRows, Volume};
use impinge_models::Random;

/// Two boxes that share a posed vertex, and how they lie.
struct Touching {
    a: ObbRows,
    b: ObbRows,
    pose: Pose,
    max_a: f64,
    max_b: f64,
}

fn max_abs(points: &[Point]) -> f64 {
    points.iter().fold(0.0, |m: f64, p| m.max(p.coords.amax()))
}

/// Boxes of size about `size`, B's frame about `far` away from A's and both sets about `off` from
/// their own origins.
fn touching(random: &mut Random, size: f64, off: f64, far: f64) -> Option<Touching> {
    let rotation = *random.turned_to(Vector::zeros()).rotation();
    let home_b = random.vector(-off, off);
    // A is posed about its own place: t = (where A is) − R (where B is), plus a far shift.
    let home_a = random.vector(-off, off) + random.unit_vector() * far;
    let pose = Pose::new(rotation, home_a - rotation * home_b).ok()?;
    let normal = random.unit_vector();
    let shared_b = Point::from(home_b);
    let shared_a = pose.apply(&shared_b);
    let side = |random: &mut Random, n: &Vector, sign: f64| {
        let v = random.vector(-size, size);
        let height = v.dot(n);
        // On the wrong side: mirrored. Every fourth point in the plane itself, up to rounding.
        let v = if height * sign < 0.0 { v - n * (2.0 * height) } else { v };
        if random.chance(0.25) { v - n * v.dot(n) } else { v }
    };
    let normal_b = rotation.transpose() * normal;
    let mut a = vec![shared_a];
    let mut b = vec![shared_b];
    for _ in 0..6 {
        a.push(shared_a + side(random, &normal, -1.0));
        b.push(shared_b + side(random, &normal_b, 1.0));
    }
    let (box_a, box_b) = (Obb::fit_points(a.iter().copied())?, Obb::fit_points(b.iter().copied())?);
    Some(Touching {
        a: ObbRows::from(&box_a),
        b: ObbRows::from(&box_b),
        pose,
        max_a: max_abs(&a),
        max_b: max_abs(&b),
    })
}

/// How many of the boxes a placement with this pad calls apart, by overlap and by distance.
fn apart(pad: impl Fn(&Placement) -> f64) -> [u32; 2] {
    let mut wrong = [0, 0];
    for index in 0..40_000 {
        let mut random = Random::stream(11, index);
        let unit = 10f64.powf(random.range(-200.0, 200.0));
        let size = unit * 10f64.powf(random.range(-9.0, 0.0));
        let far = if random.chance(0.5) { 0.0 } else { unit * 100.0 };
        let t = touching(&mut random, size, unit, far).expect("finite numbers");
        let placement = Placement::new(&t.pose, t.max_a, t.max_b);
        let placed = t.b.place(&placement);
        wrong[0] += u32::from(!t.a.meets(&placed, pad(&placement)));
        wrong[1] += u32::from(t.a.gap(&placed, pad(&placement), f64::INFINITY) > 0.0);
    }
    wrong
}

#[test]
fn boxes_that_share_a_posed_vertex_are_never_apart() {
    assert_eq!(apart(|placement| placement.pad), [0, 0]);
}

#[test]
fn without_the_pad_some_are() {
    let [overlap, distance] = apart(|_| 0.0);
    assert!(overlap > 0 && distance > 0, "the attack does not reach the bound");
}

#[test]
fn gaps_are_lower_bounds_and_not_trivial() {
    let mut positive = 0;
    for index in 0..2_000 {
        let mut random = Random::stream(12, index);
        let cloud = |random: &mut Random| -> Vec<Point> {
            let long = random.vector(0.05, 1.0);
            let turn = random.turned_to(Vector::zeros());
            (0..8)
                .map(|_| turn.apply(&Point::from(random.vector(-1.0, 1.0).component_mul(&long))))
                .collect()
        };
        let (a, b) = (cloud(&mut random), cloud(&mut random));
        let pose = random.pose(1.0);
        let fit = |c: &[Point]| ObbRows::from(&Obb::fit_points(c.iter().copied()).expect("points"));
        let (box_a, box_b) = (fit(&a), fit(&b));
        let placement = Placement::new(&pose, max_abs(&a), max_abs(&b));
        let placed = box_b.place(&placement);
        let gap = box_a.gap(&placed, placement.pad, f64::INFINITY);
        let pose = &pose;
        let nearest = a
            .iter()
            .flat_map(|p| b.iter().map(move |q| (p - pose.apply(q)).norm()))
            .fold(f64::INFINITY, f64::min);
        assert!(gap <= nearest, "case {index}: {gap} > {nearest}");
        assert_eq!(gap == 0.0, box_a.meets(&placed, placement.pad), "case {index}");
        positive += u32::from(gap > 0.0);
    }
    assert!((600..=1800).contains(&positive), "{positive} of 2000 are apart");
}
