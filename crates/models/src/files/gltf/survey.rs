//! Step 3: how much all placed meshes amount to, counted before anything is made of them: a small file
//! may place one mesh any number of times.

use std::collections::BTreeSet;

use gltf::json::mesh::{self, Mode, Semantic};
use gltf::json::validation::Checked;
use gltf::json::{Index, Root};

use super::accessor::Numbers;
use super::item;
use super::nodes::Placement;
use crate::files::MAX_INSTANCED;
use crate::files::error::Fault;

/// Refuses more than [`MAX_INSTANCED`] vertices and triangles. O(meshes and placements).
pub(super) fn check(root: &Root, placements: &[Placement]) -> Result<(), Fault> {
    let mut known = vec![None; root.meshes.len()];
    let mut total = 0_usize;
    for placement in placements {
        let slot = known.get_mut(placement.mesh.value());
        let one = match slot.as_deref() {
            Some(&Some(amount)) => amount,
            _ => amount(root, placement.mesh)?,
        };
        if let Some(slot) = slot {
            *slot = Some(one);
        }
        total = total.saturating_add(one);
        if total > MAX_INSTANCED {
            let message = format!("more than {MAX_INSTANCED} vertices and triangles in all nodes");
            return Err(Fault::file(message));
        }
    }
    Ok(())
}

/// Vertices and triangles of one mesh, and one for each primitive.
fn amount(root: &Root, index: Index<mesh::Mesh>) -> Result<usize, Fault> {
    let mut shared = BTreeSet::new();
    let mut sum = 0_usize;
    for primitive in &item(&root.meshes, index, "meshes")?.primitives {
        sum = sum.saturating_add(1);
        let surface = matches!(
            primitive.mode,
            Checked::Valid(Mode::Triangles | Mode::TriangleStrip | Mode::TriangleFan)
        );
        let positions = primitive.attributes.get(&Checked::Valid(Semantic::Positions));
        let Some(&positions) = positions.filter(|_| surface) else { continue };
        let vertices = Numbers::new(root, positions)?.count;
        if shared.insert(positions.value()) {
            sum = sum.saturating_add(vertices);
        }
        let corners = match primitive.indices {
            Some(indices) => Numbers::new(root, indices)?.count,
            None => vertices,
        };
        let each = if primitive.mode == Checked::Valid(Mode::Triangles) { 3 } else { 1 };
        sum = sum.saturating_add(corners / each);
    }
    Ok(sum)
}
