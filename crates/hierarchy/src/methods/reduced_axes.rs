//! H5, the OBB tree of the laser facility: five axes instead of fifteen, and a restart at the last
//! contact (xie §3). Documented in `docs/methods/reduced-axes.md`.

use impinge_geometry::volume::ObbFit;
use impinge_query::Description;

use crate::build::{LeastVolume, ReducedFit, TopDown};
use crate::engine::TreeEngine;
use crate::leaf::SeventeenAxes;
use crate::traverse::Restart;

/// OBB on five axes × least child volume × restart × 17 axes.
pub type ReducedAxes = TreeEngine<TopDown<ReducedFit, LeastVolume>, Restart, SeventeenAxes>;

/// Parameters of [`reduced_axes_with`].
///
/// | field | default | effect |
/// | --- | --- | --- |
/// | `fit` | area-weighted | how a box's axes are found (xie eq. 6) |
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReducedAxesParams {
    /// How a box's axes are found (xie eq. 6).
    pub fit: ObbFit,
}

impl Default for ReducedAxesParams {
    fn default() -> Self {
        Self { fit: ObbFit::AreaWeighted }
    }
}

/// The reduced-axis OBB tree with its defaults.
pub fn reduced_axes() -> ReducedAxes {
    reduced_axes_with(ReducedAxesParams::default())
}

/// The reduced-axis OBB tree with chosen parameters.
pub fn reduced_axes_with(params: ReducedAxesParams) -> ReducedAxes {
    let builder = TopDown::new(ReducedFit(params.fit), LeastVolume);
    TreeEngine::new(DESCRIPTION, builder, Restart, SeventeenAxes)
}

const DESCRIPTION: Description = super::exact(
    "reduced-axes",
    "OBB tree on five axes, restarted at the last contact",
    "xie 2011 §3",
);
