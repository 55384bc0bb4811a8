//! The depths of many pairs of bodies.

use impinge_geometry::Pose;
use impinge_query::{Control, QueryError, batch};

use super::body::PenetrationBody;
use super::penetration;
use super::report::{Penetration, PenetrationOptions};

/// Two bodies, and the pose of the second in the frame of the first.
pub type PosedBodies<'p> = ([&'p PenetrationBody; 2], Pose);

/// [`penetration`] of every pair, over all threads of the caller's rayon pool, or of the global one, handed
/// over in order; the same bits for any number of them. Reports progress as the stage `"pairs"`.
///
/// # Errors
/// The first index without an answer, and why; also if the caller cancelled. Exactly the answers before it
/// were delivered.
pub fn penetrations(
    pairs: &[PosedBodies<'_>],
    options: &PenetrationOptions,
    control: &Control<'_>,
    each: &mut dyn FnMut(usize, &Penetration),
) -> Result<(), (usize, QueryError)> {
    let work = |index: usize, (): &mut (), control: &Control<'_>| {
        let ([a, b], b_in_a) = &pairs[index];
        penetration(a, b, b_in_a, options, control)
    };
    batch::answers(pairs.len(), || (), control, work, each)
}
