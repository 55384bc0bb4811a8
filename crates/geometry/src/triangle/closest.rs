//! Closest points of two triangles in f64: nine pairs of sides, six corners against faces, and
//! sides through faces.
//!
//! The closest points of triangles that do not meet lie on a side each, or one is a corner and the
//! other inside a face; the least over all candidates is the distance. Every candidate is a pair
//! of points of the triangles to rounding, so the result is never below the truth by more than
//! rounding, whatever the parameters; that it is not above comes from how they are computed: by
//! cross products, whose error at an angle θ between the sides is u/θ and not u/θ².

use super::largest;
use crate::volume::power_below_inverse;
use crate::{Point, Triangle, Vector};

/// Sizes between which nothing is scaled.
const DIRECT: std::ops::RangeInclusive<f64> = 1e-30..=1e30;

/// The distance of the closed triangles, a point of `p` and a point of `q` at that distance.
///
/// Error of the distance of triangles that do not meet: at most `16 u D`, with `D` the largest
/// difference of coordinates among the six corners, and half the least positive number where the
/// result is below the normal range. That is not proved: tests hold it against rational
/// arithmetic (degenerate triangles, near-parallel sides and needles down to 1e-12 included), and
/// the worst of 300,000 pairs that a search went through was 6.4 u D. Triangles that meet come out at 0 to the same error, but two near-parallel needles
/// at up to `8192 u D`: whether they meet is asked of
/// [`exact::triangles_meet`](crate::exact::triangles_meet), by the caller. The points are rounded
/// in the triangles' own coordinates, which may be coarser.
///
/// Works at any scale. Cost: about three exact tests.
pub fn distance(p: &Triangle, q: &Triangle) -> (f64, Point, Point) {
    let local = Local::new(p, q);
    let (distance, x, y) = local.distance();
    let back = 1.0 / local.scale;
    (distance * back, p[0] + x * back, p[0] + y * back)
}

/// A pair as seen from p's first corner, at a size whose squares stay in the range of f64.
pub(crate) struct Local {
    pub(crate) a: [Vector; 3],
    pub(crate) b: [Vector; 3],
    /// The power of two by which all lengths are multiplied.
    pub(crate) scale: f64,
    /// The largest component, so multiplied; not finite where a difference of corners is not.
    pub(crate) size: f64,
}

impl Local {
    #[inline]
    pub(crate) fn new(p: &Triangle, q: &Triangle) -> Self {
        let (a, b) = (p.map(|x| x - p[0]), q.map(|x| x - p[0]));
        let size = a.iter().chain(&b).fold(0.0f64, |m, v| m.max(largest(v)));
        if DIRECT.contains(&size) || size == 0.0 {
            return Self { a, b, scale: 1.0, size };
        }
        let scale = power_below_inverse(size);
        Self { a: a.map(|v| v * scale), b: b.map(|v| v * scale), scale, size: size * scale }
    }

    /// The distance of the pair at this size, and the points that are at that distance.
    #[inline]
    pub(crate) fn distance(&self) -> (f64, Vector, Vector) {
        local_distance(&self.a, &self.b)
    }
}

/// [`distance`] of triangles that are known to share no point: never zero. Where it is smaller than
/// the least positive number, 2⁻¹⁰⁷⁴, or comes out as zero by rounding, it is that number.
pub fn distance_apart(p: &Triangle, q: &Triangle) -> (f64, Point, Point) {
    let (distance, on_p, on_q) = distance(p, q);
    (distance.max(LEAST), on_p, on_q)
}

/// The least positive number.
const LEAST: f64 = f64::from_bits(1);

/// The best pair so far.
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

/// Parameters in [0, 1] of the closest points of `a + s d` and `b + t g`, where `r = a − b`; with
/// each direction its squared length.
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

/// A triangle with area, seen from the corner between its two shorter sides.
struct Face {
    corner: Vector,
    d: Vector,
    g: Vector,
    n: Vector,
    /// `1 / n·n`.
    inverse: f64,
    thin: bool,
}

impl Face {
    #[inline]
    fn new(t: &[Vector; 3], side: &[Vector; 3], squared: &[f64; 3]) -> Option<Self> {
        let longest = if squared[0] >= squared[1] && squared[0] >= squared[2] {
            0
        } else if squared[1] >= squared[2] {
            1
        } else {
            2
        };
        // Sides l+1 and l+2 meet in corner l+2.
        let (l1, l2) = ((longest + 1) % 3, (longest + 2) % 3);
        let (d, g) = (side[l2], -side[l1]);
        let mut n = d.cross(&g);
        let mut nn = n.norm_squared();
        let thin = nn < 1e-4 * (squared[l1] * squared[l2]);
        if thin && nn > 0.0 {
            // The product's error tilts it along the needle, where a tilt weighs most.
            let long = if squared[l1] > squared[l2] { g } else { d };
            n -= long * (n.dot(&long) / squared[l1].max(squared[l2]));
            n -= long * (n.dot(&long) / squared[l1].max(squared[l2]));
            nn = n.norm_squared();
        }
        (nn > 0.0).then_some(Self { corner: t[l2], d, g, n, inverse: 1.0 / nn, thin })
    }

    /// Coordinates of the foot of `w`, a vector from the corner.
    #[inline(always)]
    fn coordinates(&self, w: &Vector) -> (f64, f64) {
        (w.cross(&self.g).dot(&self.n) * self.inverse, self.d.cross(w).dot(&self.n) * self.inverse)
    }

    /// The foot of `x` if it is inside. In a thin triangle it is corrected by the foot of what is
    /// left, whose error is that much smaller.
    #[inline(always)]
    fn foot(&self, x: &Vector) -> Option<Vector> {
        let w = x - self.corner;
        let (mut s, mut t) = self.coordinates(&w);
        if self.thin {
            let (ds, dt) = self.coordinates(&(w - (self.d * s + self.g * t)));
            (s, t) = (s + ds, t + dt);
        }
        (s >= 0.0 && t >= 0.0 && s + t <= 1.0).then(|| self.corner + (self.d * s + self.g * t))
    }

    /// Calls `offer` with each corner, and each point where a side runs through the plane, whose
    /// foot is inside, and that foot. Both lie in the triangles to rounding, so what is offered is
    /// never nearer than they are, however inaccurate the crossing.
    #[inline(always)]
    fn each_foot(&self, corners: &[Vector; 3], mut offer: impl FnMut(Vector, Vector)) {
        let height = corners.map(|x| self.n.dot(&(x - self.corner)));
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
