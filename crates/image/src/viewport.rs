//! The view of a pair of boxes (fan 2003, §2.4.3).
//!
//! 1. On each of the six face axes, intersect the two boxes' intervals
//!    ([`Obb::overlap_intervals`]). Eq. 2-10 uses `ρ_A + ρ_B − |D·s|` for the length of the
//!    intersection, which is too long if one interval contains the other; here it is the actual
//!    length.
//! 2. For each box, drop the axis with the longest intersection. The other two span a rectangle;
//!    the smaller of the two rectangles is the viewport, its normal the direction of view.
//! 3. The viewport's centre is the centre of the two intersections, which equals eq. 2-10 if
//!    neither interval contains the other.
//! 4. The depth range contains both boxes, plus [`MARGIN`] for rounding to 32 bits, so nothing is
//!    clipped.

use impinge_geometry::Vector;
use impinge_geometry::volume::{AxisOverlap, Obb};
use impinge_shaders::image::View;

/// Share of the depth range that is added at either end. Larger: coarser depths.
pub(crate) const MARGIN: f64 = 1.0 / 1024.0;

/// The view of a pair, and the penetration of its boxes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Viewport {
    pub(crate) view: View,
    /// Least overlap on a face axis, in the meshes' unit.
    pub(crate) overlap: f64,
}

impl Viewport {
    /// The view of two boxes in one frame; `None` if they are certainly apart.
    pub(crate) fn new(a: &Obb, b: &Obb) -> Option<Self> {
        let common = a.overlap_intervals(b)?;
        let (of_a, of_b) = (Rectangle::new(&common[..3]), Rectangle::new(&common[3..]));
        let overlap = common.iter().fold(f64::INFINITY, |least, c| least.min(c.length()));
        let view = if of_b.is_smaller(&of_a) { of_b.view(b, a) } else { of_a.view(a, b) };
        Some(Self { view, overlap })
    }
}

/// The intersections on two axes of a box.
struct Rectangle {
    /// Index of the dropped axis; the next one is the width, the one after it the height.
    along: usize,
    width: AxisOverlap,
    height: AxisOverlap,
}

impl Rectangle {
    fn new(common: &[AxisOverlap]) -> Self {
        let longer = |best: usize, k: usize| {
            if common[k].length() > common[best].length() { k } else { best }
        };
        let along = (1..3).fold(0, longer);
        Self { along, width: common[(along + 1) % 3], height: common[(along + 2) % 3] }
    }

    /// Whether it has less area. Compares ratios, so that no product overflows.
    fn is_smaller(&self, other: &Self) -> bool {
        let ratio = |a: &AxisOverlap, b: &AxisOverlap| a.length() / b.length();
        ratio(&self.width, &other.width) * ratio(&self.height, &other.height) < 1.0
    }

    /// The view along the dropped axis of `own`.
    fn view(&self, own: &Obb, other: &Obb) -> View {
        let axis = |step: usize| own.axis((self.along + step) % 3);
        let middle = |c: &AxisOverlap| c.low * 0.5 + c.high * 0.5;
        let centre = own.center + axis(1) * middle(&self.width) + axis(2) * middle(&self.height);
        let forward = axis(0);
        let reach = |b: &Obb| {
            let at = forward.dot(&(b.center - centre));
            let r: f64 = (0..3).map(|i| b.half[i] * forward.dot(&b.axis(i)).abs()).sum();
            (at - r, at + r)
        };
        let ((a0, a1), (b0, b1)) = (reach(own), reach(other));
        let (near, far) = (a0.min(b0), a1.max(b1));
        let margin = (far - near) * MARGIN;
        View {
            centre: centre.into(),
            right: axis(1).into(),
            forward: forward.into(),
            half_width: self.width.length() * 0.5,
            half_height: self.height.length() * 0.5,
            near: near - margin,
            far: far + margin,
        }
    }
}

/// The up direction of a view.
pub(crate) fn up(view: &View) -> Vector {
    Vector::from(view.right).cross(&Vector::from(view.forward))
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge_geometry::{Point, Pose};
    use nalgebra::Matrix3;

    fn cuboid(centre: [f64; 3], half: [f64; 3]) -> Obb {
        Obb { center: Point::from(centre), axes: Matrix3::identity(), half: Vector::from(half) }
    }

    #[test]
    fn the_smaller_rectangle_is_seen_along_the_longest_common_part() {
        // Common parts: x 1 … 2, y −1 … 1, z −5 … 5.
        let a = cuboid([0.0; 3], [2.0, 3.0, 5.0]);
        let b = cuboid([3.0, 0.0, 0.0], [2.0, 1.0, 9.0]);
        let Viewport { view, overlap } = Viewport::new(&a, &b).expect("they overlap");
        assert_eq!(view.forward, [0.0, 0.0, 1.0]);
        assert_eq!(view.right, [1.0, 0.0, 0.0]);
        let near = |x: f64, y: f64| (x - y).abs() < 1e-9;
        assert!(near(view.half_width, 0.5) && near(view.half_height, 1.0) && near(overlap, 1.0));
        assert!(near(view.centre[0], 1.5) && near(view.centre[1], 0.0));
        assert!(view.near < -9.0 && view.near > -9.1 && view.far > 9.0 && view.far < 9.1);
    }

    #[test]
    fn one_box_inside_another_has_the_inner_box_as_viewport() {
        let outer = cuboid([0.0; 3], [10.0; 3]);
        let inner = cuboid([3.0, 1.0, 0.0], [1.0, 2.0, 3.0]);
        let view = Viewport::new(&outer, &inner).expect("inside").view;
        assert!((view.half_width * view.half_height - 2.0).abs() < 1e-9, "not eq. 2-10's");
        assert!((view.centre[0] - 3.0).abs() < 1e-9 && (view.centre[1] - 1.0).abs() < 1e-9);
    }

    #[test]
    fn boxes_apart_have_no_view_and_tiny_ones_have() {
        let a = cuboid([0.0; 3], [1.0; 3]);
        assert!(Viewport::new(&a, &cuboid([3.0, 0.0, 0.0], [1.0; 3])).is_none());
        for size in [1e-150, 1e150] {
            let half = [size, 2.0 * size, 3.0 * size];
            let (a, b) = (cuboid([0.0; 3], half), cuboid([size, 0.0, 0.0], half));
            let turned = b.posed(&Pose::identity());
            let view = Viewport::new(&a, &turned).expect("they overlap").view;
            assert!((view.half_width * view.half_height / (size * size) - 1.0).abs() < 1e-9);
        }
    }
}
