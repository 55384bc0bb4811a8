//! H1, the baseline of all papers: the OBB tree of Gottschalk, Lin and Manocha (RAPID, SIGGRAPH
//! 1996), as described in fan §1.3.3.3 and anthology 4. Documented in `docs/methods/obbtree.md`.

use impinge_geometry::volume::ObbFit;
use impinge_query::Description;

use crate::build::{Mean, ObbRowsFit, TopDown};
use crate::engine::TreeEngine;
use crate::leaf::SeventeenAxes;
use crate::traverse::LargerFirst;

/// OBB × mean split × larger first × 17 axes.
pub type ObbTree = TreeEngine<TopDown<ObbRowsFit, Mean>, LargerFirst, SeventeenAxes>;

/// Parameters of [`obbtree_with`].
///
/// | field | default | effect |
/// | --- | --- | --- |
/// | `fit` | area-weighted, as in RAPID | how a box's axes are found |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObbTreeParams {
    /// How a box's axes are found. Vertex covariance (fan eq. 2-5, 2-6) depends on how finely a
    /// part is meshed and takes about 5 % more box tests.
    pub fit: ObbFit,
}

impl Default for ObbTreeParams {
    fn default() -> Self {
        Self { fit: ObbFit::AreaWeighted }
    }
}

/// The OBB tree with its defaults.
pub fn obbtree() -> ObbTree {
    obbtree_with(ObbTreeParams::default())
}

/// The OBB tree with chosen parameters.
pub fn obbtree_with(params: ObbTreeParams) -> ObbTree {
    let builder = TopDown::new(ObbRowsFit(params.fit), Mean);
    TreeEngine::new(DESCRIPTION, builder, LargerFirst, SeventeenAxes)
}

const DESCRIPTION: Description = super::exact(
    "obbtree",
    "OBB tree, 15-axis separation (RAPID)",
    "Gottschalk, Lin, Manocha 1996; fan §1.3.3.3, anthology 4",
);
