//! Rigid poses, and the one function that rounds posed vertices.

use nalgebra::{Isometry3, Matrix3, Quaternion, Translation3, UnitQuaternion};

use crate::{MAX_COORDINATE, Point, Vector};

/// The largest entry of `|RᵀR − I|` of a rotation that is accepted; it is then re-normalised. Unit:
/// 1.
pub const ORTHONORMAL_TOLERANCE: f64 = 1e-6;

/// Why a pose was refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PoseError {
    /// A component is NaN, infinite, or a translation beyond [`MAX_COORDINATE`].
    #[error("the pose's {part} holds {value:e}; it must be finite and at most 1e300 in magnitude")]
    NotFinite {
        /// The part of the pose: `"translation"` or `"rotation"`.
        part: &'static str,
        /// The refused value.
        value: f64,
    },
    /// The rotation is scaled, sheared, or farther from orthonormal than the tolerance.
    #[error(
        "the rotation deviates from an orthonormal one by {off:e}, more than {ORTHONORMAL_TOLERANCE:e}: a pose must be a rigid motion"
    )]
    NotOrthonormal {
        /// Largest entry of `|RᵀR − I|`; of a quaternion, how far its norm (from parry) or squared
        /// norm is from 1.
        off: f64,
    },
    /// The rotation has determinant −1.
    #[error(
        "the rotation mirrors space (its determinant is negative): a pose must be a rigid motion"
    )]
    Mirrored,
}

/// A rigid motion `p ↦ R p + t`.
///
/// The rotation is a matrix whose columns are orthonormal to a few ulps. A given matrix is
/// re-normalised if it is off by at most [`ORTHONORMAL_TOLERANCE`] and refused otherwise, so a pose
/// never scales or shears. A matrix that is orthonormal to 4 ulps is kept bit for bit, so the
/// identity, quarter turns and axis permutations stay exact.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "RawPose"))]
pub struct Pose {
    rotation: Matrix3<f64>,
    translation: Vector,
}

impl Default for Pose {
    fn default() -> Self {
        Self::identity()
    }
}

impl Pose {
    /// The identity.
    pub fn identity() -> Self {
        Self { rotation: Matrix3::identity(), translation: Vector::zeros() }
    }

    /// A translation without rotation.
    ///
    /// # Errors
    /// [`PoseError::NotFinite`].
    pub fn translation_by(t: Vector) -> Result<Self, PoseError> {
        Self::new(Matrix3::identity(), t)
    }

    /// The motion `p ↦ rotation · p + translation`.
    ///
    /// # Errors
    /// [`PoseError`] if a number is not finite, or `rotation` is not a rotation to within
    /// [`ORTHONORMAL_TOLERANCE`].
    pub fn new(rotation: Matrix3<f64>, translation: Vector) -> Result<Self, PoseError> {
        check_finite("rotation", rotation.iter())?;
        check_finite("translation", translation.iter())?;
        Ok(Self { rotation: renormalised(rotation)?, translation })
    }

    /// A pose from a translation and a quaternion in the order `x, y, z, w`, as on the command
    /// line. The quaternion is re-normalised.
    ///
    /// # Errors
    /// As [`Pose::new`], but a quaternion is refused if its squared norm is off by more than 1e-3,
    /// since users type a few digits by hand.
    pub fn from_quaternion(t: [f64; 3], xyzw: [f64; 4]) -> Result<Self, PoseError> {
        check_finite("translation", t.iter())?;
        check_finite("rotation", xyzw.iter())?;
        let q = Quaternion::new(xyzw[3], xyzw[0], xyzw[1], xyzw[2]);
        let off = (q.norm_squared() - 1.0).abs();
        if off > 1e-3 {
            return Err(PoseError::NotOrthonormal { off });
        }
        let rotation = UnitQuaternion::from_quaternion(q).to_rotation_matrix().into_inner();
        Self::new(rotation, Vector::from(t))
    }

    /// Whether the translation is in the range of coordinates, which a composition of poses may leave.
    ///
    /// # Errors
    /// [`PoseError::NotFinite`].
    pub fn check_range(&self) -> Result<(), PoseError> {
        check_finite("translation", self.translation.iter())
    }

    /// The rotation matrix; columns are the images of the axes.
    pub fn rotation(&self) -> &Matrix3<f64> {
        &self.rotation
    }

    /// The translation, in the unit of the mesh.
    pub fn translation(&self) -> &Vector {
        &self.translation
    }

    /// The posed point `R p + t`, each coordinate as `((r0·x + r1·y) + r2·z) + t` in f64 without
    /// fused multiply-add: the same bits on every machine. Every method poses vertices by this
    /// function.
    #[inline]
    pub fn apply(&self, p: &Point) -> Point {
        let r = &self.rotation;
        let row = |i: usize| {
            ((r[(i, 0)] * p.x + r[(i, 1)] * p.y) + r[(i, 2)] * p.z) + self.translation[i]
        };
        Point::new(row(0), row(1), row(2))
    }

    /// The rotated direction `R v`, with the same order of operations.
    #[inline]
    pub fn rotate(&self, v: &Vector) -> Vector {
        let r = &self.rotation;
        let row = |i: usize| (r[(i, 0)] * v.x + r[(i, 1)] * v.y) + r[(i, 2)] * v.z;
        Vector::new(row(0), row(1), row(2))
    }

    /// The inverse motion: `Rᵀ`, `−Rᵀ t`.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let rotation = self.rotation.transpose();
        let back = Self { rotation, translation: Vector::zeros() };
        Self { rotation, translation: -back.rotate(&self.translation) }
    }

    /// The composition: first `inner`, then `self`. Re-normalised, so long chains do not drift.
    #[must_use]
    pub fn then_inner(&self, inner: &Self) -> Self {
        let column = |j: usize| self.rotate(&inner.rotation.column(j).into());
        let product = Matrix3::from_columns(&[column(0), column(1), column(2)]);
        let rotation = straightened(product, &gram(&product));
        Self { rotation, translation: self.rotate(&inner.translation) + self.translation }
    }

    /// The pose of B in A's frame, `a⁻¹ · b`, which a query takes. Exactly the identity if both
    /// are the same. Its error does not grow with the distance of both from the origin.
    #[must_use]
    pub fn relative(a: &Self, b: &Self) -> Self {
        if a == b {
            return Self::identity();
        }
        let back = Self { rotation: a.rotation.transpose(), translation: Vector::zeros() };
        let between = Self { rotation: b.rotation, translation: b.translation - a.translation };
        back.then_inner(&between)
    }

    /// Converts to nalgebra's isometry; the rotation is rounded to a quaternion.
    pub fn to_isometry(&self) -> Isometry3<f64> {
        let rotation = nalgebra::Rotation3::from_matrix_unchecked(self.rotation);
        let q = UnitQuaternion::from_rotation_matrix(&rotation);
        Isometry3::from_parts(Translation3::from(self.translation), q)
    }
}

impl TryFrom<Isometry3<f64>> for Pose {
    type Error = PoseError;
    fn try_from(iso: Isometry3<f64>) -> Result<Self, PoseError> {
        Self::new(iso.rotation.to_rotation_matrix().into_inner(), iso.translation.vector)
    }
}

fn check_finite<'a>(
    part: &'static str,
    values: impl Iterator<Item = &'a f64>,
) -> Result<(), PoseError> {
    for &value in values {
        if !(value.abs() <= MAX_COORDINATE) {
            return Err(PoseError::NotFinite { part, value });
        }
    }
    Ok(())
}

/// The columns of a matrix.
#[inline]
fn columns(r: &Matrix3<f64>) -> [Vector; 3] {
    [0, 1, 2].map(|j| r.column(j).into())
}

/// The entries `xx, yy, zz, xy, xz, yz` of `RᵀR − I`.
#[inline]
fn gram(r: &Matrix3<f64>) -> [f64; 6] {
    let [x, y, z] = columns(r);
    [x.dot(&x) - 1.0, y.dot(&y) - 1.0, z.dot(&z) - 1.0, x.dot(&y), x.dot(&z), y.dot(&z)]
}

/// Whether no entry is larger than a bound, or not a number.
#[inline]
fn within(gram: &[f64; 6], bound: f64) -> bool {
    gram.iter().all(|entry| entry.abs() <= bound)
}

/// A Newton step towards the nearest rotation, `R ← R − R (RᵀR − I) / 2`, unless `R` is as good as
/// can be. It squares the error, down to rounding.
#[inline]
fn straightened(r: Matrix3<f64>, gram: &[f64; 6]) -> Matrix3<f64> {
    if within(gram, 4.0 * f64::EPSILON) {
        return r;
    }
    let ([x, y, z], [xx, yy, zz, xy, xz, yz]) = (columns(&r), gram.map(|entry| 0.5 * entry));
    Matrix3::from_columns(&[
        x - (x * xx + y * xy + z * xz),
        y - (x * xy + y * yy + z * yz),
        z - (x * xz + y * yz + z * zz),
    ])
}

/// The nearest rotation by two Newton steps: from an error of 1e-6 the first reaches 1e-12, the second
/// rounding.
fn renormalised(r: Matrix3<f64>) -> Result<Matrix3<f64>, PoseError> {
    let first = gram(&r);
    if !within(&first, ORTHONORMAL_TOLERANCE) {
        let off = first.iter().map(|entry| entry.abs()).fold(0.0, f64::max);
        return Err(PoseError::NotOrthonormal { off });
    }
    if r.determinant().is_sign_negative() {
        return Err(PoseError::Mirrored);
    }
    let r = straightened(r, &first);
    Ok(straightened(r, &gram(&r)))
}

#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct RawPose {
    rotation: Matrix3<f64>,
    translation: Vector,
}

#[cfg(feature = "serde")]
impl TryFrom<RawPose> for Pose {
    type Error = PoseError;
    fn try_from(raw: RawPose) -> Result<Self, PoseError> {
        Self::new(raw.rotation, raw.translation)
    }
}
