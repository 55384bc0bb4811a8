//! Every tree is whole: each triangle in one leaf, each node wraps what is below, for every fit,
//! shape and scale, degenerate meshes included.

use impinge_geometry::volume::ObbFit;
use impinge_geometry::{Mesh, Point};
use impinge_hierarchy::methods::{ObbTreeParams, obbtree_with};
use impinge_models::{Random, Shape};
use impinge_query::{Control, Engine};

fn check(mesh: &Mesh, what: &str) {
    for fit in ObbFit::ALL {
        let engine = obbtree_with(ObbTreeParams { fit });
        let model = engine.prepare(mesh, &Control::NONE).expect("nothing cancels");
        assert_eq!(model.tree().nodes().len(), 2 * mesh.triangles().len() - 1, "{what}");
        model.tree().validate(mesh).unwrap_or_else(|e| panic!("{what}, {fit:?}: {e}"));
    }
}

#[test]
fn all_shapes_at_all_scales() {
    for shape in Shape::ALL {
        let mesh = shape.mesh(600, 1);
        check(&mesh, shape.word());
        for scale in [2f64.powi(-1000), 1e-6, 1e6, 2f64.powi(900)] {
            let scaled = mesh.scaled(scale).expect("in range");
            check(&scaled, &format!("{shape} × {scale:e}"));
        }
    }
}

#[test]
fn degenerate_meshes() {
    let p = |x: f64, y: f64, z: f64| Point::new(x, y, z);
    let point = Mesh::new(vec![p(3.0, 4.0, 5.0)], vec![[0, 0, 0]; 9]).expect("legal");
    check(&point, "nine times one point");
    let line: Vec<Point> = (0..20).map(|i| p(f64::from(i), 0.0, 0.0)).collect();
    let needles = (0..18).map(|i| [i, i + 1, i + 2]).collect();
    check(&Mesh::new(line, needles).expect("legal"), "a line of needles");
    let corner = vec![p(0.0, 0.0, 0.0), p(1.0, 0.0, 0.0), p(0.0, 1.0, 0.0)];
    check(&Mesh::new(corner, vec![[0, 1, 2]; 50]).expect("legal"), "fifty times one triangle");
    let flat = Shape::Sphere.mesh(300, 0);
    let flat = flat.vertices().iter().map(|v| p(v.x, v.y, 0.25)).collect();
    let flat = Shape::Sphere.mesh(300, 0).with_vertices(flat).expect("legal");
    check(&flat, "a flat mesh");
    let wild = |r: &mut Random| r.range(-1.0, 1.0) * 10f64.powf(r.range(-300.0, 299.0));
    let mut r = Random::new(5);
    let soup: Vec<Point> = (0..300).map(|_| p(wild(&mut r), wild(&mut r), wild(&mut r))).collect();
    let soup = Mesh::new(soup, (0..100).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect());
    check(&soup.expect("legal"), "soup over 600 orders of magnitude");
}

#[test]
fn a_broken_tree_is_noticed() {
    let mesh = Shape::Torus.mesh(200, 0);
    let engine = obbtree_with(ObbTreeParams::default());
    let model = engine.prepare(&mesh, &Control::NONE).expect("nothing cancels");
    let larger = mesh.scaled(1.5).expect("in range");
    assert!(model.tree().validate(&larger).is_err(), "boxes that are too small");
    let mut nodes = model.tree().nodes().to_vec();
    let leaf = nodes.iter().position(impinge_hierarchy::Node::is_leaf).expect("a leaf");
    nodes[leaf] = impinge_hierarchy::Node::leaf(nodes[0].volume, 0);
    nodes[leaf + 1] = impinge_hierarchy::Node::leaf(nodes[0].volume, 0);
    let broken = impinge_hierarchy::Tree::from_nodes(nodes);
    assert!(broken.validate(&mesh).is_err(), "a triangle in two leaves");
}
