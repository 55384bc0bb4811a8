//! How a set of triangles is wrapped.

use std::fmt::Debug;

use impinge_geometry::volume::{Aabb, Obb, ObbFit, Sphere};
use impinge_geometry::{Point, Triangle, Vector};

use super::{Item, Refit};
use crate::volume::{
    AxisBox, Ball, Dop, Hybrid, Merge, ObbRows, ReducedObb, SweptRectangle, Volume,
};

/// The box in which a set of triangles is split: a middle, three orthogonal unit axes, half-lengths.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// The middle, from which heights are measured.
    pub center: Point,
    /// Unit axes.
    pub axes: [Vector; 3],
    /// Half-lengths along them.
    pub half: [f64; 3],
}

impl Extent {
    /// The axes, the longest extent first.
    pub fn longest_first(&self) -> [usize; 3] {
        let mut axes = [0, 1, 2];
        axes.sort_by(|&i, &j| self.half[j].total_cmp(&self.half[i]));
        axes
    }

    /// Eight times the product of the half-lengths; at most infinite.
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

/// Where in the tree a node is.
#[derive(Clone, Copy, Debug)]
pub struct Scope {
    /// The root's extent.
    pub root: Extent,
    /// The node's depth; the root's is 0.
    pub depth: u32,
}

impl Scope {
    /// Of the root, before its extent is known.
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

/// A volume, and the box in which its triangles are to be split.
#[derive(Clone, Copy, Debug)]
pub struct Wrapped<V> {
    /// Around every triangle.
    pub volume: V,
    /// Where to split.
    pub extent: Extent,
}

/// Wraps a set of triangles, of which there is at least one.
pub trait Fit: Copy + Debug + Send + Sync + 'static {
    /// What it makes.
    type Volume: Volume;

    /// See [`Builder::refit`](super::Builder::refit).
    const REFIT: Option<Refit<Self::Volume>> = None;

    /// The volume of these triangles.
    fn wrap(&self, items: &[Item], scope: &Scope) -> Wrapped<Self::Volume>;
}

fn triangles(items: &[Item]) -> impl Iterator<Item = Triangle> + Clone + '_ {
    items.iter().map(|item| item.corners)
}

fn points(items: &[Item]) -> impl Iterator<Item = Point> + Clone + '_ {
    triangles(items).flatten()
}

fn aabb(items: &[Item]) -> Aabb {
    items[1..].iter().fold(Aabb::of_triangle(&items[0].corners), |all, item| {
        all.merged(&Aabb::of_triangle(&item.corners))
    })
}

fn obb(fit: ObbFit, items: &[Item]) -> Obb {
    match Obb::fit(fit, triangles(items)) {
        Some(obb) if items.len() > 1 => obb,
        _ => Obb::of_triangle(&items[0].corners),
    }
}

/// Oriented boxes by one of the three fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObbRowsFit(pub ObbFit);

impl Fit for ObbRowsFit {
    type Volume = ObbRows;

    fn wrap(&self, items: &[Item], _: &Scope) -> Wrapped<ObbRows> {
        let obb = obb(self.0, items);
        Wrapped { volume: ObbRows::from(&obb), extent: Extent::from(&obb) }
    }
}

/// Oriented boxes with sorted axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReducedFit(pub ObbFit);

impl Fit for ReducedFit {
    type Volume = ReducedObb;

    fn wrap(&self, items: &[Item], _: &Scope) -> Wrapped<ReducedObb> {
        let obb = obb(self.0, items);
        Wrapped { volume: ReducedObb::new(&obb, items.len() == 1), extent: Extent::from(&obb) }
    }
}

/// Axis-aligned boxes; they can be refitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AxisBoxFit;

impl Fit for AxisBoxFit {
    type Volume = AxisBox;
    const REFIT: Option<Refit<AxisBox>> = Some(Refit::MERGED);

    fn wrap(&self, items: &[Item], _: &Scope) -> Wrapped<AxisBox> {
        let aabb = aabb(items);
        Wrapped { volume: AxisBox::from(&aabb), extent: Extent::from(&aabb) }
    }
}

/// Balls about the middle of the box, or nearer to the least; split along the mesh's axes. They
/// can be refitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BallFit;

impl Fit for BallFit {
    type Volume = Ball;
    const REFIT: Option<Refit<Ball>> = Some(Refit::MERGED);

    fn wrap(&self, items: &[Item], _: &Scope) -> Wrapped<Ball> {
        let aabb = aabb(items);
        let ball = Sphere::fit_points(points(items)).map(|sphere| Ball::from(&sphere));
        let volume = ball.unwrap_or_else(|| Ball::of_triangle(&items[0].corners));
        Wrapped { volume, extent: Extent::from(&aabb) }
    }
}

/// k-DOPs with `k = 2 H`, split along the mesh's axes. They can be refitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DopFit<const H: usize>;

impl<const H: usize> Fit for DopFit<H> {
    type Volume = Dop<H>;
    const REFIT: Option<Refit<Dop<H>>> = Some(Refit::MERGED);

    fn wrap(&self, items: &[Item], _: &Scope) -> Wrapped<Dop<H>> {
        let volume = Dop::around(points(items).map(Into::into));
        Wrapped { volume, extent: Extent::from(&aabb(items)) }
    }
}

/// Rectangle-swept spheres on the axes of an oriented box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SweptFit(pub ObbFit);

impl Fit for SweptFit {
    type Volume = SweptRectangle;

    fn wrap(&self, items: &[Item], _: &Scope) -> Wrapped<SweptRectangle> {
        let obb = obb(self.0, items);
        let volume = SweptRectangle::around(&obb, points(items));
        Wrapped { volume, extent: Extent::from(&obb) }
    }
}

/// Which kinds of volumes a hybrid tree has, from the root down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Layers {
    /// Spheres, then AABBs: the traditional hybrid (li §3.2, §4).
    SphereAabb,
    /// AABBs, then OBBs centred at the area centroid: li's own.
    AabbObb,
    /// Spheres, then boxes with spheres as a buffer, then OBBs: the three layers li argues against.
    SphereBufferObb {
        /// The buffer begins at `upper` and ends where the volume falls below this share too.
        below: f64,
    },
}

/// A hybrid tree's volumes: the upper kind while the node's box has at least `share` of the volume of
/// the root's, the lower kind below (li §3.2).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HybridFit {
    /// Which kinds.
    pub layers: Layers,
    /// The share of the root's volume below which the upper layer ends; the paper's is ½.
    pub share: f64,
    /// How the oriented boxes of the lower layer are fitted.
    pub fit: ObbFit,
}

/// A root thinner than this part of its length is flat.
const FLAT: f64 = 1e-12;

impl HybridFit {
    /// Is the node's box smaller than this part of the root's, in volume; in area, if the root is
    /// flat; in length, if it is thin? Sizes are relative to the root's longest, so that nothing
    /// leaves the range.
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

    fn wrap(&self, items: &[Item], scope: &Scope) -> Wrapped<Hybrid> {
        let aabb = aabb(items);
        let own = Extent::from(&aabb);
        let lower = Self::below(&own, scope, self.share);
        let sphere = || {
            let fitted = Sphere::fit_points(points(items));
            fitted.unwrap_or_else(|| Sphere::around(aabb.center(), points(items)))
        };
        let oriented = || {
            let obb = obb(self.fit, items);
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

    /// A box's share of the root is one of volume, of a flat root one of area.
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
            // Thin, and thinner than what counts.
            assert!(below(half(8e-12, 2.0, 4.0), half(0.0, 2.0, 4.0), 1));
            assert!(!below(half(2e-12, 2.0, 4.0), half(0.0, 2.0, 4.0), 1));
            assert!(
                below(half(2e-12, 2.0, 4.0), half(0.0, 0.9, 4.0), 1),
                "less than half its area"
            );
            assert!(!below(half(0.0, 0.0, 4.0), half(0.0, 0.0, 2.0), 1), "half its length");
        }
        // So small that the limit for a flat root rounds to zero: no side is divided by zero.
        let line = |x: f64| [0.0, 0.0, x];
        assert!(below(line(4e-320), line(1e-320), 1) && !below(line(4e-320), line(3e-320), 1));
    }
}
