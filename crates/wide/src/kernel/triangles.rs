//! Four triangles against four: the signs of fifteen determinants per pair, in 32 bits, certain
//! where a determinant exceeds its error bound (Devillers and Guigue 2002, as cited in anthology 5
//! §3).

use crate::simd::Simd;

/// Four triangles side by side: `self.0[c][k][i]` is coordinate `c` of corner `k` of triangle `i`,
/// relative to a nearby point and in a unit of about the models' size, each within a relative error
/// of 1.001 u (u = 2⁻²⁴), and a room that goes beside it. Corner 3 has no meaning.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Four(pub(crate) [[[f32; 4]; 4]; 3]);

/// Bounds on the corners of two fours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Reach {
    /// The largest coordinate `G`.
    pub(crate) largest: f32,
    /// Bounds `E` on the components of A's edges and of B's before, while and after corners are rounded:
    /// at most 2 u G more than measured, of which the proof needs half.
    pub(crate) longest: [f32; 2],
    /// How far a coordinate may be off beside its relative error, and a coordinate of A and one of B
    /// together.
    pub(crate) room: f32,
}

/// What is certain of the sixteen pairs: bit `4 i + j` is for triangle `i` of A and `j` of B.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Certain {
    /// Pairs that certainly share a point.
    pub(crate) hit: u32,
    /// Pairs that certainly do not.
    pub(crate) miss: u32,
}

impl Four {
    /// Coordinate `c` of corner `k` of each triangle.
    #[inline(always)]
    pub(crate) const fn at(&self, k: usize, c: usize) -> &[f32; 4] {
        &self.0[c][k]
    }

    /// Largest magnitude of a coordinate.
    #[inline(always)]
    fn largest(&self) -> f32 {
        let mut most = [0.0f32; 4];
        for corners in &self.0 {
            for row in &corners[..3] {
                for (most, x) in most.iter_mut().zip(row) {
                    *most = more(*most, x.abs());
                }
            }
        }
        more(more(most[0], most[1]), more(most[2], most[3]))
    }

    /// Largest magnitude of an edge's component.
    #[inline(always)]
    fn longest(&self) -> f32 {
        let mut most = [0.0f32; 4];
        for x in &self.0 {
            for k in 0..3 {
                for i in 0..4 {
                    most[i] = more(most[i], (x[(k + 1) % 3][i] - x[k][i]).abs());
                }
            }
        }
        more(more(most[0], most[1]), more(most[2], most[3]))
    }
}

impl Reach {
    /// By how much a gap along a direction `w` may be too large, for `|w|₁` of 1: see
    /// [`super::directions`].
    #[inline(always)]
    pub(crate) fn off(&self) -> f32 {
        12.0 * UNIT * (self.largest + self.room) + self.room
    }
}

#[inline(always)]
pub(crate) fn more(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// Unit of rounding of 32-bit numbers.
pub(crate) const UNIT: f32 = 1.0 / (1 << 24) as f32;
/// Determinants below this have no certain sign, because their products may have underflowed.
const FLOOR: f32 = 1.0e-30;

/// That of two fours with this room.
#[inline(always)]
pub(crate) fn reach(a: &Four, b: &Four, room: f32) -> Reach {
    let largest = more(a.largest(), b.largest());
    let off = 1.01 * UNIT * largest;
    Reach { largest, longest: [a.longest() + off, b.longest() + off], room }
}

/// Determinants larger than these have a certain sign: of a plane of A and a corner of B, of a plane of B
/// and a corner of A, and of an edge of each.
///
/// With coordinates at most `G` and edges at most `E`, a determinant is off by at most
/// `32 E G (u G + room) + 68 u E² G`: see `docs/wide-bounds.md`, "Triangles". Edges are those of the plane,
/// or the longest of both. 3 % more covers terms in u² and the rounding of this bound.
#[inline(always)]
pub(crate) fn bounds(reach: &Reach) -> [f32; 3] {
    let [a, b] = reach.longest;
    let (a, b) = (bound(reach, a), bound(reach, b));
    // It grows with the edges.
    [a, b, more(a, b)]
}

/// That for edges of at most `longest`.
#[inline(always)]
fn bound(reach: &Reach, longest: f32) -> f32 {
    let room = reach.room;
    let (largest, longest) = (reach.largest + room, longest + 2.0 * room);
    longest * largest * (33.0 * (UNIT * largest + room) + 70.0 * UNIT * longest) + FLOOR
}

/// Three components per lane.
pub(crate) type V<S> = [<S as Simd>::F; 3];

#[inline(always)]
pub(crate) fn sub<S: Simd>(a: V<S>, b: V<S>) -> V<S> {
    [S::sub(a[0], b[0]), S::sub(a[1], b[1]), S::sub(a[2], b[2])]
}

#[inline(always)]
pub(crate) fn cross<S: Simd>(a: V<S>, b: V<S>) -> V<S> {
    [
        S::mul_sub(a[1], b[2], S::mul(a[2], b[1])),
        S::mul_sub(a[2], b[0], S::mul(a[0], b[2])),
        S::mul_sub(a[0], b[1], S::mul(a[1], b[0])),
    ]
}

#[inline(always)]
pub(crate) fn dot<S: Simd>(a: V<S>, b: V<S>) -> S::F {
    S::mul_add(a[0], b[0], S::mul_add(a[1], b[1], S::mul(a[2], b[2])))
}

/// Masks: certainly positive, certainly negative.
#[inline(always)]
fn sign<S: Simd>(x: S::F, [bound, minus]: [S::F; 2]) -> [S::M; 2] {
    [S::gt(x, bound), S::gt(minus, x)]
}

/// A bound, and the same below zero.
#[inline(always)]
pub(crate) fn about<S: Simd>(bound: f32) -> [S::F; 2] {
    [S::splat(bound), S::splat(-bound)]
}

#[inline(always)]
fn both<S: Simd>(a: [S::M; 2], b: [S::M; 2]) -> [S::M; 2] {
    [S::and(a[0], b[0]), S::and(a[1], b[1])]
}

#[inline(always)]
fn either<S: Simd>(a: [S::M; 2]) -> S::M {
    S::or(a[0], a[1])
}

/// What is certain of each of the sixteen pairs.
#[inline(always)]
pub(crate) fn meet<S: Simd>(a: &Four, b: &Four, reach: &Reach) -> Certain {
    let [of_a, of_b, of_edges] = bounds(reach);
    let bounds = [about::<S>(of_a), about::<S>(of_b), about::<S>(of_edges)];
    let mut all = Certain::default();
    let mut at = 0;
    while at < 16 {
        let some = lanes::<S>(a, b, at, bounds);
        all.hit |= some.hit << at;
        all.miss |= some.miss << at;
        at += S::LANES;
    }
    all
}

/// Of three numbers: certainly positive, certainly negative.
type Signs<S> = [[<S as Simd>::M; 2]; 3];

#[inline(always)]
pub(super) fn edges<S: Simd>(t: &[V<S>; 3]) -> [V<S>; 3] {
    [sub::<S>(t[1], t[0]), sub::<S>(t[2], t[1]), sub::<S>(t[0], t[2])]
}

/// Sides of three points of the plane through `at` with this normal.
#[inline(always)]
fn sides<S: Simd>(normal: V<S>, at: V<S>, points: &[V<S>; 3], bound: [S::F; 2]) -> Signs<S> {
    [
        sign::<S>(dot::<S>(normal, sub::<S>(points[0], at)), bound),
        sign::<S>(dot::<S>(normal, sub::<S>(points[1], at)), bound),
        sign::<S>(dot::<S>(normal, sub::<S>(points[2], at)), bound),
    ]
}

/// Whether all three signs are certain and equal.
#[inline(always)]
fn same<S: Simd>(s: &Signs<S>) -> S::M {
    either::<S>(both::<S>(both::<S>(s[0], s[1]), s[2]))
}

/// Whether all three signs are certain.
#[inline(always)]
fn known<S: Simd>(s: &Signs<S>) -> S::M {
    S::and(S::and(either::<S>(s[0]), either::<S>(s[1])), either::<S>(s[2]))
}

/// Whether the ends of edge `i` are certainly on different sides.
#[inline(always)]
fn crosses<S: Simd>(s: &Signs<S>, i: usize) -> S::M {
    let (x, y) = (s[i], s[(i + 1) % 3]);
    S::or(S::and(x[0], y[1]), S::and(x[1], y[0]))
}

/// The corners of A's and of B's triangles, for the pairs of lanes `at ..`.
#[inline(always)]
pub(crate) fn spread<S: Simd>(a: &Four, b: &Four, at: usize) -> [[V<S>; 3]; 2] {
    let zero = S::splat(0.0);
    let (mut p, mut q) = ([[zero; 3]; 3], [[zero; 3]; 3]);
    for k in 0..3 {
        for c in 0..3 {
            p[k][c] = S::spread(a.at(k, c), at);
            q[k][c] = S::repeat(b.at(k, c));
        }
    }
    [p, q]
}

/// Decides the pairs of lanes `at ..`. No closures: they would be compiled without the target's
/// instruction set.
#[inline(always)]
pub(crate) fn lanes<S: Simd>(a: &Four, b: &Four, at: usize, bounds: [[S::F; 2]; 3]) -> Certain {
    let full = ((1u64 << S::LANES) - 1) as u32;
    let [p, q] = spread::<S>(a, b, at);
    let u = edges::<S>(&p);
    let side_q = sides::<S>(cross::<S>(u[0], u[1]), p[0], &q, bounds[0]);
    let miss = same::<S>(&side_q);
    if S::bits(miss) == full {
        return Certain { hit: 0, miss: full };
    }
    let w = edges::<S>(&q);
    let side_p = sides::<S>(cross::<S>(w[0], w[1]), q[0], &p, bounds[1]);
    let miss = S::or(miss, same::<S>(&side_p));
    if S::bits(miss) == full {
        return Certain { hit: 0, miss: full };
    }
    let none = [[S::never(); 2]; 3];
    let mut turn = [none; 3];
    for i in 0..3 {
        for j in 0..3 {
            let volume = dot::<S>(cross::<S>(u[i], w[j]), sub::<S>(q[j], p[i]));
            turn[i][j] = sign::<S>(volume, bounds[2]);
        }
    }
    // An edge pierces a face if its ends are on different sides and it passes all edges with the
    // same orientation.
    let mut hit = S::never();
    let mut certain = S::and(known::<S>(&side_p), known::<S>(&side_q));
    for i in 0..3 {
        let back = [turn[0][i], turn[1][i], turn[2][i]];
        hit = S::or(hit, S::and(crosses::<S>(&side_p, i), same::<S>(&turn[i])));
        hit = S::or(hit, S::and(crosses::<S>(&side_q, i), same::<S>(&back)));
        certain = S::and(certain, known::<S>(&turn[i]));
    }
    let hit = S::bits(hit);
    Certain { hit, miss: S::bits(miss) | (S::bits(certain) & !hit) }
}
