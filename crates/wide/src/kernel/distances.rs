//! Squared distances of several pairs of triangles, with the bits of [`triangle::distance`]: the same
//! operations in the same order, in lanes, and choices in the place of branches. Only signs of zeros
//! differ, which no square shows.
//!
//! [`triangle::distance`]: impinge_geometry::triangle::distance

use impinge_geometry::Triangle;

use crate::simd::doubles::Doubles;

/// Most pairs at once.
pub(crate) const PAIRS: usize = 8;

/// Corners of triangles, relative to the first corner of A's: by corner, coordinate and pair.
type Corners = [[[f64; PAIRS]; 3]; 3];
/// A vector a lane.
type V<D> = [<D as Doubles>::D; 3];

/// Up to eight pairs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pairs {
    a: Corners,
    b: Corners,
    number: usize,
}

/// Sizes at which [`triangle::distance`](impinge_geometry::triangle::distance) does not scale.
const DIRECT: std::ops::RangeInclusive<f64> = 1e-30..=1e30;

impl Pairs {
    /// Adds a pair. `false` if it cannot be one of them: there are eight, or its size is beyond the
    /// range.
    #[inline(always)]
    pub(crate) fn add(&mut self, p: &Triangle, q: &Triangle) -> bool {
        let (origin, mut size) = (p[0], 0.0);
        if self.number == PAIRS {
            return false;
        }
        for (corners, triangle) in [(&mut self.a, p), (&mut self.b, q)] {
            for (corner, x) in corners.iter_mut().zip(triangle) {
                for (k, lanes) in corner.iter_mut().enumerate() {
                    let x = x[k] - origin[k];
                    lanes[self.number] = x;
                    size = if x.abs() > size { x.abs() } else { size };
                }
            }
        }
        let is_direct = DIRECT.contains(&size);
        self.number += usize::from(is_direct);
        is_direct
    }

    /// The squared distances of the pairs, in order; beyond the last, anything.
    #[inline(always)]
    pub(crate) fn squares<D: Doubles>(&self) -> [f64; PAIRS] {
        let mut squares = [0.0; PAIRS];
        let mut at = 0;
        while at < self.number {
            let least = least::<D>(&lanes::<D>(&self.a, at), &lanes::<D>(&self.b, at));
            D::store(least, &mut squares, at);
            at += D::LANES;
        }
        squares
    }
}

/// Lanes `at ..` of some corners.
#[inline(always)]
fn lanes<D: Doubles>(corners: &Corners, at: usize) -> [V<D>; 3] {
    let mut all = [[D::all(0.0); 3]; 3];
    for i in 0..3 {
        for k in 0..3 {
            all[i][k] = D::load(&corners[i][k], at);
        }
    }
    all
}

/// The least squared distance of two triangles a lane.
#[inline(always)]
fn least<D: Doubles>(a: &[V<D>; 3], b: &[V<D>; 3]) -> D::D {
    let (e, f) = (sides::<D>(a), sides::<D>(b));
    let (ee, ff) = (lengths::<D>(&e), lengths::<D>(&f));
    let mut least = D::all(f64::INFINITY);
    for i in 0..3 {
        for j in 0..3 {
            let r = sub::<D>(a[i], b[j]);
            let (s, t) = parameters::<D>(r, (e[i], ee[i]), (f[j], ff[j]));
            let (x, y) = (add::<D>(a[i], scale::<D>(e[i], s)), add::<D>(b[j], scale::<D>(f[j], t)));
            let square = square::<D>(x, y);
            least = D::pick(D::less(square, least), square, least);
        }
    }
    least = Faces::<D>::new(b, &f, &ff).feet(a, least);
    Faces::<D>::new(a, &e, &ee).feet(b, least)
}

/// Parameters in [0, 1] of the closest points of two sides, where `r` is from the start of the second to
/// that of the first. Each direction comes with its squared length.
#[inline(always)]
fn parameters<D: Doubles>(r: V<D>, (d, dd): (V<D>, D::D), (g, gg): (V<D>, D::D)) -> (D::D, D::D) {
    let (zero, one) = (D::all(0.0), D::all(1.0));
    let (dr, gr, dg) = (dot::<D>(d, r), dot::<D>(g, r), dot::<D>(d, g));
    let n = cross::<D>(d, g);
    let nn = dot::<D>(n, n);
    let s = D::sub(zero, dot::<D>(cross::<D>(r, g), n));
    let s = D::pick(D::less(zero, nn), clamp::<D>(D::div(s, nn)), zero);
    let t = D::div(D::add(D::mul(dg, s), gr), gg);
    let low = clamp::<D>(D::div(D::sub(zero, dr), dd));
    let high = clamp::<D>(D::div(D::sub(dg, dr), dd));
    let (under, over) = (D::less(t, zero), D::less(one, t));
    let s = D::pick(under, low, D::pick(over, high, s));
    let t = D::pick(under, zero, D::pick(over, one, t));
    // Sides that are points.
    let (no_d, no_g) = (D::at_most(dd, zero), D::at_most(gg, zero));
    let (s, t) = (D::pick(no_g, low, s), D::pick(no_g, zero, t));
    let of_point = D::pick(no_g, zero, clamp::<D>(D::div(gr, gg)));
    (D::pick(no_d, zero, s), D::pick(no_d, of_point, t))
}

/// Triangles with area, each in an orthogonal frame at the corner between its two shorter sides: as
/// `Face` of the single pairs.
struct Faces<D: Doubles> {
    corner: V<D>,
    long: V<D>,
    inverse_long: D::D,
    short: V<D>,
    along: D::D,
    across: V<D>,
    inverse_across: D::D,
    normal: V<D>,
    have_area: D::C,
}

/// Where the first of three squares is the largest, and where the second is not less than the third.
struct Longest<D: Doubles>(D::C, D::C);

impl<D: Doubles> Longest<D> {
    /// Of three vectors, that of the number `k` more than the longest.
    #[inline(always)]
    fn after(&self, x: &[V<D>; 3], k: usize) -> V<D> {
        pick::<D>(self.0, x[k % 3], pick::<D>(self.1, x[(k + 1) % 3], x[(k + 2) % 3]))
    }

    #[inline(always)]
    fn number_after(&self, x: &[D::D; 3], k: usize) -> D::D {
        D::pick(self.0, x[k % 3], D::pick(self.1, x[(k + 1) % 3], x[(k + 2) % 3]))
    }
}

impl<D: Doubles> Faces<D> {
    #[inline(always)]
    fn new(t: &[V<D>; 3], side: &[V<D>; 3], squared: &[D::D; 3]) -> Self {
        let (zero, one) = (D::all(0.0), D::all(1.0));
        let first = D::both(D::at_most(squared[1], squared[0]), D::at_most(squared[2], squared[0]));
        let longest = Longest::<D>(first, D::at_most(squared[2], squared[1]));
        let (d, g) = (longest.after(side, 2), sub::<D>([zero; 3], longest.after(side, 1)));
        let (of_g, of_d) = (longest.number_after(squared, 1), longest.number_after(squared, 2));
        let swapped = D::less(of_d, of_g);
        let (long, short) = (pick::<D>(swapped, g, d), pick::<D>(swapped, d, g));
        let inverse_long = D::div(one, D::pick(swapped, of_g, of_d));
        let along = D::mul(dot::<D>(short, long), inverse_long);
        let across = sub::<D>(short, scale::<D>(long, along));
        let squared_across = dot::<D>(across, across);
        Self {
            corner: longest.after(t, 2),
            long,
            inverse_long,
            short,
            along,
            across,
            inverse_across: D::div(one, squared_across),
            normal: cross::<D>(long, across),
            have_area: D::less(zero, squared_across),
        }
    }

    /// The lesser of `least` and the squared distance of `x` from its foot, where that is inside and `x` is
    /// wanted.
    #[inline(always)]
    fn foot(&self, x: V<D>, wanted: D::C, least: D::D) -> D::D {
        let (zero, one) = (D::all(0.0), D::all(1.0));
        let w = sub::<D>(x, self.corner);
        let s = D::mul(dot::<D>(w, self.long), self.inverse_long);
        let rest = sub::<D>(w, scale::<D>(self.long, s));
        let t = D::mul(dot::<D>(rest, self.across), self.inverse_across);
        let s = D::sub(s, D::mul(t, self.along));
        let inside = D::both(D::at_most(zero, s), D::at_most(zero, t));
        let inside = D::both(inside, D::at_most(D::add(s, t), one));
        let foot = add::<D>(scale::<D>(self.long, s), scale::<D>(self.short, t));
        let square = square::<D>(x, add::<D>(self.corner, foot));
        let nearer = D::both(D::less(square, least), D::both(inside, wanted));
        D::pick(nearer, square, least)
    }

    /// The same of all corners, and of the points where sides cross the plane.
    #[inline(always)]
    fn feet(&self, corners: &[V<D>; 3], mut least: D::D) -> D::D {
        let zero = D::all(0.0);
        let mut height = [zero; 3];
        for i in 0..3 {
            height[i] = dot::<D>(self.normal, sub::<D>(corners[i], self.corner));
        }
        for i in 0..3 {
            let j = (i + 1) % 3;
            least = self.foot(corners[i], self.have_area, least);
            let crosses = D::one_of(D::less(height[i], zero), D::less(height[j], zero));
            let s = D::div(height[i], D::sub(height[i], height[j]));
            let x = add::<D>(corners[i], scale::<D>(sub::<D>(corners[j], corners[i]), s));
            least = self.foot(x, D::both(self.have_area, crosses), least);
        }
        least
    }
}

/// `x` clamped to 0 … 1; NaN stays.
#[inline(always)]
fn clamp<D: Doubles>(x: D::D) -> D::D {
    let (zero, one) = (D::all(0.0), D::all(1.0));
    D::pick(D::less(x, zero), zero, D::pick(D::less(one, x), one, x))
}

#[inline(always)]
fn sides<D: Doubles>(t: &[V<D>; 3]) -> [V<D>; 3] {
    [sub::<D>(t[1], t[0]), sub::<D>(t[2], t[1]), sub::<D>(t[0], t[2])]
}

/// The squared lengths of three vectors.
#[inline(always)]
fn lengths<D: Doubles>(v: &[V<D>; 3]) -> [D::D; 3] {
    [dot::<D>(v[0], v[0]), dot::<D>(v[1], v[1]), dot::<D>(v[2], v[2])]
}

#[inline(always)]
fn square<D: Doubles>(x: V<D>, y: V<D>) -> D::D {
    let d = sub::<D>(x, y);
    dot::<D>(d, d)
}

#[inline(always)]
fn sub<D: Doubles>(a: V<D>, b: V<D>) -> V<D> {
    [D::sub(a[0], b[0]), D::sub(a[1], b[1]), D::sub(a[2], b[2])]
}

#[inline(always)]
fn add<D: Doubles>(a: V<D>, b: V<D>) -> V<D> {
    [D::add(a[0], b[0]), D::add(a[1], b[1]), D::add(a[2], b[2])]
}

#[inline(always)]
fn scale<D: Doubles>(a: V<D>, s: D::D) -> V<D> {
    [D::mul(a[0], s), D::mul(a[1], s), D::mul(a[2], s)]
}

#[inline(always)]
fn dot<D: Doubles>(a: V<D>, b: V<D>) -> D::D {
    D::add(D::add(D::mul(a[0], b[0]), D::mul(a[1], b[1])), D::mul(a[2], b[2]))
}

#[inline(always)]
fn cross<D: Doubles>(a: V<D>, b: V<D>) -> V<D> {
    [
        D::sub(D::mul(a[1], b[2]), D::mul(a[2], b[1])),
        D::sub(D::mul(a[2], b[0]), D::mul(a[0], b[2])),
        D::sub(D::mul(a[0], b[1]), D::mul(a[1], b[0])),
    ]
}

#[inline(always)]
fn pick<D: Doubles>(m: D::C, a: V<D>, b: V<D>) -> V<D> {
    [D::pick(m, a[0], b[0]), D::pick(m, a[1], b[1]), D::pick(m, a[2], b[2])]
}

#[cfg(test)]
mod tests;
