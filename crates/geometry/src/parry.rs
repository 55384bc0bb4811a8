//! Conversions to and from the shapes and poses of parry3d, whose numbers are f32.
//!
//! Conversion to parry rounds everything to 24 bits, so a converted mesh is *another* mesh:
//! verdicts on it are not verdicts on ours. Points and poses are rounded to nearest, bounding
//! volumes outward, so that they still contain the original. A number beyond the range of f32 is an
//! error, never an infinity. Conversion from parry is exact.

use nalgebra::Matrix3;
use parry3d::bounding_volume::{Aabb as ParryAabb, BoundingSphere};
use parry3d::math::{Pose as ParryPose, Rotation, Vector as Vec3};
use parry3d::shape::{Cuboid, TriMesh, Triangle as ParryTriangle};

use crate::volume::{Aabb, Obb, Sphere};
use crate::{Mesh, MeshError, Point, Pose, PoseError, Triangle, Vector};

/// Why a value cannot be converted to parry.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ToParryError {
    /// A number is beyond the range of f32.
    #[error("{value:e} is beyond the range of f32, in which parry3d calculates")]
    Range {
        /// The number that does not fit.
        value: f64,
    },
    /// Parry refused the mesh.
    #[error("parry3d refused the mesh")]
    Mesh,
}

fn narrow(value: f64) -> Result<f32, ToParryError> {
    let x = value as f32;
    if x.is_finite() { Ok(x) } else { Err(ToParryError::Range { value }) }
}

/// The largest f32 not above `value`, or the one below it.
fn narrow_down(value: f64) -> Result<f32, ToParryError> {
    let x = narrow(value)?;
    let x = if f64::from(x) > value { x.next_down() } else { x };
    if x.is_finite() { Ok(x) } else { Err(ToParryError::Range { value }) }
}

/// The least f32 not below `value`, or the one above it.
fn narrow_up(value: f64) -> Result<f32, ToParryError> {
    narrow_down(-value).map(|x| -x)
}

/// Converts a point; each coordinate is rounded to f32.
///
/// # Errors
/// [`ToParryError::Range`].
pub fn point_to_parry(p: &Point) -> Result<Vec3, ToParryError> {
    Ok(Vec3::new(narrow(p.x)?, narrow(p.y)?, narrow(p.z)?))
}

/// Converts a point exactly.
pub fn point_from_parry(p: Vec3) -> Point {
    Point::new(p.x.into(), p.y.into(), p.z.into())
}

/// Converts a triangle; each coordinate is rounded to f32.
///
/// # Errors
/// [`ToParryError::Range`].
pub fn triangle_to_parry(t: &Triangle) -> Result<ParryTriangle, ToParryError> {
    let [a, b, c] = t;
    Ok(ParryTriangle::new(point_to_parry(a)?, point_to_parry(b)?, point_to_parry(c)?))
}

/// Converts a triangle exactly.
pub fn triangle_from_parry(t: &ParryTriangle) -> Triangle {
    [t.a, t.b, t.c].map(point_from_parry)
}

/// Converts a mesh; every coordinate is rounded to f32, polygon faces are dropped. Parry builds its
/// tree: O(n log n).
///
/// # Errors
/// [`ToParryError`].
pub fn mesh_to_parry(mesh: &Mesh) -> Result<TriMesh, ToParryError> {
    let vertices: Result<Vec<_>, _> = mesh.vertices().iter().map(point_to_parry).collect();
    TriMesh::new(vertices?, mesh.triangles().to_vec()).map_err(|_| ToParryError::Mesh)
}

/// Converts a mesh exactly.
///
/// # Errors
/// [`MeshError`] if parry's mesh has a number that is not finite.
pub fn mesh_from_parry(mesh: &TriMesh) -> Result<Mesh, MeshError> {
    let vertices = mesh.vertices().iter().map(|p| point_from_parry(*p)).collect();
    Mesh::new(vertices, mesh.indices().to_vec())
}

/// Converts a pose, its rotation to a quaternion in f32: angles are off by about 1e-7.
///
/// # Errors
/// [`ToParryError::Range`].
pub fn pose_to_parry(pose: &Pose) -> Result<ParryPose, ToParryError> {
    let q = pose.to_isometry().rotation;
    let rotation =
        Rotation::from_xyzw(narrow(q.i)?, narrow(q.j)?, narrow(q.k)?, narrow(q.w)?).normalize();
    let translation = point_to_parry(&Point::from(*pose.translation()))?;
    Ok(ParryPose::from_parts(translation, rotation))
}

/// Converts a pose; its quaternion is re-normalised in f64.
///
/// # Errors
/// [`PoseError`] if a number is not finite or the quaternion's norm is off 1 by more than 1e-3.
pub fn pose_from_parry(pose: &ParryPose) -> Result<Pose, PoseError> {
    let (t, q) = (pose.translation, pose.rotation);
    let xyzw = [q.x, q.y, q.z, q.w].map(f64::from);
    let norm = xyzw.iter().map(|x| x * x).sum::<f64>().sqrt();
    if (norm - 1.0).abs() > 1e-3 {
        return Err(PoseError::NotOrthonormal { off: (norm - 1.0).abs() });
    }
    Pose::from_quaternion([t.x, t.y, t.z].map(f64::from), xyzw.map(|x| x / norm))
}

/// Converts a box, rounded outward.
///
/// # Errors
/// [`ToParryError::Range`].
pub fn aabb_to_parry(b: &Aabb) -> Result<ParryAabb, ToParryError> {
    let (lo, hi) = (&b.min, &b.max);
    Ok(ParryAabb::new(
        Vec3::new(narrow_down(lo.x)?, narrow_down(lo.y)?, narrow_down(lo.z)?),
        Vec3::new(narrow_up(hi.x)?, narrow_up(hi.y)?, narrow_up(hi.z)?),
    ))
}

/// Converts a box exactly.
pub fn aabb_from_parry(b: &ParryAabb) -> Aabb {
    Aabb { min: point_from_parry(b.mins), max: point_from_parry(b.maxs) }
}

/// Converts a ball; its radius is enlarged by the rounding of its centre.
///
/// # Errors
/// [`ToParryError::Range`].
pub fn sphere_to_parry(s: &Sphere) -> Result<BoundingSphere, ToParryError> {
    let center = point_to_parry(&s.center)?;
    let moved = (point_from_parry(center) - s.center).abs().sum();
    let radius = narrow_up((s.radius + moved) * (1.0 + 4.0 * f64::EPSILON))?;
    Ok(BoundingSphere::new(center, radius))
}

/// Converts a ball exactly.
pub fn sphere_from_parry(s: &BoundingSphere) -> Sphere {
    Sphere { center: point_from_parry(s.center), radius: s.radius.into() }
}

/// Half-lengths are enlarged by this fraction of their sum for the rotation's rounding: entries of
/// a rotation made from an f32 quaternion are off by at most about 8 · 2⁻²⁴.
const TURNED: f64 = 1.0 / (1u64 << 19) as f64;

/// Converts a box to a posed cuboid. Half-lengths are enlarged by `2⁻¹⁹ Σh` and by the rounding of
/// the centre.
///
/// # Errors
/// [`ToParryError::Range`].
pub fn obb_to_parry(b: &Obb) -> Result<(ParryPose, Cuboid), ToParryError> {
    let rotation = nalgebra::Rotation3::from_matrix_unchecked(b.axes);
    let q = nalgebra::UnitQuaternion::from_rotation_matrix(&rotation);
    let rotation = Rotation::from_xyzw(q.i as f32, q.j as f32, q.k as f32, q.w as f32).normalize();
    let center = point_to_parry(&b.center)?;
    let moved = (point_from_parry(center) - b.center).abs().sum();
    let pad = TURNED * b.half.sum() + moved * (1.0 + TURNED);
    let half = b.half.map(|h| h + pad);
    let half = Vec3::new(narrow_up(half.x)?, narrow_up(half.y)?, narrow_up(half.z)?);
    Ok((ParryPose::from_parts(center, rotation), Cuboid::new(half)))
}

/// Converts a posed cuboid to a box. Its rotation is re-normalised in f64, and half-lengths are
/// enlarged by `2⁻¹⁹ Σh` for that.
///
/// # Errors
/// As [`pose_from_parry`].
pub fn obb_from_parry(pose: &ParryPose, cuboid: &Cuboid) -> Result<Obb, PoseError> {
    let placed = pose_from_parry(pose)?;
    let h = cuboid.half_extents;
    let half = Vector::new(h.x.into(), h.y.into(), h.z.into());
    let axes: Matrix3<f64> = *placed.rotation();
    let center = Point::from(*placed.translation());
    Ok(Obb { center, axes, half: half.map(|x| x + TURNED * half.sum()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_in_f32_comes_back_exactly() {
        let vertices =
            vec![Point::origin(), Point::new(1.0, 0.5, 0.0), Point::new(0.0, 0.25, -8.0)];
        let mesh = Mesh::new(vertices, vec![[0, 1, 2]]).expect("a triangle");
        let there = mesh_to_parry(&mesh).expect("small numbers");
        assert_eq!(mesh_from_parry(&there).expect("finite"), mesh);
        let t = mesh.triangle(0);
        assert_eq!(triangle_from_parry(&triangle_to_parry(&t).expect("small")), t);
    }

    #[test]
    fn numbers_beyond_f32_are_errors() {
        let far = Point::new(1e39, 0.0, 0.0);
        assert_eq!(point_to_parry(&far), Err(ToParryError::Range { value: 1e39 }));
        let b = Aabb { min: Point::origin(), max: far };
        assert!(aabb_to_parry(&b).is_err());
        assert!(sphere_to_parry(&Sphere { center: far, radius: 1.0 }).is_err());
        // Slightly above the largest f32: rounded to nearest it fits, outward it does not.
        let edge = Point::new(f64::from(f32::MAX) * (1.0 + 1e-9), 0.0, 0.0);
        assert!(point_to_parry(&edge).is_ok());
        assert!(aabb_to_parry(&Aabb { min: Point::origin(), max: edge }).is_err());
    }

    #[test]
    fn volumes_are_rounded_outward() {
        let b = Aabb { min: Point::new(0.1, 0.2, 0.3), max: Point::new(0.7, 0.8, 0.9) };
        let back = aabb_from_parry(&aabb_to_parry(&b).expect("small"));
        assert!(back.contains(&b.min) && back.contains(&b.max) && back != b);
        let s = Sphere { center: Point::new(0.1, 0.2, 0.3), radius: 0.1 };
        let back = sphere_from_parry(&sphere_to_parry(&s).expect("small"));
        assert!(back.radius > s.radius + (back.center - s.center).norm());
        // The centre moves by less than the radius's rounding; the ball must grow nevertheless.
        let s = Sphere { center: Point::new(1e-20, 0.0, 0.0), radius: 1.0 };
        assert!(sphere_from_parry(&sphere_to_parry(&s).expect("small")).radius > 1.0);
        let obb = Obb::of_triangle(&[Point::new(0.1, 0.2, 0.3), b.max, Point::new(3.0, -1.0, 0.4)]);
        let (pose, cuboid) = obb_to_parry(&obb).expect("small");
        let back = obb_from_parry(&pose, &cuboid).expect("a pose");
        for signs in 0..8 {
            let at = Vector::from_fn(
                |i, _| if signs >> i & 1 == 1 { obb.half[i] } else { -obb.half[i] },
            );
            assert!(back.contains(&(obb.center + obb.axes * at)));
        }
    }

    #[test]
    fn poses_come_back_to_f32_precision() {
        let pose = Pose::from_quaternion([1.0, 2.0, 3.0], [0.5, 0.5, 0.5, 0.5]).expect("unit");
        let back = pose_from_parry(&pose_to_parry(&pose).expect("small")).expect("unit");
        assert!((back.rotation() - pose.rotation()).amax() < 1e-6);
        assert_eq!(back.translation(), pose.translation());
    }

    /// The enlargement is the documented pad plus rounding to 24 bits, and no more.
    #[test]
    fn volumes_are_hardly_larger_than_they_were() {
        let (unit, documented) = (f64::from(f32::EPSILON) / 2.0, 2f64.powi(-19));
        for far in [0.1, 100.0] {
            let s = Sphere { center: Point::new(far, 0.2 * far, -0.3 * far), radius: 1.1 };
            let back = sphere_from_parry(&sphere_to_parry(&s).expect("small"));
            let moved = (back.center - s.center).abs().sum();
            let least = s.radius + moved;
            assert!(back.radius > least && back.radius < least * (1.0 + 2.5 * unit));
            let t =
                [Point::new(far, 0.2, 0.3), Point::new(0.7, far, 0.9), Point::new(3.0, -1.0, 0.4)];
            let b = Obb::of_triangle(&t);
            let (pose, cuboid) = obb_to_parry(&b).expect("small");
            let moved = (point_from_parry(pose.translation) - b.center).abs().sum();
            let half = Vector::from(cuboid.half_extents.to_array().map(f64::from));
            let sum = b.half.sum();
            for k in 0..3 {
                let pad = half[k] - b.half[k];
                let said = documented * sum + moved;
                assert!(pad >= said && pad <= said * 1.001 + 2.5 * unit * half[k], "{pad:e}");
            }
            let back = obb_from_parry(&pose, &cuboid).expect("a pose");
            let pad = (back.half - half) / (documented * half.sum());
            assert!(pad.iter().all(|p| (p - 1.0).abs() < 1e-6), "{pad:?}");
            assert_eq!(back.center, point_from_parry(pose.translation));
            assert!(back.validate() && (back.axes - b.axes).amax() < 1e-6);
        }
    }

    #[test]
    fn quaternions_are_of_unit_length_to_a_thousandth_and_normalised() {
        let long = |by: f32| {
            let q = [0.5, -0.5, 0.5, 0.5].map(|x: f32| x * by);
            let rotation = Rotation::from_xyzw(q[0], q[1], q[2], q[3]);
            pose_from_parry(&ParryPose::from_parts(Vec3::new(1.0, 2.0, 3.0), rotation))
        };
        let unit = long(1.0).expect("unit");
        assert_eq!(unit.translation(), &Vector::new(1.0, 2.0, 3.0));
        for by in [0.9995, 1.0005] {
            let near = long(by).expect("nearly unit");
            assert!((near.rotation() - unit.rotation()).amax() < 1e-6);
        }
        for by in [0.998, 1.002, 2.0, 0.0] {
            let off = (f64::from(by) - 1.0).abs();
            let Err(PoseError::NotOrthonormal { off: found }) = long(by) else { panic!("{by}") };
            assert!((found - off).abs() < 1e-6);
        }
    }
}
