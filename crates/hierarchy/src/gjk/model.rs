//! What is prepared and what is remembered.

use impinge_geometry::Vector;
use impinge_geometry::convex::ConvexBody;
use impinge_query::{MeshModel, Subject};

/// A convex body, and the same mesh as the inner search prepared it.
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

impl<M: MeshModel> MeshModel for GjkModel<M> {
    fn subject(&self) -> &Subject {
        self.inner.subject()
    }

    fn own_bytes(&self) -> usize {
        self.inner.own_bytes() + self.body.bytes() + size_of::<ConvexBody>()
    }
}

/// What a pair remembers: the direction that separated the bodies last, the support points at
/// which the last run ended, and the inner search's memory.
#[derive(Debug)]
pub struct GjkMemory<M> {
    pub(super) direction: Option<Vector>,
    pub(super) at: [u32; 2],
    pub(super) inner: M,
}
