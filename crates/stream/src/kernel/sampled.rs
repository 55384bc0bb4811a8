//! The tests of the paper in 32 bits: they decide, right or wrong.
//!
//! An edge is a ray `orig + t dir`, `dir` of length 1, with the edge's length. A test gives the
//! parameter `t` where the ray meets, and the depth test compares it with the length (fan §3.3.3).

use super::{Face, StreamBox, cross, dot, greater, lesser, sub};

/// How the depth test compares the parameter with the edge's length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Depth {
    /// `0 ≤ t ≤ len`, all borders of the triangle included.
    Closed,
    /// Fig. 3-8 and `GL_LESS`. `least` is the least determinant that is not parallel.
    Printed {
        /// 1e-6 in the meshes' unit.
        least: f32,
    },
}

/// Whether the ray meets the triangle before its end (fan eq. 3-2 … 3-11).
#[inline(always)]
#[allow(clippy::needless_bitwise_bool)] // no branches, so that edges are tested side by side
pub(crate) fn through(
    orig: [f32; 3],
    dir: [f32; 3],
    length: f32,
    face: &Face,
    depth: Depth,
) -> bool {
    let v1o = sub(orig, face.corner);
    let v1od = cross(v1o, dir);
    let det = dot(face.e13, cross(face.e12, dir));
    let u = dot(face.e13, v1od) / det;
    let v = -dot(face.e12, v1od) / det;
    let w = u + v;
    let t = -dot(face.normal, v1o) / dot(face.normal, dir);
    // Comparisons with NaN are false, as they are in the figure.
    match depth {
        Depth::Closed => {
            (det != 0.0) & (u >= 0.0) & (v >= 0.0) & (w <= 1.0) & (t >= 0.0) & (t <= length)
        }
        Depth::Printed { least } => {
            let steep = (det < -least) | (det >= least);
            let inside = (0.0..1.0).contains(&u) & (v >= 0.0) & (w < 1.0);
            steep & inside & (greater(t, 0.0) < length)
        }
    }
}

/// Whether the ray meets the box before its end, by the slabs of fig. 3-9 as printed.
pub(crate) fn printed_box(orig: [f32; 3], dir: [f32; 3], length: f32, target: &StreamBox) -> bool {
    let to = sub(orig, target.centre);
    let (o, d) = (target.axes.map(|axis| dot(axis, to)), target.axes.map(|axis| dot(axis, dir)));
    let slab = |k: usize| {
        let (low, high) = ((-target.half[k] - o[k]) / d[k], (target.half[k] - o[k]) / d[k]);
        if d[k] >= 0.0 { [low, high] } else { [high, low] }
    };
    let [mut from, mut to] = slab(0);
    let mut hit = true;
    for k in 1..3 {
        let [low, high] = slab(k);
        hit &= !(from > high || to < low);
        // The selections of the figure, which keep the first of two if a comparison is false.
        (from, to) = (greater(low, from), lesser(high, to));
    }
    hit && to >= 0.0 && greater(from, 0.0) < length
}

#[cfg(test)]
mod tests {
    use super::*;

    const FACE: [[f32; 3]; 3] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];

    /// A ray downwards from above `(x, y)`, ending `below` the triangle's plane.
    fn falls(x: f32, y: f32, below: f32, depth: Depth) -> bool {
        through([x, y, 0.5], [0.0, 0.0, -1.0], 0.5 + below, &Face::new(FACE), depth)
    }

    #[test]
    fn borders_count_unless_as_printed() {
        let printed = Depth::Printed { least: 1e-6 };
        for (x, y) in [(1.0, 0.0), (0.0, 1.0), (0.5, 0.5)] {
            assert!(falls(x, y, 0.1, Depth::Closed) && !falls(x, y, 0.1, printed), "{x} {y}");
        }
        for depth in [Depth::Closed, printed] {
            assert!(falls(0.2, 0.2, 0.1, depth) && falls(0.0, 0.0, 0.1, depth));
            assert!(!falls(0.8, 0.8, 0.1, depth) && !falls(0.2, 0.2, -0.1, depth));
        }
        assert!(falls(0.2, 0.2, 0.0, Depth::Closed) && !falls(0.2, 0.2, 0.0, printed), "the end");
    }

    #[test]
    fn as_printed_a_triangle_behind_is_hit_and_a_small_one_missed() {
        let face = Face::new(FACE);
        let up = |depth| through([0.2, 0.2, 0.5], [0.0, 0.0, 1.0], 0.3, &face, depth);
        assert!(!up(Depth::Closed) && up(Depth::Printed { least: 1e-6 }));
        let small = Face::new(FACE.map(|p| p.map(|x| x * 1e-3)));
        let down = |depth| through([1e-4, 1e-4, 0.5], [0.0, 0.0, -1.0], 1.0, &small, depth);
        assert!(down(Depth::Closed) && !down(Depth::Printed { least: 1.1e-6 }));
    }

    #[test]
    fn slabs_as_printed() {
        let target = StreamBox {
            axes: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            centre: [0.0; 3],
            half: [1.0; 3],
        };
        let meets = |orig, dir, length| printed_box(orig, dir, length, &target);
        let slanted = [0.6, 0.64, 0.48];
        assert!(meets([-2.0, -2.0, -1.5], slanted, 4.0));
        assert!(!meets([-2.0, -2.0, -1.5], slanted, 1.0), "it ends before the box");
        assert!(!meets([2.0, 2.0, 1.5], slanted, 4.0), "the box is behind");
        // Along an axis, two quotients are infinite, of the right signs if the ray is between.
        assert!(meets([-2.0, 0.5, 0.5], [1.0, 0.0, 0.0], 4.0));
        assert!(!meets([-2.0, 1.5, 0.5], [1.0, 0.0, 0.0], 4.0));
    }
}
