//! Sets of triangles attached to nodes: leaves with several triangles, everything below an inner
//! node, the triangles at a split plane, the boundary edges of a patch.

use impinge_geometry::Mesh;

/// An edge of a patch with the triangle it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Its ends, indices of vertices of the mesh.
    pub ends: [u32; 2],
    /// The only triangle of the patch with this edge.
    pub triangle: u32,
}

/// Groups attached to a node: all triangles below it, and its block with the bit of its level.
#[derive(Clone, Copy, Debug)]
struct Beside {
    all: u32,
    block: Option<(u32, u8)>,
}

/// Sets of triangles by number, and other data that a builder keeps for its traversal or leaf test.
#[derive(Clone, Debug, Default)]
pub struct Groups {
    /// Group `g` is `order[from..to]`.
    ranges: Vec<[u32; 2]>,
    order: Vec<u32>,
    /// Indexed by node; empty if the builder keeps no blocks.
    beside: Vec<Option<Beside>>,
    /// Bits of levels by triangle; empty if the builder keeps no blocks.
    levels: Vec<u8>,
    /// Boundary edges of group `g` are `edges[from..to]`; empty if they are not kept.
    boundaries: Vec<[u32; 2]>,
    edges: Vec<Edge>,
    /// Whether a triangle may be in several leaves.
    repeats: bool,
}

impl Groups {
    /// For a builder that may put a triangle into several leaves.
    pub fn repeating() -> Self {
        Self { repeats: true, ..Self::default() }
    }

    pub(crate) const fn repeats(&self) -> bool {
        self.repeats
    }

    /// Adds a group and returns its number.
    pub fn push(&mut self, triangles: impl Iterator<Item = u32>) -> u32 {
        let from = self.order.len() as u32;
        self.order.extend(triangles);
        self.push_range([from, self.order.len() as u32])
    }

    /// Adds a group that spans existing ones: the positions from..to.
    fn push_range(&mut self, range: [u32; 2]) -> u32 {
        self.ranges.push(range);
        self.ranges.len() as u32 - 1
    }

    /// Number of triangles in all groups so far: where the next group begins.
    pub fn position(&self) -> u32 {
        self.order.len() as u32
    }

    /// Records that the triangles below `node` are at these positions, and which of them cross the
    /// plane between its children at `level`. Levels above 7 keep no block.
    pub(crate) fn set_beside(
        &mut self,
        node: usize,
        positions: [u32; 2],
        crossing: &[u32],
        level: u32,
        triangles: usize,
    ) {
        let all = self.push_range(positions);
        let bit = 1_u8.checked_shl(level).unwrap_or(0);
        let block = (!crossing.is_empty() && bit != 0).then(|| {
            self.levels.resize(triangles, 0);
            for &t in crossing {
                self.levels[t as usize] |= bit;
            }
            (self.push(crossing.iter().copied()), bit)
        });
        if self.beside.len() <= node {
            self.beside.resize(node + 1, None);
        }
        self.beside[node] = Some(Beside { all, block });
    }

    /// Finds the boundary edges of every group so far: those of exactly one of its triangles.
    pub(crate) fn find_boundaries(&mut self, mesh: &Mesh) {
        for range in &self.ranges {
            let from = self.edges.len() as u32;
            let patch = &self.order[range[0] as usize..range[1] as usize];
            let edges_of = |&triangle: &u32| {
                let [p, q, r] = mesh.triangles()[triangle as usize];
                [[p, q], [q, r], [r, p]].map(|ends| {
                    let key = [ends[0].min(ends[1]), ends[0].max(ends[1])];
                    (key, Edge { ends, triangle })
                })
            };
            let mut all: Vec<([u32; 2], Edge)> = patch.iter().flat_map(edges_of).collect();
            all.sort_by_key(|(key, edge)| (*key, edge.triangle));
            for same in all.chunk_by(|x, y| x.0 == y.0) {
                if let [(_, edge)] = same {
                    self.edges.push(*edge);
                }
            }
            self.boundaries.push([from, self.edges.len() as u32]);
        }
    }

    pub(crate) fn get(&self, group: u32) -> &[u32] {
        let range = self.ranges.get(group as usize);
        range.map_or(&[], |&[from, to]| &self.order[from as usize..to as usize])
    }

    pub(crate) fn all_below(&self, node: u32) -> Option<u32> {
        self.beside.get(node as usize).copied().flatten().map(|beside| beside.all)
    }

    pub(crate) fn block(&self, node: u32) -> Option<(u32, u8)> {
        self.beside.get(node as usize).copied().flatten()?.block
    }

    pub(crate) fn levels(&self, triangle: u32) -> u8 {
        self.levels.get(triangle as usize).copied().unwrap_or(0)
    }

    pub(crate) fn boundary(&self, group: u32) -> &[Edge] {
        let range = self.boundaries.get(group as usize);
        range.map_or(&[], |&[from, to]| &self.edges[from as usize..to as usize])
    }

    pub(crate) fn bytes(&self) -> usize {
        let bytes = |length: usize, each: usize| length * each;
        bytes(self.ranges.capacity() + self.boundaries.capacity(), size_of::<[u32; 2]>())
            + bytes(self.order.capacity(), size_of::<u32>())
            + bytes(self.beside.capacity(), size_of::<Option<Beside>>())
            + self.levels.capacity()
            + bytes(self.edges.capacity(), size_of::<Edge>())
    }
}

#[cfg(test)]
mod tests {
    use impinge_geometry::Point;

    use super::*;

    /// Two triangles of a square share the diagonal; each side belongs to one.
    #[test]
    fn boundary_edges_are_those_of_one_triangle() {
        let corners = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        let corners = corners.map(|[x, y]| Point::new(x, y, 0.0));
        let mesh = Mesh::new(corners.into(), vec![[0, 1, 2], [2, 3, 0]]).expect("a mesh");
        let mut groups = Groups::default();
        let (both, one) = (groups.push([0, 1].into_iter()), groups.push([1].into_iter()));
        let before = groups.bytes();
        groups.find_boundaries(&mesh);
        let edges = |group| -> Vec<([u32; 2], u32)> {
            groups.boundary(group).iter().map(|edge| (edge.ends, edge.triangle)).collect()
        };
        assert_eq!(edges(both), [([0, 1], 0), ([3, 0], 1), ([1, 2], 0), ([2, 3], 1)]);
        assert_eq!(edges(one), [([0, 2], 1), ([3, 0], 1), ([2, 3], 1)]);
        assert_eq!(groups.boundary(9), []);
        let each = size_of::<Edge>();
        assert!((7 * each..100 * each).contains(&(groups.bytes() - before)));
    }

    /// Every list counts with its capacity.
    #[test]
    fn bytes_are_those_of_all_lists() {
        assert_eq!(size_of::<Edge>(), 12);
        let mut groups = Groups {
            ranges: Vec::with_capacity(3),
            boundaries: Vec::with_capacity(5),
            ..Groups::default()
        };
        assert_eq!(groups.bytes(), 8 * (3 + 5));
        groups.order = Vec::with_capacity(17);
        assert_eq!(groups.bytes(), 8 * (3 + 5) + 4 * 17);
        groups.levels = Vec::with_capacity(19);
        assert_eq!(groups.bytes(), 8 * (3 + 5) + 4 * 17 + 19);
        groups.edges = Vec::with_capacity(23);
        assert_eq!(groups.bytes(), 8 * (3 + 5) + 4 * 17 + 19 + 12 * 23);
        groups.beside = Vec::with_capacity(29);
        let beside = 29 * size_of::<Option<Beside>>();
        assert_eq!(groups.bytes(), 8 * (3 + 5) + 4 * 17 + 19 + 12 * 23 + beside);
    }

    #[test]
    fn what_lies_beside_a_node_is_kept_by_node() {
        let mut groups = Groups::default();
        let leaf = groups.push([4, 2].into_iter());
        assert_eq!((leaf, groups.position()), (0, 2));
        groups.set_beside(3, [0, 2], &[2], 1, 6);
        groups.set_beside(1, [0, 1], &[], 2, 6);
        groups.set_beside(0, [0, 2], &[4], 8, 6);
        assert_eq!(groups.get(leaf), [4, 2]);
        let all = groups.all_below(3).expect("kept");
        assert_eq!(groups.get(all), [4, 2]);
        let (block, level) = groups.block(3).expect("kept");
        assert_eq!((groups.get(block), level), ([2].as_slice(), 2));
        assert_eq!((groups.levels(2), groups.levels(4), groups.levels(77)), (2, 0, 0));
        assert!(groups.block(1).is_none() && groups.all_below(1).is_some());
        assert!(groups.block(0).is_none(), "eight levels have a bit");
        assert!(groups.all_below(2).is_none() && groups.all_below(9).is_none());
        assert_eq!(groups.beside.len(), 4, "up to the last node that keeps something");
        groups.set_beside(4, [0, 1], &[2, 4], 0, 6);
        groups.set_beside(5, [0, 1], &[2, 4], 1, 6);
        groups.set_beside(5, [0, 1], &[2], 1, 6);
        assert_eq!((groups.levels(2), groups.levels(4)), (3, 3), "every level is kept");
        assert_eq!(groups.beside.len(), 6);
        assert!(!groups.repeats() && Groups::repeating().repeats());
    }
}
