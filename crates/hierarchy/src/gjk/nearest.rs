//! The distance of two bodies that are proved apart, computed from two triangles.
//!
//! 1. The run's nearest points are convex combinations of vertices of one facet each: find the
//!    triangle at each.
//! 2. While a triangle that shares a corner with either makes the pair nearer, take it: posed
//!    vertices are rounded, so a neighbour may be slightly nearer.
//! 3. The distance of the pair is at least that of the bodies. If it exceeds the run's proved lower
//!    bound by at most [`Pair::doubt`], it is the answer; else there is none.

use impinge_geometry::gjk::{Corner, Proximity};
use impinge_geometry::{Point, Triangle, Vector, exact, triangle};
use impinge_query::{Contact, Counter, Nearest};

use super::Pair;

/// Unit of rounding.
const UNIT: f64 = f64::EPSILON / 2.0;

/// Accepted difference between a distance and its proved lower bound: 64 u, relative to the sum of
/// both bodies' largest coordinates and the translation's. The bound itself may be lower than the
/// distance by up to 40 u of that.
const DOUBT: f64 = 64.0 * UNIT;

/// Bodies farther from the origin than this many times their size have coordinates too coarse for
/// that: the inner engine compares their triangles.
const FAR: f64 = 16.0;

/// Most steps of the search for a nearer pair of neighbours; usually one suffices.
const STEPS: u32 = 16;

impl Pair<'_> {
    /// Sum of both bodies' largest coordinates and the translation's.
    fn size(&self) -> f64 {
        self.a.max_abs() + self.b.max_abs() + self.pose.translation().amax()
    }

    /// The accepted difference, see [`DOUBT`].
    fn doubt(&self) -> f64 {
        DOUBT * self.size() + f64::MIN_POSITIVE
    }

    /// The nearest points of the two surfaces, if the run proved the bodies apart and the distance
    /// is certain enough.
    pub(super) fn nearest(&self, found: &Proximity, counter: &mut impl Counter) -> Option<Nearest> {
        let reach = self.a.extent() + self.b.extent() + found.upper;
        if !found.apart() || self.size() > FAR * reach {
            return None;
        }
        let best = self.walk(found, 0.0, counter)?;
        (best.distance <= found.lower + self.doubt()).then_some(best)
    }

    /// Whether a pair of triangles at the run's points is certainly within `d`. `false` proves
    /// nothing.
    pub(super) fn within(&self, found: &Proximity, d: f64, counter: &mut impl Counter) -> bool {
        let best = self.walk(found, d, counter);
        best.is_some_and(|best| {
            let Contact { a: s, b: t } = best.triangles;
            exact::within(&self.a.triangle(s), &self.posed(t), d)
        })
    }

    /// Steps 1 and 2; ends early once the distance is at most `enough`.
    fn walk(&self, found: &Proximity, enough: f64, counter: &mut impl Counter) -> Option<Nearest> {
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
            if best.distance <= enough {
                break;
            }
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
        Some(best)
    }

    /// A triangle of B in A's frame.
    fn posed(&self, t: u32) -> Triangle {
        self.b.triangle(t).map(|p| self.pose.apply(&p))
    }

    /// The distance of a triangle of A and one of B; never zero, since they are apart.
    fn measure(&self, s: u32, t: u32) -> Nearest {
        let (distance, on_a, on_b) = triangle::distance_apart(&self.a.triangle(s), &self.posed(t));
        Nearest { distance, on_a, on_b, triangles: Contact { a: s, b: t } }
    }
}

fn nearer(best: Nearest, other: Nearest) -> Nearest {
    if other.distance < best.distance { other } else { best }
}

#[cfg(test)]
mod tests {
    use impinge_geometry::convex::ConvexBody;
    use impinge_geometry::gjk::Until;
    use impinge_geometry::{Mesh, Pose};
    use impinge_models::{Random, Shape};

    use super::*;
    use crate::gjk::GjkMemory;

    /// Unit of rounding, 2⁻⁵³.
    const U: f64 = 1.0 / (1u64 << 53) as f64;

    fn run(pair: &Pair<'_>) -> Proximity {
        let mut memory = GjkMemory { direction: None, at: [0, 0], inner: () };
        pair.run(Until::Nearest, &mut memory, &mut ())
    }

    fn moved(mesh: &Mesh, by: f64) -> Mesh {
        let by = Pose::translation_by(Vector::new(0.0, by, 0.0)).expect("finite");
        mesh.posed(&by).expect("in range")
    }

    fn body(mesh: &Mesh) -> ConvexBody {
        ConvexBody::new(mesh).expect("convex")
    }

    /// Nearly all distances are within the doubt of their proved bound, few within a quarter of it,
    /// and none beyond is answered.
    #[test]
    fn distances_take_the_doubt_and_no_more() {
        let meshes = [Shape::Hull.mesh(60, 1), Shape::Sphere.mesh(80, 0), Shape::Cube.mesh(48, 0)];
        let bodies = meshes.map(|mesh| body(&mesh));
        let (mut all, mut within, mut little) = (0, 0, 0);
        for index in 0..600 {
            let mut random = Random::stream(71, index);
            let [a, b] = [0, 1].map(|_| &bodies[random.below(3) as usize]);
            let at = random.unit_vector() * random.range(1.2, 4.0);
            let pose = random.turned_to(at);
            let pair = Pair { a, b, pose: &pose };
            let found = run(&pair);
            if !found.apart() {
                continue;
            }
            let best = pair.walk(&found, 0.0, &mut ()).expect("a simplex has corners");
            let over = (best.distance - found.lower) / (U * pair.size());
            all += 1;
            within += u32::from(over <= 64.0);
            little += u32::from(over <= 16.0);
            let answered = pair.nearest(&found, &mut ()).is_some();
            assert_eq!(answered, over <= 64.0, "{index}: {over} u above the bound");
        }
        println!("of {all} {within} within the doubt, {little} within a quarter of it");
        assert!(
            all > 500 && within * 100 > all * 98 && little * 100 < all * 50,
            "{within} {little}"
        );
    }

    /// Bodies more than sixteen times as far from their origin as they are large are left to the
    /// tree.
    #[test]
    fn bodies_far_from_their_origin_are_not_measured() {
        let mut sides = [0, 0];
        for step in 0..200 {
            let far = 1.0 + f64::from(step);
            let (a, b) = (body(&moved(&Shape::Hull.mesh(40, 1), far)), {
                body(&moved(&Shape::Hull.mesh(40, 2), far))
            });
            let pose = Pose::translation_by(Vector::new(2.0, 0.1, 0.0)).expect("finite");
            let pair = Pair { a: &a, b: &b, pose: &pose };
            let found = run(&pair);
            assert!(found.apart());
            let ratio = pair.size() / (a.extent() + b.extent() + found.upper);
            let best = pair.walk(&found, 0.0, &mut ()).expect("a simplex has corners");
            let certain = best.distance <= found.lower + pair.doubt();
            let answered = pair.nearest(&found, &mut ()).is_some();
            assert_eq!(answered, certain && ratio <= 16.0, "{ratio} times as far");
            sides[usize::from(ratio <= 16.0)] += u32::from(certain && (4.0..64.0).contains(&ratio));
        }
        assert!(sides.iter().all(|n| *n > 10), "{sides:?}");
    }
}
