//! Divides sets of triangles. Every split moves the first part to the front and returns its size;
//! neither part is empty. Triangles that cross a plane are assigned by their centroid.
//!
//! What a split returns after the caller has cancelled is of no use: see [`Passes`].

use std::fmt::Debug;

use impinge_geometry::{Point, Triangle, Vector};

use super::fit::{Extent, Fit};
use super::set::wrap;
use super::{Item, Passes};

/// Divides a set of at least two triangles.
pub trait Split: Copy + Debug + Send + Sync + 'static {
    /// Reorders the items and returns the size of the first part.
    fn split<F: Fit>(
        &self,
        items: &mut [Item],
        extent: &Extent,
        fit: &F,
        passes: &Passes<'_>,
    ) -> usize;
}

/// Splits at the mean of the centroids along the longest axis. If all are on one side, tries the
/// other axes; if none divides them, halves the list (fan §1.3.3.3; anthology 4 §2.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mean;

impl Split for Mean {
    fn split<F: Fit>(
        &self,
        items: &mut [Item],
        extent: &Extent,
        _: &F,
        passes: &Passes<'_>,
    ) -> usize {
        for axis in extent.longest_first() {
            let (below, _) = at_mean(items, extent, axis, passes);
            if below > 0 && below < items.len() {
                return below;
            }
        }
        items.len() / 2
    }
}

/// Divides at the mean height along an axis; returns the number below, and the mean.
fn at_mean(items: &mut [Item], extent: &Extent, axis: usize, passes: &Passes<'_>) -> (usize, f64) {
    let along = |item: &Item| height(&item.corners, &extent.center, &extent.axes[axis]);
    let mean = passes.sum(items, along) / items.len() as f64;
    (partition(items, passes, |item| along(item) < mean), mean)
}

/// Splits at the median of the centroids along the longest axis, into halves (anthology 5 §2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Median;

impl Split for Median {
    fn split<F: Fit>(&self, items: &mut [Item], extent: &Extent, _: &F, _: &Passes<'_>) -> usize {
        let [axis, ..] = extent.longest_first();
        let along = |item: &Item| height(&item.corners, &extent.center, &extent.axes[axis]);
        let half = items.len() / 2;
        // Ties are broken by index, so that the tree does not depend on the order of the items.
        items.select_nth_unstable_by(half, |s, t| {
            along(s).total_cmp(&along(t)).then(s.index.cmp(&t.index))
        });
        half
    }
}

/// Splits at the mean along the axis for which the children's volumes have the smallest sum (xie
/// §3.4). Takes four times the fits of [`Mean`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeastVolume;

impl Split for LeastVolume {
    fn split<F: Fit>(
        &self,
        items: &mut [Item],
        extent: &Extent,
        fit: &F,
        passes: &Passes<'_>,
    ) -> usize {
        let scope = super::fit::Scope { root: *extent, depth: 1 };
        let mut best: Option<(f64, usize, f64)> = None;
        for axis in extent.longest_first() {
            let (below, mean) = at_mean(items, extent, axis, passes);
            if below == 0 || below == items.len() {
                continue;
            }
            let (left, right) = items.split_at(below);
            let volume = |part: &[Item]| wrap(fit, part, &scope, passes).extent.volume();
            let sum = volume(left) + volume(right);
            if best.is_none_or(|(least, ..)| sum < least) {
                best = Some((sum, axis, mean));
            }
        }
        let Some((_, axis, mean)) = best else { return items.len() / 2 };
        // Reuse the mean: summed in another order, it might divide elsewhere.
        partition(items, passes, |item| {
            height(&item.corners, &extent.center, &extent.axes[axis]) < mean
        })
    }
}

/// Splits at the plane that minimises `|n_l − n_r| + λ n_c` over candidates on all three axes, with
/// `n_c` the number of triangles that cross the plane (fan §4.2). These are assigned by their
/// centroid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Penalty {
    /// Weight `λ` of a crossing triangle.
    pub lambda: f64,
    /// Number of planes tried along each axis, evenly spaced: 1,024 at most.
    pub planes: u32,
}

/// Most planes along an axis: a small set then takes some ten milliseconds.
const MOST_PLANES: u32 = 1 << 10;

impl Default for Penalty {
    fn default() -> Self {
        Self { lambda: 1.0, planes: 15 }
    }
}

impl Split for Penalty {
    fn split<F: Fit>(
        &self,
        items: &mut [Item],
        extent: &Extent,
        _: &F,
        passes: &Passes<'_>,
    ) -> usize {
        let mut best: Option<(f64, usize, f64)> = None;
        let planes = self.planes.min(MOST_PLANES);
        for axis in 0..3 {
            for plane in 1..=planes {
                let share = f64::from(plane) / f64::from(planes + 1);
                let at = (2.0 * share - 1.0) * extent.half[axis];
                let cost = self.cost(passes.over(items), extent, axis, at);
                if best.is_none_or(|(least, ..)| cost < least) {
                    best = Some((cost, axis, at));
                }
            }
        }
        if let Some((_, axis, at)) = best {
            let along = |item: &Item| height(&item.corners, &extent.center, &extent.axes[axis]);
            let below = partition(items, passes, |item| along(item) < at);
            if below > 0 && below < items.len() {
                return below;
            }
        }
        // No plane divides the centroids.
        Median.split(items, extent, &super::fit::AxisBoxFit, passes)
    }
}

impl Penalty {
    fn cost<'i>(
        self,
        items: impl Iterator<Item = &'i Item>,
        extent: &Extent,
        axis: usize,
        at: f64,
    ) -> f64 {
        let (mut left, mut right, mut crossing) = (0_u32, 0_u32, 0_u32);
        for item in items {
            let over = item.corners.map(|p| (p - extent.center).dot(&extent.axes[axis]) - at);
            left += u32::from(over.iter().any(|x| *x < 0.0));
            right += u32::from(over.iter().any(|x| *x >= 0.0));
            crossing += u32::from(over.iter().any(|x| *x < 0.0) && over.iter().any(|x| *x >= 0.0));
        }
        (f64::from(left) - f64::from(right)).abs() + self.lambda * f64::from(crossing)
    }
}

/// Height of the centroid above `origin`. Cannot overflow, because coordinates are at most 1e300.
pub fn height(corners: &Triangle, origin: &Point, direction: &Vector) -> f64 {
    let over = |p: &Point| (p - origin).dot(direction) / 3.0;
    over(&corners[0]) + over(&corners[1]) + over(&corners[2])
}

/// Moves the items for which `first` holds to the front; returns their number.
pub fn partition(items: &mut [Item], passes: &Passes<'_>, first: impl Fn(&Item) -> bool) -> usize {
    let mut next = 0;
    for part in passes.parts(items.len()) {
        for i in part {
            if first(&items[i]) {
                items.swap(next, i);
                next += 1;
            }
        }
    }
    next
}
