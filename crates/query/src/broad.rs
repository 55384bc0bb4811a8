//! Broad phases: find the pairs of objects whose boxes overlap, to be given to a
//! [`Detector`](crate::Detector).

use impinge_geometry::volume::Aabb;

use crate::{Cancelled, Control};

/// Finds the pairs of overlapping boxes, step by step; may keep state between steps.
pub trait BroadPhase: Send {
    /// The name of the method on the command line and in `docs/methods/`.
    fn word(&self) -> &'static str;

    /// Calls `each` once for every two boxes that share a point, lower index first. Touching
    /// counts. The order depends on the method, and is the same for the same steps.
    ///
    /// `boxes[i]` is the box of object `i` in this step, in one frame for all; `None` if there is
    /// no such object. Boxes may move any distance between steps, and indices may come and go.
    ///
    /// # Errors
    /// [`Cancelled`]; the pairs reported are then incomplete, and the next step starts from
    /// scratch.
    fn pairs(
        &mut self,
        boxes: &[Option<Aabb>],
        control: &Control<'_>,
        each: &mut dyn FnMut(u32, u32),
    ) -> Result<(), Cancelled>;
}

/// Tests every pair of boxes, as a baseline. Keeps no state. O(n²).
#[derive(Clone, Copy, Debug, Default)]
pub struct EveryPair;

impl BroadPhase for EveryPair {
    fn word(&self) -> &'static str {
        "every-pair"
    }

    /// Reports pairs in ascending order.
    fn pairs(
        &mut self,
        boxes: &[Option<Aabb>],
        control: &Control<'_>,
        each: &mut dyn FnMut(u32, u32),
    ) -> Result<(), Cancelled> {
        let present = |(i, one): (usize, &Option<Aabb>)| one.map(|one| (i as u32, one));
        let present: Vec<(u32, Aabb)> = boxes.iter().enumerate().filter_map(present).collect();
        for (k, (i, one)) in present.iter().enumerate() {
            control.check()?;
            for (j, other) in &present[k + 1..] {
                if one.overlaps(other) {
                    each(*i, *j);
                }
            }
        }
        Ok(())
    }
}
