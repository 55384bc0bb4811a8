//! Many pairs of bodies that move.

use impinge_query::{Answer, Ask, Control, Detector, Hint, PairMemory, Prepared};

use impinge_geometry::Pose;

use super::advance::sweep_both;
use super::extent::Extent;
use super::outcome::{SweepError, SweepOptions, Swept};
use super::relative::RelativeMotion;
use crate::in_order::in_order;

/// Two bodies that move.
#[derive(Clone, Copy, Debug)]
pub struct MovingPair<'p> {
    /// A and B, prepared by one method.
    pub models: [&'p Prepared; 2],
    /// Where their meshes are.
    pub extents: [&'p Extent; 2],
    /// How B moves in the frame of A.
    pub motion: RelativeMotion,
}

/// Sweeps every pair, over all threads of the caller's rayon pool, or of the global one, and hands the
/// answers over in order. They are the same bits for any number of threads, if those of the method are.
/// Reports progress as the stage `"pairs"`.
///
/// # Errors
/// The first index without an answer, and why; also if the caller cancelled. Exactly the answers before it
/// were delivered.
pub fn sweep_pairs(
    detector: &dyn Detector,
    pairs: &[MovingPair<'_>],
    options: &SweepOptions,
    control: &Control<'_>,
    each: &mut dyn FnMut(usize, &Swept),
) -> Result<(), (usize, SweepError)> {
    let fresh = || detector.memory();
    let work = |index: usize, memory: &mut PairMemory, control: &Control<'_>| {
        let MovingPair { models: [a, b], extents, motion } = &pairs[index];
        // The answer depends on nothing that was asked before.
        detector.recall(a, b, memory, Hint::default())?;
        let mut ask = |pose: &Pose, ask: &Ask, control: &Control<'_>, answer: &mut Answer| {
            detector.query(a, b, pose, memory, ask, control, answer)
        };
        sweep_both(&mut ask, *extents, motion, options, control)
    };
    in_order(pairs.len(), fresh, control, work, each)
}
