//! An edge against an oriented box, on six axes. The derivation of the enlargement is in
//! `docs/methods/stream-tree.md`, "Error bound".

use impinge_hierarchy::volume::{ObbRows, Volume};

use super::{dot, sub};
use crate::model::{Frame, narrow};

/// By how much boxes are enlarged, in units of δ. At most 132 are needed. Larger: more edges tested
/// against triangles.
pub(super) const ENLARGED: f32 = 192.0;

/// Covers results below the smallest normal number: an adapter may take any of five for 0.
pub(super) const TINY: f32 = 16.0 * f32::MIN_POSITIVE;

/// An oriented box in 32 bits: unit axes as rows, centre, half-lengths.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StreamBox {
    pub(super) axes: [[f32; 3]; 3],
    pub(super) centre: [f32; 3],
    pub(super) half: [f32; 3],
}

impl StreamBox {
    pub(crate) fn new(volume: &ObbRows, frame: &Frame) -> Self {
        let rows = volume.rows();
        let axes = [0, 1, 2].map(|i| [0, 1, 2].map(|k: usize| rows[k][i] as f32));
        if frame.is_point() {
            return Self { axes, centre: [0.0; 3], half: [0.0; 3] };
        }
        Self {
            axes,
            centre: narrow(frame.place(volume.center())),
            half: volume.half().map(|h| (h / frame.unit) as f32),
        }
    }

    /// Whether the edge from `p` to `q` may meet the box. `false` proves that it does not: the
    /// projections on an axis of the box, or on one perpendicular to such an axis and to the edge,
    /// are disjoint. An infinite `delta` gives `true`.
    #[inline(always)]
    pub(crate) fn meets(&self, p: [f32; 3], q: [f32; 3], delta: f32) -> bool {
        self.meets_enlarged(p, q, ENLARGED * delta)
    }

    /// The same for the box enlarged by `more` on every side.
    #[inline(always)]
    #[allow(clippy::needless_bitwise_bool)] // no branches, so that edges are tested side by side
    pub(super) fn meets_enlarged(&self, p: [f32; 3], q: [f32; 3], more: f32) -> bool {
        let middle = [0, 1, 2].map(|k| 0.5 * p[k] + 0.5 * q[k]);
        let half = [0, 1, 2].map(|k| 0.5 * q[k] - 0.5 * p[k]);
        let to = sub(middle, self.centre);
        let m = self.axes.map(|axis| dot(axis, to));
        let v = self.axes.map(|axis| dot(axis, half));
        let d = v.map(f32::abs);
        let h = self.half.map(|h| h + more);
        let along = |k: usize| m[k].abs() > h[k] + d[k];
        let across = |i: usize, j: usize| {
            (m[i] * v[j] - m[j] * v[i]).abs() > h[i] * d[j] + h[j] * d[i] + TINY
        };
        !(along(0) | along(1) | along(2) | across(1, 2) | across(2, 0) | across(0, 1))
    }
}
