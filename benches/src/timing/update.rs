//! Following a deformation: by refit, or by preparing again if a method has no refit.

use std::time::{Duration, Instant};

use impinge::query::{Control, RefitError};

use super::Lane;
use crate::scene::MeshesAt;

/// How a method follows a deformation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Update {
    /// The model is refitted to the moved vertices.
    Refit,
    /// The mesh is prepared again.
    Rebuild,
}

impl Update {
    /// The word in records.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Refit => "refit",
            Self::Rebuild => "rebuild",
        }
    }
}

impl Lane<'_> {
    /// Updates the models of all deforming meshes to this step. The returned time covers only
    /// refits or preparations: the moved meshes are given, and a refused refit costs nothing.
    ///
    /// # Errors
    /// If the method refuses a mesh; its model then stays at an earlier step.
    pub(super) fn follow(&mut self, meshes: &MeshesAt<'_>) -> Result<Duration, String> {
        let mut took = Duration::ZERO;
        for (index, mesh) in meshes.moved() {
            let model = &mut self.models[*index];
            if self.follows != Some(Update::Rebuild) {
                let start = Instant::now();
                match self.ready.detector.refit(model, mesh.vertices(), &Control::NONE) {
                    Ok(()) => {
                        took += start.elapsed();
                        self.follows = Some(Update::Refit);
                        continue;
                    }
                    Err(RefitError::Unsupported { .. }) => self.follows = Some(Update::Rebuild),
                    Err(error) => return Err(error.to_string()),
                }
            }
            let start = Instant::now();
            *model =
                (self.ready.detector.prepare(mesh, &Control::NONE)).map_err(|e| e.to_string())?;
            took += start.elapsed();
        }
        Ok(took)
    }

    /// Updates to step `k` and keeps the least time. Errors were counted in the first pass; here
    /// they only take their time.
    pub(super) fn time_update(&mut self, meshes: &MeshesAt<'_>, k: usize) {
        let start = Instant::now();
        let took = self.follow(meshes).unwrap_or_else(|_| start.elapsed());
        if let Some(least) = self.updates.get_mut(k) {
            self.spent += took;
            *least = least.min(took.as_nanos() as f64);
        }
    }

    /// Least time of each measured step's update.
    pub(super) fn updates(&self) -> &[f64] {
        &self.updates[..self.reached.min(self.updates.len())]
    }
}
