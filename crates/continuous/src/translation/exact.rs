//! The translations at which two triangles meet, in exact arithmetic.
//!
//! Points are projected along the direction onto two coordinates, times the third component of the
//! direction, so that they are integers. `p` and `q + s d` are the same point if and only if their
//! shadows are, and `s` is the difference of their third coordinates over that component. So the
//! least and the largest `s` are those of a linear function over the pairs of points of both
//! triangles with one shadow. These are a polytope with corners where the shadows decide alone:
//!
//! 1. a corner of one triangle with the shadow of a point of the other, whose shadow has area;
//! 2. an edge of each, with shadows that are not parallel;
//! 3. a corner and an edge whose shadow has length;
//! 4. two corners.
//!
//! Proof: a corner of the polytope is within a face of each triangle, of dimensions that sum to at
//! most two, as there are two equations, and is the only pair of points of these faces with one
//! shadow. What is found otherwise (an edge's end on the other edge) is in the polytope too.

use impinge_geometry::{Triangle, Vector, exact};
use num_bigint::{BigInt, Sign};

use super::fraction::Fraction;

/// The least and the largest translation, unless the triangles never meet.
pub(crate) type Ends = Option<[Fraction; 2]>;

/// A point's shadow, and its height, all integers.
struct Shade {
    x: BigInt,
    y: BigInt,
    height: BigInt,
}

/// A height as a fraction.
struct Height<'n> {
    above: BigInt,
    below: &'n BigInt,
}

/// Collects translations.
struct Found {
    /// The component of the direction along which heights are measured.
    along: BigInt,
    ends: Ends,
}

/// All `s` for which `p` and `q + s d` share a point, as a closed interval, for finite coordinates
/// and a finite `d` that is not zero. Some hundred products of integers.
pub(crate) fn ends(p: &Triangle, q: &Triangle, d: &Vector) -> Ends {
    let m = d.iamax();
    let axes = [0, 1, 2]
        .map(|k| exact::integers([p[0][k], p[1][k], p[2][k], q[0][k], q[1][k], q[2][k], d[k]]));
    let (a, b) = ((m + 1) % 3, (m + 2) % 3);
    let shade = |i: usize| {
        let on = |k: usize| &axes[k][i] * &axes[m][6] - &axes[m][i] * &axes[k][6];
        Shade { x: on(a), y: on(b), height: axes[m][i].clone() }
    };
    let (p, q) = ([0, 1, 2].map(shade), [3, 4, 5].map(shade));
    let (of_p, of_q) = (beside(&q, &p), beside(&p, &q));
    let mut found = Found { along: axes[m][6].clone(), ends: None };
    for k in 0..3 {
        found.corner_and_face(&p[k], &of_p[k], &q, false);
        found.corner_and_face(&q[k], &of_q[k], &p, true);
        for j in 0..3 {
            let (l, i) = ((k + 1) % 3, (j + 1) % 3);
            found.corners(&p[k], &q[j]);
            found.corner_and_edge(&p[k], &of_p[k][j], [&q[j], &q[i]], false);
            found.corner_and_edge(&q[k], &of_q[k][j], [&p[j], &p[i]], true);
            found.edges(
                ([&p[k], &p[l]], [&of_p[k][j], &of_p[l][j]]),
                ([&q[j], &q[i]], [&of_q[j][k], &of_q[i][k]]),
            );
        }
    }
    found.ends
}

/// For each corner, twice its signed area with each edge of a triangle.
fn beside(triangle: &[Shade; 3], corners: &[Shade; 3]) -> [[BigInt; 3]; 3] {
    corners.each_ref().map(|r| {
        [0, 1, 2].map(|k| {
            let (p, q) = (&triangle[k], &triangle[(k + 1) % 3]);
            (&q.x - &p.x) * (&r.y - &p.y) - (&q.y - &p.y) * (&r.x - &p.x)
        })
    })
}

/// Two shadows, and twice their areas with an edge of the other triangle.
type Edge<'n> = ([&'n Shade; 2], [&'n BigInt; 2]);

impl Found {
    /// Two points with one shadow: `p` of the first triangle, `q` of the other.
    fn take(&mut self, p: &Height<'_>, q: &Height<'_>) {
        let above = &p.above * q.below - &q.above * p.below;
        let s = Fraction::new(above, p.below * q.below * &self.along);
        self.ends = Some(match self.ends.take() {
            None => [s.clone(), s],
            Some([low, high]) if s < low => [s, high],
            Some([low, high]) if s > high => [low, s],
            ends @ Some(_) => return self.ends = ends,
        });
    }

    fn take_swapped(&mut self, p: &Height<'_>, q: &Height<'_>, swapped: bool) {
        let (p, q) = if swapped { (q, p) } else { (p, q) };
        self.take(p, q);
    }

    fn corners(&mut self, p: &Shade, q: &Shade) {
        if p.x == q.x && p.y == q.y {
            let one = BigInt::from(1);
            self.take(&p.on(&one), &q.on(&one));
        }
    }

    fn corner_and_face(&mut self, p: &Shade, areas: &[BigInt; 3], q: &[Shade; 3], swapped: bool) {
        let has = |sign| areas.iter().any(|area| area.sign() == sign);
        if has(Sign::Plus) == has(Sign::Minus) {
            return;
        }
        // The area beside an edge is the share of the corner before it.
        let whole: BigInt = areas.iter().sum();
        let above = (0..3).map(|k| &areas[(k + 1) % 3] * &q[k].height).sum();
        let one = BigInt::from(1);
        self.take_swapped(&p.on(&one), &Height { above, below: &whole }, swapped);
    }

    fn corner_and_edge(&mut self, p: &Shade, area: &BigInt, [q, r]: [&Shade; 2], swapped: bool) {
        if area.sign() != Sign::NoSign {
            return;
        }
        let along = [(&p.x - &q.x, &r.x - &q.x), (&p.y - &q.y, &r.y - &q.y)];
        // On the edge's line, the share of the edge is the same on both axes.
        let has_length = |axis: &&(BigInt, BigInt)| axis.1.sign() != Sign::NoSign;
        if let Some((part, whole)) = along.iter().find(has_length)
            && within(part, whole)
        {
            let one = BigInt::from(1);
            self.take_swapped(&p.on(&one), &between([q, r], part, whole), swapped);
        }
    }

    fn edges(&mut self, (p, [a, b]): Edge<'_>, (q, [c, d]): Edge<'_>) {
        let apart = |x: &BigInt, y: &BigInt| x.sign() == y.sign() && x.sign() != Sign::NoSign;
        if apart(a, b) || apart(c, d) {
            return;
        }
        // The lines meet at this share of each; they are parallel if one area does not change.
        let whole = [a - b, c - d];
        if whole.iter().all(|whole| whole.sign() != Sign::NoSign) {
            self.take(&between(p, a, &whole[0]), &between(q, c, &whole[1]));
        }
    }
}

impl Shade {
    fn on<'n>(&self, one: &'n BigInt) -> Height<'n> {
        Height { above: self.height.clone(), below: one }
    }
}

/// The height at the share `part / whole` of an edge.
fn between<'n>([p, q]: [&Shade; 2], part: &BigInt, whole: &'n BigInt) -> Height<'n> {
    Height { above: &p.height * (whole - part) + &q.height * part, below: whole }
}

/// Whether `0 ≤ part / whole ≤ 1`, for `whole ≠ 0`.
fn within(part: &BigInt, whole: &BigInt) -> bool {
    match whole.sign() {
        Sign::Minus => part.sign() != Sign::Plus && part >= whole,
        _ => part.sign() != Sign::Minus && part <= whole,
    }
}
