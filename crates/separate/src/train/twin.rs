//! The geometric twin of the machine: the nearest points of the two hulls, by
//! [GJK](impinge_geometry::gjk). Each step is one linear search for a support point in each set.

use impinge_geometry::Vector;
use impinge_geometry::gjk::{Support, Until, between};

use super::{Trained, Training};

/// Finds the plane of largest margin between two sets; `start` is a vector that points roughly from
/// A to B. With [`Until::Apart`] it stops at the first plane that separates them.
///
/// [`Trained::within`] follows from the proved lower bound `l` on the distance and the upper bound
/// `h`. The nearest point `v` of the difference of the hulls has `|v| ≤ h`, and the plane proves
/// `n · v ≥ l`, so that the angle between `n` and `v` is at most `acos(l / h)`.
pub fn train(a: &mut impl Support, b: &mut impl Support, start: &Vector, until: Until) -> Training {
    let found = between(a, b, start, until);
    let steps = u64::from(found.iterations);
    let of = |index: fn(&impinge_geometry::gjk::Corner) -> u32| {
        let mut list: Vec<u32> = found.simplex.corners().iter().map(index).collect();
        list.sort_unstable();
        list.dedup();
        list
    };
    let vectors = [of(|c| c.a), of(|c| c.b)];
    if !found.apart() {
        return Training::Inseparable { steps, normal: None, vectors };
    }
    let whole = until == Until::Nearest;
    // At the end the difference of the nearest points is more precise than the direction that proved
    // the best bound: a turn by 10⁻⁸ changes the bound by less than rounding.
    let between = found.on_b - found.on_a;
    let normal = if whole && between.amax() > 0.0 { between } else { found.direction };
    let size = normal.amax();
    Training::Separable(Trained {
        normal: (normal / size).normalize(),
        vectors,
        steps,
        within: whole.then(|| (found.lower / found.upper).min(1.0).acos()),
    })
}
