//! The plain loop over poses that every engine's batch can fall back on.

use impinge_geometry::Pose;

use crate::{Answer, BatchError, Control, QueryError};

/// Runs `query` for every pose, reusing one answer, reporting progress as the stage `"poses"`.
///
/// # Errors
/// [`BatchError`] with the index of the first pose that failed.
pub fn in_order(
    poses: &[Pose],
    control: &Control<'_>,
    each: &mut dyn FnMut(usize, &Answer),
    mut query: impl FnMut(&Pose, &mut Answer) -> Result<(), QueryError>,
) -> Result<(), BatchError> {
    let mut answer = Answer::default();
    let stride = (poses.len() / 100).max(1);
    for (index, pose) in poses.iter().enumerate() {
        query(pose, &mut answer).map_err(|source| BatchError { index, source })?;
        each(index, &answer);
        if index % stride == 0 {
            control.report("poses", index as u64 + 1, poses.len() as u64);
        }
    }
    Ok(())
}
