//! Searches for inputs on which an error comes near its bound, and tests that fail without it.

use impinge_geometry::exact::segment_meets_triangle;
use impinge_geometry::volume::Obb;
use impinge_geometry::{Point, Vector};
use impinge_hierarchy::volume::ObbRows;
use impinge_models::Random;

use super::certified::{Class, Terms, judge};
use super::{Face, StreamBox, largest, sub};
use crate::model::{Frame, narrow};
use crate::stream::HALF_UNIT;

/// The error of a coordinate of at most 1.
const DELTA: f32 = HALF_UNIT as f32;

/// Corners of a triangle and ends of an edge in 32 bits, and by which share of δ each coordinate is
/// off.
#[derive(Clone)]
struct Input {
    points: [[f32; 3]; 5],
    off: [[f64; 3]; 5],
}

impl Input {
    fn draw(random: &mut Random, sizes: [f64; 3]) -> Self {
        let [size, length, reach] = sizes;
        let base = random.vector(-0.3, 0.3);
        let from = base + random.vector(-reach, reach);
        let points = [
            base,
            base + random.vector(-size, size),
            base + random.vector(-size, size),
            from,
            from + random.vector(-length, length),
        ];
        let sign = |random: &mut Random| if random.chance(0.5) { 1.0 } else { -1.0 };
        Self {
            points: points.map(|p| narrow(p.into())),
            off: [(); 5].map(|()| [(); 3].map(|()| sign(random))),
        }
    }

    fn truth(&self) -> [Vector; 5] {
        [0, 1, 2, 3, 4].map(|i| {
            let point = |k: usize| f64::from(self.points[i][k]) + self.off[i][k] * f64::from(DELTA);
            Vector::new(point(0), point(1), point(2))
        })
    }

    fn terms(&self) -> Terms {
        let [a, b, c, p, q] = self.points;
        let face = Face::new([a, b, c]);
        let (u, v, dir) = (sub(p, a), sub(q, a), sub(q, p));
        let slack = 2.0 * DELTA;
        let reach = largest(u).max(largest(v)) + slack;
        let sizes = [face.size + slack, largest(dir) + slack, reach];
        Terms::new([u, v, dir], sizes, DELTA, &face)
    }

    /// The largest error of each kind over its bound: height, determinant, coordinate, third
    /// coordinate.
    fn shares(&self) -> [f64; 4] {
        let terms = self.terms();
        let [a, b, c, p, q] = self.truth();
        let (e12, e13, dir, u, v) = (b - a, c - a, q - p, p - a, q - a);
        let (n, moment) = (e12.cross(&e13), u.cross(&dir));
        let share = |found: f32, truth: f64, bound: f32| {
            (f64::from(found) - truth).abs() / f64::from(bound)
        };
        let det = e13.dot(&e12.cross(&dir));
        let [s, t] = [e13.dot(&moment), -e12.dot(&moment)];
        [
            share(terms.at_u, n.dot(&u), terms.side).max(share(terms.at_v, n.dot(&v), terms.side)),
            share(terms.det, det, terms.of_det),
            share(terms.a, s, terms.of_ab).max(share(terms.b, t, terms.of_ab)),
            share(terms.c, det - s - t, terms.of_c),
        ]
    }

    /// One coordinate or its error changed.
    fn changed(&self, random: &mut Random, sizes: [f64; 3]) -> Self {
        let mut next = self.clone();
        let (i, k) = (random.below(5) as usize, random.below(3) as usize);
        if random.chance(0.5) {
            next.off[i][k] = -next.off[i][k];
        } else {
            let step = sizes[random.below(3) as usize] * random.range(-0.5, 0.5);
            next.points[i][k] = (f64::from(next.points[i][k]) + step) as f32;
        }
        next
    }
}

/// Whether the input keeps what the bounds assume: coordinates of at most 1.
fn in_range(input: &Input) -> bool {
    input.points.iter().flatten().all(|x| x.abs() <= 1.0)
}

/// The largest share of its bound that an error of each kind reaches, by hill climbing.
#[test]
fn bounds_of_triple_products_are_needed() {
    let mut best = [0.0f64; 4];
    for (index, sizes) in
        [[1e-3; 3], [1e-2, 1e-2, 1e-2], [1e-1, 1e-3, 1e-2], [1e-6, 1e-6, 1e-6], [0.5, 0.5, 0.5]]
            .into_iter()
            .enumerate()
    {
        for (kind, best) in best.iter_mut().enumerate() {
            for try_ in 0..3 {
                let stream = (16 * index + kind) as u64;
                let mut random = Random::stream(611 + try_, stream);
                let mut input = Input::draw(&mut random, sizes);
                let mut found = input.shares()[kind];
                for _ in 0..4_000 {
                    let next = input.changed(&mut random, sizes);
                    if !in_range(&next) {
                        continue;
                    }
                    let share = next.shares()[kind];
                    if share >= found {
                        (input, found) = (next, share);
                    }
                }
                assert!(found < 1.0, "kind {kind}: {found} of the bound, {:?}", input.points);
                *best = best.max(found);
            }
        }
    }
    println!("heights, determinants, coordinates, third ones: {best:.3?} of their bounds");
    assert!(best.iter().all(|share| *share > 0.25), "{best:?}");
}

/// An edge that ends near the plane of a triangle, or passes near its border or a corner.
fn near(random: &mut Random) -> ([Point; 3], [Point; 2]) {
    let size = 10f64.powf(random.range(-6.0, -0.4));
    let base = random.vector(-0.3, 0.3);
    let corners = [0, 1, 2].map(|_| base + random.vector(-size, size));
    let tiny = |random: &mut Random| random.range(-1.0, 1.0) * 10f64.powf(random.range(-9.0, -5.0));
    let along = if random.chance(0.3) { random.range(0.0, 1.0) } else { 0.0 };
    // On a side, or at a corner, and a little off it.
    let target = corners[0] * (1.0 - along) + corners[1] * along;
    let inner = if random.chance(0.5) { 0.0 } else { random.range(0.0, 0.5) };
    let target = target * (1.0 - inner) + corners[2] * inner;
    let target = target + Vector::from_fn(|_, _| tiny(random));
    // One of three reaches far beyond the triangle's mesh.
    let length = 10f64.powf(random.range(-6.0, -0.4) + if random.chance(0.3) { 5.0 } else { 0.0 });
    let dir = random.vector(-length, length);
    let s = if random.chance(0.5) { 0.0 } else { random.range(0.0, 1.0) };
    (
        corners.map(Point::from),
        [Point::from(target - dir * s), Point::from(target + dir * (1.0 - s))],
    )
}

/// Contradictions of the exact test, with the bounds times `share`; and how many pairs are of each
/// class.
fn contradictions(share: f32) -> (usize, [usize; 3]) {
    let mut random = Random::new(612);
    let (mut wrong, mut classes) = (0, [0; 3]);
    for _ in 0..60_000 {
        let (corners, ends) = near(&mut random);
        let face = Face::new(corners.map(|c| narrow(c.coords.into())));
        let [from, to] = ends.map(|p| narrow(p.coords.into()));
        // As far off as coordinates may be, all corners one way.
        let most = ends.iter().flat_map(|p| p.iter()).fold(1.0f64, |most, x| most.max(x.abs()));
        let delta = HALF_UNIT * most;
        let off = Vector::from_fn(|_, _| if random.chance(0.5) { delta } else { -delta });
        let exact = |p: Point, off: Vector| {
            Point::from(Vector::from(narrow(p.coords.into()).map(f64::from)) + off)
        };
        let corners = corners.map(|p| exact(p, off));
        let [p, q] = ends.map(|p| exact(p, -off));
        let class = judge(from, to, delta as f32, &face, share);
        let meets = segment_meets_triangle(&p, &q, &corners);
        let says = if meets { Class::Miss } else { Class::Hit };
        wrong += usize::from(class == says as u32);
        classes[class as usize] += 1;
    }
    (wrong, classes)
}

#[test]
fn certain_classes_agree_with_the_exact_test() {
    let (wrong, classes) = contradictions(1.0);
    assert_eq!(wrong, 0);
    let (without, _) = contradictions(0.0);
    let (hardly, _) = contradictions(0.125);
    println!("miss, hit, unknown: {classes:?}; wrong without bounds {without}, with 1/8 {hardly}");
    assert!(without > 500 && hardly > 10, "{without} {hardly}: nothing is tested");
    assert!(classes.iter().all(|count| *count > 1_000), "{classes:?}");
}

/// A triangle in the plane z = 0 and edges about it, one for each reason.
#[test]
fn every_reason_decides_alone() {
    let face = Face::new([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    let class = |p, q| judge(p, q, DELTA, &face, 1.0);
    let [miss, hit, unknown] = [Class::Miss, Class::Hit, Class::Unknown].map(|class| class as u32);
    assert_eq!(class([0.2, 0.3, 1.0], [0.3, 0.2, -1.0]), hit);
    assert_eq!(class([0.3, 0.2, -1.0], [0.2, 0.3, 1.0]), hit, "from below");
    // In the plane, beside the bounds.
    assert_eq!(class([1.1, 0.0, 0.0], [1.2, 1.0, 0.0]), miss);
    // Above the plane, over the triangle, parallel to it or not.
    assert_eq!(class([0.1, 0.1, 0.1], [0.5, 0.2, 0.1]), miss);
    assert_eq!(class([0.1, 0.1, 0.1], [0.2, 0.2, 0.9]), miss);
    // Through the plane, in the bounds, beyond each side.
    assert_eq!(class([0.9, 0.9, 0.5], [0.9, 0.9, -0.5]), miss);
    assert_eq!(class([0.5, -0.4, 0.5], [0.3, 0.2, -0.5]), miss);
    assert_eq!(class([-0.4, 0.5, 0.5], [0.2, 0.3, -0.5]), miss);
    // Touching: in the plane, at a corner, on a side, with an end on the triangle.
    assert_eq!(class([0.1, 0.1, 0.0], [0.5, 0.2, 0.0]), unknown);
    assert_eq!(class([0.0, 0.0, 0.5], [0.0, 0.0, -0.5]), unknown);
    assert_eq!(class([0.5, 0.5, 0.5], [0.5, 0.5, -0.5]), unknown);
    assert_eq!(class([0.2, 0.2, 0.0], [0.3, 0.3, -0.5]), unknown);
}

#[test]
fn nothing_is_known_of_an_edge_with_an_infinite_error() {
    let face = Face::new([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    let target = StreamBox { axes: [[1.0, 0.0, 0.0]; 3], centre: [0.5; 3], half: [0.0; 3] };
    for face in [face, Face::new([[0.5; 3]; 3])] {
        let class = judge([0.0; 3], [0.0; 3], f32::INFINITY, &face, 1.0);
        assert_eq!(class, Class::Unknown as u32);
    }
    assert!(target.meets([0.0; 3], [0.0; 3], f32::INFINITY));
}

/// An edge that touches a box at a corner from outside; the least enlargement that keeps it, in
/// units of δ.
fn needed(random: &mut Random) -> f64 {
    let frame = Frame { origin: [0.0; 3], unit: 1.0 };
    let rotation = *random.pose(0.0).rotation();
    let half = Vector::from_fn(|_, _| random.range(0.0, 0.5));
    let centre = random.vector(-0.6, 0.6);
    let sign = Vector::from_fn(|_, _| if random.chance(0.5) { 1.0 } else { -1.0 });
    let corner = centre + rotation * half.component_mul(&sign);
    let out = rotation * Vector::from_fn(|k, _| sign[k] * random.range(0.01, 1.0));
    // Short, so that the other axes are tested; or along a side.
    let length = 10f64.powf(random.range(-7.0, 0.0));
    let obb = Obb { center: Point::from(centre), axes: rotation, half };
    let target = StreamBox::new(&ObbRows::from(&obb), &frame);
    let [p, q] = [corner, corner + out * length].map(|p| narrow(p.into()));
    let most = p.iter().chain(&q).fold(1.0f32, |most, x| most.max(x.abs()));
    let delta = DELTA * most;
    let (mut few, mut enough) = (0.0f32, 1024.0);
    for _ in 0..30 {
        let middle = 0.5 * (few + enough);
        if target.meets_enlarged(p, q, middle * delta) { enough = middle } else { few = middle }
    }
    f64::from(enough)
}

#[test]
fn boxes_need_their_enlargement() {
    let mut random = Random::new(613);
    let most = (0..200_000).map(|_| needed(&mut random)).fold(0.0f64, f64::max);
    println!("boxes: {most:.2} δ found, 132 proved, 192 granted");
    assert!(most > 2.0 && most < 132.0, "{most}");
}
