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
            for &t in &leaf.triangles()[..leaf.len()] {
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
    use impinge_geometry::{Mesh, Triangle, Vector};
    use impinge_models::{Random, Shape};
    use impinge_query::{Cancel, Engine, Statistics};

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
        let (model, pose) = (model(&mesh), Pose::identity());
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

    fn model(mesh: &Mesh) -> WideModel {
        wide().prepare(mesh, &Control::NONE).expect("not cancelled")
    }

    /// A box in any place and direction, with its axes in 64 bits as they are stored.
    fn turned(random: &mut Random) -> (Node, [[f64; 3]; 3]) {
        let pose = random.pose(1.0);
        let axes: [[f64; 3]; 3] = (*pose.rotation()).into();
        let axes = axes.map(|axis| axis.map(|x| x as f32));
        let any = |random: &mut Random, low| -> [f32; 3] {
            let v: [f64; 3] = random.vector(low, 1.0).into();
            v.map(|x| x as f32)
        };
        let mut node = Node::empty(any(random, -1.0));
        node.set(0, &Lane { center: any(random, -1.0), half: any(random, 0.1), axes });
        (node, axes.map(|axis| axis.map(f64::from)))
    }

    /// A point of the model by its coordinates along the box's axes, in half-lengths.
    fn within(node: &Node, axes: &[[f64; 3]; 3], part: [f64; 3]) -> [f64; 3] {
        let lane = node.get(0);
        std::array::from_fn(|k| {
            let along: f64 = (0..3).map(|j| part[j] * f64::from(lane.half[j]) * axes[j][k]).sum();
            f64::from(node.origin[k]) + f64::from(lane.center[k]) + along
        })
    }

    #[test]
    fn a_point_is_outside_a_turned_box_if_it_is_beyond_a_side() {
        let mut random = Random::new(61);
        let mut out = 0;
        for case in 0..1_000 {
            let (node, axes) = turned(&mut random);
            let part: [f64; 3] = random.vector(-1.2, 1.2).into();
            let most = part.iter().fold(0.0f64, |most, x| most.max(x.abs()));
            if (most - 1.0).abs() > 1e-4 {
                let beyond = outside(&node, &within(&node, &axes, part), 0.0);
                assert_eq!(beyond, most > 1.0, "{case}: {part:?}");
                out += u32::from(beyond);
            }
            // The allowance for rounding is added to each side.
            let mut side = part.map(|x| 0.5 * x);
            side[case % 3] = 1.0 + 0.01 / f64::from(node.get(0).half[case % 3]);
            let at = within(&node, &axes, side);
            assert!(outside(&node, &at, 0.009) && !outside(&node, &at, 0.011), "{case}");
        }
        assert!((100..900).contains(&out), "{out}");
    }

    /// As by the box's corners in A's frame: the ray runs up from within their bounds, or from below.
    #[test]
    fn a_turned_box_is_reached_if_the_ray_passes_its_bounds() {
        let corners = vec![Point::origin(), Point::new(1.0, 0.0, 0.0), Point::new(0.0, 1.0, 0.0)];
        let model = model(&Mesh::new(corners, vec![[0, 1, 2]]).expect("legal"));
        let mut random = Random::new(62);
        let mut hits = 0;
        for case in 0..2_000 {
            let (node, axes) = turned(&mut random);
            let pose = random.pose(1.0);
            let surface = Surface::new(&model, pose);
            let posed = |at: [f64; 3]| pose.apply(&Point::from(at));
            let sides =
                (0..8).map(|c| [c & 1, c >> 1 & 1, c >> 2].map(|s| 2.0 * f64::from(s) - 1.0));
            let corners: Vec<Point> = sides.map(|side| posed(within(&node, &axes, side))).collect();
            let at: [f64; 3] = random.vector(-2.5, 2.5).into();
            let eye = posed(at);
            let off = |k: usize| {
                let on = |pick: fn(f64, f64) -> f64, from: f64| {
                    corners.iter().map(|p| p[k]).fold(from, pick)
                };
                let low = on(f64::min, f64::INFINITY);
                let high = on(f64::max, f64::NEG_INFINITY);
                if k == 2 { eye[k] - high } else { (eye[k] - high).max(low - eye[k]) }
            };
            let far = (0..3).map(off).fold(f64::NEG_INFINITY, f64::max);
            if far.abs() > 1e-4 {
                let reached = surface.reaches(&node, 0, &at, 0.0);
                assert_eq!(reached, far < 0.0, "{case}: {far}");
                hits += u32::from(reached);
                assert!(surface.reaches(&node, 0, &at, far.max(0.0) + 1e-5), "{case}: {far}");
                assert!(far < 0.0 || !surface.reaches(&node, 0, &at, far - 1e-5), "{case}");
            }
        }
        assert!((100..1_900).contains(&hits), "{hits}");
    }

    /// Points by a few last digits from posed corners and edges of a cube, of several sizes and far
    /// away: the winding number is that of all triangles.
    #[test]
    fn rounding_of_a_far_pose_loses_no_crossing() {
        let mut random = Random::new(63);
        let (mut inside, mut asked) = (0, 0);
        for size in [1.0, 1e-6, 1e6] {
            let cube = Shape::Cube.mesh(48, 0).scaled(size).expect("in range");
            let model = model(&cube);
            for case in 0..400 {
                let away = size * [0.0, 1.0, 1e6, 1e9][case % 4];
                let way = random.unit_vector() * away;
                let pose = random.turned_to(way);
                let triangles: Vec<Triangle> =
                    cube.corners().map(|t| t.map(|p| pose.apply(&p))).collect();
                let t = &triangles[random.below(triangles.len() as u64) as usize];
                let part = [0.0, 0.5, random.unit()][case % 3];
                let mut p = t[0] + (t[1] - t[0]) * part;
                let unit = f64::EPSILON * (size + away);
                p += random.vector(-2.0, 2.0) * unit;
                p.z -= size * random.below(2) as f64 * random.unit();
                let (mut sum, mut on) = (0, false);
                for t in &triangles {
                    match crossing(t, &p) {
                        Crossing::Adds(n) => sum += n,
                        Crossing::On => on = true,
                    }
                }
                if !on {
                    let surface = Surface::new(&model, pose);
                    let found = surface.winding(&p, &mut (), &Control::NONE).expect("runs");
                    assert_eq!(found, sum, "{size} {case} {away}");
                    (inside, asked) = (inside + u32::from(sum != 0), asked + 1);
                }
            }
        }
        assert!(asked > 1_000 && inside > 100, "{inside} of {asked}");
    }

    /// A ray looks at the flag before every node and leaf.
    #[test]
    fn at_most_sixteen_tests_of_a_ray_follow_a_look() {
        let model = model(&crate::search::pile(500));
        let (surface, p) = (Surface::new(&model, Pose::identity()), Point::new(0.2, 0.2, 0.1));
        let asked = |look: u64| {
            let (cancel, mut counter) = (Cancel::at_look(look), Statistics::default());
            let found = surface.winding(&p, &mut counter, &Control::NONE.cancelled_by(&cancel));
            (found, cancel.looks().expect("a flag that counts"))
        };
        let (found, all) = asked(u64::MAX);
        assert!(found == Ok(500) && all.longest <= 16 && all.number > 100, "{found:?}, {all:?}");
        for look in [1, 2, all.number / 2, all.number] {
            let (found, looks) = asked(look);
            assert!(found == Err(Cancelled) && looks.number == look, "{look}: {looks:?}");
            assert!(looks.longest <= 16, "{look}: {looks:?}");
        }
    }

    /// Few boxes are reached: the allowance is small.
    #[test]
    fn a_ray_through_a_large_mesh_tests_few_triangles() {
        for size in [1.0, 1e-6, 1e6] {
            let mesh = Shape::Sphere.mesh(20_000, 0).scaled(size).expect("in range");
            let model = model(&mesh);
            let pose = Pose::translation_by(Vector::new(size, 0.3 * size, -0.2 * size));
            let surface = Surface::new(&model, pose.expect("finite"));
            let (low, high) = mesh.bounds();
            let p = Point::from((low.coords + high.coords) / 2.0);
            let p = p + Vector::new(1.01 * size, 0.32 * size, -0.2 * size);
            let mut counter = Statistics::default();
            let found = surface.winding(&p, &mut counter, &Control::NONE).expect("runs");
            assert_eq!(found, 1, "{size}");
            assert!(counter.primitive_tests < 40, "{size}: {counter:?}");
        }
    }
}
