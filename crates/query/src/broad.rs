//! Broad phases: of many objects, the pairs whose boxes meet. What meets is then asked of a
//! [`Detector`](crate::Detector).

use impinge_geometry::volume::Aabb;

use crate::{Cancelled, Control};

/// Finds the pairs of boxes that meet, step by step: it may keep what it learned in the last one.
pub trait BroadPhase: Send {
    /// Its one word, as on the command line and in `docs/methods/`.
    fn word(&self) -> &'static str;

    /// Hands every two boxes that share a point to `each`, once, the lower index first. Touching
    /// counts, as everywhere. The order is the method's own, and the same for the same steps.
    ///
    /// `boxes[i]` is where object `i` is in this step, in one frame for all; `None` if there is no
    /// such object now. Boxes may move as far as they like between steps, and indices may come and go.
    ///
    /// # Errors
    /// [`Cancelled`]; what was handed over then is a part, and the next step begins anew.
    fn pairs(
        &mut self,
        boxes: &[Option<Aabb>],
        control: &Control<'_>,
        each: &mut dyn FnMut(u32, u32),
    ) -> Result<(), Cancelled>;
}

/// Every box against every other: what others are compared with. Keeps nothing. O(n²).
#[derive(Clone, Copy, Debug, Default)]
pub struct EveryPair;

impl BroadPhase for EveryPair {
    fn word(&self) -> &'static str {
        "every-pair"
    }

    /// In ascending order.
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
