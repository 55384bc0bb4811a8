//! Unit normals, also of triangles too thin for their direction to be computed in f64.

use crate::integers::{Integers, cross, integers, minus};
use crate::{Triangle, Vector};

/// The least length of the cross product of edges scaled to 1 for which f64 is accurate enough.
/// Unit: none. A smaller value saves big integers for some thin triangles and loses as many bits of
/// the normal.
const TRUSTED: f64 = 1.0 / 1024.0;

/// Unit normal by the winding; `None` exactly if the triangle has no area. The direction is off by
/// less than 2⁻³⁸.
///
/// Edges are first scaled to a largest component of 1, so that no product leaves the range of f64.
/// Their components are then off by at most 2 u (a difference and a quotient are rounded once each,
/// u = 2⁻⁵³), those of the cross product by at most 4 · 2 u + 4 u, and its length by 21 u: for
/// lengths from 2⁻¹⁰ on that is 2⁻³⁸·⁶ of it, which also bounds the angle. Shorter ones use exact
/// integers: some microseconds.
pub fn unit_normal(t: &Triangle) -> Option<Vector> {
    let scaled = |v: Vector| v.unscale(if v.amax() > 0.0 { v.amax() } else { 1.0 });
    let n = scaled(t[1] - t[0]).cross(&scaled(t[2] - t[0]));
    if n.norm() >= TRUSTED { Some(n.normalize()) } else { by_integers(t) }
}

#[cold]
fn by_integers(t: &Triangle) -> Option<Vector> {
    let [a, b, c] = t;
    let all = integers([a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z]);
    let [a, b, c]: [Integers; 3] =
        std::array::from_fn(|k| std::array::from_fn(|i| all[3 * k + i].clone()));
    let n = cross(&minus(&b, &a), &minus(&c, &a));
    // The leading 62 bits of the largest component, and the same bits of the others.
    let surplus = n.iter().map(num_bigint::BigInt::bits).max().unwrap_or(0).saturating_sub(62);
    let leading = n.map(|x| i64::try_from(x >> surplus).unwrap_or_default() as f64);
    Vector::from(leading).try_normalize(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Point;

    fn corners(t: [[f64; 3]; 3]) -> Triangle {
        t.map(Point::from)
    }

    #[test]
    fn normals_are_of_unit_length_at_every_scale() {
        for unit in [f64::from_bits(64), 1e-300, 1.0, 1e299] {
            let corner = |x: f64, y: f64| Point::new(x * unit, y * unit, 0.0);
            let t = [corner(0.0, 0.0), corner(2.0, 0.0), corner(1.0, 3.0)];
            assert_eq!(unit_normal(&t), Some(Vector::z()), "{unit:e}");
            assert_eq!(unit_normal(&[t[0], t[2], t[1]]), Some(-Vector::z()), "{unit:e}");
            assert_eq!(unit_normal(&[t[0], t[1], t[1]]), None, "{unit:e}");
            assert_eq!(unit_normal(&[t[0], t[0], t[1]]), None, "{unit:e}");
            assert_eq!(unit_normal(&[t[0]; 3]), None, "{unit:e}");
        }
        let tilted = corners([[1.0, 2.0, 3.0], [4.0, 2.0, 3.0], [4.0, 6.0, 6.0]]);
        let n = unit_normal(&tilted).expect("it has an area");
        assert!((n - Vector::new(0.0, -0.6, 0.8)).amax() < 1e-15, "{n}");
    }

    /// The cross product is zero in f64, the area is not.
    #[test]
    fn a_triangle_thinner_than_rounding_has_a_normal() {
        let bits = |c: [u64; 3]| Point::from(c.map(f64::from_bits));
        let t = [
            bits([0x3fcd_89cc_1646_d63b, 0xbf90_3144_ad50_ca80, 0xbff4_4b46_0d43_1a53]),
            bits([0xbfaa_b856_79f1_93a0, 0xbfcf_3a6e_989b_deb0, 0xbfe2_a3c0_e766_8976]),
            bits([0x3fc4_7bd3_a916_0772, 0xbfb2_a674_2ccd_1550, 0xbff1_8cec_a6df_24ed]),
        ];
        assert_eq!((t[1] - t[0]).cross(&(t[2] - t[0])), Vector::zeros());
        let n = unit_normal(&t).expect("it has an area");
        let swapped = unit_normal(&[t[0], t[2], t[1]]).expect("it has an area");
        assert!((n.norm() - 1.0).abs() < 1e-15 && (n + swapped).norm() < 1e-15);
        assert!(n.dot(&(t[1] - t[0]).normalize()).abs() < 1e-15);
    }

    /// Thin triangles with a side along x and known normals: the other side is `length` long and
    /// rises by `rise` along (0, 3, 4).
    #[test]
    fn thin_triangles_keep_their_direction() {
        for shift in [0.0, 1.0, -1e6] {
            for exponent in 0..1000 {
                let rise = 2f64.powi(-exponent);
                let lifted = [shift + 3.0 * rise, 4.0 * rise];
                // Skip if the shift rounds the rise, which changes the direction.
                if lifted[0] - shift != 3.0 * rise {
                    continue;
                }
                let t =
                    corners([[1.0, shift, 0.0], [3.0, shift, 0.0], [2.0, lifted[0], lifted[1]]]);
                let n = unit_normal(&t).expect("it has an area");
                assert!((n - Vector::new(0.0, -0.8, 0.6)).norm() < 1e-11, "{shift} {exponent} {n}");
            }
        }
    }

    #[test]
    fn corners_on_a_line_have_none() {
        let t = corners([[0.1, 0.3, 0.7], [0.2, 0.6, 1.4], [0.4, 1.2, 2.8]]);
        assert_eq!(unit_normal(&t), None, "doubling is exact");
        let t = corners([[0.1, 0.3, 0.7], [0.2, 0.6, 1.4], [0.4, 1.2, f64::next_up(2.8)]]);
        assert!(unit_normal(&t).is_some());
    }
}
