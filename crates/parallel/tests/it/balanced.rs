//! The balanced box tree: what its boxes wrap, how far it grows, and on what it must not fail.

use impinge_geometry::{Mesh, Point};
use impinge_hierarchy::build::Builder;
use impinge_hierarchy::volume::AxisBox;
use impinge_hierarchy::{Child, Tree};
use impinge_models::{Random, Shape};
use impinge_parallel::{Balanced, BalancedModel, OnTree};
use impinge_query::{Cancel, Control, MeshModel, Model, PrepareError};

fn build(mesh: &Mesh) -> Tree<AxisBox> {
    build_with(mesh, true)
}

fn build_with(mesh: &Mesh, shrink: bool) -> Tree<AxisBox> {
    let builder = Balanced { shrink, ..Balanced::default() };
    builder.build(mesh, &Control::NONE).expect("nobody cancels")
}

fn holds(volume: &AxisBox, p: &Point) -> bool {
    (0..3).all(|k| volume.low()[k] <= p[k] && p[k] <= volume.high()[k])
}

/// Is the point, which lies on triangle `t`, in a leaf that has `t`, and in every box above?
fn reached(tree: &Tree<AxisBox>, t: u32, p: &Point) -> bool {
    let mut stack = vec![0];
    while let Some(node) = stack.pop() {
        if !holds(tree.volume(node), p) {
            continue;
        }
        match tree.nodes()[node as usize].child() {
            Child::Pair(first) => stack.extend([first, first + 1]),
            Child::Leaf(leaf) if tree.leaf(leaf).as_slice().contains(&t) => return true,
            Child::Leaf(_) => {}
        }
    }
    false
}

/// Of each triangle: corners, middles of edges and random points, all exactly representable.
fn points_of(mesh: &Mesh, t: u32) -> Vec<Point> {
    let [p, q, r] = mesh.triangle(t);
    let mut random = Random::stream(7, t.into());
    let mut points = vec![p, q, r];
    for _ in 0..6 {
        let (a, b) = (random.below(17), random.below(17));
        let (a, b) = if a + b > 16 { (16 - a, 16 - b) } else { (a, b) };
        points.push(p + (q - p) * (a as f64 / 16.0) + (r - p) * (b as f64 / 16.0));
    }
    points
}

#[test]
fn every_point_of_every_triangle_is_in_a_leaf_that_has_it() {
    for (shape, n) in [(Shape::Torus, 3000), (Shape::Comb, 1500), (Shape::Teapot, 1000)] {
        // Whole numbers: points on the triangles are exact.
        let mesh = shape.mesh(n, 1);
        let round = |p: &Point| Point::from(p.coords.map(|x| (x * 4096.0).round() * 16.0));
        let vertices = mesh.vertices().iter().map(round).collect();
        let mesh = Mesh::new(vertices, mesh.triangles().to_vec()).expect("a mesh");
        for shrink in [true, false] {
            let tree = build_with(&mesh, shrink);
            for t in 0..mesh.triangles().len() as u32 {
                for p in points_of(&mesh, t) {
                    assert!(reached(&tree, t, &p), "{shape}: {p} of triangle {t} is in no leaf");
                }
            }
        }
    }
}

/// Boxes that are not shrunk are the two parts of their parent's, without a gap; shrunk ones leave
/// gaps, and are no larger.
#[test]
fn boxes_that_are_not_shrunk_are_divided() {
    let mesh = Shape::Trefoil.mesh(4_000, 1);
    let volume = |v: &AxisBox| (0..3).map(|k| v.high()[k] - v.low()[k]).product::<f64>();
    let [shrunk, divided] = [true, false].map(|shrink| {
        let tree = build_with(&mesh, shrink);
        let (mut sum, mut gaps, mut inner) = (0.0, 0, 0);
        for node in 0..tree.nodes().len() as u32 {
            let Child::Pair(first) = tree.nodes()[node as usize].child() else {
                sum += volume(tree.volume(node));
                continue;
            };
            let (all, [left, right]) =
                (tree.volume(node), [first, first + 1].map(|child| tree.volume(child)));
            let cut: Vec<usize> = (0..3).filter(|&k| left.high()[k] < all.high()[k]).collect();
            let parts = cut.len() == 1
                && left.high()[cut[0]] == right.low()[cut[0]]
                && left.low() == all.low()
                && right.high() == all.high()
                && (0..3).all(|k| {
                    k == cut[0] || left.high()[k] == all.high()[k] && right.low()[k] == all.low()[k]
                });
            gaps += u32::from(!parts);
            inner += 1;
        }
        (sum, gaps, inner)
    });
    assert!(divided.1 == 0 && divided.2 > 100, "{divided:?}");
    let root = build_with(&mesh, false);
    let root = volume(root.volume(0));
    assert!((divided.0 / root - 1.0).abs() < 1e-9, "leaves tile the root's box: {divided:?}");
    assert!(shrunk.1 * 2 > shrunk.2 && shrunk.0 < 0.5 * divided.0, "{shrunk:?} {divided:?}");
}

/// Depths and sizes of leaves.
fn leaves(tree: &Tree<AxisBox>) -> Vec<(u32, usize)> {
    let (mut stack, mut leaves) = (vec![(0, 0)], Vec::new());
    while let Some((node, depth)) = stack.pop() {
        match tree.nodes()[node as usize].child() {
            Child::Pair(first) => stack.extend([(first, depth + 1), (first + 1, depth + 1)]),
            Child::Leaf(leaf) => leaves.push((depth, tree.leaf(leaf).as_slice().len())),
        }
    }
    leaves
}

#[test]
fn trees_are_balanced_and_leaves_small() {
    for shape in [Shape::Torus, Shape::Trefoil, Shape::Teapot, Shape::Sphere] {
        let mesh = shape.mesh(10_000, 1);
        let leaves = leaves(&build(&mesh));
        let n = mesh.triangles().len();
        let deepest = leaves.iter().map(|leaf| leaf.0).max().unwrap_or(0);
        let (copies, most) = (
            leaves.iter().map(|leaf| leaf.1).sum::<usize>(),
            leaves.iter().map(|leaf| leaf.1).max(),
        );
        println!(
            "{shape}: {n} triangles, {} leaves, deepest {deepest}, {copies} copies, {most:?}",
            leaves.len()
        );
        assert!(deepest <= Balanced::default().depth(n));
        assert!(copies <= 4 * n && most < Some(40), "{shape}: {copies} copies of {n}, {most:?}");
    }
}

/// The logarithm of triangles over the size of a leaf, and four.
#[test]
fn the_largest_depth_is_four_more_than_halving_takes() {
    let depth = |leaf, n| Balanced { leaf, ..Balanced::default() }.depth(n);
    assert_eq!([0, 9, 10, 19, 20, 10_000].map(|n| depth(10, n)), [4, 4, 4, 4, 5, 13]);
    assert_eq!((depth(0, 1024), depth(1, 1024), depth(2, 1024)), (14, 14, 13));
}

#[test]
fn more_triangles_than_positions_are_refused() {
    let mesh = Shape::Cube.mesh(12, 0);
    let model = |most: usize| {
        let builder = Balanced { copies: u32::MAX as usize / 3 / most, ..Balanced::default() };
        BalancedModel::new("boxes", &mesh, builder, &Control::NONE)
    };
    let Err(PrepareError::Refused { word: "boxes", reason }) = model(11) else {
        panic!("12 triangles, at most 11")
    };
    assert_eq!(reason, "12 triangles, at most 11");
    assert!(model(12).is_ok());
}

#[test]
fn bytes_are_those_of_tree_edges_and_lists() {
    let mesh = Shape::Cube.mesh(12, 0);
    let builder = Balanced { leaf: 20, ..Balanced::default() };
    let model = BalancedModel::new("boxes", &mesh, builder, &Control::NONE).expect("a mesh");
    // One leaf: where its 18 edges begin and end, and the edges.
    assert_eq!((model.edges().len(), model.edges_of(0).len()), (18, 18));
    let parts = model.tree().own_bytes() + model.edges().bytes();
    assert!(model.own_bytes() >= parts + 20 * size_of::<u32>());
    assert!(model.own_bytes() <= parts + 100 * size_of::<u32>());
    assert_eq!(model.bytes(), model.mesh_bytes() + model.own_bytes());
}

/// Triangles of which every plane crosses half: the tree stops instead of doubling at every level.
#[test]
fn long_triangles_do_not_blow_it_up() {
    let mut random = Random::new(1);
    let n = 5_000;
    let vertices: Vec<Point> = (0..3 * n).map(|_| Point::from(random.vector(-1.0, 1.0))).collect();
    let triangles = (0..n as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    let mesh = Mesh::new(vertices, triangles).expect("a mesh");
    let leaves = leaves(&build(&mesh));
    let copies: usize = leaves.iter().map(|leaf| leaf.1).sum();
    assert!(copies <= 8 * n, "{copies} copies of {n}");
}

#[test]
fn degenerate_meshes_have_trees() {
    let p = |x: f64| Point::new(x, 0.0, 0.0);
    let same = Mesh::new(vec![p(1.0)], vec![[0, 0, 0]; 100]).expect("a mesh");
    let line = (0..300).map(|i| p(f64::from(i))).collect();
    let line = Mesh::new(line, (0..100).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect());
    let line = line.expect("a mesh");
    let extreme = line.scaled(1e297).expect("in range");
    let tiny = line.scaled(5e-324).expect("in range");
    for mesh in [same, line, extreme, tiny] {
        for shrink in [true, false] {
            let tree = build_with(&mesh, shrink);
            for t in 0..100 {
                assert!(reached(&tree, t, &mesh.triangle(t)[0]));
            }
        }
    }
}

/// Squares across an axis, several in one plane, where a plane of the tree must cut: each belongs to
/// one side of it, since its bounds are one unit in the last place longer than it is.
#[test]
fn triangles_that_lie_in_a_cutting_plane_are_kept() {
    for axis in 0..3 {
        let turned = |p: [f64; 3]| Point::new(p[axis], p[(axis + 1) % 3], p[(axis + 2) % 3]);
        let corners = (0..40).flat_map(|k| {
            let x = f64::from(k % 4);
            [[x, 0.0, 0.0], [x, 1.0, 0.0], [x, 0.0, 1.0]].map(turned)
        });
        let faces = (0..40).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
        let mesh = Mesh::new(corners.collect(), faces).expect("a mesh");
        for shrink in [true, false] {
            let tree = build_with(&mesh, shrink);
            assert!(leaves(&tree).len() > 1, "it is cut");
            for t in 0..40 {
                let [p, q, r] = mesh.triangle(t);
                let middle = Point::from((p.coords + q.coords + r.coords) / 3.0);
                for point in [p, q, r, middle] {
                    assert!(reached(&tree, t, &point), "triangle {t} at {point}");
                }
            }
        }
    }
}

#[test]
fn building_can_be_cancelled() {
    let cancel = Cancel::new();
    cancel.cancel();
    let control = Control::NONE.cancelled_by(&cancel);
    assert!(Balanced::default().build(&Shape::Torus.mesh(1000, 1), &control).is_err());
}
