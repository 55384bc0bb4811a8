//! The three layers that li sketches and argues against: spheres, a buffer of boxes with spheres,
//! OBBs (li §3.2). Documented in `docs/methods/three-layer.md`.

use impinge_geometry::volume::ObbFit;
use impinge_query::Description;

use crate::build::fit::Layers;
use crate::build::{HybridFit, Mean, TopDown};
use crate::engine::TreeEngine;
use crate::leaf::SeventeenAxes;
use crate::traverse::LargerFirst;

/// Spheres, sphere-OBBs, OBBs × mean split × larger first × 17 axes.
pub type ThreeLayer = TreeEngine<TopDown<HybridFit, Mean>, LargerFirst, SeventeenAxes>;

/// Parameters of [`three_layer_with`].
///
/// | field | default | effect |
/// | --- | --- | --- |
/// | `share` | ½ | a node is a sphere while it has at least this share of the root's volume |
/// | `buffer` | 1/16 | below: a box with a sphere around it down to this share |
/// | `fit` | area centroid | how the OBBs are fitted, as in `aabb-obb` |
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ThreeLayerParams {
    /// A node is a sphere while its box has at least this share of the volume of the root's box.
    pub share: f64,
    /// Below the spheres, a node is a box with a sphere around it down to this share; li gives no
    /// figure.
    pub buffer: f64,
    /// How the OBBs are fitted, as in `aabb-obb`.
    pub fit: ObbFit,
}

impl Default for ThreeLayerParams {
    fn default() -> Self {
        Self { share: 0.5, buffer: 0.0625, fit: ObbFit::AreaCentroid }
    }
}

/// The three-layer hybrid with its defaults.
pub fn three_layer() -> ThreeLayer {
    three_layer_with(ThreeLayerParams::default())
}

/// The three-layer hybrid with chosen parameters.
pub fn three_layer_with(params: ThreeLayerParams) -> ThreeLayer {
    let layers = Layers::SphereBufferObb { below: params.buffer };
    let fit = HybridFit { layers, share: params.share, fit: params.fit };
    TreeEngine::new(DESCRIPTION, TopDown::new(fit, Mean), LargerFirst, SeventeenAxes)
}

const DESCRIPTION: Description =
    super::exact("three-layer", "sphere, sphere-OBB and OBB layers", "li 2019 §3.2");
