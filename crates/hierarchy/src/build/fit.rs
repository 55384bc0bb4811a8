//! Fits a bounding volume to a set of triangles.

use std::fmt::Debug;

use impinge_geometry::volume::{Aabb, Obb, ObbFit, Sphere};
use impinge_geometry::{Point, Vector};

use super::Refit;
use super::set::{Items, Set};
use crate::volume::{
    AxisBox, Ball, Dop, Hybrid, Merge, ObbRows, ReducedObb, SweptRectangle, Volume,
};

/// A box along whose axes a set of triangles is split.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// Centre; the origin of heights along the axes.
    pub center: Point,
    /// Orthogonal unit axes.
    pub axes: [Vector; 3],
    /// Half-lengths along the axes.
    pub half: [f64; 3],
}

impl Extent {
    /// Indices of the axes, longest extent first.
    pub fn longest_first(&self) -> [usize; 3] {
        let mut axes = [0, 1, 2];
        axes.sort_by(|&i, &j| self.half[j].total_cmp(&self.half[i]));
        axes
    }

    /// The volume, eight times the product of the half-lengths; may overflow to infinity.
    pub fn volume(&self) -> f64 {
        (2.0 * self.half[0]) * (2.0 * self.half[1]) * (2.0 * self.half[2])
    }
}

impl From<&Obb> for Extent {
    fn from(b: &Obb) -> Self {
        Self { center: b.center, axes: [b.axis(0), b.axis(1), b.axis(2)], half: b.half.into() }
    }
}

impl From<&Aabb> for Extent {
    fn from(b: &Aabb) -> Self {
        let half = [0, 1, 2].map(|k| 0.5 * b.max[k] - 0.5 * b.min[k]);
        Self { center: b.center(), axes: [Vector::x(), Vector::y(), Vector::z()], half }
    }
}

/// Context of a node in the tree.
#[derive(Clone, Copy, Debug)]
pub struct Scope {
    /// The root's extent.
    pub root: Extent,
    /// The node's depth; the root's is 0.
    pub depth: u32,
}

impl Scope {
    /// Context of the root, before its extent is known.
    pub const ROOT: Self = Self {
        root: Extent {
            center: Point::new(0.0, 0.0, 0.0),
            axes: [
                Vector::new(1.0, 0.0, 0.0),
                Vector::new(0.0, 1.0, 0.0),
                Vector::new(0.0, 0.0, 1.0),
            ],
            half: [0.0; 3],
        },
        depth: 0,
    };
}

/// A volume, and the box along which its triangles are to be split.
#[derive(Clone, Copy, Debug)]
pub struct Wrapped<V> {
    /// Contains every triangle.
    pub volume: V,
    /// Box whose axes the splitter uses.
    pub extent: Extent,
}

/// Fits a volume to at least one triangle.
pub trait Fit: Copy + Debug + Send + Sync + 'static {
    /// Type of the fitted volume.
    type Volume: Volume;

    /// How trees of these volumes are refitted; see [`Builder::refit`](super::Builder::refit).
    const REFIT: Option<Refit<Self::Volume>> = None;

    /// Fits a volume to these triangles. After the caller has cancelled, its value is not used, but
    /// it must not panic.
    fn wrap<'i, I: Items<'i>>(&self, set: &Set<I>, scope: &Scope) -> Wrapped<Self::Volume>;
}

/// Oriented boxes by one of the three fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObbRowsFit(pub ObbFit);

impl Fit for ObbRowsFit {
    type Volume = ObbRows;

    fn wrap<'i, I: Items<'i>>(&self, set: &Set<I>, _: &Scope) -> Wrapped<ObbRows> {
        let obb = set.obb(self.0);
        Wrapped { volume: ObbRows::from(&obb), extent: Extent::from(&obb) }
    }
}

/// Oriented boxes with axes sorted by half-length, for the five-axis test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReducedFit(pub ObbFit);

impl Fit for ReducedFit {
    type Volume = ReducedObb;

    fn wrap<'i, I: Items<'i>>(&self, set: &Set<I>, _: &Scope) -> Wrapped<ReducedObb> {
        let obb = set.obb(self.0);
        Wrapped { volume: ReducedObb::new(&obb, set.is_single()), extent: Extent::from(&obb) }
    }
}

/// Axis-aligned boxes. Refittable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AxisBoxFit;

impl Fit for AxisBoxFit {
    type Volume = AxisBox;
    const REFIT: Option<Refit<AxisBox>> = Some(Refit::MERGED);

    fn wrap<'i, I: Items<'i>>(&self, set: &Set<I>, _: &Scope) -> Wrapped<AxisBox> {
        let aabb = set.aabb();
        Wrapped { volume: AxisBox::from(&aabb), extent: Extent::from(&aabb) }
    }
}

/// Balls around the centre of the box, or closer to the smallest enclosing ball; split along the
/// mesh's axes. Refittable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BallFit;

impl Fit for BallFit {
    type Volume = Ball;
    const REFIT: Option<Refit<Ball>> = Some(Refit::MERGED);

    fn wrap<'i, I: Items<'i>>(&self, set: &Set<I>, _: &Scope) -> Wrapped<Ball> {
        let aabb = set.aabb();
        let ball = Sphere::fit_points(set.points()).map(|sphere| Ball::from(&sphere));
        let volume = ball.unwrap_or_else(|| Ball::of_triangle(set.first()));
        Wrapped { volume, extent: Extent::from(&aabb) }
    }
}

/// k-DOPs with `k = 2 H`, split along the mesh's axes. Refittable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DopFit<const H: usize>;

impl<const H: usize> Fit for DopFit<H> {
    type Volume = Dop<H>;
    const REFIT: Option<Refit<Dop<H>>> = Some(Refit::MERGED);

    fn wrap<'i, I: Items<'i>>(&self, set: &Set<I>, _: &Scope) -> Wrapped<Dop<H>> {
        let volume = Dop::around(set.points().map(Into::into));
        Wrapped { volume, extent: Extent::from(&set.aabb()) }
    }
}

/// Rectangle-swept spheres on the axes of an oriented box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SweptFit(pub ObbFit);

impl Fit for SweptFit {
    type Volume = SweptRectangle;

    fn wrap<'i, I: Items<'i>>(&self, set: &Set<I>, _: &Scope) -> Wrapped<SweptRectangle> {
        let obb = set.obb(self.0);
        let volume = SweptRectangle::around(&obb, set.points());
        Wrapped { volume, extent: Extent::from(&obb) }
    }
}

/// The kinds of volumes of a hybrid tree, from the root down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Layers {
    /// Spheres, then AABBs: the traditional hybrid (li §3.2, §4).
    SphereAabb,
    /// AABBs, then OBBs centred at the area centroid: li's own hybrid.
    AabbObb,
    /// Spheres, then boxes with spheres as a buffer layer, then OBBs: the three layers li argues
    /// against.
    SphereBufferObb {
        /// Share of the root's volume below which the buffer layer ends.
        below: f64,
    },
}

/// Volumes of a hybrid tree: the upper kind while the node's box has at least `share` of the volume
/// of the root's box, the lower kind below (li §3.2).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HybridFit {
    /// The kinds of the layers.
    pub layers: Layers,
    /// The share of the root's volume below which the upper layer ends; the paper's is ½.
    pub share: f64,
    /// How the oriented boxes are fitted.
    pub fit: ObbFit,
}

/// Sides of the root shorter than this times its longest side count as zero.
const FLAT: f64 = 1e-12;

impl HybridFit {
    /// Whether the node's box is smaller than this share of the root's: by volume, by area if the
    /// root is flat, by length if it is thin. Sizes are relative to the root's, so that nothing
    /// overflows.
    fn below(own: &Extent, scope: &Scope, share: f64) -> bool {
        let order = scope.root.longest_first();
        let longest = scope.root.half[order[0]];
        let mut part = 1.0;
        for axis in order {
            if scope.root.half[axis] > FLAT * longest {
                part *= own.half[axis] / scope.root.half[axis];
            }
        }
        scope.depth > 0 && part < share
    }
}

impl Fit for HybridFit {
    type Volume = Hybrid;

    fn wrap<'i, I: Items<'i>>(&self, set: &Set<I>, scope: &Scope) -> Wrapped<Hybrid> {
        let aabb = set.aabb();
        let own = Extent::from(&aabb);
        let lower = Self::below(&own, scope, self.share);
        let sphere = || {
            let fitted = Sphere::fit_points(set.points());
            fitted.unwrap_or_else(|| Sphere::around(aabb.center(), set.points()))
        };
        let oriented = || {
            let obb = set.obb(self.fit);
            (Hybrid::from(&obb), Hybrid::sphere_obb(&obb), Extent::from(&obb))
        };
        let (volume, extent) = match (self.layers, lower) {
            (Layers::SphereAabb, true) | (Layers::AabbObb, false) => (Hybrid::from(&aabb), own),
            (Layers::SphereAabb | Layers::SphereBufferObb { .. }, false) => {
                (Hybrid::from(&sphere()), own)
            }
            (Layers::AabbObb, true) => {
                let (volume, _, extent) = oriented();
                (volume, extent)
            }
            (Layers::SphereBufferObb { below }, true) => {
                let (obb, buffer, extent) = oriented();
                (if Self::below(&own, scope, below) { obb } else { buffer }, extent)
            }
        };
        Wrapped { volume, extent }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A box's share of the root is measured by volume, and by area for a flat root.
    #[test]
    fn a_flat_root_is_measured_by_area() {
        let extent = |half: [f64; 3]| Extent { half, ..Scope::ROOT.root };
        let below = |root: [f64; 3], own: [f64; 3], depth| {
            let scope = Scope { root: extent(root), depth };
            HybridFit::below(&extent(own), &scope, 0.5)
        };
        for unit in [1.0, 1e-300, 1e280] {
            let half = |x: f64, y: f64, z: f64| [x * unit, y * unit, z * unit];
            assert!(!below(half(1.0, 2.0, 4.0), half(1.0, 1.0, 4.0), 1), "half of it");
            assert!(below(half(1.0, 2.0, 4.0), half(0.99, 1.0, 4.0), 1), "less than half");
            assert!(!below(half(1.0, 2.0, 4.0), half(0.1, 0.1, 0.1), 0), "the root itself");
            // A thin root, and one thinner than the limit.
            assert!(below(half(8e-12, 2.0, 4.0), half(0.0, 2.0, 4.0), 1));
            assert!(!below(half(2e-12, 2.0, 4.0), half(0.0, 2.0, 4.0), 1));
            assert!(
                below(half(2e-12, 2.0, 4.0), half(0.0, 0.9, 4.0), 1),
                "less than half its area"
            );
            assert!(!below(half(0.0, 0.0, 4.0), half(0.0, 0.0, 2.0), 1), "half its length");
        }
        // So small that the limit rounds to zero: must not divide by zero.
        let line = |x: f64| [0.0, 0.0, x];
        assert!(below(line(4e-320), line(1e-320), 1) && !below(line(4e-320), line(3e-320), 1));
    }
}
