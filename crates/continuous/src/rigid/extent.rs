//! Where a mesh is: boxes around parts of its surface.

use impinge_geometry::volume::Aabb;
use impinge_geometry::{Mesh, Point};
use impinge_query::{Cancelled, Control};

/// Boxes around the parts of a mesh, in its own frame: what a sweep knows of it beside its distances.
/// Make it once a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Extent {
    whole: Aabb,
    parts: Vec<Aabb>,
}

/// How often the box of the mesh is halved.
const HALVINGS: u32 = 6;

/// Triangles between looks at the caller's flag.
const CHUNK: usize = 4096;

impl Extent {
    /// The box of the mesh is halved across the longest edge, six times; a part is what has the centre
    /// of its box in one cell. O(n).
    ///
    /// # Errors
    /// [`Cancelled`].
    pub fn new(mesh: &Mesh, control: &Control<'_>) -> Result<Self, Cancelled> {
        let mut whole = Aabb::EMPTY;
        each(mesh, control, |one| whole = whole.merged(&one))?;
        let mut cells = [1_usize; 3];
        // Half of each edge: the whole of a mesh from −1e300 to 1e300 squared leaves no range.
        let edges = whole.max.coords * 0.5 - whole.min.coords * 0.5;
        for _ in 0..HALVINGS {
            let edge = |k: usize| edges[k] / cells[k] as f64;
            let longest = (1..3).fold(0, |best, k| if edge(k) > edge(best) { k } else { best });
            cells[longest] *= 2;
        }
        let mut parts = vec![Aabb::EMPTY; 1 << HALVINGS];
        each(mesh, control, |one| {
            let centre = one.center();
            let cell = |k: usize| {
                let share = (centre[k] * 0.5 - whole.min[k] * 0.5) / edges[k];
                // A flat mesh has no share, and one cell.
                ((share * cells[k] as f64) as usize).min(cells[k] - 1)
            };
            let index = (cell(0) * cells[1] + cell(1)) * cells[2] + cell(2);
            parts[index] = parts[index].merged(&one);
        })?;
        parts.retain(|part| *part != Aabb::EMPTY);
        Ok(Self { whole, parts })
    }

    /// The box around the mesh.
    pub(crate) const fn whole(&self) -> &Aabb {
        &self.whole
    }

    /// The boxes around its parts.
    pub(crate) fn parts(&self) -> &[Aabb] {
        &self.parts
    }

    /// The diagonal of the box around the mesh, at least.
    pub(crate) fn size(&self) -> f64 {
        self.whole.extent().sum()
    }

    /// A bound of the distance of its points from `centre`.
    pub(crate) fn reach(&self, centre: &Point) -> f64 {
        let far = |k: usize| {
            (self.whole.max[k] - centre[k]).abs().max((self.whole.min[k] - centre[k]).abs())
        };
        far(0) + far(1) + far(2)
    }
}

/// Calls `visit` with the box of every triangle.
fn each(mesh: &Mesh, control: &Control<'_>, mut visit: impl FnMut(Aabb)) -> Result<(), Cancelled> {
    for chunk in mesh.triangles().chunks(CHUNK) {
        control.check()?;
        for t in chunk {
            visit(Aabb::of_triangle(&t.map(|v| mesh.vertices()[v as usize])));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge_models::Shape;

    #[test]
    fn every_triangle_is_in_a_part_and_parts_are_small() {
        for (shape, most) in [(Shape::Torus, 0.5), (Shape::Gear, 0.6), (Shape::Leaf, 0.5)] {
            let mesh = shape.mesh(2_000, 0);
            let extent = Extent::new(&mesh, &Control::NONE).expect("not cancelled");
            let mut longest = 0.0_f64;
            for t in mesh.triangles() {
                let corners = t.map(|v| mesh.vertices()[v as usize]);
                let inside = |part: &&Aabb| corners.iter().all(|p| part.contains(p));
                assert!(extent.parts().iter().any(|part| inside(&part)), "{shape}: {t:?}");
            }
            for part in extent.parts() {
                assert_eq!(extent.whole().merged(part), *extent.whole());
                longest = longest.max(part.extent().max());
            }
            assert!(extent.parts().len() > 10 && longest < most, "{shape}: {longest}");
        }
    }

    #[test]
    fn a_single_point_and_the_largest_mesh_have_parts() {
        let point = Mesh::new(vec![Point::new(1.0, 2.0, 3.0)], vec![[0, 0, 0]]).expect("a mesh");
        let extent = Extent::new(&point, &Control::NONE).expect("not cancelled");
        assert_eq!((extent.parts().len(), extent.size()), (1, 0.0));
        let far = [[-1e300, 0.0, 0.0], [1e300, 0.0, 0.0], [0.0, 1e300, 1e300]].map(Point::from);
        let large = Mesh::new(far.to_vec(), vec![[0, 1, 2]]).expect("a mesh");
        let extent = Extent::new(&large, &Control::NONE).expect("not cancelled");
        assert_eq!(extent.parts(), [*extent.whole()]);
    }
}
