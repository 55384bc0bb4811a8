//! Seeded numbers, random shapes, and rational arithmetic for reference answers.

#![allow(dead_code, reason = "each test file uses a part")]
#![allow(unreachable_pub, reason = "shared by test binaries")]

pub(crate) mod distance;
pub(crate) mod meeting;

use dashu_ratio::RBig;
use impinge_geometry::volume::Obb;
use impinge_geometry::{Point, Pose, Triangle, Vector};
use nalgebra::Matrix3;

/// The generator `SplitMix64` of Steele, Lea and Flood 2014.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// In [−1, 1).
    pub(crate) fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.bits() % n
    }

    pub(crate) fn vector(&mut self) -> Vector {
        Vector::new(self.unit(), self.unit(), self.unit())
    }

    pub(crate) fn point(&mut self) -> Point {
        Point::from(self.vector())
    }

    /// Integer coordinates from −n to n.
    pub(crate) fn lattice_point(&mut self, n: u64) -> Point {
        let mut c = || self.below(2 * n + 1) as f64 - n as f64;
        Point::new(c(), c(), c())
    }

    pub(crate) fn triangle(&mut self) -> Triangle {
        [self.point(), self.point(), self.point()]
    }

    pub(crate) fn lattice_triangle(&mut self, n: u64) -> Triangle {
        [self.lattice_point(n), self.lattice_point(n), self.lattice_point(n)]
    }

    pub(crate) fn pose(&mut self, reach: f64) -> Pose {
        loop {
            let q = [self.unit(), self.unit(), self.unit(), self.unit()];
            let norm = q.iter().map(|x| x * x).sum::<f64>().sqrt();
            if norm > 0.1 {
                let t = self.vector() * reach;
                return Pose::from_quaternion(t.into(), q.map(|x| x / norm))
                    .expect("a unit quaternion");
            }
        }
    }

    pub(crate) fn rotation(&mut self) -> Matrix3<f64> {
        *self.pose(0.0).rotation()
    }
}

/// A vector of rational coordinates.
pub(crate) type Exact = [RBig; 3];

pub(crate) fn big(x: f64) -> RBig {
    RBig::try_from(x).expect("finite")
}

pub(crate) fn exact(p: &Point) -> Exact {
    [big(p.x), big(p.y), big(p.z)]
}

pub(crate) fn exact_vector(v: &Vector) -> Exact {
    [big(v.x), big(v.y), big(v.z)]
}

pub(crate) fn minus(a: &Exact, b: &Exact) -> Exact {
    std::array::from_fn(|i| &a[i] - &b[i])
}

pub(crate) fn plus(a: &Exact, b: &Exact) -> Exact {
    std::array::from_fn(|i| &a[i] + &b[i])
}

pub(crate) fn times(a: &Exact, s: &RBig) -> Exact {
    std::array::from_fn(|i| &a[i] * s)
}

pub(crate) fn dot(a: &Exact, b: &Exact) -> RBig {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

pub(crate) fn cross(a: &Exact, b: &Exact) -> Exact {
    std::array::from_fn(|i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        &a[j] * &b[k] - &a[k] * &b[j]
    })
}

/// The exact image `R p + t`.
pub(crate) fn posed(pose: &Pose, p: &Exact) -> Exact {
    let (r, t) = (pose.rotation(), pose.translation());
    std::array::from_fn(|i| {
        let row: Exact = std::array::from_fn(|j| big(r[(i, j)]));
        dot(&row, p) + big(t[i])
    })
}

/// Whether the point is in the box, exactly.
pub(crate) fn obb_holds(b: &Obb, x: &Exact) -> bool {
    let d = minus(x, &exact(&b.center));
    (0..3).all(|i| {
        let at = dot(&exact_vector(&b.axis(i)), &d);
        at.clone() <= big(b.half[i]) && -at <= big(b.half[i])
    })
}
