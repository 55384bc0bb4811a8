//! How triangles hang together: is the surface closed and consistently wound, and which connected
//! components does it have. Vertices of equal coordinates count as one, so that triangle soup
//! (STL) has the topology one sees.

use crate::Mesh;
use crate::mesh::first_equal;

/// The edge that shows a surface is not closed and consistently wound.
///
/// A surface has an inside exactly when every edge is run through as often in one direction as in
/// the other; then the winding number of a point off the surface is well defined.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the surface is not closed and consistently wound: triangles run {forward} times from vertex {from} to vertex {to} and {backward} times back (triangle {triangle} is one of them)"
)]
pub struct OpenSurface {
    /// The edge's first vertex.
    pub from: u32,
    /// The edge's second vertex.
    pub to: u32,
    /// A triangle at that edge.
    pub triangle: u32,
    /// How many triangles run through the edge from `from` to `to`.
    pub forward: usize,
    /// How many run back.
    pub backward: usize,
}

/// Connectivity of a mesh, with vertices of equal coordinates identified.
#[derive(Clone, Debug)]
pub struct Topology {
    closed: Result<(), OpenSurface>,
    component_of: Vec<u32>,
    components: Vec<u32>,
    boundary_edges: usize,
    nonmanifold_edges: usize,
}

impl Topology {
    /// Reads the connectivity of `mesh`. O(n log n) time, O(n) memory.
    pub fn new(mesh: &Mesh) -> Self {
        let same = first_equal(mesh.vertices());
        let edges = sorted_edges(mesh, &same);
        let mut census = EdgeCensus::default();
        for run in edges.chunk_by(|e, f| (e.low, e.high) == (f.low, f.high)) {
            census.take(run);
        }
        let (component_of, components) = components(mesh, &same);
        Self {
            closed: census.open.map_or(Ok(()), Err),
            component_of,
            components,
            boundary_edges: census.boundary,
            nonmanifold_edges: census.nonmanifold,
        }
    }

    /// `Ok` if every edge is run through equally often both ways.
    ///
    /// # Errors
    /// [`OpenSurface`] names the first edge that is not.
    pub fn closed(&self) -> Result<(), OpenSurface> {
        self.closed.clone()
    }

    /// Per triangle its connected component, numbered from 0 in the order of first triangles.
    pub fn component_of(&self) -> &[u32] {
        &self.component_of
    }

    /// Per component its first triangle; the length is the number of components.
    pub fn components(&self) -> &[u32] {
        &self.components
    }

    /// Edges with a single triangle.
    pub fn boundary_edges(&self) -> usize {
        self.boundary_edges
    }

    /// Edges with more than two triangles.
    pub fn nonmanifold_edges(&self) -> usize {
        self.nonmanifold_edges
    }
}

/// One side of a triangle; `low` and `high` are vertex indices, `forward` if it runs low → high.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Side {
    low: u32,
    high: u32,
    triangle: u32,
    forward: bool,
}

fn sorted_edges(mesh: &Mesh, same: &[u32]) -> Vec<Side> {
    let mut edges = Vec::with_capacity(3 * mesh.triangles().len());
    for (t, corners) in mesh.triangles().iter().enumerate() {
        let v = corners.map(|c| same[c as usize]);
        for k in 0..3 {
            let (from, to) = (v[k], v[(k + 1) % 3]);
            if from != to {
                let (low, high) = (from.min(to), from.max(to));
                edges.push(Side { low, high, triangle: t as u32, forward: from < to });
            }
        }
    }
    edges.sort_unstable();
    edges
}

#[derive(Default)]
struct EdgeCensus {
    open: Option<OpenSurface>,
    boundary: usize,
    nonmanifold: usize,
}

impl EdgeCensus {
    fn take(&mut self, run: &[Side]) {
        let forward = run.iter().filter(|e| e.forward).count();
        let backward = run.len() - forward;
        self.boundary += usize::from(run.len() == 1);
        self.nonmanifold += usize::from(run.len() > 2);
        if forward != backward && self.open.is_none() {
            let Side { low: from, high: to, triangle, .. } = run[0];
            self.open = Some(OpenSurface { from, to, triangle, forward, backward });
        }
    }
}

/// Union-find over vertices; returns the component per triangle and the first triangle of each.
fn components(mesh: &Mesh, same: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let mut parent: Vec<u32> = same.to_vec();
    for t in mesh.triangles() {
        let root = find(&mut parent, t[0]);
        for &v in &t[1..] {
            let other = find(&mut parent, v);
            parent[other as usize] = root;
        }
    }
    let mut number = vec![u32::MAX; parent.len()];
    let mut first = Vec::new();
    let mut of = Vec::with_capacity(mesh.triangles().len());
    for (t, corners) in mesh.triangles().iter().enumerate() {
        let root = find(&mut parent, corners[0]) as usize;
        if number[root] == u32::MAX {
            number[root] = first.len() as u32;
            first.push(t as u32);
        }
        of.push(number[root]);
    }
    (of, first)
}

fn find(parent: &mut [u32], mut v: u32) -> u32 {
    while parent[v as usize] != v {
        let up = parent[parent[v as usize] as usize];
        parent[v as usize] = up;
        v = up;
    }
    v
}
