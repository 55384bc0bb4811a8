//! Step 5: the triangles of all placed meshes as one mesh. Only vertices used by triangles are
//! placed: many meshes may share one list of positions, and each may be placed often.

use std::collections::BTreeMap;

use impinge_geometry::{Mesh, MeshError};

use super::buffers::Buffers;
use super::nodes::{Affine, Forest};
use super::primitive::Surface;
use super::survey::surfaces;
use crate::files::ReadOptions;
use crate::files::assemble::Assembly;
use crate::files::error::Fault;

/// The mesh under construction.
pub(super) struct Output<'a> {
    buffers: &'a Buffers<'a>,
    /// Per mesh, its triangles; `None` if it is not placed.
    cut: Vec<Option<Cut>>,
    assembly: Assembly,
    /// Number of vertices without triangles, each counted once.
    unused: usize,
}

/// The triangles of one mesh, over the vertices that they use.
#[derive(Default)]
struct Cut {
    vertices: Vec<[f64; 3]>,
    triangles: Vec<[u32; 3]>,
}

impl<'a> Output<'a> {
    pub(super) fn new(buffers: &'a Buffers<'a>, options: &ReadOptions) -> Self {
        let cut = buffers.root.meshes.iter().map(|_| None).collect();
        Self { buffers, cut, assembly: Assembly::new(options), unused: 0 }
    }

    /// Places all meshes.
    pub(super) fn place(&mut self, forest: &Forest<'_>) -> Result<(), Fault> {
        let mut often = vec![0_usize; self.cut.len()];
        forest.each(|mesh, _| {
            often[mesh as usize] += 1;
            Ok(())
        })?;
        let (mut vertices, mut triangles) = (0_usize, 0_usize);
        for (mesh, &times) in often.iter().enumerate().filter(|&(_, &times)| times > 0) {
            let cut = self.cut(mesh as u32)?;
            vertices = vertices.saturating_add(times * cut.vertices.len());
            triangles = triangles.saturating_add(times * cut.triangles.len());
            self.cut[mesh] = Some(cut);
        }
        if vertices > u32::MAX as usize {
            return Err(MeshError::TooLarge { what: "vertices", count: vertices }.into());
        }
        self.assembly.reserve(vertices, triangles);
        forest.each(|mesh, transform| self.add(mesh, transform))
    }

    fn add(&mut self, mesh: u32, transform: &Affine) -> Result<(), Fault> {
        let Some(cut) = &self.cut[mesh as usize] else { return Ok(()) };
        // A reflection reverses orientation; reversing the triangles keeps the outside outside.
        let turn = transform.is_reflection();
        let base = self.assembly.vertex_count() as u32;
        for &point in &cut.vertices {
            self.assembly.vertex(transform.apply(point));
        }
        for &[a, b, c] in &cut.triangles {
            for v in if turn { [a, c, b] } else { [a, b, c] } {
                self.assembly.corner(base + v);
            }
            self.assembly.end_face(3)?;
        }
        Ok(())
    }

    /// Collects the primitives of a mesh. Primitives with the same positions accessor share
    /// vertices.
    fn cut(&mut self, mesh: u32) -> Result<Cut, Fault> {
        let mut cut = Cut::default();
        // Per positions accessor, the vertices in use.
        let mut used: BTreeMap<u32, Used> = BTreeMap::new();
        self.each(mesh, |surface| {
            used.entry(surface.group).or_default().extend(surface.triangles().flatten());
        })?;
        let mut unused = 0;
        self.each(mesh, |surface| {
            let Some(used) = used.get_mut(&surface.group).filter(|used| used.base.is_none()) else {
                return;
            };
            used.settle(cut.vertices.len() as u32);
            unused += surface.positions.count - used.vertices.len();
            let points = used.vertices.iter().map(|&v| surface.positions.point(v as usize));
            cut.vertices.extend(points);
        })?;
        self.each(mesh, |surface| {
            let Some(used) = used.get(&surface.group) else { return };
            cut.triangles.extend(surface.triangles().map(|t| t.map(|v| used.place(v))));
        })?;
        self.unused += unused;
        cut.vertices.shrink_to_fit();
        cut.triangles.shrink_to_fit();
        Ok(cut)
    }

    fn each(&self, mesh: u32, mut take: impl FnMut(&Surface<'_>)) -> Result<(), Fault> {
        for surface in surfaces(self.buffers, mesh)? {
            if let Ok(surface) = surface? {
                take(&surface);
            }
        }
        Ok(())
    }

    /// The mesh with its notes, `notes` first.
    pub(super) fn finish(mut self, mut notes: Vec<String>) -> Result<(Mesh, Vec<String>), Fault> {
        if self.unused > 0 {
            notes.push(format!("{} vertices that belong to no triangle left out", self.unused));
        }
        self.cut = Vec::new();
        self.assembly.notes = notes;
        self.assembly.finish()
    }
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
