//! Each invariant violated on its own, and detected at the right place.

use impinge_geometry::{Mesh, Point};
use impinge_models::{Random, Shape};
use impinge_query::{Control, Engine};

use super::*;
use crate::tree::OpenTree;
use crate::wide;

/// A torus whose first triangles occur seven times, so that some leaves hold only repeats.
fn model() -> WideModel {
    let torus = Shape::Torus.mesh(400, 0);
    let mut triangles = torus.triangles().to_vec();
    for _ in 0..6 {
        triangles.extend_from_within(..8);
    }
    let mesh = Mesh::new(torus.vertices().to_vec(), triangles).expect("legal");
    wide().prepare(&mesh, &Control::NONE).expect("any mesh")
}

/// The error of the model after a change.
fn said(change: impl FnOnce(&mut OpenTree)) -> (String, Place) {
    let mut model = model();
    assert_eq!(model.validate(), Ok(()));
    model.tree.break_by(change);
    let error = model.validate().expect_err("broken");
    assert_eq!(error.to_string(), format!("{}: {}", error.place, error.what));
    (error.what.to_owned(), error.place)
}

/// The first child of node 1 that is a leaf, or a node.
fn child(tree: &Tree, leaf: bool) -> u32 {
    let lanes = &tree.nodes[1].child[..tree.nodes[1].lanes as usize];
    lanes.iter().position(|c| (c & LEAF != 0) == leaf).expect("both kinds") as u32
}

/// The first node whose lanes are all leaves, as the last node is.
fn last(tree: &Tree) -> usize {
    tree.nodes.len() - 1
}

#[test]
fn what_is_out_of_order_is_noticed() {
    let lane = |node, lane| Place::Lane { node, lane };
    let whole = model().tree;
    let (node, end) = (child(&whole, false), last(&whole) as u32);
    let leaf = whole.leaves.len() as u32;

    let next = "its node is not the next one";
    assert_eq!(said(|t| t.nodes[0].child[0] = 0), (next.to_owned(), lane(0, 0)));
    assert_eq!(said(|t| t.nodes[1].child[node as usize] += 1).0, next);
    let next = "its leaf is not the next one";
    assert_eq!(said(|t| t.nodes[end as usize].child[1] -= 1), (next.to_owned(), lane(end, 1)));
    let lanes = "it has too few lanes, or too many";
    assert_eq!(said(|t| t.nodes[0].lanes = 2), (lanes.to_owned(), Place::Node(0)));
    assert_eq!(said(|t| t.nodes[1].lanes = 1), (lanes.to_owned(), Place::Node(1)));
    assert_eq!(said(|t| t.nodes[1].lanes = 17), (lanes.to_owned(), Place::Node(1)));
    let none = "no lane leads to it".to_owned();
    let more = |t: &mut OpenTree| t.nodes.push(t.nodes[end as usize]);
    assert_eq!(said(more), (none.clone(), Place::Node(end + 1)));
    assert_eq!(said(|t| t.leaves.push(t.leaves[0])), (none, Place::Leaf(leaf)));
    let missing = "a lane leads to it, and it is not there".to_owned();
    assert_eq!(said(|t| t.nodes.truncate(end as usize)), (missing.clone(), Place::Node(end)));
    assert_eq!(said(|t| t.nodes.clear()), (missing, Place::Node(0)));
    assert_eq!(said(|t| t.leaves.truncate(1)).0, next);
}

#[test]
fn a_tree_that_is_too_deep_is_noticed() {
    // Each node has a leaf and the next node.
    let chain = |tree: &mut OpenTree| {
        let (root, leaf) = (tree.nodes[0], tree.leaves[0]);
        let mut below = root;
        below.lanes = 2;
        tree.nodes = vec![root];
        tree.leaves = vec![leaf; 200];
        for n in 1..200 {
            below.child[..2].copy_from_slice(&[LEAF | (n - 1), n + 1]);
            tree.nodes.push(below);
        }
    };
    assert_eq!(said(chain), ("it is too deep".to_owned(), Place::Node(Tree::DEEP as u32)));
}

fn triangles_of(leaf: &mut Leaf) -> &mut [u32] {
    &mut leaf.words[2 * CORNERS..]
}

#[test]
fn leaves_that_are_wrong_are_noticed() {
    let first = Place::Leaf(0);
    let gap = "it has no triangles, or a gap before one";
    assert_eq!(said(|t| triangles_of(&mut t.leaves[0]).fill(NONE)), (gap.to_owned(), first));
    assert_eq!(
        said(|t| triangles_of(&mut t.leaves[0]).copy_from_slice(&[0, NONE, 1, NONE])),
        (gap.to_owned(), first)
    );
    let twice = "one of its triangles is in a leaf already".to_owned();
    assert_eq!(said(|t| t.leaves[1] = t.leaves[0]), (twice, Place::Leaf(1)));
    let none = "one of its triangles does not exist".to_owned();
    assert_eq!(said(|t| triangles_of(&mut t.leaves[0])[0] = NONE - 1), (none, first));
    let corners = "its corners are not those of its triangles".to_owned();
    for n in 0..2 * CORNERS {
        assert_eq!(said(|t| t.leaves[0].words[n] ^= 1), (corners.clone(), first));
    }
    assert_eq!(said(|t| t.leaves[0].origin[1] += 0.5), (corners.clone(), first));
    assert_eq!(said(|t| t.leaves[0].unit *= 0.9), (corners, first));
    let lost = |t: &mut OpenTree| {
        let leaf = t.leaves.iter_mut().find(|leaf| leaf.len() > 1).expect("one of several");
        let n = leaf.len() - 1;
        triangles_of(leaf)[n] = NONE;
    };
    assert_eq!(said(lost), ("a triangle is in no leaf".to_owned(), Place::Node(0)));
}

#[test]
fn wrong_sums_and_frames_are_noticed() {
    let frame = "its frame is not that of the mesh".to_owned();
    assert_eq!(said(|t| t.frame.exponent += 1), (frame, Place::Node(0)));
    let sum = "the sum of all surfaces is another".to_owned();
    assert_eq!(said(|t| t.surfaces *= 1.0 + 1e-6), (sum.clone(), Place::Node(0)));
    assert_eq!(said(|t| t.surfaces = f64::NAN), (sum.clone(), Place::Node(0)));
    // A billionth of it is granted.
    assert_eq!(said(|t| t.surfaces *= 1.0 + 2e-9), (sum, Place::Node(0)));
    let mut near = model();
    near.tree.surfaces *= 1.0 - 5e-10;
    assert_eq!(near.validate(), Ok(()));
    let marks = "its marks of repeated triangles are wrong".to_owned();
    assert_eq!(said(|t| t.nodes[1].repeats ^= 1), (marks.clone(), Place::Node(1)));
    let end = last(&model().tree);
    assert_eq!(said(|t| t.nodes[end].repeats ^= 2), (marks, Place::Node(end as u32)));
}

#[test]
fn boxes_that_do_not_hold_are_noticed() {
    let node = last(&model().tree);
    let place = Place::Lane { node: node as u32, lane: 1 };
    let reach = "its centre is beyond the node's reach".to_owned();
    let first = Place::Lane { node: node as u32, lane: 0 };
    assert_eq!(said(|t| t.nodes[node].reach = 0.0), (reach.clone(), first));
    assert_eq!(said(|t| t.nodes[node].center[0][1] += 9.0), (reach, place));
    let axes = "its axes are not orthonormal".to_owned();
    for change in [1e-6, -0.5, f32::NAN, f32::INFINITY] {
        let turn = |t: &mut OpenTree| {
            for row in &mut t.nodes[node].axes[2] {
                row[1] *= 1.0 + change;
            }
        };
        assert_eq!(said(turn), (axes.clone(), place), "{change}");
    }
    let outside = "a vertex below it is outside".to_owned();
    let shrink = |t: &mut OpenTree| {
        let longest = (0..3).max_by(|i, j| {
            let half = |k: &usize| t.nodes[node].half[*k][1];
            half(i).total_cmp(&half(j))
        });
        let half = &mut t.nodes[node].half[longest.expect("three")][1];
        let shorter = *half * (1.0 - 1e-5);
        *half = shorter;
        t.surfaces = t.closed().summed_surfaces();
    };
    assert_eq!(said(shrink), (outside.clone(), place));
    assert_eq!(said(|t| t.nodes[node].origin[1] += 1e-3).0, outside);
}

/// After its vertices move, a tree is invalid until it is refitted.
#[test]
fn a_tree_is_that_of_its_mesh() {
    let model = model();
    let mesh = model.mesh();
    let moved = mesh.vertices().iter().map(|p| Point::new(p.x, p.y * 0.9, p.z)).collect();
    let moved = mesh.with_vertices(moved).expect("legal");
    assert!(model.tree.validate(&moved, model.coincident()).is_err());
    let marks = model.tree.validate(mesh, None).expect_err("marks without repeats");
    assert_eq!(marks.what, "its marks of repeated triangles are wrong");
}

/// Integers and quarters, which 64 bits hold: at the border, and the next numbers on both sides of it.
#[test]
fn within_a_box_is_decided_exactly() {
    let mut random = Random::new(41);
    for case in 0..2_000 {
        let mut any = |reach: f64| [(); 3].map(|()| random.range(-reach, reach).round());
        let (y, o, c) = (any(90.0), any(90.0), any(90.0));
        let axis = any(4.0).map(|x| x / 4.0);
        let sum: f64 = (0..3).map(|k| axis[k] * (y[k] - o[k] - c[k])).sum();
        let half = sum.abs();
        let inside = |half| is_within(&axis, &y, &o, &c, half);
        assert!(inside(half) && inside(half.next_up()) && inside(half + 1.0), "{case}");
        assert!(half == 0.0 || !inside(half.next_down()) && !inside(half * 0.5), "{case}");
    }
}

/// A point that is outside by what is lost if differences are rounded: two of them round to the
/// same number, and cancel. Whichever two of the three coordinates are large.
#[test]
fn what_rounding_loses_is_not_taken_for_inside() {
    let axis = [1.0, -1.0, 0.0];
    for size in [1.0, 2f64.powi(40), 2f64.powi(-40)] {
        let (more, zero) = ([1.0 + f64::EPSILON, 1.0, 0.0].map(|x| x * size), [0.0; 3]);
        let whole = [1.0, 1.0, 0.0].map(|x| x * size);
        let less = whole.map(|x| -x);
        let half = 0.5 * f64::EPSILON * size;
        for [y, o, c] in [[more, less, zero], [more, zero, less], [zero, more, whole]] {
            let rounded: f64 = (0..3).map(|k| axis[k] * (y[k] - o[k] - c[k])).sum();
            assert_eq!(rounded, 0.0, "it is lost");
            assert!(!is_within(&axis, &y, &o, &c, half), "{size} {y:?} {o:?} {c:?}");
            assert!(is_within(&axis, &y, &o, &c, 2.0 * half), "{size} {y:?} {o:?} {c:?}");
        }
    }
}

#[test]
fn what_underflow_takes_out_of_a_box_is_granted() {
    let (axis, zero) = ([1.0, 0.0, 0.0], [0.0; 3]);
    for (exponent, granted) in [(-1001, true), (-1000, true), (-999, false), (-900, false)] {
        let y = [2f64.powi(exponent), 0.0, 0.0];
        assert_eq!(is_within(&axis, &y, &zero, &zero, 0.0), granted, "{exponent}");
    }
}

/// Sums of numbers of many sizes that nearly cancel, compared with integers of 128 bits.
#[test]
fn the_sign_of_a_sum_is_exact() {
    let mut random = Random::new(42);
    let mut signs = [0; 3];
    for case in 0..3_000 {
        let (mut sum, mut exact) = (Sum::default(), 0i128);
        let mut add = |x: f64, exact: &mut i128| {
            sum.add(x);
            *exact += x as i128;
        };
        for _ in 0..random.below(12) {
            let x = random.range(-1.0, 1.0) * 2f64.powi(random.below(110) as i32);
            add(x.round(), &mut exact);
        }
        // What is left is taken off but for at most one unit of its last bits.
        for _ in 0..3 {
            add(-(exact as f64), &mut exact);
        }
        add(random.below(3) as f64 - 1.0, &mut exact);
        let sign = exact.signum();
        assert_eq!(sum.is_positive(), sign > 0, "{case}: {exact}");
        let of_parts: i128 = sum.0.iter().map(|x| *x as i128).sum();
        assert_eq!(of_parts, exact, "{case}");
        signs[(sign + 1) as usize] += 1;
    }
    assert!(signs.iter().all(|n| *n > 300), "{signs:?}");
    for x in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let mut sum = Sum::default();
        sum.add(x);
        assert!(sum.is_positive());
    }
}
