//! A tree's cost, its bytes, and its validation.

use impinge_geometry::Point;
use impinge_models::Shape;
use impinge_query::Control;

use super::*;
use crate::build::{AxisBoxFit, BallFit, Builder, DopFit, Fit, Leaves, Mean, TopDown};
use crate::volume::AxisBox;

fn tree<F: Fit>(fit: F, mesh: &Mesh) -> Tree<F::Volume> {
    TopDown::new(fit, Mean).build(mesh, &Control::NONE).expect("nothing cancels")
}

/// Triangles of half-length `h` around given places on the x axis.
fn mesh(places: &[f64], h: f64) -> Mesh {
    let corners =
        |x: &f64| [Point::new(x - h, -h, 0.0), Point::new(x + h, -h, 0.25), Point::new(*x, h, 0.5)];
    let triangles = (0..places.len() as u32).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
    Mesh::new(places.iter().flat_map(corners).collect(), triangles).expect("legal")
}

/// The cost is the sum of all inner nodes' areas relative to the root's, before and after a refit;
/// a refit fits each triangle again and merges upwards.
#[test]
fn the_cost_is_the_sum_of_inner_areas_over_that_of_the_root() {
    fn check<F: Fit>(fit: F, mesh: &Mesh)
    where
        F::Volume: Merge + PartialEq,
    {
        let near = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 1e-12, "{a} {b}");
        let by_hand = |tree: &Tree<F::Volume>| {
            let inner = tree.nodes().iter().filter(|node| matches!(node.child(), Child::Pair(_)));
            inner.map(|node| node.volume.area()).sum::<f64>() / tree.nodes()[0].volume.area()
        };
        let mut tree = tree(fit, mesh);
        near(tree.cost(), by_hand(&tree));
        let moved = mesh.vertices().iter().map(|p| Point::new(p.x, 3.0 * p.y + p.x * p.x, -p.z));
        let moved = mesh.with_vertices(moved.collect()).expect("legal");
        let told = tree.refit(&moved);
        near(told, by_hand(&tree));
        near(told, tree.cost());
        assert!(told > 2.0, "{told}");
        for node in tree.nodes() {
            let expected = match node.child() {
                Child::Leaf(t) => F::Volume::of_triangle(&moved.triangle(t)),
                Child::Pair(first) => {
                    let [m, n] = [first, first + 1].map(|k| tree.nodes()[k as usize].volume);
                    m.merged(&n)
                }
            };
            assert!(node.volume == expected);
        }
        tree.validate(&moved).expect("whole");
    }
    let mesh = Shape::Torus.mesh(120, 0);
    check(AxisBoxFit, &mesh);
    check(BallFit, &mesh);
    check(DopFit::<9>, &mesh);
}

/// Links have 31 bits, and there are two nodes per triangle.
#[test]
fn a_tree_holds_as_many_triangles_as_its_links_can_tell_apart() {
    assert_eq!(Tree::<AxisBox>::MAX_TRIANGLES, 1_073_741_823);
    let volume = AxisBox::new([0.0; 3], [1.0; 3]);
    for index in [0, 1, 77, (1 << 31) - 1] {
        let (inner, leaf) = (Node::inner(volume, index), Node::leaf(volume, index));
        assert_eq!((inner.child(), inner.is_leaf()), (Child::Pair(index), false));
        assert_eq!((leaf.child(), leaf.is_leaf()), (Child::Leaf(index), true));
    }
}

/// Every part of a tree counts once.
#[test]
fn bytes_are_those_of_all_parts() {
    let twice = [Shape::Torus.mesh(400, 0), Shape::Torus.mesh(400, 0)];
    let mesh = Arc::new(Mesh::union(&twice).expect("legal"));
    let mut plain = tree(AxisBoxFit, &mesh);
    let nodes = 2 * mesh.triangles().len() - 1;
    assert_eq!((plain.nodes().len(), size_of::<Node<AxisBox>>()), (nodes, 64));
    assert_eq!(plain.bytes(), 64 * nodes);
    plain.mark_repeated(&mesh);
    let repeated = plain.repeated().expect("every triangle is there twice").bytes();
    assert_eq!(plain.bytes(), 64 * nodes + repeated);
    plain.refit_upper(&mesh);
    let lazy = plain.lazy.as_ref().expect("it was updated lazily").bytes();
    assert_eq!(plain.bytes(), 64 * nodes + repeated + lazy);
    let leaves = Leaves { triangles: 4, boundaries: true, ..Leaves::SINGLE };
    let builder = TopDown { leaves, ..TopDown::new(AxisBoxFit, Mean) };
    let mut grouped = builder.build(&mesh, &Control::NONE).expect("nothing cancels");
    let groups = grouped.groups.as_ref().expect("leaves of four").bytes();
    let nodes = 64 * grouped.nodes.capacity();
    assert_eq!(grouped.bytes(), nodes + groups);
    grouped.mark_repeated(&mesh);
    grouped.refit_upper(&mesh);
    let repeated = grouped.repeated().expect("every triangle is there twice").bytes();
    let lazy = grouped.lazy.as_ref().expect("it was updated lazily").bytes();
    assert_eq!(grouped.bytes(), nodes + groups + lazy + repeated);
    assert!(groups > 100 && lazy > 100 && repeated > 100);
}

/// Each invariant is violated on its own, and detected.
#[test]
fn a_tree_that_is_not_whole_is_noticed() {
    let mesh = mesh(&[0.0, 10.0, 20.0], 1.0);
    let tree = tree(AxisBoxFit, &mesh);
    tree.validate(&mesh).expect("whole");
    let whole = tree.nodes()[0].volume;
    let says = |nodes: Vec<Node<AxisBox>>| Tree::from_nodes(nodes).validate(&mesh);
    let (inner, leaf) = (|k| Node::inner(whole, k), |k| Node::leaf(whole, k));
    assert_eq!(says(vec![inner(1), leaf(0), inner(3), leaf(1), leaf(2)]), Ok(()));
    let wrong = |nodes: Vec<Node<AxisBox>>, word: &str| {
        let why = says(nodes).expect_err(word);
        assert!(why.contains(word), "{why}");
    };
    wrong(vec![inner(1), inner(3), leaf(1), leaf(0)], "no node 4");
    wrong(vec![inner(1), leaf(0), inner(1), leaf(1), leaf(2)], "out of order");
    wrong(vec![inner(0), leaf(0), leaf(1)], "out of order");
    wrong(vec![inner(1), inner(5), inner(3), leaf(0), leaf(1), leaf(2), leaf(0)], "out of order");
    wrong(vec![inner(1), leaf(0), inner(3), leaf(1), leaf(1)], "triangle 1 is in two leaves");
    wrong(vec![inner(1), leaf(0), inner(3), leaf(1), leaf(3)], "no triangle 3");
    wrong(vec![inner(1), leaf(0), leaf(2)], "triangle 1 is in no leaf");
    wrong(vec![inner(1), leaf(0), inner(3), leaf(1), leaf(2), leaf(2)], "6 nodes, 5 reached");
}

/// A corner on a node's bounds counts as inside, and the next number beyond does not, on every
/// side.
#[test]
fn a_corner_on_the_bounds_is_wrapped_and_one_beyond_is_not() {
    let mesh = mesh(&[1.0], 1.0);
    let tree = tree(AxisBoxFit, &mesh);
    let still = Placement::new(&Pose::identity(), mesh.max_abs_coordinate(), 0.0);
    let bounds = AxisBox::bounds(&tree.nodes()[0].volume.place(&AxisBox::frame(&still)));
    for k in 0..3 {
        for (side, beyond) in [(0, f64::next_down as fn(f64) -> f64), (1, f64::next_up)] {
            let moved = |x: f64| {
                let mut vertices = mesh.vertices().to_vec();
                vertices[2][k] = x;
                mesh.with_vertices(vertices).expect("legal")
            };
            let at = bounds[k][side];
            assert_eq!(tree.validate(&moved(at)), Ok(()), "side {side} of {k}");
            let why = tree.validate(&moved(beyond(at))).expect_err("outside");
            assert_eq!(why, "node 0 does not wrap triangle 0");
        }
    }
}
