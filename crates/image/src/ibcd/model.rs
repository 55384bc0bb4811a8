//! A closed mesh prepared for `ibcd`: patches, their hierarchy, and encoded hulls.

use impinge_decompose::{Content, Decomposition, PatchTree};
use impinge_geometry::Mesh;
use impinge_query::{Control, MeshModel, PrepareError, Subject};
use impinge_shaders::image::strip::Code;

use crate::body::{Body, Hulls, Parts, Sent, hull_bytes, refused};
use crate::params::{Mode, Params};

/// A mesh as convex patches with their hulls; made by [`Ibcd`](crate::Ibcd).
#[derive(Debug)]
pub struct ImageModel {
    body: Body,
    tree: PatchTree,
}

impl ImageModel {
    /// Decomposes the mesh, builds the hierarchy of its patches, and encodes the hulls to draw:
    /// those of all nodes if pixels decide on every level, else only those of leaves.
    ///
    /// # Errors
    /// [`PrepareError`] with the place where the surface is open, intersects itself, is degenerate
    /// or turned inside out; or if there are more triangles than [`Params::largest`].
    pub(crate) fn new(
        word: &'static str,
        mesh: &Mesh,
        params: &Params,
        control: &Control<'_>,
    ) -> Result<Self, PrepareError> {
        let body = Body::new(word, mesh, params.largest, control)?;
        let tree = PatchTree::new(mesh, body.decomposition(), control).map_err(refused(word))?;
        let hulls = tree.nodes().iter().map(|node| {
            let leaf = matches!(node.content, Content::Patch(_));
            (!node.flat && (leaf || params.mode == Mode::Sampled)).then_some(&node.hull)
        });
        let code = if params.strips { Code::Strips } else { Code::List };
        let hulls = Hulls::new(word, hulls, code, control)?;
        Ok(Self { body: body.with_hulls(hulls), tree })
    }

    /// The mesh, in its own frame and unit.
    pub fn mesh(&self) -> &Mesh {
        self.body.mesh()
    }

    /// The convex patches of the mesh.
    pub fn decomposition(&self) -> &Decomposition {
        self.body.decomposition()
    }

    /// The hierarchy of its patches.
    pub fn tree(&self) -> &PatchTree {
        &self.tree
    }

    /// What is sent to draw every hull once.
    pub fn sent(&self) -> Sent {
        self.body.sent()
    }
}

impl Parts for ImageModel {
    fn body(&self) -> &Body {
        &self.body
    }
}

impl MeshModel for ImageModel {
    fn subject(&self) -> &Subject {
        self.body.subject()
    }

    fn own_bytes(&self) -> usize {
        let nodes = self.tree.nodes().iter();
        let hulls: usize = nodes.map(|n| size_of_val(n) + hull_bytes(&n.hull)).sum();
        self.body.own_bytes() + hulls + size_of::<Self>()
    }
}
