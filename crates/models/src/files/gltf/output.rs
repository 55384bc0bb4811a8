//! Step 6: all placed meshes as one mesh.

use impinge_geometry::{Mesh, MeshError};

use super::cut::Cuts;
use super::nodes::Forest;
use crate::files::ReadOptions;
use crate::files::assemble::Assembly;
use crate::files::error::Fault;

/// The merged mesh with its notes, `notes` first.
pub(super) fn merge(
    cuts: Cuts,
    forest: &Forest<'_>,
    options: &ReadOptions,
    mut notes: Vec<String>,
) -> Result<(Mesh, Vec<String>), Fault> {
    let [vertices, triangles] = cuts.placed();
    if vertices > u32::MAX as usize {
        return Err(MeshError::TooLarge { what: "vertices", count: vertices }.into());
    }
    let mut assembly = Assembly::new(options);
    assembly.reserve(vertices, triangles);
    forest.each(|placed| cuts.mesh(placed.mesh).place(placed.transform, &mut assembly))?;
    notes.extend(cuts.note());
    drop(cuts);
    assembly.notes = notes;
    assembly.finish()
}
