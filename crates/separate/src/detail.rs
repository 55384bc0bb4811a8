//! The detailed test: what decides among the triangles that a region leaves (sbv §3).

use impinge_geometry::volume::Aabb;
use impinge_query::lists::Lists;
use impinge_query::{Counter, Found, MeshModel, Query, QueryError};

use crate::model::SbvModel;
use crate::volume::{Axes, Volume};

/// A part of space that holds every point common to both meshes, and the triangles that reach into
/// it.
#[derive(Clone, Copy, Debug)]
pub struct Region<'r> {
    /// The intersection of both meshes' bounds along the axes of A's frame.
    pub bounds: &'r Aabb,
    /// The directions of the slabs, in A's frame.
    pub axes: &'r Axes,
    /// The slabs; every common point lies in them.
    pub volume: &'r Volume,
    /// Triangles of A, ascending. Others have no contact.
    pub of_a: &'r [u32],
    /// Triangles of B, ascending.
    pub of_b: &'r [u32],
}

/// A test of the triangles that a region leaves. It decides; the region only says where.
pub trait Detailed: Send + Sync {
    /// What is kept between the queries of a pair.
    type Memory: Default + Send + Sync + 'static;

    /// Adds the contacts among the triangles of a region to `found`, or one of them if
    /// [`wants_first`](impinge_query::Contacts::wants_first).
    ///
    /// # Errors
    /// [`QueryError`]; `found` is then discarded.
    fn contacts<C: Counter>(
        &self,
        query: &Query<'_, SbvModel>,
        region: &Region<'_>,
        memory: &mut Self::Memory,
        counter: &mut C,
        found: &mut Found<'_>,
    ) -> Result<(), QueryError>;

    /// Drops what the memory holds of other models.
    fn forget(&self, memory: &mut Self::Memory) {
        *memory = Self::Memory::default();
    }
}

/// The exact test of triangles against triangles: [`Lists`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exact;

impl Detailed for Exact {
    type Memory = Lists;

    fn contacts<C: Counter>(
        &self,
        query: &Query<'_, SbvModel>,
        region: &Region<'_>,
        lists: &mut Lists,
        counter: &mut C,
        found: &mut Found<'_>,
    ) -> Result<(), QueryError> {
        let a = query.a.subject().mesh();
        lists.fill(
            region.of_a.iter().map(|&t| (t, a.triangle(t))),
            region.of_b.iter().map(|&t| (t, query.posed(t))),
            query.control,
        )?;
        let hit = |contact| found.contacts.take(contact);
        let _ = counter.stage("triangles", |counter| lists.meet(counter, query.control, hit))?;
        Ok(())
    }

    /// Keeps the allocations; the lists are filled anew for each query.
    fn forget(&self, _: &mut Lists) {}
}
