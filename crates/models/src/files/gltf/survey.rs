//! Step 3: finds all errors and counts the triangles before any triangle is made, since a small
//! file may place one mesh any number of times.

use super::buffers::Buffers;
use super::nodes::{Affine, Forest, Placed};
use super::primitive::{Name, Skipped, Surface, beyond, promised};
use super::schema::Root;
use super::{fault, item};
use crate::files::ReadOptions;
use crate::files::assemble::check_triangles;
use crate::files::error::Fault;

/// The results for all placed meshes.
pub(super) struct Survey {
    meshes: Vec<Option<Known>>,
    /// Number of placements with a reflection.
    pub(super) turned: usize,
    /// Primitives of points or lines, and primitives without positions, each counted once.
    pub(super) loose: usize,
    pub(super) without_positions: usize,
    /// Whether there are morph targets, which are not evaluated.
    pub(super) morphs: bool,
}

#[derive(Clone, Copy)]
struct Known {
    /// The largest magnitude along each axis.
    reach: [f64; 3],
}

impl Survey {
    /// Checks each mesh once, and every placement.
    ///
    /// # Errors
    /// Any error of the content; only memory may still fail later.
    pub(super) fn new<'b>(
        forest: &Forest<'_>,
        buffers: &'b Buffers<'b>,
        options: &ReadOptions,
    ) -> Result<Self, Fault> {
        let root = buffers.root;
        count(root, forest, options.max_triangles)?;
        let meshes = vec![None; root.meshes.len()];
        let mut survey = Self { meshes, turned: 0, loose: 0, without_positions: 0, morphs: false };
        forest.each(|Placed { mesh, transform, .. }| survey.place(buffers, mesh, transform))?;
        Ok(survey)
    }

    fn place<'b>(
        &mut self,
        buffers: &'b Buffers<'b>,
        mesh: u32,
        transform: &Affine,
    ) -> Result<(), Fault> {
        let known = match self.meshes[mesh as usize] {
            Some(known) => known,
            None => self.meet(buffers, mesh)?,
        };
        self.turned += usize::from(transform.is_reflection());
        if beyond(transform.reach(known.reach)).is_none() {
            return Ok(());
        }
        for surface in surfaces(buffers, mesh)? {
            let Ok(surface) = surface? else { continue };
            for v in surface.triangles().flatten() {
                let moved = transform.apply(surface.positions.point(v as usize));
                if let Some(bad) = beyond(moved) {
                    return Err(surface.not_finite(v, " in the scene", bad));
                }
            }
        }
        // Only the bound is out of range, since large numbers cancel. Refused all the same, so that
        // no later placement has to check every vertex.
        let message = "the transform of its node has numbers too large for its vertices";
        Err(fault("meshes", mesh as usize, message))
    }

    /// Checks a mesh on its first use.
    fn meet<'b>(&mut self, buffers: &'b Buffers<'b>, mesh: u32) -> Result<Known, Fault> {
        let mut reach = [0.0_f64; 3];
        for surface in surfaces(buffers, mesh)? {
            match surface? {
                Ok(surface) => {
                    let one = surface.check()?;
                    reach = [0, 1, 2].map(|k| reach[k].max(one[k]));
                }
                Err(Skipped::Loose) => self.loose += 1,
                Err(Skipped::WithoutPositions) => self.without_positions += 1,
            }
        }
        let primitives = &item(&buffers.root.meshes, mesh, "meshes")?.primitives;
        self.morphs |= primitives.iter().any(|primitive| !primitive.targets.is_empty());
        let known = Known { reach };
        self.meshes[mesh as usize] = Some(known);
        Ok(known)
    }
}

/// The primitives of a mesh, one at a time: a file may have millions without triangles.
pub(super) fn surfaces<'b>(
    buffers: &'b Buffers<'b>,
    mesh: u32,
) -> Result<impl Iterator<Item = Result<Result<Surface<'b>, Skipped>, Fault>>, Fault> {
    let primitives = &item(&buffers.root.meshes, mesh, "meshes")?.primitives;
    let named = primitives.iter().enumerate();
    Ok(named.map(move |(primitive, p)| Surface::new(buffers, p, Name { mesh, primitive })))
}

/// Refuses more than `limit` triangles. O(meshes + placements).
fn count(root: &Root<'_>, forest: &Forest<'_>, limit: u64) -> Result<(), Fault> {
    let mut known = vec![None; root.meshes.len()];
    let mut total = 0_u64;
    forest.each(|Placed { mesh, .. }| {
        let primitives = &item(&root.meshes, mesh, "meshes")?.primitives;
        let slot = &mut known[mesh as usize];
        if slot.is_none() {
            let mut sum = 0_u64;
            for (primitive, p) in primitives.iter().enumerate() {
                sum = sum.saturating_add(promised(root, p, Name { mesh, primitive })?);
            }
            *slot = Some(sum);
        }
        total = total.saturating_add(slot.unwrap_or_default());
        Ok(())
    })?;
    check_triangles(total, limit)
}
