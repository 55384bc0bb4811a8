//! The three ways in which the papers fit an oriented box.

use super::eigen::frame;
use super::longest;
use super::moments::{LocalFrame, Moments};
use super::obb::Obb;
use crate::{Point, Triangle};

/// How the axes and the centre of a box are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ObbFit {
    /// Mean and covariance of all triangle corners (fan eq. 2-5, 2-6; RAPID). Biased towards finely
    /// subdivided regions.
    #[default]
    VertexCovariance,
    /// Covariance of the surface itself, each triangle weighted by its area (xie eq. 6-9).
    /// Independent of the subdivision. The centre is the middle of the extents.
    AreaWeighted,
    /// The same axes, but the centre is the area centroid (li eq. 7, 8) and each half-length the
    /// largest distance from it along the axis: never tighter than [`ObbFit::AreaWeighted`].
    AreaCentroid,
}

impl ObbFit {
    /// All three fits.
    pub const ALL: [Self; 3] = [Self::VertexCovariance, Self::AreaWeighted, Self::AreaCentroid];

    /// The moments of one triangle as this fit sums them.
    #[inline]
    pub fn moments(self, frame: &LocalFrame, t: &Triangle) -> Moments {
        match self {
            Self::VertexCovariance => Moments::of_corners(frame, t),
            Self::AreaWeighted | Self::AreaCentroid => Moments::of_area(frame, t),
        }
    }
}

impl Obb {
    /// The box of these triangles; `None` without triangles. Triangles of zero total area fall back
    /// to [`ObbFit::VertexCovariance`]. O(n), three passes.
    pub fn fit<I>(fit: ObbFit, triangles: I) -> Option<Self>
    where
        I: Iterator<Item = Triangle> + Clone,
    {
        let frame = LocalFrame::of_points(triangles.clone().flatten())?;
        let sum: Moments = triangles.clone().map(|t| fit.moments(&frame, &t)).sum();
        Self::from_moments(fit, &frame, &sum, triangles)
    }

    /// The box of these triangles from moments that are already known, for tree builders. `sum`
    /// must be made with [`ObbFit::moments`] in `frame`; wrong sums give a loose box, never one
    /// that misses a corner. `None` without triangles.
    pub fn from_moments<I>(
        fit: ObbFit,
        frame: &LocalFrame,
        sum: &Moments,
        triangles: I,
    ) -> Option<Self>
    where
        I: Iterator<Item = Triangle> + Clone,
    {
        let Some(mean) = sum.mean() else {
            let corners: Moments = triangles.clone().map(|t| Moments::of_corners(frame, &t)).sum();
            return Self::from_frame(&corners.axes(), triangles.flatten());
        };
        match fit {
            ObbFit::VertexCovariance | ObbFit::AreaWeighted => {
                Self::from_frame(&sum.axes(), triangles.flatten())
            }
            ObbFit::AreaCentroid => {
                Self::from_frame_at(&sum.axes(), frame.world(&mean), triangles.flatten())
            }
        }
    }

    /// The box of these points by mean and covariance; `None` without points.
    pub fn fit_points<I>(points: I) -> Option<Self>
    where
        I: Iterator<Item = Point> + Clone,
    {
        let frame = LocalFrame::of_points(points.clone())?;
        let sum: Moments = points.clone().map(|p| Moments::of_point(&frame, &p)).sum();
        Self::from_frame(&sum.axes(), points)
    }

    /// The box of one triangle: first axis along its longest side (the first of equals), third
    /// along its normal. Faster and flatter than a fit by moments; for the leaves of a tree.
    pub fn of_triangle(t: &Triangle) -> Self {
        let sides = [t[1] - t[0], t[2] - t[1], t[0] - t[2]];
        let scale = sides.iter().fold(0.0f64, |m, s| m.max(s.amax()));
        let scale = super::moments::power_below_inverse(scale);
        let sides = sides.map(|s| s * scale);
        let squared = sides.map(|s| s.norm_squared());
        let longest = longest(&squared);
        // The two shorter sides meet at the widest angle, which gives the most accurate in-plane
        // direction.
        let axes = frame(&sides[longest], &sides[(longest + 1) % 3]);
        Self::hull(&axes, t[0], t.iter().copied())
    }
}
