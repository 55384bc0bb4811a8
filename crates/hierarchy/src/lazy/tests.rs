//! Treelets: where a tree is cut, and which volumes are refitted at once or on demand.

use impinge_geometry::{Mesh, Point};
use impinge_models::{Random, Shape};
use impinge_query::Control;

use super::*;
use crate::build::{AxisBoxFit, BallFit, Builder, Fit, Leaves, Median, TopDown};
use crate::volume::{AxisBox, Ball};

/// A row of `count` triangles, which halves evenly.
fn row(count: u32) -> Mesh {
    let corner = |k: u32| {
        let x = f64::from(k);
        [Point::new(x, 0.0, 0.0), Point::new(x + 0.5, 0.0, 1.0), Point::new(x, 1.0, 0.0)]
    };
    let triangles = (0..count).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
    Mesh::new((0..count).flat_map(corner).collect(), triangles).expect("legal")
}

fn shaken(mesh: &Mesh, seed: u64) -> Arc<Mesh> {
    let mut random = Random::new(seed);
    let moved = mesh.vertices().iter().map(|p| p + random.vector(-0.2, 0.2)).collect();
    Arc::new(mesh.with_vertices(moved).expect("legal"))
}

fn tree<F: Fit>(fit: F, leaves: Leaves, mesh: &Mesh) -> Tree<F::Volume> {
    let builder = TopDown { leaves, ..TopDown::new(fit, Median) };
    builder.build(mesh, &Control::NONE).expect("nothing cancels")
}

/// Number of descendants of each node.
fn below<V: Volume>(tree: &Tree<V>) -> Vec<usize> {
    let mut below = vec![0; tree.nodes().len()];
    for index in (0..below.len()).rev() {
        if let Child::Pair(first) = tree.nodes()[index].child() {
            below[index] = 2 + below[first as usize] + below[first as usize + 1];
        }
    }
    below
}

/// The nodes outside all treelets: those whose parent has more than 126 descendants.
fn upper<V: Volume>(tree: &Tree<V>) -> Vec<u32> {
    let below = below(tree);
    let mut upper = vec![0];
    for (index, node) in tree.nodes().iter().enumerate() {
        if let Child::Pair(first) = node.child()
            && below[index] > 126
        {
            upper.extend([first, first + 1]);
        }
    }
    upper.sort_unstable();
    upper
}

fn is_cut_well<V: Merge>(tree: &Tree<V>) {
    let lazy = Lazy::cut(tree);
    let expected = upper(tree);
    let mut found = lazy.upper.clone();
    found.sort_unstable();
    assert_eq!(found, expected);
    let below = below(tree);
    let mut inside = 0;
    for (number, treelet) in lazy.treelets.iter().enumerate() {
        let [from, to] = treelet.nodes;
        assert!(lazy.treelet_of[from as usize..to as usize].iter().all(|&t| t == number as u32));
        let root = expected.iter().find(|&&node| {
            matches!(tree.nodes()[node as usize].child(), Child::Pair(first) if first == from)
        });
        assert_eq!(below[*root.expect("its root is an upper node") as usize], (to - from) as usize);
        let mut leaves = Vec::new();
        for node in &tree.nodes()[from as usize..to as usize] {
            if let Child::Leaf(leaf) = node.child() {
                leaves.extend_from_slice(tree.leaf(leaf).as_slice());
            }
        }
        let [first, last] = treelet.triangles;
        assert_eq!(lazy.order[first as usize..last as usize], leaves);
        inside += (to - from) as usize;
    }
    assert_eq!(inside + expected.len(), tree.nodes().len(), "every node is in one place");
    for node in expected {
        assert!(lazy.treelet_of[node as usize] == UPPER);
    }
}

#[test]
fn a_tree_is_cut_where_a_node_has_at_most_126_descendants() {
    // 128 triangles are two treelets of 64. Of 130, the two parts of 65 triangles are each cut
    // again.
    let counts = [(1, 0), (2, 1), (64, 1), (65, 2), (128, 2), (130, 4), (256, 4)];
    for (triangles, treelets) in counts {
        let mesh = row(triangles);
        let tree = tree(AxisBoxFit, Leaves::SINGLE, &mesh);
        assert_eq!(Lazy::cut(&tree).treelets.len(), treelets, "{triangles} triangles");
        is_cut_well(&tree);
    }
    let mesh = Shape::Hand.mesh(1500, 0);
    is_cut_well(&tree(AxisBoxFit, Leaves::SINGLE, &mesh));
    is_cut_well(&tree(BallFit, Leaves { triangles: 3, ..Leaves::SINGLE }, &mesh));
}

/// Refits treelets on demand, and everything else at once. For boxes, the volumes are those of a
/// bottom-up refit, and the cost is that of the upper nodes.
fn follows<F: Fit>(fit: F, leaves: Leaves, mesh: &Mesh, same: fn(&F::Volume, &F::Volume) -> bool)
where
    F::Volume: Merge,
{
    let mut late = tree(fit, leaves, mesh);
    let mut eager = late.clone();
    let upper = upper(&late);
    let cost = |tree: &Tree<F::Volume>, each: &dyn Fn(u32) -> F::Volume| {
        let inner = upper.iter().filter(|&&k| !tree.nodes()[k as usize].is_leaf());
        inner.map(|&k| each(k).area()).sum::<f64>() / each(0).area()
    };
    let near = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 1e-12, "{a} {b}");
    near(late.cost_upper(), cost(&late, &|k| late.nodes()[k as usize].volume));
    for seed in 0..2 {
        let moved = shaken(mesh, seed);
        let told = late.refit_upper(&moved);
        eager.refit(&moved);
        near(told, cost(&late, &|k| *late.volume(k)));
        near(told, late.cost_upper());
        let lazy = late.lazy_mut().expect("it is now");
        assert!(lazy.volumes.iter().all(|volumes| volumes.get().is_none()), "nobody has asked");
        let before = late.bytes();
        let all: Vec<F::Volume> = (0..late.nodes().len() as u32).map(|k| *late.volume(k)).collect();
        for (index, volume) in all.iter().enumerate() {
            assert!(same(volume, eager.volume(index as u32)), "node {index}");
        }
        let inside = late.nodes().len() - upper.len();
        assert_eq!(late.bytes() - before, inside * size_of::<F::Volume>());
    }
}

#[test]
fn a_lazy_tree_has_the_volumes_and_the_cost_of_its_upper_nodes() {
    let same = |a: &AxisBox, b: &AxisBox| a == b;
    follows(AxisBoxFit, Leaves::SINGLE, &row(130), same);
    let mesh = Shape::Hand.mesh(1200, 0);
    follows(AxisBoxFit, Leaves::SINGLE, &mesh, same);
    follows(AxisBoxFit, Leaves { triangles: 3, ..Leaves::SINGLE }, &mesh, same);
    // A ball around a treelet depends on the order of merging.
    let like = |a: &Ball, b: &Ball| (a.size() / b.size() - 1.0).abs() < 0.5;
    follows(BallFit, Leaves::SINGLE, &mesh, like);
}

/// A mesh of one point has no area, and cost zero.
#[test]
fn what_has_no_area_costs_nothing() {
    let mesh = Mesh::new(vec![Point::origin()], vec![[0; 3]; 200]).expect("legal");
    let mut tree = tree(AxisBoxFit, Leaves::SINGLE, &mesh);
    assert_eq!((tree.cost(), tree.cost_upper()), (0.0, 0.0));
    assert_eq!(tree.refit(&mesh), 0.0);
    assert_eq!(tree.refit_upper(&Arc::new(mesh)), 0.0);
}

#[test]
fn bytes_are_those_of_all_lists() {
    let mesh = row(200);
    let tree = tree(AxisBoxFit, Leaves::SINGLE, &mesh);
    let lazy = Lazy::cut(&tree);
    let words = [&lazy.treelet_of, &lazy.order, &lazy.upper].map(Vec::capacity);
    let volumes = lazy.volumes.capacity() * size_of::<OnceLock<Box<[AxisBox]>>>();
    let treelets = 16 * lazy.treelets.capacity();
    assert_eq!(size_of::<Treelet>(), 16);
    assert_eq!(lazy.bytes(), 4 * words.iter().sum::<usize>() + volumes + treelets);
    assert!(words.iter().all(|n| *n > 1) && treelets > 16);
}
