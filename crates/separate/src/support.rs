//! Support points along the axes of the query's frame: the samples that train the machine.

use crate::points::Points;
use crate::volume::{Slab, Volume};

/// How near a vertex must be to a support plane to be a support point, as a share of the extent.
/// The paper's definition 2 asks for equality, which rounding destroys for a turned flat face.
pub const NEAR_PLANE: f64 = 1.0 / (1u64 << 40) as f64;

/// The bounds of the points along the axes of their frame. Exact: nothing is rounded.
pub fn bounds(points: &Points) -> Volume {
    Volume([0, 1, 2].map(|axis| {
        let slab = |all: Slab, &x: &f64| all.or(Slab { low: x, high: x });
        points.along(axis).iter().fold(Slab::EMPTY, slab)
    }))
}

/// Replaces `found` by the vertices within [`NEAR_PLANE`] of the extent of one of the six support
/// planes of definition 2 for `D₀ = {±x, ±y, ±z}`, in ascending order.
pub fn support_points(points: &Points, bounds: &Volume, found: &mut Vec<u32>) {
    let inner = bounds.0.map(|Slab { low, high }| {
        let margin = (high * NEAR_PLANE - low * NEAR_PLANE).max(0.0);
        Slab { low: low + margin, high: high - margin }
    });
    let [x, y, z] = [0, 1, 2].map(|axis| points.along(axis));
    found.clear();
    found.extend((0..points.len()).filter_map(|i| {
        let near = |k: usize, h: f64| h <= inner[k].low || h >= inner[k].high;
        (near(0, x[i]) | near(1, y[i]) | near(2, z[i])).then_some(i as u32)
    }));
}

/// Keeps the vertices outside the other model's bounds: `OS` of fig. 4.
pub fn outside(points: &Points, bounds: &Volume, found: &mut Vec<u32>) {
    found.retain(|&i| !bounds.has(&points.get(i).coords.into()));
}

/// Keeps at most `most` of them, evenly spaced.
pub fn thin_out(found: &mut Vec<u32>, most: usize) {
    let n = found.len();
    let most = most.min(n);
    for k in 0..most {
        found[k] = found[k * n / most];
    }
    found.truncate(most);
}

#[cfg(test)]
mod tests {
    use impinge_geometry::{Mesh, Point, Pose};

    use super::*;

    fn place(vertices: Vec<Point>) -> Points {
        let mesh = Mesh::new(vertices, vec![[0, 1, 2]]).expect("three vertices");
        let mut points = Points::default();
        points
            .place(mesh.vertices(), (None, 0), &Pose::identity(), &impinge_query::Control::NONE)
            .expect("nobody cancels");
        points
    }

    /// A vertex within 2⁻⁴⁰ of the extent counts, one four times as far does not.
    #[test]
    fn support_points_are_on_a_support_plane_or_within_a_small_share_of_the_extent() {
        for scale in [1.0, 1e-300, 1e290] {
            // Half of the share, in figures: a smaller one would not do.
            let near = 2.0_f64.powi(-41);
            let inside = [-1.0 + 2.0 * near, -1.0 + 16.0 * near, 0.0, 1.0 - 16.0 * near];
            let mut vertices = vec![[-1.0; 3], [1.0; 3]];
            vertices.extend(inside.map(|x| [x, 0.0, 0.0]));
            // An edge of the bounds, on two support planes.
            vertices.push([1.0, -1.0, 0.0]);
            let points =
                place(vertices.iter().map(|v| Point::from(v.map(|x| x * scale))).collect());
            let bounds = bounds(&points);
            assert_eq!(bounds.0, [Slab { low: -scale, high: scale }; 3]);
            let mut found = vec![9];
            support_points(&points, &bounds, &mut found);
            assert_eq!(found, [0, 1, 2, 6], "{scale:e}");
        }
    }

    /// Where the share of the extent is below the spacing of numbers, vertices on the planes count.
    #[test]
    fn far_and_flat_meshes_have_support_points() {
        let far = 1e9;
        let points = place([0.0, 1.0, 0.5].map(|x| Point::new(far + x, -far - x, 7.0)).to_vec());
        let around = bounds(&points);
        let mut found = Vec::new();
        support_points(&points, &around, &mut found);
        // All are in the plane of their z.
        assert_eq!(found, [0, 1, 2]);
        let points = place([0.0, 1.0, 0.5].map(|x| Point::new(far + x, far - x, far + x)).to_vec());
        support_points(&points, &bounds(&points), &mut found);
        assert_eq!(found, [0, 1]);
    }

    #[test]
    fn those_outside_the_other_bounds_are_samples_and_many_are_thinned_out_evenly() {
        let points = place((0..10).map(|i| Point::new(f64::from(i), 0.0, 0.0)).collect());
        let mut found: Vec<u32> = (0..10).collect();
        let other = Volume([
            Slab { low: 3.0, high: 6.0 },
            Slab { low: 0.0, high: 0.0 },
            Slab { low: -1.0, high: 1.0 },
        ]);
        outside(&points, &other, &mut found);
        assert_eq!(found, [0, 1, 2, 7, 8, 9]);
        thin_out(&mut found, 6);
        assert_eq!(found, [0, 1, 2, 7, 8, 9]);
        thin_out(&mut found, 3);
        assert_eq!(found, [0, 2, 8]);
        thin_out(&mut found, 4);
        assert_eq!(found, [0, 2, 8]);
    }
}
