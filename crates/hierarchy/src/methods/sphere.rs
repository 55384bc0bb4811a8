//! The sphere tree (fan §1.3.3.2; Hubbard 1995, Quinlan 1994). Method K, documented in
//! `docs/methods/sphere.md`.

use impinge_query::Description;

use crate::build::{BallFit, Mean, TopDown};
use crate::engine::TreeEngine;
use crate::leaf::SeventeenAxes;
use crate::traverse::LargerFirst;

/// Sphere × mean split × larger first × 17 axes.
pub type SphereTree = TreeEngine<TopDown<BallFit, Mean>, LargerFirst, SeventeenAxes>;

/// The sphere tree. It has no parameters.
pub const fn sphere() -> SphereTree {
    TreeEngine::new(DESCRIPTION, TopDown::new(BallFit, Mean), LargerFirst, SeventeenAxes)
}

const DESCRIPTION: Description =
    super::exact("sphere", "sphere tree", "Hubbard 1995; fan §1.3.3.2");
