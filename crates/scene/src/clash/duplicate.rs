//! Whether two posed meshes are equal as sets of triangles.

use impinge_geometry::{Mesh, Pose, Triangle};
use impinge_query::{Cancelled, Control};

/// A triangle's corners as bits that are ordered in some way, the least corner first. Equal for
/// triangles of equal coordinates and the same winding.
type Key = [[u64; 3]; 3];

/// Corners that are looked up before all triangles are compared.
const SOME: usize = 16;

/// Whether A and B, posed in A's frame, have the same triangles: the order of triangles and the
/// first corner aside; a triangle that comes twice counts once. O(n log n); O(n) unless some corners
/// of B are corners of A.
pub(super) fn are_equal(
    a: &Mesh,
    b: &Mesh,
    b_in_a: &Pose,
    control: &Control<'_>,
) -> Result<bool, Cancelled> {
    // Without this, most pairs would be posed in vain. Every corner of B must be one of A's.
    let step = b.triangles().len() / SOME + 1;
    for t in (0..b.triangles().len()).step_by(step) {
        control.check()?;
        let corner = b_in_a.apply(&b.triangle(t as u32)[0]);
        if !a.vertices().contains(&corner) {
            return Ok(false);
        }
    }
    let keys = |mesh: &Mesh, pose: Option<&Pose>| {
        let mut keys = Vec::with_capacity(mesh.triangles().len());
        for (t, triangle) in mesh.corners().enumerate() {
            if t.is_multiple_of(1 << 14) {
                control.check()?;
            }
            keys.push(key(&pose.map_or(triangle, |pose| triangle.map(|p| pose.apply(&p)))));
        }
        keys.sort_unstable();
        keys.dedup();
        Ok(keys)
    };
    Ok(keys(a, None)? == keys(b, Some(b_in_a))?)
}

fn key(triangle: &Triangle) -> Key {
    // Adding zero makes one of the two zeros.
    let corners = triangle.map(|p| [0, 1, 2].map(|k| (p[k] + 0.0).to_bits()));
    let [p, q, r] = corners;
    [[p, q, r], [q, r, p], [r, p, q]].into_iter().min().unwrap_or(corners)
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge_geometry::Vector;
    use impinge_models::Shape;

    #[test]
    fn order_and_first_corner_do_not_matter_and_winding_does() {
        let cube = Shape::Cube.mesh(48, 0);
        let mut turned: Vec<[u32; 3]> = cube.triangles().to_vec();
        turned.reverse();
        turned.iter_mut().step_by(2).for_each(|t| t.rotate_left(1));
        turned.push(turned[3]);
        let equal = |triangles: &[[u32; 3]], at: f64| {
            let mesh = Mesh::new(cube.vertices().to_vec(), triangles.to_vec()).expect("legal");
            let moved = mesh.vertices().iter().map(|p| p - Vector::repeat(at)).collect();
            let mesh = mesh.with_vertices(moved).expect("legal");
            let pose = Pose::translation_by(Vector::repeat(at)).expect("near");
            are_equal(&cube, &mesh, &pose, &Control::NONE).expect("not cancelled")
        };
        assert!(equal(&turned, 0.0) && equal(&turned, 0.5));
        assert!(!equal(&turned[1..turned.len() - 1], 0.0), "one is missing");
        turned[7].swap(0, 1);
        assert!(!equal(&turned, 0.0), "one is wound the other way");
        let off = Pose::translation_by(Vector::new(f64::EPSILON, 0.0, 0.0)).expect("near");
        assert!(!are_equal(&cube, &cube, &off, &Control::NONE).expect("not cancelled"));
    }
}
