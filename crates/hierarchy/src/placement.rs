//! The pose of B during one query, and the rounding that volume tests must allow for.

use impinge_geometry::Pose;
use impinge_query::Query;

use crate::model::TreeModel;
use crate::volume::Volume;

/// Relative slack per box, in units of the sum of its half-lengths: 2⁻⁴⁴, or 512 units of rounding.
/// See `docs/methods/obbtree.md`, "Error bound".
pub const SLACK: f64 = 1.0 / (1u64 << 44) as f64;

/// The pose of B in A's frame, as rows for lane arithmetic, with the query's pad.
#[derive(Clone, Copy, Debug)]
pub struct Placement {
    /// `rows[i] = [R_i0, R_i1, R_i2, t_i]`.
    pub rows: [[f64; 4]; 3],
    /// Absolute bound on the rounding of posed vertices, box centres and their difference: a volume
    /// test must not separate by less. In the meshes' unit.
    pub pad: f64,
}

impl Placement {
    /// The placement for meshes whose largest coordinate magnitudes are `max_a` and `max_b`.
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

    /// A point in A's frame, up to rounding; computations that decide a verdict use [`Pose::apply`]
    /// instead.
    #[inline(always)]
    pub fn apply(&self, p: &[f64; 3]) -> [f64; 3] {
        self.rows.map(|r| r[0] * p[0] + r[1] * p[1] + r[2] * p[2] + r[3])
    }
}
