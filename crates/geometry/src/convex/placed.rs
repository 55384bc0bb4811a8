//! A convex body as a support function: at rest, or posed.

use super::ConvexBody;
use crate::gjk::{Extreme, Support};
use crate::volume::UNIT;
use crate::{Pose, Vector};

/// A body in its own frame, and the last point found, from which the next climb starts.
#[derive(Clone, Debug)]
pub struct AtRest<'b> {
    body: &'b ConvexBody,
    at: u32,
}

impl<'b> AtRest<'b> {
    /// The body at rest. The first climb starts at the point `from`, or at 0 if there is no such
    /// point.
    pub fn new(body: &'b ConvexBody, from: u32) -> Self {
        Self { body, at: if from < body.extremes() { from } else { 0 } }
    }

    /// The index of the last point found.
    pub fn last(&self) -> u32 {
        self.at
    }
}

impl Support for AtRest<'_> {
    fn farthest(&mut self, d: &Vector) -> Extreme {
        self.at = self.body.farthest(d, self.at);
        Extreme { index: self.at, point: self.body.extreme(self.at) }
    }

    fn excess(&self) -> f64 {
        0.0
    }
}

/// A posed body: the set of its vertices, each rounded once by [`Pose::apply`].
#[derive(Clone, Debug)]
pub struct Posed<'b> {
    body: &'b ConvexBody,
    pose: &'b Pose,
    at: u32,
    excess: f64,
}

impl<'b> Posed<'b> {
    /// The posed body; the first climb starts as in [`AtRest::new`].
    ///
    /// Its excess, with `m` the body's largest coordinate and `τ` the translation's: a posed vertex
    /// is off by at most `4u (√3 m + τ)` per coordinate; for the vertex found and any other that is
    /// `14 u m + 8 u τ`. The direction, rotated back, is off by `3u |d|₁` per component, times a
    /// difference of vertices of at most `2m` in each of three coordinates: `18 u m`. The sum
    /// `32 u m + 8 u τ` is enlarged to `40 u m + 10 u τ`, plus the smallest normal number for
    /// underflow.
    pub fn new(body: &'b ConvexBody, pose: &'b Pose, from: u32) -> Self {
        let (m, t) = (body.max_abs(), pose.translation().amax());
        let excess = 40.0 * UNIT * m + 10.0 * UNIT * t + f64::MIN_POSITIVE;
        Self { body, pose, at: if from < body.extremes() { from } else { 0 }, excess }
    }

    /// The index of the last point found.
    pub fn last(&self) -> u32 {
        self.at
    }
}

impl Support for Posed<'_> {
    fn farthest(&mut self, d: &Vector) -> Extreme {
        let turned_back = self.pose.rotation().tr_mul(d);
        self.at = self.body.farthest(&turned_back, self.at);
        Extreme { index: self.at, point: self.pose.apply(&self.body.extreme(self.at)) }
    }

    fn excess(&self) -> f64 {
        self.excess
    }
}
