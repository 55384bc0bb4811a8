//! Local frames and moments against their definitions, and the fits computed from them.

use dashu_ratio::RBig;
use impinge_geometry::volume::{LocalFrame, Moments, Obb, ObbFit};
use impinge_geometry::{Point, Triangle, Vector};
use nalgebra::Matrix3;

use crate::support::{Random, big, dot, exact, minus};

const UNIT: f64 = f64::EPSILON / 2.0;
const ORDER: [(usize, usize); 6] = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)];

#[test]
fn frames_scale_by_a_power_of_two_below_the_inverse_of_the_size() {
    for k in -1000..=1000 {
        for size in [1.0, 1.75] {
            let size = size * 2f64.powi(k);
            let frame = LocalFrame::new(&Point::origin(), &Point::new(0.0, size, size * 0.5));
            assert_eq!(frame.scale, 2f64.powi(-k) * 0.5);
            assert_eq!(frame.origin, Point::new(0.0, size * 0.5, size * 0.25));
        }
    }
    let of = |size: f64| LocalFrame::new(&Point::origin(), &Point::new(size, 0.0, 0.0)).scale;
    assert_eq!((of(0.0), of(f64::INFINITY), of(f64::NAN)), (1.0, 1.0, 1.0));
    assert_eq!((of(f64::from_bits(1)), of(1e308)), (2f64.powi(999), 2f64.powi(-1001)));
    let mut r = Random(131);
    for _ in 0..200 {
        let points: Vec<Point> = (0..5).map(|_| r.point() * 40.0).collect();
        let frame = LocalFrame::of_points(points.iter().copied()).expect("points");
        for p in &points {
            let local = frame.local(p);
            assert_eq!(local, (p - frame.origin) * frame.scale);
            assert!(local.amax() <= 0.5);
            assert!((frame.world(&local) - p).amax() < 1e-13);
        }
    }
    assert_eq!(LocalFrame::of_points(std::iter::empty()), None);
}

fn same(a: &Moments, b: &Moments) -> bool {
    let near = |x: f64, y: f64| (x - y).abs() < 8.0 * UNIT;
    near(a.weight, b.weight)
        && (a.first - b.first).amax() < 8.0 * UNIT
        && a.second.iter().zip(b.second).all(|(x, y)| near(*x, y))
}

fn scaled(m: &Moments, by: f64) -> Moments {
    Moments { weight: m.weight * by, first: m.first * by, second: m.second.map(|x| x * by) }
}

#[test]
fn moments_of_corners_and_of_area_are_those_of_points_and_integrals() {
    let mut r = Random(132);
    for _ in 0..300 {
        let t = r.triangle();
        let frame = LocalFrame { origin: r.point(), scale: 0.25 };
        let at = t.map(|p| frame.local(&p));
        let point = |p: &Point| {
            let v = (p - frame.origin) * 0.25;
            Moments { weight: 1.0, first: v, second: ORDER.map(|(j, k)| v[j] * v[k]) }
        };
        for p in &t {
            assert_eq!(Moments::of_point(&frame, p), point(p));
        }
        let corners = point(&t[0]) + point(&t[1]) + point(&t[2]);
        assert!(same(&Moments::of_corners(&frame, &t), &scaled(&corners, 1.0 / 3.0)));
        // ∫ x_j x_k = A/12 (Σ x_j x_k + Σ x_j Σ x_k), summed over corners.
        let area = (at[1] - at[0]).cross(&(at[2] - at[0])).norm() / 2.0;
        let sum = at[0] + at[1] + at[2];
        let integral = Moments {
            weight: area,
            first: sum * (area / 3.0),
            second: ORDER.map(|(j, k)| {
                let corners: f64 = at.iter().map(|v| v[j] * v[k]).sum();
                area / 12.0 * (corners + sum[j] * sum[k])
            }),
        };
        assert!(same(&Moments::of_area(&frame, &t), &integral));
        assert!(same(&ObbFit::AreaCentroid.moments(&frame, &t), &integral));
    }
}

#[test]
fn sums_means_and_covariances_are_theirs() {
    let mut r = Random(133);
    let frame = LocalFrame { origin: Point::origin(), scale: 1.0 };
    let points: Vec<Point> = (0..7).map(|_| r.point()).collect();
    let parts: Vec<Moments> = points.iter().map(|p| Moments::of_point(&frame, p)).collect();
    let sum: Moments = parts.iter().copied().sum();
    let mut added = Moments::default();
    for part in &parts {
        added += *part;
    }
    assert_eq!((sum, added.weight), (added, 7.0));
    let mean = points.iter().fold(Vector::zeros(), |m, p| m + p.coords) / 7.0;
    assert!((sum.mean().expect("weight") - mean).amax() < 8.0 * UNIT);
    let spread = points.iter().fold(Matrix3::zeros(), |c, p| {
        let d = p.coords - mean;
        c + d * d.transpose() / 7.0
    });
    assert!((sum.covariance().expect("weight") - spread).amax() < 16.0 * UNIT);
    let none = Moments::default();
    assert_eq!((none.mean(), none.covariance(), none.axes()), (None, None, Matrix3::identity()));
}

#[test]
fn a_fit_at_the_centroid_has_its_centre_there() {
    let mut r = Random(134);
    for _ in 0..100 {
        let list: Vec<Triangle> = (0..3).map(|_| r.triangle()).collect();
        let areas = list.iter().map(|t| (t[1] - t[0]).cross(&(t[2] - t[0])).norm() / 2.0);
        let areas: Vec<f64> = areas.collect();
        let middle = |t: &Triangle| (t[0].coords + t[1].coords + t[2].coords) / 3.0;
        let centroid =
            list.iter().zip(&areas).fold(Vector::zeros(), |c, (t, a)| c + middle(t) * *a)
                / areas.iter().sum::<f64>();
        let fit = |fit: ObbFit| Obb::fit(fit, list.iter().copied()).expect("triangles");
        let at = fit(ObbFit::AreaCentroid);
        assert!((at.center.coords - centroid).amax() < 1e-13);
        let tight = fit(ObbFit::AreaWeighted);
        assert_eq!(at.axes, tight.axes);
        assert!((0..3).all(|i| at.half[i] >= tight.half[i] * (1.0 - 1e-12)));
        // Each half-length is the largest distance from the centre plus the pad.
        for b in [at, tight, fit(ObbFit::VertexCovariance)] {
            for i in 0..3 {
                let axis = exact(&Point::from(b.axis(i)));
                let out = list.iter().flatten().map(|p| {
                    let d = dot(&axis, &minus(&exact(p), &exact(&b.center)));
                    if d < RBig::ZERO { -d } else { d }
                });
                let spare = big(b.half[i]) - out.max().expect("corners");
                assert!(spare >= RBig::ZERO && spare < big(1e-14), "{b:?}");
            }
        }
    }
}

/// Fits find the axes of an elongated point cloud.
#[test]
fn axes_are_those_of_the_spread_the_largest_first() {
    let mut r = Random(135);
    for _ in 0..100 {
        let turn = r.rotation();
        let points: Vec<Point> = (0..8)
            .map(|k| {
                let side = |i: usize| if k >> i & 1 == 1 { 1.0 } else { -1.0 };
                Point::from(turn * Vector::new(side(0), 5.0 * side(1), 3.0 * side(2)))
            })
            .collect();
        let b = Obb::fit_points(points.iter().copied()).expect("points");
        for (i, column, half) in [(0, 1, 5.0), (1, 2, 3.0), (2, 0, 1.0)] {
            assert!((b.axis(i).dot(&turn.column(column)).abs() - 1.0).abs() < 1e-14);
            assert!((b.half[i] - half).abs() < 1e-13 && b.half[i] >= half * (1.0 - 4.0 * UNIT));
        }
    }
}

/// The box of one triangle is flat and follows its longest side; the first one among equals.
#[test]
fn the_box_of_a_triangle_runs_along_its_longest_side() {
    let at = |c: [f64; 3]| Point::from(c);
    let shapes = [
        ([[0., 0., 0.], [5., 0., 0.], [1., 2., 0.]], 0),
        ([[1., 2., 0.], [0., 0., 0.], [5., 0., 0.]], 1),
        ([[5., 0., 0.], [1., 2., 0.], [0., 0., 0.]], 2),
        // The two longest sides are equal.
        ([[0., 0., 0.], [1., 4., 0.], [2., 0., 0.]], 0),
        ([[2., 0., 0.], [0., 0., 0.], [1., 4., 0.]], 1),
        ([[1., 4., 0.], [2., 0., 0.], [0., 0., 0.]], 0),
    ];
    let mut r = Random(136);
    for k in 0..120 {
        let (corners, longest) = shapes[k % 6];
        let turn = if k % 4 == 0 { Matrix3::identity() } else { r.rotation() };
        if k % 4 != 0 && k % 6 > 2 {
            continue;
        }
        let unit = 2f64.powi([0, 600, -600][k % 3]);
        let t = corners.map(|c| Point::from(turn * at(c).coords) * unit);
        let b = Obb::of_triangle(&t);
        let side = (t[(longest + 1) % 3] - t[longest]) / unit;
        let normal = ((t[1] - t[0]) / unit).cross(&((t[2] - t[0]) / unit));
        let length = side.norm();
        assert!((b.axis(0).dot(&side).abs() / length - 1.0).abs() < 1e-14, "{t:?} {b:?}");
        assert!((b.axis(2).dot(&normal).abs() / normal.norm() - 1.0).abs() < 1e-14);
        let expected = Vector::new(length, normal.norm() / length, 0.0) / 2.0;
        assert!((b.half / unit - expected).amax() < 2e-14, "{t:?} {b:?}");
    }
}
