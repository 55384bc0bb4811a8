//! H4, the AABB tree that is refitted when vertices move (van den Bergen 1997, OPCODE), the
//! baseline for separating volumes (sbv §4; fan §1.3.3.1). Documented in
//! `docs/methods/aabb-refit.md`.

use impinge_query::Description;

use crate::build::{AxisBoxFit, Mean, TopDown, Update};
use crate::engine::TreeEngine;
use crate::leaf::SeventeenAxes;
use crate::traverse::LargerFirst;

/// AABB × mean split × larger first × 17 axes, with refit.
pub type AabbRefit = TreeEngine<TopDown<AxisBoxFit, Mean>, LargerFirst, SeventeenAxes>;

/// Parameters of [`aabb_refit_with`].
///
/// | field | default | effect |
/// | --- | --- | --- |
/// | `update` | bottom-up | `Hybrid` refits the upper nodes, the rest when first visited |
/// | `rebuild_above` | 2 | cost ratio above which the next refit rebuilds; infinite: never |
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AabbRefitParams {
    /// How the tree is updated after vertices have moved.
    pub update: Update,
    /// If a refit leaves a tree more than this many times as costly as when it was built, the next
    /// refit rebuilds it; infinite: never.
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
