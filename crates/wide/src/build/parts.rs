//! The boxes of a leaf's triangles one by one. A query makes them where the other model is much
//! finer than the leaf, because the leaf's box then holds much that none of its triangles touch.

use impinge_geometry::Mesh;

use super::frames::orthonormal;
use super::lanes::{EMPTY, Range, Source, least_box, less, more};
use crate::tree::{LEAF, Single, Tree};

/// The box of triangle `t` of a leaf. Its child is that leaf.
pub(crate) fn part(tree: &Tree, mesh: &Mesh, leaf: u32, t: usize) -> Single {
    let corners = Source::of(tree.frame, mesh).triangle(&tree.leaves[leaf as usize], t);
    let origin = corners[0].map(|x| x as f32);
    let [x, y, z] = origin.map(f64::from);
    let corners = corners.map(|p| [p[0] - x, p[1] - y, p[2] - z]);
    let axes = plane(&corners);
    Single { origin, lane: least_box(&axes, &range(&axes, &corners)), child: LEAF | leaf }
}

/// An edge of the triangle, the direction across it in the triangle's plane, and the normal; the
/// model's axes for a triangle without area.
///
/// The edge is the shortest one of those at which no angle is obtuse: all of these give the least
/// rectangle, and of half a rectangle this gives the whole, which does not leave the face.
fn plane(corners: &[[f64; 3]; 3]) -> [[f32; 3]; 3] {
    const AXES: [[f32; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let edge = |i: usize| {
        let (from, to) = (&corners[i], &corners[(i + 1) % 3]);
        [to[0] - from[0], to[1] - from[1], to[2] - from[2]]
    };
    let edges = [edge(0), edge(1), edge(2)];
    let size = edges.as_flattened().iter().fold(0.0, |size: f64, x| more(x.abs(), size));
    // So that no square underflows.
    let inverse = if size > 1e-290 { 1.0 / size } else { 0.0 };
    let edges = edges.map(|edge| edge.map(|x| x * inverse));
    let dot = |i: usize, j: usize| -> f64 { (0..3).map(|k| edges[i][k] * edges[j][k]).sum() };
    let mut best: Option<(f64, usize)> = None;
    for i in 0..3 {
        let square = dot(i, i);
        // Positive where the angle is obtuse; a right one is not exact.
        let obtuse = dot(i, (i + 1) % 3).max(dot(i, (i + 2) % 3));
        if obtuse <= 1e-3 * square && best.is_none_or(|(least, _)| square < least) {
            best = Some((square, i));
        }
    }
    let first = best.map_or(0, |(_, i)| i);
    match orthonormal(&[edges[first], edges[(first + 1) % 3], [0.0; 3]]) {
        (axes, true) => axes,
        _ => AXES,
    }
}

/// The least and largest projections of the corners.
fn range(axes: &[[f32; 3]; 3], corners: &[[f64; 3]; 3]) -> Range {
    let mut range = EMPTY;
    for j in 0..3 {
        let a = axes[j].map(f64::from);
        for p in corners {
            let x = a[0] * p[0] + a[1] * p[1] + a[2] * p[2];
            range[0][j] = less(x, range[0][j]);
            range[1][j] = more(x, range[1][j]);
        }
    }
    range
}

#[cfg(test)]
mod tests {
    use impinge_geometry::{Mesh, Point};
    use impinge_models::Random;
    use impinge_query::Control;

    use super::*;
    use crate::build::{Quality, build};
    use crate::simd::Width;
    use crate::tree::{Leaf, Node};
    use crate::validate::check_lane;

    fn any<const N: usize>(random: &mut Random, of: [f64; N]) -> f64 {
        of[random.below(N as u64) as usize]
    }

    /// Triangles of any proportions, needles and points among them, at any size and place.
    fn mesh(random: &mut Random) -> Mesh {
        let size = 10f64.powf(random.range(-6.0, 1.0)) * any(random, [1.0, 1e-150, 1e-290]);
        let place = random.vector(-1.0, 1.0) * any(random, [0.0, size, 1e3 * size]);
        let mut corners = Vec::new();
        for _ in 0..4 {
            let p = random.in_ball();
            let q = p + random.in_ball() * any(random, [0.0, 1e-9, 1e-3, 1.0]);
            let r = q + random.in_ball() * any(random, [0.0, 1e-9, 1e-3, 1.0]);
            corners.extend([p, q, r].map(|x| Point::from(place + x * size)));
        }
        let triangles = (0..4).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
        Mesh::new(corners, triangles).expect("legal")
    }

    /// All that is promised of the lanes of a tree, checked exactly.
    #[test]
    fn boxes_of_single_triangles_hold_them() {
        let mut tilted = 0;
        for index in 0..2_000 {
            let mesh = mesh(&mut Random::stream(91, index));
            let tree = build(&mesh, Quality::SurfaceArea, Width::fastest(), &Control::NONE);
            let tree = tree.expect("not cancelled");
            let (frame, scale) = (tree.frame, tree.frame.scale());
            let enter = |p: &Point| frame.enter(scale, p);
            let vertices: Vec<[f64; 3]> = mesh.vertices().iter().map(enter).collect();
            for (number, leaf) in (0..).zip(&tree.leaves) {
                for t in 0..leaf.len() {
                    let single = part(&tree, &mesh, number, t);
                    let mut node = Node::empty(single.origin);
                    node.set(0, &single.lane);
                    (node.lanes, node.child[0]) = (1, single.child);
                    node.settle();
                    assert_eq!(node.single(0), single);
                    assert_eq!(single.child, LEAF | number);
                    let one = Leaf::new(&leaf.triangles()[t..=t]);
                    let of = (vertices.as_slice(), mesh.triangles());
                    assert_eq!(check_lane(&node, 0, &[one], of), Ok(()), "{index}");
                    tilted += u32::from(single.lane.axes[0] != [1.0, 0.0, 0.0]);
                }
            }
        }
        assert!(tilted > 4_000, "{tilted}");
    }

    /// Half a rectangle, turned and from each corner: the box is the rectangle, without thickness.
    #[test]
    fn the_box_of_half_a_rectangle_is_the_rectangle() {
        let [x, y] = [[0.6, 0.8, 0.0], [-0.8, 0.6, 0.0]];
        let at = |a: f64, b: f64| Point::new(a * x[0] + b * y[0], a * x[1] + b * y[1], 0.25);
        for first in 0..3 {
            let corners = vec![at(0.0, 0.0), at(0.5, 0.0), at(0.0, 0.125)];
            let mesh = Mesh::new(corners, vec![[first, (first + 1) % 3, (first + 2) % 3]]);
            let mesh = mesh.expect("legal");
            let tree = build(&mesh, Quality::SurfaceArea, Width::fastest(), &Control::NONE);
            let tree = tree.expect("not cancelled");
            let half = part(&tree, &mesh, 0, 0).lane.half.map(f64::from);
            let unit = tree.frame.scale();
            for (half, expected) in half.into_iter().zip([0.0625, 0.25, 0.0]) {
                assert!((half - expected * unit).abs() < 1e-6 * unit, "{half} {expected}");
            }
        }
    }
}
