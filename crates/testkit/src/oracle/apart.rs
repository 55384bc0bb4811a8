//! Whether two triangles are apart by more than any rounding: most pairs whose boxes meet are.
//!
//! Any direction on which the projections of the triangles are apart shows it. So directions may be
//! rounded, and only projections need a margin.

use impinge_geometry::{Triangle, Vector};

/// Part of the largest sum of magnitudes that projections must be apart by. A projection, three
/// products and two sums, is off by at most 4 · 2⁻⁵³ of it, and by 3 · 2⁻¹⁰⁷⁴.
const MARGIN: f64 = 1e-12;
/// Sums below this show nothing, since a margin could be less than what underflows.
const LEAST: f64 = 1e-280;

/// True only if the triangles share no point. False says nothing.
pub(super) fn clearly(a: &Triangle, b: &Triangle) -> bool {
    let (e, f) = (edges(a), edges(b));
    let [m, n] = [e[0].cross(&e[1]), f[0].cross(&f[1])];
    let across = || e.iter().flat_map(|e| f.iter().map(|f| e.cross(f)));
    // Of triangles in one plane.
    let beside = || e.iter().map(|e| m.cross(e)).chain(f.iter().map(|f| n.cross(f)));
    [m, n].into_iter().chain(across()).chain(beside()).any(|way| along(&way, a, b))
}

fn edges([p, q, r]: &Triangle) -> [Vector; 3] {
    [q - p, r - q, p - r]
}

/// Whether projections on this direction are clearly apart. Never if a number is too large.
fn along(way: &Vector, a: &Triangle, b: &Triangle) -> bool {
    let mut most = 0.0;
    let mut range = |t: &Triangle| {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for p in t {
            let [x, y, z] = [way.x * p.x, way.y * p.y, way.z * p.z];
            let at = x + y + z;
            (low, high) = (at.min(low), at.max(high));
            most = (x.abs() + y.abs() + z.abs()).max(most);
        }
        (low, high)
    };
    let ((a_low, a_high), (b_low, b_high)) = (range(a), range(b));
    let gap = (b_low - a_high).max(a_low - b_high);
    let finite = way.iter().all(|x| x.is_finite());
    finite && most > LEAST && most < f64::INFINITY && gap > MARGIN * most
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::{self, Class};
    use crate::oracle::triangles_meet;

    /// Of all classes: nothing that meets, and in general position nearly all that does not. The
    /// projections of triangles that meet overlap so little in many cases that without the margin
    /// some would be said to be apart.
    #[test]
    fn only_what_does_not_meet_is_clearly_apart() {
        let mut random = [0; 2];
        for class in Class::ALL {
            for index in 0..500 {
                let (a, b) = cases::generate(class, index);
                let (meet, apart) = (triangles_meet(&a, &b), clearly(&a, &b));
                assert!(!(meet && apart), "{class:?} {index}");
                if class == Class::Random && !meet {
                    random[usize::from(apart)] += 1;
                }
            }
        }
        assert!(random[1] > 20 * random[0], "{random:?}");
    }
}
