//! Closest points of two triangles in f64: nine pairs of sides, six corners against faces, and
//! sides through faces.
//!
//! The closest points of triangles that do not meet lie on a side each, or one is a corner and the
//! other inside a face; the least distance over all candidates is the result. Every candidate is a
//! pair of points of the triangles up to rounding, so the result is never below the exact distance
//! by more than rounding, whatever the parameters. It is not above it because parameters are
//! computed by cross products, whose error at an angle θ between the sides is u/θ instead of u/θ².

use super::largest;
use crate::volume::{Aabb, longest, power_below_inverse};
use crate::{Point, Triangle, Vector};

/// Sizes at which no scaling is needed.
const DIRECT: std::ops::RangeInclusive<f64> = 1e-30..=1e30;

/// The distance of the closed triangles, a point of `p` and a point of `q` at that distance.
///
/// Error of the distance: at most `16 u D`, with `D` the largest difference of coordinates among
/// the six corners, plus half the least positive number if the result is below the normal range.
/// This is not proved. Tests compare with rational arithmetic (including degenerate triangles,
/// near-parallel sides, needles from the side and from above); the worst of 300,000 pairs of a
/// search was 6.4 u D. Triangles that meet give 0 only up to the same error; callers must ask
/// [`exact::triangles_meet`](crate::exact::triangles_meet) whether they meet. The points are
/// rounded in the triangles' own coordinates, which may be coarser.
///
/// Works at any scale. Cost: about three exact tests.
pub fn distance(p: &Triangle, q: &Triangle) -> (f64, Point, Point) {
    let local = Local::new(p, q);
    let (distance, x, y) = local.distance();
    let back = 1.0 / local.scale;
    (distance * back, p[0] + x * back, p[0] + y * back)
}

/// A pair relative to p's first corner, scaled so that squares stay in the range of f64.
pub(crate) struct Local {
    pub(crate) a: [Vector; 3],
    pub(crate) b: [Vector; 3],
    /// The power of two by which all lengths are multiplied.
    pub(crate) scale: f64,
    /// The largest component after scaling; not finite if a difference of corners is not.
    pub(crate) size: f64,
}

impl Local {
    #[inline]
    pub(crate) fn new(p: &Triangle, q: &Triangle) -> Self {
        let (a, b) = (p.map(|x| x - p[0]), q.map(|x| x - p[0]));
        let size = a.iter().chain(&b).fold(0.0f64, |m, v| m.max(largest(v)));
        if DIRECT.contains(&size) {
            return Self { a, b, scale: 1.0, size };
        }
        let scale = power_below_inverse(size);
        Self { a: a.map(|v| v * scale), b: b.map(|v| v * scale), scale, size: size * scale }
    }

    /// The distance of the scaled pair, and the points at that distance.
    #[inline]
    pub(crate) fn distance(&self) -> (f64, Vector, Vector) {
        local_distance(&self.a, &self.b)
    }
}

/// [`distance`] of triangles known to share no point: never zero, and never less than their [`gap`]. A
/// result that is less for rounding is replaced by the gap, or by the least positive number, 2⁻¹⁰⁷⁴.
/// So a pair whose gap is no less than a distance is no nearer, also as computed.
pub fn distance_apart(p: &Triangle, q: &Triangle) -> (f64, Point, Point) {
    let (distance, on_p, on_q) = distance(p, q);
    (distance.max(gap(p, q)).max(LEAST), on_p, on_q)
}

/// The largest gap of the boxes of two triangles along an axis, rounded to the nearest number; 0 if there is
/// none. The triangles are no nearer, but for that rounding.
#[inline]
pub fn gap(p: &Triangle, q: &Triangle) -> f64 {
    let (p, q) = (Aabb::of_triangle(p), Aabb::of_triangle(q));
    (0..3).fold(0.0, |most: f64, k| most.max(q.min[k] - p.max[k]).max(p.min[k] - q.max[k]))
}

const LEAST: f64 = f64::from_bits(1);

struct Best {
    squared: f64,
    on_a: Vector,
    on_b: Vector,
}

impl Best {
    #[inline(always)]
    fn offer(&mut self, on_a: Vector, on_b: Vector) {
        let squared = (on_a - on_b).norm_squared();
        if squared < self.squared {
            *self = Self { squared, on_a, on_b };
        }
    }
}

fn local_distance(a: &[Vector; 3], b: &[Vector; 3]) -> (f64, Vector, Vector) {
    let mut best = Best { squared: f64::INFINITY, on_a: a[0], on_b: b[0] };
    let sides = |t: &[Vector; 3]| [t[1] - t[0], t[2] - t[1], t[0] - t[2]];
    let (e, f) = (sides(a), sides(b));
    let (ee, ff) = (e.map(|v| v.norm_squared()), f.map(|v| v.norm_squared()));
    for i in 0..3 {
        for j in 0..3 {
            let (s, t) = segment_parameters(&(a[i] - b[j]), (&e[i], ee[i]), (&f[j], ff[j]));
            best.offer(a[i] + e[i] * s, b[j] + f[j] * t);
        }
    }
    if let Some(face) = Face::new(b, &f, &ff) {
        face.each_foot(a, |x, foot| best.offer(x, foot));
    }
    if let Some(face) = Face::new(a, &e, &ee) {
        face.each_foot(b, |x, foot| best.offer(foot, x));
    }
    (best.squared.sqrt(), best.on_a, best.on_b)
}

/// Parameters in [0, 1] of the closest points of `a + s d` and `b + t g`, where `r = a − b`. Each
/// direction comes with its squared length.
#[inline(always)]
fn segment_parameters(r: &Vector, (d, dd): (&Vector, f64), (g, gg): (&Vector, f64)) -> (f64, f64) {
    let (dr, gr) = (d.dot(r), g.dot(r));
    if dd == 0.0 {
        return (0.0, if gg == 0.0 { 0.0 } else { (gr / gg).clamp(0.0, 1.0) });
    }
    if gg == 0.0 {
        return ((-dr / dd).clamp(0.0, 1.0), 0.0);
    }
    let n = d.cross(g);
    let nn = n.norm_squared();
    let s = if nn > 0.0 { (-r.cross(g).dot(&n) / nn).clamp(0.0, 1.0) } else { 0.0 };
    let dg = d.dot(g);
    let t = (dg * s + gr) / gg;
    if t < 0.0 {
        ((-dr / dd).clamp(0.0, 1.0), 0.0)
    } else if t > 1.0 {
        (((dg - dr) / dd).clamp(0.0, 1.0), 1.0)
    } else {
        (s, t)
    }
}

/// A triangle with area in an orthogonal frame at the corner between its two shorter sides: the
/// longer of these, and the component of the other across it.
struct Face {
    corner: Vector,
    /// The longer side from the corner, and one over its squared length.
    long: Vector,
    inverse_long: f64,
    /// The shorter side is `along * long + across`, with `across` perpendicular to `long`.
    short: Vector,
    along: f64,
    across: Vector,
    inverse_across: f64,
    normal: Vector,
}

impl Face {
    #[inline]
    fn new(t: &[Vector; 3], side: &[Vector; 3], squared: &[f64; 3]) -> Option<Self> {
        let longest = longest(squared);
        // Sides l+1 and l+2 meet in corner l+2.
        let (l1, l2) = ((longest + 1) % 3, (longest + 2) % 3);
        let (d, g) = (side[l2], -side[l1]);
        let (long, short, dd) =
            if squared[l1] > squared[l2] { (g, d, squared[l1]) } else { (d, g, squared[l2]) };
        let inverse_long = 1.0 / dd;
        let along = short.dot(&long) * inverse_long;
        let across = short - long * along;
        let squared_across = across.norm_squared();
        (squared_across > 0.0).then(|| Self {
            corner: t[l2],
            long,
            inverse_long,
            short,
            along,
            across,
            inverse_across: 1.0 / squared_across,
            normal: long.cross(&across),
        })
    }

    /// The foot of `x` if it is inside. The component along the long side is subtracted first. The
    /// error across is then proportional to the distance of `x` from that side, not to its distance
    /// from the corner over the height of the triangle.
    #[inline(always)]
    fn foot(&self, x: &Vector) -> Option<Vector> {
        let w = x - self.corner;
        let s = w.dot(&self.long) * self.inverse_long;
        let t = (w - self.long * s).dot(&self.across) * self.inverse_across;
        let s = s - t * self.along;
        (s >= 0.0 && t >= 0.0 && s + t <= 1.0)
            .then(|| self.corner + (self.long * s + self.short * t))
    }

    /// Calls `offer` with each corner, and with each point where a side crosses the plane, if its
    /// foot is inside, and with that foot. Both lie in the triangles up to rounding, so a candidate
    /// is never too near, however inaccurate the crossing.
    #[inline(always)]
    fn each_foot(&self, corners: &[Vector; 3], mut offer: impl FnMut(Vector, Vector)) {
        let height = corners.map(|x| self.normal.dot(&(x - self.corner)));
        for i in 0..3 {
            if let Some(foot) = self.foot(&corners[i]) {
                offer(corners[i], foot);
            }
            let j = (i + 1) % 3;
            if (height[i] < 0.0) != (height[j] < 0.0) {
                let s = height[i] / (height[i] - height[j]);
                let x = corners[i] + (corners[j] - corners[i]) * s;
                if let Some(foot) = self.foot(&x) {
                    offer(x, foot);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adversarial::Random;

    #[test]
    fn pairs_are_scaled_by_a_power_of_two_at_the_ends_of_the_range_only() {
        let of = |size: f64| {
            let p: Triangle = [[0.0; 3], [0.0, size, 0.0], [size / 2.0, 0.0, 0.0]].map(Point::from);
            let local = Local::new(&p, &p);
            assert_eq!((local.a, local.size), (p.map(|x| x.coords * local.scale), local.a[1].y));
            assert_eq!(local.b, local.a);
            local.scale
        };
        for size in [0.0, 1e-30, 1.0, 3.0, 1e30] {
            assert_eq!(of(size), 1.0, "{size:e}");
        }
        for size in [0.9e-30, 1.1e30, 1e-300, 1e300] {
            let scale = of(size);
            assert!((0.5..1.0).contains(&(size * scale)), "{size:e} {scale:e}");
        }
    }

    /// No point of either segment is nearer to the other than the two points found.
    #[test]
    fn parameters_are_those_of_the_closest_points_of_two_segments() {
        let mut r = Random(211);
        let mut kinds = [0; 9];
        for k in 0..6000 {
            let lattice = k % 3 == 0;
            let mut number = || if lattice { r.below(5) as f64 - 2.0 } else { r.unit() };
            let mut vector = || Vector::from_fn(|_, _| number());
            let (a, b, d, g) = (vector(), vector() * 0.5, vector(), vector());
            let g = if k % 7 == 0 { d * 0.5 } else { g };
            let g = if k % 11 == 0 { Vector::zeros() } else { g };
            let d = if k % 13 == 0 { Vector::zeros() } else { d };
            let (dd, gg) = (d.norm_squared(), g.norm_squared());
            let (s, t) = segment_parameters(&(a - b), (&d, dd), (&g, gg));
            assert!((0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t));
            let kind = |x: f64| {
                if x == 0.0 {
                    0
                } else if x == 1.0 {
                    2
                } else {
                    1
                }
            };
            kinds[3 * kind(s) + kind(t)] += 1;
            let from = |s: f64, t: f64| (a + d * s - b - g * t).norm();
            let found = from(s, t);
            // The nearest point on the other segment to each of the two points, and to each end.
            let best_t = |s: f64| {
                if gg > 0.0 { (g.dot(&(a + d * s - b)) / gg).clamp(0.0, 1.0) } else { 0.0 }
            };
            let best_s = |t: f64| {
                if dd > 0.0 { (d.dot(&(b + g * t - a)) / dd).clamp(0.0, 1.0) } else { 0.0 }
            };
            for s in [0.0, 1.0, s] {
                assert!(found <= from(s, best_t(s)) + 1e-12, "{a} {b} {d} {g}: {s} {t}");
            }
            for t in [0.0, 1.0, t] {
                assert!(found <= from(best_s(t), t) + 1e-12, "{a} {b} {d} {g}: {s} {t}");
            }
        }
        assert!(kinds.iter().all(|n| *n > 30), "{kinds:?}");
    }

    #[test]
    fn faces_are_closed_and_seen_from_the_corner_of_their_shorter_sides() {
        let mut r = Random(212);
        for k in 0..600 {
            let t = [(); 3].map(|()| Vector::new(r.unit(), r.unit(), r.unit()));
            let height = 2f64.powi(-(k % 16));
            let t = [t[0], t[1], t[0] + (t[1] - t[0]) * 0.25 + (t[2] - t[0]) * height];
            let side = [t[1] - t[0], t[2] - t[1], t[0] - t[2]];
            let squared = side.map(|e| e.norm_squared());
            let face = Face::new(&t, &side, &squared).expect("it has area");
            let corner = t.iter().position(|c| *c == face.corner).expect("one of them");
            let opposite = squared[(corner + 1) % 3];
            assert!(squared.iter().all(|x| *x <= opposite));
            let (one, other) =
                (t[(corner + 1) % 3] - face.corner, t[(corner + 2) % 3] - face.corner);
            let swapped = one.norm_squared() > other.norm_squared();
            let (longer, shorter) = if swapped { (one, other) } else { (other, one) };
            assert_eq!((face.long, face.short), (longer, shorter));
            let (across, long) = (face.across.norm(), face.long.norm());
            assert!((face.long.cross(&face.short).norm() / long - across).abs() < 1e-15);
            assert!((face.across + face.long * face.along - face.short).amax() < 1e-15);
            assert!(face.across.dot(&face.long).abs() < 1e-15);
            assert!((face.inverse_across * across * across - 1.0).abs() < 1e-15);
            assert!((face.inverse_long * long * long - 1.0).abs() < 1e-15);
            let plumb = face.normal / (across * long);
            assert!((plumb.norm() - 1.0).abs() < 1e-15 && plumb.dot(&face.across).abs() < 1e-15);
            // Points above the inside have a foot, points beyond a side have none.
            for (s, t, inside) in
                [(0.3, 0.3, true), (-0.1, 0.5, false), (0.5, -0.1, false), (0.6, 0.6, false)]
            {
                let at = face.corner + face.long * s + face.short * t;
                let foot = face.foot(&(at + plumb));
                assert_eq!(foot.is_some(), inside, "{s} {t}");
                assert!(foot.is_none_or(|foot| (foot - at).amax() < 1e-9));
            }
        }
        // A triangle without rounding: its corners and sides belong to it.
        let t = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.]].map(Vector::from);
        let side = [t[1] - t[0], t[2] - t[1], t[0] - t[2]];
        let face = Face::new(&t, &side, &side.map(|e| e.norm_squared())).expect("it has area");
        for foot in [[0., 0.], [1., 0.], [0., 1.], [0.5, 0.5], [0., 0.5], [0.25, 0.]] {
            let x = Vector::new(foot[0], foot[1], 2.0);
            assert_eq!(face.foot(&x), Some(Vector::new(foot[0], foot[1], 0.0)));
        }
        let flat = [t[0], t[1], t[1]];
        let side = [t[1] - t[0], Vector::zeros(), t[0] - t[1]];
        assert!(Face::new(&flat, &side, &side.map(|e| e.norm_squared())).is_none());
    }
}
