//! When a witness in both hulls proves that both *solids*, as posed, share that point.
//!
//! **Setting.** `f` is B's pose as an affine map of real numbers; a posed vertex `v'` is `f(v)`
//! rounded, at most `reach` away. A's vertices are not rounded. A hull of a patch has no point of
//! its surface inside, so all of its inside has one winding number, 1.
//!
//! **Proof.** 1. A witness strictly behind every face of A's hull is inside it. 2. Let all points
//! within `reach` of the witness be strictly behind every face of `f(C)`, the exact image of B's
//! hull. Then `f(∂B)`, whose winding number there is 1, is more than `reach` away. 3. Move every
//! vertex from `f(v)` to `v'` along a line: every point of a triangle moves by at most `reach`, so
//! the surface never meets the witness, and the winding number stays 1. 4. So the witness is in
//! both solids as posed. If their surfaces are apart, then a boundary of the common part that
//! holds the witness is a component of one surface inside the other: the solids collide.
//!
//! **Step 2 from rounded corners.** For a face with corners `a, b, c` let `u` be their differences
//! to the witness, scaled so that the largest coordinate is 1, and `D = det(u_a, u_b, u_c)`, which
//! is positive behind the face. Corners and witness each move by at most `reach`, so each `u` by at
//! most `e`, twice that as scaled, plus rounding. As `|u| ≤ √3`, `D` changes by at most
//! `3 e (√3 + e)² ≤ 12 e` if `e ≤ ¼`; computing it errs by less than [`ERROR`].

use impinge_geometry::{Mesh, Point, Pose};

use crate::body::Parts;
use crate::pair::Pair;

/// How far a posed coordinate may be off, times the coordinates it comes from, for all three
/// together: 4 roundings of 2⁻⁵³, at most doubled. Larger: fewer witnesses prove a collision.
const POSING: f64 = f64::EPSILON * 8.0;

/// The error of differences scaled to 1: two roundings in three coordinates. Larger: fewer
/// witnesses prove a collision.
const SCALED: f64 = f64::EPSILON * 4.0;

/// The error of a determinant of three vectors of coordinates up to 1: 28 roundings of 2⁻⁵³.
/// Larger: fewer witnesses prove a collision.
const ERROR: f64 = f64::EPSILON * 64.0;

/// How far posed vertices of a mesh may be from their exact images.
pub(crate) fn reach(mesh: &Mesh, pose: &Pose) -> f64 {
    let (min, max) = mesh.bounds();
    let size: f64 = min.iter().zip(max.iter()).map(|(a, b)| a.abs().max(b.abs())).sum();
    POSING * (size + pose.translation().amax()) + f64::MIN_POSITIVE
}

/// Whether a point that is strictly in the hulls of two patches certainly is in both solids as posed.
pub(crate) fn holds<M: Parts>(
    pair: &Pair<'_, M>,
    patches: [u32; 2],
    p: &Point,
    reach: f64,
) -> bool {
    let [_, of_b] = pair.hulls(patches);
    of_b.iter().all(|face| is_deep(face, p, reach))
}

/// Whether every point within `reach` of `p` is strictly behind the face of a hull whose corners
/// are each within `reach` of the given ones.
pub(crate) fn is_deep(corners: &[Point; 3], p: &Point, reach: f64) -> bool {
    let u = corners.map(|corner| corner - p);
    let scale = u.iter().fold(0.0_f64, |most, d| most.max(d.amax()));
    if !(scale > 0.0 && scale.is_finite() && reach.is_finite()) {
        return false;
    }
    let [a, b, c] = u.map(|d| d / scale);
    let moved = 2.0 * reach / scale + SCALED;
    moved <= 0.25 && a.dot(&b.cross(&c)) > 12.0 * moved + ERROR
}

#[cfg(test)]
mod tests {
    use super::*;
    use impinge_geometry::Vector;
    use impinge_geometry::exact::{Location, locate};
    use impinge_geometry::predicates::{Sign, orient3d};
    use impinge_models::Random;

    /// A cube of edge 2, each side cut in two along one of its diagonals.
    fn cube(other: bool) -> Mesh {
        let at = |k: u32, axis: u32| if k >> axis & 1 == 1 { 1.0 } else { -1.0 };
        let vertices = (0..8).map(|k| Point::new(at(k, 0), at(k, 1), at(k, 2))).collect();
        let sides: [[u32; 4]; 6] =
            [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        let cut = |[a, b, c, d]: [u32; 4]| {
            if other { [[b, c, d], [b, d, a]] } else { [[a, b, c], [a, c, d]] }
        };
        Mesh::new(vertices, sides.into_iter().flat_map(cut).collect()).expect("a cube")
    }

    /// Mesh and hull are one cube with different diagonals. Posed, its sides are no longer flat, and
    /// slivers of the hull are outside of the solid. The middle of a side is posed near the origin,
    /// where points are dense.
    #[test]
    fn without_the_margin_slivers_of_a_rounded_hull_are_taken_for_the_solid() {
        let (mesh, hull) = (cube(false), cube(true));
        let mut random = Random::new(171);
        let (mut wrong, mut deep, mut inside) = (0, 0, 0);
        for _ in 0..200 {
            let turned = random.pose(0.0);
            let back = -turned.rotate(&Vector::new(1.0, 0.0, 0.0));
            let pose = Pose::new(*turned.rotation(), back).expect("finite");
            let posed = mesh.posed(&pose).expect("in range");
            let faces: Vec<[Point; 3]> =
                hull.corners().map(|t| t.map(|p| pose.apply(&p))).collect();
            let reach = reach(&mesh, &pose);
            for k in 0..60 {
                // From far below one rounding to far above the margin.
                let size = [1e-16, 4e-17, 1e-15, 1e-13, 1e-10, 1e-2][k % 6];
                let p = Point::from([0, 1, 2].map(|_| random.range(-size, size)));
                let solid = matches!(locate(&posed, &p), Location::Inside(_));
                let behind = |t: &[Point; 3]| orient3d(&t[0], &t[1], &t[2], &p) == Sign::Negative;
                let proved = faces.iter().all(|t| is_deep(t, &p, reach));
                assert!(solid || !proved, "{p:?} is outside");
                // The margin set to zero: exact signs of the rounded hull.
                wrong += usize::from(!solid && faces.iter().all(behind));
                deep += usize::from(proved);
                inside += usize::from(solid);
            }
        }
        println!("{inside} inside, {deep} proved, {wrong} wrong without the margin");
        assert!(wrong > 20, "only {wrong} are wrong without the margin: nothing is tested");
        assert!(deep * 4 > inside, "{deep} of {inside}");
    }

    /// A point of the surface of B's hull is not in the solid for certain; the middle is.
    #[test]
    fn only_a_deep_point_is_held() {
        use crate::ibcd;
        use impinge_query::{Control, Engine};
        let model = ibcd().prepare(&cube(false), &Control::NONE).expect("closed");
        let pose = Random::new(173).pose(0.5);
        let pair = Pair { a: &model, b: &model, pose: &pose };
        let reach = reach(model.mesh(), &pose);
        let middle = pose.apply(&Point::origin());
        assert!(holds(&pair, [0, 0], &middle, reach));
        for corner in pair.hulls([0, 0])[1].iter().flatten() {
            assert!(!holds(&pair, [0, 0], corner, reach));
            assert!(holds(&pair, [0, 0], &(middle + (corner - middle) * 0.99), reach));
            assert!(!holds(&pair, [0, 0], &(middle + (corner - middle) * 1.01), reach));
        }
    }

    #[test]
    fn the_reach_bounds_the_rounding_of_posed_vertices() {
        let mut random = Random::new(172);
        let mut largest = 0.0_f64;
        for _ in 0..2_000 {
            let pose = random.pose(3.0);
            let [x, y, z] = [0, 1, 2].map(|_| (random.range(-1e6, 1e6)).round());
            let p = Point::new(x, y, z);
            let mesh = Mesh::new(vec![p; 3], vec![[0, 1, 2]]).expect("a point");
            let exact = |i: usize| {
                let r = pose.rotation();
                let terms = [r[(i, 0)] * x, r[(i, 1)] * y, r[(i, 2)] * z];
                let low = [
                    r[(i, 0)].mul_add(x, -terms[0]),
                    r[(i, 1)].mul_add(y, -terms[1]),
                    r[(i, 2)].mul_add(z, -terms[2]),
                ];
                // The sum of eight numbers without loss, by repeated two-sums.
                let all = [terms[0], terms[1], terms[2], pose.translation()[i]];
                difference(all.into_iter().chain(low).chain([-pose.apply(&p)[i]]))
            };
            let off = Vector::new(exact(0), exact(1), exact(2)).norm();
            largest = largest.max(off / reach(&mesh, &pose));
        }
        println!("{largest:.3} of the reach");
        assert!(largest > 0.02 && largest < 0.5, "{largest}");
    }

    /// The sum of a few numbers, nearly without rounding.
    fn difference(values: impl Iterator<Item = f64>) -> f64 {
        let mut parts: Vec<f64> = Vec::new();
        for mut x in values {
            for part in &mut parts {
                let sum = *part + x;
                let bb = sum - *part;
                (*part, x) = ((*part - (sum - bb)) + (x - bb), sum);
            }
            parts.push(x);
        }
        parts.iter().sum()
    }
}
