//! Volumes that wrap a triangle, and others of their kind: what they hold, how large they are.

use impinge_geometry::volume::Aabb;
use impinge_geometry::{Point, Triangle, Vector};
use impinge_hierarchy::Placement;
use impinge_hierarchy::volume::{AxisBox, Ball, Dop, Merge, Volume};
use impinge_models::Random;

fn triangle(random: &mut Random) -> Triangle {
    let long = Vector::from_fn(|_, _| 10f64.powf(random.range(-1.0, 1.0)));
    let at = random.vector(-9.0, 9.0);
    [(); 3].map(|()| Point::from(at + random.vector(-1.0, 1.0).component_mul(&long)))
}

/// Half the surface of a box, over two: the sum of the areas of three faces.
fn faces(b: &Aabb) -> f64 {
    let [x, y, z]: [f64; 3] = (b.max - b.min).into();
    x * y + x * z + y * z
}

fn near(found: f64, expected: f64) {
    assert!((found / expected - 1.0).abs() < 1e-12, "{found} {expected}");
}

#[test]
fn boxes_and_slabs_merge_to_those_of_all_corners() {
    fn dops<const H: usize>(s: &Triangle, t: &Triangle, both: &Aabb) {
        let around = |points: &[Point]| Dop::<H>::around(points.iter().map(|p| (*p).into()));
        let (m, n) = (Dop::<H>::of_triangle(s), Dop::<H>::of_triangle(t));
        assert_eq!((m, n), (around(s), around(t)));
        assert_eq!(m.merged(&n), around(&[s.as_slice(), t.as_slice()].concat()));
        assert_eq!(m.merged(&n), n.merged(&m));
        near(m.merged(&n).area(), faces(both));
        let middle = both.min.coords * 0.5 + both.max.coords * 0.5;
        assert_eq!(m.merged(&n).center(), <[f64; 3]>::from(middle));
        assert_eq!(m.merged(&n).size(), (both.max - both.min).amax());
    }
    for index in 0..300 {
        let mut random = Random::stream(131, index);
        let (s, t) = (triangle(&mut random), triangle(&mut random));
        let (m, n) = (AxisBox::of_triangle(&s), AxisBox::of_triangle(&t));
        assert_eq!(m, AxisBox::from(&Aabb::of_triangle(&s)));
        let both = Aabb::of_triangle(&s).merged(&Aabb::of_triangle(&t));
        assert_eq!(m.merged(&n), AxisBox::from(&both));
        assert_eq!(m.merged(&n), AxisBox::new(both.min.into(), both.max.into()));
        near(m.merged(&n).area(), faces(&both));
        assert_eq!(m.merged(&n).size(), (both.max - both.min).amax());
        dops::<3>(&s, &t, &both);
        dops::<7>(&s, &t, &both);
        dops::<9>(&s, &t, &both);
        dops::<13>(&s, &t, &both);
    }
}

/// A ball about the centroid, as large as it has to be; two of them are held by one that is no
/// larger than it has to be.
#[test]
fn balls_are_about_centroids_and_merge_to_the_least() {
    for index in 0..300 {
        let mut random = Random::stream(132, index);
        let (s, t) = (triangle(&mut random), triangle(&mut random));
        let of = |t: &Triangle| {
            let center = (t[0].coords + t[1].coords + t[2].coords) / 3.0;
            let radius = t.map(|p| (p.coords - center).norm()).into_iter().fold(0.0, f64::max);
            (center, radius)
        };
        let [m, n] = [Ball::of_triangle(&s), Ball::of_triangle(&t)];
        for (ball, t) in [(m, &s), (n, &t)] {
            let (center, radius) = of(t);
            assert!((Vector::from(ball.center()) - center).norm() < 1e-13);
            near(ball.size(), radius);
            assert_eq!(ball.area(), ball.size() * ball.size());
        }
        let ((p, r), (q, u)) = (of(&s), of(&t));
        let least = (0.5 * ((p - q).norm() + r + u)).max(r).max(u);
        near(m.merged(&n).size(), least);
        near(n.merged(&m).size(), least);
    }
}

/// Along every direction of a DOP: two of them are told apart as soon as their slabs are farther apart
/// than the pad, and their gap is the largest of what the directions say and the box's.
#[test]
fn slabs_are_apart_where_one_of_them_says_so() {
    fn check<const H: usize>(directions: &[[f64; 3]]) {
        let directions: Vec<Vector> = directions.iter().copied().map(Vector::from).collect();
        let pad = 0.125;
        let mut apart = 0;
        for index in 0..300 {
            let mut random = Random::stream(133, index);
            let cloud = |random: &mut Random| -> Vec<Vector> {
                let flat = random.unit_vector();
                let each = (0..12).map(|_| random.vector(-1.0, 1.0));
                each.map(|v| v - flat * (0.9 * v.dot(&flat))).collect()
            };
            let (p, q) = (cloud(&mut random), cloud(&mut random));
            let shift = random.vector(-2.0, 2.0);
            let row = |k: usize| [0, 1, 2].map(|j| f64::from(u8::from(j == k)));
            let full = |k: usize| [row(k)[0], row(k)[1], row(k)[2], shift[k]];
            let placement = Placement { rows: [full(0), full(1), full(2)], pad };
            let wrap = |points: &[Vector]| Dop::<H>::around(points.iter().map(|p| (*p).into()));
            let (frame, a, b) = (Dop::<H>::frame(&placement), wrap(&p), wrap(&q));
            let along = |d: &Vector| {
                let range = |points: &[Vector], by: f64| {
                    let each = points.iter().map(|p| p.dot(d) + by);
                    each.fold([f64::INFINITY, -f64::INFINITY], |[l, h], x| [l.min(x), h.max(x)])
                };
                let ([a, b], [c, e]) = (range(&p, 0.0), range(&q, shift.dot(d)));
                (c - b).max(a - e) - pad
            };
            let most = directions.iter().map(along).fold(f64::NEG_INFINITY, f64::max);
            let placed = b.place(&frame);
            assert_eq!(a.meets(&placed, &frame), most <= 0.0, "{H}, {index}: {most}");
            let faces = directions[..3].iter().map(|d| along(d).max(0.0).powi(2)).sum::<f64>();
            let skew = directions.iter().map(|d| along(d) / d.norm()).fold(0.0, f64::max);
            let expected = faces.sqrt().max(skew);
            let gap = a.gap(&placed, &frame, f64::INFINITY);
            assert!((gap - expected).abs() < 1e-12, "{H}, {index}: {gap} {expected}");
            apart += u32::from(most > 0.0);
        }
        assert!((50..290).contains(&apart), "{H}: {apart}");
    }
    let axes = [[1., 0., 0.], [0., 1., 0.], [0., 0., 1.]];
    let diagonals = [[1., 1., 1.], [1., 1., -1.], [1., -1., 1.], [1., -1., -1.]];
    let edges =
        [[1., 1., 0.], [1., -1., 0.], [1., 0., 1.], [1., 0., -1.], [0., 1., 1.], [0., 1., -1.]];
    check::<3>(&axes);
    check::<7>(&[axes.as_slice(), &diagonals].concat());
    check::<9>(&[axes.as_slice(), &edges].concat());
    check::<13>(&[axes.as_slice(), &diagonals, &edges].concat());
}
