//! The minimal overlap region: the intersection of the axis-aligned boxes of two parts.
//!
//! 1. B's parts get new boxes in every query, from their posed vertices; A's keep theirs. Both are
//!    along the axes of A's frame.
//! 2. The intersection is viewed along its longest axis, so that the picture is as small as
//!    possible.
//! 3. The depth range contains both boxes: a hull clipped in front would have no front faces.

use impinge_geometry::volume::Aabb;
use impinge_geometry::{Point, Pose, Vector};
use impinge_shaders::image::View;

use super::model::{RecodeModel, boxes_of};
use crate::viewport::MARGIN;

/// B's posed vertices, and the boxes of its parts.
#[derive(Debug, Default)]
pub struct Placed {
    vertices: Vec<Point>,
    pub(super) boxes: Vec<Aabb>,
}

impl Placed {
    /// Poses B. Exact: these are the vertices of the posed pair. O(vertices).
    pub(super) fn place(&mut self, b: &RecodeModel, pose: &Pose) {
        self.vertices.clear();
        self.vertices.extend(b.mesh().vertices().iter().map(|p| pose.apply(p)));
        boxes_of(b.decomposition().patches(), &self.vertices, &mut self.boxes);
    }
}

/// The shortest side of a box, in the meshes' unit.
pub(super) fn shortest(common: &Aabb) -> f64 {
    (common.max - common.min).min()
}

/// The view of the intersection of two boxes; `None` if it is empty.
pub(super) fn view(a: &Aabb, b: &Aabb) -> Option<View> {
    let common = a.intersection(b)?;
    let sides = common.max - common.min;
    let along = sides.imax();
    let [right, up] = [(along + 1) % 3, (along + 2) % 3];
    let centre = common.center();
    let (near, far) = (a.min[along].min(b.min[along]), a.max[along].max(b.max[along]));
    let margin = (far - near) * MARGIN;
    let axis = |k: usize| <[f64; 3]>::from(Vector::ith(k, 1.0));
    Some(View {
        centre: centre.into(),
        right: axis(right),
        forward: axis(along),
        half_width: sides[right] * 0.5,
        half_height: sides[up] * 0.5,
        near: near - centre[along] - margin,
        far: far - centre[along] + margin,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cuboid(min: [f64; 3], max: [f64; 3]) -> Aabb {
        Aabb { min: Point::from(min), max: Point::from(max) }
    }

    #[test]
    fn the_common_box_is_seen_along_its_longest_axis_and_nothing_is_cut_off() {
        let a = cuboid([0.0; 3], [4.0, 10.0, 6.0]);
        let b = cuboid([3.0, -2.0, 4.0], [9.0, 7.0, 9.0]);
        let view = view(&a, &b).expect("they have a box in common");
        assert_eq!(view.forward, [0.0, 1.0, 0.0]);
        assert_eq!(view.centre, [3.5, 3.5, 5.0]);
        // Up is along x, right along z.
        assert_eq!((view.right, view.half_width, view.half_height), ([0.0, 0.0, 1.0], 1.0, 0.5));
        assert!(view.near < -5.5 && view.near > -5.6 && view.far > 6.5 && view.far < 6.6);
        assert_eq!(shortest(&a.intersection(&b).expect("as above")), 1.0);
    }

    #[test]
    fn boxes_apart_have_no_view() {
        let (a, b) = (cuboid([0.0; 3], [1.0; 3]), cuboid([2.0, 0.0, 0.0], [3.0; 3]));
        assert!(view(&a, &b).is_none());
    }
}
