//! `sbv-ldi`: separating bounding volumes with layered depth images for the detailed test, as in sbv
//! §3. Each of both crates has one half; this composes them.

use impinge_image::ldi::{Guide, Params as Images, Space};
use impinge_query::{Counter, Description, Found, Query, QueryError, QuestionKind};
use impinge_separate::{Detailed, Params, Region, SbvEngine, SbvModel};

/// The detailed test of `sbv-ldi`: an image of the region tells which pairs of triangles are tested
/// exactly.
#[derive(Clone, Copy, Debug)]
pub struct LayeredImages(Guide);

impl Detailed for LayeredImages {
    type Memory = Space;

    fn contacts<C: Counter>(
        &self,
        query: &Query<'_, SbvModel>,
        region: &Region<'_>,
        space: &mut Space,
        counter: &mut C,
        found: &mut Found<'_>,
    ) -> Result<(), QueryError> {
        let lists = [region.of_a, region.of_b].map(|list| list.iter().copied());
        let found = &mut found.contacts;
        Ok(self.0.contacts_among(query, lists, region.bounds, space, counter, found)?)
    }

    /// Keeps the allocations; images are drawn anew for each query.
    fn forget(&self, _: &mut Space) {}
}

/// `sbv-ldi` with default parameters.
pub const fn sbv_ldi() -> SbvEngine<LayeredImages> {
    sbv_ldi_with(Params::new(), Images::RESOLUTION)
}

/// `sbv-ldi` with chosen parameters, and the most pixels along a side of an image.
pub const fn sbv_ldi_with(params: Params, resolution: u32) -> SbvEngine<LayeredImages> {
    SbvEngine::composed(DESCRIPTION, params, LayeredImages(Guide { resolution }))
}

const DESCRIPTION: Description = Description::exact(
    "sbv-ldi",
    "separating bounding volumes, and layered depth images of the region they leave",
    "sbv §1-3",
    QuestionKind::OF_CONTACTS,
);
