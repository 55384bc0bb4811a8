//! Bodies that have broken convex decompositions, and convex bodies, which must be one patch.

use impinge_decompose::{Decomposition, Options, Order, Report};
use impinge_geometry::{Mesh, Point, Vector};
use impinge_models::Shape;
use impinge_models::procedural::{Cloud, convex_hull, cuboid, random_points};
use impinge_threads::Control;

use crate::bodies::{block, cells, grid_cube};

fn decompose(mesh: &Mesh, order: Order) -> (Decomposition, Report) {
    let options = Options { order, ..Options::default() };
    let d = Decomposition::new(mesh, &options, &Control::NONE).expect("a closed surface");
    let report = d.validate(mesh).expect("valid");
    (d, report)
}

fn patches(mesh: &Mesh) -> usize {
    let depth = decompose(mesh, Order::Depth).1;
    let breadth = decompose(mesh, Order::Breadth).1;
    assert_eq!(depth.triangles, breadth.triangles);
    breadth.patches
}

fn moved(mesh: &Mesh, by: [f64; 3]) -> Mesh {
    let t = Vector::from(by);
    mesh.with_vertices(mesh.vertices().iter().map(|p| p + t).collect()).expect("small")
}

#[test]
fn convex_meshes_are_one_patch() {
    let mut meshes: Vec<(String, Mesh)> = vec![
        ("cube".into(), Shape::Cube.mesh(12, 0)),
        ("tetrahedron".into(), Shape::Hull.mesh(4, 0)),
        ("fine cuboid".into(), cuboid([4.0, 2.0, 1.0], [8, 4, 2]).expect("valid")),
    ];
    for n in 1..8 {
        meshes.push((format!("lattice cube {n}"), grid_cube(n)));
    }
    for seed in 0..20 {
        meshes.push((format!("hull {seed}"), Shape::Hull.mesh(20 + 40 * seed as usize, seed)));
        // Coarse lattice points make flat sides with many vertices and triangles.
        let coarse = |p: &Point| Point::from(p.coords.map(|x| (x * 4.0).round()));
        let points: Vec<Point> = random_points(Cloud::Ball, 60, seed).iter().map(coarse).collect();
        let mut hull = convex_hull(&points).expect("not flat");
        hull = hull.welded();
        meshes.push((format!("lattice hull {seed}"), hull));
    }
    for (name, mesh) in meshes {
        for order in [Order::Breadth, Order::Depth] {
            let (d, report) = decompose(&mesh, order);
            assert_eq!(report.patches, 1, "{name} {order:?}: {report:?}");
            assert!(!d.patches()[0].is_flat());
        }
    }
}

#[test]
fn an_l_shaped_prism_has_no_patch_over_the_notch() {
    for height in [1, 4] {
        let l: Vec<[i32; 3]> =
            block([3, 3, height]).into_iter().filter(|c| c[0] == 0 || c[1] == 0).collect();
        let mesh = cells(&l);
        let (d, report) = decompose(&mesh, Order::Breadth);
        assert!((2..=8).contains(&report.patches), "{report:?}");
        // No hull contains the middle of the notch.
        let notch = Point::new(2.0, 2.0, 0.5 * f64::from(height));
        for patch in d.patches() {
            let bounds = patch.hull().corners(&mesh).flatten();
            let (lo, hi) = bounds.fold((notch, notch), |(lo, hi), p| (lo.inf(&p), hi.sup(&p)));
            let inside = (0..3).all(|k| lo[k] < notch[k] && notch[k] < hi[k]);
            assert!(!inside, "a patch spans the notch");
        }
    }
}

#[test]
fn stacked_boxes_and_pillars() {
    // A pillar on a slab: the slab's top is an annulus around it.
    let mut pillar = block([3, 3, 1]);
    pillar.extend([[1, 1, 1], [1, 1, 2]]);
    // The slab with its top is one patch: the foot of the pillar lies in a side of its hull.
    assert_eq!(patches(&cells(&pillar)), 2);
    let mut tower = block([4, 4, 1]);
    tower.extend(block([2, 2, 3]).into_iter().map(|[x, y, z]| [x, y, z + 1]));
    assert!(patches(&cells(&tower)) <= 6);
    let stairs: Vec<[i32; 3]> = block([4, 2, 4]).into_iter().filter(|c| c[2] <= c[0]).collect();
    assert!(patches(&cells(&stairs)) <= 12);
}

#[test]
fn shapes_of_the_field() {
    for shape in Shape::ALL.into_iter().filter(|s| s.is_closed()) {
        for triangles in [shape.least_triangles(), 700] {
            let n = patches(&shape.mesh(triangles, 2));
            assert!(n >= 1, "{shape}");
        }
    }
}

#[test]
fn cavities_and_components() {
    let cube = grid_cube(2);
    let (outer, inner) = (grid_cube(6), moved(&grid_cube(4), [1.0; 3]).flipped());
    let core = moved(&cube, [2.0; 3]);
    let shell = Mesh::union([&outer, &inner]).expect("two");
    // The outer side cannot be one patch: its hull would contain the cavity.
    let report = decompose(&shell, Order::Breadth).1;
    assert!(report.patches > 6, "{report:?}");
    let nested = Mesh::union([&shell, &core]).expect("two");
    let (d, _) = decompose(&nested, Order::Breadth);
    let last = nested.triangles().len() - 1;
    let patch = d.patch_of()[last];
    assert_eq!(d.patches()[patch as usize].faces().len(), cube.triangles().len());
    let two = Mesh::union([&cube, &moved(&cube, [2.0, 2.5, 0.0])]).expect("two");
    assert_eq!(patches(&two), 2);
    // Side by side in one plane, one between the prongs of the other.
    let u: Vec<[i32; 3]> =
        block([5, 1, 3]).into_iter().filter(|c| c[2] == 0 || c[0] == 0 || c[0] == 4).collect();
    let between = Mesh::union([&cells(&u), &moved(&grid_cube(1), [2.0, 0.0, 1.5])]).expect("two");
    let report = decompose(&between, Order::Breadth).1;
    assert!(report.patches >= 4, "{report:?}");
}

#[test]
fn needles_and_fans() {
    // A cone over many coplanar fans, squeezed to needles of aspect 1e8.
    for squeeze in [1.0, 1e-4, 1e-8] {
        for shape in [Shape::Torus, Shape::Gear, Shape::Comb] {
            let mesh = shape.mesh(300, 0);
            let thin = |p: &Point| Point::new(p.x, p.y * squeeze, p.z);
            let vertices = mesh.vertices().iter().map(thin).collect();
            let mesh = mesh.with_vertices(vertices).expect("as many");
            if let Ok(d) = Decomposition::new(&mesh, &Options::default(), &Control::NONE) {
                d.validate(&mesh).expect("valid");
            }
        }
    }
    // A prism over a fan of coplanar triangles with an off-centre apex, and a pyramid.
    let n = 40u32;
    let rim = |k: u32, z: f64| {
        let (x, y) = (f64::from(k % 10), f64::from(k / 10));
        let corner = [[x, 0.0], [10.0, x], [10.0 - x, 10.0], [0.0, 10.0 - x]];
        Point::new(corner[y as usize][0], corner[y as usize][1], z)
    };
    let mut vertices: Vec<Point> = (0..n).map(|k| rim(k, 0.0)).collect();
    vertices.extend((0..n).map(|k| rim(k, 1.0)));
    vertices.extend([Point::new(3.0, 4.0, 0.0), Point::new(6.0, 1.0, 1.0)]);
    let mut triangles = Vec::new();
    for k in 0..n {
        let next = (k + 1) % n;
        triangles.extend([[k, next, n + next], [k, n + next, n + k]]);
        triangles.extend([[2 * n, next, k], [2 * n + 1, n + k, n + next]]);
    }
    assert_eq!(patches(&Mesh::new(vertices, triangles).expect("a prism")), 1);
}

#[test]
fn scales_change_nothing() {
    for shape in [Shape::Torus, Shape::Gear, Shape::Comb, Shape::Hull] {
        let mesh = shape.mesh(300, 5);
        let reference = decompose(&mesh, Order::Breadth).0;
        // Powers of two near 1e150 and 1e-150.
        for factor in [2f64.powi(498), 2f64.powi(-498), 2f64.powi(-30)] {
            let scaled = mesh.scaled(factor).expect("in range");
            assert_eq!(decompose(&scaled, Order::Breadth).0, reference, "{shape} {factor:e}");
        }
    }
    // Coordinates from 1e-300 to 1e150: they cannot be scaled exactly, but the result is still
    // exact.
    let cube = Shape::Cube.mesh(12, 0);
    let mixed = |p: &Point| Point::new(p.x * 1e150, p.y * 1e-150, p.z * 1e-300);
    let flat = cube.with_vertices(cube.vertices().iter().map(mixed).collect()).expect("8");
    assert_eq!(patches(&flat), 1);
}

#[test]
fn soup_of_equal_vertices_is_welded() {
    let mesh = Shape::Torus.mesh(300, 0);
    let vertices: Vec<Point> = mesh.corners().flatten().collect();
    let triangles = (0..mesh.triangles().len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]);
    let soup = Mesh::new(vertices, triangles.collect()).expect("as many");
    let (a, b) = (decompose(&mesh, Order::Breadth).0, decompose(&soup, Order::Breadth).0);
    assert_eq!(a.patch_of(), b.patch_of());
}
