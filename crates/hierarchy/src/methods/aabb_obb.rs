//! H3, li's hybrid: AABBs above (layer X), OBBs around the area centroid below (layer Y) (li §3).
//! Documented in `docs/methods/aabb-obb.md`.

use impinge_geometry::volume::ObbFit;
use impinge_query::Description;

use crate::build::fit::Layers;
use crate::build::{HybridFit, Mean, TopDown};
use crate::engine::TreeEngine;
use crate::leaf::SeventeenAxes;
use crate::traverse::LargerFirst;
use crate::updated::Updating;
use crate::volume::BoxObb;

/// AABBs, then OBBs × mean split × larger first × 17 axes.
pub type AabbObb = TreeEngine<TopDown<HybridFit, Mean>, LargerFirst, SeventeenAxes>;

/// Parameters of [`aabb_obb_with`].
///
/// | field | default | effect |
/// | --- | --- | --- |
/// | `share` | ½ | a node is an AABB while it has at least this share of the root's volume |
/// | `fit` | area centroid | how the OBBs are fitted |
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AabbObbParams {
    /// A node is an AABB while its box has at least this share of the volume of the root's box.
    pub share: f64,
    /// How the OBBs are fitted. With the area centroid as centre (li eq. 7, 8) they are looser than
    /// with the middle of the extents.
    pub fit: ObbFit,
}

impl Default for AabbObbParams {
    fn default() -> Self {
        Self { share: 0.5, fit: ObbFit::AreaCentroid }
    }
}

/// The AABB-OBB hybrid with its defaults.
pub fn aabb_obb() -> AabbObb {
    aabb_obb_with(AabbObbParams::default())
}

/// The AABB-OBB hybrid with chosen parameters.
pub fn aabb_obb_with(params: AabbObbParams) -> AabbObb {
    let fit = HybridFit { layers: Layers::AabbObb, share: params.share, fit: params.fit };
    TreeEngine::new(DESCRIPTION, TopDown::new(fit, Mean), LargerFirst, SeventeenAxes)
}

/// The AABB-OBB hybrid with layer X updated along the world's axes once per object and step; two
/// boxes of X are tested on three axes. Layer Y is moved, as in [`aabb_obb`].
pub type AabbObbUpdated = Updating<BoxObb, TopDown<HybridFit, Mean>, LargerFirst, SeventeenAxes>;

/// The updated AABB-OBB hybrid with chosen parameters.
pub fn aabb_obb_updated_with(params: AabbObbParams) -> AabbObbUpdated {
    let mut engine = aabb_obb_with(params);
    engine.description.title = "AABB-OBB hybrid tree, upper layer updated along the world's axes";
    Updating::new(engine)
}

/// The updated AABB-OBB hybrid with its defaults.
pub fn aabb_obb_updated() -> AabbObbUpdated {
    aabb_obb_updated_with(AabbObbParams::default())
}

const DESCRIPTION: Description =
    super::exact("aabb-obb", "AABB-OBB hybrid tree with area centroids", "li 2019 §3");
