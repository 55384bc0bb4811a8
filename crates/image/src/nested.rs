//! When two solids that share a point must have surfaces that meet: neither has a component inside
//! the other.
//!
//! **Proof.** Let `p` be inside both solids as posed, that is, at winding numbers other than 0 about
//! both surfaces, and suppose that the surfaces share no point. Let `C` be the connected part around
//! `p` of what is inside both. It is bounded, and its outer boundary is connected and lies on the two
//! surfaces. These are disjoint closed sets, so it lies on one of them, say A's. Let `K` be a component
//! of A's surface that carries a part of it. `K` shares no point with B's surface, so B's winding
//! number is constant on and near `K`; beside the boundary it is not 0, so it is not 0 on `K`. So `K`
//! is in the convex hull of B's posed vertices, and every vertex of `K` is in any box around them. If
//! each component of either surface has a vertex outside a box around the other, the surfaces meet.
//! Components may be nested, inverted, or touch each other: only the winding numbers count.

use impinge_geometry::volume::Obb;
use impinge_geometry::{Mesh, Point, Topology};

/// For each component of a surface, the vertices with the least and the greatest coordinates.
#[derive(Clone, Debug, Default)]
pub(crate) struct Extremes(Vec<[u32; 6]>);

impl Extremes {
    pub(crate) fn of(mesh: &Mesh, topology: &Topology) -> Self {
        let first = |&t: &u32| [mesh.triangles()[t as usize][0]; 6];
        let mut all: Vec<[u32; 6]> = topology.components().iter().map(first).collect();
        let at = |v: u32, k: usize| mesh.vertices()[v as usize][k];
        for (corners, &component) in mesh.triangles().iter().zip(topology.component_of()) {
            let extremes = &mut all[component as usize];
            for &v in corners {
                for k in 0..3 {
                    if at(v, k) < at(extremes[k], k) {
                        extremes[k] = v;
                    }
                    if at(v, k) > at(extremes[3 + k], k) {
                        extremes[3 + k] = v;
                    }
                }
            }
        }
        Self(all)
    }

    /// Whether each component certainly has a vertex outside a box, with vertices placed by `place`.
    pub(crate) fn reach_out(
        &self,
        mesh: &Mesh,
        around: &Obb,
        place: impl Fn(&Point) -> Point,
    ) -> bool {
        let outside = |&v: &u32| !around.contains(&place(&mesh.vertices()[v as usize]));
        self.0.iter().all(|extremes| extremes.iter().any(outside))
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&self.0[..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge_geometry::Vector;
    use impinge_models::Shape;

    #[test]
    fn extremes_are_the_six_corners_of_an_octahedron() {
        let corners = [[1.0, 0.1, 0.2], [0.1, 1.0, 0.3], [0.2, 0.3, 1.0]];
        let all = corners.into_iter().chain(corners.map(|p| p.map(|x: f64| 0.4 - x)));
        let vertices: Vec<Point> = all.map(Point::from).collect();
        let triangles = [[0, 1, 2], [1, 3, 2], [3, 4, 2], [4, 0, 2]];
        let below = triangles.map(|[u, v, _]| [v, u, 5]);
        let mesh = Mesh::new(vertices, triangles.into_iter().chain(below).collect());
        let mesh = mesh.expect("in range");
        let extremes = Extremes::of(&mesh, &Topology::new(&mesh));
        assert_eq!(extremes.0, [[3, 4, 5, 0, 1, 2]]);
        assert_eq!(extremes.bytes(), 24);
    }

    #[test]
    fn every_component_must_reach_out() {
        let cube = Shape::Cube.mesh(12, 0);
        let beside = |x: f64| {
            let moved = cube.vertices().iter().map(|p| p + Vector::new(x, 0.0, 0.0)).collect();
            Mesh::new(moved, cube.triangles().to_vec()).expect("in range")
        };
        let around = Obb {
            center: Point::origin(),
            axes: *impinge_geometry::Pose::identity().rotation(),
            half: Vector::new(1.0, 1.0, 1.0),
        };
        let reach = |parts: &[Mesh]| {
            let mesh = Mesh::union(parts).expect("in range");
            let extremes = Extremes::of(&mesh, &Topology::new(&mesh));
            assert_eq!(extremes.0.len(), parts.len());
            extremes.reach_out(&mesh, &around, |p| *p)
        };
        assert!(reach(&[beside(0.6)]) && reach(&[beside(-0.6), beside(3.0)]));
        assert!(!reach(&[beside(0.4)]) && !reach(&[beside(-0.6), beside(0.45)]));
    }
}
