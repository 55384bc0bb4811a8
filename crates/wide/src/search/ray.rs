//! The winding number of a closed surface about a point: exact crossings of the ray in direction +z
//! of A's frame with the triangles whose boxes it may hit.

use impinge_geometry::exact::{Crossing, crossing};
use impinge_geometry::{Point, Pose};
use impinge_query::{Cancelled, Control, Counter};

use crate::frame::power_of_two;
use crate::model::WideModel;
use crate::tree::{LEAF, Node};

/// A closed surface and its pose.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surface<'q> {
    model: &'q WideModel,
    pose: Pose,
    /// Columns of the rotation.
    columns: [[f64; 3]; 3],
}

impl<'q> Surface<'q> {
    pub(crate) fn new(model: &'q WideModel, pose: Pose) -> Self {
        Self { model, columns: (*pose.rotation()).into(), pose }
    }

    /// The winding number about `p`, a point in A's frame that is not on the surface.
    ///
    /// # Errors
    /// [`Cancelled`].
    pub(crate) fn winding<C: Counter>(
        &self,
        p: &Point,
        counter: &mut C,
        control: &Control<'_>,
    ) -> Result<i32, Cancelled> {
        control.check()?;
        let tree = &self.model.tree;
        let way = p - self.pose.translation();
        let [x, y, z] = &self.columns;
        let back = |column: &[f64; 3]| column[0] * way.x + column[1] * way.y + column[2] * way.z;
        let scale = tree.frame.scale();
        let at = tree.frame.enter(scale, &Point::new(back(x), back(y), back(z)));
        // Rounding in 64 bits of posing and of posing back. Products that underflow are off by
        // 2⁻¹⁰⁷⁵ in the mesh's unit, so by less than 2⁻⁷⁰ in the model's.
        let size = self.model.max_abs() + self.pose.translation().amax() + p.coords.amax();
        let pad = size * scale * power_of_two(-44) + power_of_two(-44);
        counter.volumes(1);
        if tree.nodes.first().is_none_or(|root| outside(root, &at, pad)) {
            return Ok(0);
        }
        let mut winding = 0;
        let mut stack = vec![0u32];
        while let Some(child) = stack.pop() {
            control.check()?;
            if child & LEAF == 0 {
                let node = &tree.nodes[child as usize];
                counter.volumes(u64::from(node.lanes));
                let reached = (0..node.lanes as usize).filter(|l| self.reaches(node, *l, &at, pad));
                stack.extend(reached.map(|l| node.child[l]));
                continue;
            }
            let leaf = &tree.leaves[(child & !LEAF) as usize];
            for &t in &leaf.triangles[..leaf.len()] {
                counter.primitives(1);
                let triangle = self.model.mesh().triangle(t).map(|x| self.pose.apply(&x));
                if let Crossing::Adds(n) = crossing(&triangle, p) {
                    winding += n;
                }
            }
        }
        Ok(winding)
    }

    /// Whether the ray from `at` (in the model's frame) may hit the box in a lane, by the box's
    /// projections on A's axes. The stored frame is orthonormal to 2.1 u = 1.3e-7 and half-lengths
    /// bound coordinates along its axes, so a projection may be larger by 3 · 1.3e-7 of their sum.
    fn reaches(&self, node: &Node, l: usize, at: &[f64; 3], pad: f64) -> bool {
        let lane = node.get(l);
        let way: [f64; 3] =
            std::array::from_fn(|k| f64::from(node.origin[k]) + f64::from(lane.center[k]) - at[k]);
        let pad = pad + 1e-6 * lane.half.iter().map(|h| f64::from(*h)).sum::<f64>();
        let shadow = |k: usize| {
            let r = self.columns.map(|column| column[k]);
            let along = |v: &[f64; 3]| r[0] * v[0] + r[1] * v[1] + r[2] * v[2];
            let reach: f64 = (0..3)
                .map(|j| along(&lane.axes[j].map(f64::from)).abs() * f64::from(lane.half[j]))
                .sum();
            (along(&way), reach + pad)
        };
        let [(x, rx), (y, ry), (z, rz)] = [shadow(0), shadow(1), shadow(2)];
        x.abs() <= rx && y.abs() <= ry && z >= -rz
    }
}

/// Whether `at` is outside the root box. Then it is outside the convex hull, and its winding number
/// is 0. The pad is that of [`Surface::reaches`].
fn outside(root: &Node, at: &[f64; 3], pad: f64) -> bool {
    let lane = root.get(0);
    let half = lane.half.map(f64::from);
    let pad = pad + 1e-6 * (half[0] + half[1] + half[2]);
    let way: [f64; 3] =
        std::array::from_fn(|k| f64::from(root.origin[k]) + f64::from(lane.center[k]) - at[k]);
    (0..3).any(|j| {
        let axis = lane.axes[j].map(f64::from);
        (axis[0] * way[0] + axis[1] * way[1] + axis[2] * way[2]).abs() > half[j] + pad
    })
}

#[cfg(test)]
mod tests {
    use impinge_geometry::Mesh;
    use impinge_query::Engine;

    use super::*;
    use crate::tree::Lane;
    use crate::wide;

    /// A box of one long side: the allowance is relative to the sum of its sides.
    #[test]
    fn a_point_is_outside_beyond_a_millionth_of_the_box() {
        for long in 0..3 {
            let mut half = [2f32.powi(-20); 3];
            half[long] = 4.0;
            let mut node = Node::empty([0.5, 0.25, -0.5]);
            node.set(
                0,
                &Lane { half, axes: [[1., 0., 0.], [0., 1., 0.], [0., 0., 1.]], ..Lane::default() },
            );
            for (by, out) in [(-1e-7, false), (3.9e-6, false), (4.1e-6, true)] {
                for k in 0..3 {
                    let mut at = node.origin.map(f64::from);
                    at[k] += f64::from(half[k]) + by;
                    assert_eq!(outside(&node, &at, 0.0), out, "{long} {k} {by}");
                }
            }
        }
    }

    /// Boxes of any size, on the model's axes: the allowance for rounding is relative to their
    /// size.
    #[test]
    fn a_box_is_reached_by_rays_that_pass_it_by_a_millionth_of_its_size() {
        let corners = vec![Point::origin(), Point::new(1.0, 0.0, 0.0), Point::new(0.0, 1.0, 0.0)];
        let mesh = Mesh::new(corners, vec![[0, 1, 2]]).expect("legal");
        let (engine, pose) = (wide(), Pose::identity());
        let model = engine.prepare(&mesh, &Control::NONE).expect("not cancelled");
        let surface = Surface::new(&model, pose);
        for size in [1.0f32, 2f32.powi(-10), 2f32.powi(-20)] {
            let (mut node, half) =
                (Node::empty([0.5, 0.25, -0.5]), [1.0, 2.0, 3.0].map(|x| x * size));
            node.set(
                0,
                &Lane { half, axes: [[1., 0., 0.], [0., 1., 0.], [0., 0., 1.]], ..Lane::default() },
            );
            // The sum of the half-lengths is six times the size.
            for (by, passes) in [(-1e-3, true), (5e-6, true), (7e-6, false)] {
                let beyond = |k: usize, way: f64| {
                    let mut at = node.origin.map(f64::from);
                    at[k] += way * (f64::from(half[k]) + by * f64::from(size));
                    surface.reaches(&node, 0, &at, 0.0)
                };
                for (k, way) in [(0, 1.0), (0, -1.0), (1, 1.0), (1, -1.0), (2, 1.0)] {
                    assert_eq!(beyond(k, way), passes, "{size} {by} {k} {way}");
                }
                assert!(beyond(2, -1.0), "the ray runs up");
            }
        }
    }
}
