//! Patches, the leaves of `edge-steal`: up to eight triangles with their vertices and edges,
//! contiguous in memory, so that a leaf is read in one go.

use impinge_geometry::{Mesh, Point};
use impinge_hierarchy::Tree;
use impinge_hierarchy::volume::Volume;

use crate::bounds::Bounds;

/// Most triangles per patch: bits of all pairs of triangles of two patches then fit into 64 bits.
pub const MOST: usize = 8;
/// Most vertices per patch.
pub(crate) const MOST_VERTICES: usize = 3 * MOST;

/// An edge of a patch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PatchEdge {
    /// Indices of its ends among the patch's vertices.
    pub(crate) ends: [u8; 2],
    /// Bit `f` is set if it is an edge of the patch's triangle `f`.
    pub(crate) faces: u8,
}

/// Where a patch's data begin.
#[derive(Clone, Copy, Debug)]
struct Place {
    bounds: Bounds,
    vertices: u32,
    faces: u32,
    edges: u32,
    /// Numbers of vertices, faces and edges: at most 24, 8, 24.
    counts: [u8; 3],
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Patch<'m> {
    pub(crate) bounds: &'m Bounds,
    pub(crate) vertices: &'m [Point],
    /// Indices of corners among the patch's vertices.
    pub(crate) faces: &'m [[u8; 3]],
    /// Indices of the mesh's triangles, in the order of `faces`.
    pub(crate) triangles: &'m [u32],
    pub(crate) edges: &'m [PatchEdge],
}

/// The patches of a mesh, indexed by leaf.
#[derive(Clone, Debug, Default)]
pub struct Patches {
    places: Vec<Place>,
    vertices: Vec<Point>,
    faces: Vec<[u8; 3]>,
    triangles: Vec<u32>,
    edges: Vec<PatchEdge>,
}

impl Patches {
    /// The patches of a tree whose leaves hold at most [`MOST`] triangles each. O(n).
    pub fn new<V: Volume>(mesh: &Mesh, tree: &Tree<V>) -> Self {
        let leaves = tree.nodes().iter().filter(|node| node.is_leaf()).count() as u32;
        let mut patches = Self::default();
        for leaf in 0..leaves {
            patches.push(mesh, tree.leaf(leaf).as_slice());
        }
        patches
    }

    fn push(&mut self, mesh: &Mesh, triangles: &[u32]) {
        debug_assert!(triangles.len() <= MOST);
        let (from, edges) = (self.vertices.len(), self.edges.len());
        let place = (from as u32, self.faces.len() as u32, edges as u32);
        let mut of_mesh: Vec<u32> = Vec::with_capacity(MOST_VERTICES);
        for (&t, f) in triangles.iter().zip(0..) {
            let corners = mesh.triangles()[t as usize].map(|v| {
                let known = of_mesh.iter().position(|&w| w == v);
                known.unwrap_or_else(|| {
                    of_mesh.push(v);
                    of_mesh.len() - 1
                }) as u8
            });
            self.faces.push(corners);
            self.triangles.push(t);
            let [p, q, r] = corners;
            for [u, v] in [[p, q], [q, r], [r, p]] {
                self.push_edge(edges, [u.min(v), u.max(v)], 1 << f);
            }
        }
        self.vertices.extend(of_mesh.iter().map(|&v| mesh.vertices()[v as usize]));
        let counts = [of_mesh.len(), triangles.len(), self.edges.len() - edges].map(|n| n as u8);
        let bounds = Bounds::new(&self.vertices[from..]);
        let (vertices, faces, edges) = place;
        self.places.push(Place { bounds, vertices, faces, edges, counts });
    }

    /// Adds a triangle to an edge of the patch whose edges start at `from`.
    fn push_edge(&mut self, from: usize, ends: [u8; 2], face: u8) {
        match self.edges[from..].iter_mut().find(|edge| edge.ends == ends) {
            Some(edge) => edge.faces |= face,
            None => self.edges.push(PatchEdge { ends, faces: face }),
        }
    }

    #[inline(always)]
    pub(crate) fn get(&self, leaf: u32) -> Patch<'_> {
        let place = &self.places[leaf as usize];
        let range = |from: u32, count: u8| from as usize..from as usize + usize::from(count);
        let [vertices, faces, edges] = place.counts;
        Patch {
            bounds: &place.bounds,
            vertices: &self.vertices[range(place.vertices, vertices)],
            faces: &self.faces[range(place.faces, faces)],
            triangles: &self.triangles[range(place.faces, faces)],
            edges: &self.edges[range(place.edges, edges)],
        }
    }

    /// Memory in bytes.
    pub fn bytes(&self) -> usize {
        self.places.capacity() * size_of::<Place>()
            + self.vertices.capacity() * size_of::<Point>()
            + self.faces.capacity() * size_of::<[u8; 3]>()
            + self.triangles.capacity() * size_of::<u32>()
            + self.edges.capacity() * size_of::<PatchEdge>()
    }
}
