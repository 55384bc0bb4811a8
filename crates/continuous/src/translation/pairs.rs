//! The ways out of many pairs of bodies.

use impinge_geometry::Vector;
use impinge_query::{Control, Meaning, batch};

use super::exit::{Exit, ExitError, Way};
use super::model::Translations;

/// [`Translations::exit`] of every pair along a direction of its own, over all threads of the caller's
/// rayon pool, or of the global one, handed over in order; the same bits for any number of them. Reports
/// progress as the stage `"pairs"`.
///
/// # Errors
/// The first index without an answer, and why; also if the caller cancelled. Exactly the answers before it
/// were delivered.
pub fn exits(
    pairs: &[(Translations<'_>, Vector)],
    way: Way,
    meaning: Meaning,
    control: &Control<'_>,
    each: &mut dyn FnMut(usize, &Exit),
) -> Result<(), (usize, ExitError)> {
    let work = |index: usize, (): &mut (), control: &Control<'_>| {
        let (pair, direction) = &pairs[index];
        pair.exit(way, direction, meaning, control)
    };
    batch::answers(pairs.len(), || (), control, work, each)
}
