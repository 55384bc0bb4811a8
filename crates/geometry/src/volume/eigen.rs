//! Eigenvectors of a symmetric 3×3 matrix by cyclic Jacobi rotations, and right-handed frames that
//! are orthonormal to rounding. Only `+ − × ÷ √` in a fixed order: the same bits everywhere.

use nalgebra::Matrix3;

use crate::Vector;

/// Sweeps until off-diagonal entries vanish; convergence is quadratic, five are usual.
const SWEEPS: usize = 12;
/// Off-diagonal entries below this fraction of the diagonal turn the axes by less than rounding.
const NEGLIGIBLE: f64 = f64::EPSILON / 16.0;

/// Unit eigenvectors as columns, largest eigenvalue first, right-handed. A matrix that is not
/// finite gives the identity.
pub(super) fn eigen_axes(c: &Matrix3<f64>) -> Matrix3<f64> {
    let scale = c.amax();
    if !(scale > 0.0 && scale < f64::INFINITY) {
        return Matrix3::identity();
    }
    let mut a = c / scale;
    let mut v = Matrix3::identity();
    for _ in 0..SWEEPS {
        let mut turned = false;
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            turned |= rotate(&mut a, &mut v, p, q);
        }
        if !turned {
            break;
        }
    }
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| a[(j, j)].total_cmp(&a[(i, i)]).then(i.cmp(&j)));
    frame(&v.column(order[0]).into_owned(), &v.column(order[1]).into_owned())
}

/// One Jacobi rotation that makes `a[(p, q)]` vanish; false if it is negligible already.
fn rotate(a: &mut Matrix3<f64>, v: &mut Matrix3<f64>, p: usize, q: usize) -> bool {
    let off = a[(p, q)];
    let (app, aqq) = (a[(p, p)], a[(q, q)]);
    if off.abs() <= NEGLIGIBLE * (app.abs().min(aqq.abs())) || off.abs() < f64::MIN_POSITIVE {
        return false;
    }
    let theta = (aqq - app) / (2.0 * off);
    let sign = if theta < 0.0 { -1.0 } else { 1.0 };
    // For huge theta the square overflows to infinity and t becomes 0, as it should.
    let t = sign / (theta.abs() + (theta * theta + 1.0).sqrt());
    let cos = 1.0 / (t * t + 1.0).sqrt();
    let sin = t * cos;
    a[(p, p)] = app - t * off;
    a[(q, q)] = aqq + t * off;
    a[(p, q)] = 0.0;
    a[(q, p)] = 0.0;
    let r = 3 - p - q;
    let (arp, arq) = (a[(r, p)], a[(r, q)]);
    a[(r, p)] = cos * arp - sin * arq;
    a[(r, q)] = sin * arp + cos * arq;
    a[(p, r)] = a[(r, p)];
    a[(q, r)] = a[(r, q)];
    for k in 0..3 {
        let (vp, vq) = (v[(k, p)], v[(k, q)]);
        v[(k, p)] = cos * vp - sin * vq;
        v[(k, q)] = sin * vp + cos * vq;
    }
    t != 0.0
}

/// A right-handed frame whose first axis is `x` and whose second is as near to `y` as it can be.
/// Any input gives a frame: zero or parallel directions are replaced.
pub(super) fn frame(x: &Vector, y: &Vector) -> Matrix3<f64> {
    let x = unit(x).unwrap_or_else(Vector::x);
    let y = unit(y).unwrap_or_else(|| any_other(&x));
    let mut y = y - x * x.dot(&y);
    // Nearly parallel: what is left is noise.
    if y.norm_squared() < 1e-12 {
        let other = any_other(&x);
        y = other - x * x.dot(&other);
    }
    let y = y / y.norm();
    // Twice is enough: the second step removes what rounding left of x.
    let y = y - x * x.dot(&y);
    let y = y / y.norm();
    Matrix3::from_columns(&[x, y, x.cross(&y)])
}

/// `v` scaled to length 1 to rounding; none if it is zero or not finite.
pub(super) fn unit(v: &Vector) -> Option<Vector> {
    let largest = v.amax();
    if !(largest > 0.0 && largest < f64::INFINITY) {
        return None;
    }
    let v = v / largest;
    Some(v / v.norm())
}

/// The axis farthest from the direction of `x`.
fn any_other(x: &Vector) -> Vector {
    match x.iamin() {
        0 => Vector::x(),
        1 => Vector::y(),
        _ => Vector::z(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_of_a_diagonal_matrix_are_ordered_by_size() {
        let axes = eigen_axes(&Matrix3::from_diagonal(&Vector::new(1.0, 9.0, 4.0)));
        assert_eq!(axes.column(0).iamax(), 1);
        assert_eq!(axes.column(1).iamax(), 2);
        assert!((axes.determinant() - 1.0).abs() < 1e-15);
    }

    #[test]
    fn what_couples_equal_axes_is_negligible_below_rounding_only() {
        let coupled = |off: f64| {
            let mut c = Matrix3::from_diagonal(&Vector::new(1.0, 1.0, 0.5));
            (c[(0, 1)], c[(1, 0)]) = (off, off);
            eigen_axes(&c).column(0).abs()
        };
        let half = 0.5f64.sqrt();
        assert!((coupled(2f64.powi(-54)) - Vector::new(half, half, 0.0)).amax() < 1e-15);
        assert_eq!(coupled(2f64.powi(-57)), Vector::x());
    }

    #[test]
    fn frames_are_orthonormal_even_of_parallel_directions() {
        for (x, y) in [
            (Vector::zeros(), Vector::zeros()),
            (Vector::x(), Vector::x()),
            (Vector::new(1e-300, 2e-300, 0.0), Vector::new(1e-300, 2e-300, 1e-307)),
            (Vector::new(3e300, 1e300, -2e300), Vector::y()),
        ] {
            let f = frame(&x, &y);
            let off = (f.transpose() * f - Matrix3::identity()).amax();
            assert!(off <= 4.0 * f64::EPSILON, "{x} {y} {off:e}");
            assert!(f.determinant() > 0.0);
        }
    }

    #[test]
    fn not_a_number_gives_the_identity() {
        assert_eq!(eigen_axes(&Matrix3::repeat(f64::NAN)), Matrix3::identity());
        assert_eq!(eigen_axes(&Matrix3::zeros()), Matrix3::identity());
    }
}
