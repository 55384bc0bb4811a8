//! Connectivity of triangles: whether the surface is closed and consistently wound, and its
//! connected components. Vertices of equal coordinates count as one, so that triangle soup (STL)
//! has the topology of its shape.

use std::convert::Infallible;

use crate::Mesh;
use crate::mesh::first_equal;

/// An edge that shows that a surface is not closed and consistently wound.
///
/// A surface has an inside exactly if triangles run along every edge equally often in both
/// directions; the winding number of a point off the surface is then well defined.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", open_text(self))]
pub struct OpenSurface {
    /// The edge's first vertex.
    pub from: u32,
    /// The edge's second vertex.
    pub to: u32,
    /// A triangle at that edge.
    pub triangle: u32,
    /// The number of triangles that run along the edge from `from` to `to`.
    pub forward: usize,
    /// The number of triangles that run from `to` to `from`.
    pub backward: usize,
}

fn open_text(open: &OpenSurface) -> String {
    let &OpenSurface { from, to, triangle, forward, backward } = open;
    let edge = format!("the edge between vertices {from} and {to}");
    match (forward, backward) {
        (1, 0) | (0, 1) => {
            format!("{edge} belongs to triangle {triangle} only, so the surface is not closed")
        }
        (2, 0) | (0, 2) => format!(
            "two triangles run along {edge} in the same direction (one is triangle {triangle}), \
             so the surface is not consistently wound"
        ),
        _ => format!(
            "{forward} triangles run along {edge} in one direction and {backward} in the other \
             (one is triangle {triangle}), so the surface is not closed and consistently wound"
        ),
    }
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
    /// Computes the connectivity of `mesh`. O(n log n) time, O(n) memory.
    pub fn new(mesh: &Mesh) -> Self {
        let Ok(topology) = Self::watched(mesh, &mut || Ok::<(), Infallible>(()));
        topology
    }

    /// As [`Topology::new`], but can be cancelled: `look` is called every few milliseconds.
    ///
    /// # Errors
    /// The first error of `look`.
    pub fn watched<E>(mesh: &Mesh, look: &mut impl FnMut() -> Result<(), E>) -> Result<Self, E> {
        look()?;
        let same = first_equal(mesh.vertices());
        let representative = |vertex: u32| same[vertex as usize];
        let edges = sorted_edges(mesh.triangles(), same.len(), representative, look)?;
        let mut census = EdgeCensus::default();
        for run in edges.chunk_by(Side::same_edge) {
            census.take(run);
        }
        look()?;
        let (component_of, components) = components(mesh, &same);
        look()?;
        Ok(Self {
            closed: census.open.map_or(Ok(()), Err),
            component_of,
            components,
            boundary_edges: census.boundary,
            nonmanifold_edges: census.nonmanifold,
        })
    }

    /// `Ok` if triangles run along every edge equally often in both directions.
    ///
    /// # Errors
    /// [`OpenSurface`] names the first edge where they do not.
    pub fn closed(&self) -> Result<(), OpenSurface> {
        self.closed.clone()
    }

    /// Per triangle, its connected component, numbered from 0 in the order of first triangles.
    pub fn component_of(&self) -> &[u32] {
        &self.component_of
    }

    /// Per component, its first triangle; the length is the number of components.
    pub fn components(&self) -> &[u32] {
        &self.components
    }

    /// The number of edges with a single triangle.
    pub fn boundary_edges(&self) -> usize {
        self.boundary_edges
    }

    /// The number of edges with more than two triangles.
    pub fn nonmanifold_edges(&self) -> usize {
        self.nonmanifold_edges
    }
}

/// An edge that does not have one triangle in each direction, as in a closed manifold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unpaired {
    /// More triangles run along it in one direction than in the other.
    Open(OpenSurface),
    /// Equally many triangles run along it in both directions, but more than one each.
    NonManifold {
        /// The edge's first vertex.
        from: u32,
        /// The edge's second vertex.
        to: u32,
        /// The number of triangles at the edge.
        triangles: usize,
    },
}

/// One side of a triangle, for grouping by edge.
///
/// ```text
///          c                    corners[t] = [a, b, c]
///         ╱ ╲                   across[t]  = [u, v, w]: the triangles behind a → b, b → c, c → a
///     w  ╱ t ╲  v
///       ╱     ╲                 t has the half-edge a → b, u has b → a:
///      a ───→─ b                sorted by their ends, low end first, both are neighbours
///        ←───
///         u
/// ```
///
/// `look` is called every some milliseconds. O(n log n).
///
/// # Errors
/// The first edge, ordered by its ends, that does not have two triangles in opposite directions.
pub fn across<E: From<Unpaired>>(
    triangles: &[[u32; 3]],
    vertex: &[u32],
    look: &mut impl FnMut() -> Result<(), E>,
) -> Result<Vec<[u32; 3]>, E> {
    let sides = sorted_edges(triangles, vertex.len(), |point| point, look)?;
    let mut across = vec![[u32::MAX; 3]; triangles.len()];
    let mut join = |side: &Side, other: u32| {
        let from = if side.forward { side.low } else { side.high };
        let corners = triangles[side.triangle as usize];
        let k = corners.iter().position(|&corner| corner == from).unwrap_or(0);
        across[side.triangle as usize][k] = other;
    };
    for run in sides.chunk_by(Side::same_edge) {
        let forward = run.iter().filter(|s| s.forward).count();
        let [from, to] = [run[0].low, run[0].high].map(|p| vertex[p as usize]);
        if 2 * forward != run.len() {
            let (triangle, backward) = (run[0].triangle, run.len() - forward);
            let open = OpenSurface { from, to, triangle, forward, backward };
            return Err(Unpaired::Open(open).into());
        }
        let [s, t] = run else {
            return Err(Unpaired::NonManifold { from, to, triangles: run.len() }.into());
        };
        join(s, t.triangle);
        join(t, s.triangle);
    }
    look()?;
    Ok(across)
}

/// One side of a triangle. `low` and `high` are vertex indices; `forward` if it runs low → high.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Side {
    low: u32,
    high: u32,
    triangle: u32,
    forward: bool,
}

impl Side {
    fn same_edge(&self, other: &Self) -> bool {
        (self.low, self.high) == (other.low, other.high)
    }
}

/// Sides sorted between two calls of `look`: some milliseconds, or all sides of one vertex.
const AT_ONCE: usize = 1 << 16;

/// All sides with two different ends, sorted by their ends. A bucket sort by the lower end first,
/// so only the sides of one vertex are compared.
fn sorted_edges<E>(
    triangles: &[[u32; 3]],
    points: usize,
    same: impl Fn(u32) -> u32 + Copy,
    look: &mut impl FnMut() -> Result<(), E>,
) -> Result<Vec<Side>, E> {
    let sides = || (0..).zip(triangles).flat_map(move |(t, corners)| sides(t, corners, same));
    // Where the sides of each lower end begin, then where its next one goes.
    let mut place = vec![0_usize; points + 1];
    sides().for_each(|side| place[side.low as usize + 1] += 1);
    for v in 1..place.len() {
        place[v] += place[v - 1];
    }
    look()?;
    let none = Side { low: 0, high: 0, triangle: 0, forward: false };
    let mut edges = vec![none; place[points]];
    for side in sides() {
        let at = &mut place[side.low as usize];
        edges[*at] = side;
        *at += 1;
    }
    let (mut sorted, mut looked) = (0, 0);
    for end in place.into_iter().take(points) {
        edges[sorted..end].sort_unstable();
        sorted = end;
        if sorted - looked > AT_ONCE {
            look()?;
            looked = sorted;
        }
    }
    Ok(edges)
}

/// The sides of a triangle that have two different ends.
fn sides<F: Fn(u32) -> u32>(
    t: u32,
    corners: &[u32; 3],
    same: F,
) -> impl Iterator<Item = Side> + use<F> {
    let v = corners.map(same);
    (0..3).filter_map(move |k| {
        let (from, to) = (v[k], v[(k + 1) % 3]);
        let (low, high) = (from.min(to), from.max(to));
        (from != to).then_some(Side { low, high, triangle: t, forward: from < to })
    })
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

/// Union-find over vertices. Returns the component of each triangle, and the first triangle of each
/// component.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Point;

    #[test]
    fn edges_are_allocated_once() {
        let vertices = (0..12).map(|k| Point::new(f64::from(k), 0.0, 0.0)).collect();
        let triangles = (0..10).map(|k| [k, k + 1, k + 2]).collect();
        let mesh = Mesh::new(vertices, triangles).expect("indices are in range");
        let look = &mut || Ok::<(), Infallible>(());
        let Ok(edges) = sorted_edges(mesh.triangles(), 12, |vertex| vertex, look);
        assert_eq!((edges.len(), edges.capacity()), (30, 30));
    }

    #[test]
    fn the_way_to_a_root_is_halved_each_time() {
        let mut parent: Vec<u32> = (0..64).map(|k: u32| k.saturating_sub(1)).collect();
        assert_eq!(find(&mut parent, 63), 0);
        let way = |parent: &[u32]| {
            let (mut v, mut steps) = (63, 0);
            while parent[v] as usize != v {
                (v, steps) = (parent[v] as usize, steps + 1);
            }
            steps
        };
        assert!(way(&parent) <= 32, "{}", way(&parent));
    }
}
