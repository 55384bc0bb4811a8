//! A tree of axis-aligned boxes over the faces of a surface. It counts the faces outside the
//! current patch, so that a search skips what belongs to the patch.

use impinge_geometry::{Point, Triangle, Vector};

use crate::surface::{NONE, Surface};

/// The most faces in a leaf of most trees.
pub(crate) const LEAF: usize = 2;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Box3 {
    pub(crate) min: Point,
    pub(crate) max: Point,
}

impl Box3 {
    pub(crate) fn of(t: &Triangle) -> Self {
        Self { min: t[0].inf(&t[1]).inf(&t[2]), max: t[0].sup(&t[1]).sup(&t[2]) }
    }

    pub(crate) fn around(points: impl Iterator<Item = Point>) -> Self {
        let nothing = Self {
            min: Point::from(Vector::repeat(f64::INFINITY)),
            max: Point::from(Vector::repeat(f64::NEG_INFINITY)),
        };
        points.fold(nothing, |b, p| Self { min: b.min.inf(&p), max: b.max.sup(&p) })
    }

    pub(crate) fn merged(&self, other: &Self) -> Self {
        Self { min: self.min.inf(&other.min), max: self.max.sup(&other.max) }
    }

    #[inline]
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        (0..3).all(|k| self.min[k] <= other.max[k] && other.min[k] <= self.max[k])
    }

    #[inline]
    pub(crate) fn contains(&self, p: &Point) -> bool {
        (0..3).all(|k| self.min[k] <= p[k] && p[k] <= self.max[k])
    }

    /// Per axis, the largest absolute value of a coordinate.
    pub(crate) fn largest(&self) -> [f64; 3] {
        [0, 1, 2].map(|k| self.min[k].abs().max(self.max[k].abs()))
    }

    /// Whether the vertical line through `p` meets the box at or above `p`.
    pub(crate) fn above(&self, p: &Point) -> bool {
        (0..2).all(|k| self.min[k] <= p[k] && p[k] <= self.max[k]) && self.max.z >= p.z
    }
}

#[derive(Clone, Debug)]
struct Node {
    bounds: Box3,
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
        let boxes: Vec<Box3> = triangles.map(|t| Box3::of(&t)).collect();
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

    fn node(&self, boxes: &[Box3], first: usize, last: usize, parent: u32) -> Node {
        let nothing = Box3::around(std::iter::empty());
        let range = self.order[first..last].iter();
        let bounds = range.fold(nothing, |b, &f| b.merged(&boxes[f as usize]));
        Node { bounds, parent, child: NONE, first: first as u32, last: last as u32 }
    }

    fn split(&mut self, boxes: &[Box3], index: usize, leaf: usize) {
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

    pub(crate) fn bounds(&self) -> &Box3 {
        &self.nodes[0].bounds
    }

    /// Calls `face` for every face in leaves that `enter` accepts together with all their
    /// ancestors.
    pub(crate) fn visit(&self, mut enter: impl FnMut(&Box3) -> bool, mut face: impl FnMut(u32)) {
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
        mut enter: impl FnMut(&Box3) -> bool,
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

    pub(crate) fn bounds_of(&self, node: u32) -> &Box3 {
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
