//! The hierarchy of pieces and the strips against brute force with exact signs.

use std::collections::BTreeSet;

use impinge_decompose::{Content, DecomposeError, Decomposition, Options, PatchTree, Strips};
use impinge_geometry::Mesh;
use impinge_geometry::predicates::{Sign, orient3d};
use impinge_models::Shape;
use impinge_threads::{Cancel, Cancelled, Control};

fn built(mesh: &Mesh) -> (Decomposition, PatchTree) {
    let d = Decomposition::new(mesh, &Options::default(), &Control::NONE).expect("closed");
    let tree = PatchTree::new(mesh, &d, &Control::NONE).expect("its own mesh");
    (d, tree)
}

fn shapes() -> impl Iterator<Item = (Shape, Mesh)> {
    let closed = Shape::ALL.into_iter().filter(|s| s.is_closed());
    closed.map(|s| (s, s.mesh(400.max(s.least_triangles()), 3)))
}

#[test]
fn a_node_holds_its_pieces() {
    for (shape, mesh) in shapes() {
        let (d, tree) = built(&mesh);
        let nodes = tree.nodes();
        let point = |v: u32| mesh.vertices()[v as usize];
        let mut leaves = vec![];
        for (k, node) in nodes.iter().enumerate() {
            assert!(node.obb.validate());
            let below: Vec<u32> = match node.content {
                Content::Patch(p) => {
                    leaves.push(p);
                    assert_eq!(&node.hull, d.patches()[p as usize].hull());
                    node.hull.vertices().to_vec()
                }
                Content::Children(pair) => {
                    assert!(pair.iter().all(|&c| c as usize > k));
                    pair.iter().flat_map(|&c| nodes[c as usize].hull.vertices()).copied().collect()
                }
            };
            let above = |f: &[u32; 3], v: u32| {
                let [a, b, c] = f.map(point);
                orient3d(&a, &b, &c, &point(v)) == Sign::Positive
            };
            for f in node.hull.faces() {
                assert!(!below.iter().any(|&v| above(f, v)), "{shape} node {k}");
            }
            let all: BTreeSet<u32> = below.iter().copied().collect();
            assert!(node.hull.vertices().iter().all(|v| all.contains(v)));
            // The box may miss a point by rounding only.
            for &v in &below {
                let at = node.obb.axes.transpose() * (point(v) - node.obb.center);
                let out = (at.abs() - node.obb.half).max();
                assert!(out <= 1e-15 * mesh.diagonal(), "{shape} node {k}: {out:e}");
            }
        }
        leaves.sort_unstable();
        assert!(leaves.iter().copied().eq(0..d.patches().len() as u32));
        let depth = d.patches().len().next_power_of_two().ilog2() as usize + 1;
        assert_eq!(tree.depth(), depth, "{shape}");
    }
}

#[test]
fn hierarchies_are_proved() {
    for (shape, mesh) in shapes() {
        let (d, tree) = built(&mesh);
        assert_eq!(tree.validate(&mesh, &d), Ok(()), "{shape}");
    }
    for shape in [Shape::Hand, Shape::Trefoil, Shape::Sphere] {
        let mesh = shape.mesh(3000, 1);
        let (d, tree) = built(&mesh);
        assert_eq!(tree.validate(&mesh, &d), Ok(()), "{shape}");
    }
}

/// All triangles of a list, each rotated to start at its smallest index.
fn canonical(triangles: &[[u32; 3]]) -> Vec<[u32; 3]> {
    let turned = |&[a, b, c]: &[u32; 3]| {
        if a < b && a < c {
            [a, b, c]
        } else if b < c {
            [b, c, a]
        } else {
            [c, a, b]
        }
    };
    let mut all: Vec<[u32; 3]> = triangles.iter().map(turned).collect();
    all.sort_unstable();
    all
}

#[test]
fn strips_decode_to_the_hulls_triangles() {
    let (mut sent, mut triangles, mut large) = (0, 0, 0);
    for (shape, mesh) in shapes() {
        let (_, tree) = built(&mesh);
        for node in tree.nodes() {
            let strips = Strips::of(&node.hull);
            let decoded = strips.decode();
            assert_eq!(canonical(&decoded), canonical(node.hull.faces()), "{shape}");
            assert_eq!(strips.iter().map(<[u32]>::len).sum::<usize>(), strips.sent());
            assert!(
                (strips.mean_length() * strips.count() as f64 - decoded.len() as f64).abs() < 1e-9
            );
            if decoded.len() > 50 {
                assert!(strips.share() <= 0.45, "{shape}: {} of {}", strips.share(), decoded.len());
                large += 1;
                sent += strips.sent();
                triangles += decoded.len();
            }
        }
    }
    assert!(large > 30);
    println!("{large} hulls, share {:.3}", sent as f64 / (3 * triangles) as f64);
}

#[test]
fn a_lost_or_turned_triangle_shows() {
    let mesh = Shape::Hull.mesh(60, 0);
    let (_, tree) = built(&mesh);
    let hull = &tree.root().hull;
    let mut decoded = Strips::of(hull).decode();
    decoded[5].swap(0, 1);
    assert_ne!(canonical(&decoded), canonical(hull.faces()));
    decoded.pop();
    assert_ne!(canonical(&decoded), canonical(hull.faces()));
}

#[test]
fn strips_can_be_cancelled() {
    let mesh = Shape::Hull.mesh(60, 0);
    let (_, tree) = built(&mesh);
    let hull = &tree.root().hull;
    let cancel = Cancel::new();
    let control = Control::NONE.cancelled_by(&cancel);
    assert_eq!(Strips::watched(hull, &control), Ok(Strips::of(hull)));
    cancel.cancel();
    assert_eq!(Strips::watched(hull, &control), Err(Cancelled));
}

/// The hierarchy has one node, and the mesh fewer vertices than its hull names, all of them in its box.
#[test]
fn a_hierarchy_of_another_mesh_is_refused() {
    let (d, tree) = built(&Shape::Hull.mesh(500, 1));
    assert_eq!(tree.nodes().len(), 1);
    let middle = tree.root().obb.center;
    let corner = |v: [f64; 3]| middle + impinge_geometry::Vector::from(v) * 1e-3;
    let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(corner);
    let faces = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    let small = Mesh::new(corners.to_vec(), faces).expect("a tetrahedron");
    assert!(tree.validate(&small, &d).is_err());
}

#[test]
fn extremes_and_refusals() {
    for factor in [2f64.powi(498), 2f64.powi(-498)] {
        let mesh = Shape::Torus.mesh(200, 0).scaled(factor).expect("in range");
        let (_, tree) = built(&mesh);
        assert!(tree.nodes().iter().all(|n| n.obb.validate() && !n.hull.faces().is_empty()));
    }
    let mesh = Shape::Torus.mesh(400, 0);
    let (d, _) = built(&mesh);
    let other = PatchTree::new(&Shape::Cube.mesh(12, 0), &d, &Control::NONE);
    assert_eq!(other.err(), Some(DecomposeError::AnotherMesh));
    let cancel = Cancel::new();
    cancel.cancel();
    let found = PatchTree::new(&mesh, &d, &Control::NONE.cancelled_by(&cancel));
    assert_eq!(found.err(), Some(DecomposeError::Cancelled(Cancelled)));
}

#[test]
fn data_crosses_threads() {
    fn crosses<T: Send + Sync>() {}
    crosses::<Decomposition>();
    crosses::<PatchTree>();
    crosses::<Strips>();
}
