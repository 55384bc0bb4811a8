//! Which faces without a corner in the hull does it meet? The search is the dearest step of growing.
//!
//! What a vertex has added to the hull is a union of tetrahedra, from it over the faces it removed;
//! to a flat hull, triangles. The tree of the surface's faces is walked once for all of them, with
//! the set of those that a node's box may meet: a box is out if it does not overlap a tetrahedron's
//! box, or is certainly above one of its planes, by an error bound in f64. A subtree of which every
//! face has a corner in the hull is left out. What is left is judged exactly.

use impinge_geometry::exact::triangles_meet;
use impinge_geometry::predicates::{Sign, orient3d};
use impinge_geometry::{Point, Triangle};

use super::Grower;
use crate::tree::Box3;

/// How many parts one walk can tell apart: the bits of a set.
const SET: usize = u64::BITS as usize;

impl Grower<'_> {
    /// The faces without a corner in the hull that meet what the vertex `v` has added to it: the
    /// tetrahedra from `v` over these faces, which it removed, or new triangles of a flat hull.
    pub(super) fn strangers(&self, v: u32, faces: &[u32], solid: bool, found: &mut Vec<u32>) {
        let apex = self.surface.point(v);
        let size = self.tree.bounds().largest();
        let part = |f: &u32| Part::new(self.at(&self.hull.faces[*f as usize]), *apex, solid, &size);
        for some in faces.chunks(SET) {
            let parts: Vec<Part> = some.iter().map(part).collect();
            let around = parts.iter().map(|p| p.around).reduce(|a, b| a.merged(&b));
            let Some(around) = around else { return };
            let all = u64::MAX >> (SET - parts.len());
            self.tree.visit_free(
                (&around, all),
                |node, set| filter(set, |k| parts[k].may_meet(node)),
                |g, set| {
                    if self.touched_in[g as usize] != self.growth {
                        let t = self.surface.corners(g);
                        if filter(set, |k| parts[k].meets(&t)) != 0 {
                            found.push(g);
                        }
                    }
                },
            );
        }
    }
}

/// Those of the set that fulfil a condition.
fn filter(set: u64, holds: impl Fn(usize) -> bool) -> u64 {
    let (mut left, mut kept) = (set, 0);
    while left != 0 {
        let bit = left & left.wrapping_neg();
        if holds(left.trailing_zeros() as usize) {
            kept |= bit;
        }
        left ^= bit;
    }
    kept
}

/// A tetrahedron that the hull has grown by, or a triangle of a flat one.
struct Part {
    sides: [Triangle; 4],
    /// The same, wound so that they face outward.
    outward: [Triangle; 4],
    planes: [Plane; 4],
    around: Box3,
    solid: bool,
}

impl Part {
    /// Between a face and the vertex that sees it; if not `solid`, only the face.
    fn new(face: Triangle, apex: Point, solid: bool, size: &[f64; 3]) -> Self {
        let [a, b, c] = face;
        let sides = [face, [b, a, apex], [c, b, apex], [a, c, apex]];
        // Of the face itself the far side is outside.
        let outward = [[a, c, b], [a, b, apex], [b, c, apex], [c, a, apex]];
        let around = Box3::around([a, b, c, apex].iter());
        Self { sides, outward, planes: outward.map(|t| Plane::of(&t, size)), around, solid }
    }

    /// False if certainly no triangle in the box meets it.
    #[inline]
    fn may_meet(&self, node: &Box3) -> bool {
        node.overlaps(&self.around) && !(self.solid && self.planes.iter().any(|p| p.is_below(node)))
    }

    fn meets(&self, t: &Triangle) -> bool {
        if !Box3::of(t).overlaps(&self.around) {
            return false;
        }
        if !self.solid {
            return triangles_meet(&self.sides[0], t);
        }
        if self.planes.iter().any(|p| t.iter().all(|x| p.is_below_point(x))) {
            return false;
        }
        let above = |s: &Triangle, x: &Point| orient3d(&s[0], &s[1], &s[2], x) == Sign::Positive;
        if self.outward.iter().any(|s| t.iter().all(|x| above(s, x))) {
            return false;
        }
        self.sides.iter().any(|s| triangles_meet(s, t))
            || self.outward.iter().all(|s| !above(s, &t[0]))
    }
}

/// A plane in f64 that can prove points of the surface to be above it.
struct Plane {
    normal: [f64; 3],
    offset: f64,
    /// The least height that is certainly more than 0.
    slack: f64,
}

impl Plane {
    /// `size` bounds the coordinates' absolute values. Each component of the normal is a difference
    /// of two products of two differences: off by at most 4 u of their absolute sum; 8 u are taken.
    /// A height is a difference of two sums of three products of the normal and a point, which is
    /// off by at most 4 u of the absolute sum each, and the subtraction: 16 u are taken, and 2 % for
    /// the rounding of the slack. Overflow makes it infinite or no number, and then nothing is proved.
    fn of(t: &[Point; 3], size: &[f64; 3]) -> Self {
        let (u, v) = (t[1] - t[0], t[2] - t[0]);
        let pair = |i: usize, j: usize| {
            (u[i] * v[j] - u[j] * v[i], (u[i] * v[j]).abs() + (u[j] * v[i]).abs())
        };
        let parts = [pair(1, 2), pair(2, 0), pair(0, 1)];
        let normal = parts.map(|p| p.0);
        let unit = f64::EPSILON / 2.0;
        let mut slack = f64::MIN_POSITIVE;
        for k in 0..3 {
            let error = 8.0 * unit * parts[k].1 + f64::MIN_POSITIVE;
            // A difference of two points is at most twice as large as they.
            slack += 2.0 * error * size[k] + 16.0 * unit * (normal[k].abs() * size[k]);
        }
        let offset = normal[0] * t[0].x + normal[1] * t[0].y + normal[2] * t[0].z;
        Self { normal, offset, slack: slack * 1.02 }
    }

    #[inline]
    fn is_below_point(&self, x: &Point) -> bool {
        let [a, b, c] = self.normal;
        a * x.x + b * x.y + c * x.z - self.offset > self.slack
    }

    /// Certainly strictly below every point of the surface in the box?
    #[inline]
    fn is_below(&self, node: &Box3) -> bool {
        let end = |k: usize| if self.normal[k] > 0.0 { node.min[k] } else { node.max[k] };
        self.is_below_point(&Point::new(end(0), end(1), end(2)))
    }
}
