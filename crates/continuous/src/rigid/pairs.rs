//! Many pairs of bodies that move.

use impinge_query::{Answer, Ask, Control, Detector, Hint, PairMemory, Prepared, batch};

use impinge_geometry::Pose;

use super::advance::{Questions, sweep_both, sweep_by};
use super::extent::Extent;
use super::motion::RigidMotion;
use super::outcome::{SweepError, SweepOptions, Swept};
use super::relative::RelativeMotion;

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
        let MovingPair { models, extents, motion } = &pairs[index];
        asking(detector, *models, memory, |ask| sweep_both(ask, *extents, motion, options, control))
    };
    batch::answers(pairs.len(), fresh, control, work, each)
}

/// Sweeps B past A, both prepared by `detector`, through every motion, in the manner of [`sweep_pairs`]; the
/// answers are those of [`sweep_by`].
///
/// # Errors
/// As there.
pub fn sweep_motions(
    detector: &dyn Detector,
    (models, extents): ([&Prepared; 2], [&Extent; 2]),
    motions: &[RigidMotion],
    options: &SweepOptions,
    control: &Control<'_>,
    each: &mut dyn FnMut(usize, &Swept),
) -> Result<(), (usize, SweepError)> {
    let fresh = || detector.memory();
    let work = |index: usize, memory: &mut PairMemory, control: &Control<'_>| {
        asking(detector, models, memory, |ask| {
            sweep_by(ask, extents, &motions[index], options, control)
        })
    };
    batch::answers(motions.len(), fresh, control, work, each)
}

/// Runs a sweep whose answer depends on nothing that was asked before.
fn asking(
    detector: &dyn Detector,
    [a, b]: [&Prepared; 2],
    memory: &mut PairMemory,
    sweep: impl FnOnce(&mut Questions<'_>) -> Result<Swept, SweepError>,
) -> Result<Swept, SweepError> {
    detector.recall(a, b, memory, Hint::default())?;
    sweep(&mut |pose: &Pose, ask: &Ask, control: &Control<'_>, answer: &mut Answer| {
        detector.query(a, b, pose, memory, ask, control, answer)
    })
}
