//! Inside or outside of a closed mesh where the ray passes through edges and corners.

use impinge_geometry::exact::{Crossing, Location, crossing, locate};
use impinge_geometry::{Mesh, Point};

use crate::support::Random;

/// The octahedron `|x| + |y| + |z| ≤ n`, wound outward.
fn octahedron(n: f64) -> (Vec<Point>, Vec<[u32; 3]>) {
    let at = |x: f64, y: f64, z: f64| Point::new(x * n, y * n, z * n);
    let points = vec![
        at(1.0, 0.0, 0.0),
        at(-1.0, 0.0, 0.0),
        at(0.0, 1.0, 0.0),
        at(0.0, -1.0, 0.0),
        at(0.0, 0.0, 1.0),
        at(0.0, 0.0, -1.0),
    ];
    let up = [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4]];
    let triangles = up.iter().flat_map(|&[a, b, c]| [[a, b, c], [b, a, 5 + c - 4]]).collect();
    (points, triangles)
}

/// The cube `|x|, |y|, |z| ≤ n`: two faces are perpendicular to the ray, four parallel to it.
fn cube(n: f64) -> (Vec<Point>, Vec<[u32; 3]>) {
    let side = |k: u32, i: u32| if k >> i & 1 == 1 { n } else { -n };
    let points = (0..8).map(|k| Point::new(side(k, 0), side(k, 1), side(k, 2))).collect();
    let faces =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    (points, faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect())
}

fn expected(norm: f64, n: f64, winding: i32) -> Location {
    if norm == n {
        Location::On
    } else if norm < n {
        Location::Inside(winding)
    } else {
        Location::Outside
    }
}

fn check(scale: f64, turned: bool) {
    let both = [octahedron(4.0), cube(3.0)].map(|(points, mut triangles)| {
        if turned {
            for t in &mut triangles {
                t.swap(0, 1);
            }
        }
        let points = points.iter().map(|x| x * scale).collect();
        Mesh::new(points, triangles).expect("a mesh")
    });
    let winding = if turned { -1 } else { 1 };
    let mut inside = 0;
    for k in 0..11 * 11 * 11 {
        let [x, y, z] = [k % 11, k / 11 % 11, k / 121].map(|c| f64::from(c) - 5.0);
        let p = Point::new(x, y, z) * scale;
        let [sum, most] = [x.abs() + y.abs() + z.abs(), x.abs().max(y.abs()).max(z.abs())];
        assert_eq!(locate(&both[0], &p), expected(sum, 4.0, winding), "octahedron {p}");
        assert_eq!(locate(&both[1], &p), expected(most, 3.0, winding), "cube {p}");
        inside += u32::from(sum < 4.0);
    }
    assert_eq!(inside, 63);
}

#[test]
fn lattice_points_are_where_they_are_at_any_scale() {
    for k in [0, -1074, -700, 500, 990] {
        let scale = 2f64.powi(k / 2) * 2f64.powi(k - k / 2);
        check(scale, false);
        check(scale, true);
    }
}

#[test]
fn a_cavity_is_outside_and_what_is_wound_twice_counts_twice() {
    let shells = |turn: &[bool]| {
        let (mut points, mut triangles) = (Vec::new(), Vec::new());
        for (k, turned) in turn.iter().enumerate() {
            let (p, t) = octahedron(8.0 / (k + 1) as f64);
            let base = points.len() as u32;
            points.extend(p);
            triangles.extend(t.iter().map(|&[a, b, c]| {
                let [a, b, c] = [a + base, b + base, c + base];
                if *turned { [b, a, c] } else { [a, b, c] }
            }));
        }
        Mesh::new(points, triangles).expect("a mesh")
    };
    let (middle, between) = (Point::origin(), Point::new(0.5, 5.0, 0.5));
    let cavity = shells(&[false, true]);
    assert_eq!(locate(&cavity, &middle), Location::Outside);
    assert_eq!(locate(&cavity, &between), Location::Inside(1));
    let twice = shells(&[false, false]);
    assert_eq!(locate(&twice, &middle), Location::Inside(2));
    assert_eq!(locate(&twice, &Point::new(0.0, 9.0, 0.0)), Location::Outside);
}

#[test]
fn a_ray_crosses_a_divided_face_once() {
    // A square in the plane z = 1, split at a point. The ray from below leaves through exactly one
    // triangle, also through an edge or a corner of several.
    let mut r = Random(91);
    for _ in 0..2000 {
        let corners = [[-3.0, -3.0], [3.0, -3.0], [3.0, 3.0], [-3.0, 3.0]];
        let at = |c: [f64; 2]| Point::new(c[0], c[1], 1.0);
        let inner = r.lattice_point(2);
        let apex = at([inner.x, inner.y]);
        let p = r.lattice_point(2);
        let p = Point::new(p.x, p.y, 0.0);
        let (mut up, mut down) = (0, 0);
        for i in 0..4 {
            let t = [at(corners[i]), at(corners[(i + 1) % 4]), apex];
            let Crossing::Adds(n) = crossing(&t, &p) else { panic!("{p} is below") };
            up += n;
            let Crossing::Adds(n) = crossing(&[t[1], t[0], t[2]], &p) else { panic!("{p}") };
            down += n;
            let above = Point::new(p.x, p.y, 2.0);
            assert_eq!(crossing(&t, &above), Crossing::Adds(0));
            let on = Point::new(p.x, p.y, 1.0);
            let adds = |x: &Point| crossing(&t, x) != Crossing::Adds(0);
            assert_eq!(crossing(&t, &on) == Crossing::On, adds(&p));
        }
        assert_eq!((up, down), (1, -1), "{p} {apex}");
    }
}
