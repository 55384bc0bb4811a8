//! Fitted, merged and posed volumes contain their content in exact arithmetic.

use dashu_ratio::RBig;
use impinge_geometry::volume::{Aabb, LocalFrame, Moments, Obb, ObbFit, Sphere};
use impinge_geometry::{Point, Triangle};

use crate::support::{Exact, Random, big, dot, exact, minus, obb_holds, posed};

fn aabb_holds(b: &Aabb, x: &Exact) -> bool {
    (0..3).all(|k| big(b.min[k]) <= x[k] && x[k] <= big(b.max[k]))
}

fn sphere_holds(s: &Sphere, x: &Exact) -> bool {
    let d = minus(x, &exact(&s.center));
    dot(&d, &d) <= big(s.radius) * big(s.radius)
}

/// Triangle sets that are hard to enclose: scattered, flat, collinear, one point, far away,
/// needles.
fn cases() -> Vec<(String, Vec<Triangle>)> {
    let mut r = Random(31);
    let mut cases = Vec::new();
    for (k, n) in [(0, 20), (1, 1), (2, 3)] {
        let scattered: Vec<Triangle> = (0..n).map(|_| r.triangle()).collect();
        let flat: Vec<Triangle> =
            scattered.iter().map(|t| t.map(|p| Point::new(p.x, p.y, 0.25))).collect();
        let tilted: Vec<Triangle> = scattered
            .iter()
            .map(|t| t.map(|p| Point::new(p.x, p.y, p.x * 0.3 + p.y * 0.7)))
            .collect();
        let line: Vec<Triangle> =
            scattered.iter().map(|t| t.map(|p| Point::new(p.x, p.x * 0.1, p.x * 3.0))).collect();
        let point = vec![[r.point(); 3]; n];
        let shift = r.vector() * 1e9;
        let far: Vec<Triangle> = scattered.iter().map(|t| t.map(|p| p + shift)).collect();
        let needle: Vec<Triangle> =
            scattered.iter().map(|t| t.map(|p| Point::new(p.x * 1e8, p.y, p.z * 1e-8))).collect();
        let lists = [scattered, flat, tilted, line, point, far, needle];
        let names = ["scattered", "flat", "tilted", "line", "point", "far", "needle"];
        for (name, list) in names.iter().zip(lists) {
            for e in [0, -1000, -1060, -500, 500, 900] {
                if e == 900 && *name == "far" {
                    continue;
                }
                let s = 2f64.powi(e / 2) * 2f64.powi(e - e / 2);
                let scaled: Vec<Triangle> = list.iter().map(|t| t.map(|p| p * s)).collect();
                cases.push((format!("{name} {k} 2^{e}"), scaled));
            }
        }
    }
    cases
}

#[test]
fn oriented_boxes_hold_their_triangles_exactly() {
    for (name, triangles) in cases() {
        for fit in ObbFit::ALL {
            let b = Obb::fit(fit, triangles.iter().copied()).expect("triangles");
            assert!(b.validate(), "{name} {fit:?} {b:?}");
            for p in triangles.iter().flatten() {
                assert!(obb_holds(&b, &exact(p)), "{name} {fit:?} {b:?} {p:?}");
                assert!(b.contains(p), "{name}");
            }
        }
        let b = Obb::fit_points(triangles.iter().flatten().copied()).expect("points");
        assert!(
            b.validate() && triangles.iter().flatten().all(|p| obb_holds(&b, &exact(p))),
            "{name}"
        );
        for t in &triangles {
            let b = Obb::of_triangle(t);
            assert!(b.validate(), "{name} {b:?}");
            assert!(t.iter().all(|p| obb_holds(&b, &exact(p))), "{name} {b:?} {t:?}");
        }
    }
}

#[test]
fn spheres_and_boxes_hold_their_triangles_exactly() {
    for (name, triangles) in cases() {
        let s = Sphere::fit(triangles.iter().copied()).expect("triangles");
        let b = Aabb::fit(triangles.iter().copied()).expect("triangles");
        for p in triangles.iter().flatten() {
            assert!(sphere_holds(&s, &exact(p)), "{name} {s:?} {p:?}");
            assert!(s.contains(p) && b.contains(p), "{name}");
            assert!(obb_holds(&Obb::from(b), &exact(p)), "{name}");
        }
        let half = (b.max - b.min).amax() * 0.5;
        assert!(s.radius <= 2.5 * half + f64::from_bits(4), "{name}: {s:?} is loose");
    }
}

#[test]
fn fits_are_tight() {
    // A rotated slab: every fit must find its axes and pad it little.
    let mut r = Random(32);
    for _ in 0..50 {
        let (turn, shift) = (r.rotation(), r.vector());
        let corner = |k: usize| {
            let s = |b: usize| if k >> b & 1 == 1 { 1.0 } else { -1.0 };
            Point::from(
                turn * impinge_geometry::Vector::new(4.0 * s(0), 2.0 * s(1), 0.5 * s(2)) + shift,
            )
        };
        let quads =
            [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]];
        let triangles: Vec<Triangle> = quads
            .iter()
            .flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]])
            .map(|t: [usize; 3]| t.map(corner))
            .collect();
        let b = Obb::fit(ObbFit::AreaWeighted, triangles.iter().copied()).expect("triangles");
        assert!((b.volume() - 32.0).abs() < 1e-9, "{b:?}");
        let at_centroid =
            Obb::fit(ObbFit::AreaCentroid, triangles.iter().copied()).expect("triangles");
        assert!(at_centroid.volume() >= b.volume() * (1.0 - 1e-12));
        let one = Obb::of_triangle(&triangles[0]);
        assert!(one.half[2] < 1e-13, "{one:?}");
    }
}

#[test]
fn area_fits_do_not_depend_on_the_subdivision() {
    let mut r = Random(33);
    let t = [r.triangle(), r.triangle()];
    let split = |t: &Triangle| {
        let m = nalgebra::center(&t[0], &t[1]);
        [[t[0], m, t[2]], [m, t[1], t[2]]]
    };
    let fine: Vec<Triangle> = [split(&t[0])[0], split(&t[0])[1], t[1]].to_vec();
    let frame = LocalFrame::of_points(t.iter().flatten().copied()).expect("points");
    let sum = |fit: ObbFit, list: &[Triangle]| -> Moments {
        list.iter().map(|t| fit.moments(&frame, t)).sum()
    };
    let (a, b) = (sum(ObbFit::AreaWeighted, &t), sum(ObbFit::AreaWeighted, &fine));
    assert!((a.covariance().expect("area") - b.covariance().expect("area")).amax() < 1e-14);
    let (a, b) = (sum(ObbFit::VertexCovariance, &t), sum(ObbFit::VertexCovariance, &fine));
    assert!((a.covariance().expect("weight") - b.covariance().expect("weight")).amax() > 1e-3);
}

#[test]
fn no_area_falls_back_to_the_corners() {
    let slivers: Vec<Triangle> = (0..4)
        .map(|i| {
            let x = f64::from(i);
            [Point::new(x, 0.0, 0.0), Point::new(x + 1.0, 0.0, 0.0), Point::new(x, 0.0, 0.0)]
        })
        .collect();
    let reference = Obb::fit(ObbFit::VertexCovariance, slivers.iter().copied()).expect("triangles");
    for fit in ObbFit::ALL {
        assert_eq!(Obb::fit(fit, slivers.iter().copied()), Some(reference));
    }
    assert_eq!(Obb::fit(ObbFit::AreaWeighted, std::iter::empty()), None);
}

#[test]
fn merged_volumes_hold_both() {
    let cases = cases();
    for pair in cases.windows(2) {
        let all = || pair[0].1.iter().chain(&pair[1].1).flatten();
        let of = |k: usize| pair[k].1.iter().copied();
        let fit = |k: usize| Obb::fit(ObbFit::AreaWeighted, of(k)).expect("triangles");
        let b = fit(0).merged(&fit(1));
        let s = Sphere::fit(of(0)).expect("some").merged(&Sphere::fit(of(1)).expect("some"));
        let a = Aabb::fit(of(0)).expect("some").merged(&Aabb::fit(of(1)).expect("some"));
        assert!(b.validate(), "{} {b:?}", pair[0].0);
        for p in all() {
            let x = exact(p);
            assert!(obb_holds(&b, &x), "{} {b:?}", pair[0].0);
            assert!(sphere_holds(&s, &x), "{} {s:?}", pair[0].0);
            assert!(aabb_holds(&a, &x));
        }
    }
}

#[test]
fn posed_volumes_hold_the_exact_and_the_rounded_image() {
    let mut r = Random(34);
    for (name, triangles) in cases() {
        let largest = triangles.iter().flatten().fold(0.0f64, |m, p| m.max(p.coords.amax()));
        let b = Obb::fit(ObbFit::AreaWeighted, triangles.iter().copied()).expect("triangles");
        let s = Sphere::fit(triangles.iter().copied()).expect("triangles");
        let a = Aabb::fit(triangles.iter().copied()).expect("triangles");
        for reach in [0.0, largest, 100.0 * largest] {
            let pose = r.pose(reach);
            let (b, s, a) = (b.posed(&pose), s.posed(&pose), a.posed(&pose));
            assert!(b.validate(), "{name} {b:?}");
            for p in triangles.iter().flatten() {
                for x in [posed(&pose, &exact(p)), exact(&pose.apply(p))] {
                    assert!(obb_holds(&b, &x), "{name} {b:?}");
                    assert!(sphere_holds(&s, &x), "{name} {s:?}");
                    assert!(aabb_holds(&a, &x), "{name} {a:?}");
                }
            }
        }
    }
}

#[test]
fn the_check_notices_a_box_without_its_pad() {
    let mut r = Random(35);
    let mut outside = 0;
    for _ in 0..50 {
        let t: Vec<Triangle> = (0..5).map(|_| r.triangle()).collect();
        let mut b = Obb::fit(ObbFit::AreaWeighted, t.iter().copied()).expect("triangles");
        let largest = b.half.amax();
        b.half = b.half.map(|h| h - 40.0 * f64::EPSILON * largest);
        outside += u32::from(t.iter().flatten().any(|p| !obb_holds(&b, &exact(p))));
    }
    assert_eq!(outside, 50);
    assert!(big(0.5) + big(0.5) == RBig::ONE);
}
