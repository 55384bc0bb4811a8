//! Support planes, half-spaces and separating bounding volumes (sbv §1, definitions 1 to 5).
//!
//! | definition | here |
//! | --- | --- |
//! | 1: extension `E_d(X) = max dᵀx` | [`Slab::high`]; `−E₋d(X)` is [`Slab::low`] |
//! | 2: support plane, support points | [`support`](crate::support) |
//! | 3: half-space `H_d(X)` | one side of a [`Slab`] |
//! | 4: pair of support points | [`gjk::Corner`](impinge_geometry::gjk::Corner) |
//! | 5: the volume `∩ H_d(X)` over `d ∈ D′`, axis form | [`Volume`] over [`Axes`] |

use impinge_geometry::Vector;

/// The points between two opposite support planes: two half-spaces of definition 3.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slab {
    /// `−E₋d(X)`.
    pub low: f64,
    /// `E_d(X)`.
    pub high: f64,
}

impl Slab {
    /// The points in both slabs; empty if `low > high`.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self { low: self.low.max(other.low), high: self.high.min(other.high) }
    }

    /// The least slab around both.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// The slab with both planes moved outward.
    #[must_use]
    pub fn widened(self, by: f64) -> Self {
        Self { low: self.low - by, high: self.high + by }
    }

    /// Whether no number lies in it.
    pub fn is_empty(self) -> bool {
        self.low > self.high
    }

    pub(crate) const EMPTY: Self = Self { low: f64::INFINITY, high: f64::NEG_INFINITY };
}

/// The three directions of the axis form of definition 5, with their opposites. The first is the
/// normal of a plane, the others complete a frame, up to rounding; proofs do not need right angles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axes(pub [Vector; 3]);

impl Axes {
    /// The axes of the frame of the query: `D₀` of the paper.
    pub fn of_frame() -> Self {
        Self([Vector::x(), Vector::y(), Vector::z()])
    }

    /// The frame about a normal, which must be finite and not zero. The paper leaves the other two directions
    /// open. Here the axis of the query's frame nearest to the normal is turned onto it by the least
    /// rotation, and the two next axes are turned with it. So they move little when the normal does,
    /// except where another axis becomes the nearest.
    pub fn about(normal: &Vector) -> Self {
        // Scaled first, so that its square neither overflows nor vanishes.
        let n = (normal / normal.amax()).normalize();
        let k = n.iamax();
        let e = Vector::ith(k, n[k].signum());
        // The rotation that takes e to n: v ↦ v + w × v + (w × (w × v)) / (1 + e · n), w = e × n.
        let w = e.cross(&n);
        let turned = |v: Vector| {
            let once = w.cross(&v);
            v + once + w.cross(&once) / (1.0 + e.dot(&n))
        };
        Self([n, turned(Vector::ith((k + 1) % 3, 1.0)), turned(Vector::ith((k + 2) % 3, 1.0))])
    }
}

/// A separating bounding volume in the axis form: a slab for each of three [`Axes`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Volume(pub [Slab; 3]);

impl Default for Volume {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl Volume {
    /// The volume of no point.
    pub(crate) const EMPTY: Self = Self([Slab::EMPTY; 3]);

    /// The points in both volumes.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        Self([0, 1, 2].map(|k| self.0[k].and(other.0[k])))
    }

    /// The volume with all planes moved outward.
    #[must_use]
    pub fn widened(&self, by: f64) -> Self {
        Self(self.0.map(|slab| slab.widened(by)))
    }

    /// The largest magnitude of a height of its planes.
    pub(crate) fn largest(&self) -> f64 {
        self.0.iter().fold(0.0, |most: f64, s| most.max(s.low.abs()).max(s.high.abs()))
    }

    /// Whether no point lies in it.
    pub fn is_empty(&self) -> bool {
        self.0.iter().any(|slab| slab.is_empty())
    }

    /// Whether the point with these heights lies in it.
    #[inline]
    pub(crate) fn has(&self, heights: &[f64; 3]) -> bool {
        (0..3).all(|k| self.0[k].low <= heights[k] && heights[k] <= self.0[k].high)
    }

    #[inline]
    pub(crate) fn add(&mut self, heights: &[f64; 3]) {
        for (slab, &h) in self.0.iter_mut().zip(heights) {
            *slab = slab.or(Slab { low: h, high: h });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_orthonormal_and_follows_its_normal() {
        for (x, y, z) in [(1.0, 0.0, 0.0), (-1.0, 0.2, 0.1), (0.3, -5.0, 1.0), (1.0, 1.0, 1.2)] {
            let normal = Vector::new(x, y, z);
            let Axes(axes) = Axes::about(&normal);
            assert!((axes[0] - normal.normalize()).norm() < 1e-15);
            for i in 0..3 {
                for j in 0..3 {
                    let expected = f64::from(u8::from(i == j));
                    assert!((axes[i].dot(&axes[j]) - expected).abs() < 1e-15, "{i} {j}");
                }
            }
            let Axes(near) = Axes::about(&(normal + Vector::new(1e-6, -1e-6, 2e-6)));
            assert!((0..3).all(|k| (near[k] - axes[k]).norm() < 1e-5));
        }
        for size in [2.0, 1e-300, 1e300] {
            assert_eq!(Axes::about(&Vector::new(size, 0.0, 0.0)), Axes::of_frame());
        }
    }

    #[test]
    fn volumes_of_points_apart_have_nothing_in_common() {
        let of = |points: &[[f64; 3]]| {
            let mut volume = Volume::EMPTY;
            for p in points {
                volume.add(p);
            }
            volume
        };
        let (a, b) = (of(&[[0.0; 3], [1.0; 3]]), of(&[[1.0; 3], [2.0; 3]]));
        assert!(Volume::EMPTY.is_empty() && !a.and(&b).is_empty());
        assert!(a.has(&[0.5, 0.0, 1.0]) && !a.has(&[0.5, -0.1, 1.0]));
        assert!(a.and(&of(&[[1.5, 0.0, 0.0]])).is_empty());
        assert!(!a.and(&of(&[[1.5, 0.0, 0.0]])).widened(0.25).is_empty());
    }
}
