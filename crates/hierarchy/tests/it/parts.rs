//! The battery for the parts that no named method uses: every traversal, split, leaf test and k-DOP
//! must be exact in any composition.

use impinge_hierarchy::TreeEngine;
use impinge_hierarchy::build::{
    AxisBoxFit, Builder, LeafPipeline, Leaves, Mean, Median, OrderedAxes, Penalty, TopDown,
};
use impinge_hierarchy::leaf::{
    EdgeFace, EdgesFirst, ExactOnly, Intervals, LeafTest, SeventeenAxes, SignPermutation,
};
use impinge_hierarchy::methods::obbtree;
use impinge_hierarchy::traverse::{
    Block, Front, FrontOfBoth, LargerFirst, LevelQueue, Priority, Restart, Simultaneous, TipFirst,
    Traversal,
};

const MEAN: TopDown<AxisBoxFit, Mean> = TopDown::new(AxisBoxFit, Mean);

const TIP_FIRST: TipFirst =
    TipFirst { priority: Priority { far: 0.8, per_level: 0.1 }, block: Block::Corrected };

/// An engine of these parts that says of itself what the OBB tree does.
fn engine<B: Builder, T: Traversal, L: LeafTest>(
    builder: B,
    traversal: T,
    leaf: L,
) -> TreeEngine<B, T, L> {
    TreeEngine::new(obbtree().description, builder, traversal, leaf)
}

/// Leaves of several triangles.
fn groups(triangles: usize, depth: u32) -> TopDown<AxisBoxFit, Median> {
    TopDown {
        leaves: Leaves { triangles, depth, boundaries: true },
        ..TopDown::new(AxisBoxFit, Median)
    }
}

/// A function that makes an engine of parts, and the battery for it.
macro_rules! parts {
    ($($word:ident = $builder:expr, $traversal:expr, $leaf:expr;)*) => {
        /// The engines by their words.
        mod made {
            use super::*;
            $(pub(super) fn $word() -> impl impinge_query::Engine {
                engine($builder, $traversal, $leaf)
            })*
        }
        $(impinge_testkit::conformance!($word, crate::parts::made::$word());)*
    };
}

parts! {
    deep_leaf = LeafPipeline { depth: 8 }, TIP_FIRST, SignPermutation;
    ordered_axes = OrderedAxes(LeafPipeline { depth: 3 }), TIP_FIRST, SignPermutation;
    leaf_without_blocks = LeafPipeline { depth: 3 }, TipFirst { block: Block::Ignored, ..TIP_FIRST }, Intervals;
    edges_first = groups(9, u32::MAX), LargerFirst, EdgesFirst { full: ExactOnly };
    simultaneous = MEAN, Simultaneous, SeventeenAxes;
    level_queue = MEAN, LevelQueue, SeventeenAxes;
    priority = MEAN, Priority::default(), SeventeenAxes;
    restart = MEAN, Restart, SeventeenAxes;
    front = MEAN, Front, SeventeenAxes;
    front_of_both = MEAN, FrontOfBoth { renewed: true }, SeventeenAxes;
    median = groups(1, u32::MAX), LargerFirst, SeventeenAxes;
    groups_of_four = groups(4, u32::MAX), LargerFirst, SeventeenAxes;
    three_levels = groups(1, 3), Front, SeventeenAxes;
    penalty = TopDown::new(AxisBoxFit, Penalty::default()), LargerFirst, SeventeenAxes;
    intervals = MEAN, LargerFirst, Intervals;
    sign_permutation = MEAN, LargerFirst, SignPermutation;
    edge_face = MEAN, LargerFirst, EdgeFace;
    exact_only = MEAN, LargerFirst, ExactOnly;
}

impinge_testkit::conformance!(dop_6, impinge_hierarchy::methods::kdop_of::<3>());
impinge_testkit::conformance!(dop_14, impinge_hierarchy::methods::kdop_of::<7>());
impinge_testkit::conformance!(dop_26, impinge_hierarchy::methods::kdop_of::<13>());
