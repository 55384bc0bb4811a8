//! Exact convexity tests, the support vertex, and the triangle at a surface point.

use impinge_geometry::convex::{AtRest, ConvexBody, NotConvex, Posed};
use impinge_geometry::gjk::{Cloud, Support};
use impinge_geometry::predicates::{Sign, orient3d};
use impinge_geometry::volume::{ConvexHull, HullShape};
use impinge_geometry::{Mesh, Point, Vector, triangle};

use crate::support::{self, Random, dot, exact, minus};

fn p(x: f64, y: f64, z: f64) -> Point {
    Point::new(x, y, z)
}

fn mesh(vertices: Vec<Point>, triangles: Vec<[u32; 3]>) -> Mesh {
    Mesh::new(vertices, triangles).expect("a mesh")
}

fn hull_mesh(points: &[Point]) -> Mesh {
    let hull = ConvexHull::fit_points(points).expect("points");
    let HullShape::Solid { vertices, faces } = hull.shape() else { panic!("a solid") };
    mesh(vertices.clone(), faces.clone())
}

fn tetrahedron() -> Mesh {
    let v = vec![p(0., 0., 0.), p(1., 0., 0.), p(0., 1., 0.), p(0., 0., 1.)];
    mesh(v, vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
}

/// A prism over a polygon in the plane z = 0, with caps triangulated as given.
fn prism(polygon: &[[f64; 2]], caps: &[[u32; 3]]) -> Mesh {
    let n = polygon.len() as u32;
    let at = |z: f64| polygon.iter().map(move |&[x, y]| p(x, y, z));
    let mut triangles = Vec::new();
    for &[a, b, c] in caps {
        triangles.extend([[a, c, b], [a + n, b + n, c + n]]);
    }
    for a in 0..n {
        let b = (a + 1) % n;
        triangles.extend([[a, b, b + n], [a, b + n, a + n]]);
    }
    mesh(at(0.0).chain(at(1.0)).collect(), triangles)
}

#[test]
fn hulls_of_any_points_are_convex_at_any_scale() {
    let mut r = Random(71);
    for k in 0..200 {
        let n = 8 + k % 60;
        let random: Vec<Point> = (0..n).map(|_| r.point()).collect();
        let lattice: Vec<Point> = (0..n + 20).map(|_| r.lattice_point(2)).collect();
        for points in [random, lattice] {
            for e in [0, 950, -1020] {
                let hull = hull_mesh(&points).scaled(2f64.powi(e)).expect("in range");
                let body = ConvexBody::new(&hull).expect("a hull is convex");
                assert!(body.exactly_convex());
                assert!(ConvexBody::new(&hull.flipped()).is_err());
            }
        }
    }
}

/// Convexity by definition: no vertex lies in front of a triangle.
fn convex_by_definition(mesh: &Mesh) -> bool {
    let in_front = |v: &Point, [a, b, c]: &[Point; 3]| orient3d(a, b, c, v) == Sign::Positive;
    mesh.corners().all(|t| mesh.vertices().iter().all(|v| !in_front(v, &t)))
}

#[test]
fn moved_vertices_are_judged_by_the_definition() {
    let mut r = Random(72);
    let (mut convex, mut reflex) = (0, 0);
    for _ in 0..1000 {
        let points: Vec<Point> = (0..8).map(|_| Point::from(r.vector().normalize())).collect();
        let hull = hull_mesh(&points);
        let mut vertices = hull.vertices().to_vec();
        let v = r.below(vertices.len() as u64) as usize;
        vertices[v] += r.vector() * 0.5;
        let moved = hull.with_vertices(vertices).expect("finite");
        let expected = convex_by_definition(&moved);
        match ConvexBody::new(&moved) {
            Ok(body) => {
                convex += 1;
                assert!(expected && body.exactly_convex());
            }
            Err(NotConvex::Reflex { from, to, triangles: [t, u] }) => {
                reflex += 1;
                assert!(!expected);
                let [a, b, c] = moved.triangle(t);
                let runs = |t: u32, from: u32, to: u32| {
                    let v = moved.triangles()[t as usize];
                    (0..3).any(|k| (v[k], v[(k + 1) % 3]) == (from, to))
                };
                assert!(runs(t, from, to) && runs(u, to, from));
                assert!(
                    moved.triangle(u).iter().any(|d| orient3d(&a, &b, &c, d) == Sign::Positive)
                );
            }
            Err(NotConvex::InFront { .. } | NotConvex::InsideOut { .. }) => assert!(!expected),
            Err(other) => panic!("{other}"),
        }
    }
    assert!(convex > 100 && reflex > 300, "{convex} {reflex}");
}

#[test]
fn every_refusal_names_its_place() {
    let refusal = |mesh: &Mesh| ConvexBody::new(mesh).expect_err("not convex");
    let one = mesh(vec![p(0., 0., 0.), p(1., 0., 0.), p(0., 1., 0.)], vec![[0, 1, 2]]);
    let NotConvex::Open(open) = refusal(&one) else { panic!("it is open") };
    assert_eq!((open.from, open.to, open.triangle), (0, 1, 0));
    assert_eq!((open.forward, open.backward), (1, 0));
    let both = mesh(one.vertices().to_vec(), vec![[0, 1, 2], [0, 2, 1]]);
    assert_eq!(refusal(&both), NotConvex::Flat);
    let tetrahedron = tetrahedron();
    assert!(matches!(refusal(&tetrahedron.flipped()), NotConvex::InsideOut { .. }));
    let mut sliver = tetrahedron.triangles().to_vec();
    sliver.push([1, 1, 2]);
    let sliver = mesh(tetrahedron.vertices().to_vec(), sliver);
    assert_eq!(refusal(&sliver), NotConvex::Degenerate { triangle: 4 });
    let twice = Mesh::union([&tetrahedron, &tetrahedron]).expect("small");
    assert_eq!(refusal(&twice), NotConvex::NonManifold { from: 0, to: 2, triangles: 4 });
    let far = tetrahedron
        .with_vertices(tetrahedron.vertices().iter().map(|v| v + Vector::repeat(5.0)).collect());
    let apart = Mesh::union([&tetrahedron, &far.expect("finite")]).expect("small");
    assert!(matches!(refusal(&apart), NotConvex::InFront { .. }));
}

#[test]
fn the_reflex_edge_of_an_l_is_named() {
    let l = [[0., 0.], [2., 0.], [2., 1.], [1., 1.], [1., 2.], [0., 2.]];
    let l = prism(&l, &[[0, 1, 2], [0, 2, 3], [0, 3, 5], [3, 4, 5]]);
    let NotConvex::Reflex { from, to, triangles: [t, u] } =
        ConvexBody::new(&l).expect_err("not convex")
    else {
        panic!("a reflex edge")
    };
    assert_eq!([from.min(to), from.max(to)], [3, 9], "the inner corner, below and above");
    for t in [t, u] {
        let corners = l.triangles()[t as usize];
        assert!(corners.contains(&3) && corners.contains(&9));
    }
    let square = prism(&[[0., 0.], [1., 0.], [1., 1.], [0., 1.]], &[[0, 1, 2], [0, 2, 3]]);
    assert!(ConvexBody::new(&square).is_ok());
}

/// A double pyramid over a limaçon. It winds twice around a point of the inner loop although every
/// edge is convex.
#[test]
fn a_surface_that_wraps_twice_is_refused() {
    let n = 16;
    let mut vertices: Vec<Point> = (0..n)
        .map(|k| {
            let turn = std::f64::consts::PI * (1.0 + 2.0 * f64::from(k) / f64::from(n));
            let r = 1.0 + 2.0 * turn.cos();
            p(r * turn.cos(), r * turn.sin(), 0.0)
        })
        .collect();
    vertices.extend([p(0.5, 0., 1.), p(0.5, 0., -1.)]);
    let triangles = (0..n).flat_map(|k| [[k, (k + 1) % n, n], [(k + 1) % n, k, n + 1]]);
    let refusal = ConvexBody::new(&mesh(vertices, triangles.collect())).expect_err("not convex");
    assert_eq!(refusal, NotConvex::Wraps { times: 2 });
}

#[test]
fn rounded_quadrilaterals_are_convex_up_to_notches() {
    let turned = |k: i32, n: i32| {
        let turn = std::f64::consts::TAU * f64::from(k) / f64::from(n);
        [turn.cos(), turn.sin()]
    };
    let around: Vec<[f64; 2]> = (0..12).map(|k| turned(k, 12)).collect();
    let caps: Vec<[u32; 3]> = (1..11).map(|k| [0, k, k + 1]).collect();
    let mut r = Random(73);
    let mut notched = 0;
    for _ in 0..20 {
        let pose = r.pose(1.0);
        let drum = prism(&around, &caps).posed(&pose).expect("in range");
        let body = ConvexBody::new(&drum).expect("convex but for rounding");
        notched += u32::from(!body.exactly_convex());
        let drum = drum.scaled(2f64.powi(-900)).expect("in range");
        assert!(ConvexBody::new(&drum).is_ok());
        // A notch that is far deeper than rounding could make.
        let mut vertices = prism(&around, &caps).vertices().to_vec();
        vertices[0].z += 1e-9;
        let dented = drum.with_vertices(vertices).expect("finite");
        assert!(matches!(ConvexBody::new(&dented), Err(NotConvex::Reflex { .. })));
    }
    assert!(notched > 10, "{notched}");
}

#[test]
fn the_farthest_vertex_is_the_farthest() {
    let mut r = Random(74);
    for k in 0..60 {
        let points: Vec<Point> =
            (0..40)
                .map(|_| {
                    if k % 2 == 0 {
                        r.lattice_point(2)
                    } else {
                        Point::from(r.vector().normalize())
                    }
                })
                .collect();
        let mesh = hull_mesh(&points);
        let body = ConvexBody::new(&mesh).expect("a hull is convex");
        for _ in 0..20 {
            let d = if r.below(2) == 0 { r.vector() } else { r.lattice_point(1).coords };
            let from = r.below(u64::from(body.extremes())) as u32;
            let found = exact(&body.extreme(body.farthest(&d, from)));
            let direction = exact(&Point::from(d));
            let zero = support::big(0.0);
            for v in mesh.vertices() {
                assert!(dot(&direction, &minus(&exact(v), &found)) <= zero, "{d:?}");
            }
        }
    }
}

#[test]
fn the_triangle_at_a_point_is_found_across_divided_facets() {
    // A box with tops of 8 × 8 squares would not close, so take the hull of lattice points: its
    // facets keep the points inside them.
    let lattice: Vec<Point> =
        (0..125).map(|k| p(f64::from(k % 5), f64::from(k / 5 % 5), f64::from(k / 25))).collect();
    let body = ConvexBody::new(&hull_mesh(&lattice)).expect("a hull is convex");
    let mut r = Random(75);
    for _ in 0..500 {
        let mut x = p(r.unit() * 2.0 + 2.0, r.unit() * 2.0 + 2.0, r.unit() * 2.0 + 2.0);
        x[r.below(3) as usize] = 4.0 * r.below(2) as f64;
        let near = body.farthest(&(x - p(2., 2., 2.)).normalize(), 0);
        let t = body.triangle_at(&x, near);
        assert!(triangle::distance(&body.triangle(t), &[x; 3]).0 < 1e-14);
        let mut seen = Vec::new();
        body.around(t, |other| seen.push(other));
        let mut once = seen.clone();
        once.sort_unstable();
        once.dedup();
        assert!(seen.contains(&t) && seen.len() == once.len() && seen.len() > 3);
    }
}

#[test]
fn a_notch_is_measured_against_the_largest_coordinate() {
    // A cube whose top is split along a diagonal, with the other two corners raised: a notch as
    // deep as they are raised.
    let square = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]];
    let raised = |by: f64, scale: f64| {
        let flat = prism(&square, &[[0, 1, 2], [0, 2, 3]]);
        let mut vertices = flat.vertices().to_vec();
        vertices[5].z += by;
        vertices[7].z += by;
        ConvexBody::new(&mesh(
            vertices.iter().map(|x| x * scale).collect(),
            flat.triangles().to_vec(),
        ))
    };
    let limit = 2f64.powi(-44);
    for scale in [1.0, 1.75, 1e-200, 3e100] {
        assert!(raised(0.0, scale).is_ok_and(|body| body.exactly_convex()));
        assert!(raised(limit * 0.97, scale).is_ok_and(|body| !body.exactly_convex()));
        assert!(matches!(raised(limit * 1.05, scale), Err(NotConvex::Reflex { .. })));
    }
}

#[test]
fn sizes_and_bytes_are_those_of_the_vertices_in_use() {
    let mut r = Random(76);
    for n in [4, 40, 400, 1600] {
        let shift = r.vector() * 3.0;
        let points: Vec<Point> =
            (0..n).map(|_| Point::from(r.vector().normalize()) + shift).collect();
        let hull = hull_mesh(&points);
        let (n, m) = (hull.vertices().len(), hull.triangles().len());
        // A vertex that no triangle uses.
        let mut vertices = hull.vertices().to_vec();
        vertices.push(p(50., 0., 0.));
        let hull = mesh(vertices, hull.triangles().to_vec());
        let body = ConvexBody::new(&hull).expect("a hull is convex");
        assert_eq!(body.extremes() as usize, n);
        let (lo, hi) = hull.bounds();
        let most = |x: &Vector| x.x.abs().max(x.y.abs()).max(x.z.abs());
        assert_eq!(body.extent(), most(&(hi - lo)));
        assert!((body.center() - nalgebra::center(&lo, &hi)).amax() < 1e-15);
        assert_eq!(body.max_abs(), most(&lo.coords).max(most(&hi.coords)));
        // Points twice; triangles and their neighbours across sides; two numbers a point; vertex
        // neighbours (three a triangle) and their offsets; landmarks.
        let graph = 24 * n + 4 * (n + 1 + 3 * m) + 4 * (n / 8).min(128);
        assert_eq!(body.bytes(), 24 * n + 2 * 12 * m + 8 * n + graph);
        for t in 0..m as u32 {
            assert_eq!(body.triangle(t), hull.triangle(t));
        }
    }
}

#[test]
fn climbs_start_where_they_are_told_and_posed_bodies_allow_for_their_rounding() {
    let mut r = Random(77);
    let points: Vec<Point> = (0..60).map(|_| Point::from(r.vector().normalize())).collect();
    let body = ConvexBody::new(&hull_mesh(&points)).expect("a hull is convex");
    let n = body.extremes();
    let unit = f64::EPSILON / 2.0;
    for k in 0..3 {
        let pose = r.pose([0.0, 5.0, 100.0][k]);
        for from in 0..n + 3 {
            let start = if from < n { from } else { 0 };
            assert_eq!(AtRest::new(&body, from).last(), start);
            assert_eq!(Posed::new(&body, &pose, from).last(), start);
        }
        let mut posed = Posed::new(&body, &pose, 0);
        let expected = unit * (40.0 * body.max_abs() + 10.0 * pose.translation().amax());
        assert!((posed.excess() / expected - 1.0).abs() < 1e-14);
        let mut rest = AtRest::new(&body, 0);
        assert_eq!(rest.excess(), 0.0);
        for _ in 0..40 {
            let d = r.vector();
            let found = rest.farthest(&d);
            assert_eq!((found.index, rest.last()), (body.farthest(&d, 0), found.index));
            assert_eq!(found.point, body.extreme(found.index));
            let there = posed.farthest(&d);
            assert_eq!((there.index, posed.last()), (there.index, there.index));
            assert_eq!(there.point, pose.apply(&body.extreme(there.index)));
            for i in 0..n {
                let more = d.dot(&(pose.apply(&body.extreme(i)) - there.point));
                assert!(more <= posed.excess() * d.abs().sum());
            }
        }
    }
}

#[test]
fn clouds_name_the_first_of_the_farthest_and_allow_for_products() {
    let mut r = Random(78);
    for k in 0..200 {
        let points: Vec<Point> = (0..12).map(|_| r.lattice_point(2)).collect();
        let mut cloud = Cloud::new(&points).expect("points");
        let d = if k % 2 == 0 { r.lattice_point(1).coords } else { r.vector() };
        let height = |p: &Point| d.dot(&p.coords);
        let highest = points.iter().map(height).fold(f64::NEG_INFINITY, f64::max);
        let first = points.iter().position(|p| height(p) == highest).expect("some");
        let found = cloud.farthest(&d);
        assert_eq!((found.index as usize, found.point), (first, points[first]));
        let largest = points.iter().fold(0.0, |m: f64, p| m.max(p.coords.amax()));
        let expected = 8.0 * f64::EPSILON / 2.0 * largest + f64::MIN_POSITIVE;
        assert_eq!(cloud.excess(), expected);
    }
    for (x, taken) in [(1e300, true), (-1e300, true), (1.1e300, false), (f64::INFINITY, false)] {
        assert_eq!(Cloud::new(&[p(0.0, x, 0.0)]).is_some(), taken, "{x:e}");
    }
    assert_eq!(Cloud::new(&[p(0., 0., 0.)]).map(|c| c.excess()), Some(f64::MIN_POSITIVE));
}
