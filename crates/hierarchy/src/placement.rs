//! Where B's volumes are during one query, and how much rounding their tests must absorb.

use impinge_geometry::Pose;
use impinge_query::Query;

use crate::model::TreeModel;
use crate::volume::Volume;

/// Relative rounding absorbed per box, in units of its half-lengths' sum; see
/// `docs/methods/obbtree.md`, "Error bound". 2⁻⁴⁴ is 512 units of rounding.
pub const SLACK: f64 = 1.0 / (1u64 << 44) as f64;

/// The pose of B in A's frame, as rows for lane arithmetic, with the query's padding.
#[derive(Clone, Copy, Debug)]
pub struct Placement {
    /// `rows[i] = [R_i0, R_i1, R_i2, t_i]`.
    pub rows: [[f64; 4]; 3],
    /// Absolute rounding of posed vertices, box centres and their difference: no volume test may
    /// separate by less. Unit: the meshes'.
    pub pad: f64,
}

impl Placement {
    /// The placement of a query between meshes whose largest coordinate magnitudes are `max_a` and
    /// `max_b`.
    pub fn new(pose: &Pose, max_a: f64, max_b: f64) -> Self {
        let (r, t) = (pose.rotation(), pose.translation());
        let row = |i: usize| [r[(i, 0)], r[(i, 1)], r[(i, 2)], t[i]];
        let scale = max_a + 2.0 * max_b + t.amax();
        Self { rows: [row(0), row(1), row(2)], pad: SLACK * scale + f64::MIN_POSITIVE }
    }

    /// The placement of a query.
    pub(crate) fn of<V: Volume>(query: &Query<'_, TreeModel<V>>) -> Self {
        Self::new(query.pose, query.a.max_abs(), query.b.max_abs())
    }

    /// The point moved into A's frame, to rounding; what decides a verdict goes through
    /// [`Pose::apply`] instead.
    #[inline(always)]
    pub fn apply(&self, p: &[f64; 3]) -> [f64; 3] {
        self.rows.map(|r| r[0] * p[0] + r[1] * p[1] + r[2] * p[2] + r[3])
    }
}
