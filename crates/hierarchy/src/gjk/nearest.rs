//! The distance of two bodies that are proved apart, as that of two triangles.
//!
//! 1. The run's nearest points are means of vertices of one facet each: find the triangle at each.
//! 2. While a triangle that shares a corner with either makes the pair nearer, take it: posed
//!    vertices are rounded, and a neighbour may be nearer by that.
//! 3. The distance of the pair is at least that of the bodies. If it exceeds the run's proved lower
//!    bound by no more than [`Pair::doubt`], it is the answer; else there is none.

use impinge_geometry::gjk::{Corner, Proximity};
use impinge_geometry::{Point, Triangle, Vector, triangle};
use impinge_query::{Contact, Counter, Nearest};

use super::Pair;

/// Unit of rounding.
const UNIT: f64 = f64::EPSILON / 2.0;

/// What a distance may exceed its proved lower bound by, in units of the largest coordinates of
/// both bodies and the translation together: 64 u. The bound itself is lower than the distance by
/// up to 40 u of them.
const DOUBT: f64 = 64.0 * UNIT;

/// Bodies this much farther from the origin than they are large have coordinates too coarse for
/// that: their pairs of triangles are compared one by one, by the inner engine.
const FAR: f64 = 16.0;

/// How much the surface of a body that is convex up to notches may be below its hull, in units of
/// its largest coordinate: 2⁻⁴³.
const NOTCHES: f64 = 1.0 / (1u64 << 43) as f64;

/// Steps of the search for a nearer pair of neighbours; usual searches take one.
const STEPS: u32 = 16;

impl Pair<'_> {
    /// The largest coordinates of both bodies and the translation together.
    fn size(&self) -> f64 {
        self.a.max_abs() + self.b.max_abs() + self.pose.translation().amax()
    }

    /// See [`DOUBT`].
    pub(super) fn doubt(&self) -> f64 {
        DOUBT * self.size() + f64::MIN_POSITIVE
    }

    /// See [`NOTCHES`].
    pub(super) fn notches(&self) -> f64 {
        let of = |body: &impinge_geometry::convex::ConvexBody| {
            if body.exactly_convex() { 0.0 } else { NOTCHES * body.max_abs() }
        };
        of(self.a) + of(self.b)
    }

    /// The nearest points of the two surfaces, if the run proved the bodies apart and the distance
    /// is certain enough.
    pub(super) fn nearest(&self, found: &Proximity, counter: &mut impl Counter) -> Option<Nearest> {
        let reach = self.a.extent() + self.b.extent() + found.upper;
        if !found.apart() || self.size() > FAR * reach {
            return None;
        }
        let corners = found.simplex.corners();
        let heaviest = corners.iter().max_by(|c, d| c.weight.total_cmp(&d.weight))?;
        let mean = |sum: Vector, c: &Corner| sum + self.b.extreme(c.b).coords * c.weight;
        let on_b = Point::from(corners.iter().fold(Vector::zeros(), mean));
        let mut best = self.measure(
            self.a.triangle_at(&found.on_a, heaviest.a),
            self.b.triangle_at(&on_b, heaviest.b),
        );
        let mut measured = 1;
        for _ in 0..STEPS {
            let before = best.triangles;
            self.a.around(before.a, |other| {
                measured += 1;
                best = nearer(best, self.measure(other, before.b));
            });
            let s = best.triangles.a;
            self.b.around(before.b, |other| {
                measured += 1;
                best = nearer(best, self.measure(s, other));
            });
            if best.triangles == before {
                break;
            }
        }
        counter.primitives(measured);
        (best.distance <= found.lower + self.doubt()).then_some(best)
    }

    /// The distance of a triangle of A and one of B, never zero: they are apart.
    fn measure(&self, s: u32, t: u32) -> Nearest {
        let q: Triangle = self.b.triangle(t).map(|p| self.pose.apply(&p));
        let (distance, on_a, on_b) = triangle::distance(&self.a.triangle(s), &q);
        let triangles = Contact { a: s, b: t };
        Nearest { distance: distance.max(f64::MIN_POSITIVE), on_a, on_b, triangles }
    }
}

fn nearer(best: Nearest, other: Nearest) -> Nearest {
    if other.distance < best.distance { other } else { best }
}
