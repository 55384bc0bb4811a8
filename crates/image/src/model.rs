//! A closed mesh made ready: patches, their hierarchy, and hulls as strips in 32 bits.

use impinge_decompose::{Content, DecomposeError, Decomposition, Options, PatchTree, Strips};
use impinge_geometry::volume::LocalFrame;
use impinge_geometry::{Mesh, Point, Pose, Topology, Vector};
use impinge_query::{Control, Model, ModelId, PrepareError};
use impinge_shaders::image::strip;

use crate::params::{Mode, Params};

/// A mesh as convex patches with their hulls; made by [`Ibcd`](crate::Ibcd).
#[derive(Debug)]
pub struct ImageModel {
    id: ModelId,
    mesh: Mesh,
    patches: Decomposition,
    tree: PatchTree,
    /// Where the 32-bit vertices are: `(v − origin) · scale`, at most 1 in magnitude.
    frame: LocalFrame,
    vertices: Vec<[f32; 3]>,
    /// Strip entries of all hulls.
    entries: Vec<u32>,
    /// Per node the first of its entries, and how many.
    hulls: Vec<(u32, u32)>,
    /// A vertex of each connected component.
    witnesses: Vec<Point>,
    max_abs: f64,
}

/// The same error in the words of the contract.
fn refused(word: &'static str) -> impl Fn(DecomposeError) -> PrepareError {
    move |why| match why {
        DecomposeError::Cancelled(cancelled) => PrepareError::Cancelled(cancelled),
        DecomposeError::Open(open) => PrepareError::Open(open),
        why => PrepareError::Refused { word, reason: why.to_string() },
    }
}

impl ImageModel {
    /// Decomposes the mesh, arranges its patches, and encodes the hulls that are drawn: of every node
    /// if the picture decides on every level, of the leaves alone if not.
    ///
    /// # Errors
    /// [`PrepareError`] names the place where the surface is open, crosses itself, is degenerate or
    /// turned inside out; or that there are more triangles than [`Params::largest`].
    pub(crate) fn new(
        word: &'static str,
        mesh: &Mesh,
        params: &Params,
        control: &Control<'_>,
    ) -> Result<Self, PrepareError> {
        control.check()?;
        let (count, largest) = (mesh.triangles().len(), params.largest);
        if count > largest {
            let reason = format!("it has {count} triangles, more than the {largest} of `largest`");
            return Err(PrepareError::Refused { word, reason });
        }
        let patches =
            Decomposition::new(mesh, &Options::default(), control).map_err(refused(word))?;
        let tree = PatchTree::new(mesh, &patches, control).map_err(refused(word))?;
        let (min, max) = mesh.bounds();
        let frame = LocalFrame::new(&min, &max);
        let single = |p: &Point| <[f64; 3]>::from(frame.local(p)).map(|x| x as f32);
        let vertices = mesh.vertices().iter().map(single).collect();
        let (mut entries, mut hulls) = (Vec::new(), Vec::with_capacity(tree.nodes().len()));
        for node in tree.nodes() {
            control.check()?;
            let begin = entries.len();
            let leaf = matches!(node.content, Content::Patch(_));
            if !node.flat && (leaf || params.mode == Mode::Sampled) {
                let code = strip::encode(Strips::of(&node.hull).iter());
                let refuse = |e: strip::StripError| e.to_string();
                let reason = |reason| PrepareError::Refused { word, reason };
                entries.extend(code.map_err(refuse).map_err(reason)?);
            }
            hulls.push((begin as u32, (entries.len() - begin) as u32));
        }
        if u32::try_from(entries.len()).is_err() {
            let reason = format!("its hulls take {} strip entries, more than 2³²", entries.len());
            return Err(PrepareError::Refused { word, reason });
        }
        let topology = Topology::new(mesh);
        let corner = |&t: &u32| mesh.triangle(t)[0];
        Ok(Self {
            id: ModelId::fresh(),
            witnesses: topology.components().iter().map(corner).collect(),
            max_abs: mesh.max_abs_coordinate(),
            mesh: mesh.clone(),
            patches,
            tree,
            frame,
            vertices,
            entries,
            hulls,
        })
    }

    /// The mesh.
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// Its patches.
    pub fn decomposition(&self) -> &Decomposition {
        &self.patches
    }

    /// The hierarchy of its patches.
    pub fn tree(&self) -> &PatchTree {
        &self.tree
    }

    pub(crate) fn vertices(&self) -> &[[f32; 3]] {
        &self.vertices
    }

    pub(crate) fn entries(&self) -> &[u32] {
        &self.entries
    }

    /// The strip entries of a node's hull: the first, and how many; none if it is never drawn.
    pub(crate) fn hull(&self, node: u32) -> (u32, u32) {
        self.hulls[node as usize]
    }

    pub(crate) fn witnesses(&self) -> &[Point] {
        &self.witnesses
    }

    pub(crate) fn max_abs(&self) -> f64 {
        self.max_abs
    }

    /// The rows of the map from 32-bit vertices to the frame of A.
    pub(crate) fn to_world(&self, pose: &Pose) -> [[f64; 4]; 3] {
        let (rotation, at) = (pose.rotation(), pose.apply(&self.frame.origin));
        let factor = |i: usize, k: usize| rotation[(i, k)] / self.frame.scale;
        [0, 1, 2].map(|i| [factor(i, 0), factor(i, 1), factor(i, 2), at[i]])
    }

    /// The corners of a node's hull, posed.
    pub(crate) fn corners<'m>(
        &'m self,
        node: u32,
        pose: &'m Pose,
    ) -> impl Iterator<Item = [Point; 3]> + Clone + 'm {
        let hull = &self.tree.nodes()[node as usize].hull;
        hull.corners(&self.mesh).map(|t| t.map(|p| pose.apply(&p)))
    }
}

/// Heap bytes of a node's hull.
fn hull_bytes(hull: &impinge_decompose::Hull) -> usize {
    size_of_val(hull.vertices()) + size_of_val(hull.faces())
}

impl Model for ImageModel {
    fn id(&self) -> ModelId {
        self.id
    }

    fn triangles(&self) -> usize {
        self.mesh.triangles().len()
    }

    fn bytes(&self) -> usize {
        let nodes = self.tree.nodes().iter();
        let patches = self.patches.patches().iter();
        self.mesh_bytes()
            + nodes.map(|n| size_of_val(n) + hull_bytes(&n.hull)).sum::<usize>()
            + patches
                .map(|p| size_of_val(p) + size_of_val(p.faces()) + hull_bytes(p.hull()))
                .sum::<usize>()
            + size_of_val(self.patches.patch_of())
            + size_of_val(&self.vertices[..])
            + size_of_val(&self.entries[..])
            + size_of_val(&self.hulls[..])
            + size_of_val(&self.witnesses[..])
            + size_of::<Self>()
    }

    fn mesh_bytes(&self) -> usize {
        size_of_val(self.mesh.vertices()) + size_of_val(self.mesh.triangles())
    }
}

/// Are all coordinates of B, posed, certainly in range?
pub(crate) fn certainly_in_range(b: &ImageModel, pose: &Pose) -> bool {
    let t: &Vector = pose.translation();
    2.0 * b.max_abs() + t.amax() <= impinge_geometry::MAX_COORDINATE
}
