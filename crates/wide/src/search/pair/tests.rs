//! The next step for a pair of boxes: which is larger, and which is a leaf.

use impinge_geometry::{Mesh, Point, Pose};
use impinge_query::{Control, Engine};

use super::{Item, Next, Pair};
use crate::model::WideModel;
use crate::placement::Placement;
use crate::tree::{LANES, LEAF, Lane, Node};
use crate::wide;

#[test]
fn items_say_what_they_were_made_of() {
    for side in [0, 1] {
        for (one, node) in [(0, 0), (5, 0x0fff_ffff), (0x7fff_ffff, 3), (LEAF - 16, 77)] {
            let item = Item::new(one, node, side);
            assert_eq!((item.one, item.node(), item.side()), (one, node as usize, side));
            assert_eq!((item.as_leaves(), item.part()), (None, None));
            for t in 0..4 {
                let part = item.of_part((t + 1) % 4).of_part(t);
                assert_eq!((part.one, part.node(), part.side()), (one, node as usize, side));
                assert_eq!((part.part(), part == item), (Some(t), false));
            }
        }
    }
    for leaves in [[0, 0], [7, 9], [LEAF - 1, LEAF - 1]] {
        assert_eq!(Item::leaves(leaves[0], leaves[1]).as_leaves(), Some(leaves));
    }
}

/// A node whose lane `l` has these half-lengths and this child.
fn node(l: usize, half: [f32; 3], child: u32) -> Node {
    let mut node = Node::empty([0.0; 3]);
    node.lanes = l as u32 + 1;
    node.set(l, &Lane { half, ..Lane::default() });
    node.child[l] = child;
    node
}

/// Two leaves are tested; otherwise the box with the larger squared diagonal is opened, the single
/// on a tie.
#[test]
fn the_larger_box_is_opened_or_the_one_that_is_no_leaf() {
    let halves = [[1.0, 2.0, 2.0], [2.0, 1.0, 2.0], [3.0, 0.0, 0.0], [0.0, 0.0, 3.0f32]];
    let (l, lane, at) = (3, 9, 21);
    for side in [0, 1] {
        let item = Item::new(16 * 5 + l as u32, at, side);
        for half in halves {
            for (size, larger) in [(8.99, true), (9.0, false), (9.01, false)] {
                for (of_one, of_lane) in [(40, 50), (LEAF + 40, 50), (40, LEAF + 50)] {
                    let one = node(l, [1.0; 3], of_one);
                    let lanes = node(lane, half, of_lane);
                    let found = Pair::next(item, one.child[l], size, &lanes, lane);
                    let opens_lane = of_one & LEAF != 0 || (larger && of_lane & LEAF == 0);
                    let wanted = if opens_lane {
                        Item::new(item.one, of_lane, side)
                    } else {
                        Item::new(at * LANES as u32 + lane as u32, of_one, 1 - side)
                    };
                    assert_eq!(found, Next::Open(wanted), "{side} {half:?} {size}");
                }
            }
            let (one, lanes) = (node(l, [1.0; 3], LEAF + 40), node(lane, half, LEAF + 50));
            let wanted = if side == 1 { Next::Leaves(40, 50) } else { Next::Leaves(50, 40) };
            assert_eq!(Pair::next(item, one.child[l], 1.0, &lanes, lane), wanted);
        }
    }
}

/// `n` small triangles on a line of this length from the origin.
fn row(n: u32, length: f64) -> WideModel {
    let corner = |t: u32, k: u32| {
        let x = length * f64::from(t) / f64::from(n.max(2) - 1);
        let y = if k == 1 { 0.1 } else { 0.0 };
        Point::new(if k == 2 && n == 1 { length } else { x }, y * length, f64::from(k / 2) * length)
    };
    let corners = (0..n).flat_map(|t| [0, 1, 2].map(|k| corner(t, k))).collect();
    let mesh = Mesh::new(corners, (0..n).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect());
    wide().prepare(&mesh.expect("legal"), &Control::NONE).expect("not cancelled")
}

/// The smaller root box is tested against the larger model's root; a root box that is a leaf is
/// tested against the other's node, and two such against each other.
#[test]
fn a_walk_begins_at_the_larger_model() {
    let pose = Pose::identity();
    let start = |a: &WideModel, b: &WideModel| {
        let frame = [&a.tree.frame, &b.tree.frame];
        let placement = &Placement::however_far(&pose, frame, [a.max_abs(), b.max_abs()]);
        let start = Pair { models: [a, b], pose: &pose, placement }.start();
        (start.one, start.node(), start.side())
    };
    let [small, large, single] = [row(40, 1.0), row(40, 1.4), row(2, 5.0)];
    assert!(small.tree.nodes[0].child[0] == 1 && single.tree.nodes[0].child[0] == LEAF);
    // Lanes of the larger model; the second model is side 1.
    assert_eq!(start(&small, &large), (0, 1, 1));
    assert_eq!(start(&large, &small), (0, 1, 0));
    assert_eq!(start(&small, &small), (0, 1, 0));
    // Frame differ by powers of two, sizes by less: 1 in units of 1, compared with 1.1 in units of
    // 2, and so on.
    for (a, b) in [(1.0, 1.1), (1.9, 2.1), (0.4, 0.6), (7.0, 9.0), (1e-3, 1.2e-3), (300.0, 700.0)] {
        let [a, b] = [row(40, a), row(40, b)];
        assert_eq!((start(&a, &b), start(&b, &a)), ((0, 1, 1), (0, 1, 0)));
    }
    assert_eq!(start(&single, &small), (0, 1, 1));
    assert_eq!(start(&small, &single), (0, 1, 0));
    assert_eq!(start(&single, &single), (0, 0, 1));
    // Decodes the item.
    let frame = [&small.tree.frame, &large.tree.frame];
    let placement = &Placement::however_far(&pose, frame, [2.0; 2]);
    let pair = Pair { models: [&small, &large], pose: &pose, placement };
    let item = Item::new(16 + 3, 1, 0);
    assert_eq!(pair.single(item), large.tree.nodes[1].single(3));
    assert!(std::ptr::eq(pair.node(0, 1), &raw const small.tree.nodes[1]));
    assert_eq!(pair.firsts(item), small.tree.nodes[1].firsts());
}

/// A place has the items that lead to its two leaves, and no others; none if a lane is not in use, or no
/// leaf.
#[test]
fn a_place_leads_back_to_its_leaves() {
    let model = wide().prepare(&impinge_models::Shape::Torus.mesh(900, 0), &Control::NONE);
    let model = model.expect("not cancelled");
    let pose = Pose::identity();
    let placement = &Placement::new(&pose, [&model.tree.frame; 2], [model.max_abs(); 2]);
    let placement = placement.as_ref().expect("near");
    let pair = Pair { models: [&model; 2], pose: &pose, placement };
    let nodes = &model.tree.nodes;
    let (mut leaves, mut others) = (0, 0);
    for (number, node) in nodes.iter().enumerate().skip(1) {
        for lane in 0..LANES {
            let own = Item::new((nodes.len() as u32 - 1) * LANES as u32, number as u32, 0);
            let place = own.place(lane).expect("not of a root box");
            assert_eq!(place.a.get() as usize, number * LANES + lane);
            let is_leaf = lane < node.lanes as usize && node.child[lane] & LEAF != 0;
            let Some([of_b, of_a, both]) = pair.at(place) else {
                others += 1;
                assert!(!is_leaf);
                continue;
            };
            leaves += 1;
            assert!(is_leaf);
            assert_eq!(of_b, own);
            assert_eq!(of_a, Item::new(place.a.get(), nodes.len() as u32 - 1, 1));
            assert_eq!(of_a.place(0), Some(place));
            let last = nodes[nodes.len() - 1].child[0];
            assert_eq!(both.as_leaves(), Some([node.child[lane] & !LEAF, last & !LEAF]));
        }
    }
    assert!(leaves > 100 && others > 0, "{leaves}, {others}");
    let beyond = Item::new(nodes.len() as u32 * LANES as u32, 1, 0).place(0).expect("a number");
    assert_eq!(pair.at(beyond), None);
    assert_eq!(Item::new(0, 1, 0).place(0), None);
}
