//! Is a distance at most a given one?

use crate::{Triangle, triangle};

/// Is the distance of the closed triangles `p` and `q` at most `d` (unit: the coordinates')? Never
/// for a negative `d`; for zero it is [`triangles_meet`](super::triangles_meet).
pub fn within(p: &Triangle, q: &Triangle, d: f64) -> bool {
    if d <= 0.0 {
        return d == 0.0 && super::triangles_meet(p, q);
    }
    triangle::distance_apart(p, q).0 <= d
}
