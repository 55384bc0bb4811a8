//! The k-DOP tree (Klosowski et al. 1998, QuickCD; fan §1.3.3.4). Method K, documented in
//! `docs/methods/kdop.md`.

use crate::build::{DopFit, Mean, TopDown};
use crate::engine::TreeEngine;
use crate::leaf::SeventeenAxes;
use crate::traverse::LargerFirst;

/// k-DOP (k = 2 H) × mean split × larger first × 17 axes.
pub type KDop<const H: usize> = TreeEngine<TopDown<DopFit<H>, Mean>, LargerFirst, SeventeenAxes>;

/// The 18-DOP tree, which Klosowski et al. found best.
pub const fn kdop() -> KDop<9> {
    kdop_of()
}

/// The k-DOP tree with `k = 2 H`: `H` is 3, 7, 9 or 13. Does not compile for `H < 3` or `H > 13`.
pub const fn kdop_of<const H: usize>() -> KDop<H> {
    let title = match H {
        3 => "6-DOP tree (QuickCD)",
        7 => "14-DOP tree (QuickCD)",
        9 => "18-DOP tree (QuickCD)",
        13 => "26-DOP tree (QuickCD)",
        _ => "k-DOP tree (QuickCD)",
    };
    let description = super::exact("kdop", title, "Klosowski et al. 1998; fan §1.3.3.4");
    TreeEngine::new(description, TopDown::new(DopFit, Mean), LargerFirst, SeventeenAxes)
}
