//! H2, the traditional hybrid that li compares with: spheres above, AABBs below (li §3.2, §4).
//! Documented in `docs/methods/sphere-aabb.md`.

use impinge_geometry::volume::ObbFit;
use impinge_query::Description;

use crate::build::fit::Layers;
use crate::build::{HybridFit, Mean, TopDown};
use crate::engine::TreeEngine;
use crate::leaf::SeventeenAxes;
use crate::traverse::LargerFirst;
use crate::updated::Updating;
use crate::volume::BallBox;

/// Spheres, then AABBs × mean split × larger first × 17 axes.
pub type SphereAabb = TreeEngine<TopDown<HybridFit, Mean>, LargerFirst, SeventeenAxes>;

/// Parameters of [`sphere_aabb_with`].
///
/// | field | default | effect |
/// | --- | --- | --- |
/// | `share` | ½ | a node is a sphere while it has at least this share of the root's volume |
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SphereAabbParams {
    /// A node is a sphere while its box has at least this share of the volume of the root's box.
    pub share: f64,
}

impl Default for SphereAabbParams {
    fn default() -> Self {
        Self { share: 0.5 }
    }
}

/// The sphere-AABB hybrid with its defaults.
pub fn sphere_aabb() -> SphereAabb {
    sphere_aabb_with(SphereAabbParams::default())
}

/// The sphere-AABB hybrid with chosen parameters.
pub fn sphere_aabb_with(params: SphereAabbParams) -> SphereAabb {
    let layers = Layers::SphereAabb;
    let fit = HybridFit { layers, share: params.share, fit: ObbFit::AreaWeighted };
    TreeEngine::new(DESCRIPTION, TopDown::new(fit, Mean), LargerFirst, SeventeenAxes)
}

/// The sphere-AABB hybrid as li describes it: all its volumes are updated along the world's axes once
/// per object and step, and two boxes are tested on three axes.
pub type SphereAabbUpdated =
    Updating<BallBox, TopDown<HybridFit, Mean>, LargerFirst, SeventeenAxes>;

/// The updated sphere-AABB hybrid with chosen parameters.
pub fn sphere_aabb_updated_with(params: SphereAabbParams) -> SphereAabbUpdated {
    let mut engine = sphere_aabb_with(params);
    engine.description.title = "sphere-AABB hybrid tree, updated along the world's axes";
    Updating::new(engine)
}

/// The updated sphere-AABB hybrid with its defaults.
pub fn sphere_aabb_updated() -> SphereAabbUpdated {
    sphere_aabb_updated_with(SphereAabbParams::default())
}

const DESCRIPTION: Description = super::exact(
    "sphere-aabb",
    "sphere-AABB hybrid tree",
    "li 2019 §3.2, §4, after Yu et al. 2014",
);
