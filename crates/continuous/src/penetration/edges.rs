//! The edges of a mesh, with vertices of equal coordinates identified: what is around a vertex, and
//! where the surface ends.

use impinge_geometry::Mesh;

/// Neighbours of vertices, and the border.
#[derive(Clone, Debug)]
pub(crate) struct Edges {
    triangles: Vec<[u32; 3]>,
    /// Per vertex, where its neighbours begin in `neighbours`.
    starts: Vec<u32>,
    neighbours: Vec<u32>,
    /// Edges with an odd number of triangles.
    pub(crate) border: Vec<[u32; 2]>,
}

impl Edges {
    /// O(n log n).
    pub(crate) fn new(mesh: &Mesh) -> Self {
        let triangles = merged(mesh);
        let sides = |t: &[u32; 3]| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]];
        let mut edges: Vec<[u32; 2]> = triangles
            .iter()
            .flat_map(sides)
            .filter(|[u, v]| u != v)
            .map(|[u, v]| [u.min(v), u.max(v)])
            .collect();
        edges.sort_unstable();
        let mut border = Vec::new();
        let mut each = Vec::new();
        for run in edges.chunk_by(|x, y| x == y) {
            each.push(run[0]);
            if run.len() % 2 == 1 {
                border.push(run[0]);
            }
        }
        let mut both: Vec<[u32; 2]> = each.iter().flat_map(|&[u, v]| [[u, v], [v, u]]).collect();
        both.sort_unstable();
        let count = mesh.vertices().len();
        let mut starts = vec![0u32; count + 1];
        for [u, _] in &both {
            starts[*u as usize + 1] += 1;
        }
        (0..count).for_each(|k| starts[k + 1] += starts[k]);
        let neighbours = both.iter().map(|[_, v]| *v).collect();
        Self { triangles, starts, neighbours, border }
    }

    pub(crate) fn of_triangle(&self, t: u32) -> [u32; 3] {
        self.triangles[t as usize]
    }

    /// The neighbours of a vertex, ascending.
    pub(crate) fn around(&self, v: u32) -> &[u32] {
        let [from, to] = [self.starts[v as usize], self.starts[v as usize + 1]];
        &self.neighbours[from as usize..to as usize]
    }
}

/// The triangles with the first of the vertices of equal coordinates in place of each.
fn merged(mesh: &Mesh) -> Vec<[u32; 3]> {
    // Adding zero turns −0 into 0; equal numbers then have equal bits.
    let bits = |v: u32| {
        let p = mesh.vertices()[v as usize];
        [(p.x + 0.0).to_bits(), (p.y + 0.0).to_bits(), (p.z + 0.0).to_bits()]
    };
    let mut order: Vec<([u64; 3], u32)> =
        (0..mesh.vertices().len() as u32).map(|v| (bits(v), v)).collect();
    order.sort_unstable();
    let mut first: Vec<u32> = (0..order.len() as u32).collect();
    for run in order.chunk_by(|x, y| x.0 == y.0) {
        for (_, v) in run {
            first[*v as usize] = run[0].1;
        }
    }
    mesh.triangles().iter().map(|t| t.map(|v| first[v as usize])).collect()
}
