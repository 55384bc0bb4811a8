//! Eigenvectors of a symmetric 3×3 matrix by cyclic Jacobi rotations, and right-handed frames that
//! are orthonormal up to rounding. Only `+ − × ÷ √` in a fixed order: the same bits on every
//! machine.

use nalgebra::Matrix3;

use crate::Vector;

/// The most sweeps until off-diagonal entries vanish; convergence is quadratic, five are usual.
const SWEEPS: usize = 12;
/// Off-diagonal entries below this fraction of the diagonal rotate the axes by less than rounding.
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

/// One Jacobi rotation that annihilates `a[(p, q)]`; returns false if the entry is negligible.
fn rotate(a: &mut Matrix3<f64>, v: &mut Matrix3<f64>, p: usize, q: usize) -> bool {
    let off = a[(p, q)];
    let (app, aqq) = (a[(p, p)], a[(q, q)]);
    if off.abs() <= NEGLIGIBLE * (app.abs().min(aqq.abs())) || off.abs() < f64::MIN_POSITIVE {
        return false;
    }
    let theta = (aqq - app) / (2.0 * off);
    let sign = if theta < 0.0 { -1.0 } else { 1.0 };
    // For huge theta the square overflows to infinity and t becomes 0, as required.
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

/// A right-handed frame whose first axis is along `x` and whose second is as close to `y` as
/// possible. Any input gives a frame: zero or parallel directions are replaced.
pub(super) fn frame(x: &Vector, y: &Vector) -> Matrix3<f64> {
    let x = unit(x).unwrap_or_else(Vector::x);
    let y = unit(y).unwrap_or_else(|| any_other(&x));
    let mut y = y - x * x.dot(&y);
    // Nearly parallel: the remainder is rounding noise.
    if y.norm_squared() < 1e-12 {
        let other = any_other(&x);
        y = other - x * x.dot(&other);
    }
    let y = y / y.norm();
    // Orthogonalise twice: the second step removes the rounding error along x.
    let y = y - x * x.dot(&y);
    let y = y / y.norm();
    Matrix3::from_columns(&[x, y, x.cross(&y)])
}

/// `v` scaled to length 1, rounded; `None` if it is zero or not finite.
pub(super) fn unit(v: &Vector) -> Option<Vector> {
    let largest = v.amax();
    if !(largest > 0.0 && largest < f64::INFINITY) {
        return None;
    }
    let v = v / largest;
    Some(v / v.norm())
}

/// The coordinate axis farthest from the direction of `x`.
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
    use crate::adversarial::Random;

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
        let infinite = Matrix3::from_diagonal(&Vector::new(0.0, f64::INFINITY, 1.0));
        assert_eq!(eigen_axes(&infinite), Matrix3::identity());
    }

    /// Every axis is an eigenvector up to rounding, by descending eigenvalue.
    #[test]
    fn axes_are_eigenvectors_by_descending_eigenvalue() {
        let mut r = Random(192);
        for k in 0..3000 {
            let unit = 2f64.powi([0, 600, -600, 1000][k % 4]);
            let mut entry = |small: f64| match k / 4 % 3 {
                0 => r.unit() * small,
                1 => r.below(5) as f64 - 2.0,
                _ => r.unit() * small * 2f64.powi(-(r.below(30) as i32)),
            };
            let [xx, yy, zz] = [(); 3].map(|()| entry(1.0));
            let [xy, xz, yz] = [(); 3].map(|()| entry(0.5));
            let c = Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
            if c.amax() == 0.0 {
                continue;
            }
            let axes = eigen_axes(&(c * unit));
            let off = axes.transpose() * axes - Matrix3::identity();
            assert!(off.amax() <= 4.0 * f64::EPSILON && axes.determinant() > 0.0);
            let values = [0, 1, 2].map(|i| {
                let v = axes.column(i).into_owned();
                let value = v.dot(&(c * v));
                let left = (c * v - v * value).amax() / c.amax();
                assert!(left < 32.0 * f64::EPSILON, "{c} {left:e}");
                value / c.amax()
            });
            let rounding = 32.0 * f64::EPSILON;
            assert!(values[0] >= values[1] - rounding && values[1] >= values[2] - rounding);
        }
    }

    /// A rotation annihilates its entry and keeps the matrix similar; a negligible one does
    /// nothing.
    #[test]
    fn one_rotation_makes_one_entry_vanish() {
        let mut r = Random(193);
        for k in 0..300 {
            let mut x = || r.unit();
            let [xx, yy, zz, xy, xz, yz] = [x(), x(), x(), x(), x(), x()];
            let before = Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
            let (mut a, mut v) = (before, Matrix3::identity());
            let (p, q) = [(0, 1), (0, 2), (1, 2)][k % 3];
            assert!(rotate(&mut a, &mut v, p, q));
            assert_eq!((a[(p, q)], a[(q, p)]), (0.0, 0.0));
            assert_eq!(a, a.transpose());
            assert!((v.transpose() * before * v - a).amax() < 16.0 * f64::EPSILON);
            // The smaller of the two possible angles.
            assert!(v[(p, p)] >= 0.5f64.sqrt() - 1e-15 && v[(p, p)] == v[(q, q)]);
            let after = a;
            assert!(!rotate(&mut a, &mut v, p, q) && a == after);
        }
        let turned = |off: f64, diagonal: [f64; 2]| {
            let mut a = Matrix3::from_diagonal(&Vector::new(diagonal[0], diagonal[1], 0.0));
            (a[(0, 1)], a[(1, 0)]) = (off, off);
            rotate(&mut a, &mut Matrix3::identity(), 0, 1)
        };
        // The smaller diagonal entry counts.
        for diagonal in [[1.0, 0.25], [-0.25, 1.0]] {
            assert!(!turned(0.25 * NEGLIGIBLE, diagonal) && turned(0.26 * NEGLIGIBLE, diagonal));
            assert!(!turned(-0.25 * NEGLIGIBLE, diagonal) && turned(-0.26 * NEGLIGIBLE, diagonal));
        }
        assert!(!turned(0.0, [0.0, 0.0]) && !turned(f64::MIN_POSITIVE / 2.0, [0.0, 0.0]));
        assert!(turned(f64::MIN_POSITIVE, [0.0, 0.0]));
    }

    #[test]
    fn a_missing_direction_is_taken_across_the_other() {
        for (x, other) in [
            (Vector::new(0.1, 0.7, 0.7), Vector::x()),
            (Vector::new(0.7, -0.1, 0.7), Vector::y()),
            (Vector::new(0.7, 0.7, 0.1), Vector::z()),
        ] {
            assert_eq!(any_other(&x), other);
            let x = x.normalize();
            let expected = (other - x * x.dot(&other)).normalize();
            // A direction parallel within 1e-6 is replaced, one slightly beyond is kept.
            for y in [Vector::zeros(), x, -x * 3.0, x + expected * 0.9e-6] {
                assert!((frame(&x, &y).column(1) - expected).amax() < 1e-9, "{x:?} {y:?}");
            }
            let third = x.cross(&expected);
            let found = frame(&x, &(x + third * 1.1e-6));
            assert!((found.column(1) - third).amax() < 1e-9, "{x:?}");
            assert!((found.column(0) - x).amax() < 1e-15);
            let long = frame(&(x * 3.0), &(third * 40.0 + x));
            assert!((long.column(1) - third).amax() < 4.0 * f64::EPSILON);
        }
        assert_eq!(unit(&Vector::zeros()), None);
        assert_eq!(unit(&Vector::new(1.0, f64::INFINITY, 0.0)), None);
        for scale in [1.0, 1e-300, 1e300] {
            let v = unit(&(Vector::new(2.0, -3.0, 6.0) * scale)).expect("finite");
            assert!((v - Vector::new(2.0, -3.0, 6.0) / 7.0).amax() < 1e-15);
        }
    }
}
