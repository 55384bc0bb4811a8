//! `ibcd`: image-based collision detection of closed meshes over a hierarchy of convex patches
//! (fan 2003, ch. 2).
//!
//! | part | what it does |
//! | --- | --- |
//! | [`ImageModel`] | a closed mesh as convex patches, their hierarchy, and encoded hulls |
//! | `descent` | breadth-first descent over pairs of nodes, by oriented boxes |
//! | `sampled` | the paper's form: pixels decide on every level |
//! | `survey` | what the image shows of every pair, to evaluate the method |

mod descent;
mod model;
mod sampled;
mod survey;

use impinge_geometry::Mesh;
use impinge_geometry::volume::Obb;
use impinge_query::{Cancelled, Contact, Control, Counter, Description, PrepareError, QueryError};
use impinge_shaders::image::View;

pub use model::ImageModel;
pub use survey::Surveyed;

use crate::certified::{Leaf, Leaves};
use crate::engine::{self, Form, ImageEngine};
use crate::pair::Pair;
use crate::params::Params;
use crate::sampled::Sampling;
use crate::viewport::Viewport;

/// Image-based collision detection of closed meshes (fan 2003, ch. 2).
pub type Ibcd = ImageEngine<PatchHierarchy>;

/// The form of [`ibcd`], for [`ImageEngine`].
#[derive(Clone, Copy, Debug)]
pub struct PatchHierarchy;

/// The engine in certified form, drawn in software.
pub fn ibcd() -> Ibcd {
    ibcd_with(Params::default())
}

/// The engine with the given parameters. Opens an adapter when the first picture is drawn.
pub fn ibcd_with(params: Params) -> Ibcd {
    ImageEngine::new(params)
}

/// The engine with the given parameters, drawing on an adapter that the caller opened and may
/// share, whatever [`Params::drawing`] says. If none was opened, or it cannot draw, draws in
/// software, and [`Answer::backend`](impinge_query::Answer::backend) tells why. A lost device stays
/// lost, and each query that would draw on it is an error: create another engine. Models can be
/// reused if both engines have the same [`Mode`](crate::Mode).
#[cfg(feature = "wgpu")]
pub fn ibcd_on(opened: Result<impinge_gpu::Gpu, impinge_gpu::OpenError>, params: Params) -> Ibcd {
    ImageEngine::on(opened, params)
}

impl Form for PatchHierarchy {
    type Model = ImageModel;
    type Space = ();

    const CERTIFIED: Description = engine::certified(
        "ibcd",
        "convex patches in depth and stencil images, certified",
        "fan 2003, ch. 2",
    );
    const SAMPLED: Description =
        engine::sampled(Self::CERTIFIED, "convex patches in depth and stencil images, as sampled");

    fn prepare(
        word: &'static str,
        mesh: &Mesh,
        params: &Params,
        control: &Control<'_>,
    ) -> Result<ImageModel, PrepareError> {
        ImageModel::new(word, mesh, params, control)
    }

    fn leaves<C: Counter>(
        pair: &Pair<'_, ImageModel>,
        (): &mut (),
        (counter, control): (&mut C, &Control<'_>),
    ) -> Result<Leaves, Cancelled> {
        let near = counter.stage("descent", |counter| descent::leaves(pair, counter, control))?;
        let leaf = |near: descent::Near| {
            let patches = pair.patches(near.nodes)?;
            Some(Leaf::new(near.nodes, patches, near.viewport.overlap))
        };
        Ok(Leaves { pairs: near.into_iter().filter_map(leaf).collect(), backend: None })
    }

    fn view(pair: &Pair<'_, ImageModel>, (): &(), nodes: [u32; 2]) -> Option<View> {
        let [a, b] = pair.boxes(nodes);
        Viewport::new(&a, &b).map(|viewport| viewport.view)
    }

    fn sampled<C: Counter>(
        sampling: &mut Sampling<'_, ImageModel>,
        (): &mut (),
        counter: &mut C,
    ) -> Result<Option<Contact>, QueryError> {
        sampled::contact(sampling, counter)
    }

    fn around(model: &ImageModel) -> Obb {
        model.tree().nodes()[0].obb
    }
}
