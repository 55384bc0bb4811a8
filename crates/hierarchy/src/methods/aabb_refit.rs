//! H4, the AABB tree that is refitted when vertices move (van den Bergen 1997, OPCODE), the comparator
//! of the separating volumes (sbv §4; fan §1.3.3.1).
//! Its page is `docs/methods/aabb-refit.md`.

use impinge_query::Description;

use crate::build::{AxisBoxFit, Mean, TopDown, Update};
use crate::engine::TreeEngine;
use crate::leaf::SeventeenAxes;
use crate::traverse::LargerFirst;

/// AABB × mean split × larger first × 17 axes, with refit.
pub type AabbRefit = TreeEngine<TopDown<AxisBoxFit, Mean>, LargerFirst, SeventeenAxes>;

/// Choices.
///
/// | field | default | effect |
/// | --- | --- | --- |
/// | `update` | bottom-up | `Hybrid` wraps only the upper nodes, and the rest when a query first comes there |
/// | `rebuild_above` | 2 | a refit that leaves a tree this many times costlier than when it was built has the next refit build it anew; infinite: never |
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AabbRefitParams {
    /// How the tree follows moved vertices.
    pub update: Update,
    /// A refit that leaves a tree this many times costlier than when it was built has the next refit build it anew; infinite: never.
    pub rebuild_above: f64,
}

impl Default for AabbRefitParams {
    fn default() -> Self {
        Self { update: Update::BottomUp, rebuild_above: 2.0 }
    }
}

/// The AABB tree with its defaults.
pub fn aabb_refit() -> AabbRefit {
    aabb_refit_with(AabbRefitParams::default())
}

/// The AABB tree with chosen parameters.
pub fn aabb_refit_with(params: AabbRefitParams) -> AabbRefit {
    let builder = TopDown::new(AxisBoxFit, Mean);
    let engine = TreeEngine::new(DESCRIPTION, builder, LargerFirst, SeventeenAxes);
    TreeEngine { update: params.update, rebuild_above: params.rebuild_above, ..engine }
}

const DESCRIPTION: Description = super::exact(
    "aabb-refit",
    "AABB tree with refit (OPCODE)",
    "van den Bergen 1997; Terdiman 2001; sbv §4, fan §1.3.3.1",
);
