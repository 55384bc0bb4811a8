//! Searches for inputs on which an error comes near its bound, and tests that fail without it.

use impinge_geometry::exact::triangles_meet;
use impinge_geometry::{Mesh, Point, Pose, Vector};
use impinge_models::Random;
use impinge_query::Control;

use super::model::{PairsModel, PlacedBox};
use super::placed::{BOXES, GRID, PLACES, Placed, Placing};
use crate::kernel::{Class, RHO};
use crate::model::Below;

/// By how many places a vertex may be off: see `docs/methods/stream-pairs.md`.
const NEEDED: f64 = 2.25;

/// A triangle, and another one that gives its mesh a size.
fn model(corners: [Vector; 3], size: f64) -> PairsModel {
    let other = [[-size, 0.0, 0.0], [size, 0.0, 0.0], [0.0, 0.0, 0.1 * size]];
    let points = corners.map(Point::from).into_iter().chain(other.map(Point::from)).collect();
    let mesh = Mesh::new(points, vec![[0, 1, 2], [3, 4, 5]]).expect("legal");
    PairsModel::new(&mesh, &Control::NONE).expect("any mesh")
}

fn near(a: &PairsModel, b: &PairsModel, pose: &Pose) -> Placed {
    match Placing::of(a, b, pose) {
        Placing::Near(placed) => placed,
        other => panic!("{other:?}"),
    }
}

fn corners(model: &PairsModel) -> [Point; 3] {
    model.tree().mesh().triangle(0)
}

/// By how many places a vertex of A or of B is off.
#[test]
fn places_are_off_by_less_than_their_bound() {
    let mut random = Random::new(671);
    let mut most = 0.0f64;
    for index in 0..40_000 {
        let sizes = [1.0, [1.0, 0.9, 0.3, 1e-3][index % 4]];
        let [a, b] =
            sizes.map(|size| model([(); 3].map(|()| random.vector(-0.9 * size, 0.9 * size)), size));
        let pose = random.pose(0.5);
        let placed = near(&a, &b, &pose);
        let unit = a.frame().unit.max(b.frame().unit) / PLACES;
        let origin = Vector::from(a.frame().origin);
        let exact =
            [corners(&a)[0], pose.apply(&corners(&b)[0])].map(|p| (p.coords - origin) / unit);
        let places = placed.places(&a.corners()[0], &b.corners()[0]).map(|t| t[0]);
        for (place, exact) in places.iter().flatten().zip(exact.iter().flatten()) {
            most = most.max((f64::from(*place) - exact).abs());
        }
    }
    println!("places: off by {most:.2}, {NEEDED} proved, {GRID} granted");
    assert!(most > 1.25 && most < NEEDED && NEEDED < GRID, "{most}");
}

/// A triangle of A, and one of B that passes near its border or ends near its plane.
fn close(random: &mut Random) -> ([Vector; 3], [Vector; 3]) {
    let size = 10f64.powf(random.range(-7.0, -1.0));
    let base = random.vector(-0.8, 0.8);
    let p = [(); 3].map(|()| base + random.vector(-size, size));
    let along = random.range(0.0, 1.0);
    let inner = if random.chance(0.5) { 0.0 } else { random.range(0.0, 0.5) };
    let target = (p[0] * (1.0 - along) + p[1] * along) * (1.0 - inner) + p[2] * inner;
    let tiny = 10f64.powf(random.range(-10.0, -7.0));
    let aside = if random.chance(0.2) { size } else { tiny };
    let target = target + random.vector(-aside, aside);
    let dir = random.vector(-size, size);
    let s = if random.chance(0.5) { 0.0 } else { random.range(0.0, 1.0) };
    let q = [target - dir * s, target + dir * (1.0 - s), target + random.vector(-size, size)];
    (p, q)
}

/// Contradictions of the exact test, with the bound on places times `share`; and how many pairs are
/// of each class.
fn contradictions(share: f32) -> (usize, [usize; 3]) {
    let mut random = Random::new(672);
    let still = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let mut placed = Placed::in_units(still, [0.0; 3], [0, 0], 0.0);
    placed.grid *= share;
    let (mut wrong, mut classes) = (0, [0; 3]);
    for _ in 0..60_000 {
        let (p, q) = close(&mut random);
        let place = |v: Vector| [0, 1, 2].map(|k| (v[k] * PLACES).round() as i32);
        let [p, q] = [p.map(place), q.map(place)];
        // As far off as places may be, all corners of a triangle one way.
        let off = Vector::from_fn(|_, _| if random.chance(0.5) { NEEDED } else { -NEEDED });
        let exact = |place: [i32; 3], off: Vector| {
            Point::from((Vector::from(place.map(f64::from)) + off) / PLACES)
        };
        let class = placed.class(&p, &q);
        let meets = triangles_meet(&p.map(|v| exact(v, off)), &q.map(|v| exact(v, -off)));
        wrong += usize::from(class == if meets { Class::Miss } else { Class::Hit });
        classes[class as usize] += 1;
    }
    (wrong, classes)
}

#[test]
fn certain_classes_agree_with_the_exact_test() {
    let (wrong, classes) = contradictions(1.0);
    assert_eq!(wrong, 0);
    let (without, _) = contradictions(0.0);
    let (hardly, _) = contradictions(0.0625);
    println!("miss, hit, unknown: {classes:?}; wrong without bound {without}, with 1/16 {hardly}");
    assert!(without > 500 && hardly > 10, "{without} {hardly}: nothing is tested");
    assert!(classes.iter().all(|count| *count > 1_000), "{classes:?}");
}

/// Two boxes that share a point, with axes of which one separates them if either moves; the least
/// enlargement that keeps them together, in units of [`RHO`].
fn needed(random: &mut Random) -> f64 {
    let rotation = *random.pose(0.0).rotation();
    let node = |random: &mut Random| {
        let half = [(); 3].map(|()| if random.chance(0.3) { 0.0 } else { random.range(0.0, 0.5) });
        let centre = <[f64; 3]>::from(random.vector(-0.5, 0.5));
        let [centre, half] = [centre, half].map(|v| v.map(|x| x as f32));
        PlacedBox { centre, half, below: Below::Triangle(0) }
    };
    let (a, b) = (node(random), node(random));
    // Along an axis of a box, or one perpendicular to an axis of each.
    let unit = |k: usize| Vector::from_fn(|i, _| f64::from(u8::from(i == k)));
    let (i, j) = (random.below(3) as usize, random.below(3) as usize);
    let axis = match random.below(3) {
        0 => unit(i),
        1 => rotation * unit(j),
        _ => unit(i).cross(&(rotation * unit(j))),
    };
    let farthest = |node: &PlacedBox, axis: Vector| {
        Vector::from_fn(|k, _| {
            f64::from(node.centre[k]) + f64::from(node.half[k]).copysign(axis[k])
        })
    };
    let on_a = farthest(&a, axis);
    let on_b = rotation * farthest(&b, rotation.tr_mul(&-axis));
    let rows = [0, 1, 2].map(|i| [0, 1, 2].map(|k| rotation[(i, k)]));
    let mut placed = Placed::in_units(rows, (on_a - on_b).into(), [0, 0], 0.0);
    let (mut few, mut enough) = (0.0f32, 4096.0);
    for _ in 0..24 {
        let middle = 0.5 * (few + enough);
        placed.more = middle * RHO;
        if placed.boxes_meet(&a, &b) { enough = middle } else { few = middle }
    }
    f64::from(enough)
}

#[test]
fn boxes_need_their_enlargement() {
    let mut random = Random::new(673);
    let most = (0..200_000).map(|_| needed(&mut random)).fold(0.0f64, f64::max);
    println!("boxes: {most:.2} units found, 80 proved, {BOXES} granted");
    assert!(most > 1.0 && most < 80.0, "{most}");
}

#[test]
fn poses_that_are_too_far_or_too_rough_are_told_apart() {
    let body = model([Vector::zeros(), Vector::x() * 0.5, Vector::y() * 0.5], 1.0);
    let at = |x: f64| Pose::translation_by(Vector::repeat(x)).expect("in range");
    let of = |pose| Placing::of(&body, &body, &pose);
    assert!(matches!(of(at(0.0)), Placing::Near(_)));
    assert!(matches!(of(at(2.0)), Placing::Near(_)));
    for x in [7.0, 1e10, 1e14, 1e300] {
        assert_eq!(of(at(x)), Placing::Apart, "{x:e}");
    }
    // A body far from its origin, moved back: posed vertices round by about 4 of its sizes.
    let far: Vec<Point> =
        body.tree().mesh().vertices().iter().map(|p| p + Vector::repeat(1e14)).collect();
    let far = body.tree().mesh().with_vertices(far).expect("in range");
    let far = PairsModel::new(&far, &Control::NONE).expect("any mesh");
    let Placing::Rough(placed) = Placing::of(&body, &far, &at(-1e14)) else { panic!("rough") };
    let [corners, ..] = body.corners() else { panic!("two triangles") };
    assert_eq!(placed.class(corners, corners), Class::Unknown);
    assert!(placed.boxes_meet(&body.boxes()[1], &body.boxes()[2]));
}
