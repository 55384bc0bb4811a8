//! The frame in which a model is stored: centred, and scaled by a power of two to a size of about
//! one.

use impinge_geometry::{Mesh, Point};

/// Exponents of scales are clamped to ± this, so that scales and their inverses are normal numbers.
const MOST: i32 = 1000;

/// A model's own frame: `y = (x − center) · 2^−exponent`, all `|y_k| ≤ 1`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Frame {
    /// Centre of the bounding box, in the mesh's unit.
    pub(crate) center: [f64; 3],
    /// Binary exponent of the scale.
    pub(crate) exponent: i32,
}

impl Frame {
    /// The frame of a mesh.
    pub(crate) fn of(mesh: &Mesh) -> Self {
        Self::around(mesh.bounds())
    }

    /// The frame of a mesh with these bounds.
    pub(crate) fn around((low, high): (Point, Point)) -> Self {
        let center: [f64; 3] = std::array::from_fn(|k| 0.5 * low[k] + 0.5 * high[k]);
        let reach =
            (0..3).map(|k| (high[k] - center[k]).max(center[k] - low[k])).fold(0., f64::max);
        Self { center, exponent: exponent_above(reach) }
    }

    /// `2^−exponent`.
    pub(crate) fn scale(&self) -> f64 {
        power_of_two(-self.exponent)
    }

    /// A vertex in this frame, with `scale` from [`Frame::scale`]: each coordinate is off by at
    /// most half an ulp of the difference.
    #[inline(always)]
    pub(crate) fn enter(&self, scale: f64, p: &Point) -> [f64; 3] {
        let c = &self.center;
        [(p[0] - c[0]) * scale, (p[1] - c[1]) * scale, (p[2] - c[2]) * scale]
    }
}

/// The least `e` in ± [`MOST`] with `x ≤ 2^e`.
pub(crate) fn exponent_above(x: f64) -> i32 {
    if x < power_of_two(-MOST) {
        return -MOST;
    }
    let bits = x.to_bits();
    let floor = (bits >> 52) as i32 - 1023;
    let exact = bits & ((1 << 52) - 1) == 0;
    (floor + i32::from(!exact)).min(MOST)
}

/// `2^e`, for `e` within the range of normal numbers.
pub(crate) fn power_of_two(e: i32) -> f64 {
    f64::from_bits(((e + 1023) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every coordinate is within one, and not all are within a half; the inverse is exact up to
    /// the rounding of differences.
    #[test]
    fn a_frame_is_centred_and_as_small_as_a_power_of_two_makes_it() {
        let mut random = impinge_models::Random::new(71);
        for case in 0..300 {
            let size = 10f64.powi(case % 60 * 10 - 300);
            let shift = random.vector(-3.0, 3.0) * size;
            let corners: Vec<Point> =
                (0..9).map(|_| Point::from(shift + random.vector(-1.0, 1.0) * size)).collect();
            let mesh = Mesh::new(corners, vec![[0, 1, 2], [3, 4, 5], [6, 7, 8]]).expect("legal");
            let frame = Frame::of(&mesh);
            assert_eq!(frame.scale(), 1.0 / power_of_two(frame.exponent));
            let (low, high) = mesh.bounds();
            let mut most = 0.0f64;
            for k in 0..3 {
                let middle = low[k] + (high[k] - low[k]) / 2.0;
                let off = (frame.center[k] - middle).abs();
                assert!(off <= 1e-15 * (low[k].abs() + high[k].abs()), "{off:e}");
            }
            for p in mesh.vertices() {
                let y = frame.enter(frame.scale(), p);
                for k in 0..3 {
                    let back = y[k] * power_of_two(frame.exponent) + frame.center[k];
                    assert!((back - p[k]).abs() <= 1e-15 * p[k].abs() + 1e-15 * size, "{back:e}");
                    most = most.max(y[k].abs());
                }
            }
            assert!(most <= 1.0 && most > 0.5, "case {case}: {most}");
        }
    }

    #[test]
    fn exponents_are_the_least_that_hold() {
        for (x, e) in [(1.0, 0), (1.5, 1), (0.5, -1), (0.51, 0), (3.0, 2), (4.0, 2), (0.0, -MOST)] {
            assert_eq!(exponent_above(x), e, "{x}");
        }
        assert_eq!(exponent_above(1e300), 997);
        assert_eq!(exponent_above(f64::MIN_POSITIVE), -MOST);
        assert_eq!((power_of_two(10), power_of_two(-1000).to_bits() >> 52), (1024.0, 23));
    }
}
