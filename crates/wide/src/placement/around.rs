//! Whether the boxes around two whole models are apart along the line between their middles. Most models that
//! are apart are so by far; then neither tree is looked at.
//!
//! Proof: `docs/wide-bounds.md`, "Boxes around the models".

use impinge_geometry::Pose;
use impinge_query::Counter;

use super::{APART, AXES, CenterOffset, FAR_APART, Placement, dot, of_origin, rounding};
use crate::frame::power_of_two;
use crate::model::WideModel;
use crate::tree::Tree;

/// The box of a tree's root, in the model's frame and 64 bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RootBox {
    middle: [f64; 3],
    /// Its axes, each as long as its half-length. Products of two 32-bit numbers are exact.
    arms: [[f64; 3]; 3],
    /// What rounded axes may add to its reach along a unit vector.
    slack: f64,
}

impl RootBox {
    pub(crate) fn of(tree: &Tree) -> Self {
        let root = tree.nodes[0].single(0);
        let half = root.lane.half.map(f64::from);
        Self {
            middle: of_origin(&root),
            arms: [0, 1, 2].map(|j| root.lane.axes[j].map(|x| f64::from(x) * half[j])),
            slack: AXES * (half[0] + half[1] + half[2]),
        }
    }

    /// A number that `way · x` exceeds for no point `x` of the model, but for rounding in 64 bits. `length` is
    /// at least that of `way`.
    #[inline(always)]
    fn end(&self, way: &[f64; 3], length: f64) -> f64 {
        let mut end = dot(&self.middle, way) + self.slack * length;
        for arm in &self.arms {
            end += dot(arm, way).abs();
        }
        end
    }
}

/// Two models along the vector between their middles, in the larger model's unit.
struct Along {
    /// For all points `p` of A and `q` of B, `way · (q − p)` is at least this. Not finite if numbers are too
    /// large.
    gap: f64,
    /// The square of the vector's length.
    square: f64,
}

impl CenterOffset {
    #[inline(always)]
    fn along(&self, [a, b]: [&RootBox; 2], rounding: f64) -> Along {
        let most = self.exponents[0].max(self.exponents[1]);
        let unit = power_of_two(-most);
        let ratios = self.exponents.map(|e| power_of_two((e - most).max(-FAR_APART)));
        let [x, y, z] = self.vector.map(|x| x * unit);
        let way = [x, y, z];
        let [p, q, r] = &self.columns;
        let back = [-dot(p, &way), -dot(q, &way), -dot(r, &way)];
        let length = x.abs() + y.abs() + z.abs();
        let ends = ratios[0] * a.end(&way, length) + ratios[1] * b.end(&back, length);
        let pad = rounding * unit + power_of_two(-100);
        let square = dot(&way, &way);
        Along { gap: square - (ends + 2.0 * length * pad), square }
    }
}

impl Placement {
    /// For contacts of two models. `None` if balls around them do not meet, or if the boxes around them are
    /// apart along the line between their middles; the latter counts as the test of a box.
    pub(crate) fn unless_apart<C: Counter>(
        pose: &Pose,
        models: [&WideModel; 2],
        counter: &mut C,
    ) -> Option<Self> {
        let offset = CenterOffset::new(pose, models.map(|model| &model.tree.frame));
        let max_abs = models.map(WideModel::max_abs);
        let rounding = rounding(pose, max_abs);
        if !offset.is_near(rounding) {
            return None;
        }
        counter.volumes(1);
        let along = offset.along(models.map(|model| &model.root), rounding);
        (!(along.gap > 0.0)).then(|| offset.placement(pose, max_abs, APART))
    }

    /// Whether the same boxes and line show that two models are farther apart than `distance`. Counts as the
    /// test of a box.
    pub(crate) fn is_beyond<C: Counter>(
        pose: &Pose,
        models: [&WideModel; 2],
        distance: f64,
        counter: &mut C,
    ) -> bool {
        counter.volumes(1);
        let offset = CenterOffset::new(pose, models.map(|model| &model.tree.frame));
        let rounding = rounding(pose, models.map(WideModel::max_abs));
        let along = offset.along(models.map(|model| &model.root), rounding);
        let least = distance / offset.size * along.square.sqrt();
        along.gap > least && along.gap < f64::INFINITY
    }
}

#[cfg(test)]
mod tests;
