//! `recode`: the image-based baseline (Baciu, Wong and Sun 1999, as described in fan 2003, §1.3.4
//! and §2.1). Every convex part of A against every part of B: no hierarchy, no oriented boxes, no
//! strips.
//!
//! | part | what it does |
//! | --- | --- |
//! | [`RecodeModel`] | a closed mesh as convex parts with boxes, and encoded hulls |
//! | `overlap` | boxes of the posed parts, and the view of two boxes' intersection |
//! | `sampled` | the paper's form: pixels decide |

mod model;
mod overlap;
mod sampled;

use impinge_geometry::Mesh;
use impinge_geometry::volume::Obb;
use impinge_query::{Cancelled, Contact, Control, Counter, Description, PrepareError, QueryError};
use impinge_shaders::image::View;

pub use model::RecodeModel;

use crate::certified::{Leaf, Leaves};
use crate::engine::{self, Form, ImageEngine, Memory};
use crate::pair::Pair;
use crate::params::Params;
use crate::sampled::Sampling;

/// The image-based baseline: convex parts, all pairs, axis-aligned overlap regions.
pub type Recode = ImageEngine<AllParts>;

/// Memory of a pair between queries.
pub type RecodeMemory = Memory<AllParts>;

/// The form of [`recode`], for [`ImageEngine`].
#[derive(Clone, Copy, Debug)]
pub struct AllParts;

/// The engine in certified form, drawn in software.
pub fn recode() -> Recode {
    recode_with(Params::default())
}

/// The engine with the given parameters; [`Params::strips`] has no effect. Opens an adapter when
/// the first picture is drawn.
pub fn recode_with(params: Params) -> Recode {
    ImageEngine::new(params)
}

impl Form for AllParts {
    type Model = RecodeModel;
    type Space = overlap::Placed;

    const CERTIFIED: Description = engine::certified(
        "recode",
        "all pairs of convex parts in depth and stencil images, certified",
        "Baciu, Wong, Sun 1999, as in fan 2003, §1.3.4",
    );
    const SAMPLED: Description = engine::sampled(
        Self::CERTIFIED,
        "all pairs of convex parts in depth and stencil images, as sampled",
    );

    fn prepare(
        word: &'static str,
        mesh: &Mesh,
        params: &Params,
        control: &Control<'_>,
    ) -> Result<RecodeModel, PrepareError> {
        RecodeModel::new(word, mesh, params, control)
    }

    /// Every part of A with every part of B, if their boxes meet.
    fn leaves<C: Counter>(
        pair: &Pair<'_, RecodeModel>,
        posed: &mut overlap::Placed,
        (counter, control): (&mut C, &Control<'_>),
    ) -> Result<Leaves, Cancelled> {
        counter.stage("boxes", |counter| {
            posed.place(pair.b, pair.pose);
            counter.updated(posed.boxes.len() as u64);
            let mut pairs = Vec::new();
            for (p, a) in (0..).zip(pair.a.boxes()) {
                control.check()?;
                counter.volumes(posed.boxes.len() as u64);
                for (q, b) in (0..).zip(&posed.boxes) {
                    if let Some(common) = a.intersection(b) {
                        pairs.push(Leaf::new([p, q], [p, q], overlap::shortest(&common)));
                    }
                }
            }
            Ok(Leaves { pairs, backend: None })
        })
    }

    fn view(
        pair: &Pair<'_, RecodeModel>,
        posed: &overlap::Placed,
        [p, q]: [u32; 2],
    ) -> Option<View> {
        overlap::view(pair.a.boxes().get(p as usize)?, posed.boxes.get(q as usize)?)
    }

    fn sampled<C: Counter>(
        sampling: &mut Sampling<'_, RecodeModel>,
        posed: &mut overlap::Placed,
        counter: &mut C,
    ) -> Result<Option<Contact>, QueryError> {
        sampled::contact(sampling, posed, counter)
    }

    fn around(model: &RecodeModel) -> Obb {
        *model.around()
    }
}
