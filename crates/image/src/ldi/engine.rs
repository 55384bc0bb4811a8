//! The engine of `ldi`.

use impinge_geometry::{Mesh, Point};
use impinge_query::{
    Batching, Cancelled, Control, Counter, Description, Found, MeshModel, PrepareError, Query,
    QueryError, QuestionKind, RefitError, Search, Side, driver,
};

use super::drawer::{Drawer, failed, in_software};
use super::guide::{Guide, Space};
use super::likely::Likely;
use super::model::LdiModel;
use super::watch::Watch;
use crate::inside;
use crate::params::Drawing;

/// Parameters of `ldi`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// Most pixels along a side of an image, clamped to 1 … 4096. Larger: fewer pairs of triangles
    /// tested between meshes of many small triangles, and more memory. An image never has many more
    /// pixels than there are triangles.
    pub resolution: u32,
    /// What samples the middles of pixels, to choose the pairs tested first, and of an
    /// [`Overlap`](super::Overlap) the estimates.
    pub drawing: Drawing,
}

impl Default for Params {
    /// 1,024 pixels a side: as many pixels as triangles for meshes of a million. In software.
    fn default() -> Self {
        Self { resolution: Self::RESOLUTION, drawing: Drawing::Software }
    }
}

impl Params {
    /// The default of [`Params::resolution`].
    pub const RESOLUTION: u32 = 1024;
}

/// Layered depth images (sbv §3) as guide of exact tests.
#[derive(Debug, Default)]
pub struct Ldi {
    params: Params,
    pub(super) drawer: Drawer,
}

/// The engine with default parameters.
pub fn ldi() -> Ldi {
    Ldi::default()
}

/// The engine with the given parameters. Opens an adapter when it first draws on one.
pub fn ldi_with(params: Params) -> Ldi {
    Ldi { params, drawer: Drawer::new(params.drawing) }
}

/// The engine with the given parameters, drawing on an adapter that the caller opened and may share,
/// whatever [`Params::drawing`] says. If none was opened, or it cannot draw, works in software, and
/// [`Answer::backend`](impinge_query::Answer::backend) tells why.
#[cfg(feature = "wgpu")]
pub fn ldi_on(opened: Result<impinge_gpu::Gpu, impinge_gpu::OpenError>, params: Params) -> Ldi {
    let params = Params { drawing: Drawing::Adapter, ..params };
    Ldi { params, drawer: Drawer::on(opened.map_err(|why| why.to_string())) }
}

impl Ldi {
    /// The parameters it was created with; `resolution` unclamped.
    pub const fn params(&self) -> &Params {
        &self.params
    }

    fn guide(&self) -> Guide {
        Guide { resolution: self.params.resolution }
    }
}

/// Memory of a pair between queries: buffers only.
pub type Memory = driver::Memory<Space>;

const WORD: &str = "ldi";

const DESCRIPTION: Description = Description::exact(
    WORD,
    "layered depth images, exact tests of triangles that overlap in a pixel",
    "sbv §3",
    QuestionKind::OF_CONTACTS,
);

impl Search for Ldi {
    type Model = LdiModel;
    type Memory = Space;

    fn describe(&self) -> &Description {
        &DESCRIPTION
    }

    fn prepare(&self, mesh: &Mesh, control: &Control<'_>) -> Result<LdiModel, PrepareError> {
        Ok(LdiModel::new(mesh, control)?)
    }

    fn refit(
        &self,
        model: &mut LdiModel,
        vertices: &[Point],
        control: &Control<'_>,
    ) -> Result<(), RefitError> {
        let mut subject = model.subject().clone();
        subject.move_vertices(vertices)?;
        subject.next_epoch();
        Ok(model.moved(subject, control)?)
    }

    fn memory(&self) -> Space {
        Space::default()
    }

    fn forget(&self, _: &mut Space) {}

    fn batching(&self) -> Batching {
        Batching::OverThreads
    }

    fn contacts<C: Counter>(
        &self,
        query: &Query<'_, LdiModel>,
        space: &mut Space,
        counter: &mut C,
        found: &mut Found<'_>,
    ) -> Result<(), QueryError> {
        let all = |side| 0..query.subject(side).mesh().triangles().len() as u32;
        let Found { contacts, backend, .. } = found;
        let software = self.params.drawing == Drawing::Software;
        let pictured = !software && contacts.wants_first();
        **backend = in_software(match (software, pictured) {
            (true, _) => "software was chosen",
            (false, true) => "nothing to draw",
            // All contacts need all pairs, so it would not help to sample which are likely to meet.
            (false, false) => "all contacts need no picture",
        });
        counter.volumes(1);
        let region = query.a.around().intersection(&query.b.around().posed(query.pose));
        let Some(region) = region else { return Ok(()) };
        let (mut watch, of) = (Watch::new(query.control), [all(Side::A), all(Side::B)]);
        let begun = self.guide().begin(query, of, &region, space, (counter, &mut watch))?;
        let Some(frame) = begun else { return Ok(()) };
        if pictured {
            let sampled = counter.stage("image", |counter| {
                let likely = Likely::drawn(&self.drawer, &frame, space.triangles(), &mut watch)?;
                **backend = likely.backend.clone();
                counter.submitted(likely.submissions);
                Ok(likely.test(space.triangles(), counter))
            });
            if let Some(contact) = sampled.map_err(failed)? {
                let _ = contacts.take(contact);
                return Ok(());
            }
        }
        Ok(space.decide(&frame, &mut watch, counter, contacts)?)
    }

    /// Linear in the triangles for each point inside the other's box.
    fn winding<'q, C: Counter>(
        &'q self,
        query: Query<'q, LdiModel>,
        solid: Side,
    ) -> impl FnMut(&Point, &mut C) -> Result<i32, Cancelled> {
        let around = match solid {
            Side::A => *query.a.around(),
            Side::B => query.b.around().posed(query.pose),
        };
        inside::winding(query, solid, move |p| around.contains(p))
    }
}
