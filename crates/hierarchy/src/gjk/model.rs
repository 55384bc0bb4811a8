//! What is prepared and what is remembered.

use impinge_geometry::Vector;
use impinge_geometry::convex::ConvexBody;
use impinge_query::{Model, ModelId, PairKey};

/// A convex body, and the same mesh as the inner engine prepared it.
#[derive(Debug)]
pub struct GjkModel<M> {
    pub(super) body: ConvexBody,
    pub(super) inner: M,
}

impl<M> GjkModel<M> {
    /// The body.
    pub const fn body(&self) -> &ConvexBody {
        &self.body
    }
}

impl<M: Model> Model for GjkModel<M> {
    fn id(&self) -> ModelId {
        self.inner.id()
    }

    fn triangles(&self) -> usize {
        self.inner.triangles()
    }

    fn bytes(&self) -> usize {
        self.inner.bytes() + self.body.bytes() + size_of::<ConvexBody>()
    }

    fn mesh_bytes(&self) -> usize {
        self.inner.mesh_bytes()
    }
}

/// What a pair remembers: the direction that separated the bodies last, the support points at
/// which the last run ended, and the inner engine's memory.
#[derive(Debug)]
pub struct GjkMemory<M> {
    pub(super) pair: Option<PairKey>,
    pub(super) direction: Option<Vector>,
    pub(super) at: [u32; 2],
    pub(super) inner: M,
}
