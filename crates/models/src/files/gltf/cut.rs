//! Step 5: the triangles of each mesh, over the vertices that they use: many meshes may share one
//! list of positions, and each may be placed often.

use std::collections::BTreeMap;

use super::buffers::Buffers;
use super::nodes::{Affine, Forest};
use super::primitive::Surface;
use super::survey::surfaces;
use crate::files::assemble::Assembly;
use crate::files::error::Fault;

/// The meshes of a file as triangles.
pub(super) struct Cuts {
    /// Per mesh, how often it is placed, and its triangles if it is placed at all.
    of: Vec<(usize, Cut)>,
    /// Number of vertices without triangles, each counted once.
    unused: usize,
}

/// The triangles of one mesh.
#[derive(Default)]
pub(super) struct Cut {
    vertices: Vec<[f64; 3]>,
    triangles: Vec<[u32; 3]>,
}

impl Cuts {
    /// Cuts every placed mesh.
    pub(super) fn new<'b>(buffers: &'b Buffers<'b>, forest: &Forest<'_>) -> Result<Self, Fault> {
        let mut often = vec![0_usize; buffers.root.meshes.len()];
        forest.each(|placed| {
            often[placed.mesh as usize] += 1;
            Ok(())
        })?;
        let mut cuts = Self { of: Vec::with_capacity(often.len()), unused: 0 };
        for (mesh, times) in (0..).zip(often) {
            let cut = if times > 0 { cuts.cut(buffers, mesh)? } else { Cut::default() };
            cuts.of.push((times, cut));
        }
        Ok(cuts)
    }

    /// Number of meshes of the file.
    pub(super) fn len(&self) -> usize {
        self.of.len()
    }

    /// The triangles of a mesh.
    pub(super) fn mesh(&self, mesh: u32) -> &Cut {
        &self.of[mesh as usize].1
    }

    /// The numbers of vertices and triangles of all placed meshes together.
    pub(super) fn placed(&self) -> [usize; 2] {
        self.of.iter().fold([0; 2], |[vertices, triangles], (times, cut)| {
            [
                vertices.saturating_add(times * cut.vertices.len()),
                triangles.saturating_add(times * cut.triangles.len()),
            ]
        })
    }

    /// The note for the user.
    pub(super) fn note(&self) -> Option<String> {
        let note = || format!("{} vertices that belong to no triangle left out", self.unused);
        (self.unused > 0).then(note)
    }

    /// Collects the primitives of a mesh. Primitives with the same positions accessor share
    /// vertices.
    fn cut<'b>(&mut self, buffers: &'b Buffers<'b>, mesh: u32) -> Result<Cut, Fault> {
        let mut cut = Cut::default();
        // Per positions accessor, the vertices in use.
        let mut used: BTreeMap<u32, Used> = BTreeMap::new();
        each(buffers, mesh, |surface| {
            used.entry(surface.group).or_default().extend(surface.triangles().flatten());
        })?;
        let mut unused = 0;
        each(buffers, mesh, |surface| {
            let Some(used) = used.get_mut(&surface.group).filter(|used| used.base.is_none()) else {
                return;
            };
            used.settle(cut.vertices.len() as u32);
            unused += surface.positions.count - used.vertices.len();
            let points = used.vertices.iter().map(|&v| surface.positions.point(v as usize));
            cut.vertices.extend(points);
        })?;
        each(buffers, mesh, |surface| {
            let Some(used) = used.get(&surface.group) else { return };
            cut.triangles.extend(surface.triangles().map(|t| t.map(|v| used.place(v))));
        })?;
        self.unused += unused;
        cut.vertices.shrink_to_fit();
        cut.triangles.shrink_to_fit();
        Ok(cut)
    }
}

impl Cut {
    /// Whether it has no triangles.
    pub(super) fn is_empty(&self) -> bool {
        self.triangles.is_empty()
    }

    /// The numbers of vertices and triangles.
    pub(super) fn size(&self) -> [usize; 2] {
        [self.vertices.len(), self.triangles.len()]
    }

    /// Adds its transformed triangles to `assembly`.
    pub(super) fn place(&self, transform: &Affine, assembly: &mut Assembly) -> Result<(), Fault> {
        // A reflection reverses orientation; reversing the triangles keeps the outside outside.
        let turn = transform.is_reflection();
        let base = assembly.vertex_count() as u32;
        for &point in &self.vertices {
            assembly.vertex(transform.apply(point));
        }
        for &[a, b, c] in &self.triangles {
            for v in if turn { [a, c, b] } else { [a, b, c] } {
                assembly.corner(base + v);
            }
            assembly.end_face(3)?;
        }
        Ok(())
    }
}

/// Calls `take` with every primitive of a mesh that has triangles.
fn each<'b>(
    buffers: &'b Buffers<'b>,
    mesh: u32,
    mut take: impl FnMut(&Surface<'_>),
) -> Result<(), Fault> {
    for surface in surfaces(buffers, mesh)? {
        if let Ok(surface) = surface? {
            take(&surface);
        }
    }
    Ok(())
}

/// The vertices of one list of positions that triangles use.
#[derive(Default)]
struct Used {
    /// In order of use; sorted and unique after `settle`.
    vertices: Vec<u32>,
    /// Index of the first in the mesh, after `settle`.
    base: Option<u32>,
}

impl Used {
    fn extend(&mut self, vertices: impl Iterator<Item = u32>) {
        self.vertices.extend(vertices);
    }

    fn settle(&mut self, base: u32) {
        self.vertices.sort_unstable();
        self.vertices.dedup();
        self.base = Some(base);
    }

    /// The index in the mesh of vertex `v`, which must be in use.
    fn place(&self, v: u32) -> u32 {
        let used = &self.vertices;
        // In most files all vertices from the first on are used, so the rank is `v - used[0]`.
        let guess = (v - used[0]) as usize;
        let rank = match used.get(guess) {
            Some(&found) if found == v => guess,
            _ => used.partition_point(|&u| u < v),
        };
        self.base.unwrap_or(0) + rank as u32
    }
}
