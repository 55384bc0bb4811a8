//! Pairs of triangles of a mesh that may meet elsewhere once its corners are rounded.

use std::ops::ControlFlow;

use impinge_geometry::Pose;
use impinge_geometry::exact::stay_apart;
use impinge_query::{Cancelled, Contact, Control};

use crate::model::WideModel;
use crate::placement::Placement;
use crate::search::Pair;
use crate::search::contacts::{Stack, Walk};
use crate::search::self_collision::SelfCollision;
use crate::simd::Width;

impl WideModel {
    /// The pairs of triangles that may share a point elsewhere than neighbours do after each corner
    /// has moved by up to `room` along each axis, equal corners by the same; most meshes have few if
    /// `room` is small. Posing a mesh moves corners so, beside the rigid motion, by rounding. Each pair
    /// is listed once, in no order. `None` if there are more than four times as many as triangles, or
    /// triangles are repeated.
    ///
    /// Cost: a descent of the tree against itself, as for contacts, without exact signs. One thread.
    ///
    /// # Errors
    /// [`Cancelled`].
    ///
    /// ```
    /// use impinge_wide::{geometry::{Mesh, Point}, query::{Control, Engine}, wide};
    /// let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// let faces = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    /// let tetrahedron = Mesh::new(corners.map(Point::from).to_vec(), faces)?;
    /// let model = wide().prepare(&tetrahedron, &Control::NONE)?;
    /// assert_eq!(model.restless(1e-6, &Control::NONE)?, Some(vec![]));
    /// assert!(model.restless(0.5, &Control::NONE)?.is_none_or(|pairs| !pairs.is_empty()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn restless(
        &self,
        room: f64,
        control: &Control<'_>,
    ) -> Result<Option<Vec<[u32; 2]>>, Cancelled> {
        let (still, frame) = (Pose::identity(), [&self.tree.frame; 2]);
        if self.coincident().is_some() {
            return Ok(None);
        }
        let Some(placement) = Placement::new(&still, frame, [self.max_abs(); 2]) else {
            return Ok(None);
        };
        // Boxes of both triangles reach farther, along any axis by the square root of 3 times the room.
        let placement = placement.with_room(3.5 * room);
        let pair = Pair { models: [self; 2], pose: &still, placement: &placement };
        let (most, mut found, mut all) = (4 * self.mesh().triangles().len(), Vec::new(), true);
        let hit = |Contact { a, b }: Contact| {
            all = found.len() < most;
            if !all {
                return ControlFlow::Break(());
            }
            found.push([a, b]);
            ControlFlow::Continue(())
        };
        let decide = |pair: &Pair<'_>, a: u32, b: u32| {
            let mesh = pair.models[0].mesh();
            !stay_apart(&mesh.triangle(a), &mesh.triangle(b), room)
        };
        let (stack, counter) = (&mut Stack::default(), &mut ());
        let walk = Walk::new(pair, stack, counter, control, hit, decide, ());
        Width::fastest().run(SelfCollision { walk, nodes: 0..self.nodes(), room })?;
        Ok(all.then_some(found))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wide;
    use impinge_geometry::exact::meet_elsewhere;
    use impinge_geometry::{Mesh, Vector};
    use impinge_models::{Random, Shape};
    use impinge_query::Engine;

    /// As found by all pairs.
    fn of_all_pairs(mesh: &Mesh, room: f64) -> Vec<[u32; 2]> {
        let n = mesh.triangles().len() as u32;
        let pairs = (0..n).flat_map(|i| (i + 1..n).map(move |j| [i, j]));
        let stay = |i: u32, j: u32| stay_apart(&mesh.triangle(i), &mesh.triangle(j), room);
        pairs.filter(|&[i, j]| !stay(i, j) || !stay(j, i)).collect()
    }

    /// Two cubes that are a thousandth of their size apart.
    fn cubes() -> Mesh {
        let cube = Shape::Cube.mesh(600, 0);
        let n = cube.vertices().len() as u32;
        let beside = cube.vertices().iter().map(|p| p + Vector::new(1.001, 0.0, 0.0));
        let vertices = cube.vertices().iter().copied().chain(beside).collect();
        let others = cube.triangles().iter().map(|t| t.map(|v| v + n));
        Mesh::new(vertices, cube.triangles().iter().copied().chain(others).collect())
            .expect("legal")
    }

    /// Everything that meets elsewhere after corners have moved is in the list, at each room; and no
    /// pair is in it that all pairs would not give.
    #[test]
    fn what_meets_after_corners_have_moved_is_listed() {
        let mut random = Random::stream(0x4e57, 0);
        let (mut listed, mut met) = (0, 0);
        let shapes = [Shape::Sphere, Shape::Cube, Shape::Gear, Shape::Hand, Shape::Trefoil];
        let meshes = shapes.map(|shape| (shape.word(), shape.mesh(600, 0)));
        for (shape, mesh) in meshes.into_iter().chain([("cubes", cubes())]) {
            let model = wide().prepare(&mesh, &Control::NONE).expect("a model");
            for room in [0.0, 2f64.powi(-38), 1e-5, 3e-3, 1e-2] {
                let Some(mut pairs) = model.restless(room, &Control::NONE).expect("runs") else {
                    assert!(room >= 3e-3, "{shape} {room}");
                    continue;
                };
                for pair in &mut pairs {
                    pair.sort_unstable();
                }
                pairs.sort_unstable();
                let all = of_all_pairs(&mesh, room);
                assert!(pairs.iter().all(|pair| all.binary_search(pair).is_ok()), "{shape} {room}");
                listed += pairs.len();
                let mut moved = mesh.vertices().to_vec();
                for p in moved.iter_mut().filter(|_| room > 0.0) {
                    *p += random.vector(-room, room);
                }
                let moved = mesh.with_vertices(moved).expect("legal");
                for pair in &all {
                    let [p, q] = pair.map(|t| moved.triangle(t));
                    if meet_elsewhere(&p, &q) {
                        met += 1;
                        assert!(pairs.binary_search(pair).is_ok(), "{shape} {room} {pair:?}");
                    }
                }
            }
            let few = model.restless(0.0, &Control::NONE).expect("runs").expect("few");
            assert!(few.len() < mesh.triangles().len(), "{shape}: {}", few.len());
        }
        assert!(listed > 100 && met > 10, "{listed} {met}");
    }

    #[test]
    fn repeated_triangles_and_crowds_are_refused() {
        let cube = Shape::Cube.mesh(48, 0);
        let mut triangles = cube.triangles().to_vec();
        triangles.push(triangles[7]);
        let twice = Mesh::new(cube.vertices().to_vec(), triangles).expect("legal");
        let model = wide().prepare(&twice, &Control::NONE).expect("a model");
        assert_eq!(model.restless(0.0, &Control::NONE).expect("runs"), None);
        let model = wide().prepare(&cube, &Control::NONE).expect("a model");
        assert_eq!(model.restless(1.0, &Control::NONE).expect("runs"), None);
    }
}
