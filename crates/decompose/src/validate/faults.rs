//! Tests that faults are noticed: hierarchies with one change, and patches that were not merged.

use impinge_geometry::{Mesh, Point};
use impinge_models::Shape;
use impinge_threads::Control;

use crate::grow::Grower;
use crate::surface::Surface;
use crate::{Content, Decomposition, Node, Options, Order, PatchTree};

fn built(mesh: Mesh) -> (Mesh, Decomposition, PatchTree) {
    let d = Decomposition::new(&mesh, &Options::default(), &Control::NONE).expect("closed");
    let tree = PatchTree::new(&mesh, &d, &Control::NONE).expect("its own mesh");
    assert_eq!(tree.validate(&mesh, &d), Ok(()));
    (mesh, d, tree)
}

fn after(change: impl FnOnce(&mut Vec<Node>)) -> String {
    after_on(Shape::Torus.mesh(400, 0), change)
}

fn after_on(mesh: Mesh, change: impl FnOnce(&mut Vec<Node>)) -> String {
    let (mesh, d, mut tree) = built(mesh);
    change(&mut tree.nodes);
    tree.validate(&mesh, &d).expect_err("something is wrong")
}

fn leaf(nodes: &[Node]) -> usize {
    nodes.iter().position(|n| matches!(n.content, Content::Patch(_))).expect("a leaf")
}

#[test]
fn a_wrong_hierarchy_shows() {
    let no_tree = after(|nodes| nodes[0].content = Content::Children([2, 2]));
    assert!(no_tree.contains("not form a tree"), "{no_tree}");
    let backward = after(|nodes| nodes[1].content = Content::Children([0, 2]));
    assert!(backward.contains("not after its parent"), "{backward}");
    let twice = after(|nodes| {
        let k = leaf(nodes);
        let other = nodes.iter().rposition(|n| matches!(n.content, Content::Patch(_)));
        nodes[k] = nodes[other.expect("many")].clone();
    });
    assert!(twice.contains("in two leaves"), "{twice}");
    let foreign = after(|nodes| {
        let k = leaf(nodes);
        nodes[k].hull = nodes[0].hull.clone();
    });
    assert!(foreign.contains("differs from that of patch"), "{foreign}");
    assert!(after(Vec::clear).contains("not form a tree"));
}

#[test]
fn a_wrong_hull_or_box_shows() {
    // Replace a parent's hull by a child's.
    for triangles in [400, 3000] {
        let small = after_on(Shape::Torus.mesh(triangles, 0), |nodes| {
            let Content::Children([child, _]) = nodes[0].content else { panic!("many patches") };
            (nodes[0].hull, nodes[0].flat) =
                (nodes[child as usize].hull.clone(), nodes[child as usize].flat);
        });
        assert!(small.contains("node 0") && small.contains("outside of its hull"), "{small}");
    }
    let large = after(|nodes| nodes[1].hull = nodes[0].hull.clone());
    assert!(large.contains("that no child's hull has"), "{large}");
    let open = after(|nodes| {
        nodes[0].hull.faces.pop();
    });
    assert!(open.contains("open"), "{open}");
    let turned = after(|nodes| nodes[0].hull.faces.iter_mut().for_each(|f| f.swap(0, 1)));
    assert!(turned.contains("node 0"), "{turned}");
    for (axis, factor) in [(0, 1.0 - 1e-12), (1, 0.5), (2, 1.0 - 1e-12)] {
        let tight = after(|nodes| nodes[0].obb.half[axis] *= factor);
        assert!(tight.contains("outside of its box"), "{tight}");
    }
    let (mesh, d, tree) = built(Shape::Torus.mesh(400, 0));
    let other = Decomposition::new(
        &mesh,
        &Options { order: Order::Depth, ..Options::default() },
        &Control::NONE,
    );
    assert!(tree.validate(&mesh, &other.expect("closed")).is_err());
    assert!(tree.validate(&Shape::Cube.mesh(12, 0), &d).is_err());
}

/// A waist of six triangles between two flares, pinched at vertex 4. The first three and the last
/// three touch along one edge and in vertex 4; the hull of either with a triangle of the other has
/// an edge at vertex 4 that neither triangle of that edge has joined.
fn hourglass() -> Mesh {
    // By angle: r q c above, s p b below, a between.
    let at = |angle: f64, radius: f64, z: f64| {
        let (y, x) = angle.to_radians().sin_cos();
        Point::new(radius * x, radius * y, z)
    };
    let [r, q, c] = [30.0, 150.0, 270.0].map(|w| at(w, 1.0, 1.0));
    let [s, p, b] = [20.0, 140.0, 260.0].map(|w| at(w, 1.0, -1.0));
    let a = at(-35.0, 1.0, 0.0);
    // 0 r, 1 q, 2 c, 3 s, 4 a, 5 p, 6 b.
    let mut vertices = vec![r, q, c, s, a, p, b];
    // s p r, r p q, s r a, then p b q, b c q, a c b: with these indices, the halves grow apart.
    let mut triangles = vec![[3, 5, 0], [0, 5, 1], [3, 0, 4], [5, 6, 1], [6, 2, 1], [4, 2, 6]];
    // A flare on each rim, counter-clockwise seen from its own end, and its cap.
    for (rim, z) in [([4u32, 0, 1, 2], 3.0), ([4, 6, 5, 3], -3.0)] {
        let first = vertices.len() as u32;
        for v in rim {
            let inner = vertices[v as usize];
            let out = 4.0 / inner.coords.xy().norm();
            vertices.push(Point::new(inner.x * out, inner.y * out, z));
        }
        vertices.push(Point::new(0.0, 0.0, z));
        for k in 0..4u32 {
            let next = (k + 1) % 4;
            let (i, j) = (rim[k as usize], rim[next as usize]);
            triangles.extend([[i, j, first + next], [i, first + next, first + k]]);
            triangles.push([first + k, first + next, first + 4]);
        }
    }
    Mesh::new(vertices, triangles).expect("an hourglass")
}

/// The decomposition as grown, without and with the merge step.
fn grown(mesh: &Mesh, order: Order) -> [Decomposition; 2] {
    [false, true].map(|merged| {
        let (surface, tree) = Surface::new(mesh, &Control::NONE).expect("closed");
        let options = Options { order, ..Options::default() };
        let mut grower = Grower::new(&surface, tree, &options);
        grower.grow(&Control::NONE).expect("not cancelled");
        if merged {
            grower.merge(&Control::NONE).expect("not cancelled");
        }
        let (patches, merges) = grower.finished();
        Decomposition::of_patches(patches, surface.len(), merges)
    })
}

#[test]
fn two_halves_of_a_waist_are_merged() {
    let mesh = hourglass();
    for order in [Order::Breadth, Order::Depth] {
        let [apart, merged] = grown(&mesh, order);
        let waist = |d: &Decomposition| (0..6).map(|f| d.patch_of[f]).collect::<Vec<u32>>();
        assert_eq!(apart.merges, 0);
        let halves = waist(&apart);
        assert!(halves[..3].iter().all(|&p| p == halves[0]), "{halves:?}");
        assert!(halves[3..].iter().all(|&p| p == halves[3] && p != halves[0]), "{halves:?}");
        let found = apart.validate(&mesh).expect_err("two patches could be one");
        assert!(found.contains("could be merged"), "{found}");
        assert_eq!(merged.merges, 1, "{order:?}");
        assert!(waist(&merged).iter().all(|&p| p == merged.patch_of[0]));
        merged.validate(&mesh).expect("maximal");
    }
}

/// On a hand, the result is maximal only with the merge step.
#[test]
fn a_hand_needs_merges() {
    let mesh = Shape::Hand.mesh(Shape::Hand.least_triangles(), 2);
    for order in [Order::Breadth, Order::Depth] {
        let [apart, merged] = grown(&mesh, order);
        assert!(apart.validate(&mesh).expect_err("not merged").contains("could be merged"));
        let report = merged.validate(&mesh).expect("maximal");
        assert!(report.merges > 0, "{order:?}");
        assert_eq!(report.patches + report.merges, apart.patches.len());
    }
}
