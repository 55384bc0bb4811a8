//! A tree of axis-aligned boxes over the faces of a surface. It counts the faces outside the
//! current patch, so that a search skips what belongs to the patch.

use impinge_geometry::volume::Aabb;
use impinge_geometry::{Point, Triangle};

use crate::surface::{NONE, Surface};

/// The most faces in a leaf of most trees.
pub(crate) const LEAF: usize = 2;

/// The box of points; without any, a box that meets nothing.
pub(crate) fn around(points: impl Iterator<Item = Point>) -> Aabb {
    Aabb::fit_points(points).unwrap_or(Aabb::EMPTY)
}

/// Per axis, the largest absolute value of a coordinate.
pub(crate) fn largest(b: &Aabb) -> [f64; 3] {
    [0, 1, 2].map(|k| b.min[k].abs().max(b.max[k].abs()))
}

/// Whether the vertical line through `p` meets the box at or above `p`.
pub(crate) fn reaches_above(b: &Aabb, p: &Point) -> bool {
    (0..2).all(|k| b.min[k] <= p[k] && p[k] <= b.max[k]) && b.max.z >= p.z
}

#[derive(Clone, Debug)]
struct Node {
    bounds: Aabb,
    parent: u32,
    /// The first child; the second follows it. `NONE` in a leaf.
    child: u32,
    first: u32,
    last: u32,
}

/// A tree of depth log₂ of the number of faces.
#[derive(Clone, Debug)]
pub(crate) struct FaceTree {
    nodes: Vec<Node>,
    order: Vec<u32>,
    leaf_of: Vec<u32>,
    /// Per node, the faces below that are not taken; a separate array, since it is read most.
    free: Vec<u32>,
}

impl FaceTree {
    pub(crate) fn new(surface: &Surface) -> Self {
        Self::over(surface.triangles.iter().map(|t| t.map(|v| *surface.point(v))), LEAF)
    }

    /// A tree over any triangles. A node with more than `leaf` is split at the median of the box
    /// centres on its longest axis.
    pub(crate) fn over(triangles: impl Iterator<Item = Triangle>, leaf: usize) -> Self {
        let boxes: Vec<Aabb> = triangles.map(|t| Aabb::of_triangle(&t)).collect();
        let mut tree = Self {
            nodes: Vec::with_capacity(boxes.len()),
            order: (0..boxes.len() as u32).collect(),
            leaf_of: vec![NONE; boxes.len()],
            free: Vec::new(),
        };
        tree.nodes.push(tree.node(&boxes, 0, boxes.len(), NONE));
        let mut next = 0;
        while next < tree.nodes.len() {
            tree.split(&boxes, next, leaf);
            next += 1;
        }
        tree.free = tree.nodes.iter().map(|n| n.last - n.first).collect();
        tree
    }

    fn node(&self, boxes: &[Aabb], first: usize, last: usize, parent: u32) -> Node {
        let range = self.order[first..last].iter();
        let bounds = range.fold(Aabb::EMPTY, |b, &f| b.merged(&boxes[f as usize]));
        Node { bounds, parent, child: NONE, first: first as u32, last: last as u32 }
    }

    fn split(&mut self, boxes: &[Aabb], index: usize, leaf: usize) {
        let Node { bounds, first, last, .. } = self.nodes[index].clone();
        let (first, last) = (first as usize, last as usize);
        if last - first <= leaf {
            for &f in &self.order[first..last] {
                self.leaf_of[f as usize] = index as u32;
            }
            return;
        }
        let axis = (bounds.max - bounds.min).imax();
        let key = |f: u32| boxes[f as usize].min[axis] * 0.5 + boxes[f as usize].max[axis] * 0.5;
        let middle = (last - first) / 2;
        self.order[first..last]
            .select_nth_unstable_by(middle, |&f, &g| key(f).total_cmp(&key(g)).then(f.cmp(&g)));
        let middle = first + middle;
        self.nodes[index].child = self.nodes.len() as u32;
        let left = self.node(boxes, first, middle, index as u32);
        let right = self.node(boxes, middle, last, index as u32);
        self.nodes.extend([left, right]);
    }

    pub(crate) fn bounds(&self) -> &Aabb {
        &self.nodes[0].bounds
    }

    /// Calls `face` for every face in leaves that `enter` accepts together with all their
    /// ancestors.
    pub(crate) fn visit(&self, mut enter: impl FnMut(&Aabb) -> bool, mut face: impl FnMut(u32)) {
        let mut stack = vec![0u32];
        while let Some(n) = stack.pop() {
            let node = &self.nodes[n as usize];
            if !enter(&node.bounds) {
                continue;
            }
            if node.child == NONE {
                self.faces(node).iter().for_each(|&f| face(f));
            } else {
                stack.extend([node.child, node.child + 1]);
            }
        }
    }

    /// As [`visit`](Self::visit), without subtrees whose faces are all taken.
    pub(crate) fn visit_free(
        &self,
        mut enter: impl FnMut(&Aabb) -> bool,
        mut face: impl FnMut(u32),
    ) {
        let mut stack = Vec::with_capacity(64);
        stack.push(0u32);
        while let Some(n) = stack.pop() {
            if self.free[n as usize] == 0 {
                continue;
            }
            let node = &self.nodes[n as usize];
            if !enter(&node.bounds) {
                continue;
            }
            if node.child == NONE {
                self.faces(node).iter().for_each(|&f| face(f));
            } else {
                stack.push(node.child);
                stack.push(node.child + 1);
            }
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn bounds_of(&self, node: u32) -> &Aabb {
        &self.nodes[node as usize].bounds
    }

    /// The children of a node; `None` for a leaf.
    pub(crate) fn children(&self, node: u32) -> Option<[u32; 2]> {
        let child = self.nodes[node as usize].child;
        (child != NONE).then(|| [child, child + 1])
    }

    /// The number of faces below a node that are not taken.
    pub(crate) fn free_below(&self, node: u32) -> u32 {
        self.free[node as usize]
    }

    pub(crate) fn faces_below(&self, node: u32) -> &[u32] {
        self.faces(&self.nodes[node as usize])
    }

    fn faces(&self, node: &Node) -> &[u32] {
        &self.order[node.first as usize..node.last as usize]
    }

    /// Counts a face as taken.
    pub(crate) fn take(&mut self, face: u32) {
        self.count(face, |free| *free -= 1);
    }

    pub(crate) fn give(&mut self, face: u32) {
        self.count(face, |free| *free += 1);
    }

    fn count(&mut self, face: u32, mut change: impl FnMut(&mut u32)) {
        let mut n = self.leaf_of[face as usize];
        while n != NONE {
            change(&mut self.free[n as usize]);
            n = self.nodes[n as usize].parent;
        }
    }
}
