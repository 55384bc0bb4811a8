//! The tree of rectangle-swept spheres (Larsen et al. 1999, PQP; fan §1.3.3.5). Method K,
//! documented in `docs/methods/swept-sphere.md`.

use impinge_geometry::volume::ObbFit;
use impinge_query::Description;

use crate::build::{Mean, SweptFit, TopDown};
use crate::engine::TreeEngine;
use crate::leaf::SeventeenAxes;
use crate::traverse::LargerFirst;

/// Rectangle-swept sphere × mean split × larger first × 17 axes.
pub type SweptSphere = TreeEngine<TopDown<SweptFit, Mean>, LargerFirst, SeventeenAxes>;

/// Parameters of [`swept_sphere_with`].
///
/// | field | default | effect |
/// | --- | --- | --- |
/// | `fit` | area-weighted | how the rectangle's axes are found |
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SweptSphereParams {
    /// How the rectangle's axes are found.
    pub fit: ObbFit,
}

impl Default for SweptSphereParams {
    fn default() -> Self {
        Self { fit: ObbFit::AreaWeighted }
    }
}

/// The tree of rectangle-swept spheres with its defaults.
pub fn swept_sphere() -> SweptSphere {
    swept_sphere_with(SweptSphereParams::default())
}

/// The tree of rectangle-swept spheres with chosen parameters.
pub fn swept_sphere_with(params: SweptSphereParams) -> SweptSphere {
    let builder = TopDown::new(SweptFit(params.fit), Mean);
    TreeEngine::new(DESCRIPTION, builder, LargerFirst, SeventeenAxes)
}

const DESCRIPTION: Description = super::exact(
    "swept-sphere",
    "tree of rectangle-swept spheres (PQP)",
    "Larsen et al. 1999; fan §1.3.3.5",
);
