//! The best pair of a search for a distance.

use impinge_query::{Contact, Nearest};

use crate::frame::power_of_two;
use crate::search::Pair;

/// The nearest pair so far, and the squared distance beyond which items are pruned. Of equally near pairs the
/// nearest is that of the least triangles, in their order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Best {
    pub(super) found: Option<Nearest>,
    /// In the clamped units of A, squared.
    pub(super) limit: f64,
    pub(super) unit: f64,
}

impl Best {
    /// Nothing is known but that pairs farther apart than `most` are ignored.
    pub(super) fn new(pair: &Pair<'_>, most: Option<f64>) -> Self {
        let unit = power_of_two(-pair.placement.exponents[0]);
        let mut best = Self { found: None, limit: f64::INFINITY, unit };
        if let Some(most) = most {
            best.limit(most);
        }
        best
    }

    /// Whether a pair of triangles at this distance is not reported.
    #[inline(always)]
    pub(super) fn is_beaten(&self, distance: f64, triangles: Contact) -> bool {
        self.found.is_some_and(|found| {
            distance > found.distance
                || (distance == found.distance && triangles >= found.triangles)
        })
    }

    /// Sets the limit to a distance in the mesh's unit, rounded up. Its product with the unit is
    /// exact, or so small that its square is negligible beside the least normal number, which is
    /// added for underflow of that square. On overflow the limit is infinite and prunes nothing.
    pub(super) fn limit(&mut self, distance: f64) {
        let d = distance * self.unit;
        self.limit = d * d * (1.0 + 1e-14) + f64::MIN_POSITIVE;
    }
}

#[cfg(test)]
mod tests {
    use impinge_geometry::Point;

    use super::*;

    fn nothing(unit: f64) -> Best {
        Best { found: None, limit: f64::INFINITY, unit }
    }

    /// Of equally near pairs that of the least triangles is reported.
    #[test]
    fn equal_distances_are_told_apart_by_triangles() {
        let at = |a, b| Contact { a, b };
        let mut best = nothing(1.0);
        assert!(!best.is_beaten(f64::INFINITY, at(0, 0)));
        let (point, triangles) = (Point::origin(), at(4, 7));
        best.found = Some(Nearest { distance: 2.0, on_a: point, on_b: point, triangles });
        for (distance, triangles, beaten) in [
            (2.0, at(4, 7), true),
            (2.0, at(4, 6), false),
            (2.0, at(3, 9), false),
            (2.0, at(5, 0), true),
            (2f64.next_down(), at(5, 0), false),
            (2f64.next_up(), at(0, 0), true),
        ] {
            assert_eq!(best.is_beaten(distance, triangles), beaten, "{distance} {triangles:?}");
        }
    }

    /// A limit is never less than the square in A's units, and at most slightly larger; where
    /// squares underflow it is the least normal number.
    #[test]
    fn limits_are_squares_rounded_up() {
        for (unit, distance) in
            [(1.0, 3.0), (0.125, 3.0), (1024.0, 0.1), (1.0, 1e-200), (1.0, 0.0), (1.0, 1e-153)]
        {
            let mut best = nothing(unit);
            best.limit(distance);
            let square = (distance * unit) * (distance * unit);
            let most = square * (1.0 + 1.1e-14) + 2.0 * f64::MIN_POSITIVE;
            assert!(best.limit >= square + f64::MIN_POSITIVE && best.limit <= most, "{distance:e}");
            assert!(square == 0.0 || best.limit > square, "{distance:e}");
        }
        let mut best = nothing(1e200);
        best.limit = 1.0;
        best.limit(1e200);
        assert_eq!(best.limit, f64::INFINITY);
    }
}
