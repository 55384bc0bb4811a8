//! The prepared model of both comparators: parry's `TriMesh`.

use impinge_geometry::Mesh;
use impinge_geometry::parry::mesh_to_parry;
use impinge_query::{Control, Model, ModelId, PrepareError};
use parry3d::shape::TriMesh;

use super::{LARGEST, guarded};

/// A prepared mesh: parry's `TriMesh` with its default hierarchy.
pub struct ParryModel {
    id: ModelId,
    mesh: TriMesh,
    max_abs: f64,
}

impl std::fmt::Debug for ParryModel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ParryModel").field("id", &self.id).finish_non_exhaustive()
    }
}

/// parry's nodes count leaves with 30 bits.
const MAX_TRIANGLES: usize = (1 << 30) - 1;

impl ParryModel {
    /// Rounds `mesh` to f32 and builds the hierarchy. O(n log n).
    ///
    /// # Errors
    /// [`PrepareError::Refused`] names a vertex beyond [`LARGEST`], or a triangle count beyond
    /// parry's limit.
    pub fn new(
        word: &'static str,
        mesh: &Mesh,
        control: &Control<'_>,
    ) -> Result<Self, PrepareError> {
        control.check()?;
        let refused = |reason| PrepareError::Refused { word, reason };
        let triangles = mesh.triangles().len();
        if triangles > MAX_TRIANGLES {
            return Err(refused(format!("{triangles} triangles, at most {MAX_TRIANGLES}")));
        }
        for (v, p) in mesh.vertices().iter().enumerate() {
            if p.coords.amax() > LARGEST {
                return Err(refused(format!(
                    "vertex {v} is at {p}; beyond {LARGEST:e} its 32-bit arithmetic overflows"
                )));
            }
        }
        let made = guarded(|| mesh_to_parry(mesh)).map_err(refused)?;
        let shape = made.map_err(|error| refused(error.to_string()))?;
        control.check()?;
        Ok(Self { id: ModelId::fresh(), mesh: shape, max_abs: mesh.max_abs_coordinate() })
    }

    /// parry's mesh, in f32, with its hierarchy.
    pub const fn shape(&self) -> &TriMesh {
        &self.mesh
    }

    /// The largest coordinate magnitude in the mesh's frame, before rounding to f32.
    pub const fn max_abs(&self) -> f64 {
        self.max_abs
    }
}

impl Model for ParryModel {
    fn id(&self) -> ModelId {
        self.id
    }

    fn triangles(&self) -> usize {
        self.mesh.num_triangles()
    }

    fn bytes(&self) -> usize {
        self.mesh_bytes() + self.mesh.bvh().heap_memory_size() + size_of::<Self>()
    }

    fn mesh_bytes(&self) -> usize {
        size_of_val(self.mesh.vertices()) + size_of_val(self.mesh.indices())
    }
}
