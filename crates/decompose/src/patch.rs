//! Patches, their hulls, and the decomposition they make.

use impinge_geometry::{Mesh, Point};
use impinge_threads::Control;

use crate::DecomposeError;
use crate::surface::Surface;

/// The order in which the faces around a patch are tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// First found, first tried: patches grow in all directions.
    #[default]
    Breadth,
    /// Last found, first tried: patches grow lengthwise.
    Depth,
}

/// The criteria a face must fulfil to join a patch. Only [`Criteria::ALL`] guarantees a valid
/// decomposition; [`Decomposition::validate`] notices others. For experiments and tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::struct_excessive_bools, reason = "each criterion is there or not")]
pub struct Criteria {
    /// (1) The edge to the patch is not concave.
    pub edges: bool,
    /// (2) No face of the patch is visible from the new vertex.
    pub visibility: bool,
    /// No vertex of the patch is above the new face's plane. Not in the paper.
    pub below: bool,
    /// (3) The new hull meets no face outside the patch beyond common features, and a flat patch
    /// fills its hull.
    pub hull: bool,
}

impl Criteria {
    /// All criteria.
    pub const ALL: Self = Self { edges: true, visibility: true, below: true, hull: true };
    /// The paper's three.
    pub const PAPER: Self = Self { below: false, ..Self::ALL };
}

impl Default for Criteria {
    fn default() -> Self {
        Self::ALL
    }
}

/// The options of a decomposition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The order in which faces are tried.
    pub order: Order,
    /// The criteria a face must fulfil.
    pub criteria: Criteria,
}

/// The convex hull of a patch or of several patches, as triangles over vertices of the mesh.
///
/// Every vertex of a patch is a vertex of its hull, possibly inside a flat side or an edge.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "crate::stored::StoredHull"))]
pub struct Hull {
    /// Indices of vertices of the mesh, ascending.
    pub(crate) vertices: Vec<u32>,
    /// Triangles as indices of vertices of the mesh, counter-clockwise from outside; of a flat hull
    /// only the side that faces as the patch does.
    pub(crate) faces: Vec<[u32; 3]>,
}

impl Hull {
    /// The hull with these faces.
    pub(crate) fn of_faces(mut faces: Vec<[u32; 3]>) -> Self {
        let mut vertices: Vec<u32> = faces.iter().flatten().copied().collect();
        vertices.sort_unstable();
        vertices.dedup();
        // Kept as long as the model is.
        vertices.shrink_to_fit();
        faces.shrink_to_fit();
        Self { vertices, faces }
    }

    /// Indices of the mesh's vertices, ascending.
    pub fn vertices(&self) -> &[u32] {
        &self.vertices
    }

    /// Triangles as indices of the mesh's vertices, counter-clockwise from outside. A hull without
    /// volume has only one side.
    pub fn faces(&self) -> &[[u32; 3]] {
        &self.faces
    }

    /// The corners of the triangles, in the mesh's frame.
    ///
    /// # Panics
    /// If `mesh` has fewer vertices than the one that was decomposed.
    pub fn corners<'m>(&'m self, mesh: &'m Mesh) -> impl Iterator<Item = [Point; 3]> + Clone + 'm {
        self.faces.iter().map(|f| f.map(|v| mesh.vertices()[v as usize]))
    }
}

/// A connected part of the surface that lies on the boundary of its convex hull.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "crate::stored::StoredPatch"))]
pub struct Patch {
    pub(crate) faces: Vec<u32>,
    pub(crate) hull: Hull,
    pub(crate) flat: bool,
}

impl Patch {
    /// The patch's triangles as indices into the mesh, in the order in which they joined.
    pub fn faces(&self) -> &[u32] {
        &self.faces
    }

    /// The convex hull of the patch.
    pub fn hull(&self) -> &Hull {
        &self.hull
    }

    /// Whether the patch is a plane polygon; its hull then has no volume.
    pub fn is_flat(&self) -> bool {
        self.flat
    }
}

/// A decomposition of the surface of a mesh into convex patches.
///
/// ```
/// use impinge_decompose::{Decomposition, Options};
/// use impinge_geometry::{Mesh, Point};
/// use impinge_threads::Control;
/// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let mesh = Mesh::new(
///     corners.map(Point::from).to_vec(),
///     vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
/// )?;
/// let decomposition = Decomposition::new(&mesh, &Options::default(), &Control::NONE)?;
/// assert_eq!(decomposition.patches().len(), 1);
/// decomposition.validate(&mesh)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "crate::stored::StoredDecomposition"))]
pub struct Decomposition {
    pub(crate) patches: Vec<Patch>,
    #[cfg_attr(feature = "serde", serde(skip_serializing))]
    pub(crate) patch_of: Vec<u32>,
    pub(crate) merges: usize,
}

impl Decomposition {
    /// Decomposes a closed, embedded surface whose triangles face out of the solid. Exact.
    ///
    /// Stages of progress: `"self-intersection"` (triangles), `"patches"` (triangles), `"merge"`
    /// (patches). Near-linear time, but quadratic in the triangles around one vertex;
    /// `docs/decompose.md` links to measurements.
    ///
    /// # Errors
    /// [`DecomposeError`] names the offending triangle, edge or vertex.
    pub fn new(
        mesh: &Mesh,
        options: &Options,
        control: &Control<'_>,
    ) -> Result<Self, DecomposeError> {
        let (surface, tree) = Surface::new(mesh, control)?;
        let (mut patches, merges) = crate::grow::decompose(&surface, tree, options, control)?;
        patches.sort_by_key(|p| p.faces.iter().min().copied());
        Ok(Self::of_patches(patches, surface.len(), merges))
    }

    /// Builds the map from triangles to patches. Every triangle must be in exactly one patch.
    pub(crate) fn of_patches(mut patches: Vec<Patch>, triangles: usize, merges: usize) -> Self {
        for patch in &mut patches {
            patch.faces.shrink_to_fit();
        }
        patches.shrink_to_fit();
        let mut patch_of = vec![0; triangles];
        for (number, patch) in (0u32..).zip(&patches) {
            patch.faces.iter().for_each(|&f| patch_of[f as usize] = number);
        }
        Self { patches, patch_of, merges }
    }

    /// The patches, ordered by their smallest triangle.
    pub fn patches(&self) -> &[Patch] {
        &self.patches
    }

    /// Per triangle of the mesh, the index of its patch.
    pub fn patch_of(&self) -> &[u32] {
        &self.patch_of
    }

    /// The number of merges of two patches after growth.
    pub fn merges(&self) -> usize {
        self.merges
    }
}
